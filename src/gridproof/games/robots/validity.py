"""Defects of a level or a position: every broken part of R8, of a level of R9 too, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from gridproof.core.errors import Problem
from gridproof.games.robots.board import (
    LARGEST_SIDE,
    ROTATIONS,
    Cell,
    Grid,
    Kind,
    Tile,
    find_cut_off_robots,
    to_bits,
)
from gridproof.games.robots.requests import Robot, Rule

_RULES = tuple(Rule)
_LETTERS = tuple("abcdefghijklmnopqrstuwxyz")

CellsByRobot = dict[str, list[Cell]]
"""Cells of each robot, in reading order."""
Robots = Sequence[Robot]
Tiles = Sequence[Sequence[Tile]]
"""Rows of tiles with their occupiers."""


def _iterate_cells(tiles: Tiles) -> Iterator[tuple[Cell, Tile]]:
    """Yield the cells with their tiles, in reading order."""
    return (((x, y), tile) for y, row in enumerate(tiles) for x, tile in enumerate(row))


def find_form_defects(robots: Robots, tiles: Tiles, titles: Mapping[str, str]) -> list[Problem]:
    """Return the defects that no text could give, such as ragged rows and undeclared robots.

    Only without them can the board be checked.
    """
    return [*_check_form(robots, tiles), *_check_titles(titles)]


def find_board_defects(robots: Robots, tiles: Tiles, grid: Grid) -> list[Problem]:
    """Return the broken parts of R8 of a board, by clause, then by robot in their order or by cell in reading order."""
    return [*_check_rules(robots), *_check_board(robots, tiles, grid)]


def find_start_defects(tiles: Tiles) -> list[Problem]:
    """Return the broken parts of R9 of a start."""
    return [
        *_check_occupiers(tiles, "R9-conveyor", lambda tile: tile.kind is Kind.CONVEYOR, "starts on a belt"),
        *_check_occupiers(
            tiles, "R9-home", lambda tile: tile.occupier == tile.target, "starts on its own home"
        ),
    ]


def _check_form(robots: Robots, tiles: Tiles) -> Iterator[Problem]:
    widths = {len(row) for row in tiles}
    if len(widths) != 1 or not 1 <= max(widths) <= LARGEST_SIDE or len(tiles) > LARGEST_SIDE:
        yield Problem("R1-size", None, f"the rows must be of one length, both sides from 1 to {LARGEST_SIDE}")
    names = [robot.name for robot in robots]
    for robot in robots:
        yield from _check_robot(robot, names)
    for cell, tile in _iterate_cells(tiles):
        if not _is_tile(tile, names):
            yield Problem("R2-tile", cell, f"there is no tile {tile} among the robots of this level")


def _check_titles(titles: Mapping[str, str]) -> Iterator[Problem]:
    for what, value in titles.items():
        if value != value.strip() or set(value) & set("\n\r\0"):
            yield Problem("R33-line", value, f"the {what} is one line without spaces around it")


def _check_robot(robot: Robot, names: list[str]) -> Iterator[Problem]:
    name, rule, rotation = robot
    if name not in _LETTERS:
        yield Problem("R33-name", name, "a robot is named by a lower-case letter, not v")
    elif names.count(name) > 1:
        yield Problem("R33-twice", name, "a robot is declared once")
    if not isinstance(rule, Rule):
        yield Problem("R10-rule", name, "a robot's rule is A or B")
    if rotation not in ROTATIONS:
        yield Problem("R3-rotation", name, "a robot's rotation is 0, 90, 180 or 270")


def _is_tile(tile: Tile, names: list[str]) -> bool:
    return (
        isinstance(tile.kind, Kind)
        and tile.occupier in ("", *names)
        and (tile.target in names if tile.kind is Kind.HOME else tile.target == "")
        and tile.rotation in (ROTATIONS if tile.kind is Kind.CONVEYOR else (0,))
    )


def _check_rules(robots: Robots) -> Iterator[Problem]:
    if len(robots) < 2:
        yield Problem("R8a-two", None, "a board has at least two robots")
    rules = [robot.rule for robot in robots]
    for rule in _RULES:
        if rule not in rules:
            yield Problem(f"R8a-{rule}", None, f"a board has at least one robot with rule {rule}")


def _cells_by_robot(robots: Robots, tiles: Tiles, owner: Callable[[Tile], str]) -> CellsByRobot:
    places: CellsByRobot = {robot.name: [] for robot in robots}
    for cell, tile in _iterate_cells(tiles):
        if owner(tile):
            places[owner(tile)].append(cell)
    return places


def _check_board(robots: Robots, tiles: Tiles, grid: Grid) -> Iterator[Problem]:
    stands = _cells_by_robot(robots, tiles, lambda tile: tile.occupier)
    homes = _cells_by_robot(robots, tiles, lambda tile: tile.target)
    yield from _check_counts("R8b", stands, "stands on no cell", "stands on several cells")
    yield from _check_occupiers(
        tiles, "R8b-broken", lambda tile: tile.kind is Kind.BROKEN, "stands on a wreck"
    )
    yield from _check_counts("R8c", homes, "has no home", "has several homes")
    yield from _check_reachable(tiles, grid, stands, homes)


def _check_counts(code: str, places: CellsByRobot, none: str, many: str) -> Iterator[Problem]:
    """Check that each robot has exactly one of these cells (R8b, R8c)."""
    for robot, cells in places.items():
        if not cells:
            yield Problem(f"{code}-none", robot, f"the robot {robot} {none}")
    for robot, cells in places.items():
        if len(cells) > 1:
            yield Problem(f"{code}-many", robot, f"the robot {robot} {many}: {', '.join(map(str, cells))}")


def _check_occupiers(tiles: Tiles, code: str, wrong: Callable[[Tile], bool], what: str) -> Iterator[Problem]:
    """Check that no robot stands or starts on such a tile (R8b, R9)."""
    for cell, tile in _iterate_cells(tiles):
        if tile.occupier and wrong(tile):
            yield Problem(code, cell, f"the robot {tile.occupier} {what}")


def _check_reachable(
    tiles: Tiles, grid: Grid, stands: CellsByRobot, homes: CellsByRobot
) -> Iterator[Problem]:
    """Check R8d for every robot with one cell and one home."""
    robots = [name for name in stands if len(stands[name]) == len(homes[name]) == 1]
    if not robots:
        return
    free = to_bits(
        grid.square(cell)
        for cell, tile in _iterate_cells(tiles)
        if not tile.occupier and tile.kind is not Kind.BROKEN
    )
    cells, targets = ([grid.square(places[name][0]) for name in robots] for places in (stands, homes))
    for place in find_cut_off_robots(cells, targets, free, grid.stride):
        yield Problem("R8d", robots[place], f"the robot {robots[place]} cannot reach its home")
