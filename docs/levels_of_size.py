"""All levels of a size, for the invariants of the rules: levels whose positions are all listed by another are left out."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import clingo

import gridproof as gp
from gridproof.core.text.files import write
from gridproof.games import robots, shiftit, sokoban, twenty48
from gridproof.games.robots.board import Kind, Tile
from gridproof.games.robots.requests import Robot, Rule
from gridproof.prove.game_formulas import formulas_of
from gridproof.prove.theory import theory_of

PAGE = Path(__file__).parent / "invariants.md"
TABLE = re.compile(r"(?<=<!-- sizes, made by `make tables` -->\n).*(?=<!-- end of sizes -->)", re.DOTALL)
BOMBS = 2
"""The most bombs of a level of Sokoban."""
_TILES = tuple(map(Tile, (Kind.NORMAL, Kind.HINT, Kind.BROKEN, Kind.CONVEYOR)))
_ROBOTS = (Robot("a", Rule.A, 0), Robot("b", Rule.B, 0))


def rooms(width: int, height: int) -> Iterator[gp.Level]:
    """All walls and depots, with up to `BOMBS` bombs: player and boxes are anywhere in some position."""
    cells = list(itertools.product(range(width), range(height)))
    for kinds in itertools.product("#. ", repeat=len(cells)):
        walls, depots = (
            {cell for cell, kind in zip(cells, kinds, strict=True) if kind == one} for one in "#."
        )
        free = [cell for cell in cells if cell not in walls]
        if 0 < len(depots) < len(free):
            for bombs in range(BOMBS + 1):
                yield sokoban.Level(free[0], bombs, free[1 : 1 + len(depots)], depots, walls, (width, height))


def yards(width: int, height: int) -> Iterator[gp.Level]:
    """All homes, hints, and numbers of wrecks and conveyors, with a robot of each rule: exchanges do the rest."""
    cells = range(width * height)
    for homes in itertools.permutations(cells, 2):
        rest = [cell for cell in cells if cell not in homes]
        found = set()
        for kinds in itertools.product(_TILES, repeat=len(rest)):
            tiles = dict(zip(rest, kinds, strict=True))
            tiles |= {home: Tile(Kind.HOME, "", name) for home, name in zip(homes, "ab", strict=True)}
            hints = tuple(cell for cell in rest if tiles[cell].kind is Kind.HINT)
            key = hints, sorted(tile.kind.name for tile in kinds)
            if str(key) not in found and (level := _with_robots(tiles, width)):
                found.add(str(key))
                yield level


def _with_robots(tiles: Mapping[int, Tile], width: int) -> gp.Level | None:
    """The board with the robots on the first cells where R8 holds; None if there are none."""
    for stands in itertools.permutations(tiles, 2):
        on = dict(zip(stands, "ab", strict=True))
        row = [tiles[cell]._replace(occupier=on.get(cell, "")) for cell in range(len(tiles))]
        rows = tuple(tuple(row[first : first + width]) for first in range(0, len(row), width))
        try:
            return robots.Level(_ROBOTS, rows, midgame=True)
        except gp.InvalidLevel:
            continue
    return None


def locked_boards(width: int, height: int) -> Iterator[gp.Level]:
    """All sets of locked tiles, in colours that nobody connects: no win ends the game, so all moves stay possible."""
    places = [*itertools.product(range(width), range(height))]
    colours = [("red", "blue") * 2, *["blue"] * (len(places) - 1)]
    for locks in itertools.product((False, True), repeat=len(places)):
        parts = zip(places, colours, locks, strict=True)
        yield shiftit.Level(shiftit.Tile(f"t{x}_{y}", x, y, sides, lock) for (x, y), sides, lock in parts)


def boards(width: int, height: int) -> Iterator[gp.Level]:
    """The boards of both spawn rules."""
    return (twenty48.Level(width, height, rule, 8) for rule in ("spec", "classic"))


ANY_ROOM = """
time(0..1). start(0). next(0,1).
{ depot(C) : cell(C) }.
boxes(N) :- N = #count { C : depot(C) }, N > 0.
:- not boxes(_).
{ first(wall(C)) : cell(C), not depot(C) }.
{ first(bombs(N)) : N = 0..3 } = 1.
{ first(player(C)) : cell(C) } = 1.
{ first(box(C)) : cell(C) } = N :- boxes(N).
:- first(player(C)), first(box(C)).
:- first(player(C)), first(wall(C)).
:- first(box(C)), first(wall(C)).
"""
"""Any position of any level of Sokoban, and an action: clingo chooses the walls, depots, boxes, player and bombs."""
ANY_BOARD = """
time(0..1). start(0). next(0,1).
xCo(0..W-1) :- size(W,_).
yCo(0..H-1) :- size(_,H).
tile(t(X,Y)) :- xCo(X), yCo(Y).
init_GetPos(t(X,Y),p(X,Y)) :- tile(t(X,Y)).
{ isLocked(A) : tile(A) }.
{ init_Colouring(S,(red; green; blue)) } = 1 :- side(S).
first(lies(A,P)) :- isLocked(A), init_GetPos(A,P).
{ first(lies(A,P)) : pos(P) } = 1 :- tile(A), not isLocked(A).
:- first(lies(A,P)), first(lies(B,P)), A < B.
"""
"""Any position of any board of Shift It with up to three colours, and a move, if one is made."""
VIOLATIONS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "sokoban": {"K3": "broken(1)", "K10": "won(1), act(0,bomb)"},
        "shiftit": {
            "S1": "broken(1)",
            "S6": "isLocked(A), getPos(0,A,P), not getPos(1,A,P)",
            "S7": "not over(0), not moveAt(0,_)",
            "S13": "won(0), not won(1)",
            "S14": "won(0), not over(0)",
            "S15": "over(0), moveAt(0,_)",
        },
    }
)
"""What must not be, by clause."""
_ANY = {"sokoban": ANY_ROOM, "shiftit": ANY_BOARD}


def find_violation(name: str, width: int, height: int, violation: str) -> bool:
    """Whether there is a violation in some level of this size, after an action in some position."""
    control = clingo.Control([], logger=lambda *ignored: None)
    control.load(str(theory_of(gp.game(name)).program))
    control.add(
        "base", [], f"{_ANY[name]}size({width},{height}).\n:- not violation.\nviolation :- {violation}.\n"
    )
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


Levels = Callable[[int, int], Iterator[gp.Level]]
MAKERS: Mapping[str, tuple[Levels, str | None]] = MappingProxyType(
    {
        "robots": (yards, "all"),
        "shiftit": (locked_boards, None),
        "sokoban": (rooms, None),
        "twenty48": (boards, None),
    }
)
"""The levels of each game, and whose actions are done."""
SIZES: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        "robots": ((3, 1), (2, 2)),
        "shiftit": ((2, 2), (3, 2), (4, 2)),
        "sokoban": ((2, 2), (3, 2)),
        "twenty48": ((2, 2),),
    }
)
"""The sizes of the page."""


def row(name: str, width: int, height: int) -> str:
    """The proved fact about all levels of a size: invariants `AG p` are inductive, over all positions."""
    make, actors = MAKERS[name]
    levels = positions = 0
    stated = [one for one in formulas_of(gp.game(name)).invariants.values() if one.startswith("AG ")]
    for level in make(width, height):
        for formula in stated:
            verdict = gp.check(level, formula, invariant=formula.removeprefix("AG "), actors=actors)
            assert verdict.holds, (formula, level)
        levels, positions = levels + 1, positions + verdict.states
    return f"| {gp.game(name).title} | {width} x {height} | {levels:,} | {positions:,} |"


def table() -> str:
    """The table of all games and sizes."""
    head = ["| | size | levels | positions |", "| --- | --- | --: | --: |"]
    rows = [row(name, *size) for name, sizes in SIZES.items() for size in sizes]
    return "\n".join([*head, *rows]) + "\n"


if __name__ == "__main__":
    written = PAGE.read_text(encoding="utf-8")
    if not TABLE.search(written):
        sys.exit(f"{PAGE} has no place for the table")
    made = table()
    write(PAGE, TABLE.sub(lambda _: made, written))
