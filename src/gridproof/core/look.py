"""Appearance and controls of a game as data: every front end reads it, no game draws.

A board is rows (the top one first) of cells; a cell is a pile of pieces, the bottom one first.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.outcome import Outcome
from gridproof.core.representation import Representable
from gridproof.core.text.phrases import join_names

SHAPES = (
    "floor",  # the empty square
    "ground",  # what lies around the board's floor: nothing is drawn
    "wall",  # a square that joins with its neighbours of the same shape
    "square",  # a square with round corners, `text` on it
    "disc",  # a round thing, `text` on it
    "ring",  # a marked place
    "circle",  # around a place, which stays in sight
    "star",
    "home",  # a house-like place, `text` on it
    "person",
    "robot",  # heads where `turn` says, and goes there alone
    "stepper",  # a robot that heads where `turn` says, and goes all ways
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
"""Shapes that pictures can draw. A piece names one of them."""

COLOURS = (
    "floor", "stone", "dark", "light", "grey", "blue", "red", "green", "yellow", "orange", "purple", "brown",
)  # fmt: skip
"""Names of the palette; front ends choose shades for light and dark. "#rrggbb" is taken as it is."""


class Piece(NamedTuple):
    """One thing on a cell."""

    name: str
    """Name for people and screen readers: "box on a depot"."""
    glyph: str
    """Characters in a board of text; the top piece that has one is shown."""
    shape: str
    """One of SHAPES."""
    colours: tuple[str, ...] = ("grey",)
    """Names of COLOURS or "#rrggbb"."""
    text: str = ""
    """Text on it."""
    turn: int = 0
    """Degrees clockwise from pointing right: 0, 90, 180 or 270."""


TURNS = (0, 90, 180, 270)
_HEX = re.compile("#[0-9a-f]{6}", re.IGNORECASE)


def check_piece(piece: Piece) -> None:
    """Check that every front end can draw a piece.

    GridproofError for an unknown shape or colour, as many colours as the shape cannot have, or another turn.
    """
    what = f"the piece {piece.name!r}"
    if piece.shape not in SHAPES:
        raise GridproofError(f"{what} has an unknown shape, {piece.shape!r}; choose from {', '.join(SHAPES)}")
    if piece.turn not in TURNS:
        raise GridproofError(f"{what} is turned by {piece.turn}: it can be {', '.join(map(str, TURNS))}")
    for colour in piece.colours:
        if colour not in COLOURS and not (isinstance(colour, str) and _HEX.fullmatch(colour)):
            known = f"{', '.join(COLOURS)}, or #rrggbb"
            raise GridproofError(f"{what} has an unknown colour, {colour!r}; choose from {known}")
    if piece.shape == "quarters" and len(piece.colours) != 4:
        raise GridproofError(f"{what} has {len(piece.colours)} colours: quarters need 4")
    if not piece.colours:
        raise GridproofError(f"{what} has no colour")


Cell = tuple[Piece, ...]
Board = tuple[tuple[Cell, ...], ...]


class Mark(NamedTuple):
    """A piece that belongs to an action about to be done, on the board or just outside it."""

    x: int
    """Columns from the left; -1 and the width lie beside the board."""
    y: int
    """Rows from the top; -1 and the height lie above and below the board."""
    piece: Piece


def no_marks(position: Any, action: Any) -> tuple[Mark, ...]:
    """Default of `marks`: none."""
    return ()


def count_actions(position: Any, tally: int) -> tuple[tuple[str, str], ...]:
    """Return the count that every game has."""
    return (("actions", str(tally)),)


@dataclass(frozen=True, slots=True)
class Tally:
    """A running count of actions, kept beside the position: each outcome makes a new value of it.

    Showing a board takes as long after 100,000 actions as at the start.
    """

    start: Any = 0
    """Value before the first action."""
    add: Callable[[Any, Outcome[Any]], Any] = lambda tally, outcome: tally + 1
    """The value after one more outcome; the value before stays as it is."""

    def of(self, done: Iterable[Outcome[Any]]) -> Any:
        """Return the value after all of these outcomes."""
        return functools.reduce(self.add, done, self.start)


def no_owner(event: object) -> str | None:
    """Default of `private`: every event is for all."""
    return None


@dataclass(frozen=True, slots=True)
class PointedCell:
    """A cell that a player has pointed to, in columns and rows as of `Mark`."""

    x: int
    y: int
    to: tuple[int, int] | None = None
    """End of a drag."""
    actor: str | None = None
    """The actor of the player, of several."""


def actions_at_mark(position: Any, pointed: PointedCell) -> tuple[str, ...]:
    """Return the actions with a mark there, each once; of several with the same effect, the first one."""
    if pointed.to is not None:
        return ()
    level, marks = position.level, position.level.game.look.marks
    found = {
        str(action): action
        for action in position.actions()
        if any((mark.x, mark.y) == (pointed.x, pointed.y) for mark in marks(position, action))
        and (pointed.actor is None or level.owner(action) == pointed.actor)
    }
    if len(found) < 2:
        return tuple(found)
    first: dict[object, str] = {}
    for text, action in found.items():
        effect = tuple((outcome.position, outcome.probability) for outcome in position.outcomes(action))
        first.setdefault(effect, text)
    return tuple(first.values())


def point_at_mark(position: Any, pointed: PointedCell) -> tuple[str, ...]:
    """Return the action with a mark there, if it is the only one: the default of `pointed`."""
    found = actions_at_mark(position, pointed)
    return found if len(found) == 1 else ()


def point_by_arrow(position: Any, pointed: PointedCell) -> tuple[str, ...]:
    """Return the action of an arrow key in the direction of a drag, or of a cell from the board's middle."""
    board = position.level.game.look.board(position)
    if pointed.to is None:
        right, down = 2 * pointed.x + 1 - len(board[0]), 2 * pointed.y + 1 - len(board)
    else:
        right, down = pointed.to[0] - pointed.x, pointed.to[1] - pointed.y
    if abs(right) == abs(down):
        return ()
    way = ("left", "right")[right > 0] if abs(right) > abs(down) else ("up", "down")[down > 0]
    return (position.level.game.look.keys[way],)


