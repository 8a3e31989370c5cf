"""Look and keys of Robots, as data."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gridproof.core.look import ON_BOARD, Board, Cell, Look, Mark, Piece, PointedCell, Tally, actions_at_mark
from gridproof.core.position import Outcome
from gridproof.core.text.phrases import join_names
from gridproof.games.robots import dialogue
from gridproof.games.robots.board import Kind, Layout, Tile, tile_of
from gridproof.games.robots.hints import (
    BOARD_WORDS,
    OWN_WORDS,
    Hint,
    HintGiven,
    collect_hints,
    hint_on_board,
    sign,
)
from gridproof.games.robots.requests import Action, Rotate, Rule, Walk
from gridproof.games.robots.rules import Level, Position
from gridproof.pictures import PICTURES

FLOOR = Piece("floor", ".", "floor", ("floor",))
HINT = Piece("question mark", "?", "question", ("yellow",), text="?")
BROKEN = Piece("wreck", "#", "cross", ("dark",))
FIREWORKS = Piece("fireworks", "", "fireworks", ("yellow",))
_COLOURS = ("blue", "orange", "green", "purple", "red", "brown")

_HEADINGS = ("→", "↓", "←", "↑")
_BELTS = {0: ("<", "left"), 90: ("v", "down"), 180: (">", "right"), 270: ("^", "up")}


@functools.lru_cache(maxsize=256)
def colours_of(names: tuple[str, ...]) -> Mapping[str, str]:
    """Return the colours of robots and their homes by name, in the robots' order."""
    return dict(zip(names, itertools.cycle(_COLOURS)))


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
    """Return the pieces of a tile without the robot on it; homes in the colours of their robots."""
    return (FLOOR,) if tile.kind is Kind.NORMAL else (FLOOR, _tile(tile, colours))


@functools.lru_cache(maxsize=1024)
def robot_piece(name: str, rotation: int, colour: str, rule: Rule) -> Piece:
    """Return the piece of a robot with its rotation: one that steps all ways looks unlike one that turns."""
    quarter = rotation // 90
    words = f"robot {name} facing {dialogue.DIRECTIONS[quarter]}"
    return Piece(
        words, name + _HEADINGS[quarter], "stepper" if rule is Rule.A else "robot", (colour,), name, rotation
    )


def _robots(position: Position) -> Iterator[tuple[Piece, ...]]:
    won, colours = position.won, colours_of(position.level.names)
    for one, rotation in zip(position.level.robots, position.rotations, strict=True):
        name = one.name
        robot = robot_piece(name, rotation, colours[name], one.rule)
        if not won:
            yield (robot,)
        elif name in position.winners:
            yield robot, FIREWORKS  # R29
        else:
            yield robot, Piece(f"robot {name} has exploded", name + "*", "explosion", ("red",), name)


def board(position: Position) -> Board:
    """Return the board: on each cell its tile, and the robot on it; at the end fireworks and explosions (R29)."""
    level = position.level
    rows = [*_ground(level.names, position.layout)]
    for square, robot in zip(position.cells, _robots(position), strict=True):
        x, y = level.grid.cell(square)
        ground = (FLOOR,) if FIREWORKS in robot else rows[y][x]  # a home of its colour would hide the winner
        pile = ground + robot
        rows[y] = (*rows[y][:x], pile, *rows[y][x + 1 :])
    return tuple(rows)


def size(position: Position) -> tuple[int, int]:
    """Return the numbers of columns and rows."""
    grid = position.level.grid
    return grid.width, grid.height


@functools.lru_cache(maxsize=256)
def _ground(names: tuple[str, ...], layout: Layout) -> Board:
    """Return the board without its robots."""

    def cell(square: int) -> Cell:
        return tile_pile(tile_of(layout.codes[square], names), colours_of(names))

    width, squares = layout.grid.width, layout.grid.squares
    return tuple(tuple(map(cell, squares[first : first + width])) for first in range(0, len(squares), width))


class RaceTally(NamedTuple):
    """Number of moves, and the robots' hints."""

    moves: int = 0
    hints: Mapping[str, frozenset[Hint]] = {}
    seen_hints: Mapping[str, frozenset[Hint]] = {}
    """The same hints in directions of the board, which stay true when the robot turns."""

    def after(self, outcome: Outcome[Position]) -> RaceTally:
        """Return the tally after one more move."""
        seen = [_on_board(outcome.position, event) for event in outcome.events]
        return RaceTally(
            self.moves + 1, collect_hints(outcome.events, self.hints), collect_hints(seen, self.seen_hints)
        )


def _on_board(position: Position, event: object) -> object:
    """Return an event with its hint, if it is one, in directions of the board."""
    if not isinstance(event, HintGiven):
        return event
    return HintGiven(event.robot, hint_on_board(event.hint, position.rotation(event.robot)))


