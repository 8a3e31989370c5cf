"""`gp.check`: proves or refutes a formula on a level."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import short_repr
from gridproof.prove import cost, evaluate
from gridproof.prove.fairness import Fair, assumptions
from gridproof.prove.formula import Formula, Logic, check_depth, logic_of
from gridproof.prove.name_check import check_names
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, resolve_actors, starts_of
from gridproof.search.cost_product import strip_costs
from gridproof.search.explore import explore, space_of
from gridproof.search.question import Question
from gridproof.search.space import Progress, StateSpace, monotonic_progress


def check(
    level_or_position: Level | Position[Any] | StateSpace | str,
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
    level_or_position : Level, Position, StateSpace or str
        A level, or the name of one as of `gridproof.level`, is checked at all its starts. Many formulas can share one space of `gridproof.explore`.
    formula : str or Formula
        As the page on formulas says: `AG EF won`, `G (won -> X won)`. Without temporal operators it is judged at
        the start.
    paths : "all" or "some"
        LTL only: must hold on all paths or on one; without temporal operators: at all starts or at one.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop without an answer; never an error.
    fair : str or sequence of str
        Assumptions such as "weak up" and "strong a": only fair paths count. An action or an actor's actions are done
        again and again if they can be done always (weak), or again and again (strong); `*` is each action.

    Returns
    -------
    Verdict
        With a witness or a counterexample, where a path shows the answer.

    Raises
    ------
    ParseError
        When the text is no formula, or a name in it has no meaning on the level: with the place and the available names.
    GridproofError
        When it mixes CTL and LTL or is too large, for an unknown actor, and for wrong values.

    Examples
    --------
    >>> import gridproof as gp
    >>> verdict = gp.check("sokoban/first-steps/1", "EF won")
    >>> verdict.holds, verdict.satisfying, verdict.states
    (True, 12, 26)
    >>> print(verdict.sentence())
    `EF won` holds at the start.
    """
    meter = start_meter(limit)
    wanted = _formula(formula)
    level_or_position = resolve_level(level_or_position)
    starts, given = _starts(level_or_position, actors)
    logic = _logic(wanted, paths)
    check_names(wanted, starts[0])
    product = cost.find_product(wanted, starts[0].level, paths, bool(fair))
    if product:
        starts = [product.wrap(start) for start in starts]
    if listed := starts[0].level.all_actions():  # else it is seen when all positions have been
        assumptions(fair, starts[0].level, listed)
    who = given.who if given else resolve_actors(starts[0].level, actors)
    if product:
        given = None
        space = space_of(
            Question(starts=starts, who=who, meter=start_meter(limit), progress=monotonic_progress(progress))
        )
    else:
        space = given or explore(level_or_position, actors, limit, progress)  # type: ignore[arg-type]  # no space was given
    meter.start_time = time.perf_counter() - (0 if given else space.seconds)
    open_verdict = Verdict(
        wanted, logic, None, None, None, False, space.states, 0.0, space.stopped_by, (), paths, who
    )
    if logic is Logic.STATE:
        open_verdict = _judge_starts(open_verdict, starts)
    if logic is Logic.ATL:
        if fair:
            raise GridproofError("fairness applies to CTL and LTL only, not to formulas with <<...>>")
        with meter.pause():
            forcing = load("gridproof.prove.atl")
        forced: Verdict = forcing.answer(open_verdict, space, meter)
        return replace(forced, seconds=meter.seconds)
    with meter.pause():
        prover = load("gridproof.prove.prover")
    verdict: Verdict = prover.answer(open_verdict, space, fair, meter)
    if product:  # there are no counts of the level: positions may differ in costs alone
        verdict = replace(verdict, satisfying=None, trace=verdict.trace and strip_costs(verdict.trace))
    return replace(verdict, seconds=meter.seconds)


def _formula(formula: str | Formula) -> Formula:
    if not isinstance(formula, Formula):
        from gridproof.prove.parsing import parse  # which brings lark: listing commands needs none

        return parse(formula)
    check_depth(formula)
    return formula


def _starts(subject: object, actors: Actors) -> tuple[list[Position[Any]], StateSpace | None]:
    if not isinstance(subject, StateSpace):
        return starts_of(subject), None  # type: ignore[arg-type]  # which refuses what is neither
    if actors is not None:
        raise GridproofError("the space was explored for certain actors; leave out actors")
    return [subject[number] for number in range(subject.by_depth[0])], subject


def _logic(formula: Formula, paths: str) -> Logic:
    logic = logic_of(formula)
    if paths not in ("all", "some"):
        raise GridproofError(f"paths are 'all' or 'some', not {short_repr(paths)}")
    if logic in (Logic.CTL, Logic.ATL) and paths != "all":
        raise GridproofError("paths='some' applies to LTL only; in CTL, use A and E")
    return logic


def _judge_starts(open_verdict: Verdict, starts: list[Position[Any]]) -> Verdict:
    """Return the verdict on a formula without temporal operators, from the starts alone."""
    each = (evaluate.holds(open_verdict.formula, start, open_verdict.who) for start in starts)
    return replace(open_verdict, holds=all(each) if open_verdict.paths == "all" else any(each))
