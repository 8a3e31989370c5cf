"""Setup of levels of Robots: tiles and robots, checked by R8 and R9 with every defect listed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.games.robots.board import ROTATIONS, Grid, Kind, Layout, Path, Tile, code_of
from gridproof.games.robots.requests import (
    EXCHANGE,
    Action,
    Exchange,
    Robot,
    Rotate,
    Walk,
    rotate_path,
)
from gridproof.games.robots.validity import find_board_defects, find_form_defects, find_start_defects

WalkSquares = dict[tuple[int, int], list[tuple[int, ...]]]
"""All robots' squares after each walk of a robot, by its number and rotation."""


def _tile(value: Iterable[Any]) -> Tile:
    return value if isinstance(value, Tile) else Tile(*value)


@dataclass(frozen=True)
class Setup(core.Level):
    """Tiles and robots of a level, and values for all its positions that follow from them."""

    robots: tuple[Robot, ...]
    tiles: tuple[tuple[Tile, ...], ...]
    midgame: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            object.__setattr__(self, "robots", tuple(Robot(*robot) for robot in self.robots))
            object.__setattr__(self, "tiles", tuple(tuple(map(_tile, row)) for row in self.tiles))
        except TypeError as error:
            raise GridproofError(f"a level is made of robots and rows of tiles: {error}") from None
        problems = find_form_defects(self.robots, self.tiles, {"title": self.title, "author": self.author})
        if not problems:
            problems = find_board_defects(self.robots, self.tiles, self.grid)
            problems += [] if self.midgame else find_start_defects(self.tiles)
        if problems:
            raise InvalidLevel(problems)

    def all_actions(self) -> tuple[Action, ...]:
        """Return each robot's walks and rotations in its rule's order, then the exchange."""
        return (*(request for robot in self.robots for request in robot.requests), EXCHANGE)

    def owner(self, action: Action) -> str:
        """Return a request's robot; the exchange is nature's (R21)."""
        return core.NATURE if isinstance(action, Exchange) else action.robot

    def number(self, robot: object) -> int:
        """Return the place of a robot in the level's order.

        Raises
        ------
        GridproofError
            When the level has no such robot.
        """
        number = self.numbers.get(robot) if isinstance(robot, str) else None
        if number is None:
            raise GridproofError(f"no robot {robot!r}; choose from {', '.join(self.names)}")
        return number

    def robot_numbers(self, actor: str) -> tuple[int, ...]:
        """Return the place of the robot that acts; none if the actor is no robot."""
        return (self.numbers[actor],) if actor in self.numbers else ()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Robots' names in order."""
        return tuple(robot.name for robot in self.robots)

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """Robots' lines in texts, up to their rotations (R33)."""
        return tuple(f"{robot.name}: rule={robot.rule.name} rotation=" for robot in self.robots)

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """Robots' places in the order, by name."""
        return {name: number for number, name in enumerate(self.names)}

    @functools.cached_property
    def grid(self) -> Grid:
        """Squares of the board."""
        return Grid(len(self.tiles[0]), len(self.tiles))

    @functools.cached_property
    def layout(self) -> Layout:
        """Tiles at the start."""
        codes = (code_of(tile, self.numbers) for row in self.tiles for tile in row)
        return Layout.from_codes(self.grid, codes)

    @functools.cached_property
    def cells(self) -> tuple[int, ...]:
        """Robots' squares at the start."""
        return self._squares_by_robot(lambda tile: tile.occupier)

    @functools.cached_property
    def homes(self) -> tuple[int, ...]:
        """Squares of the robots' homes; exchanges never move them (R21)."""
        return self._squares_by_robot(lambda tile: tile.target if tile.kind is Kind.HOME else "")

    @functools.cached_property
    def paths(self) -> tuple[tuple[Mapping[Walk, Path], ...], ...]:
        """Walks with their paths on the board, by robot and its rotation in quarter turns (R14)."""
        return tuple(
            tuple(dict(self._paths(robot, rotation)) for rotation in ROTATIONS) for robot in self.robots
        )

    @functools.cached_property
    def walk_paths(self) -> tuple[tuple[tuple[Path, ...], ...], ...]:
        """Paths of all walks, by robot and its rotation in quarter turns."""
        return tuple(tuple(tuple(paths.values()) for paths in turns) for turns in self.paths)

    @functools.cached_property
    def rotation_angles(self) -> tuple[tuple[int, ...], ...]:
        """Degrees by which each robot can turn (R13)."""
        return tuple(robot.rule.rotations for robot in self.robots)

    @functools.cached_property
    def walk_cache(self) -> dict[tuple[bytes, tuple[int, ...]], WalkSquares]:
        """Cache of walks for `Position.successors`, by the codes of the tiles and the robots' squares."""
        return {}

    @functools.cached_property
    def rotation_requests(self) -> tuple[tuple[Rotate, ...], ...]:
        """Rotations that each robot's rule lists (R13)."""
        return tuple(tuple(Rotate(robot.name, by) for by in robot.rule.rotations) for robot in self.robots)

    def _paths(self, robot: Robot, rotation: int) -> Iterator[tuple[Walk, Path]]:
        for (dx, dy), path in robot.rule.moves.items():
            steps = tuple(self.grid.square(cell) for cell in rotate_path(path, rotation))
            yield Walk(robot.name, dx, dy), steps

    def _squares_by_robot(self, owner: Callable[[Tile], str]) -> tuple[int, ...]:
        cells = (tile for row in self.tiles for tile in row)
        found = {owner(tile): square for square, tile in zip(self.grid.squares, cells, strict=True)}
        return tuple(found[name] for name in self.names)
