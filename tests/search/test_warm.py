"""Compilation by `gridproof warm`: afterwards nothing is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core.registry import game, game_names
from gridproof.kernels.game import kernel_of
from gridproof.search import warm as warming
from gridproof.search.warm import warm

USE = """
import contextlib
import math
import sys
import tempfile
import gridproof as gp
from gridproof.core.measure import measures
from gridproof.core.proposition import propositions
from gridproof.core.registry import game
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.kernels.game import kernel_of
from gridproof.search import solve, explore

explore._BY_RULES, solve._BY_RULES = 0, 1  # kernels at once
found = game(sys.argv[1])
limit = gp.Limit(states=2000)  # never by the clock: what is compiled is to be the same on every machine
values = {"x": "1", "y": "1", "value": "64", "orientation": "1"}
levels = [level for name in pack_names(found) for level in builtin_pack(found, name)][::4]
for level in levels:
    values["tile"] = level.tiles[0].name if found.name == "shiftit" else ""
    for actors in (None, "all"):
        gp.explore(level, actors, limit)
    players = [name for name in found.actors(level) if name != "nature"]
    for name, item in propositions(found).items():
        arguments = [values.get(one, players[0]) for one in item.parameters]
        for count in range(len(arguments) - item.optional, len(arguments) + 1):
            text = f"{name}({','.join(arguments[:count])})" if count else name
            for goal in [f"{text} = 3", f"{text} > 1"] if item.number else [text, "!" + text]:
                gp.solve(level, goal=goal, limit=limit)
    for measure in (*measures(found), None):
        gp.solve(level, measure, limit=limit)
        for engine in solve.solvers(found):
            with contextlib.suppress(gp.GridproofError):
                gp.solve(level, measure, limit=limit, solver=engine.name)
for level in levels[:3] if kernel_of(found) else ():
    with tempfile.TemporaryDirectory() as folder:
        space = gp.explore(level, limit=gp.Limit(states=50_000), disk=folder + "/layers")
        space.path(space[space.states - 1])
wishes = {
    "robots": [{}, {"width": 5, "height": 6, "difficulty": 100}],
    "shiftit": [{}, {"width": 4, "locks": 1}, {"width": 6, "height": 6, "moves": 2}],
    "sokoban": [{}, {"width": 7, "boxes": 2, "bombs": 1}, {"width": 24, "height": 12, "difficulty": 100}],
    "twenty48": [{}, {"width": 6, "moves": 2}],
}
for wish in wishes.get(found.name, ()):
    gp.generate(found, 1, **wish)
for level in levels[:3]:
    space = gp.explore(level, limit=gp.Limit(states=20_000))
    for formula in ("AG EF won", "E[!won U ended]", "EG EX !won", "G F won", "F G (won | [ACTION])", "O won U !ended"):
        for fair in ((), ("weak *", "strong *")):
            gp.check(space, formula.replace("ACTION", str(level.all_actions()[0])), fair=fair)
    gp.analyse(level, gp.Limit(seconds=math.inf, states=20_000))
for level in levels[:2] if found.name in ("twenty48", "robots") else ():
    gp.value(level, limit=limit)
    gp.check(level, "<<a>> F won(a)", limit=limit) if found.name == "robots" else None
if found.name == "shiftit":
    for level in levels:
        gp.claims(level, 4, limit=limit)
        gp.runs(level, 4, limit=limit)
if found.name == "twenty48":
    from gridproof.games.twenty48.playouts import playouts

    for level in levels:
        playouts(level, 3)
"""
"""All engines, on some of a game's levels; generators; and what games have besides."""


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_warm_leaves_nothing_to_compile(name: str, tmp_path: Path) -> None:
    """Processes of their own, with a cache folder of their own."""

    def ran(*arguments: str) -> set[str]:
        """The compiled files that are there afterwards."""
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_OPT": "1"}  # sooner compiled
        subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=tmp_path, check=True, capture_output=True
        )
        return {path.name for path in tmp_path.rglob("*.nb*")}

    compiled = ran("-m", "gridproof", "warm", name)
    assert compiled or kernel_of(game(name)) is None
    assert ran("-c", USE, name) == compiled


def test_warm_compiles_bidirectional_search_when_predecessors_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel, ran = kernel_of(game("sokoban")), list[str]()
    assert kernel
    monkeypatch.setattr(warming, "_run", lambda search: ran.append(type(search).__name__))
    levels = ["@-$-.\nBombs: 1\n", "@-$-.\n"]  # bombs have no predecessors
    packings = [packing for text in levels if (packing := kernel.prepare(gp.read(text, "sokoban")[0]))]
    told = [(what, tuple(ran)) for what in warming._warm_known_goals(kernel, packings)]
    alone = ("PackedStates", "BestFirstStates")
    assert told == [
        ("search for home", alone),
        ("search for home from both ends", (*alone, "BidirectionalStates", *alone)),
    ]


@pytest.mark.slow
def test_warm_explores_on_disk_in_each_form() -> None:
    for name, references, forms in (
        ("sokoban", ["sokoban/first-steps/1"], ["sorted states"]),
        ("shiftit", ["shiftit/boards/2", "shiftit/boards/1"], ["ranks"]),
    ):
        kernel = kernel_of(game(name))
        assert kernel
        packings = [packing for one in references if (packing := kernel.prepare(gp.level(one)))]
        told = [*warming._warm_disk(kernel, packings)]
        assert told == [f"exploration by {form} on disk" for form in forms]


def test_warm_describes_compiled_kernels() -> None:
    told = warm(game("null"))
    assert [next(told), next(told)] == ["the rules", "exploration by players"]
