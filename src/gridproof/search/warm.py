"""All kernels of a game compiled once, so that later processes find them on disk.

Left out is what is hardly asked for: batches, and searches for goals in which nature acts too, or for others than a win
in which some of the players act. What formulas need is compiled by `gridproof.prove.warm`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.game import ANY, Game
from gridproof.core.generate import generate
from gridproof.core.limit import Limit
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.shelf import pack_names, shipped
from gridproof.kernels.chance import stream
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.search.goals import NOTHING, PackedSearch, compared, goals_of, value_of
from gridproof.search.informed import InformedStates, no_bound
from gridproof.search.packed import EVERYBODY, PLAYERS, PackedStates
from gridproof.search.ranked import RankedStates
from gridproof.search.solve import have_loaded, minimised_by, solve, solvers
from gridproof.search.space import finish
from gridproof.search.stored import StateStore
from gridproof.search.two_sided import TwoSidedStates, found_in

_LIMIT = Limit(states=1000)
"""By positions alone: what is compiled does not depend on how fast the machine is."""


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
    yield from _some_players(kernel, found)
    yield from _known(kernel, found)
    yield from _rankings(kernel, levels)
    yield from _own_solvers(position)
    for what, use in kernel.others.items():
        use()
        yield what
    if game.generate:
        generate(game, 0)
        yield "new levels"


def load_solvers(game: Game) -> Iterator[str]:
    """Load what `gridproof.solve` needs for a game, one engine after the other: their names.

    Where all of them are loaded, the rules alone are asked less long from then on.
    """
    levels = [level for name in pack_names(game) for level in shipped(game, name)]
    for engine in solvers(game) if levels else ():
        for minimise in minimised_by(engine, game)[:2]:
            with contextlib.suppress(GridproofError):  # it is not for this level
                measure = None if minimise == ANY else minimise
                solve(levels[-1].start(), measure, limit=_LIMIT, solver=engine.name)
        yield engine.name
    if kernel_of(game):
        have_loaded(game)


def _functions(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    """The functions that are also called on their own."""
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
        holds = compile_kernel(compared, value=value), np.array((0, 0, *none), np.int64)
        _run(PackedStates(kernel, packing, [position], *holds))
        yield f"search for {name}"
        bound = kernel.bounds.get((name, arguments), no_bound)
        if bound is not no_bound or kernel.cost is not None:
            _run(InformedStates(kernel, packing, [position], *holds, bound, holds[1][2:], weight=0))
            yield f"search for {name} by cost"


def _some_players(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """Exploration, and the search for a win, where one of several players acts alone: analyses ask for it, too."""
    for packing in packings:
        level = packing.level
        players = [actor for actor in level.game.actors(level) if actor != NATURE]
        if len(players) > 1:
            starts, who = [level.start()], tuple(players[:1])
            won = compile_kernel(compared, value=value_of(kernel, level.game, "won", 0))
            _run(PackedStates(kernel, packing, starts, who=who))
            _run(PackedStates(kernel, packing, starts, won, np.zeros(2, np.int64), who))
            yield "some of the players"
            return


def _known(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """The search for known positions: from both ends where the kernel tells predecessors, and from the start alone."""
    for ends in (False, True):
        packing = next((one for one in packings if bool(one.most_before) == ends), None)
        if packing is not None:
            starts = [packing.level.start()]
            known = found_in, StateStore(packing, starts, 1).found
            _run(TwoSidedStates(kernel, packing, starts, starts)) if ends else None
            _run(PackedStates(kernel, packing, starts, *known))
            if kernel.cost is not None:
                _run(InformedStates(kernel, packing, starts, *known, no_bound, NOTHING, weight=0))
            yield "search for home from both ends" if ends else "search for home"


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


def _own_solvers(position: Position[object]) -> Iterator[str]:
    for solver in position.level.game.solvers:
        for minimise in solver.measures:
            measure = None if minimise == ANY else minimise
            with contextlib.suppress(GridproofError):  # it is not for this level
                solve(position, measure, limit=_LIMIT, solver=solver.name)
        yield f"the solver {solver.name}"