def nothing_there(position: Any, pointed: PointedCell) -> str:
    """Default of `pointed_in_vain`."""
    return "Nothing can be done there"


class Numbers(NamedTuple):
    """The numbers by which people name the rows and columns of a board."""

    rows: Sequence[int]
    """Numbers of the rows, from the top."""
    columns: Sequence[int]
    """Numbers of the columns, from the left."""


class Motion(NamedTuple):
    """A move of pieces from a cell to another. Either may lie one cell outside the board."""

    pieces: Cell
    """The pieces before the move."""
    origin: tuple[int, int]
    to: tuple[int, int]


ON_BOARD, OWN = "board", "own"
"""Frames of directions: those of the board, or those of an actor that has directions of its own.

Players choose one. Documents, files and lines of text have an actor's own.
"""


class Seen(NamedTuple):
    """An action as the board shows it, of an actor with directions of its own."""

    way: str
    """"up", "down", "left" or "right": where the action leads, or where the actor faces after it; "" for neither."""
    words: str
    """The action in words, in directions of the board."""


class Dialogue(NamedTuple):
    """A request of an actor with its answers, as people would say them."""

    asker: str
    question: str
    """The request in directions of the board."""
    own: str
    """The request in the actor's own directions."""
    answers: tuple[str, ...]
    cells: tuple[tuple[int, int], ...] = ()
    """Cells that the answers name, as column and row from 0; pages outline them."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Functions that draw a game in notebooks."""

    svg: Callable[[Any], str]
    """A position."""
    film: Callable[[Any], str]
    """A trace."""


