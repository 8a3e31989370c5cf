"""Small classes of the source document: coordinates, rules and tiles."""

# ruff: noqa: N815, SLF001  # the document's spelling; boards and snapshots change their tiles

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng
from gridproof.games.robots import requests
from gridproof.games.robots.board import ROTATIONS, Kind
from gridproof.games.robots.board import Tile as TileData
from gridproof.games.robots.requests import Response

Rotation = frozenset(ROTATIONS)
"""Set of rotations in degrees (R3)."""

BoardResponse: TypeAlias = Response
"""FAILED, SUCCESS or WIN (R12)."""


class Coord(NamedTuple):
    """Pair of whole numbers; y grows downwards."""

    x: int
    y: int


class AbsoluteCoord(Coord):
    """Cell of a board: 0 <= x < BoardWidth, 0 <= y < BoardHeight (R1)."""


class RelativeCoord(Coord):
    """Coordinates relative to a robot: x ahead of it, y to its right (R3)."""


class Rule:
    """Possible moves, in local coordinates with their paths, and possible rotations.

    Parameters
    ----------
    rule : gridproof.games.robots.Rule
        The same rule in the game.
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
        self.possibleMoves, self.possibleRotations = self.possible_moves, self.possible_rotations

    def __repr__(self) -> str:
        return f"Rule{self.name}"


RuleA = Rule(requests.Rule.A)
"""One step to any side (R10)."""
RuleB = Rule(requests.Rule.B)
"""One to three cells straight ahead, and all rotations (R11)."""
RULES: Mapping[requests.Rule, Rule] = {requests.Rule.A: RuleA, requests.Rule.B: RuleB}


class Occupant(Protocol):
    """Robot that can stand on a tile."""

    @property
    def name(self) -> str: ...


class Tile:
    """Tile with its occupier (R2); of one of the kinds below.

    A tile on its own may be put on, cleared and rotated. Only a board's operations change the tiles of the
    board, and nothing changes those of a snapshot (R28).
    """

    __slots__ = ("_occupier", "_owner")

    def __init__(self) -> None:
        self._occupier: Occupant | None = None
        self._owner = ""

    @property
    def occupier(self) -> Occupant | None:
        """Robot on it."""
        return self._occupier

    @property
    def is_snapshot_tile(self) -> bool:
        """True if it is part of a snapshot, and not of a board (R28)."""
        return self._owner == SNAPSHOT

    def clear(self) -> None:
        """`Init`: remove the occupier."""
        self._check_no_owner()
        self._occupier = None

    def put(self, robot: Occupant) -> None:
        """Set the occupier."""
        self._check_no_owner()
        self._occupier = robot

    def rotate(self, rng: Rng | None = None) -> None:
        """Do nothing; a conveyor turns."""
        self._check_no_owner()

    def _check_no_owner(self) -> None:
        if self._owner:
            raise GridproofError(
                f"the tile is part of a {self._owner}: only its board's operations change it"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._occupier or 'free'}>"

    isSnapshotTile = is_snapshot_tile
    init = Init = clear


BOARD, SNAPSHOT = "board", "snapshot"


class WalkPre(NamedTuple):
    """Outputs of `moveWalkPre`."""

    response: BoardResponse
    put_tile: Tile | None
    """Tile on which the robot would be put; None if it may not walk."""
    begin_tile: Tile
    auto_movement: bool


class NormalTile(Tile):
    """Tile without a special meaning."""

    __slots__ = ()


class HintTile(Tile):
    """Tile on which the board gives a hint (R19)."""

    __slots__ = ()


class BrokenRobotTile(Tile):
    """Tile with a broken robot, on which nothing may ever stand (R2)."""

    __slots__ = ()

    def put(self, robot: Occupant) -> None:
        """Refuse always."""
        raise GridproofError("R2: nothing may stand on a broken robot")


class HomeTile(Tile):
    """Tile that its target has to visit to win."""

    __slots__ = ("_target",)

    def __init__(self, target: Occupant) -> None:
        super().__init__()
        self._target = target

    @property
    def target(self) -> Occupant:
        """Robot whose home it is."""
        return self._target


class ConveyorTile(Tile):
    """Tile that carries robots on; it runs west, south, east or north by its rotation (R3)."""

    __slots__ = ("_rotation",)

    def __init__(self, rotation: int) -> None:
        super().__init__()
        if rotation not in Rotation:
            raise GridproofError(f"the rotation {rotation!r}: it must be 0, 90, 180 or 270")
        self._rotation = rotation

    @property
    def rotation(self) -> int:
        """Rotation in degrees: 0 west, 90 south, 180 east, 270 north."""
        return self._rotation

    def rotate(self, rng: Rng | None = None) -> None:
        """Turn the conveyor to a random rotation, each as likely."""
        self._check_no_owner()
        self._rotation = (rng or Rng()).choice(ROTATIONS)


def tile_of(data: TileData, robots: Mapping[str, Occupant], owner: str) -> Tile:
    """Make the tile of a board or a snapshot from one of the rules."""
    tile: Tile
    match data.kind:
        case Kind.HOME:
            tile = HomeTile(robots[data.target])
        case Kind.CONVEYOR:
            tile = ConveyorTile(data.rotation)
        case kind:
            tile = {Kind.NORMAL: NormalTile, Kind.HINT: HintTile, Kind.BROKEN: BrokenRobotTile}[kind]()
    tile._owner = owner
    update_tile(tile, data, robots)
    return tile


def update_tile(tile: Tile, data: TileData, robots: Mapping[str, Occupant]) -> None:
    """Set the occupier and the rotation of a tile to those of the rules."""
    tile._occupier = robots.get(data.occupier)
    if isinstance(tile, ConveyorTile):
        tile._rotation = data.rotation
