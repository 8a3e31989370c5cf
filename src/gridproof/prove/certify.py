"""`gp.certify`: writes a certificate, which `gridproof.prove.verify` checks by the rules alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypedDict, Unpack

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, Meter, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.text import files
from gridproof.core.text.level_lookup import resolve_level
from gridproof.prove.certificate import CLOSED, ClosedSet, kinds_of
from gridproof.prove.check import check
from gridproof.prove.expansion import expand_things
from gridproof.prove.fairness import Fair
from gridproof.prove.formula import Formula, decisive_goal, is_goal
from gridproof.prove.induction import InductionVerdict
from gridproof.prove.quantity import is_question
from gridproof.prove.solution_certificate import (
    GoalCertificateQuestion,
    certify_solution,
    certify_value,
    check_kind,
)
from gridproof.prove.verdict import Verdict
from gridproof.prove.verdict_certificate import VerdictQuestion, certify_invariant, certify_verdict
from gridproof.prove.writers.output import Certified, write_proof
from gridproof.prove.writers.proof import Proof
from gridproof.search.actors import Actors, resolve_actors, starts_of
from gridproof.search.cost_product import has_costs
from gridproof.search.explore import explore
from gridproof.search.solve import solve
from gridproof.search.space import Progress, StateSpace, monotonic_progress


class OtherQuestion(TypedDict, total=False):
    """Keyword arguments of `certify` for other questions than whether a goal can be reached."""

    formula: str
    """A formula, as of `gridproof.check`."""
    paths: str
    fair: Fair
    invariant: str
    """An inductive invariant that proves the formula, as of `gridproof.check`."""
    minimise: str
    """A measure, as of `gridproof.solve`."""
    value: bool
    """True for the value of the goal, as of `gridproof.value`."""


def certify(
    level_or_position: Level | Position[Any] | str,
    path: str | Path,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    **question: Unpack[OtherQuestion],
) -> Certified:
    """Prove that a goal can never be reached, or decide a formula, and write the proof.

    Parameters
    ----------
    level_or_position : Level, Position or str
        A level, or the name of one as of `gridproof.level`, is explored from all its starts.
    path : str or Path
        The file; packed by gzip when its name ends in .gz. None is written, unless the goal is impossible.
    goal : str
        A proposition of the game.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to give up; never an error. Its time is that of the search; its `stop` ends the writing, too.
    formula, paths, fair, invariant
        In place of the goal, a question as of `gridproof.check`: its verdict is proved, whether it holds or not.
    minimise : str
        A measure as of `gridproof.solve`: the cheapest solution is proved; or that there is none.
    value : bool
        True: the chance of the goal is proved, or the expected points, as of `gridproof.value`.

    Returns
    -------
    Certified

    Raises
    ------
    GridproofError
        For a goal or an actor that the game does not know, a file that cannot be written, or a goal with costs.

    Examples
    --------
    >>> import gridproof as gp, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "proof.json")
    >>> gp.certify("sokoban/first-steps/1", path, goal="placed = 2").holds
    True
    >>> gp.verify(path, "sokoban/first-steps/1").holds
    True
    >>> gp.certify("sokoban/first-steps/1", path, formula="AG EF won").kind
    'ctl'
    >>> folder.cleanup()
    """
    meter, path = start_meter(limit), files.to_path(path)
    files.check_folder(path)
    level_or_position = resolve_level(level_or_position)
    starts = starts_of(level_or_position)
    level = starts[0].level
    _check_question(goal, question)
    refuse_costs(level, goal)
    subject = level_or_position if isinstance(level_or_position, Level) else starts[0]
    other = GoalCertificateQuestion(subject, goal, actors)
    if question and (certified := _certify_other(other, path, limit, progress, question)):
        return certified
    who = resolve_actors(level, actors)
    reached = proposition.parse_goal(level.game, goal)
    reached.value(starts[0])  # tells which arguments mean nothing on this level
    kind, found = (
        _find_closed_set(starts, reached, meter, monotonic_progress(progress))
        if who == (None,)
        else (CLOSED, None)
    )
    if found is None:
        found = _ReachableSet(explore(level_or_position, actors, limit, progress), goal)
        meter.stopped_by = found.stopped_by
    if found.holds:
        facts = {"goal": goal, "lemmas": found.lemmas()}
        if not write_proof(path, starts, (actors, who), Proof(kind, facts, len(found), found.texts()), meter):
            return Certified(None, len(found), meter.seconds, "stop")
    return Certified(found.holds, len(found), meter.seconds, meter.stopped_by, kind if found.holds else "")


def _check_question(goal: str, question: OtherQuestion) -> None:
    """Raise GridproofError for arguments that do not go together."""
    asked = [name for name in ("formula", "minimise", "value") if question.get(name)]
    if len(asked) > 1:
        raise GridproofError(f"{asked[0]} and {asked[1]} are two questions: give one of them")
    if "formula" in asked and goal != "won":
        raise GridproofError("a formula and a goal are two questions: give one of them")
    if unused := [
        name for name in ("paths", "fair", "invariant") if name in question and "formula" not in asked
    ]:
        raise GridproofError(f"{unused[0]} applies to a formula only")


def _certify_other(
    asked: GoalCertificateQuestion,
    path: Path,
    limit: Limit | None,
    progress: Progress | None,
    question: OtherQuestion,
) -> Certified | None:
    """Answer another question, and write its certificate; None if a goal whose solution was wanted is impossible."""
    if unknown := question.keys() - OtherQuestion.__annotations__.keys():
        raise TypeError(f"certify() got an unexpected keyword argument {min(unknown)!r}")
    if "formula" in question:
        formula = load("gridproof.prove.parsing").parse(question["formula"])
        check_kind(expand_things(formula, asked.setting.level))
        fair, invariant = question.get("fair", ()), question.get("invariant")
        verdict = check(
            asked.subject,
            formula,
            question.get("paths", "all"),
            asked.actors,
            limit,
            fair,
            invariant=invariant,
        )
        fair = (fair,) if isinstance(fair, str) else tuple(fair)
        return certify_answer(
            VerdictQuestion(asked.subject, verdict, asked.actors, fair), path, limit, progress
        )
    if question.get("value"):
        return certify_value(asked, path, limit)
    if "minimise" not in question:
        return None
    solution = solve(asked.subject, question["minimise"], asked.goal, asked.actors, limit, progress)
    if solution.found:
        return certify_solution(asked, question["minimise"], solution, path, limit)
    return (
        None
        if solution.found is False
        else Certified(None, solution.states, solution.seconds, solution.stopped_by)
    )


def certify_answer(
    question: VerdictQuestion, path: Path, limit: Limit | None = None, progress: Progress | None = None
) -> Certified:
    """Write a certificate of a verdict: that a goal is never reached if that is the answer, else of the formula."""
    verdict = question.verdict
    if isinstance(verdict, InductionVerdict) and verdict.invariant and verdict.holds is not False:
        return certify_invariant(question, verdict, verdict.invariant, path, limit)
    goal = impossible_goal(verdict)
    if goal is not None and not has_costs(starts_of(question.subject)[0].level.game, goal):
        found = certify(question.subject, path, goal, question.actors, limit, progress)
        if found.holds is not False:  # else it can be reached from some of the starts
            return found
    return certify_verdict(question, path, limit, progress)


def _find_closed_set(
    starts: list[Position[Any]], goal: Goal, meter: Meter, progress: Progress | None
) -> tuple[str, ClosedSet | None]:
    """Return the closed set of the game's own kind of certificates, if it has one for this goal."""
    for name, kind in kinds_of(starts[0].level.game).items():
        found = kind.closed_set(starts, goal, meter, progress)
        if found is not None:
            return name, found
    return CLOSED, None


