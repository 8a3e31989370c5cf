"""Certificates of verdicts: a trace, a closed set, or the ranks of fixpoints in all positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, Meter, Stopped, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.trace import Trace
from gridproof.prove.checkers.fixpoints import COALITION, CTL, fixpoints_of
from gridproof.prove.checkers.invariant import INVARIANT, InvariantStatement
from gridproof.prove.checkers.memory import RememberingLevel, let_judge
from gridproof.prove.checkers.quantified_paths import without_assumed_parts
from gridproof.prove.checkers.statements import FormulaStatement, Setting, check_forms
from gridproof.prove.expansion import expand_things
from gridproof.prove.formula import Formula
from gridproof.prove.induction import EXPLICIT, InductionVerdict
from gridproof.prove.logic import Logic
from gridproof.prove.recurrence import RECURRENT
from gridproof.prove.solution_certificate import GoalCertificateQuestion, certify_quantity
from gridproof.prove.verdict import Verdict
from gridproof.prove.writers import trace
from gridproof.prove.writers.output import Certified, certify_proof
from gridproof.prove.writers.proof import Proof
from gridproof.search.actors import Actors, starts_of
from gridproof.search.explore import explore
from gridproof.search.space import Progress

_KINDS = {Logic.CTL: CTL, Logic.ATL: COALITION}


@dataclass(frozen=True, slots=True)
class VerdictQuestion:
    """A verdict, and the question that it answers."""

    subject: Level | Position[Any]
    verdict: Verdict
    actors: Actors = None
    fair: Sequence[str] = ()

    @property
    def statement(self) -> FormulaStatement:
        """The statement to prove; GridproofError for a formula that checkers do not know.

        Fairness is about paths, and does not matter to a formula about the starts.
        """
        starts, verdict = starts_of(self.subject), self.verdict
        level = starts[0].level
        formula = expand_things(verdict.formula, level)
        check_forms(formula)
        setting = Setting(level, tuple(starts), verdict.who, "")
        fair = () if verdict.logic is Logic.STATE else tuple(self.fair)
        return FormulaStatement(*setting, formula, verdict.paths, fair, bool(verdict.holds))


def certify_invariant(
    question: VerdictQuestion, verdict: InductionVerdict, invariant: Formula, path: Path, limit: Limit | None
) -> Certified:
    """Write a certificate of a verdict by an inductive invariant, which lists no positions."""
    meter, starts = start_meter(limit), starts_of(question.subject)
    if verdict.engine != EXPLICIT:
        raise GridproofError("a certificate of an invariant counts positions: use the engine explicit")
    if not verdict.holds:
        return Certified(None, verdict.states, meter.seconds, verdict.stopped_by)
    level = starts[0].level
    formulas = expand_things(verdict.formula, level), expand_things(invariant, level)
    setting = Setting(level, tuple(starts), verdict.who, INVARIANT)
    said = InvariantStatement(*setting, *formulas, verdict.states, verdict.inside)
    return certify_proof(path, said, question.actors, Proof(INVARIANT, said.facts, 0, ()), meter)


def certify_verdict(
    question: VerdictQuestion, path: Path, limit: Limit | None = None, progress: Progress | None = None
) -> Certified:
    """Write a certificate of a verdict; GridproofError if there is no kind of certificates for it."""
    meter, verdict = start_meter(limit), question.verdict
    if verdict.logic is Logic.PCTL:
        return _certify_comparison(question, path, meter)
    said = question.statement
    if verdict.holds is None:
        return Certified(None, verdict.states, meter.seconds, verdict.stopped_by)
    inside = said.in_memory
    shown = _remembering_trace(verdict.trace, inside.level)
    proof = trace.find_proof(inside, shown if without_assumed_parts(inside) is inside else None)
    try:
        proof = proof or _find_proof(inside, question, meter, limit, progress)
    except (Stopped, MemoryError):
        proof = None
    if proof is None:
        return Certified(None, verdict.states, meter.seconds, meter.reason)
    proof = proof._replace(facts={**proof.facts, "formula": said.facts["formula"]})
    found = certify_proof(path, said, question.actors, proof, meter)
    return found if found.holds else replace(found, positions=verdict.states)


def _remembering_trace(trace: Trace | None, level: Level) -> Trace | None:
    """Return a trace whose positions have the memory of a level, if it is one with a memory; None if rules do not tell it."""
    if trace is None or not isinstance(level, RememberingLevel):
        return trace
    if level.is_judged:
        return None
    return replace(trace, start=level.wrap(trace.start), loop=trace.loop)


def _certify_comparison(question: VerdictQuestion, path: Path, meter: Meter) -> Certified:
    """Write a certificate of the verdict on comparisons of probabilities and costs."""
    verdict = question.verdict
    asked = expand_things(verdict.formula, starts_of(question.subject)[0].level)
    if verdict.holds is None:
        return Certified(None, verdict.states, meter.seconds, verdict.stopped_by)
    about = GoalCertificateQuestion(question.subject, actors=question.actors)
    return certify_quantity(about, asked, path, meter)


def _find_proof(
    said: FormulaStatement,
    question: VerdictQuestion,
    meter: Meter,
    limit: Limit | None,
    progress: Progress | None,
) -> Proof | None:
    """Return a proof that lists all positions, or at least those that matter; None at a limit."""
    if said.logic is Logic.STATE:
        return Proof(CTL, said.facts, 0, ())
    subject = question.subject
    if isinstance(said.level, RememberingLevel):
        subject = said.level
        if said.level.is_judged:
            truths = load("gridproof.prove.writers.past_truths").PastTruths(
                said, question.actors, limit, meter
            )
            let_judge(said.level, truths.judge)
    space = explore(subject, question.actors, limit, progress)
    if not space.complete:
        meter.stopped_by = space.stopped_by
        return None
    if said.fair and said.logic is Logic.ATL:
        found: Proof = load("gridproof.prove.writers.fair_coalition").find_proof(said, space, meter)
        return found
    if said.logic is Logic.ATL and any(one.kind in RECURRENT for one in fixpoints_of(said.formula)):
        again: Proof = load("gridproof.prove.writers.recurrence").find_proof(said, space, meter)
        return again
    if said.fair or said.logic not in _KINDS:
        with meter.enforce():
            proof: Proof = load("gridproof.prove.writers.paths").find_proof(said, space, meter)
            return proof._replace(lines=list(proof.lines))
    fixpoints = load("gridproof.prove.writers.fixpoints")
    count = fixpoints.count_lines(space, said.formula)
    return Proof(_KINDS[said.logic], said.facts, count, fixpoints.lines_of(space, said.formula, meter))
