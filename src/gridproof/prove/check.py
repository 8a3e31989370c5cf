"""`gp.check`: proves or refutes a formula on a level."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import short_repr
from gridproof.prove import cost, evaluate
from gridproof.prove.expansion import expand_things
from gridproof.prove.fairness import Fair, assumptions, fair_formulas
from gridproof.prove.formula import Coalition, Formula, Unary, check_depth, is_path_formula, subformulas
from gridproof.prove.logic import Logic, logic_of, property_of
from gridproof.prove.name_check import check_names
from gridproof.prove.quantity_check import QuantityChecker
from gridproof.prove.recurrence import RESPONSE, recurrence_of
from gridproof.prove.turn_order import check_turns
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, resolve_actors, starts_of
from gridproof.search.cost_product import strip_costs
from gridproof.search.explore import space_of
from gridproof.search.question import Question
from gridproof.search.space import Progress, StateSpace, monotonic_progress

if TYPE_CHECKING:
    from gridproof.prove.induction import InductionVerdict

HASH_COMPACTION = "hash-compaction"
"""The engine that keeps a hash of each position."""


def check(  # noqa: PLR0913  # the public parameters of `check`
    level_or_position: Level | Position[Any] | StateSpace | str,
    formula: str | Formula,
    paths: str = "all",
    actors: Actors = None,
    limit: Limit | None = None,
    fair: Fair = (),
    progress: Progress | None = None,
    shortest: bool = False,
    invariant: str | Formula | None = None,
    induction: int | None = None,
    engine: str = "explicit",
) -> Verdict:
    """Prove or refute a formula of CTL, LTL or CTL*, or say who can force something: `<<a>> F won(a)`.

    Parameters
    ----------
    level_or_position : Level, Position, StateSpace or str
        A level, or the name of one as of `gridproof.level`, is checked at all its starts. Many formulas can share one space of `gridproof.explore`.
    formula : str or Formula
        As the page on formulas says: `AG EF won`, `G (won -> X won)`. Without temporal operators it is judged at
        the start. Or an automaton of violations, which `gridproof.prove.formats.hoa_reader.read_violations` reads.
    paths : "all" or "some"
        LTL only: must hold on all paths or on one; without temporal operators: at all starts or at one.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop without an answer; never an error.
    fair : str or sequence of str
        Assumptions such as "weak up" and "strong a": only fair paths count. An action or an actor's actions are done
        again and again if they can be done always (weak), or again and again (strong); `*` is each action.
        "G F FORMULA": a formula about positions is true again and again.
    shortest : bool
        If the trace is a loop and the actions before it: search until none has fewer actions, which may take long.
    invariant : str or Formula
        Prove `AG p` by this formula about one position, over all positions of the level: it holds at the starts, each action
        keeps it, and it implies p. The result is a `gridproof.prove.induction.InductionVerdict`.
    induction : int
        Prove `AG p` by k-induction with this k: no counterexample has fewer than k actions, and in no position of the level is
        the nearest one without p k actions away. The result is an `InductionVerdict`, too.
    engine : str
        "hash-compaction" keeps 64 bits of each position, for `AG p` and `EF p` on large levels: without a trace, the
        answer is probable only, by the verdict's `omission_probability`. Of proofs by induction: "explicit", by the
        positions; "clingo", by an answer-set program, for Shift It and Sokoban.

    Returns
    -------
    Verdict
        With a witness or a counterexample, where a path shows the answer.

    Raises
    ------
    ParseError
        When the text is no formula, or a name in it has no meaning on the level: with the place and the available names.
    GridproofError
        When it uses operators where they mean nothing or is too large, for an unknown actor, and for wrong values.

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
    given_formula = _formula(formula)
    level_or_position = resolve_level(level_or_position)
    starts, given = _starts(level_or_position, actors)
    wanted = expand_things(given_formula, starts[0].level)
    logic = logic_on_paths(wanted, paths)
    if logic is Logic.CTL_STAR and is_path_formula(wanted):
        wanted = Unary("A", wanted)
    check_names(wanted, starts[0])
    who = given.who if given else resolve_actors(starts[0].level, actors)
    question = Question(starts=starts, who=who, meter=meter, progress=monotonic_progress(progress))
    open_verdict = Verdict(wanted, logic, None, None, None, False, 0, 0.0, "", (), paths, who)
    if method := _choose_method(invariant, induction, engine):
        _refuse_unused(method.title, given, fair, shortest)
        return replace(method.answer(open_verdict, question), formula=given_formula, seconds=meter.seconds)
    if logic is Logic.PCTL:
        if fair:
            raise GridproofError("fairness applies to CTL and LTL only, not to formulas with P or R")
        checker = QuantityChecker(level_or_position, starts, actors, limit, progress)  # type: ignore[arg-type]  # no name any more
        return replace(checker.answer(open_verdict), formula=given_formula)
    product = cost.find_product(wanted, starts[0].level, paths, bool(fair))
    if product:
        question = replace(question, starts=[product.wrap(start) for start in starts])
    check_fairness(fair, question.starts[0])
    if product:
        given = None
    if logic is Logic.ATL:
        _check_fairness_of_coalitions(fair, starts[0].level, wanted)
        verdict = _force(open_verdict, question, given, fair)
    else:
        verdict = _prove(open_verdict, question, given, fair, shortest)
    if product:  # there are no counts of the level: positions may differ in costs alone
        trace = verdict.trace and strip_costs(verdict.trace)
        verdict = replace(verdict, satisfying=None, trace=trace)
    return replace(verdict, formula=given_formula, seconds=meter.seconds)


