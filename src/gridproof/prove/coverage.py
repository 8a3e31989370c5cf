"""`gp.coverage`: the parts of a formula that have no effect on its verdict.

A part has none if the verdict stays even when the part is replaced by the constant that speaks most against the verdict:
`false` for a part that helps the formula to hold, `true` for one below a negation (I. Beer, S. Ben-David, C. Eisner,
Y. Rodeh, "Efficient detection of vacuity in temporal model checking", 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.core.representation import Representable
from gridproof.prove.check import check
from gridproof.prove.fairness import Fair
from gridproof.prove.formula import (
    FALSE,
    QUANTIFIERS,
    TRUE,
    Binary,
    Bounded,
    Coalition,
    Formula,
    Truth,
    Unary,
    parts,
    subformulas,
    with_parts,
)
from gridproof.prove.logic import Logic
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors
from gridproof.search.explore import explore
from gridproof.search.space import Progress, StateSpace

MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class Coverage(Representable):
    """A verdict, and the parts of its formula without an effect on it."""

    verdict: Verdict
    unused: tuple[Formula, ...] | None
    """The largest parts that have no effect, each by itself, in order; None without an answer."""

    def __str__(self) -> str:
        """Return the parts as a sentence."""
        if self.unused is None:
            return "unknown which parts have an effect on the verdict"
        if not self.unused:
            return "each part has an effect on the verdict"
        return f"without effect on the verdict: {', '.join(f'`{one}`' for one in self.unused)}"

    def _summary(self) -> str:
        return f"<Coverage: {self}>"


def coverage(
    level_or_position: Level | Position[Any] | StateSpace | str,
    formula: str | Formula,
    paths: str = "all",
    actors: Actors = None,
    limit: Limit | None = None,
    fair: Fair = (),
    progress: Progress | None = None,
) -> Coverage:
    """Find the parts of a formula that have no effect on its verdict.

    Parameters
    ----------
    level_or_position : Level, Position, StateSpace or str
    formula : str or Formula
    paths : "all" or "some"
    actors : None, "all" or tuple of str
    limit : Limit
        Of the exploration, and of each of the checks after it.
    fair : str or sequence of str
        This and the others are as of `gridproof.check`.

    Returns
    -------
    Coverage

    Raises
    ------
    GridproofError
        As of `gridproof.check`, and for a formula with more than 200 parts, or with probabilities or expected costs.

    Examples
    --------
    >>> import gridproof as gp
    >>> print(gp.coverage("sokoban/first-steps/1", "AG (lost | bombs = 0)"))
    without effect on the verdict: `lost`
    """
    is_given = isinstance(level_or_position, StateSpace)
    space = (
        level_or_position
        if isinstance(level_or_position, StateSpace)
        else explore(level_or_position, actors, limit, progress)
    )

    def ask(one: str | Formula) -> Verdict:
        return check(space, one, paths, actors if is_given else None, limit, fair)

    verdict = ask(formula)
    if verdict.logic is Logic.PCTL:
        raise GridproofError("coverage is of formulas without P and R")
    if sum(1 for _ in subformulas(verdict.formula)) > MOST_PARTS:
        raise GridproofError(f"the formula has more than {MOST_PARTS} parts")
    if verdict.holds is None:
        return Coverage(verdict, None)

    def stays(changed: Formula) -> bool:
        return ask(changed).holds is verdict.holds

    return Coverage(verdict, tuple(_unused_parts(verdict.formula, verdict.holds, lambda whole: whole, stays)))


def _unused_parts(
    formula: Formula,
    helps: bool | None,
    put: Callable[[Formula], Formula],
    stays: Callable[[Formula], bool],
) -> Iterator[Formula]:
    """Yield the largest parts of a formula without effect.

    `helps` says if its truth speaks for the verdict; None: both may. `put` returns the whole formula with another one in its
    place.
    """
    operands = parts(formula)
    for place, part in enumerate(operands):
        inner = _helps(formula, place, helps)

        def put_part(new: Formula, place: int = place) -> Formula:
            return put(with_parts(formula, [*operands[:place], new, *operands[place + 1 :]]))

        constants = [one for one in (TRUE, FALSE) if inner is None or one.value is not inner]
        if _is_replaceable(formula, part) and all(stays(put_part(one)) for one in constants):
            yield part
        else:
            yield from _unused_parts(part, inner, put_part, stays)


def _helps(formula: Formula, place: int, helps: bool | None) -> bool | None:
    match formula:
        case Binary("<->", _, _):
            return None
        case Unary("!", _):
            return None if helps is None else not helps
        case Binary("->", _, _) if place == 0:
            return None if helps is None else not helps
    return helps


def _is_replaceable(formula: Formula, part: Formula) -> bool:
    """Return whether a constant can stand for a part; after A, E, coalitions and in a bound a temporal operator stays."""
    is_quantified = (
        isinstance(formula, Coalition | Bounded) or getattr(formula, "operator", "") in QUANTIFIERS
    )
    return not is_quantified and not isinstance(part, Truth)
