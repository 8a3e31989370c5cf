"""What a game is: its name, its texts, and what others may ask about its levels."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, Self

from gridproof.core.errors import GridproofError
from gridproof.core.loading import load
from gridproof.core.look import Look
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.wording import join_actions, split_actions

if TYPE_CHECKING:
    from gridproof.core.pack import Pack
    from gridproof.core.trace import Trace


@dataclass(frozen=True, slots=True)
class Policy:
    """What a session may do, where games differ."""

    act_after_win: bool = False
    """Whether one may act in a won position (2048 goes on; T11)."""
    next_level_after_win: bool = False
    """Whether a win moves on to the next level (sokoban; K16)."""
    undo_after_win: bool = True
    """Whether a won game may be undone (not in sokoban; K17)."""
    keeps_score: bool = False
    """Whether rewards add up to a score worth a high score."""


class Claim(enum.IntEnum):
    """How sure a format is that a text is its own; of several claims the highest counts."""

    NONE = 0
    PART = 1
    """Some of its lines have the form: this counts only where no other format claims the text."""
    FORM = 2
    """All of it has the form."""
    MARK = 3
    """It begins with a mark that no other format has, such as a first line with the game's name."""


def _not_written(*_: object) -> NoReturn:
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
    """Whether a text is meant to be of this format, though it may be broken; True is Claim.FORM."""
    read: Callable[[str], Pack]
    """The levels of a text; raises ParseError or InvalidLevel. With `gridproof.core.pack.Gathered` it
    lists all broken levels, and those that are valid can be used."""
    write: Callable[[Pack], str] | None = None
    """The text of a pack, such that reading it gives the pack back."""
    write_level: Callable[[Any], str] = _not_written
    """The text of one level. This and what follows are what `Level` and `Position` use of a game's first format."""
    write_position: Callable[[Any], str] = _not_written
    """The canonical text of a position."""
    read_position: Callable[[Any, str], Position[Any]] = _not_written
    """The position of a level that a text shows; raises ParseError, or GridproofError when it is of another."""

    def claim(self, text: str) -> Claim:
        """How surely a text is of this format."""
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
    """Whether its value is a number."""
    optional: int = 0
    """How many of the last arguments may be left out: `won` and `won(a)`."""
    bound: Callable[..., int] | None = None
    """A lower bound of how many actions are left until it holds, luck helping: a function like `value`.
    At least 0, and 0 where it holds. With one, A* finds fewest actions."""
    where: Callable[..., Iterable[Position[Any]]] | None = None
    """All positions of a level in which it holds, when they are few: a function of the level and the
    arguments. With it and `Game.predecessors`, fewest actions are searched for from both ends."""
    never: Callable[..., str] | None = None
    """Why no position in which it holds can be reached from a given one, in a few words without a full stop; ""
    when the reason is unknown. A function like `value`, called only when it has been proved."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A cost of solutions, which can be minimised."""

    name: str
    """"pushes"."""
    meaning: str
    cost: Callable[[Position[Any], Any, Outcome[Any]], int]
    """What doing an action in a position, with that outcome, costs: a whole number of at least 0."""


@dataclass(frozen=True, slots=True)
class Without:
    """A level without one of its pieces, for whoever asks whether that is needed."""

    piece: str
    """Which piece is gone, in words: "the box at (2, 1)"."""
    levels: tuple[Level, ...]
    """The level without it; several where it can be taken away in several ways, of which the best one counts."""
    place: tuple[int, int] | None = None
    """Where it stands on the board of the game's look: columns from the left, rows from the top."""


ANY = "any"
"""Where any solution will do: what a solver minimises then, among the names of measures."""


@dataclass(frozen=True, slots=True)
class Solver:
    """A game's own way to win a position, asked before the engines that all games have."""

    name: str
    """As in `--solver`: "fewest-pushes". No other engine of the game has it."""
    meaning: str
    """One line about it."""
    function: str
    """"package.module:function", imported when it is asked. Of a `gridproof.search.question.GoalQuestion`,
    which asks for a win of one position, it makes a `gridproof.search.solution.Solution`; or it raises
    `gridproof.search.refusal.Refused` with what keeps it from that."""
    measures: tuple[str, ...] = ("actions", ANY)
    """What it minimises, by name; ANY among them when it is asked where any solution will do."""
    optimal: bool = True
    """Whether it finds what costs least. One that does not is asked where any solution will do, and else
    only when it is chosen by name."""
    refuses: Callable[[Any, str], str] | None = None
    """Why it does not take a position by what is minimised, as far as is seen at once: "bombs cost it nothing";
    "" when it does."""


def _own_score(level: Level) -> str:
    return level.text()


def _nothing(level: Level) -> tuple[Without, ...]:
    return ()


def _itself(level: Level) -> Hashable:
    return level


def _function(modules: Mapping[str, str], name: str) -> Callable[..., Any] | None:
    """The function of a name in the module that a table has for it; None where it has none."""
    if name not in modules:
        return None
    function: Callable[..., Any] = getattr(load(modules[name]), name)
    return function


def one_player(level: Level) -> tuple[str, ...]:
    """The actors of a game that one person plays."""
    return ("player",)


