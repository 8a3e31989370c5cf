"""Logics of formulas: which one a formula is of, and whether it is written as that logic has it."""

from __future__ import annotations

import enum
from dataclasses import replace

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.formula import (
    FUTURE,
    PAST,
    QUANTIFIERS,
    TEMPORAL,
    TRUE,
    Binary,
    Bounded,
    Coalition,
    Formula,
    Next,
    Place,
    Quantity,
    Unary,
    decisive_goal,
    is_ctl_path,
    is_past,
    is_path_formula,
    is_temporal,
    negate,
    parts,
    subformulas,
    substitute,
)
from gridproof.prove.recurrence import is_recurrent, recurrence_of


class Logic(enum.Enum):
    """Kind of a formula."""

    STATE = "state"
    """Without temporal operators: of one position."""
    CTL = "CTL"
    CTL_STAR = "CTL*"
    """With A and E before formulas about paths, freely nested."""
    LTL = "LTL"
    ATL = "ATL"
    """With coalitions of players."""
    PCTL = "PCTL"
    """With probabilities or expected costs, which are not nested."""


BOUNDS = (
    "a bound stands in P=? [...] or P>=0.9 [...], or right after <<...>>; elsewhere, compare cost(actions), "
    "as in EF (won & cost(actions) <= 5)"
)
"""The places of an operator with a bound, for messages."""
_RECURRENT_FORMS = "G F p, F G p, G F p -> G F q and G (p -> F q)"


def logic_of(formula: Formula) -> Logic:
    """Return the logic of a formula; GridproofError when A, E or a coalition stands before what it cannot."""
    found = list(subformulas(formula))
    if any(isinstance(one, Quantity) for one in found):
        _check_quantities(formula)
        return Logic.PCTL
    if any(isinstance(one, Coalition) for one in found):
        _check_atl(formula)
        return Logic.ATL
    if bounded := next((one for one in found if isinstance(one, Bounded)), None):
        raise GridproofError(f"{short_repr(str(bounded))}: {BOUNDS}")
    quantified = [one for one in found if isinstance(one, Unary) and one.operator in QUANTIFIERS]
    if not quantified:
        return Logic.LTL if is_temporal(formula) else Logic.STATE
    _check_branching(found)
    hide = _hide_past if any(map(is_past, found)) else lambda one: one
    is_ctl = not is_path_formula(hide(formula)) and all(is_ctl_path(hide(one.operand)) for one in quantified)
    return Logic.CTL if is_ctl else Logic.CTL_STAR


def _check_atl(formula: Formula) -> None:
    """Check that each temporal operator stands right after a coalition, and nothing else is about paths."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        path = one.operand if isinstance(one, Coalition) else None
        if isinstance(path, Bounded):
            _check_turns(path, short_repr(str(one)))
            path = path.operand
        if path is not None and (again := recurrence_of(path)):
            waiting.extend((again.goal, again.given))
            continue
        if path is not None and getattr(path, "operator", "") not in FUTURE:
            raise GridproofError(
                f"{short_repr(str(one))}: X, F, G or [... U ...], W or R stands right after <<...>>, or one of {_RECURRENT_FORMS}"
            )
        if is_past(one):
            raise GridproofError(
                f"{short_repr(str(one))}: no operator of the past goes with <<...>>; cost(...), the cost since the start, does"
            )
        if getattr(one, "operator", "") in QUANTIFIERS | TEMPORAL or isinstance(one, Next):
            raise GridproofError(
                f"{short_repr(str(one))}: with <<...>> in a formula, temporal operators stand right after one, and there is "
                f"no A, no E and no [ACTION]; more than one stands in {_RECURRENT_FORMS}"
            )
        waiting.extend(reversed(parts(one if path is None else path)))


def _check_turns(bounded: Bounded, what: str) -> None:
    """Check that an operator after a coalition can have a bound of turns."""
    operator = getattr(bounded.operand, "operator", "")
    if operator == "X":
        raise GridproofError(f"{what}: X takes one turn, and no bound")
    if bounded.sign == "=":
        raise GridproofError(
            f"{what}: a bound of turns has <= or <; write F=2 p as X <<...>> X p, with the same players"
        )
    _check_bound(bounded, operator)


def _check_quantities(formula: Formula) -> None:
    """Check that probabilities and costs are not inside temporal operators, and are about paths that they can be about."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Coalition) and isinstance(one.operand, Quantity):
            _check_forced(one, one.operand)
            one = one.operand
        if isinstance(one, Quantity):
            _check_quantity(one)
            continue
        if isinstance(one, Bounded):
            raise GridproofError(f"{short_repr(str(one))}: {BOUNDS}")
        if isinstance(one, Coalition | Next) or getattr(one, "operator", "") in TEMPORAL | QUANTIFIERS:
            raise GridproofError(
                f"{short_repr(str(one))}: with P or R in a formula, temporal operators stand in their brackets only, and there "
                "is no A, no E, and no <<...>> but right before P or R"
            )
        waiting.extend(reversed(parts(one)))