@dataclass(frozen=True, kw_only=True)
class Look(Representable):
    """The data of one game."""

    board: Callable[[Any], Board]
    """The board of a position."""
    size: Callable[[Any], tuple[int, int]] | None = None
    """The columns and rows of the board of a position, of a game that knows them without drawing it."""
    numbers: Callable[[Any], Numbers] | None = None
    """The numbers of the rows and columns of a position's board: front ends show them at its edge, and name rows and
    columns so. Where there are none, both are counted from 1, from the upper left, and not shown."""
    counts: Callable[[Any, Any], tuple[tuple[str, str], ...]] = count_actions
    """Counts beside the board as (word, value), of a position and the tally of its actions."""
    tally: Tally = field(default_factory=Tally)
    """Running count; by default the number of actions."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key -> text of an action; keys by the names "up", "left", "space", "a"."""
    keys_on: Callable[[Any], Mapping[str, str]] | None = None
    """The keys of a level, where they depend on it; where there is none, `keys`."""
    keys_of: Callable[[Any, str], Mapping[str, str]] | None = None
    """The keys of one of several actors on a level; where there is none, `keys` are everybody's."""
    pointed: Callable[[Any, PointedCell], tuple[str, ...]] = point_at_mark
    """The texts of the actions that are meant in a position when a player points somewhere; () for none. Then the
    player chooses among the actions with a mark there, if there are several."""
    pointed_in_vain: Callable[[Any, PointedCell], str] = nothing_there
    """Why a player who points somewhere means no action, without a full stop: pages without a server let the piece on top
    decide."""
    actors_help: str = "one player"
    """The actors of the game's levels, in a few words."""
    private: Callable[[object], str | None] = no_owner
    """The actor whose player alone learns of an event, such as a hint; None for all."""
    words: Callable[[Any], str] = str
    """An action in words."""
    words_on: Callable[[Any, Any], str] | None = None
    """An action of a level in words, where they depend on the level; where there is none, `words`."""
    marks: Callable[[Any, Any], tuple[Mark, ...]] = no_marks
    """Marks for an action about to be done in a position."""
    motions: Callable[[Any, Any, Any], tuple[Motion, ...]] | None = None
    """Moves of pieces, of the position before, the action and its outcome. By default front ends compare the
    boards: that is right where no two things of the same shape and text move at once."""
    seen: Callable[[Any, Any], Seen] | None = None
    """An action in directions of the board, of a position and the action: for a game whose actors have directions of
    their own. Front ends let keys and buttons move so; where there is none, `keys` and `words` do already."""
    seen_event: Callable[[Any, object], str] | None = None
    """A private event in directions of the board, of the position after it; where there is none, its text."""
    spoken_counts: Callable[[Any, Any, str], tuple[tuple[str, str], ...]] | None = None
    """Counts as players read them in a frame, `ON_BOARD` or `OWN`; where there is none, `counts`."""
    dialogue: Callable[[Any, Any, Outcome[Any] | None], Dialogue] | None = None
    """Request and answers of an action, of the position before and its outcome; None as outcome: it is refused, and
    front ends add the reason. It must not tell what is `private`."""
    place: Callable[[Any, str], tuple[int, int] | None] | None = None
    """The column and row of an actor's piece in a position: front ends make the player's own piece stand out."""
    turns: str = ""
    """Sentence for several players about who may act when; "" for a game of one."""
    reason: Callable[[Any], str] = lambda position: ""
    """Why a won position is won, in a sentence: which of several actors was first; "" where it is plain."""
    beside: Callable[[Any], tuple[Piece, ...]] = lambda position: ()
    """Pieces of a position besides its board, such as bombs: pictures draw them below."""
    confirmed: Callable[[Any], bool] = lambda action: False
    """Test for actions before which front ends ask, since they use up something beside the board."""
    pictures: Pictures | None = None
    """`gridproof.pictures.PICTURES`, or the game's own; without any, notebooks show positions and traces as text."""
    invitation: str = ""
    """A sentence that makes people want to play it; by default lists of games show the meaning."""
    order: int = 1000
    """Place in lists of games for people, the lowest first: those that most people know; plug-ins come last."""
    gestures: str = "Click what can be done on the board."
    """Instructions for mouse and fingers, in one or two sentences."""
    welcome: str = "Welcome!"
    goal: Callable[[Any], str] = lambda level: ""
    """Task of a player on a level, in a sentence; "" for the meaning of the game."""
    next_goal: Callable[[Any], str] = lambda position: ""
    """Task of a player in a won position of a game that goes on, in a sentence; "" for that of the level."""
    prompt: str = "Your action"
    """Form of the actions, in a few words; front ends make a question of it."""
    won: str = "You have won!"
    """Message of a win; the front end offers what to do next."""
    won_as: Callable[[Any], str] | None = None
    """Message of a win that depends on the position, in place of `won`."""
    winners: Callable[[Any], tuple[str, ...]] = lambda position: ()
    """Winners among several actors, of a position that is won; () where it is nobody's own win."""
    lost: str = "No action is left: you have lost."
    """Message when no action is possible any more; again, the front end offers what to do next."""
    over: Callable[[Any], str] = lambda position: "You have won, and no action is left."
    """Message when no action is possible any more after a win, of the position."""
    completed: str = "solved"
    """A completed level in a word: where others may have won it, it is not the player who solved it."""
    farewell: str = "Good-bye!"

    def __str__(self) -> str:
        """Return the welcome, the actions, and the keys."""
        keys = ", ".join(f"{key} {action}" for key, action in self.keys.items())
        return "\n".join([self.welcome, f"actions: {self.prompt}", *([f"keys: {keys}"] if keys else [])])

    def _summary(self) -> str:
        return f"<Look: {self.prompt}>"

    def board_with_numbers(self, position: Any) -> Board:
        """Return the board with the numbers of its rows and columns, if any, as cells above it and to its left."""
        board = self.board(position)
        if self.numbers is None:
            return board
        rows, columns = self.numbers(position)
        above = ((), *map(_edge, map(str, columns)))
        return (above, *((_edge(f"{row} "), *cells) for row, cells in zip(rows, board, strict=True)))

    def row_number(self, position: Any, below: int) -> int:
        """Return the number of the row that lies `below` rows below the top one."""
        return below + 1 if self.numbers is None else self.numbers(position).rows[below]

    def column_number(self, position: Any, right: int) -> int:
        """Return the number of the column that lies `right` columns right of the first one."""
        return right + 1 if self.numbers is None else self.numbers(position).columns[right]

    def place_in_words(self, position: Any, cell: Sequence[int]) -> str:
        """Return a cell by the numbers beside the board: "row 2, column 5"."""
        x, y = cell
        return f"row {self.row_number(position, y)}, column {self.column_number(position, x)}"

    def describe(self, level: Any, action: Any) -> str:
        """Return an action of a level in words."""
        return self.words(action) if self.words_on is None else self.words_on(level, action)

    def describe_in(self, position: Any, action: Any, frame: str) -> str:
        """Return an action in a position in words, in directions of a frame."""
        if self.seen is None or frame == OWN:
            return self.describe(position.level, action)
        return self.seen(position, action).words

    def counts_in(self, position: Any, tally: Any, frame: str) -> tuple[tuple[str, str], ...]:
        """Return the counts as players read them, in directions of a frame."""
        if self.spoken_counts is None:
            return self.counts(position, tally)
        return self.spoken_counts(position, tally, frame)

    def win_text(self, position: Any) -> str:
        """Return the message of a won position, with the winners among several actors."""
        won, winners = self.won_as(position) if self.won_as else self.won, self.winners(position)
        return f"{won} The winner is {join_names(winners)}." if winners else won

    def filter_outcomes(self, done: Sequence[Outcome[Any]], actor: str | None) -> tuple[Outcome[Any], ...]:
        """Return outcomes with the events that one actor's player learns of; None: with all."""
        if actor is None or self.private is no_owner:
            return tuple(done)
        return tuple(self._filter_events(outcome, actor) for outcome in done)

    def private_texts(self, outcome: Outcome[Any], frame: str = OWN) -> tuple[str, ...]:
        """Return the texts of an outcome's events that single actors alone learn of, in directions of a frame."""
        if self.private is no_owner:
            return ()
        events = [event for event in outcome.events if self.private(event) is not None]
        seen = self.seen_event
        if seen is None or frame == OWN:
            return tuple(map(str, events))
        return tuple(seen(outcome.position, event) for event in events)

    def _filter_events(self, outcome: Outcome[Any], actor: str) -> Outcome[Any]:
        events = tuple(event for event in outcome.events if self.private(event) in (None, actor))
        # a label shows the result of chance, so secrets as well
        return outcome if events == outcome.events else outcome._replace(events=events, label="")


NOTHING = Piece("nothing", " ", "floor", ("floor",))
"""The piece that an empty pile shows."""


def _edge(text: str) -> Cell:
    return (Piece(text.strip(), text, "floor", ("grey",)),)


def top(cell: Cell) -> Piece:
    """Return the piece that a board of text shows: the highest with a glyph."""
    return next((piece for piece in reversed(cell) if piece.glyph), NOTHING)


def columns(board: Board) -> tuple[int, str]:
    """Return the width of a column in a board of text, and the gap between two."""
    width = max((len(top(cell).glyph) for row in board for cell in row), default=1)
    return width, "" if width == 1 else " "


def board_text(board: Board) -> str:
    """Return a board in characters: each cell its top glyph, columns of one width."""
    width, gap = columns(board)
    return "".join(gap.join(top(cell).glyph.rjust(width) for cell in row).rstrip() + "\n" for row in board)
