"""How Robots looks and is handled, as data."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.core.look import Board, Cell, Look, Mark, Piece, Pointed, Tally, pointed_marks
from gridproof.core.position import Outcome
from gridproof.games.robots.board import Kind, Layout, Tile, tile_of
from gridproof.games.robots.hints import Hint, HintGiven, remembered
from gridproof.games.robots.level import Level
from gridproof.games.robots.requests import Action, Rotate, Rule, Walk
from gridproof.games.robots.rules import Position
from gridproof.pictures import PICTURES

FLOOR = Piece("floor", ".", "floor", ("floor",))
HINT = Piece("hint", "?", "question", ("yellow",), text="?")
BROKEN = Piece("broken robot", "#", "cross", ("dark",))
FIREWORKS = Piece("fireworks", "", "fireworks", ("yellow",))
COLOURS = ("blue", "orange", "green", "purple", "red", "brown")
"""Of robots and their homes, in their order."""

_WAYS = ("right", "down", "left", "up")
_HEADINGS = ("→", "↓", "←", "↑")
_BELTS = {0: ("<", "left"), 90: ("v", "down"), 180: (">", "right"), 270: ("^", "up")}


def _tile(tile: Tile, colours: Mapping[str, str]) -> Piece:
    if tile.kind is Kind.HOME:
        name = f"home of {tile.target}"
        return Piece(name, tile.target.upper(), "home", (colours[tile.target],), tile.target.upper())
    if tile.kind is Kind.CONVEYOR:
        glyph, way = _BELTS[tile.rotation]
        # R3: a conveyor's rotation is counted from west, and the other way round
        return Piece(f"belt running {way}", glyph, "belt", ("grey",), turn=(180 - tile.rotation) % 360)
    return {Kind.HINT: HINT, Kind.BROKEN: BROKEN}.get(tile.kind, FLOOR)


def tile_pile(tile: Tile, colours: Mapping[str, str]) -> Cell:
    """A tile without the robot on it; homes in the colours of their robots."""
    return (FLOOR,) if tile.kind is Kind.NORMAL else (FLOOR, _tile(tile, colours))


@functools.lru_cache(maxsize=1024)
def robot_piece(name: str, rotation: int, colour: str) -> Piece:
    """A robot that faces somewhere."""
    quarter = rotation // 90
    words = f"robot {name} facing {_WAYS[quarter]}"
    return Piece(words, name + _HEADINGS[quarter], "robot", (colour,), name, rotation)


def _robots(position: Position) -> Iterator[tuple[Piece, ...]]:
    names, won = position.level.names, position.won
    for number, (name, rotation) in enumerate(zip(names, position.rotations, strict=True)):
        robot = robot_piece(name, rotation, COLOURS[number % len(COLOURS)])
        if not won:
            yield (robot,)
        elif name in position.winners:
            yield robot, FIREWORKS  # R29
        else:
            yield robot, Piece(f"robot {name} has exploded", name + "*", "explosion", ("red",), name)


def board(position: Position) -> Board:
    """Each cell its tile, and the robot on it; at the end fireworks and explosions (R29)."""
    level = position.level
    rows = [*_ground(level.names, position.layout)]
    for square, robot in zip(position.cells, _robots(position), strict=True):
        x, y = level.grid.cell(square)
        pile = rows[y][x] + robot
        rows[y] = (*rows[y][:x], pile, *rows[y][x + 1 :])
    return tuple(rows)


@functools.lru_cache(maxsize=256)
def _ground(names: tuple[str, ...], layout: Layout) -> Board:
    """The tiles without the robots on them."""
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}

    def cell(square: int) -> Cell:
        return tile_pile(tile_of(layout.codes[square], names), colours)

    width, squares = layout.grid.width, layout.grid.squares
    return tuple(tuple(map(cell, squares[first : first + width])) for first in range(0, len(squares), width))


class Known(NamedTuple):
    """How many moves were made, and what the robots know by them."""

    moves: int = 0
    hints: Mapping[str, frozenset[Hint]] = {}

    def after(self, outcome: Outcome[Position]) -> Known:
        """With one more."""
        return Known(self.moves + 1, remembered(outcome.events, self.hints))


def counts(position: Position, tally: Known) -> tuple[tuple[str, str], ...]:
    """Successful requests and exchanges, and what the robots know."""
    known = tally.hints
    return (
        ("moves", str(tally.moves)),
        *((f"hints of {name}", ", ".join(map(str, sorted(known[name], key=str)))) for name in sorted(known)),
    )


@functools.lru_cache(maxsize=1024)
def words(action: Action) -> str:
    """An action in words."""
    match action:
        case Walk(robot, dx, 0) if dx > 1:
            return f"{robot} walks {dx} cells ahead"
        case Walk(robot, dx, dy):
            way = {(1, 0): "ahead", (-1, 0): "back", (0, 1): "to its right", (0, -1): "to its left"}[dx, dy]
            return f"{robot} steps {way}"
        case Rotate(robot, 0):
            return f"{robot} does not turn"
        case Rotate(robot, by):
            way = {90: "to its right", 180: "round", 270: "to its left"}[by]
            return f"{robot} turns {way}"
    return "two tiles change places"


def marks(position: Position, action: Action) -> tuple[Mark, ...]:
    """Where a walk leads to: a ring in the robot's colour."""
    if not isinstance(action, Walk):
        return ()
    number = position.level.number(action.robot)
    path = position.path(action)
    landing = None if path is None else position.landing(number, path)
    if landing is None:
        return ()
    return _ring(*position.level.grid.cell(landing.square), action.robot, COLOURS[number % len(COLOURS)])


