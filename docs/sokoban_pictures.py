"""Pictures of how Sokoban is solved: a packing plan, rooms, and a learned deadlock, as the search sees them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

import gridproof as gp
from gridproof.games.sokoban.feature_search.deadlock_proof import allocate_proof, find_pattern
from gridproof.games.sokoban.feature_search.fields import forward_field
from gridproof.games.sokoban.feature_search.macro_moves import Options
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan
from gridproof.games.sokoban.feature_search.rooms import links_of, rooms_of
from gridproof.games.sokoban.feature_search.searches import make_plans
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.pictures.picture import svg_with_marks, svg_with_overlay
from gridproof.pictures.shapes import Brush

LEVEL = """
#############
#     #  ...#
# $$  #  ...#
#  $     ####
# $$  #  #
# @$  ## #####
#####  #     #
    #        #
    ##########
""".strip("\n")
LOST = """
#############
#     #  ...#
# $   #  ...#
#  $  $ $####
# $   #  #
#  @  ##$#####
#####  #     #
    #        #
    ##########
""".strip("\n")
"""The same level with three boxes at the doors, which can never be packed."""
_NODES = 5000
_COLOURS = ("blue", "green", "yellow", "purple")

Mark = tuple[tuple[int, int], str]


def board_of(text: str) -> Board:
    """The board of a level's start."""
    (level,) = gp.read(text)
    assert isinstance(level, Level)
    return Board(level.start())


def packing() -> str:
    """The depots, numbered in the order in which the first plan fills them."""
    board, plans = board_of(LEVEL), list[PackingPlan]()
    for _ in make_plans(board, plans):
        pass
    plan = plans[0]

    def numbers(brush: Brush) -> Iterator[Mark]:
        disc = brush.circle(50, 50, 30, "floor")
        for number, (first, last) in enumerate(itertools.pairwise(plan.following_ends.tolist()), 1):
            for square in plan.following[first:last]:
                yield board.cells[square], disc + brush.write(str(number), brush.colour("ink"))

    return svg_with_overlay(gp.read(LEVEL)[0].start(), numbers)


def rooms() -> str:
    """The rooms in colours, and dots on the squares where a box blocks a link of two rooms."""
    board = board_of(LEVEL)
    neighbours = board.neighbours[0]

    def areas(brush: Brush) -> Iterator[Mark]:
        for cell, room, links in zip(board.cells, rooms_of(neighbours), links_of(neighbours), strict=True):
            if room >= 0:
                area = brush.rect(0, 0, 100, 100, _COLOURS[room % len(_COLOURS)])
                yield cell, f'<g opacity="0.35">{area}</g>'
            if links:
                yield cell, brush.circle(50, 50, 14, "red")

    return svg_with_overlay(gp.read(LEVEL)[0].start(), areas)


def deadlock() -> str:
    """A learned pattern: crosses on its boxes, and dots where the player is lost with them."""
    board = board_of(LOST)
    field = forward_field(board, Options(), np.zeros((len(board.cells), 1), np.uint64))
    proof = allocate_proof(field, len(board.boxes), _NODES)
    seed = board.cells.index((6, 3))
    assert find_pattern(proof, np.array(board.boxes, np.int16), seed, board.player)
    boxes = [board.cells[box] for box in proof.patterns.boxes[0].tolist() if box >= 0]
    lost = [board.cells[square] for square in np.flatnonzero(proof.patterns.players[0]).tolist()]
    return svg_with_marks(gp.read(LOST)[0].start(), boxes, lost)
