"""The pictures of README and of the games' pages: `make pictures` draws them again."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs import sokoban_pictures

import gridproof as gp
from gridproof.core.text.files import write
from gridproof.games.twenty48.network import load_network
from gridproof.games.twenty48.network_player import SHIPPED
from gridproof.games.twenty48.train import draw_curve
from gridproof.pictures.picture import animation, svg
from gridproof.table.table import Table
from gridproof.terminal.app import GridproofApp

FOLDER = Path(__file__).parent / "pictures"

ROBOTS = """
robots 6x5
a: rule=A rotation=0
b: rule=B rotation=270
c: rule=A rotation=90
board:
a . > > v A
. # . ? v .
. ? . # > C
. . ^ < . c
B . . ? . b
""".strip("\n")


CORNER = "######\n#@ $.#\n#    #\n######\n"
YARD = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . B\nb . A\n"
TILES = "shiftit 3x2\nb b r\nr b g\n"
"""Of the page for teachers, too."""


def level(pack: str, title: str) -> gp.Level:
    """The level of a pack with this title."""
    return next(level for level in gp.levels_at(pack) if level.title == title)


def solution(level: gp.Level) -> str:
    """A level's certificate, played out."""
    certificate = level.certificate
    assert certificate is not None
    return animation(certificate)


def shift() -> str:
    """A board with its first move about to be done."""
    certificate = level("shiftit/boards", "Gem").certificate
    assert certificate is not None
    return svg(certificate.start, certificate.actions[0])


def screen(levels: str | None, *keys: str, size: tuple[int, int] = (100, 30)) -> str:
    """The full-screen terminal after some keys, without fonts from elsewhere."""
    os.environ |= {"COLORTERM": "truecolor", "TERM": "xterm-256color"}  # whatever this terminal can show

    async def shown() -> str:
        table = Table(gp.Session(gp.levels_at(levels))) if levels else None
        app = GridproofApp(table)
        app.settings.motion = False
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            before, now = "", "at first"
            while now != before or (
                table and table.status.is_searching(table.status.mode)
            ):  # until all of it has come
                await pilot.pause(0.25)
                before, now = now, app.export_screenshot(title="gridproof play", simplify=True)
            return now

    return re.sub(r"@font-face \{.*?\}", "", asyncio.run(shown()), flags=re.DOTALL)


def corner() -> str:
    """The way to where the box can no longer be brought home."""
    trace = gp.check(gp.read(CORNER)[0], "AG EF won").trace
    assert trace is not None
    return animation(trace)


PICTURES: Mapping[str, Callable[[], str]] = {
    "robots": lambda: svg(gp.read(ROBOTS)[0].start()),
    "shiftit": shift,
    "shiftit-small-change": lambda: solution(level("shiftit/boards", "Small change")),
    "shiftit-two-turns": lambda: solution(level("shiftit/boards", "Two turns")),
    "teachers-corner": corner,
    "teachers-tiles": lambda: svg(gp.read(TILES)[0].start()),
    "teachers-yard": lambda: svg(gp.read(YARD)[0].start()),
    "sokoban": lambda: svg(level("sokoban/workshop", "Freight Yard").start()),
    "sokoban-deadlock": sokoban_pictures.deadlock,
    "sokoban-packing": sokoban_pictures.packing,
    "sokoban-rooms": sokoban_pictures.rooms,
    "sokoban-solved": lambda: solution(level("sokoban/bombs", "Niche")),
    "terminal-menu": lambda: screen(None, "down", "down", "down"),
    "terminal-robots": lambda: screen("robots/races/14", "right"),
    "terminal-shiftit": lambda: screen("shiftit/boards/12", "i"),
    "terminal-sokoban": lambda: screen("sokoban/workshop", "right", "right", "down", "i"),
    "terminal-twenty48": lambda: screen("twenty48/positions/4"),
    "twenty48-training": lambda: draw_curve(load_network(SHIPPED).facts["curve"]),
    "twenty48": lambda: svg(gp.levels_at("twenty48/positions/4")[0].start()),
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        if not sys.argv[1:] or name.startswith(tuple(sys.argv[1:])):
            write(FOLDER / f"{name}.svg", draw())
