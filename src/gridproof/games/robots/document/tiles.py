"""The source document's small classes: coordinates, rules, tiles and snapshots."""

# ruff: noqa: N815, SLF001  # the document's spelling; tiles are kept by what they are part of

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng
from gridproof.games.robots import requests
from gridproof.games.robots.board import ROTATIONS, Kind
from gridproof.games.robots.board import Tile as TileData
from gridproof.games.robots.hints import Hint
from gridproof.games.robots.requests import Response

if TYPE_CHECKING:
    from gridproof.games.robots.document.actors import Robot

__all__ = [
    "AbsoluteCoord",
    "BoardResponse",
    "BoardSnapshot",
    "BrokenRobotTile",
    "ConveyorTile",
    "Coord",
    "Hint",
    "HintTile",
    "HomeTile",
    "NormalTile",
    "RelativeCoord",
    "Rotation",
    "Rule",
    "RuleA",
    "RuleB",
    "Tile",
]

Rotation = frozenset(ROTATIONS)
"""The document's set of rotations, in degrees (R3)."""

BoardResponse: TypeAlias = Response
"""FAILED, SUCCESS or WIN (R12)."""


class Coord(NamedTuple):
    """A pair of whole numbers; y grows downwards."""

    x: int
    y: int


class AbsoluteCoord(Coord):
    """A cell of a board: 0 <= x < BoardWidth, 0 <= y < BoardHeight (R1)."""


class RelativeCoord(Coord):
    """Relative to a robot and as it faces: x ahead of it, y to its right (R3)."""


class Rule:
    """A list of possible moves, in local coordinates with their paths, and one of possible rotations.

    Parameters
    ----------
    rule : gridproof.games.robots.Rule
        What it means to the rules.
    """

    def __init__(self, rule: requests.Rule) -> None:
        self.name = str(rule)
        self.possible_moves: Mapping[RelativeCoord, tuple[RelativeCoord, ...]] = MappingProxyType(
            {
                RelativeCoord(*end): tuple(RelativeCoord(*step) for step in path)
                for end, path in rule.moves.items()
            }
        )
        self.possible_rotations = frozenset(rule.rotations)

    @property
    def possibleMoves(self) -> Mapping[RelativeCoord, tuple[RelativeCoord, ...]]:  # noqa: N802  # the document's name
        """As `possible_moves`."""
        return self.possible_moves

    @property
    def possibleRotations(self) -> frozenset[int]:  # noqa: N802  # the document's name
        """As `possible_rotations`."""
        return self.possible_rotations

    def __repr__(self) -> str:
        return f"Rule{self.name}"


RuleA = Rule(requests.Rule.A)
"""One step to any side (R10)."""
RuleB = Rule(requests.Rule.B)
"""One to three cells straight ahead, and all rotations (R11)."""
RULES: Mapping[requests.Rule, Rule] = {requests.Rule.A: RuleA, requests.Rule.B: RuleB}


class Tile:
    """One tile, and who stands on it (R2); of one of the kinds below.

    A tile on its own may be put on, cleared and rotated. One that lies on a board is changed by the
    board's operations alone, and one of a snapshot never (R28).
    """

    __slots__ = ("_keeper", "_occupier")

    def __init__(self) -> None:
        self._occupier: Robot | None = None
        self._keeper = ""

    @property
    def occupier(self) -> Robot | None:
        """The robot on it."""
        return self._occupier

    @property
    def is_snapshot_tile(self) -> bool:
        """Whether it is part of a snapshot, and not of a board (R28)."""
        return self._keeper == SNAPSHOT

    def init(self) -> None:
        """`Init`: nobody stands on it."""
        self.clear()

    def clear(self) -> None:
        """Nobody stands on it any more."""
        self._check_loose()
        self._occupier = None

    def put(self, robot: Robot) -> None:
        """The robot stands on it."""
        self._check_loose()
        self._occupier = robot

    def rotate(self, rng: Rng | None = None) -> None:
        """Nothing, but for a conveyor."""
        self._check_loose()

    def _check_loose(self) -> None:
        if self._keeper:
            raise GridproofError(
                f"the tile is part of a {self._keeper}: only its board's operations change it"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._occupier or 'free'}>"

    isSnapshotTile = is_snapshot_tile
    Init = init


