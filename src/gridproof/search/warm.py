"""All kernels of a game compiled once, so that later processes find them on disk."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import numpy as np

from gridproof.core.game import Game, Level, Position
from gridproof.core.limit import Limit
from gridproof.core.measure import measures
from gridproof.core.shelf import pack_names, shipped
from gridproof.kernels.chance import stream
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.search.goals import goals_of, search_for, value_of
from gridproof.search.packed import PackedStates
from gridproof.search.ranked import RankedStates
from gridproof.search.space import finish

_LIMIT = Limit(seconds=5, states=1000)


def warm(game: Game) -> Iterator[str]:
    """Compile a game's kernels in all engines; what has been compiled, in a few words each.

    Those that are on disk are only loaded.
    """
    kernel = kernel_of(game)
    levels = [level for name in pack_names(game) for level in shipped(game, name)]
    packings = (kernel.prepare(level) for level in levels) if kernel else iter(())
    packing = next((found for found in packings if found), None)
    if kernel is None or packing is None:
        return
    position = packing.level.start()
    yield from _functions(kernel, packing, position)
    yield from _searches(kernel, packing, position)
    yield from _rankings(kernel, levels)
    yield from _own_solver(position)


def _functions(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    """What is called by itself."""
    state, allowed = packing.pack(position), np.zeros(len(packing.actions), np.uint8)
    kernel.status(packing.tables, state)
    kernel.mask(packing.tables, state, allowed)
    for number in np.flatnonzero(allowed)[:1]:
        kernel.step(packing.tables, state, int(number), stream(0), np.zeros_like(state))
    yield "the rules"


def _searches(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    for nature in (False, True) if packing.most_of_nature else (False,):
        found = PackedStates(kernel, packing, [position], nature=nature)
        finish(found, _LIMIT.start(), None)
        found.by_depth()
        found.number(position)
        yield "exploration with nature" if nature else "exploration"
    for name, arguments in goals_of(kernel, packing.level.game):
        value = value_of(kernel, packing.level.game, name, arguments)
        finish(search_for(value, (0,) * (2 + arguments), kernel, packing, [position]), _LIMIT.start(), None)
        yield f"search for {name}"


def _rankings(kernel: GameKernel, levels: list[Level]) -> Iterator[str]:
    found = (kernel.ranking(level) for level in levels) if kernel.ranking else iter(())
    small = min(filter(None, found), key=lambda ranking: ranking.size, default=None)
    if small is not None:
        finish(RankedStates(kernel, small, [small.level.start()]), _LIMIT.start(), None)
        yield "exploration by ranks"


def _own_solver(position: Position[object]) -> Iterator[str]:
    game = position.level.game
    if game.solver:
        for measure in measures(game).values():
            importlib.import_module(game.solver).solve(position, measure.name, _LIMIT.start(), None)
            yield f"the solver for {measure.name}"
