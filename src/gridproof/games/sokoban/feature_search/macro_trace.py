"""The trace of a path of macro moves: walks and pushes, one by one."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.feature_search.fields import forward_field
from gridproof.games.sokoban.feature_search.macro_moves import (
    BEFORE,
    SQUARE,
    Field,
    Options,
    Work,
    allocate_work,
    find_moves,
    label_position,
)
from gridproof.games.sokoban.rules import Action, Position
from gridproof.games.sokoban.solver.board import DIRECTIONS, Board
from gridproof.games.sokoban.solver.walk import shortest_walk


class MacroMove(NamedTuple):
    """A box goes from a square to another, perhaps the same, while the player comes from a region to another."""

    boxes: frozenset[int]
    """Before."""
    region: int
    origin: int
    target: int
    end: int
    """The player's region afterwards."""


def trace_of_moves(position: Position, board: Board, moves: list[MacroMove]) -> Trace:
    """Return the trace of macro moves by pushes, up to the first win: a box may pass its depot and come back."""
    actions, player = list[Action](), board.player
    goals, neighbours = frozenset(board.goals.tolist()), board.neighbours[0].tolist()
    none = np.zeros((len(board.cells), 1), np.uint64)
    field, work = forward_field(board, Options(), none), allocate_work(len(board.cells), len(board.boxes))
    for move in moves:
        boxes = move.boxes - {move.origin}
        for box, ahead in itertools.pairwise(_places(field, work, move)):
            direction = neighbours[box].index(ahead)
            behind = neighbours[box][direction ^ 1]
            walk, _ = shortest_walk(neighbours, boxes | {box}, player, {behind})
            actions += [*walk, DIRECTIONS[direction]]
            player = box
            if boxes | {ahead} == goals:
                return Trace(position, tuple(map(Step, actions)))
    return Trace(position, tuple(map(Step, actions)))


def _places(field: Field, work: Work, move: MacroMove) -> list[int]:
    """Return the squares that the box passes, from its origin to its target."""
    work.occupied[:] = 0
    work.occupied[list(move.boxes)] = 1
    label_position(field, work)
    count = find_moves(field, work, np.int64(move.origin), np.int64(move.region))
    number = work.reached[:count, :2].tolist().index([move.target, move.end])
    places = list[int]()
    while number >= 0:
        places.append(int(work.reached[number, SQUARE]))
        number = int(work.reached[number, BEFORE])
    return places[::-1]
