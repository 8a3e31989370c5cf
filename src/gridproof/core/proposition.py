"""Propositions and numbers about positions: those that every game has, and the parser of goals."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Game, Proposition
from gridproof.core.position import Level, Position, Status
from gridproof.core.text.phrases import format_count, short_repr


@functools.lru_cache(maxsize=16)
def _starts(level: Level) -> frozenset[Position[Any]]:
    return frozenset(start.position for start in level.starts())


COMMON = (
    Proposition("won", (), "the game is won", lambda p: p.won),
    Proposition("lost", (), "no action is left and the game is not won", lambda p: p.status is Status.LOST,
                final=True),
    Proposition("ended", (), "no action is possible any more", lambda p: p.ended, final=True),
    Proposition("home", (), "the position that the level starts with", lambda p: p in _starts(p.level),
                where=lambda level: dict.fromkeys(start.position for start in level.starts())),
)  # fmt: skip
"""Propositions of every game; a game may give one of these names a meaning of its own."""

COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""Comparisons by sign."""
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ATOM = re.compile(
    r"\s*+(!?)\s*+([A-Za-z_]\w*+)\s*+(?:\(([^()]*+)\))?\s*+(?:(<=|>=|!=|=|<|>)\s*+(-?\d{1,99}))?\s*+"
)
_NUMBER = re.compile(r"-?\d{1,99}")


def propositions(game: Game) -> Mapping[str, Proposition]:
    """Return all propositions and numbers of a game by name."""
    return {item.name: item for item in (*COMMON, *game.propositions)}


def value_of(game: Game, name: str, arguments: tuple[str, ...]) -> Callable[[Position[Any]], bool | int]:
    """Return the function of positions for a name with arguments; GridproofError for an unknown proposition."""
    item, values = _find_proposition(game, name, arguments), _parse_values(arguments)
    return lambda position: item.value(position, *values)


def _find_proposition(game: Game, name: str, arguments: tuple[str, ...]) -> Proposition:
    known = propositions(game)
    if name not in known:
        raise GridproofError(f"{game.name} has no proposition {short_repr(name)}: it has {', '.join(known)}")
    item = known[name]
    most = len(item.parameters)
    if not most - item.optional <= len(arguments) <= most:
        form = f"{name}({','.join(item.parameters)})" if item.parameters else name
        raise GridproofError(f"{name} with {format_count(len(arguments), 'arguments')}: it is written {form}")
    return item


def _parse_values(arguments: tuple[str, ...]) -> tuple[int | str, ...]:
    return tuple(int(text) if _NUMBER.fullmatch(text) else text for text in arguments)


@dataclass(frozen=True, slots=True)
class Term:
    """A proposition or number with arguments."""

    name: str
    arguments: tuple[int | str, ...]
    meaning: Proposition

    def value(self, position: Position[Any]) -> bool | int:
        """Return the proposition's value, or the number."""
        return self.meaning.value(position, *self.arguments)


@dataclass(frozen=True, slots=True)
class Goal(Term):
    """A term compared with a number; a call with a position returns whether it holds.

    A plain proposition is one that is not 0.
    """

    sign: str
    """One of = != < <= > >=."""
    bound: int

    @property
    def is_plain(self) -> bool:
        """True if it is the proposition itself, not its opposite."""
        return (self.sign, self.bound) == ("!=", 0)

    @property
    def lower_bound(self) -> Callable[[Position[Any]], int] | None:
        """Lower bound of the number of actions left; None if the game has none."""
        bound = self.meaning.bound
        return (
            None if bound is None or not self.is_plain else lambda position: bound(position, *self.arguments)
        )

    def chance_within(self, position: Position[Any], actions: int) -> Fraction:
        """Return an upper bound of the probability that it ever holds within so many actions, without any search."""
        bound, chance = self.lower_bound, self.meaning.chance if self.is_plain else None
        if bound is not None and bound(position) > actions:
            return Fraction(0)
        return chance(position, actions, *self.arguments) if chance else Fraction(1)

    def where(self, level: Level) -> tuple[Position[Any], ...] | None:
        """Return all positions of a level in which it holds, where they are few."""
        where = self.meaning.where
        return None if where is None or not self.is_plain else tuple(where(level, *self.arguments))

    def explain_never(self, position: Position[Any]) -> str:
        """Return the reason why no reachable position meets it; "" if the game knows none."""
        never = self.meaning.never
        return "" if never is None or not self.is_plain else never(position, *self.arguments)

    @property
    def is_win(self) -> bool:
        """True if it is `won`, as every game has it."""
        return (self.name, self.arguments) == ("won", ()) and self.is_plain

    def __call__(self, position: Position[Any]) -> bool:
        return COMPARE[self.sign](int(self.value(position)), self.bound)


def _expected_form(text: str) -> str:
    """Return the expected form of a text that is no goal."""
    if re.search("[&|]|->", text):
        return "one proposition, not a formula"
    if re.search(r"\d{100}", text):
        return "a number of at most 99 digits"
    return "a proposition such as won"


def parse_goal(game: Game, text: str) -> Goal:
    """Parse a goal: `won`, `!lost`, `tile(512)`, `bombs = 0`.

    Raises
    ------
    ParseError
        When the text is no proposition, or compares a proposition that is no number.
    GridproofError
        When the game has no such proposition.
    """
    found = parse_term(game, text)
    if not isinstance(found, Goal):
        raise ParseError(f"{found.name} in {short_repr(text)}", line=1, column=text.index(found.name) + 1,
                         expected="a comparison, such as = 0")  # fmt: skip
    return found


def parse_term(game: Game, text: str) -> Term:
    """Parse a goal, or a number alone: `bombs`. Errors as of `parse_goal`."""
    if not isinstance(text, str):
        raise GridproofError(f"a goal is the text of a proposition, not {short_repr(text)}")
    match = _ATOM.fullmatch(text)
    if match is None:
        raise ParseError(f"no goal: {short_repr(text)}", line=1, column=1, expected=_expected_form(text))
    negated, name, inside, sign, number = match.groups()
    arguments = tuple(part.strip() for part in inside.split(",")) if inside else ()
    meaning = _find_proposition(game, name, arguments)
    if meaning.number and not sign and not negated:
        return Term(name, _parse_values(arguments), meaning)
    if meaning.number != bool(sign):
        expected = "a comparison, such as = 0" if not sign else "no comparison"
        raise ParseError(
            f"{name} in {short_repr(text)}", line=1, column=match.start(2) + 1, expected=expected
        )
    sign, bound = sign or "!=", int(number or 0)
    return Goal(name, _parse_values(arguments), meaning, _OPPOSITE[sign] if negated else sign, bound)
