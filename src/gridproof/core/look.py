"""How a game looks and is handled, as data: every front end reads it, no game draws.

A board is rows (the top one first) of cells; a cell is a pile of pieces, the bottom one first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gridproof.core.position import Outcome

SHAPES = (
    "floor",  # the empty square
    "ground",  # what lies around the board's floor, hardly to be seen
    "wall",  # a square that joins with its neighbours of the same shape
    "square",  # a square with round corners, `text` on it
    "disc",  # a round thing, `text` on it
    "ring",  # a marked place
    "star",
    "home",  # a house-like place, `text` on it
    "person",
    "robot",  # heads where `turn` says
    "box",
    "bomb",
    "belt",  # runs where `turn` says
    "arrow",  # points where `turn` says
    "question",
    "cross",  # broken, never free
    "quarters",  # a square cut by its diagonals: colours are up, right, down, left
    "screws",  # four screws in the corners
    "light",  # a lamp: bright in its first colour
    "fireworks",
    "explosion",
)
"""What pictures can draw. A piece names one of them."""

COLOURS = (
    "floor", "dark", "light", "grey", "blue", "red", "green", "yellow", "orange", "purple", "brown",
)  # fmt: skip
"""Names of the palette; front ends choose shades for light and dark. "#rrggbb" is taken as it is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing on a cell."""

    name: str
    """In words, for people and screen readers: "box on a depot"."""
    glyph: str
    """In a board of text; the top piece that has one is shown."""
    shape: str
    """One of SHAPES."""
    colours: tuple[str, ...] = ("grey",)
    """Names of COLOURS or "#rrggbb"."""
    text: str = ""
    """Written on it."""
    turn: int = 0
    """Degrees clockwise from pointing right: 0, 90, 180 or 270."""


Cell = tuple[Piece, ...]
Board = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece that belongs to an action about to be done, on the board or just outside it."""

    x: int
    """Columns from the left; -1 and the width lie beside the board."""
    y: int
    """Rows from the top; -1 and the height lie above and below the board."""
    piece: Piece


def no_marks(position: Any, action: Any) -> tuple[Mark, ...]:
    """Marks of a game that has none."""
    return ()


def nothing_beside(position: Any) -> tuple[Piece, ...]:
    """The default of `beside`: no pieces beside the board."""
    return ()


def count_actions(position: Any, tally: int) -> tuple[tuple[str, str], ...]:
    """The one count that every game has."""
    return (("actions", str(tally)),)


@dataclass(frozen=True, slots=True)
class Tally:
    """A running count of what was done, kept beside the position: each outcome makes a new value of it.

    So to show a board takes as long after 100,000 actions as at the start.
    """

    start: Any = 0
    """Before the first action."""
    add: Callable[[Any, Outcome[Any]], Any] = lambda tally, outcome: tally + 1
    """What it is after one more outcome; the value before stays as it is."""

    def of(self, done: Iterable[Outcome[Any]]) -> Any:
        """What it is after all of these."""
        return functools.reduce(self.add, done, self.start)


def for_all(event: object) -> str | None:
    """Whom an event is for, of a game that has no secrets."""
    return None


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where a player has pointed to, in columns and rows as of `Mark`."""

    x: int
    y: int
    to: tuple[int, int] | None = None
    """Where to something was dragged."""
    actor: str | None = None
    """Whose player it was, of several."""


def pointed_marks(position: Any, pointed: Pointed) -> tuple[str, ...]:
    """The action with a mark there, if it is the only one: what pointing means by default."""
    if pointed.to is not None:
        return ()
    level, marks = position.level, position.level.game.look.marks
    found = {
        str(action)
        for action in position.actions()
        if any((mark.x, mark.y) == (pointed.x, pointed.y) for mark in marks(position, action))
        and (pointed.actor is None or level.owner(action) == pointed.actor)
    }
    return tuple(found) if len(found) == 1 else ()


def pointed_arrows(position: Any, pointed: Pointed) -> tuple[str, ...]:
    """The action of an arrow key by the way a thing was dragged, or by where it lies from the board's middle."""
    board = position.level.game.look.board(position)
    if pointed.to is None:
        right, down = 2 * pointed.x + 1 - len(board[0]), 2 * pointed.y + 1 - len(board)
    else:
        right, down = pointed.to[0] - pointed.x, pointed.to[1] - pointed.y
    if abs(right) == abs(down):
        return ()
    way = ("left", "right")[right > 0] if abs(right) > abs(down) else ("up", "down")[down > 0]
    return (position.level.game.look.keys[way],)


