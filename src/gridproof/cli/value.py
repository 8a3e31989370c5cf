"""`value`: compute the chance of a goal, or the expected score."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from gridproof.cli.options import (
    ActorNames,
    GameName,
    GoalOrScore,
    Json,
    LevelName,
    Seconds,
    States,
    parse_actors,
    read_level,
)
from gridproof.cli.output import ExitStatus, level_heading, print_json, print_paragraph
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Position
from gridproof.core.proposition import parse_goal
from gridproof.core.text.phrases import format_count
from gridproof.prove.interval import Interval
from gridproof.prove.value import SCORE, Value, Worth
from gridproof.prove.value import value as value_of

_MAX_DIGITS = 20  # of a printed fraction
_MAX_EQUAL = 3
"""Most actions of the same value that are printed."""


def value(
    level: LevelName,
    goal: GoalOrScore = "won",
    actors: ActorNames = None,
    seconds: Seconds = None,
    states: States = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Compute the chance of a goal, or the expected score.

    The chance is computed for the best and for the worst play.

    Exit status: 0 computed, 3 a limit was reached.
    """
    name, found = read_level(level, game)
    with Progress(f"Valuing {name}") as progress:
        answer = value_of(found, goal, parse_actors(actors), Limit(seconds, states), progress)
    starts = [outcome.position for outcome in found.starts()]
    first = answer.at(starts[0]) if answer.values.of(starts[0]) and len(starts) == 1 else None
    _print_json(name, answer, first) if json else _print(name, answer, first, starts[0])
    return ExitStatus.DONE if answer.converged else ExitStatus.LIMIT


def _print_json(name: str, answer: Value, first: Worth | None) -> None:
    print_json(
        {
            "level": name,
            "game": answer.level.game.name,
            "title": answer.level.title,
            "goal": answer.goal,
            "best": _data(answer.best_bounds),
            "worst": _data(answer.worst_bounds),
            "error": answer.error,
            "actions": first
            and {str(action): _data(bounds) for action, bounds in first.action_bounds.items()},
            "states": answer.states,
            "seconds": round(answer.seconds, 6),
            "engine": answer.engine,
            "stopped_by": answer.stopped_by or None,
        }
    )


def _data(bounds: Interval) -> dict[str, Any]:
    """Return a number with its bounds, as a fraction if it is exact."""
    number, exact = bounds.middle, bounds.low == bounds.high
    fraction = str(number) if exact and isinstance(number, Fraction) else None
    return {"value": float(number), "fraction": fraction, "bounds": [float(bound) for bound in bounds]}


def _print(name: str, answer: Value, first: Worth | None, start: Position[Any]) -> None:
    work = f"{format_count(answer.states, 'positions')} ({answer.seconds:.1f} s)"
    if not answer.converged:
        work += f"; {describe_limit(answer.stopped_by)}"
    print_paragraph(f"{level_heading(name, answer.level)}: {answer.quantity}, from {work}", hanging=2)
    for what, bounds in (("at best", answer.best_bounds), ("at worst", answer.worst_bounds)):
        print_paragraph(f"{what} {_bounds_text(bounds, answer.converged)}", 2, 4)
    if first and first.actions and answer.converged:
        best, worth = _rank(answer, first, start)
        print_paragraph(f"best first: {best} ({worth})", 2, 4)


def _rank(answer: Value, first: Worth, start: Position[Any]) -> tuple[Any, str]:
    """Return the best action, and all with their values: of equal ones, those that reach the goal at once first."""
    goal = None if answer.goal == SCORE else parse_goal(answer.level.game, answer.goal)

    def at_once(action: Any) -> Fraction:
        outcomes = () if goal is None else start.outcomes(action)
        return sum((item.probability for item in outcomes if goal and goal(item.position)), Fraction())

    texts = {action: f"{float(number):.6f}" for action, number in first.actions.items()}
    ranked = sorted(texts, key=lambda action: (float(texts[action]), at_once(action)), reverse=True)
    parts = []
    for text, group in itertools.groupby(ranked, key=texts.__getitem__):
        equal = [*group]
        parts += [f"{action} {text}" for action in equal[:_MAX_EQUAL]]
        if len(equal) > _MAX_EQUAL:
            parts.append(f"{len(equal) - _MAX_EQUAL} more {text}")
    return ranked[0], ", ".join(parts)


def _bounds_text(bounds: Interval, converged: bool) -> str:
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
