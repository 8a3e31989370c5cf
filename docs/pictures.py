"""The pictures of README and of the games' pages: `make pictures` draws them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import gridproof as gp
from gridproof.core.files import write
from gridproof.play.picture import animation, svg

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


def start(level: str) -> str:
    """The start of a level."""
    return svg(gp.levels_at(level)[0].start())


def solution(level: str) -> str:
    """A level's certificate, played out."""
    certificate = gp.levels_at(level)[0].certificate
    assert certificate is not None
    return animation(certificate)


def shift() -> str:
    """A board with its first move about to be done."""
    certificate = gp.levels_at("shiftit/boards/18")[0].certificate
    assert certificate is not None
    return svg(certificate.start, certificate.actions[0])


PICTURES: Mapping[str, Callable[[], str]] = {
    "robots": lambda: svg(gp.read(ROBOTS)[0].start()),
    "shiftit": shift,
    "sokoban": lambda: start("sokoban/workshop/9"),
    "sokoban-solved": lambda: solution("sokoban/bombs/3"),
    "twenty48": lambda: start("twenty48/positions/4"),
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        write(FOLDER / f"{name}.svg", draw())
