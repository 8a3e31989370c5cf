"""`value`: compute the chance of a goal, the expected score, or a probability or an expected cost that is asked for."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from gridproof.cli.options import (
    ActorNames,
    CertificateFile,
    Force,
    GameName,
    GoalOrScore,
    Json,
    LevelName,
    Seconds,
    States,
    check_targets,
    is_missing,
    note_certificate,
    parse_actors,
    path_of_certificate,
    read_level,
)
from gridproof.cli.output import (
    ExitStatus,
    files_data,
    level_heading,
    print_files,
    print_note,
    print_paragraph,
    print_result,
)
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Position
from gridproof.core.proposition import parse_goal
from gridproof.core.text.phrases import format_count
from gridproof.prove.certify import refuse_costs
from gridproof.prove.interval import Interval
from gridproof.prove.quantity import SCORE, is_question, parse_question
from gridproof.prove.solution_certificate import GoalCertificateQuestion, certify_value, check_kind
from gridproof.prove.value import Value, Worth
from gridproof.prove.value import value as value_of
from gridproof.prove.writers.output import Certified

_MAX_DIGITS = 20  # of a printed fraction
_MAX_EQUAL = 3
"""Most actions of the same value that are printed."""


def value(
    level: LevelName,
    goal: GoalOrScore = "won",
    actors: ActorNames = None,
    seconds: Seconds = None,
    states: States = None,
    certificate: CertificateFile = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Compute the chance of a goal, or an expected score or cost.

    A goal may also be a question about paths, such as 'P=? [!lost U tile(8)]'. The
    answer is for the best and for the worst play; of '<<a>> P=? [F won(a)]', for
    what a can force.

    Exit status: 0 computed, 3 a limit was reached.
    """
    name, found = read_level(level, game)
    check_targets(force, certificate)
    if certificate:
        refuse_costs(found, goal)
        if is_question(goal):
            check_kind(parse_question(goal, found))
    limit = Limit(seconds, states)
    with Progress(f"Valuing {name}") as progress:
        answer = value_of(found, goal, parse_actors(actors), limit, progress)
    question = GoalCertificateQuestion(found, goal, parse_actors(actors))
    certified = _certify(name, question, certificate, limit) if certificate else None
    proof = path_of_certificate(certificate, certified)
    starts = [outcome.position for outcome in found.starts()]
    has_actions = len(starts) == 1 and not answer.is_of_start and answer.values.of(starts[0])
    first = answer.at(starts[0]) if has_actions else None
    if json:
        actions = first and {str(action): one.to_dict() for action, one in first.action_bounds.items()}
        print_result(name, found, answer.to_dict(), {"actions": actions}, files_data(None, proof))
    else:
        _print(name, answer, first, starts[0])
        print_files(None, proof)
    return ExitStatus.LIMIT if is_missing(certified) or not answer.converged else ExitStatus.DONE


def _certify(name: str, question: GoalCertificateQuestion, path: Path, limit: Limit) -> Certified | None:
    """Write a certificate of the bounds that the rules prove; None, with a note, if there is none."""
    try:
        with Progress(f"Certifying {name}"):
            found = certify_value(question, path, limit)
    except GridproofError as error:
        print_note(f"{name}: {error}")
        return None
    return note_certificate(name, found)


def _print(name: str, answer: Value, first: Worth | None, start: Position[Any]) -> None:
    work = f"{format_count(answer.states, 'positions')} ({answer.seconds:.1f} s)"
    if not answer.converged:
        work += f"; {describe_limit(answer.stopped_by)}"
    print_paragraph(f"{level_heading(name, answer.level)}: {answer.quantity}, from {work}", hanging=2)
    for what, bounds in answer.answers.items():
        print_paragraph(f"{what} {_bounds_text(bounds, answer.converged)}", 2, 4)
    if answer.remark:
        print_paragraph(answer.remark, 2, 4)
    if first and first.actions and answer.converged and first.actions[first.action] != math.inf:
        best, worth = _rank(answer, first, start)
        print_paragraph(f"best first: {best} ({worth})", 2, 4)


def _rank(answer: Value, first: Worth, start: Position[Any]) -> tuple[Any, str]:
    """Return the best action, and all with their values: of equal ones, those that reach the goal at once first."""
    goal = None if answer.goal == SCORE or answer.question else parse_goal(answer.level.game, answer.goal)

    def at_once(action: Any) -> Fraction:
        outcomes = () if goal is None else start.outcomes(action)
        return sum((item.probability for item in outcomes if goal and goal(item.position)), Fraction())

    numbers = {action: round(float(number), 6) for action, number in first.actions.items()}
    texts = {
        action: "infinite" if number == math.inf else f"{number:.6f}" for action, number in numbers.items()
    }
    sign = -1 if first.least else 1
    ranked = sorted(numbers, key=lambda action: (sign * numbers[action], at_once(action)), reverse=True)
    parts = []
    for text, group in itertools.groupby(ranked, key=texts.__getitem__):
        equal = [*group]
        parts += [f"{action} {text}" for action in equal[:_MAX_EQUAL]]
        if len(equal) > _MAX_EQUAL:
            parts.append(f"{len(equal) - _MAX_EQUAL} more {text}")
    return ranked[0], ", ".join(parts)


def _bounds_text(bounds: Interval, converged: bool) -> str:
    if bounds.high == math.inf:
        return "infinite" if bounds.low == math.inf else f"{math.floor(bounds.low * 1e6) / 1e6:.6f} or more"
    if not converged:
        low, high = map(float, bounds)
        return f"between {math.floor(low * 1e6) / 1e6:.6f} and {math.ceil(high * 1e6) / 1e6:.6f}"
    number = bounds.middle
    if isinstance(number, Fraction):
        exact = str(number)
        return exact if number.denominator == 1 else (
            f"{float(number):.12f}" + (f" = {exact}" if len(exact) <= _MAX_DIGITS else ", known exactly")
        )  # fmt: skip
    return f"{number:.12f}, within {bounds.error:.0e}"
