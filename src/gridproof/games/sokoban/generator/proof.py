"""Proofs of generated levels: their fewest pushes and their difficulty."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gridproof.core.trace import Trace
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of

MOST_WORK = 1_000_000  # a proof's: the positions it may take, times the square of the boxes
_PAIRS = 2_000_000  # pairs of squares, of all settings of the walls, when a difficulty is found out
_MOST_SQUARES = 200  # of a grid with bombs, where that is done at all


class Proof(NamedTuple):
    """The result of the solver on a level."""

    found: bool | None
    """None when it gave up."""
    trace: Trace | None
    pushes: int
    effort: int | None
    """None when it would cost too much."""

    @property
    def keys(self) -> Mapping[str, int]:
        """The keys of a solved level."""
        difficulty = {} if self.effort is None else {"Difficulty": self.effort}
        return {"Pushes": self.pushes, **difficulty}


def _exceeds_work(board: Board, states: int) -> bool:
    return states * len(board.boxes) ** 2 > MOST_WORK


def prove(level: Level, should_stop: Callable[[Board, int], bool] = _exceeds_work) -> Proof:
    """Prove the fewest pushes by the plain search, until `should_stop` is true of its number of positions."""
    start = level.start()
    board = Board(start)
    if not board.possible:
        return Proof(False, None, 0, 1)
    if not board.fits:
        return Proof(None, None, 0, None)
    search = PushSearch(board, by_moves=False, plain=True)
    for states in search.run():
        if should_stop(board, states):
            break
    if search.goal is None:
        return Proof(False if search.is_exhausted else None, None, 0, search.states)
    trace = trace_of(start, search)
    return Proof(True, trace, len(search.path()) - 1 - _count_bombs(trace), search.states)


def _count_bombs(trace: Trace) -> int:
    return sum(str(step.action) == "bomb" for step in trace.steps)


def measure_bomb_effort(level: Level, budget: Budget) -> int | None:
    """Measure the difficulty of a level with bombs; None when it would cost too much."""
    squares = level.size[0] * level.size[1]
    if squares > _MOST_SQUARES:
        return None
    costs = list[int]()

    def should_stop(board: Board, states: int) -> bool:
        costs.append(board.stage_count * squares**2 + states * len(board.boxes) ** 2 * 2)
        return costs[-1] > _PAIRS

    proof = prove(level, should_stop)
    budget.work -= max(costs, default=0) // 100
    return proof.effort if proof.found else None