def _check_forced(coalition: Coalition, quantity: Quantity) -> None:
    """Check that a coalition can be asked for a probability or a cost."""
    path = quantity.operand.operand if isinstance(quantity.operand, Bounded) else quantity.operand
    is_known = is_ctl_path(path) or (path == quantity.operand and is_recurrent(path) and not quantity.measure)
    if not is_known or (quantity.side and quantity.bound is not None):
        raise GridproofError(
            f"{short_repr(str(coalition))}: <<...>> stands before P, R, or the likes of Pmax=?, and one of X, F, G, U, W and R, "
            "or G F p or F G p; without P, also before G F p -> G F q and G (p -> F q), against the worst luck"
        )
    if quantity.measure and not quantity.side and quantity.bound is None:
        raise GridproofError(
            f"{short_repr(str(coalition))}: a coalition wants the least cost, Rmin=?, or the greatest, Rmax=?"
        )


def _check_conditional(quantity: Quantity) -> None:
    """Check that an event and its condition can be asked about."""
    for path in parts(quantity.operand):
        bare = path.operand if isinstance(path, Bounded) else path
        if quantity.measure or not is_ctl_path(bare):
            raise GridproofError(
                f"{short_repr(str(quantity))}: only a probability has a condition; on both sides of || stands X, F, G, U, W or R, "
                "and none inside it"
            )
        _check_quantity(replace(quantity, operand=path))


def _check_quantity(quantity: Quantity) -> None:
    """Check that the bracket is about a path, as the quantity can be."""
    if quantity.is_conditional:
        _check_conditional(quantity)
        return
    bounded = quantity.operand if isinstance(quantity.operand, Bounded) else None
    path = bounded.operand if bounded else quantity.operand
    what = short_repr(str(quantity))
    if quantity.measure and (bounded or not is_ctl_path(path) or getattr(path, "operator", "") != "F"):
        raise GridproofError(f"{what}: an expected cost is that of reaching something: [F won]")
    _check_path(path, what)
    if bounded:
        _check_bounded(bounded, what)
    elif not is_path_formula(path):
        raise GridproofError(f"{what}: the bracket is about a path, with X, F, G, U, W or R")


def _check_path(path: Formula, what: str) -> None:
    """Check that a bracket has only operators of LTL's future."""
    inside = list(subformulas(path))
    if any(isinstance(one, Quantity | Coalition) for one in inside):
        raise GridproofError(f"{what}: there is no P, no R and no <<...>> in the bracket")
    if any(isinstance(one, Bounded) for one in inside):
        raise GridproofError(
            f"{what}: a bound of actions stands at the outermost operator of the bracket only"
        )
    if any(getattr(one, "operator", "") in QUANTIFIERS for one in inside):
        raise GridproofError(f"{what}: there is no A and no E in the bracket")
    if any(isinstance(one, Next) or is_past(one) for one in inside):
        raise GridproofError(f"{what}: there is no operator of the past and no [ACTION] in the bracket")


def _check_bounded(bounded: Bounded, what: str) -> None:
    """Check that an operator can have a bound."""
    operator = getattr(bounded.operand, "operator", "")
    if operator == "X":
        raise GridproofError(f"{what}: X takes one action, and no bound")
    if not is_ctl_path(bounded.operand):
        raise GridproofError(
            f"{what}: an operator with a bound has parentheses around its sides, and no temporal operators inside them"
        )
    _check_bound(bounded, operator)


def _check_bound(bounded: Bounded, operator: str) -> None:
    if bounded.most < 0:
        raise GridproofError(f"{short_repr(str(bounded))}: no path has fewer than 0 actions")
    if bounded.sign == "=" and operator in "WR":
        raise GridproofError(f"{short_repr(str(bounded))}: {operator} has a bound with <= or <")


