"""How extended Sokoban looks and is handled."""

from __future__ import annotations

import functools
from itertools import product
from typing import Any, NamedTuple

from gridproof.core.look import Board, Cell, Look, Piece, Tally
from gridproof.core.position import Outcome
from gridproof.games.sokoban.grid import walked
from gridproof.games.sokoban.pointing import pointed
from gridproof.games.sokoban.rules import Action, Bombed, Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell as Place
from gridproof.pictures import PICTURES

FLOOR = Piece("floor", " ", "floor", ("floor",))
OUTSIDE = Piece("floor outside the walls", " ", "ground", ("grey",))
WALL = Piece("wall", "#", "wall", ("dark",))
DEPOT = Piece("depot", ".", "ring", ("red",))
BOX = Piece("box", "$", "box", ("brown",))
PLACED_BOX = Piece("box on a depot", "*", "box", ("brown", "green"))
PLAYER = Piece("player", "@", "person", ("blue",))
PLAYER_ON_DEPOT = Piece("player on a depot", "+", "person", ("blue",))


@functools.lru_cache(maxsize=512)
def outside(level: Level) -> frozenset[Place]:
    """The floor outside a level's walls: connected with the grid's border, but not with anything that belongs inside."""
    width, height = level.size
    inside = walked(level, {level.player, *level.boxes, *level.depots}, level.walls)
    columns, rows = range(width), range(height)
    border = {*product(columns, (0, height - 1)), *product((0, width - 1), rows)}
    return frozenset(walked(level, border - level.walls - inside.keys(), level.walls))


@functools.lru_cache(maxsize=512)
def _ground(level: Level, walls: frozenset[Place]) -> Board:
    """Floor, walls and depots: they stay as they are while boxes are pushed."""
    (width, height), around = level.size, outside(level)

    def cell(place: Place) -> Cell:
        floor = OUTSIDE if place in around else FLOOR
        return (floor, *[WALL] * (place in walls), *[DEPOT] * (place in level.depots))

    return tuple(tuple(cell((x, y)) for x in range(width)) for y in range(height))


def board(position: Position) -> Board:
    """The whole grid (K4)."""
    depots, player = position.level.depots, position.player
    things = {place: PLACED_BOX if place in depots else BOX for place in position.boxes}
    things[player] = PLAYER_ON_DEPOT if player in depots else PLAYER
    ground = _ground(position.level, position.walls)
    rows = {y: [*ground[y]] for _, y in things}
    for (x, y), piece in things.items():
        rows[y][x] += (piece,)
    return tuple(tuple(rows[y]) if y in rows else row for y, row in enumerate(ground))


def beside(position: Position) -> tuple[Piece, ...]:
    """The bombs left, on a level that has any."""
    if not position.level.bombs:
        return ()
    left = position.bombs
    return (Piece(f"bombs left: {left}", "", "bomb", ("dark",) if left else ("grey",), str(left)),)


class Done(NamedTuple):
    """How many moves (steps and pushes) and pushes were made, and bombs used."""

    moves: int = 0
    pushes: int = 0
    bombs: int = 0

    def after(self, outcome: Outcome[Any]) -> Done:
        """With one more outcome."""
        events = [type(event) for event in outcome.events]
        used = events.count(Bombed)
        return Done(self.moves + len(events) - used, self.pushes + events.count(Pushed), self.bombs + used)


def counts(position: Position, tally: Done) -> tuple[tuple[str, str], ...]:
    """Moves, pushes, bombs used and bombs left (K22)."""
    return (
        ("moves", str(tally.moves)),
        ("pushes", str(tally.pushes)),
        ("bombs used", str(tally.bombs)),
        ("bombs left", str(position.bombs)),
    )


def words(action: Action) -> str:
    """An action in words."""
    return "set off a bomb" if action is Action.BOMB else f"go {action}"


LOOK = Look(
    board=board,
    pictures=PICTURES,
    counts=counts,
    tally=Tally(Done(), Done.after),
    pointed=pointed,
    keys={
        "up": "up", "down": "down", "left": "left", "right": "right",
        "w": "up", "s": "down", "a": "left", "d": "right",
        "k": "up", "j": "down", "h": "left", "l": "right",
        "b": "bomb", "space": "bomb", "!": "bomb",
    },
    words=words,
    beside=beside,
    welcome="Push every box onto a depot. A bomb deletes the walls of your row and column.",
    prompt="up, down, left, right or bomb",
    won="Every box stands on a depot: the level is completed.",
    lost="You can go nowhere and have no bomb left.",
)  # fmt: skip
