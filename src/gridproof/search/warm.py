"""Compilation of all kernels of a game, so that later processes find them on disk.

Rare ones are left out: batches, and searches for goals in which nature acts too, or for others than a win
in which some of the players act. `gridproof.prove.warm` compiles the kernels for formulas.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.generate import generate, generator_of
from gridproof.core.limit import Limit
from gridproof.core.measure import ANY, measures
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.kernels.chance import stream
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.search.best_first import BestFirstStates, Order, zero_bound
from gridproof.search.bidirectional import BidirectionalStates, is_in_store
from gridproof.search.explore import explore
from gridproof.search.goals import NO_ARGUMENTS, PackedSearch, compare_value, goals_of, value_of
from gridproof.search.improver import ImproveQuestion, improver_of
from gridproof.search.orbits import OrbitStates
from gridproof.search.packed_bfs import EVERYBODY, PLAYERS, PackedStates
from gridproof.search.solve import mark_loaded, solve, solver_measures, solvers
from gridproof.search.solver import solvers_of
from gridproof.search.space import finish
from gridproof.search.state_store import StateStore
from gridproof.search.two_bit_bfs import TwoBitStates

_LIMIT = Limit(states=1000)
"""A limit of positions alone: the same kernels are compiled on fast and slow machines."""


def warm(game: Game) -> Iterator[str]:
    """Compile a game's kernels in all engines, and yield a few words for each.

    Kernels on disk are only loaded.
    """
    kernel = kernel_of(game)
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    packings = (kernel.prepare(level) for level in levels) if kernel else iter(())
    found = [packing for packing in packings if packing]
    if kernel is None or not found:
        return
    packing = found[0]
    position = packing.level.start()
    yield from _warm_functions(kernel, packing, position)
    yield from _warm_searches(kernel, packing, position)
    yield from _warm_some_players(kernel, found)
    yield from _warm_known_goals(kernel, found)
    yield from _warm_rankings(kernel, levels)
    yield from _warm_disk(kernel, found)
    yield from _warm_own_solvers(position)
    yield from _warm_improver(position)
    for what, use in (find_extension(game, "warm", Mapping) or {}).items():
        use()
        yield what
    if generator_of(game):
        generate(game, 0)
        yield "new levels"


def load_solvers(game: Game) -> Iterator[str]:
    """Load the engines of `gridproof.solve` for a game, one after the other; yield their names.

    When all are loaded, the first attempt by the rules is shorter from then on.
    """
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    for engine in solvers(game) if levels else ():
        _solve(levels[-1].start(), engine.name, solver_measures(engine, game)[:2])
        yield engine.name
    if kernel_of(game):
        mark_loaded(game)


def _warm_functions(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    """Compile the functions that are also called on their own."""
    state, allowed = packing.pack(position), np.zeros(len(packing.actions), np.uint8)
    kernel.status(packing.data, state)
    kernel.mask(packing.data, state, allowed)
    for number in np.flatnonzero(allowed)[:1]:
        kernel.step(packing.data, state, int(number), stream(0), np.zeros_like(state))
    yield "the rules"


def _warm_searches(kernel: GameKernel, packing: Packing, position: Position[object]) -> Iterator[str]:
    for who in (PLAYERS, NATURE, EVERYBODY) if packing.most_of_nature else (PLAYERS,):
        found = PackedStates(kernel, packing, [position], who=who)
        _run(found)
        found.by_depth()
        found.number(position)
        yield f"exploration by {who}"
    symmetry = kernel.search.symmetry.data(packing)
    if symmetry is not None:
        _run(OrbitStates(kernel, packing, symmetry, [position]))
        yield "exploration up to symmetry"
    for name, arguments in goals_of(kernel, packing.level.game):
        value, none = value_of(kernel, packing.level.game, name, arguments), (0,) * arguments
        holds = compile_kernel(compare_value, value=value), np.array((0, 0, *none), np.int64)
        _run(PackedStates(kernel, packing, [position], *holds))
        yield f"search for {name}"
        bound = kernel.search.bounds.get((name, arguments), zero_bound)
        if bound is not zero_bound or kernel.search.cost is not None:
            _run(BestFirstStates(kernel, packing, [position], *holds, Order(bound, holds[1][2:], weight=0)))
            yield f"search for {name} by cost"


def _warm_some_players(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """Compile exploration, and the search for a win, where one of several players acts alone, as in analyses."""
    for packing in packings:
        level = packing.level
        players = [actor for actor in level.game.actors(level) if actor != NATURE]
        if len(players) > 1:
            starts, who = [level.start()], tuple(players[:1])
            won = compile_kernel(compare_value, value=value_of(kernel, level.game, "won", 0))
            _run(PackedStates(kernel, packing, starts, who=who))
            _run(PackedStates(kernel, packing, starts, won, np.zeros(2, np.int64), who))
            yield "some of the players"
            return


def _warm_known_goals(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """Compile the search for listed positions: from both ends if the kernel has predecessors, and from the start."""
    for ends in (False, True):
        packing = next((one for one in packings if bool(one.most_before) == ends), None)
        if packing is not None:
            starts = [packing.level.start()]
            known = is_in_store, StateStore(packing, starts, 1).index
            _run(BidirectionalStates(kernel, packing, starts, starts)) if ends else None
            _run(PackedStates(kernel, packing, starts, *known))
            if kernel.search.cost is not None:
                _run(
                    BestFirstStates(
                        kernel, packing, starts, *known, Order(zero_bound, NO_ARGUMENTS, weight=0)
                    )
                )
            yield "search for home from both ends" if ends else "search for home"


def _warm_rankings(kernel: GameKernel, levels: list[Level]) -> Iterator[str]:
    found = (kernel.ranked.ranking(level) for level in levels) if kernel.ranked.ranking else iter(())
    small = min(filter(None, found), key=lambda ranking: ranking.size, default=None)
    if small is not None:
        ranked = TwoBitStates(kernel, small, [small.level.start()])
        _run(ranked)
        ranked.path(max(ranked))
        packing = kernel.prepare(small.level)
        if packing and kernel.ranked.state:
            kept = TwoBitStates(kernel, small, [small.level.start()])
            kept.keep_states(packing)
            _run(kept)
        yield "exploration by ranks"


def _warm_disk(kernel: GameKernel, packings: list[Packing]) -> Iterator[str]:
    """Compile exploration on a disk, by ranks and by sorted states, and the search for a path there."""
    ranking = kernel.ranked.ranking or (lambda level: None)
    by_form = {ranking(packing.level) is None: packing.level for packing in reversed(packings)}
    for level in by_form.values():
        with tempfile.TemporaryDirectory() as folder:
            space = explore(level, limit=_LIMIT, disk=Path(folder) / "layers")
            space.path(space[space.states - 1])
        yield f"exploration by {space.engine}"


def _run(search: PackedSearch | TwoBitStates) -> None:
    search.prepare()  # it may start at its goal
    finish(search, _LIMIT.start(), None)


def _warm_own_solvers(position: Position[object]) -> Iterator[str]:
    for solver in solvers_of(position.level.game):
        _solve(position, solver.name, solver.measures)
        yield f"the solver {solver.name}"


def _warm_improver(position: Position[object]) -> Iterator[str]:
    improver, trace = improver_of(position.level.game), solve(position, None, limit=_LIMIT).trace
    if improver is None or trace is None:
        return
    for measure in measures(position.level.game).values():
        question = ImproveQuestion(trace, measure, True, _LIMIT.start(), lambda states: None)
        for _ in improver.load()(question):
            pass
    yield f"the improver {improver.name}"


def _solve(position: Position[object], solver: str, measures: tuple[str, ...]) -> None:
    for minimise in measures:
        with contextlib.suppress(GridproofError):  # it is not for this level
            solve(position, None if minimise == ANY else minimise, limit=_LIMIT, solver=solver)
