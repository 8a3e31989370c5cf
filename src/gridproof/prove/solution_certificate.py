"""Certificates of cheapest solutions, values, probabilities and expected costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter, Stopped, start_meter
from gridproof.core.measure import costs_of
from gridproof.core.position import Level, Position
from gridproof.prove.checkers.comparisons import ComparisonsStatement, is_number, list_comparisons
from gridproof.prove.checkers.distance import measures_of
from gridproof.prove.checkers.forced_bounds import ForcedStatement
from gridproof.prove.checkers.goal_statements import SCORE, DistanceStatement
from gridproof.prove.checkers.quantity_statement import QuantityStatement, check_quantity
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.formula import Formula, Quantity
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.name_check import check_names
from gridproof.prove.quantity import is_question, parse_question
from gridproof.prove.writers import comparisons, distance, value
from gridproof.prove.writers.output import Certified, certify_proof
from gridproof.search.actors import Actors, resolve_actors, starts_of
from gridproof.search.solution import Solution


@dataclass(frozen=True, slots=True)
class GoalCertificateQuestion:
    """A goal on a level, and the actors who want it."""

    subject: Level | Position[Any]
    goal: str = "won"
    actors: Actors = None

    @property
    def setting(self) -> Setting:
        """The level, its starts and the actors."""
        starts = starts_of(self.subject)
        return Setting(starts[0].level, tuple(starts), resolve_actors(starts[0].level, self.actors), "")


def certify_solution(
    question: GoalCertificateQuestion,
    minimise: str,
    solution: Solution,
    path: Path,
    limit: Limit | None = None,
) -> Certified:
    """Write a certificate that a solution is the cheapest one; GridproofError if that is not proved."""
    if solution.trace is None or not solution.optimal:
        raise GridproofError(
            "no certificate can be written for a solution that is not proved to be the cheapest"
        )
    meter, setting, trace = start_meter(limit), question.setting, solution.trace
    goal = proposition.parse_goal(setting.level.game, question.goal)
    steps = tuple((str(step.action), step.label) for step in trace.steps)
    said = DistanceStatement(*setting, goal, question.goal, minimise, (), trace.start, steps)
    said = replace(said, cost=tuple(costs_of(trace, measures_of(said)).values()))
    try:
        proof = distance.find_proof(said, meter)
    except (Stopped, MemoryError):
        return Certified(None, solution.states, meter.seconds, meter.reason)
    return certify_proof(path, said, question.actors, proof, meter)


def check_kind(asked: Formula) -> None:
    """Raise GridproofError for comparisons of probabilities or costs that no certificate can have."""
    if logic_of(asked) is Logic.PCTL:
        for one in [asked] if isinstance(asked, Quantity) else list_comparisons(asked):
            if isinstance(one, Quantity):
                check_quantity(one)


def certify_quantity(
    question: GoalCertificateQuestion, asked: Formula, path: Path, meter: Meter
) -> Certified:
    """Write a certificate of the bounds of a probability or a cost, or of a formula that such bounds decide."""
    said: QuantityStatement | ForcedStatement | ComparisonsStatement
    try:
        if isinstance(asked, Quantity):
            said, proof = comparisons.find_part(question.setting, asked, meter)
        else:
            said, proof = comparisons.find_proof(question.setting, asked, meter)
    except (Stopped, MemoryError):
        return Certified(None, 0, meter.seconds, meter.reason)
    if not is_number(asked) and said.holds is None:
        return Certified(None, proof.size, meter.seconds, "")
    return certify_proof(path, said, question.actors, proof, meter)


def certify_value(question: GoalCertificateQuestion, path: Path, limit: Limit | None = None) -> Certified:
    """Write a certificate of the best and the worst value of a goal, of a question, or of the points."""
    meter, setting = start_meter(limit), question.setting
    if is_question(question.goal):
        asked = parse_question(question.goal, setting.level)
        check_names(asked, setting.starts[0])
        return certify_quantity(question, asked, path, meter)
    goal = None if question.goal == SCORE else proposition.parse_goal(setting.level.game, question.goal)
    if goal is None and not setting.level.game.policy.keeps_score:
        raise GridproofError(f"{setting.level.game.name} keeps no score")
    try:
        said, proof = value.find_proof(setting, goal, question.goal, meter)
    except (Stopped, MemoryError):
        return Certified(None, 0, meter.seconds, meter.reason)
    return certify_proof(path, said, question.actors, proof, meter)