def _check_fairness_of_coalitions(fair: Fair, level: Level, formula: Formula) -> None:
    for one in fair_formulas(fair, level):
        if logic_of(one) is not Logic.STATE:
            raise GridproofError(
                f"with <<...>>, the formula of 'G F FORMULA' has no operators of time, as {one} does"
            )
    paths = (one.operand for one in subformulas(formula) if isinstance(one, Coalition))
    found = (again for path in paths if (again := recurrence_of(path)))
    if fair and any(one.kind == RESPONSE for one in found):
        raise GridproofError("fairness does not apply to <<...>> G (p -> F q); it does to G F p -> G F q")


def check_fairness(fair: Fair, start: Position[Any]) -> None:
    """Check assumptions of fairness before any work; actions only if the level lists them."""
    for one in fair_formulas(fair, start.level):
        check_names(one, start)
        if cost.find_product(one, start.level):
            raise GridproofError(f"fairness cannot compare costs, as {one} does")
    if listed := start.level.all_actions():  # else they are known when all positions are
        assumptions(fair, start.level, listed)


def _refuse_unused(method: str, given: StateSpace | None, fair: Fair, shortest: bool) -> None:
    """Raise GridproofError for arguments that mean nothing to a method of proof."""
    if given:
        raise GridproofError(f"{method} is about a level, not about an explored space")
    if fair or shortest:
        raise GridproofError(f"{method} takes neither fairness nor shortest")


def _choose_method(
    invariant: str | Formula | None, depth: int | None, engine: str
) -> _Induction | _HashCompaction | None:
    """Return the way to prove without exploring, if one is asked for."""
    if invariant is None and depth is None:
        if engine == HASH_COMPACTION:
            return _HashCompaction()
        if engine != "explicit":
            raise GridproofError(
                f"without invariant or induction, the engine is explicit or {HASH_COMPACTION}, not {short_repr(engine)}"
            )
        return None
    if invariant is not None and depth is not None:
        raise GridproofError("a proof is either by an invariant or by k-induction")
    return _Induction(invariant, depth, engine)


