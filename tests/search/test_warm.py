"""Compilation by `gridproof warm`: afterwards nothing is compiled."""

from __future__ import annotations

import json
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


NOTE = """
import os
from gridproof.kernels.cache import KernelCache
from gridproof.kernels.link_only import within

load_overload = KernelCache.load_overload

def note(cache, signature, context):
    if not within():  # what is compiled for another kernel belongs to that one
        with open(os.environ["NOTES"], "a") as file:
            print(cache._cache_file._path(cache._index_key(signature, context.codegen())), file=file)
    return load_overload(cache, signature, context)

KernelCache.load_overload = note
"""
"""Notes the file of each kernel that the program needs, whether it is there or still to be compiled."""

WARM = """
from gridproof.cli import main
main()
"""
ENGINES = {
    "shiftit": {
        "exploration by players", "exploration by ranks", "search for won", "search for near",
        "claims", "propositions", "formulas about 120 positions",
    },
    "sokoban": {"search for won by cost", "search for home", "search for home from both ends"},
    "twenty48": {"random games", "new levels", "search for won by cost"},
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_warm_leaves_nothing_to_compile(name: str, tmp_path: Path) -> None:
    """Processes of their own need no kernels but those that `warm` has listed and needed.

    They find what has been compiled before in the same folder as other programs: to compile all kernels of
    a game for this test alone would take a minute.
    """

    def run(program: str, *arguments: str) -> tuple[set[str], str]:
        """Return the files of the kernels that a program needs, and what it prints."""
        notes = tmp_path / arguments[0]
        notes.touch()
        done = subprocess.run(
            [sys.executable, "-c", NOTE + program, *arguments],
            env={**os.environ, "NOTES": str(notes)},
            cwd=tmp_path,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return set(notes.read_text().splitlines()), done.stdout

    warmed, told = run(WARM, "warm", name, "--json")
    assert ENGINES.get(name, set()) | {"environments"} <= set(json.loads(told)["engines"])
    assert warmed or kernel_of(game(name)) is None
    needed, _ = run(USE, name)
    assert needed or kernel_of(game(name)) is None
    assert needed - warmed == set()


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