def seen_event(position: Position, event: object) -> str:
    """Return a hint in directions of the board."""
    seen = _on_board(position, event)
    return (
        f"{seen.robot} is told: home is {BOARD_WORDS[seen.hint]}"
        if isinstance(seen, HintGiven)
        else str(event)
    )


def _brief(direction: str) -> str:
    """Shorten a direction for a count: "above, to the right" to "above right"."""
    return " ".join(word for word in direction.replace(",", "").split() if word not in ("to", "the", "its"))


def spoken_counts(position: Position, tally: RaceTally, frame: str) -> tuple[tuple[str, str], ...]:
    """Return the counts with the robots' hints, in words."""
    known, words = (tally.seen_hints, BOARD_WORDS) if frame == ON_BOARD else (tally.hints, OWN_WORDS)
    hints = ((name, [_brief(words[hint]) for hint in Hint if hint in known[name]]) for name in sorted(known))
    return ("requests", str(tally.moves)), *((f"heard by {name}", ", ".join(texts)) for name, texts in hints)


def counts(position: Position, tally: RaceTally) -> tuple[tuple[str, str], ...]:
    """Return the number of successful requests and exchanges, and the robots' hints."""
    hints = ((name, sorted(map(str, known))) for name, known in sorted(tally.hints.items()))
    return ("moves", str(tally.moves)), *((f"hints of {name}", ", ".join(texts)) for name, texts in hints)


@functools.lru_cache(maxsize=1024)
def words(action: Action) -> str:
    """Return an action in words."""
    match action:
        case Walk(robot, dx, 0) if dx > 1:
            return f"{robot} walks {dx} cells ahead"
        case Walk(robot, dx, dy):
            way = {(1, 0): "ahead", (-1, 0): "back", (0, 1): "to its right", (0, -1): "to its left"}[dx, dy]
            return f"{robot} steps {way}"
        case Rotate(robot, 0):
            return f"{robot} waits"
        case Rotate(robot, by):
            way = {90: "to its right", 180: "round", 270: "to its left"}[by]
            return f"{robot} turns {way}"
    return dialogue.EXCHANGE_WORDS


def marks(position: Position, action: Action) -> tuple[Mark, ...]:
    """Return a ring in the robot's colour where a walk ends; none around a robot that belts carry back to its cell."""
    if not isinstance(action, Walk):
        return ()
    end = position.find_end(action)
    if end is None or end == position.cells[position.level.number(action.robot)]:
        return ()
    colour = colours_of(position.level.names)[action.robot]
    return _ring(*position.level.grid.cell(end), action.robot, colour)


@functools.lru_cache(maxsize=4096)
def _ring(x: int, y: int, robot: str, colour: str) -> tuple[Mark, ...]:
    return (Mark(x, y, Piece(f"{robot} comes here", "", "circle", (colour,))),)


def keys_of(level: Level, name: str) -> Mapping[str, str]:
    """Return the keys of one robot: by rule A it steps in four directions, by rule B it walks ahead and turns."""
    keys = _STEPS if level.robots[level.number(name)].rule is Rule.A else _TURNS
    return {**_name_keys(name, keys), "x": "exchange"}


def _name_keys(name: str, keys: Mapping[str, str]) -> dict[str, str]:
    return {key: f"{name}:{request}" for key, request in keys.items()}


_STEPS = {"right": "walk(1,0)", "down": "walk(0,1)", "left": "walk(-1,0)", "up": "walk(0,-1)"}
_TURNS = {
    "up": "walk(1,0)", "1": "walk(1,0)", "2": "walk(2,0)", "3": "walk(3,0)",
    "right": "rotate(90)", "r": "rotate(90)", "down": "rotate(180)", "t": "rotate(180)", "left": "rotate(270)", "e": "rotate(270)",
    "0": "rotate(0)",
}  # fmt: skip


def actions_at(position: Position, at: PointedCell) -> tuple[str, ...]:
    """Return the walk to a cell or along a drag, also a refused one; for a click on a robot by rule B, its turn to the right.

    A robot walks to the cell where it ends, and to the one where a belt takes it up. A drag to where a robot does not look
    turns it. A drag that begins beside the robots is for the player's robot, or for the first one, as an arrow key is.
    """
    if found := actions_at_mark(position, at):
        return found if len(found) == 1 else ()
    for robot in position.level.robots:
        if position.cell(robot.name) == (at.x, at.y):
            if at.actor not in (None, robot.name):
                return ()
            if at.to is not None:
                return _drag_actions(position, robot.name, at.to)
            return (f"{robot.name}:rotate(90)",) if robot.rule is Rule.B else ()
    if at.to is None:
        names = position.level.names if at.actor is None else (at.actor,)
        walks = [walk for name in names for walk in _straight_walks(position, name, (at.x, at.y))]
        possible = {*map(str, position.actions())}
        return tuple(sorted(walks, key=lambda walk: walk not in possible)[:1])
    return _swipe_actions(position, at.actor, _main_direction((at.x, at.y), at.to))


