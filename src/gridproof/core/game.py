"""Game: its name, formats, look, policy, propositions and measures."""

from __future__ import annotations

import enum
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn, Self

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import is_module
from gridproof.core.look import Look
from gridproof.core.outcome import Outcome
from gridproof.core.text.phrases import join_actions, split_actions


def _level_text(level: Any) -> str:
    return str(level.text())


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules of sessions where games differ."""

    act_after_win: bool = False
    """True if actions are possible in a won position (2048 goes on; T11)."""
    next_level_after_win: bool = False
    """True if a win moves on to the next level (sokoban; K16)."""
    undo_after_win: bool = True
    """True if a won game may be undone (not in sokoban; K17)."""
    keeps_score: bool = False
    """True if rewards add up to a score worth a high score."""
    score_key: Callable[[Any], str] = _level_text
    """Levels with the same key share a high score."""


class Claim(enum.IntEnum):
    """Certainty of a format that a text is its own; of several claims the highest counts."""

    NONE = 0
    PART = 1
    """Some of its lines have the form: this counts only where no other format claims the text."""
    FORM = 2
    """All of it has the form."""
    MARK = 3
    """The text begins with a mark that no other format has, such as a first line with the game's name."""


def _refuse(*_: object) -> NoReturn:
    raise GridproofError("this format has no texts of single levels and positions")


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of a game, recognised by content."""

    name: str
    """A short name without spaces: "xsb"."""
    extensions: tuple[str, ...]
    """Endings of file names, with the dot; the first is the usual one."""
    meaning: str
    """One line about it."""
    recognises: Callable[[str], bool | Claim]
    """Claim on a text, also on a broken one; True is Claim.FORM."""
    read: Callable[[str], Any]
    """The `Pack` of the levels of a text; raises ParseError or InvalidLevel. With `gridproof.core.text.pack.PackBuilder` it
    lists all broken levels, and those that are valid can be used."""
    write: Callable[[Any], str] | None = None
    """The text of a pack, such that reading it gives the pack back."""
    write_level: Callable[[Any], str] = _refuse
    """The text of one level. This and what follows are what `Level` and `Position` use of a game's first format."""
    write_position: Callable[[Any], str] = _refuse
    """The canonical text of a position."""
    read_position: Callable[[Any, str], Any] = _refuse
    """The position of a level that a text shows; raises ParseError, or GridproofError when it is of another."""
    read_midgame: Callable[[str], Any] | None = None
    """Reads a mid-game position on a level that starts there; without it, a level is read."""
    split_actions: Callable[[str], list[str]] = split_actions
    """Splits a text of several actions into texts of single ones; raises ParseError."""
    join_actions: Callable[[Any], str] = join_actions
    """Joins the actions of a trace, as `split_actions` reads them (sokoban: LURD)."""

    def claim(self, text: str) -> Claim:
        """Return the claim of this format on a text."""
        answer = self.recognises(text)
        return Claim.FORM if answer is True else Claim(answer)


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement or a number about a position, usable in goals and formulas."""

    name: str
    parameters: tuple[str, ...]
    """The names of its arguments, for people: ("x", "y")."""
    meaning: str
    """One line."""
    value: Callable[..., bool | int]
    """A function of the position and the arguments (whole numbers, or names as str).

    It raises GridproofError for arguments that mean nothing on the level.
    """
    number: bool = False
    """True if its value is a number."""
    optional: int = 0
    """Number of last arguments that may be left out: `won` and `won(a)`."""
    bound: Callable[..., int] | None = None
    """Lower bound of the number of actions until it holds, luck helping: a function like `value`.
    At least 0, and 0 where it holds. With one, A* finds fewest actions."""
    chance: Callable[..., Fraction] | None = None
    """Upper bound of the probability that it ever holds within so many actions, whatever is done: a function of the position,
    the number of actions and the arguments."""
    where: Callable[..., Iterable[Any]] | None = None
    """All positions of a level in which it holds, when they are few: a function of the level and the
    arguments. With it and `Game.predecessors`, fewest actions are searched for from both ends."""
    never: Callable[..., str] | None = None
    """Reason why no position in which it holds can be reached from a given one, in a few words without a full stop; ""
    when the reason is unknown. A function like `value`, called only when it has been proved."""
    final: bool = False
    """True if no player can do anything in a position where it holds."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A cost of solutions, which can be minimised."""

    name: str
    """"pushes"."""
    meaning: str
    cost: Callable[[Any, Any, Outcome[Any]], int]
    """Cost of an action in a position with an outcome: a whole number of at least 0."""
    parts: tuple[Measure, ...] = ()
    """Measures in lexicographic order: the first, and the one that decides between equals."""


def one_player(level: Any) -> tuple[str, ...]:
    """Return the actors of a game for one player."""
    return ("player",)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A puzzle: its name, formats and rules; it adds all else by extensions (`gridproof.core.extension`)."""

    name: str
    """Name in commands and files: "sokoban"."""
    title: str
    """Name for people: "Extended Sokoban"."""
    meaning: str
    """One line about the puzzle."""
    package: str
    """Its Python package: its extensions are modules there, its level packs the files in the folder `levels`."""
    formats: tuple[Format, ...]
    """Formats; the first is its own, in which `Level.text` writes."""
    look: Look
    """Its appearance and controls: data that every front end reads."""
    first_pack: str = ""
    """The pack to begin with, which the game's name alone means; by default the first by the alphabet."""
    policy: Policy = Policy()
    actors: Callable[[Any], tuple[str, ...]] = one_player
    """Actors of a level; NATURE among them where chance is an act of its own."""
    propositions: tuple[Proposition, ...] = ()
    """Its own propositions; every game also has those of `gridproof.core.proposition`."""
    measures: tuple[Measure, ...] = ()
    """Its own measures, the easiest to minimise last; every game also has "actions"."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The clauses of its rules, number -> one line; for its documentation and tests."""
    predecessors: Callable[[Any], Iterable[Any] | None] | None = None
    """All positions from which an action of a player can lead to a position; they need not be reachable. It gives
    None on levels where they are too many. A kernel with `SearchKernel.predecessors` needs it, too."""
    kernel: str = ""
    """The module with its rules on packed words: by default `kernel` in its package; "" when there is none."""
    generate: str = ""
    """The module that makes new levels: by default `generator` in its package; "" when there is none."""

    def __post_init__(self) -> None:
        for name, module in (("kernel", "kernel"), ("generate", "generator")):
            usual = f"{self.package}.{module}"
            if not getattr(self, name) and self.package and is_module(usual):
                object.__setattr__(self, name, usual)

    @property
    def own_format(self) -> Format:
        """The first of its formats, in which `Level.text` writes."""
        return self.formats[0]

    def __repr__(self) -> str:
        return f"gridproof.game({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return pkgutil.resolve_name, (f"{self.package}:GAME",)

    def __deepcopy__(self, memo: object) -> Self:
        return self
