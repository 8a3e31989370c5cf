"""Levels in PDDL, for planners, and the plans that they find.

D. McDermott and others, "PDDL: the Planning Domain Definition Language" (1998). Levels without bombs need STRIPS and types
alone; a bomb has an effect on all walls in line (K8), which needs `:adl`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from gridproof.core.errors import GridproofError
from gridproof.core.text import recognition
from gridproof.core.text.phrases import short_repr
from gridproof.games.sokoban.rules import STEPS, Action, Level
from gridproof.games.sokoban.validity import Cell

PARTS = ("problem", "domain")
_COMMENT = re.compile(r";[^\n]*")
_STEP = re.compile(r"\(\s*(step|push|bomb)((?:\s+[\w-]+)+)\s*\)", re.IGNORECASE)


def pddl(text: str, game: str | None, part: str | None = None) -> str:
    """A level in PDDL, as a problem, or as the domain of that problem.

    Parameters
    ----------
    part : problem|domain
        The part of PDDL to write. Default: problem.

    Raises
    ------
    GridproofError
        For levels of another game, for several levels, and for another part.
    """
    if part not in (None, *PARTS):
        raise GridproofError(f"--part {short_repr(part)}: choose from {', '.join(PARTS)}")
    levels = recognition.read(text, game)
    if len(levels) != 1:
        raise GridproofError(
            f"PDDL describes one level, and there are {len(levels)}: choose one, as in FILE#3"
        )
    level = levels[0]
    if not isinstance(level, Level):
        raise GridproofError(f"PDDL is written of Sokoban's levels, and this is one of {level.game.name}")
    if part == "domain":
        return Path(__file__).with_name(f"{_domain_of(level)}.pddl").read_text(encoding="utf-8")
    return "".join(f"{line}\n" for line in _problem_lines(level))


def _domain_of(level: Level) -> str:
    return "sokoban-with-bombs" if level.bombs else "sokoban"


def _problem_lines(level: Level) -> Iterator[str]:
    """Yield the lines of a problem; without bombs, walls are left out."""
    width, height = level.size
    grid = itertools.product(range(width), range(height))
    cells = dict.fromkeys(cell for cell in grid if level.bombs or cell not in level.walls)  # in order
    yield "(define (problem level)"
    yield f"  (:domain {_domain_of(level)})"
    yield "  (:objects"
    yield f"    {_join(map(_name, cells))} - cell"
    if level.bombs:
        yield f"    {_join(f'column{x}' for x in range(width))} {_join(f'row{y}' for y in range(height))} - line"
        yield f"    {_join(f'bomb{number}' for number in range(level.bombs))} - bomb"
    yield "  )"
    yield "  (:init"
    yield f"    (player-at {_name(level.player)})"
    yield f"    {_join(f'(box-at {_name(cell)})' for cell in sorted(level.boxes))}"
    full = level.boxes | level.walls
    yield f"    {_join(f'(clear {_name(cell)})' for cell in cells if cell not in full)}"
    for cell in cells:
        if neighbours := _join(_neighbours(cell, cells)):
            yield f"    {neighbours}"
    if level.bombs:
        yield f"    {_join(f'(wall {_name(cell)})' for cell in sorted(level.walls))}"
        yield f"    {_join(f'(in {_name(cell)} column{cell[0]}) (in {_name(cell)} row{cell[1]})' for cell in cells)}"
        yield f"    {_join(f'(unused bomb{number})' for number in range(level.bombs))}"
    yield "  )"
    yield f"  (:goal (and {_join(f'(box-at {_name(cell)})' for cell in sorted(level.depots))})))"


def _neighbours(cell: Cell, cells: Container[Cell]) -> Iterator[str]:
    for action, (x, y) in STEPS.items():
        to = cell[0] + x, cell[1] + y
        if to in cells:
            yield f"(next {_name(cell)} {_name(to)} {action})"


def _name(cell: Cell) -> str:
    return f"c{cell[0]}-{cell[1]}"


def _join(words: Iterable[str]) -> str:
    return " ".join(words)


def is_plan(text: str) -> bool:
    """Return whether a text is a plan: steps such as `(push c1-1 c2-1 c3-1 right)`, and comments after `;`."""
    if not text.lstrip().startswith(("(", ";")):
        return False
    rest, count = _STEP.subn("", _COMMENT.sub("", text))
    return count > 0 and not rest.strip()


def read_plan(text: str) -> list[str]:
    """Return the texts of the actions of a plan: the direction of a step or push is its last argument."""
    bomb = str(Action.BOMB)
    return [
        bomb if name.lower() == bomb else arguments.split()[-1].lower()
        for name, arguments in _STEP.findall(_COMMENT.sub("", text))
    ]
