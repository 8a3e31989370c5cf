"""Searches for a win that keep one of all positions that are alike, and begin at both ends where they can."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.search.goals import PackedSearch, known_search, search_for, value_of
from gridproof.search.packed import packed_for

make: Any = Hole()
canonical: Any = Hole()


def made_canonical(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """The same successors or predecessors, each the one that stands for those that are alike."""
    count = make(data, state, out, action, reward, weight)
    for i in range(count):
        canonical(data, out[i])
    return count


def up_to_symmetry(game: GameKernel, packing: Packing) -> tuple[GameKernel, Packing]:
    """The kernel and the packing in which positions that are alike are one state."""

    def pack(position: Position[Any]) -> np.ndarray[Any, Any]:
        state = packing.pack(position)
        game.canonical(packing.data, state)
        return state

    reduced = {
        name: kernel(made_canonical, make=getattr(game, name), canonical=game.canonical)
        for name in ("successors", "predecessors")
        if getattr(game, name) is not None
    }
    return dataclasses.replace(game, **reduced), dataclasses.replace(packing, pack=pack)


def winning_search(starts: list[Position[Any]], meter: Meter) -> PackedSearch | None:
    """A search for fewest actions to a win, made ready; None where the kernel knows nothing that helps.

    Listing the wins takes of the meter's time.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    with meter.paused():
        known = kernel_of(starts[0].level.game)
        if known is None or (known.canonical is None and known.wins is None):
            return None
        game, packing, _ = packed_for(starts, (None,))
        listing = game.wins if packing.most_before else None
        if listing is None and not packing.alike:
            return None
        if packing.alike:
            game, packing = up_to_symmetry(game, packing)
        if listing is not None:
            listing(packing.level, lambda: True)  # compiles it
    wins = None if listing is None else listing(packing.level, lambda: meter.reached(0))
    if wins is not None and len(wins) > _share(meter):
        wins = None
    if wins is None and not packing.alike:
        return None
    with meter.paused():
        search = search_for_win(game, packing, starts, wins)
        search.prepare()
    return search


def _share(meter: Meter) -> float:
    """How many positions may be listed: half of those that may be kept."""
    return math.inf if meter.limit.states is None else meter.limit.states / 2


def search_for_win(
    game: GameKernel, packing: Packing, starts: list[Position[Any]], wins: list[Position[Any]] | None
) -> PackedSearch:
    """A search for a win: from both ends, where the wins are known."""
    firsts = list({packing.pack(start).tobytes(): start for start in starts}.values())
    search: PackedSearch
    if wins is None:
        won = value_of(game, packing.level.game, "won", 0)
        search = search_for(won, (1, 0), game, packing, firsts)
    else:
        search = known_search(wins, game, packing, firsts)
    if packing.alike:
        search.engine = f"{search.engine}, up to symmetry"
    return search
