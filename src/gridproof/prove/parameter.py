"""Parameters of formulas: names for numbers, such as T in `EF (won & cost(pushes) <= T)`, and the least value that holds."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.measure import measures
from gridproof.core.position import Level
from gridproof.core.proposition import propositions
from gridproof.core.text.phrases import short_repr
from gridproof.prove.definition import HEAD
from gridproof.prove.formula import (
    GIVEN,
    Atom,
    Binary,
    Bounded,
    Coalition,
    Comparison,
    Formula,
    Quantification,
    Quantity,
    Unary,
)
from gridproof.prove.game_formulas import domains_of

_NAME = re.compile(r"[A-Za-z_]\w*+")
_WORDS = frozenset({"true", "false", "deadlock", "e", "forall", "exists", "in", "cost", "max", "min"})
"""Words of formulas."""

WEAKER, STRONGER = 1, -1
"""The change of a formula when a parameter grows: it is implied by the one before, or implies it."""
_BOTH, _NEITHER = frozenset({WEAKER, STRONGER}), frozenset[int]()

Values = Mapping[str, int]
"""The values of parameters."""


def check_parameter_names(names: Iterable[str], texts: Sequence[str], level: Level) -> None:
    """Raise GridproofError for a name that stands in none of the texts, or already means something in formulas about a level."""
    game = level.game
    known = {
        **dict.fromkeys(_WORDS, "a word of formulas"),
        **dict.fromkeys(domains_of(game), f"a domain of {game.name}"),
        **dict.fromkeys(measures(game), f"a measure of {game.name}"),
        **dict.fromkeys(game.actors(level), "an actor of the level"),
        **dict.fromkeys(propositions(game), f"a proposition of {game.name}"),
    }
    for name in names:
        if not _NAME.fullmatch(name):
            raise GridproofError(f"{short_repr(name)} cannot be a parameter: write a name such as T")
        if name in known:
            raise GridproofError(f"{name} cannot be a parameter: it is {known[name]}")
        if not any(_pattern([name]).search(text) for text in texts):
            raise GridproofError(f"the parameter {name} does not occur in the formula")


def put_values(text: str, values: Values) -> str:
    """Return the text of a formula with numbers in place of parameters."""
    return _pattern(values).sub(lambda match: str(values[match[0]]), text) if values else text


def put_values_in_definition(text: str, values: Values) -> str:
    """Return the text of a definition with numbers in place of parameters, except those that have the same name as its own."""
    head = HEAD.match(text)
    if head is None:
        return text
    own = {one.strip() for one in (head[2] or "").split(",")}
    outer = {name: value for name, value in values.items() if name not in own}
    return head[0] + put_values(text[head.end() :], outer)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")


class Least(NamedTuple):
    """The least value of a parameter for which a formula holds, by places in the list of values."""

    place: int | None
    """The first value whose answer is not no; None if the formula holds for no value."""
    is_known: bool
    """True if the formula holds there, and fails for all smaller values; or if it fails for all."""
    most: int | None = None
    """The smallest place at which it is known to hold."""
    refuted: int | None = None
    """The last place up to which it holds nowhere, -1 for none; of an open search without an answer at `place`."""


def find_least(number: int, ask: Callable[[int], bool | None], direction: int | None) -> Least:
    """Find the least of so many values for which a formula holds.

    `ask` returns whether it holds at a place, None if that is unknown; it is called once for a place. With WEAKER, the places are found
    by doubling and bisection; with STRONGER, the first one decides; without a direction, one after the other is asked.
    """
    if direction == WEAKER:
        return _bisect(number, ask)
    unknown: int | None = None
    for place in range(1 if direction == STRONGER else number):
        answer = ask(place)
        if answer:
            return Least(place, True, place) if unknown is None else Least(unknown, False, place)
        if answer is None and unknown is None:
            unknown = place
    return Least(unknown, unknown is None)


class _NoAnswer(Exception):  # it ends a search
    """There is no answer at a place."""


def find_open_least(number: int, ask: Callable[[int], bool | None], direction: int | None) -> Least:
    """Find the least value as `find_least` does, upwards until the first question without an answer: later ones take longer."""
    refuted = -1

    def ask_further(place: int) -> bool:
        nonlocal refuted
        answer = ask(place)
        if answer is None:
            raise _NoAnswer(place)
        if not answer:
            refuted = max(refuted, place)
        return answer

    try:
        return find_least(number, ask_further, direction)
    except _NoAnswer as missing:
        return Least(missing.args[0], False, refuted=refuted)


def _bisect(number: int, ask: Callable[[int], bool | None]) -> Least:
    """Find the first place whose answer is not no, if no place below one with no is another."""
    low, high, place = -1, number, 0
    answers: dict[int, bool | None] = {}
    while high - low > 1:
        answers[place] = ask(place)
        if answers[place] is False:
            low = place
        else:
            high = place
        place = min(2 * low + 1, number - 1) if high == number else (low + high) // 2
    if high == number:
        return Least(None, True)
    held = [one for one, answer in answers.items() if answer]
    return Least(high, answers[high] is True, min(held, default=None))


def direction_of(formulas: Sequence[Formula]) -> int | None:
    """Return how formulas change from each to the next: WEAKER, STRONGER, or None if the formulas do not prove it."""
    directions = _BOTH
    for one, following in itertools.pairwise(formulas):
        directions &= _change(one, following)
    return next((one for one in (WEAKER, STRONGER) if one in directions), None)


def _change(one: Formula, other: Formula) -> frozenset[int]:
    """Return WEAKER if one formula implies the other whatever their atoms mean, STRONGER if the other implies the one."""
    if one == other:
        return _BOTH
    match one, other:
        case Unary(operator, inner), Unary(same, outer) if operator == same:
            change = _change(inner, outer)
            return _reverse(change) if operator == "!" else change
        case Binary(), Binary():
            return _change_of_binary(one, other)
        case Coalition(names, inner), Coalition(same_names, outer) if names == same_names:
            return _change(inner, outer)
        case Quantification(), Quantification() if (one.quantifier, one.variables, one.domain) == (
            other.quantifier,
            other.variables,
            other.domain,
        ):
            return _change(one.operand, other.operand)
        case Comparison(), Comparison() if one.sign == other.sign:
            return _change_of_comparison(one, other)
        case Bounded(), Bounded() if one.sign == other.sign:
            return _change_of_bounded(one, other)
        case Quantity(), Quantity():
            return _change_of_quantity(one, other)
    return _NEITHER


def _change_of_binary(one: Binary, other: Binary) -> frozenset[int]:
    if one.operator != other.operator or one.operator == "<->":
        return _NEITHER
    if one.operator == GIVEN:
        return _change(one.left, other.left) if one.right == other.right else _NEITHER
    left, right = _change(one.left, other.left), _change(one.right, other.right)
    return (_reverse(left) if one.operator == "->" else left) & right


def _change_of_comparison(one: Comparison, other: Comparison) -> frozenset[int]:
    match one, other:
        case Comparison(Atom() as atom, sign, int(number)), Comparison(same, _, int(after)) if atom == same:
            return _change_of_bound(sign, after > number)
        case Comparison(int(number), sign, Atom() as atom), Comparison(int(after), _, same) if atom == same:
            return _change_of_bound(sign, after < number)
    return _NEITHER


def _change_of_bounded(one: Bounded, other: Bounded) -> frozenset[int]:
    change = _change(one.operand, other.operand)
    if one.steps == other.steps:
        return change
    if one.sign == "=":
        return _NEITHER
    longer = WEAKER if getattr(one.operand, "operator", "") in ("F", "U") else STRONGER
    return change & {longer if other.steps > one.steps else -longer}


def _change_of_quantity(one: Quantity, other: Quantity) -> frozenset[int]:
    if (one.measure, one.side, one.sign) != (other.measure, other.side, other.sign):
        return _NEITHER
    if one.measure and one.operand != other.operand:
        return _NEITHER
    change = _change(one.operand, other.operand)
    if one.sign in ("<", "<="):
        change = _reverse(change)
    if one.bound is None or other.bound is None or one.bound == other.bound:
        return change
    return change & _change_of_bound(one.sign, other.bound > one.bound)


def _change_of_bound(sign: str, grows: bool) -> frozenset[int]:
    """Return the change of a comparison with a number on the right that grows, or becomes smaller."""
    if sign in ("<", "<="):
        return frozenset({WEAKER if grows else STRONGER})
    return frozenset({STRONGER if grows else WEAKER}) if sign in (">", ">=") else _NEITHER


def _reverse(change: frozenset[int]) -> frozenset[int]:
    return frozenset(-one for one in change)
