"""Solvers of `gp.solve` for few pushes or moves."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.rules import Action, Position, Pushed
from gridproof.games.sokoban.solver.board import DIRECTIONS, Board, prepare
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.walk import shortest_walk
from gridproof.search.path_engine import run_search
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution

_PRICE = 1 << 16
"""The cost of a push, in steps, where pushes count first."""
_LARGEST_COST = 1 << 30
"""Costs are int32, and an expansion looks one push ahead."""
_LITTLE, _LITTLE_AT_MOST = 1000, 20_000
"""States of a search for fewer moves where only pushes count, besides a quarter of the first search; and the most."""


def fewest_pushes(question: GoalQuestion) -> Solution:
    """Find a win with the fewest pushes; raise Refused, as all solvers here do, for a board that is too large."""
    solution = _search(question)
    few = min(solution.states // 4 + _LITTLE, _LITTLE_AT_MOST)
    better = _fewest_moves_of(solution, question, few)
    return replace(better, states=solution.states) if better else solution


def fewest_pushes_then_moves(question: GoalQuestion) -> Solution:
    """Find a win with the fewest moves among those with the fewest pushes."""
    solution = _search(question)
    return _fewest_moves_of(solution, question) or replace(solution, optimal=False)


def fewest_moves(question: GoalQuestion) -> Solution:
    """Find a win with the fewest steps and pushes, which without bombs are the actions; bombs cost nothing."""
    return _search(question, by_moves=True)


def _fewest_moves_of(solution: Solution, question: GoalQuestion, most: int | None = None) -> Solution | None:
    """Find the win with the fewest moves among all with as many pushes as a solution.

    Return None where a limit is reached, or numbers are too large: a push costs as much as more steps than a walk has.
    The result shows whether they are: it then has more pushes than the solution.
    """
    if solution.trace is None:
        return solution
    position: Any = question.starts[0]
    pushes = _count_pushes(solution.trace)
    if pushes * _PRICE >= _LARGEST_COST or question.meter.is_full(solution.states):
        return None
    search = PushSearch(Board(position), by_moves=True, price=_PRICE, paused=question.meter.pause)
    search.most = most or search.most
    _run(search, question)
    trace = None if search.goal is None else trace_of(position, search)
    if trace is None or _count_pushes(trace) > pushes:
        return None
    return question.solved(trace, solution.states + search.states)


def _count_pushes(trace: Trace) -> int:
    return sum(isinstance(event, Pushed) for outcome in trace.outcomes() for event in outcome.events)


def _search(question: GoalQuestion, by_moves: bool = False) -> Solution:
    """Search, and raise Refused for a board that is too large, or bombs that can leave too many patterns of walls."""
    position: Any = question.starts[0]
    board = board_of(question)
    if not board.possible:
        return question.refuted(1)
    search = PushSearch(board, by_moves, paused=question.meter.pause)
    _run(search, question)
    trace = None if search.goal is None else trace_of(position, search)
    return conclude(question, search, trace, search.states)


def board_of(question: GoalQuestion) -> Board:
    """Return the board of a question's start; raise Refused if it is too large."""
    position: Any = question.starts[0]
    with question.meter.pause():
        prepare()
    board = Board(position)
    if not board.fits:
        raise Refused("the level is too large for the game's solver")
    return board


def conclude(question: GoalQuestion, search: PushSearch, trace: Trace | None, states: int) -> Solution:
    """Return the answer of a search that has ended, or of several among them; raise Refused if bombs took the memory."""
    if trace is not None:
        return question.solved(trace, states)
    if search.wants_stage and question.meter.stopped_by == "memory":
        raise Refused("the bombs allow more wall patterns than the game's solver has memory for")
    return question.refuted(states) if search.is_exhausted else question.given_up(states)


def _run(search: PushSearch, question: GoalQuestion) -> None:
    with question.meter.pause():
        search.prepare()
    run_search(search, question)


def trace_of(position: Position, search: PushSearch) -> Trace:
    """Return the trace of a search with a goal: a push or a bomb between two states, after a walk."""
    board, actions = search.board, list[Action]()
    player, path = board.player, search.path()
    of_stages = {stage: _neighbours(board, stage) for stage in {state.stage for state in path[:-1]}}
    for before, after in itertools.pairwise(path):
        neighbours = of_stages[before.stage]
        if before.stage == after.stage:
            (origin,), (target,) = before.boxes - after.boxes, after.boxes - before.boxes
            around = neighbours[origin]
            direction = around.index(target)
            walk, _ = shortest_walk(neighbours, before.boxes, player, {around[direction ^ 1]})
            actions += [*walk, DIRECTIONS[direction]]
            player = origin
        else:
            places = {after.player} if search.by_moves else _bomb_squares(board, before.stage, after.stage)
            walk, player = shortest_walk(neighbours, before.boxes, player, places)
            actions += [*walk, Action.BOMB]
    return Trace(position, tuple(map(Step, actions)))


def _neighbours(board: Board, stage: int) -> list[list[int]]:
    return board.neighbours[board.places[stage]].tolist()  # type: ignore[no-any-return]  # numpy's types say no more


def _bomb_squares(board: Board, stage: int, following: int) -> set[int]:
    """Return the squares whose bombs lead from a stage to another."""
    after = board.bomb_stages[board.places[stage]]
    return set(np.flatnonzero(after == following).tolist())
