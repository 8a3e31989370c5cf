"""From a position to a trace: what `gp.solve` asks for when pushes or moves are to be few."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from gridproof.core.distances import shortest_path
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.rules import Action, Position
from gridproof.games.sokoban.solver.board import DIRECTIONS, Board, prepare
from gridproof.games.sokoban.solver.search import Arranged, PushSearch
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.space import finish


def fewest_pushes(question: GoalQuestion) -> Solution:
    """A win with the fewest pushes.

    Raises
    ------
    Refused
        When it cannot hold the board, or all that bombs can make of it.
    """
    return _solved(question, by_moves=False, greedy=False)


def fewest_moves(question: GoalQuestion) -> Solution:
    """A win with the fewest steps and pushes, which without bombs are the actions; bombs cost nothing.

    Raises
    ------
    Refused
        As `fewest_pushes`.
    """
    return _solved(question, by_moves=True, greedy=False)


def any_win(question: GoalQuestion) -> Solution:
    """A win that is found soon.

    Raises
    ------
    Refused
        As `fewest_pushes`.
    """
    return _solved(question, by_moves=False, greedy=True)


def _solved(question: GoalQuestion, by_moves: bool, greedy: bool) -> Solution:
    position: Any = question.starts[0]
    meter = question.meter
    with meter.paused():
        prepare()
    board = Board(position)
    if not board.possible:
        return question.refuted(1)
    if not board.fits:
        raise Refused("the level is too large for the game's own solver")
    search = PushSearch(board, by_moves, greedy=greedy, paused=meter.paused)
    with meter.paused():
        search.prepare()
    finish(search, meter, question.progress)
    if search.wants_stage and meter.stopped_by == "memory":
        raise Refused("the bombs can leave more walls than the game's own solver has memory for")
    if search.goal is None:
        return question.refuted(search.states) if search.exhausted else question.given_up(search.states)
    return question.solved(trace_of(position, search), search.states)


def trace_of(position: Position, search: PushSearch) -> Trace:
    """The trace of a search that has found a goal: a push or a bomb between two states, after a walk."""
    board, actions = search.board, list[Action]()
    player = board.player
    for before, after in itertools.pairwise(search.path()):
        if before.stage == after.stage:
            (origin,), (target,) = before.boxes - after.boxes, after.boxes - before.boxes
            around = board.neighbours[board.places[before.stage], origin].tolist()
            direction = around.index(target)
            behind = around[direction ^ 1]
            walk, _ = _walk(board, before, player, {behind})
            actions += [*walk, DIRECTIONS[direction]]
            player = origin
        else:
            places = {after.player} if search.by_moves else _bombing(board, before.stage, after.stage)
            walk, player = _walk(board, before, player, places)
            actions += [*walk, Action.BOMB]
    return Trace(position, tuple(map(Step, actions)))


def _bombing(board: Board, stage: int, following: int) -> set[int]:
    """The squares whose bombs lead from a stage to another."""
    after = board.following[board.places[stage]]
    return set(np.flatnonzero(after == following).tolist())


def _walk(board: Board, state: Arranged, start: int, ends: Container[int]) -> tuple[list[Action], int]:
    """The shortest walk to one of some squares, and the one that it comes to."""
    neighbours = board.neighbours[board.places[state.stage]]

    def steps(square: int) -> Iterator[tuple[Action, int]]:
        for action, other in zip(DIRECTIONS, neighbours[square].tolist(), strict=True):
            if other >= 0 and other not in state.boxes:
                yield action, other

    found = shortest_path(start, steps, lambda square: square in ends)
    assert found is not None  # the search has walked there
    return found
