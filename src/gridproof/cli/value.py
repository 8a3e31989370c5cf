"""`value`: compute the chance of a goal, or the expected score."""

from __future__ import annotations

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
from gridproof.core.text.phrases import format_count
from gridproof.prove.interval import Interval
from gridproof.prove.value import Value, Worth
from gridproof.prove.value import value as value_of

_MAX_DIGITS = 20  # of a printed fraction


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
    _print_json(name, answer, first) if json else _print(name, answer, first)
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


def _print(name: str, answer: Value, first: Worth | None) -> None:
    work = f"{format_count(answer.states, 'positions')} ({answer.seconds:.1f} s)"
    if not answer.converged:
        work += f"; {describe_limit(answer.stopped_by)}"
    print_paragraph(f"{level_heading(name, answer.level)}: {answer.quantity}, from {work}", hanging=2)
    for what, bounds in (("at best", answer.best_bounds), ("at worst", answer.worst_bounds)):
        print_paragraph(f"{what} {_bounds_text(bounds, answer.converged)}", 2, 4)
    if first and first.actions and answer.converged:
        worth = ", ".join(f"{action} {float(number):.6f}" for action, number in first.actions.items())
        print_paragraph(f"best first: {first.action} ({worth})", 2, 4)


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