class Motion(NamedTuple):
    """What an action has moved: pieces of a cell, to another. Either may lie one cell outside the board."""

    pieces: Cell
    """As they were before."""
    origin: tuple[int, int]
    to: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pictures:
    """What draws a game in notebooks."""

    svg: Callable[[Any], str]
    """A position."""
    film: Callable[[Any], str]
    """A trace."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """The data of one game."""

    board: Callable[[Any], Board]
    """The board of a position."""
    row: Callable[[Any, int], int] = lambda position, below: below
    """The game's own number of the row that lies so many rows below the top one, of a position's board."""
    counts: Callable[[Any, Any], tuple[tuple[str, str], ...]] = count_actions
    """What a player is told besides the board: (word, value), of a position and the tally of what was done."""
    tally: Tally = field(default_factory=Tally)
    """By itself the number of actions."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key -> text of an action; keys by the names "up", "left", "space", "a"."""
    keys_of: Callable[[Any, str], Mapping[str, str]] | None = None
    """The keys of one of several actors on a level; where there is none, `keys` are everybody's."""
    pointed: Callable[[Any, Pointed], tuple[str, ...]] = pointed_marks
    """The texts of the actions that are meant in a position when a player points somewhere; () for none."""
    private: Callable[[object], str | None] = for_all
    """The actor whose player alone learns of an event, such as a hint; None for all."""
    words: Callable[[Any], str] = str
    """An action in words."""
    marks: Callable[[Any, Any], tuple[Mark, ...]] = no_marks
    """What shows an action about to be done in a position."""
    motions: Callable[[Any, Any, Any], tuple[Motion, ...]] | None = None
    """What an action moves, of the position before, the action and its outcome. By default front ends compare the
    boards: that is right where no two things of the same shape and text move at once."""
    beside: Callable[[Any], tuple[Piece, ...]] = nothing_beside
    """What a position has besides its board, such as bombs: pictures draw it below."""
    pictures: Pictures | None = None
    """`gridproof.pictures.PICTURES`, or the game's own; without any, notebooks show positions and traces as text."""
    welcome: str = "Welcome!"
    prompt: str = "Your action"
    """What can be done, in a few words; front ends make a question of it."""
    won: str = "You have won!"
    """Said when a level is won; what the player may do then is for the front end to ask."""
    lost: str = "No action is left: you have lost."
    """Said when nothing can be done any more; again, what follows is for the front end to ask."""
    farewell: str = "Good-bye!"

    def heard(self, done: Sequence[Outcome[Any]], actor: str | None) -> tuple[Outcome[Any], ...]:
        """What came of actions as one actor's player learns of it; None: all of it."""
        if actor is None or self.private is for_all:
            return tuple(done)
        return tuple(self._heard(outcome, actor) for outcome in done)

    def private_words(self, outcome: Outcome[Any]) -> tuple[str, ...]:
        """What single actors alone learn of what came of an action, in words."""
        if self.private is for_all:
            return ()
        return tuple(str(event) for event in outcome.events if self.private(event) is not None)

    def _heard(self, outcome: Outcome[Any], actor: str) -> Outcome[Any]:
        events = tuple(event for event in outcome.events if self.private(event) in (None, actor))
        # a label tells what chance has brought, so what is secret as well
        return outcome if events == outcome.events else outcome._replace(events=events, label="")


NOTHING = Piece("nothing", " ", "floor", ("floor",))
"""What an empty pile shows."""


def top(cell: Cell) -> Piece:
    """The piece that a board of text shows: the highest with a glyph."""
    return next((piece for piece in reversed(cell) if piece.glyph), NOTHING)


def columns(board: Board) -> tuple[int, str]:
    """In a board of text: the width of a column, and what stands between two."""
    width = max((len(top(cell).glyph) for row in board for cell in row), default=1)
    return width, "" if width == 1 else " "


def board_text(board: Board) -> str:
    """A board in characters: each cell its top glyph, columns of one width."""
    width, gap = columns(board)
    return "".join(gap.join(top(cell).glyph.rjust(width) for cell in row).rstrip() + "\n" for row in board)