def _check_branching(found: list[Formula]) -> None:
    """Check that operators of the past are about positions, and that no `[ACTION]` stands right after A or E."""
    for one in found:
        operator = getattr(one, "operator", "")
        if operator in PAST and any(is_path_formula(_hide_past(part)) for part in parts(one)):
            reason = (
                f"{short_repr(str(one))}: in a formula with A or E, {operator} looks back at positions: no X, F, G, U, W, R and no "
                "[ACTION] stands in it without an A or E before"
            )
            raise _error_at(getattr(one, "place", (0, 0)), reason)
        if operator in QUANTIFIERS and isinstance(action := parts(one)[0], Next):
            reason = (
                f"{short_repr(str(action))} right after {operator} says which action is the next one of a path; e({action.action}) "
                f"asks whether it can be done, and {operator}[... U ...] has U, W or R inside"
            )
            raise _error_at(action.place, reason)


def _error_at(place: Place, reason: str) -> ParseError:
    return ParseError(reason, line=place[0], column=place[1])


def _hide_past(formula: Formula) -> Formula:
    """Return a formula with a statement about positions in place of each outermost operator of the past."""
    return substitute(formula, lambda one: TRUE if is_past(one) else None)


def property_of(formula: Formula, paths: str = "all") -> Formula:
    """Return p of `AG p`; GridproofError for other formulas, or if p is not about one position."""
    goal, answer = decisive_goal(formula, paths) or (formula, True)
    if answer or logic_of(goal) is not Logic.STATE:
        raise GridproofError(
            f"induction proves AG p, with p about one position and without temporal operators, not {formula}"
        )
    return negate(goal)


def path_question(formula: Formula, paths: str, starts: int = 1) -> tuple[Formula, bool] | None:
    """Return the path that decides a formula, as a formula of LTL, and the answer if there is one; None if several are needed."""
    if logic_of(formula) is Logic.LTL:
        return (formula, True) if paths == "some" else (negate(formula), False)
    if not is_temporal(formula):
        return None
    if (missed := _path_from(formula, False)) is not None:
        return missed, False
    if starts == 1 and (wanted := _path_from(formula, True)) is not None:
        return wanted, True
    return None


def _path_from(formula: Formula, truth: bool) -> Formula | None:
    """Return the formula of LTL for a path from a position that shows that another formula has a truth there; None if no path does."""
    if logic_of(formula) is Logic.STATE:
        return formula if truth else negate(formula)
    match formula:
        case Unary("!", operand):
            return _path_from(operand, not truth)
        case Binary("->", left, right):
            return _path_from(Binary("|", negate(left), right), truth)
        case Binary("&" | "|" as operator, left, right):
            return _joined(left, right, truth, (operator == "&") is truth)
        case Unary("E" | "A" as quantifier, path) if (quantifier == "E") is truth:
            return _path_on(path if truth else negate(path))
    return None


def _joined(left: Formula, right: Formula, truth: bool, both: bool) -> Formula | None:
    """Return the formula for a path that shows two truths, or one of two; None if each needs a path of its own."""
    one, two = _path_from(left, truth), _path_from(right, truth)
    if one is None or two is None or (both and is_temporal(left) and is_temporal(right)):
        return None
    return Binary("&" if both else "|", one, two)


def _path_on(path: Formula) -> Formula | None:
    """Return a formula about a path in LTL, where A and E stand in it only after X, F, or on the right of U and W."""
    if logic_of(path) is Logic.LTL:
        return path
    truth = True
    while isinstance(path, Unary) and path.operator == "!":
        path, truth = path.operand, not truth
    match path:
        case Unary("X" | "F" | "G" as operator, operand) if operator == "X" or (operator == "F") is truth:
            inner = _path_from(operand, truth)
            return inner and Unary(operator if truth or operator == "X" else "F", inner)
        case Binary("U" | "W" as operator, left, right) if truth and logic_of(left) is Logic.STATE:
            inner = _path_from(right, True)
            return inner and Binary(operator, left, inner)
    return None


def require_state_formula(invariant: Formula) -> None:
    """Raise GridproofError for an invariant that is not about one position."""
    if logic_of(invariant) is not Logic.STATE:
        raise GridproofError(
            f"an invariant is about one position, without temporal operators, not {invariant}"
        )
