"""Fewest shifts to a win, searched for with one position of each orbit (symmetry reduction).

Tiles are identical when they have the same colours and are both locked or both not. The positions of an orbit
differ only in which of several identical tiles is where. Where few placements win, they are listed, and the
search begins at both ends.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, cast

import numpy as np

from gridproof.core.position import Position
from gridproof.games.shiftit.kernel.shifts import canonicalize
from gridproof.games.shiftit.rules import Level, has_unique_tiles
from gridproof.games.shiftit.solver import win_placements
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.search.bidirectional import BidirectionalStates
from gridproof.search.goals import PackedSearch, compile_goal
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.path_engine import answer_of
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution

make: Any = Hole()


def canonical_results(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the successors or predecessors of `make` in canonical form."""
    count = make(data, state, out, action, reward, weight)
    for i in range(count):
        canonicalize(data, out[i])
    return count


def reduce_by_symmetry(game: GameKernel, packing: Packing) -> tuple[GameKernel, Packing]:
    """Return a kernel and a packing in which all positions of an orbit are one state."""

    def pack(position: Position[Any]) -> np.ndarray[Any, Any]:
        state = packing.pack(position)
        canonicalize(packing.data, state)
        return state

    search = dataclasses.replace(
        game.search, predecessors=kernel(canonical_results, make=game.search.predecessors)
    )
    reduced = dataclasses.replace(
        game, successors=kernel(canonical_results, make=game.successors), search=search
    )
    return reduced, dataclasses.replace(packing, pack=pack)


def solve_from_wins(question: GoalQuestion) -> Solution:
    """Search breadth-first from the start and from all wins.

    Raises
    ------
    Refused
        When the board is too large for the kernel, or the wins are too many to be listed.
    """
    meter, level = question.meter, cast("Level", question.level)
    with meter.pause():
        game, packing = _reduce(question)
        win_placements.find_wins(level, lambda: True)  # compiles it
    found = win_placements.find_wins(level, lambda: meter.is_reached(0))
    may_be_kept = math.inf if meter.limit.states is None else meter.limit.states / 2
    if found is None or len(found) > may_be_kept:
        raise Refused("there are too many winning placements to list")
    with meter.pause():
        search = BidirectionalStates(game, packing, question.starts, [*found])
    return _answer(search, question)


def solve_up_to_symmetry(question: GoalQuestion) -> Solution:
    """Search breadth-first from the start, on boards with identical tiles.

    Raises
    ------
    Refused
        When the board is too large for the kernel.
    """
    with question.meter.pause():
        game, packing = _reduce(question)
        search = PackedStates(game, packing, question.starts, *compile_goal(question))
    return _answer(search, question)


def _reduce(question: GoalQuestion) -> tuple[GameKernel, Packing]:
    game, packing, _ = question.load_packing()
    level = cast("Level", question.level)
    return (game, packing) if has_unique_tiles(level) else reduce_by_symmetry(game, packing)


def _answer(search: PackedSearch, question: GoalQuestion) -> Solution:
    with question.meter.pause():
        search.prepare()
    return answer_of(search, question, optimal=True)