@functools.lru_cache(maxsize=4096)
def _ring(x: int, y: int, robot: str, colour: str) -> tuple[Mark, ...]:
    return (Mark(x, y, Piece(f"{robot} comes here", "", "ring", (colour,))),)


def keys_of(level: Level, name: str) -> Mapping[str, str]:
    """The keys of one robot: by rule A it steps in four directions, by rule B it walks ahead and turns."""
    keys = _STEPS if level.robots[level.number(name)].rule is Rule.A else _TURNS
    return {**{key: f"{name}:{request}" for key, request in keys.items()}, "x": "exchange"}


_STEPS = {"right": "walk(1,0)", "down": "walk(0,1)", "left": "walk(-1,0)", "up": "walk(0,-1)"}
_TURNS = {
    "up": "walk(1,0)", "1": "walk(1,0)", "2": "walk(2,0)", "3": "walk(3,0)",
    "right": "rotate(90)", "r": "rotate(90)", "down": "rotate(180)", "left": "rotate(270)", "e": "rotate(270)",
}  # fmt: skip


def pointed(position: Position, at: Pointed) -> tuple[str, ...]:
    """The walk that leads there, or the way a robot is dragged; a robot that is pointed at turns to its right."""
    if found := pointed_marks(position, at):
        return found
    for robot in position.level.robots:
        if position.cell(robot.name) == (at.x, at.y) and at.actor in (None, robot.name):
            if at.to is not None:
                return _dragged(position, robot.name, at.to)
            if robot.rule is Rule.B:
                return (f"{robot.name}:rotate(90)",)
    return ()


def _dragged(position: Position, name: str, to: tuple[int, int]) -> tuple[str, ...]:
    """The walk of a robot that leads to a cell, or else the only one that leads the same way."""
    walks = {
        str(action): (mark.x, mark.y)
        for action in position.actions()
        if isinstance(action, Walk) and action.robot == name
        for mark in marks(position, action)
    }
    origin = position.cell(name)
    for alike in (lambda end: end == to, lambda end: _way(origin, end) == _way(origin, to)):
        if len(found := [text for text, end in walks.items() if alike(end)]) == 1:
            return (found[0],)
    return ()


def _way(origin: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """The main direction from a cell to another; (0, 0) where there is none."""
    right, down = end[0] - origin[0], end[1] - origin[1]
    if abs(right) == abs(down):
        return 0, 0
    return ((right > 0) - (right < 0), 0) if abs(right) > abs(down) else (0, (down > 0) - (down < 0))


def private(event: object) -> str | None:
    """A hint is for its robot alone (R19)."""
    return event.robot if isinstance(event, HintGiven) else None


LOOK = Look(
    board=board,
    pictures=PICTURES,
    counts=counts,
    tally=Tally(Known(), Known.after),
    words=words,
    marks=marks,
    pointed=pointed,
    private=private,
    keys_of=keys_of,
    keys={
        "right": "a:walk(1,0)",
        "down": "a:walk(0,1)",
        "left": "a:walk(-1,0)",
        "up": "a:walk(0,-1)",
        "1": "b:walk(1,0)",
        "2": "b:walk(2,0)",
        "3": "b:walk(3,0)",
        "r": "b:rotate(90)",
        "e": "b:rotate(270)",
        "x": "exchange",
    },
    welcome="Robots race home over conveyor belts: the first one home wins.",
    prompt="a request such as a:walk(1,0) or b:rotate(90), or exchange",
    won="A robot is home: fireworks!",
)
