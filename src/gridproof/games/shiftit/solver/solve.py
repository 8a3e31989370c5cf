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
from gridproof.games.shiftit.kernel.shifts import canonical
from gridproof.games.shiftit.rules import Level, no_two_alike
from gridproof.games.shiftit.solver import winning
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.search.goals import PackedSearch, compiled_goal
from gridproof.search.packed import PackedStates
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.two_sided import TwoSidedStates
from gridproof.search.ways import answer_of

make: Any = Hole()


def made_canonical(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """The same successors or predecessors, each in canonical form."""
    count = make(data, state, out, action, reward, weight)
    for i in range(count):
        canonical(data, out[i])
    return count


def up_to_symmetry(game: GameKernel, packing: Packing) -> tuple[GameKernel, Packing]:
    """The kernel and the packing in which all positions of an orbit are one state."""

    def pack(position: Position[Any]) -> np.ndarray[Any, Any]:
        state = packing.pack(position)
        canonical(packing.data, state)
        return state

    reduced = {
        name: kernel(made_canonical, make=getattr(game, name)) for name in ("successors", "predecessors")
    }
    return dataclasses.replace(game, **reduced), dataclasses.replace(packing, pack=pack)


def from_wins(question: GoalQuestion) -> Solution:
    """Breadth-first from the start and from all wins.

    Raises
    ------
    Refused
        When the board is too large for the kernel, or the wins are too many to be listed.
    """
    meter, level = question.meter, cast("Level", question.level)
    with meter.paused():
        game, packing = _reduced(question)
        winning.wins(level, lambda: True)  # compiles it
    found = winning.wins(level, lambda: meter.reached(0))
    may_be_kept = math.inf if meter.limit.states is None else meter.limit.states / 2
    if found is None or len(found) > may_be_kept:
        raise Refused("the placements that win are too many to be listed")
    with meter.paused():
        search = TwoSidedStates(game, packing, question.starts, [*found])
    return _answer(search, question)


def up_to_alike(question: GoalQuestion) -> Solution:
    """Breadth-first from the start, for boards with identical tiles.

    Raises
    ------
    Refused
        When the board is too large for the kernel.
    """
    with question.meter.paused():
        game, packing = _reduced(question)
        search = PackedStates(game, packing, question.starts, *compiled_goal(question))
    return _answer(search, question)


def _reduced(question: GoalQuestion) -> tuple[GameKernel, Packing]:
    game, packing, _ = question.packed()
    level = cast("Level", question.level)
    return (game, packing) if no_two_alike(level) else up_to_symmetry(game, packing)


def _answer(search: PackedSearch, question: GoalQuestion) -> Solution:
    with question.meter.paused():
        search.prepare()
    return answer_of(search, question, optimal=True)