@dataclass(frozen=True, kw_only=True)
class Game:
    """A puzzle: its name, its texts, and what others may ask about its levels."""

    name: str
    """As used in commands and files: "sokoban"."""
    title: str
    """As shown to people: "Extended Sokoban"."""
    meaning: str
    """One line about the puzzle."""
    package: str
    """The Python package it lives in; its level packs are the files in its folder `levels`."""
    formats: tuple[Format, ...]
    """The first is its own, in which `Level.text` writes."""
    look: Look
    """How it looks and is handled: data that every front end reads."""
    first_pack: str = ""
    """The pack to begin with, which the game's name alone means; by default the first by the alphabet."""
    policy: Policy = Policy()
    actors: Callable[[Any], tuple[str, ...]] = one_player
    """Who acts on a level; NATURE among them where chance is an act of its own."""
    acting: str = "one player"
    """The same for all levels, in a few words."""
    propositions: tuple[Proposition, ...] = ()
    """Its own; every game also has those of `gridproof.core.proposition`."""
    invariants: Mapping[str, str] = field(default_factory=dict)
    """What its rules promise of every level, whoever acts: number of the clause -> formula, as `gridproof.check` takes it."""
    measures: tuple[Measure, ...] = ()
    """Its own, the one that is the easiest to minimise last; every game also has "actions"."""
    position: Callable[[str], Position[Any]] | None = None
    """Reads a mid-game position on a level that starts there; without it, a level is read."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """The clauses of its rules, number -> one line; for its documentation and tests."""
    planned: frozenset[str] = frozenset()
    """Those of its clauses that are not realised yet; all others have tests."""
    split_actions: Callable[[str], list[str]] = split_actions
    """Cuts a text of several actions into texts of single ones; raises ParseError."""
    join_actions: Callable[[Trace], str] = join_actions
    """The actions of a trace in one text, which `split_actions` cuts again (sokoban: LURD)."""
    predecessors: Callable[[Any], Iterable[Any] | None] | None = None
    """All positions that an action of a player can lead from to a position; they need not be reachable. It gives
    None on levels where they are too many. A kernel that tells predecessors (`GameKernel.predecessors`) needs it too."""
    appraise: Callable[[Any], float] | None = None
    """How good a position looks at a glance; more is better. Greedy players go by it; without it by the lower bound of
    `won`, and by what is gained."""
    without: Callable[[Any], Iterable[Without]] = _nothing
    """A level without each of its pieces in turn, where that is still a valid level."""
    deed: Callable[[Any, Any, Any], Hashable] | None = None
    """What an action does, of the position before, the action and its outcome: solutions are the same up to order when they
    have the same deeds, equally often. None is no deed, such as a step that only leads to a push. By default it is the
    action and the outcome's label."""
    canonical: Callable[[Any], Hashable] = _itself
    """A value that levels share which are the same but for turning, mirroring and names."""
    score_key: Callable[[Any], str] = _own_score
    """Levels with the same key share a high score."""
    shows: str = ""
    """The module with `SHOWS`: name -> function of a level and a seed that plays a game to be watched, and gives
    each action with its outcome. Imported when it is watched; without one, general players play. Where games are too
    long to be solved, it also has `ADVISER`, a function of a position that gives an action, and may have `CHANCES`, one
    that says how likely each action leads to a win (None where that is not known). Where there are several actors, `PARTNERS` may have by name who plays for one of them while others are played by hand: functions of a level,
    the actor and a seed that make a `gridproof.play.shows.Partner`."""
    kernel: str = ""
    """The module with its rules on packed words; imported when an engine needs it."""
    editor: str = ""
    """The module with `EDITOR`, a `gridproof.core.editor.Editor`: with one, its levels can be made by hand in the browser."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """Formulas worth asking of its levels, as `gridproof.check` takes them -> what they ask, in words; for people who begin."""
    solvers: tuple[Solver, ...] = ()
    """Its own; of those that take a question, the first is asked."""
    generate: str = ""
    """The module with `generate(seed, **parameters)`; imported when it is asked for."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What it adds to the program: name of a command -> module with a function of that name, imported when it is asked for.
    Options are parameters of the function, as its docstring explains them. `watch(level, seed, ...)` gives a
    `gridproof.play.shows.Race`; any other is a command by itself: `NAME(text, game, limit, ...)` gives answers
    (`gridproof.core.answer.Answer`) about a text, whose game is named or to be found out."""

    exports: Mapping[str, str] = field(default_factory=dict)
    """Texts for other programs, which are not read again: name, as `convert --to` takes it and files end -> module with a
    function of that name, imported when it is asked for. `NAME(text, game, ...)` gives the text for the levels of a text,
    whose game is named or to be found out; its further parameters are options, as those of commands."""
    values: str = ""
    """The module with `values(starts, goal, meter, progress)`, which gives a `gridproof.prove.value.Values` of what
    follows from some positions, None at a limit, or raises `gridproof.search.refusal.Refused` where it cannot; the goal
    None means the score."""
    badge: str = ""
    """The module with `MANNER`, a `gridproof.prove.badge.Manner`: what it adds to what is proved while one plays.
    Imported when that is asked for; without one, it is whether a position can be won."""
    certificates: Mapping[str, str] = field(default_factory=dict)
    """Its own kinds of certificates, besides "closed", and the package of each: its module `check` has
    `check(statement, listed)`, as `gridproof.prove.verify` asks it, and its module `write` has `closed_set(starts,
    goal, meter, progress)`, which gives a `gridproof.prove.certify.ClosedSet`, or None where it is no use."""

    def added(self, command: str) -> Callable[..., Any] | None:
        """The function that it adds under the name of a command; None where it adds none."""
        return _function(self.commands, command)

    def exporter(self, name: str) -> Callable[..., str] | None:
        """The function that writes a text for another program; None where it has none of that name."""
        return _function(self.exports, name)

    def __repr__(self) -> str:
        return f"gridproof.game({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        from gridproof.core.registry import game  # which imports this module

        return game, (self.name,)

    def __deepcopy__(self, memo: object) -> Self:
        return self
