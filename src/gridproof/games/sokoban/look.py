"""The look and the controls of extended Sokoban."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeVar

from gridproof.core.distances import distances, neighbours, shortest_path
from gridproof.core.look import Board, Look, Piece, PointedCell, Tally, nothing_there, point_by_arrow
from gridproof.core.position import Outcome, cache_on_level
from gridproof.games.sokoban.rules import STEPS, Action, Bombed, Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell
from gridproof.pictures import PICTURES

FLOOR = Piece("floor", " ", "floor", ("floor",))
OUTSIDE = Piece("floor outside the walls", " ", "ground", ("grey",))
WALL = Piece("wall", "#", "wall", ("stone",))
DEPOT = Piece("depot", ".", "ring", ("red",))
BOX = Piece("box", "$", "box", ("brown",))
PLACED_BOX = Piece("box on a depot", "*", "box", ("brown", "green"))
PLAYER = Piece("player", "@", "person", ("blue",))
PLAYER_ON_DEPOT = Piece("player on a depot", "+", "person", ("blue",))


@cache_on_level
def outer_floor(level: Level) -> frozenset[Cell]:
    """Return the floor that is connected with the grid's border, but with no player, box or depot."""
    width, height = level.size
    columns, rows, walls = range(width), range(height), level.walls

    def beside(cell: Cell) -> Iterator[Cell]:  # those of the level are cached
        return (to for to in neighbours(cell) if to not in walls and to[0] in columns and to[1] in rows)

    inside = distances({level.player, *level.boxes, *level.depots}, beside)
    border = {*product(columns, (0, height - 1)), *product((0, width - 1), rows)}
    return frozenset(distances(border - walls - inside.keys(), beside))


class _Ground:
    """Floor, walls and depots, which pushes do not change, and the last drawn boxes."""

    def __init__(self, level: Level, walls: frozenset[Cell]) -> None:
        (width, height), outer, self._depots = level.size, outer_floor(level), level.depots
        self._rows: Board = tuple(
            tuple(_pieces((x, y) in outer, (x, y) in walls, (x, y) in level.depots) for x in range(width))
            for y in range(height)
        )
        self._latest: tuple[frozenset[Cell], Board] = frozenset(), self._rows

    def draw_boxes(self, boxes: frozenset[Cell]) -> Board:
        """Return the board without the player; the work grows with the boxes that moved since the last call."""
        before, board = self._latest
        if boxes is not before:
            moved = boxes ^ before
            rows = {y: [*board[y]] for y in {y for _, y in moved}}
            for x, y in moved:
                box = PLACED_BOX if (x, y) in self._depots else BOX
                ground = self._rows[y][x]
                rows[y][x] = (*ground, box) if (x, y) in boxes else ground
            board = tuple(tuple(rows[y]) if y in rows else row for y, row in enumerate(board))
            self._latest = boxes, board
        return board


@functools.cache
def _pieces(is_outer: bool, wall: bool, depot: bool) -> tuple[Piece, ...]:
    return (OUTSIDE if is_outer else FLOOR, *[WALL] * wall, *[DEPOT] * depot)


MOST_GROUNDS = 64
"""Cached grounds of a level: each bomb makes another one."""


@cache_on_level
def _grounds(level: Level) -> dict[frozenset[Cell], _Ground]:
    """The grounds of a level, each by the walls that are left."""
    return {}


def _ground(level: Level, walls: frozenset[Cell]) -> _Ground:
    grounds = _grounds(level)
    found = grounds.get(walls)
    if found is None:
        if len(grounds) >= MOST_GROUNDS:
            grounds.clear()
        found = grounds[walls] = _Ground(level, walls)
    return found


def size(position: Position) -> tuple[int, int]:
    """The columns and rows of the grid."""
    return position.level.size


