"""All kernels of a game compiled once, so that later processes find them on disk.

Left out is what no command asks for: searches for goals in which nature acts too, edges, values, batches.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import numpy as np

from gridproof.core.game import Game
from gridproof.core.generate import generate
from gridproof.core.limit import Limit
from gridproof.core.measure import measures
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.shelf import pack_names, shipped
from gridproof.kernels.chance import stream
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.search.goals import PackedSearch, cheapest_search, goals_of, known_search, search_for, value_of
from gridproof.search.informed import BY_ACTIONS, no_bound
from gridproof.search.packed import EVERYBODY, PLAYERS, PackedStates
from gridproof.search.ranked import RankedStates
from gridproof.search.space import finish
from gridproof.search.symmetry import search_for_win, up_to_symmetry

_LIMIT = Limit(seconds=5, states=1000)


def warm(game: Game) -> Iterator[str]:
    """Compile a game's kernels in all engines; what has been compiled, in a few words each.

    Those that are on disk are only loaded.
    """
    kernel = kernel_of(game)
    levels = [level for name in pack_names(game) for level in shipped(game, name)]
    packings = (kernel.prepare(level) for level in levels) if kernel else iter(())
    found = [packing for packing in packings if packing]
    if kernel is None or not found:
        return
    packing = found[0]
    position = packing.level.start()
    yield from _functions(kernel, packing, position)
    yield from _searches(kernel, packing, position)
    yield from _known(kernel, found)
    yield from _alike(kernel, found)
    yield from _rankings(kernel, levels)
    yield from _own_solver(position)
    for what, use in kernel.others.items():
        use()
        yield what
    if game.generator:
        generate(game, 0)
        yield "new levels"


def _functions(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    """What is called by itself."""
    state, allowed = packing.pack(position), np.zeros(len(packing.actions), np.uint8)
    kernel.status(packing.data, state)
    kernel.mask(packing.data, state, allowed)
    for number in np.flatnonzero(allowed)[:1]:
        kernel.step(packing.data, state, int(number), stream(0), np.zeros_like(state))
    yield "the rules"


def _searches(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    for who in (PLAYERS, NATURE, EVERYBODY) if packing.most_of_nature else (PLAYERS,):
        found = PackedStates(kernel, packing, [position], who=who)
        _run(found)
        found.by_depth()
        found.number(position)
        yield f"exploration by {who}"
    for name, arguments in goals_of(kernel, packing.level.game):
        value, none = value_of(kernel, packing.level.game, name, arguments), (0,) * arguments
        _run(search_for(value, (0, 0, *none), kernel, packing, [position]))
        yield f"search for {name}"
        bound = kernel.bounds.get((name, arguments), no_bound)
        if bound is not no_bound or kernel.cost is not None:
            _run(cheapest_search(value, (0, 0, *none), kernel, packing, [position], bound))
            yield f"search for {name} by cost"


def _known(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """The search for positions that are known: from both ends, where there are predecessors, and not."""
    for ends in (False, True):
        packing = next((one for one in packings if bool(one.most_before) == ends), None)
        if packing is not None:
            start = packing.level.start()
            for measure in range(BY_ACTIONS, 1 if kernel.cost else 0):
                _run(known_search([start], kernel, packing, [start], measure=measure))
            yield "search for home from both ends" if ends else "search for home"


def _alike(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """Searches for a win that keep one of all positions that are alike, with a list of all wins and without."""
    if kernel.wins is not None:
        kernel.wins(packings[0].level, lambda: True)
        yield "the list of wins"
    packing = next((one for one in packings if one.alike), None)
    if packing is not None:
        start, reduced = packing.level.start(), up_to_symmetry(kernel, packing)
        _run(search_for_win(*reduced, [start], None))
        if packing.most_before:
            _run(search_for_win(*reduced, [start], [start]))
        yield "search for a win up to symmetry"


def _rankings(kernel: GameKernel, levels: list[Level]) -> Iterator[str]:
    found = (kernel.ranking(level) for level in levels) if kernel.ranking else iter(())
    small = min(filter(None, found), key=lambda ranking: ranking.size, default=None)
    if small is not None:
        ranked = RankedStates(kernel, small, [small.level.start()])
        _run(ranked)
        ranked.path(max(ranked))
        yield "exploration by ranks"


def _run(search: PackedSearch | RankedStates) -> None:
    search.prepare()  # it may start at its goal
    finish(search, _LIMIT.start(), None)


def _own_solver(position: Position[object]) -> Iterator[str]:
    game = position.level.game
    if game.solver:
        for measure in measures(game).values():
            importlib.import_module(game.solver).solve(position, measure.name, _LIMIT.start(), None)
            yield f"the solver for {measure.name}"
