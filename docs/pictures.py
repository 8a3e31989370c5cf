"""The pictures of README and of the games' pages: `make pictures` draws them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import gridproof as gp
from gridproof.core.files import write
from gridproof.pictures.picture import animation, svg

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


PICTURES: Mapping[str, Callable[[], str]] = {
    "robots": lambda: svg(gp.read(ROBOTS)[0].start()),
    "shiftit": shift,
    "shiftit-small-change": lambda: solution(level("shiftit/boards", "Small change")),
    "shiftit-two-turns": lambda: solution(level("shiftit/boards", "Two turns")),
    "sokoban": lambda: svg(level("sokoban/workshop", "Freight Yard").start()),
    "sokoban-solved": lambda: solution(level("sokoban/bombs", "Niche")),
    "twenty48": lambda: svg(gp.levels_at("twenty48/positions/4")[0].start()),
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        write(FOLDER / f"{name}.svg", draw())
