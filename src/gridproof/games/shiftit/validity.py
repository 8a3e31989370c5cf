"""Defects of the tiles of a level, each with its clause and its place."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from gridproof.core.errors import Problem
from gridproof.games.shiftit.elements import DIRECTIONS, NAME_RULE, is_name

_FORBIDDEN = re.compile(r'["\0\r\n]')
LARGEST = 4096
"""Positions of the largest board."""


class CheckedTile(Protocol):
    """Attributes of a tile that are checked."""

    @property
    def name(self) -> str: ...

    @property
    def x(self) -> int: ...

    @property
    def y(self) -> int: ...

    @property
    def colours(self) -> Sequence[str | None]: ...


def find_defects(
    tiles: Sequence[CheckedTile], columns: frozenset[int], rows: frozenset[int]
) -> list[Problem]:
    """Return all defects in a fixed order: of coordinates, positions, names and colours."""
    if not tiles:
        return [Problem("S1-empty", None, "there is no tile")]
    if max(len(columns) * len(rows), len(tiles)) > LARGEST:
        return [size_problem()]
    return [
        *_check_interval("x", columns),
        *_check_interval("y", rows),
        *_check_places(tiles, columns, rows),
        *_check_names(tiles),
        *_check_colours(tiles),
    ]


def size_problem() -> Problem:
    """Return the problem of a board that is too large."""
    return Problem("S1-size", None, f"a board has at most {LARGEST} positions")


def _check_interval(axis: str, coordinates: frozenset[int]) -> Iterator[Problem]:
    """Check that coordinates are finite intervals (S1, settled)."""
    if not coordinates:
        yield Problem("S1-interval", axis, f"there is no {axis} coordinate")
    elif max(coordinates) - min(coordinates) >= len(coordinates):
        ordered = sorted(coordinates)
        before, after = next(pair for pair in itertools.pairwise(ordered) if pair[1] != pair[0] + 1)
        message = f"the {axis} coordinates are no interval: after {before} comes {after}"
        yield Problem("S1-interval", axis, message)


def _check_places(
    tiles: Sequence[CheckedTile], columns: frozenset[int], rows: frozenset[int]
) -> Iterator[Problem]:
    """Check that exactly one tile lies on each position (S1)."""
    xs, ys = sorted(columns), sorted(rows, reverse=True)
    if [tile.x for tile in tiles] == xs * len(ys) and [tile.y for tile in tiles] == [
        y for y in ys for _ in xs
    ]:
        return
    lying: dict[tuple[int, int], list[str]] = {}
    for tile in tiles:
        lying.setdefault((tile.x, tile.y), []).append(tile.name)
        if tile.x not in columns or tile.y not in rows:
            yield Problem("S1-outside", tile.name, f"P({tile.x},{tile.y}) is no position of the board")
    for y in ys:
        for x in xs:
            names = lying.get((x, y), [])
            if not names:
                yield Problem("S1-missing", (x, y), f"no tile lies on P({x},{y})")
            elif len(names) > 1:
                yield Problem("S1-occupied", (x, y), f"{', '.join(names)} lie on P({x},{y})")


def _check_names(tiles: Sequence[CheckedTile]) -> Iterator[Problem]:
    seen: set[str] = set()
    names = {tile.name for tile in tiles}
    if len(names) == len(tiles) and all(map(is_name, names)):
        return
    for tile in tiles:
        if tile.name in seen:
            yield Problem("S17-same-name", tile.name, "two tiles have this name")
        elif not is_name(tile.name):
            yield Problem("S17-name", tile.name, f"a tile's name is {NAME_RULE}")
        seen.add(tile.name)


def _check_colours(tiles: Sequence[CheckedTile]) -> Iterator[Problem]:
    broken = {
        colours
        for colours in {tile.colours for tile in tiles}
        if not all(colours) or _FORBIDDEN.search("".join(map(str, colours)))
    }
    for tile in (tile for tile in tiles if tile.colours in broken):
        for direction, colour in zip(DIRECTIONS, tile.colours, strict=True):
            side = f"S({tile.name},{direction})"
            if colour is None:  # S3 (settled)
                yield Problem("S3-uncoloured", side, "neither the side nor its tile is given a colour")
            elif not colour or _FORBIDDEN.search(colour):
                yield Problem(
                    "S2-colour", side, f"{colour!r} is no colour: a text without quotation marks or breaks"
                )
