"""Fairness as an assumption: on a fair path, acts that are possible again and again are done again and again.

Or a formula about positions is true again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text.phrases import short_repr, some
from gridproof.prove.expansion import expand_things
from gridproof.prove.formula import Formula, Unary, is_path_formula

Fair = str | Sequence[str]
"""`"strong up"`, or several of them."""

_KINDS = ("weak", "strong")
_MOST = 40
MOST_STRONG = 3
"""Acts of others that may be strongly fair with coalitions: their orders are examined one by one."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One act that is done again and again, if it is possible always (weak) or again and again (strong)."""

    text: str
    strong: bool
    actions: frozenset[int]
    """The numbers of the actions that are the act."""
    formula: Formula | None = None
    """The formula that is true again and again, in place of an act."""
    where: Any = field(default=None, compare=False, repr=False)
    """The positions where the formula holds, bool (n,), once they are known."""


def assumptions(fair: Fair, level: Level, labels: Sequence[Any]) -> tuple[Assumption, ...]:
    """Return the assumptions of texts: `weak NAME`, `strong NAME` or `G F FORMULA`.

    A name is an actor, an action, or `*`, each action; a formula is one about positions.

    `labels` are the actions at their numbers. GridproofError for a text of another form, and for an unknown name.
    """
    found = tuple(one for text in _texts(fair) for one in _assumptions(text, level, labels))
    if len(found) > _MOST:
        raise GridproofError(f"at most {_MOST} acts can be fair, these are {len(found)}")
    return found


def fair_formulas(fair: Fair, level: Level) -> list[Formula]:
    """Return the formulas that are true again and again on fair paths; GridproofError for a text of another form."""
    return [one for text in _texts(fair) if (one := _formula(text, level)) is not None]


def _texts(fair: Fair) -> Sequence[str]:
    texts = (fair,) if isinstance(fair, str) else fair
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        raise GridproofError(
            f"fairness is 'weak NAME', 'strong NAME' or a list of such, not {short_repr(fair)}"
        )
    return texts


def _formula(text: str, level: Level) -> Formula | None:
    """Return f for `G F f`; None for a text that does not begin so."""
    if not text.lstrip().startswith("G"):
        return None
    from gridproof.prove.parsing import parse  # which brings lark

    match parse(text):
        case Unary("G", Unary("F", formula)) if not is_path_formula(formula):
            return expand_things(formula, level)
    raise GridproofError(f"fairness {short_repr(text)}: write 'G F FORMULA' with a formula about positions")


def _assumptions(text: str, level: Level, labels: Sequence[Any]) -> list[Assumption]:
    if formula := _formula(text, level):
        return [Assumption(text, False, frozenset(), formula)]
    kind, _, name = text.strip().partition(" ")
    name = "".join(name.split())
    if kind not in _KINDS or not name:
        raise GridproofError(
            f"fairness {short_repr(text)}: write 'weak NAME', 'strong NAME' or 'G F FORMULA'"
        )
    strong, numbers = kind == "strong", {str(action): number for number, action in enumerate(labels)}
    if name == "*":
        return [Assumption(f"{kind} {one}", strong, frozenset({number})) for one, number in numbers.items()]
    actors = level.game.actors(level)
    if name in actors:
        own = {number for number, action in enumerate(labels) if level.owner(action) == name}
        return [Assumption(text, strong, frozenset(own))]
    if name not in numbers:
        raise GridproofError(
            f"fairness {short_repr(text)}: {name!r} is no actor ({', '.join(actors)}) and no action ({some(list(numbers))})"
        )
    return [Assumption(text, strong, frozenset({numbers[name]}))]