BOARD, SNAPSHOT = "board", "snapshot"


class NormalTile(Tile):
    """A tile without a special meaning."""

    __slots__ = ()


class HintTile(Tile):
    """A tile on which the board gives a hint (R19)."""

    __slots__ = ()


class BrokenRobotTile(Tile):
    """A tile with a broken robot, on which nothing may ever stand (R2)."""

    __slots__ = ()

    def put(self, robot: Robot) -> None:
        """Always refused."""
        raise GridproofError("R2: nothing may stand on a broken robot")


class HomeTile(Tile):
    """The tile that its target has to visit to win."""

    __slots__ = ("_target",)

    def __init__(self, target: Robot) -> None:
        super().__init__()
        self._target = target

    @property
    def target(self) -> Robot:
        """The robot whose home it is."""
        return self._target


class ConveyorTile(Tile):
    """A tile that carries robots on; it runs west, south, east or north by its rotation (R3)."""

    __slots__ = ("_rotation",)

    def __init__(self, rotation: int) -> None:
        super().__init__()
        if rotation not in Rotation:
            raise GridproofError(f"the rotation {rotation!r}: it must be 0, 90, 180 or 270")
        self._rotation = rotation

    @property
    def rotation(self) -> int:
        """0 west, 90 south, 180 east, 270 north."""
        return self._rotation

    def rotate(self, rng: Rng | None = None) -> None:
        """It turns to an arbitrary rotation, each as likely."""
        self._check_loose()
        self._rotation = (rng or Rng()).choice(ROTATIONS)


def tile_of(data: TileData, robots: Mapping[str, Robot], keeper: str) -> Tile:
    """The tile that the rules describe, held by a board or a snapshot."""
    tile: Tile
    match data.kind:
        case Kind.HOME:
            tile = HomeTile(robots[data.target])
        case Kind.CONVEYOR:
            tile = ConveyorTile(data.rotation)
        case kind:
            tile = {Kind.NORMAL: NormalTile, Kind.HINT: HintTile, Kind.BROKEN: BrokenRobotTile}[kind]()
    tile._keeper = keeper
    settle(tile, data, robots)
    return tile


def settle(tile: Tile, data: TileData, robots: Mapping[str, Robot]) -> None:
    """Set what can change of a tile to what the rules say."""
    tile._occupier = robots.get(data.occupier)
    if isinstance(tile, ConveyorTile):
        tile._rotation = data.rotation


class BoardSnapshot:
    """A copy of a board that never changes (R28).

    Parameters
    ----------
    tiles : mapping of AbsoluteCoord to Tile
    robots : mapping of Robot to int
        Each robot's rotation.
    """

    __slots__ = ("_robots", "_tiles")

    def __init__(self, tiles: Mapping[AbsoluteCoord, Tile], robots: Mapping[Robot, int]) -> None:
        self._tiles = MappingProxyType(dict(tiles))
        self._robots = MappingProxyType(dict(robots))

    @property
    def tiles(self) -> Mapping[AbsoluteCoord, Tile]:
        """Every cell's tile, a snapshot tile."""
        return self._tiles

    @property
    def robots(self) -> Mapping[Robot, int]:
        """Every robot's rotation."""
        return self._robots

    @property
    def rules(self) -> Mapping[Robot, Rule | None]:
        """Every robot's rule."""
        return MappingProxyType({robot: robot.rules for robot in self._robots})

    @property
    def at_home(self) -> tuple[Robot, ...]:
        """The robots that stand on their own homes, in the robots' order."""
        home = {
            tile.occupier
            for tile in self._tiles.values()
            if isinstance(tile, HomeTile) and tile.occupier is tile.target
        }
        return tuple(robot for robot in self._robots if robot in home)
