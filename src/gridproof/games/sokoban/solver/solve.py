"""From a position to a trace: what `gp.solve` asks for when pushes or moves are to be few."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable

from gridproof.core.limit import Meter
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.rules import Action, Position
from gridproof.games.sokoban.solver.board import DIRECTIONS, Board, board_of
from gridproof.games.sokoban.solver.search import COST, PushSearch
from gridproof.search.solution import Solution


def solve(
    position: Position, measure: str | None, meter: Meter, progress: Callable[[int], None] | None = None
) -> Solution | None:
    """A win with the fewest pushes, moves or actions; None where this solver cannot: with bombs left.

    Parameters
    ----------
    position : Position
    measure : {"pushes", "moves", "actions", None}
        Without bombs the actions are the moves. None for any win.
    """
    if position.bombs:
        return None
    by_moves = measure in ("moves", "actions")
    board = board_of(position)
    if not board.possible:
        return Solution(False, None, None, True, 1, meter.seconds)
    search = PushSearch(board, by_moves)
    for states in search.run():
        if progress:
            progress(states)
        if search.goal is None and meter.reached(states):
            return Solution(None, None, None, False, states, meter.seconds)
    if search.goal is None:
        return Solution(False, None, None, True, search.states, meter.seconds)
    trace = trace_of(position, board, [boxes for boxes, _ in search.path()])
    trace.replay()
    cost = int(search.figures[search.goal, COST]) if measure else len(trace.steps)
    return Solution(True, trace, cost, measure is not None, search.states, meter.seconds)


def trace_of(position: Position, board: Board, path: list[frozenset[int]]) -> Trace:
    """The trace through given arrangements of boxes, one push between two, by the shortest walks."""
    steps: list[Step] = []
    player = board.player
    for before, after in itertools.pairwise(path):
        (origin,), (target,) = before - after, after - before
        direction = board.neighbours[origin].tolist().index(target)
        behind = int(board.neighbours[origin, direction ^ 1])
        walk = _walk(board, before, player, behind)
        steps += [Step(action) for action in (*walk, DIRECTIONS[direction])]
        player = origin
    return Trace(position, tuple(steps))


def _walk(board: Board, boxes: frozenset[int], start: int, end: int) -> list[Action]:
    came: dict[int, tuple[int, Action] | None] = {start: None}
    queue = deque([start])
    while end not in came:
        square = queue.popleft()
        for direction, action in enumerate(DIRECTIONS):
            other = int(board.neighbours[square, direction])
            if other >= 0 and other not in boxes and other not in came:
                came[other] = square, action
                queue.append(other)
    walk = []
    while (link := came[end]) is not None:
        end, action = link
        walk.append(action)
    return walk[::-1]
