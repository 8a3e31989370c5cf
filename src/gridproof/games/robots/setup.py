"""Levels of Robots: tiles and robots, checked by R8 and R9 with every defect listed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.games.robots.board import ROTATIONS, Grid, Kind, Layout, Path, Tile, code_of
from gridproof.games.robots.requests import (
    EXCHANGE,
    Action,
    Exchange,
    Rotate,
    Rule,
    Walk,
    rotate_path,
)
from gridproof.games.robots.validity import defects

if TYPE_CHECKING:
    from gridproof.games.robots.rules import Position

AfterWalks = dict[tuple[int, int], list[tuple[int, ...]]]
"""By a robot's number and rotation: all robots' squares after each of its walks."""


def _tile(value: Iterable[Any]) -> Tile:
    return value if isinstance(value, Tile) else Tile(*value)


class Robot(NamedTuple):
    """A robot of a level."""

    name: str
    """A lower-case letter, not v (R33)."""
    rule: Rule
    rotation: int = 0
    """Clockwise from facing east (R3)."""


@dataclass(frozen=True)
class Level(core.Level):
    """A board with at least two robots on it.

    Parameters
    ----------
    robots : sequence of Robot
        In their order (R20, R33).
    tiles : sequence of rows of Tile
        The top row first; each tile says who stands on it.
    midgame : bool
        Whether it is a moment of a game, of which R9 is not asked, but R8 is.

    Raises
    ------
    InvalidLevel
        With every broken part of R8 and R9.
    """

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
        problems = defects(self)
        if problems:
            raise InvalidLevel(problems)

    def starts(self) -> Iterator[core.Outcome[Position]]:
        from gridproof.games.robots.rules import Position

        rotations = tuple(robot.rotation for robot in self.robots)
        yield core.Outcome(Position(self, self.layout, self.cells, rotations))

    def all_actions(self) -> tuple[Action, ...]:
        """Each robot's walks and rotations in its rule's order, then the exchange."""
        requests: list[Action] = []
        for walks, rotates in zip(self.paths, self.rotates, strict=True):
            requests += walks[0]  # a rule lists the same walks for all rotations
            requests += rotates
        return (*requests, EXCHANGE)

    def owner(self, action: Action) -> str:
        """A request's robot; the exchange is nature's (R21)."""
        return core.NATURE if isinstance(action, Exchange) else action.robot

    def number(self, robot: object) -> int:
        """The place of a robot in the level's order.

        Raises
        ------
        GridproofError
            When the level has no such robot.
        """
        number = self.numbers.get(robot) if isinstance(robot, str) else None
        if number is None:
            raise GridproofError(f"no robot {robot!r}: there are {', '.join(self.names)}")
        return number

    def numbers_of(self, actor: str) -> tuple[int, ...]:
        """The place of the robot that acts; none, if the actor is no robot."""
        return (self.numbers[actor],) if actor in self.numbers else ()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The robots' names in order."""
        return tuple(robot.name for robot in self.robots)

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """The robots' lines in texts, up to their rotations (R33)."""
        return tuple(f"{robot.name}: rule={robot.rule.name} rotation=" for robot in self.robots)

    @functools.cached_property
    def numbers(self) -> dict[str, int]:
        """The robots' places in the order, by name."""
        return {name: number for number, name in enumerate(self.names)}

    @functools.cached_property
    def grid(self) -> Grid:
        """The squares of the board."""
        return Grid(len(self.tiles[0]), len(self.tiles))

    @functools.cached_property
    def layout(self) -> Layout:
        """The tiles as they lie at the start."""
        return Layout.of(self.grid, (code_of(tile, self.numbers) for row in self.tiles for tile in row))

    @functools.cached_property
    def cells(self) -> tuple[int, ...]:
        """The robots' squares at the start."""
        return self._by_robot(lambda tile: tile.occupier)

    @functools.cached_property
    def homes(self) -> tuple[int, ...]:
        """The squares of the robots' homes; exchanges never move them (R21)."""
        return self._by_robot(lambda tile: tile.target if tile.kind is Kind.HOME else "")

    @functools.cached_property
    def paths(self) -> tuple[tuple[Mapping[Walk, Path], ...], ...]:
        """By robot and by its rotation in quarter turns: its walks with their paths on the board (R14)."""
        return tuple(
            tuple(dict(self._paths(robot, rotation)) for rotation in ROTATIONS) for robot in self.robots
        )

    @functools.cached_property
    def walks(self) -> tuple[tuple[tuple[Path, ...], ...], ...]:
        """By robot and by its rotation in quarter turns: the paths of all its walks."""
        return tuple(tuple(tuple(paths.values()) for paths in turned) for turned in self.paths)

    @functools.cached_property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """By robot: by how much it can turn (R13)."""
        return tuple(robot.rule.rotations for robot in self.robots)

    @functools.cached_property
    def after_walks(self) -> dict[tuple[bytes, tuple[int, ...]], AfterWalks]:
        """What `Position.successors` remembers, by the codes of the tiles and the robots' squares."""
        return {}

    @functools.cached_property
    def after_putting(self) -> dict[tuple[bytes, tuple[int, ...]], tuple[int, ...] | None]:
        """What `belts.put_down` answered, by the codes of the tiles and the robots' squares; `successors` remembers it."""
        return {}

    @functools.cached_property
    def rotates(self) -> tuple[tuple[Rotate, ...], ...]:
        """By robot: the rotations that its rule lists (R13)."""
        return tuple(tuple(Rotate(robot.name, by) for by in robot.rule.rotations) for robot in self.robots)

    def _paths(self, robot: Robot, rotation: int) -> Iterator[tuple[Walk, Path]]:
        for (dx, dy), path in robot.rule.moves.items():
            steps = tuple(self.grid.square(cell) for cell in rotate_path(path, rotation))
            yield Walk(robot.name, dx, dy), steps

    def _by_robot(self, owner: Callable[[Tile], str]) -> tuple[int, ...]:
        cells = (tile for row in self.tiles for tile in row)
        found = {owner(tile): square for square, tile in zip(self.grid.squares, cells, strict=True)}
        return tuple(found[name] for name in self.names)
