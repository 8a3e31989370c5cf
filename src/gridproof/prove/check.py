"""`gp.check`: does a formula hold on a level, and what shows it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, started
from gridproof.core.loading import load
from gridproof.core.position import Level, Position
from gridproof.core.wording import shown
from gridproof.prove import judging
from gridproof.prove.fairness import Fair, assumptions
from gridproof.prove.formula import Formula, Logic, check_depth, logic_of
from gridproof.prove.names import check_names
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, acting, starts_of
from gridproof.search.explore import explore
from gridproof.search.space import Progress, StateSpace


def check(
    level_or_position: Level | Position[Any] | StateSpace,
    formula: str | Formula,
    paths: str = "all",
    actors: Actors = None,
    limit: Limit | None = None,
    fair: Fair = (),
    progress: Progress | None = None,
) -> Verdict:
    """Prove or refute a formula of CTL or LTL, or say who can force something: `<<a>> F won(a)`.

    Parameters
    ----------
    level_or_position : Level, Position or StateSpace
        A level is judged at all its starts. A space that `gridproof.explore` gave can be asked many formulas.
    formula : str or Formula
        As the page on formulas says: `AG EF won`, `G (won -> X won)`. Without temporal operators it is judged at
        the start.
    paths : "all" or "some"
        Of a formula of LTL: whether it is to hold on all paths or on one; without temporal operators: at all starts
        or at one.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop without an answer; never an error.
    fair : str or sequence of str
        Assumptions such as "weak up" and "strong a": only fair paths count. An action or an actor's actions are done
        again and again if they can be done always (weak), or again and again (strong); `*` is each action.

    Raises
    ------
    ParseError
        When it is no formula, or a name in it means nothing on the level: the place, and what there is.
    GridproofError
        When it mixes CTL and LTL or is too large, for an unknown actor, and for wrong values.
    """
    meter = started(limit)
    wanted = _formula(formula)
    starts, given = _starts(level_or_position, actors)
    check_names(wanted, starts[0])
    if listed := starts[0].level.all_actions():  # else it is seen when all positions have been
        assumptions(fair, starts[0].level, listed)
    logic = _logic(wanted, paths)
    who = given.who if given else acting(starts[0].level, actors)
    space = given or explore(level_or_position, actors, limit, progress)  # type: ignore[arg-type]  # no space was given
    meter.started = time.perf_counter() - (0 if given else space.seconds)
    known = Verdict(
        wanted, logic, None, None, None, False, space.states, 0.0, space.stopped_by, (), paths, who
    )
    if logic is Logic.STATE:
        known = _at_starts(known, starts)
    if logic is Logic.ATL:
        if fair:
            raise GridproofError(
                "fairness is for CTL and LTL: in a formula with <<...>> the players take turns"
            )
        with meter.paused():
            forcing = load("gridproof.prove.forcing")
        forced: Verdict = forcing.answer(known, space, meter)
        return replace(forced, seconds=meter.seconds)
    with meter.paused():
        prover = load("gridproof.prove.prover")
    verdict: Verdict = prover.answer(known, space, fair, meter)
    return replace(verdict, seconds=meter.seconds)


def _formula(formula: str | Formula) -> Formula:
    if not isinstance(formula, Formula):
        from gridproof.prove.parsing import parse  # which brings lark: listing commands needs none

        return parse(formula)
    check_depth(formula)
    return formula


def _starts(asked: object, actors: Actors) -> tuple[list[Position[Any]], StateSpace | None]:
    if not isinstance(asked, StateSpace):
        return starts_of(asked), None  # type: ignore[arg-type]  # which refuses what is neither
    if actors is not None:
        raise GridproofError("who acts was said when the space was explored: leave out the actors")
    return [asked[number] for number in range(asked.by_depth[0])], asked


def _logic(formula: Formula, paths: str) -> Logic:
    logic = logic_of(formula)
    if paths not in ("all", "some"):
        raise GridproofError(f"paths are 'all' or 'some', not {shown(paths)}")
    if logic in (Logic.CTL, Logic.ATL) and paths != "all":
        raise GridproofError(
            "paths='some' is for LTL: in a formula of CTL, A and E say which paths are meant"
        )
    return logic


def _at_starts(known: Verdict, starts: list[Position[Any]]) -> Verdict:
    """The verdict on a formula without temporal operators: no other position has to be found for it."""
    each = (judging.holds(known.formula, start, known.who) for start in starts)
    return replace(known, holds=all(each) if known.paths == "all" else any(each))