def board(position: Position) -> Board:
    """The whole grid (K4)."""
    level, (x, y) = position.level, position.player
    board = _ground(level, position.walls).draw_boxes(position.boxes)
    row = [*board[y]]
    row[x] += (PLAYER_ON_DEPOT if (x, y) in level.depots else PLAYER,)
    return (*board[:y], tuple(row), *board[y + 1 :])


def bomb_pieces(position: Position) -> tuple[Piece, ...]:
    """The bombs left, on a level that has any."""
    if not position.level.bombs:
        return ()
    left = position.bombs
    return (Piece(f"bombs left: {left}", "", "bomb", ("dark",) if left else ("grey",), str(left)),)


class ActionCounts(NamedTuple):
    """Numbers of moves (steps and pushes), pushes and used bombs."""

    moves: int = 0
    pushes: int = 0
    bombs: int = 0

    def add(self, outcome: Outcome[Any]) -> ActionCounts:
        """Return the counts with one more outcome."""
        events = [type(event) for event in outcome.events]
        bombs, pushes = events.count(Bombed), events.count(Pushed)
        return ActionCounts(self.moves + len(events) - bombs, self.pushes + pushes, self.bombs + bombs)


def counts(position: Position, tally: ActionCounts) -> tuple[tuple[str, str], ...]:
    """Moves and pushes; on a level with bombs also those used and those left (K22)."""
    bombs = (("bombs used", str(tally.bombs)), ("bombs left", str(position.bombs)))
    return (
        ("moves", str(tally.moves)),
        ("pushes", str(tally.pushes)),
        *(bombs if position.level.bombs else ()),
    )


def spoken_counts(position: Position, tally: ActionCounts, frame: str) -> tuple[tuple[str, str], ...]:
    """The counts in which a bomb is a move, as in verdicts and in the list of moves."""
    return counts(position, tally._replace(moves=tally.moves + tally.bombs))


def action_words(action: Action) -> str:
    """An action in words."""
    return "set off a bomb" if action is Action.BOMB else f"go {action}"


# -- the pointer: walks to a cell, drags of a box, steps in the direction of a swipe

S = TypeVar("S", bound=Hashable)

MOST = 50_000
"""The most places of player and box that a search visits; on the largest boards a box may need two drags."""


def pointer_actions(position: Position, at: PointedCell) -> tuple[str, ...]:
    """Return the shortest walk to a free cell, a push of the box beside the player, or the shortest drag of a box.

    Pointing at the bombs, which lie below the board's first cell, sets one off.
    """
    cell = (at.x, at.y)
    if at.to is None and cell == (0, position.level.size[1]):
        return (str(Action.BOMB),) if Action.BOMB in position.actions() else ()
    if cell in position.boxes:
        return _drag(position, cell, at.to) if at.to else _push(position, cell)
    if at.to is not None:
        return _swipe(position, at, at.to)
    return _walk(position, cell)


def pointed_in_vain(position: Position, at: PointedCell) -> str:
    """Say why a pointed cell means no action: how a box is moved, or that no way leads there."""
    cell = (at.x, at.y)
    if cell in position.boxes:
        return _drag_in_vain(position, cell, at.to) if at.to else "Drag the box to where it should go"
    columns, rows = position.level.size
    is_free = 0 <= at.x < columns and 0 <= at.y < rows and cell not in position.walls
    return "No way leads there" if is_free and cell != position.player else nothing_there(position, at)


def _drag_in_vain(position: Position, box: Cell, end: Cell) -> str:
    """Say why a box is not dragged to a cell: the search for a way moves no other box and sets off no bomb."""
    (columns, rows), has_others, has_bombs = position.level.size, len(position.boxes) > 1, position.bombs > 0
    if end in position.walls:
        return "A wall is there"
    if end in position.boxes - {box}:
        return "Another box is there"
    if end == box or (columns * rows - len(position.walls)) ** 2 > MOST:  # not all places are searched
        return "No way was found to bring the box there"
    if not has_others and not has_bombs:
        return "The box can never be brought there"
    others = "moving another box" if has_others else ""
    bombs = "setting off a bomb" if has_bombs else ""
    return f"No way there without {' or '.join(filter(None, (others, bombs)))}"