_WAYS = {(1, 0): "right", (0, 1): "down", (-1, 0): "left", (0, -1): "up"}


def _swipe_actions(position: Position, name: str | None, direction: tuple[int, int]) -> tuple[str, ...]:
    """Return the action that leads a robot in a direction of the board, or turns it there; perhaps a refused one."""
    robot, way = name or position.level.names[0], _WAYS.get(direction)
    for action in position.level.all_actions():
        if position.level.owner(action) == robot and dialogue.seen(position, action).way == way:
            return (str(action),)
    return ()


def _drag_actions(position: Position, name: str, to: tuple[int, int]) -> tuple[str, ...]:
    """Return the robot's walk to a cell, or else its step or turn in the direction of the drag."""
    ends = actions_at_mark(position, PointedCell(*to, actor=name))
    walks = ends or _straight_walks(position, name, to)
    return walks[:1] or _swipe_actions(position, name, _main_direction(position.cell(name), to))


def _straight_walks(position: Position, name: str, to: tuple[int, int]) -> tuple[str, ...]:
    """Return the robot's walk straight to a cell, also one that the board refuses: then the player learns why."""
    if name not in position.level.names or position.won:
        return ()
    x, y = position.cell(name)
    way, length = _WAYS.get(_main_direction((x, y), to)), abs(to[0] - x) + abs(to[1] - y)
    if to not in ((x, to[1]), (to[0], y)):
        return ()
    return tuple(
        str(action)
        for action in position.level.all_actions()
        if isinstance(action, Walk) and action.robot == name and abs(action.dx) + abs(action.dy) == length
        if dialogue.seen(position, action).way == way
    )


def _main_direction(origin: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """Return the main direction from a cell to another; (0, 0) without one."""
    right, down = end[0] - origin[0], end[1] - origin[1]
    if abs(right) == abs(down):
        return 0, 0
    return (sign(right), 0) if abs(right) > abs(down) else (0, sign(down))


def private(event: object) -> str | None:
    """Return the only robot that may see an event: hints are private (R19)."""
    return event.robot if isinstance(event, HintGiven) else None


def goal(level: Level) -> str:
    """Return the task, how each robot moves (R10, R11), and what question marks are for (R19)."""
    names = {rule: [robot.name for robot in level.robots if robot.rule is rule] for rule in Rule}
    steps = _with_verb(names[Rule.A], "step")
    walks = _with_verb(names[Rule.B], "turn")
    has_hints = any(tile.kind is Kind.HINT for row in level.tiles for tile in row)
    whispers = " Question marks tell a robot where home is." if has_hints else ""
    return f"The first robot home wins. {steps} in all four directions; {walks[0].lower()}{walks[1:]} and can only go ahead.{whispers}"


def _with_verb(names: Sequence[str], verb: str) -> str:
    """Return robots with what they do: "Robot a turns"."""
    return f"Robot {names[0]} {verb}s" if len(names) == 1 else f"Robots {join_names(names)} {verb}"


LOOK = Look(
    invitation="Race your robot home over conveyor belts. You can block the others, but free cells must join each to its home: the first one home wins.",
    order=4,
    board=board,
    actors_help="the level's robots, and nature for the exchange of tiles",
    size=size,
    pictures=PICTURES,
    counts=counts,
    tally=Tally(RaceTally(), RaceTally.after),
    words=words,
    marks=marks,
    pointed=actions_at,
    private=private,
    seen=dialogue.seen,
    seen_event=seen_event,
    spoken_counts=spoken_counts,
    dialogue=dialogue.dialogue,
    place=dialogue.place,
    goal=goal,
    turns="There are no turns: each robot may ask at any time.",
    reason=dialogue.reason,
    keys_of=keys_of,
    keys={
        **_name_keys("a", _STEPS),
        **_name_keys("b", {key: _TURNS[key] for key in "0123rte"}),
        "x": "exchange",
    },
    gestures="Click a circle to step there, drag a robot, or swipe anywhere. A click on a robot chooses it; a second click turns it right, if it turns.",
    welcome="Robots race home over conveyor belts: the first one home wins.",
    prompt="a request such as a:walk(1,0) or b:rotate(90), or exchange",
    won="Fireworks!",
    completed="finished",
    winners=lambda position: position.winners if len(position.level.robots) > 1 else (),
)