class _HashCompaction:
    """Search that keeps a hash of each position."""

    title = "hash compaction"

    def answer(self, open_verdict: Verdict, question: Question) -> Verdict:
        """Return the verdict, which may be probable only."""
        verdict: Verdict = load("gridproof.prove.hash_compaction").answer(open_verdict, question)
        return verdict


class _Induction(NamedTuple):
    """Way to prove `AG p` by induction."""

    invariant: str | Formula | None
    depth: int | None
    engine: str

    @property
    def title(self) -> str:
        """The name of the method."""
        return "a proof by induction"

    def answer(self, open_verdict: Verdict, question: Question) -> Verdict:
        """Return the verdict; GridproofError for a formula or an engine that does not go with it."""
        explicit, start = load("gridproof.prove.induction"), question.starts[0]
        if self.engine not in explicit.ENGINES:
            raise GridproofError(
                f"no engine {short_repr(self.engine)}; choose from {', '.join(explicit.ENGINES)}"
            )
        explicit.check_invariant(property_of(open_verdict.formula, open_verdict.paths), start)
        by_clingo = load("gridproof.prove.answer_sets") if self.engine == explicit.CLINGO else None
        verdict: InductionVerdict
        if self.invariant is not None:
            given = _formula(self.invariant)
            stated = explicit.check_invariant(given, start)
            verdict = (by_clingo or explicit).prove_by_invariant(open_verdict, question, stated)
            verdict = replace(verdict, invariant=given)
        else:
            by_depth = load("gridproof.prove.k_induction")
            depth = by_depth.check_depth(self.depth)
            verdict = (by_clingo or by_depth).prove_by_depth(open_verdict, question, depth)
        return verdict


def _force(open_verdict: Verdict, question: Question, given: StateSpace | None, fair: Fair) -> Verdict:
    """Return the verdict on a formula with coalitions."""
    check_turns(open_verdict.formula, question.level, question.who)
    space, meter = given or space_of(question), question.meter
    meter.start_time = time.perf_counter() - (0 if given else space.seconds)
    with meter.pause():
        forcing = load("gridproof.prove.atl")
    verdict: Verdict = forcing.answer(open_verdict.on(space), space, meter, fair)
    return verdict


def _prove(
    open_verdict: Verdict, question: Question, given: StateSpace | None, fair: Fair, shortest: bool
) -> Verdict:
    """Return the verdict on a formula of CTL or LTL, as early as the positions found decide it."""
    meter, starts = question.meter, question.starts
    if open_verdict.logic is Logic.STATE:
        open_verdict = _judge_starts(open_verdict, starts)
    with meter.pause():
        early = load("gridproof.prove.early_verdict")
    early_stop = early.EarlyProver(open_verdict, starts, fair, meter, shortest)
    space = given or space_of(replace(question, early_stop=early_stop))
    meter.start_time = time.perf_counter() - (0 if given else space.seconds)
    verdict: Verdict = early_stop.conclude(space, bool(given))
    return verdict


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


def logic_on_paths(formula: Formula, paths: str) -> Logic:
    """Return the logic of a formula; GridproofError when it mixes logics, or for paths that do not go with it."""
    logic = logic_of(formula)
    if paths not in ("all", "some"):
        raise GridproofError(f"paths are 'all' or 'some', not {short_repr(paths)}")
    if logic in (Logic.CTL, Logic.CTL_STAR, Logic.ATL, Logic.PCTL) and paths != "all":
        branching = Logic.CTL_STAR if logic is Logic.CTL_STAR else Logic.CTL
        raise GridproofError(f"paths='some' applies to LTL only; in {branching.value}, use A and E")
    return logic


def _judge_starts(open_verdict: Verdict, starts: list[Position[Any]]) -> Verdict:
    """Return the verdict on a formula without temporal operators, from the starts alone."""
    each = (evaluate.holds(open_verdict.formula, start, open_verdict.who) for start in starts)
    return replace(open_verdict, holds=all(each) if open_verdict.paths == "all" else any(each))