def _push(position: Position, box: Cell) -> tuple[str, ...]:
    x, y = position.player
    return tuple(str(action) for action, (dx, dy) in STEPS.items() if (x + dx, y + dy) == box)


def _swipe(position: Position, at: PointedCell, end: Cell) -> tuple[str, ...]:
    """Return the walk of a dragged player; else a step or push in the direction of the swipe."""
    arrows = point_by_arrow(position, at)
    step = [action for action in position.actions() if (str(action),) == arrows]
    (x, y), (dx, dy) = position.player, STEPS[step[0]] if step else (0, 0)
    walk = (at.x, at.y) == (x, y) and (x + dx, y + dy) not in position.boxes
    return (walk and _walk(position, end)) or tuple(map(str, step))


def _walk(position: Position, end: Cell) -> tuple[str, ...]:
    blocked = position.walls | position.boxes

    def steps(cell: Cell) -> Iterator[tuple[Action, Cell]]:
        for action, to, _ in position.level.neighbours[cell]:
            if to not in blocked:
                yield action, to

    return _shortest_actions(position.player, steps, lambda cell: cell == end)


def _drag(position: Position, box: Cell, end: Cell) -> tuple[str, ...]:
    """Return the fewest steps that bring one box to a cell, while the others stay."""
    blocked = position.walls | position.boxes - {box}

    def steps(at: tuple[Cell, Cell]) -> Iterator[tuple[Action, tuple[Cell, Cell]]]:
        player, here = at
        for action, to, behind in position.level.neighbours[player]:
            if to == here and behind is not None and behind not in blocked:
                yield action, (to, behind)
            elif to != here and to not in blocked:
                yield action, (to, here)

    return _shortest_actions((position.player, box), steps, lambda at: at[1] == end)


def _shortest_actions(
    start: S, steps: Callable[[S], Iterable[tuple[Action, S]]], is_end: Callable[[S], bool]
) -> tuple[str, ...]:
    path = shortest_path(start, steps, is_end, MOST)
    return tuple(map(str, path[0])) if path else ()


_BOMB_KEYS = {"b": "bomb", "space": "bomb", "!": "bomb"}
_ARROW_KEYS = {
    "up": "up", "down": "down", "left": "left", "right": "right",
    "w": "up", "s": "down", "a": "left", "d": "right",
    "k": "up", "j": "down", "h": "left", "l": "right",
}  # fmt: skip
_TO_DEPOTS = "Push every box onto a depot."
_WITH_BOMBS = f"{_TO_DEPOTS} A bomb deletes the walls of your row and column."

LOOK = Look(
    invitation="Push the boxes home, and never into a corner. Bombs open walls, and a proof warns you before it is too late.",
    order=2,
    board=board,
    size=size,
    pictures=PICTURES,
    counts=counts,
    tally=Tally(ActionCounts(), ActionCounts.add),
    spoken_counts=spoken_counts,
    pointed=pointer_actions,
    pointed_in_vain=pointed_in_vain,
    keys={**_ARROW_KEYS, **_BOMB_KEYS},
    keys_on=lambda level: {**_ARROW_KEYS, **(_BOMB_KEYS if level.bombs else {})},
    words=action_words,
    beside=bomb_pieces,
    confirmed=lambda action: action is Action.BOMB,
    gestures="Click where to go, drag a box to its place, or swipe to go a step. Where there is a bomb, a click on it shows what it would do; a second one sets it off.",
    welcome=_TO_DEPOTS,
    goal=lambda level: _WITH_BOMBS if level.bombs else _TO_DEPOTS,
    prompt="up, down, left, right or bomb",
    won="Every box stands on a depot: the level is completed.",
    lost="You can go nowhere and have no bomb left.",
)