class _ReachableSet:
    """All positions that can be reached."""

    def __init__(self, space: StateSpace, goal: str) -> None:
        self._space, self.stopped_by = space, space.stopped_by
        self.holds = False if space.values(goal).any() else True if space.complete else None

    def __len__(self) -> int:
        return self._space.states

    def texts(self) -> Iterable[str]:
        return (position.text() for position in self._space)

    def lemmas(self) -> list[Any]:
        return []


def impossible_goal(verdict: Verdict) -> str | None:
    """Return the goal that a verdict proves unreachable, as `AG !p` does if it holds, or `EF p` if not; else None."""
    found = _certifiable_goal(verdict.formula, verdict.paths)
    return found[0] if found and verdict.holds is not None and verdict.holds is not found[1] else None


def refuse_costs(level: Level, text: str) -> None:
    """Raise GridproofError if a goal compares costs: a certificate of a goal lists positions alone, unlike one of a question."""
    if has_costs(level.game, text) and not is_question(text):
        raise GridproofError(
            f"no certificate can be written for {text}: certificates of goals do not record costs; "
            f"check EF ({text}), or ask for the value P=? [F ({text})]"
        )


def _certifiable_goal(formula: Formula, paths: str) -> tuple[str, bool] | None:
    """Return the goal that decides a formula when it is reached, and that answer, if a certificate can have the goal."""
    if (found := decisive_goal(formula, paths)) is None:
        return None
    goal, answer = found
    return (str(goal), answer) if is_goal(goal) else None
