"""`value`: how likely a goal is, or how many points can be expected."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import typer

from gridproof.cli.options import ActorNames, GameName, Json, LevelName, actors_in, level_named
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit
from gridproof.core.wording import counted
from gridproof.prove.value import SCORE, Number, Value, Worth
from gridproof.prove.value import value as value_of

_MOST_DIGITS = 20  # of a fraction that is printed as one


def value(
    level: LevelName,
    goal: Annotated[
        str, typer.Option("--goal", metavar="PROPOSITION", help="Such as tile(256); or score, for points.")
    ] = "won",
    actors: ActorNames = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after them.")] = None,
    states: Annotated[
        int | None, typer.Option("--states", metavar="N", help="Stop when there are more.")
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Find the best and worst chance of a goal, or expected points.

    Exit status: 0 found, 3 a limit was reached.
    """
    name, found = level_named(level, game)
    with Progress(f"Valuing {name}") as progress:
        answer = value_of(found, goal, actors_in(actors), Limit(seconds, states), progress)
    starts = [outcome.position for outcome in found.starts()]
    first = answer.at(starts[0]) if answer.best is not None and len(starts) == 1 else None
    _print_json(name, answer, first) if json else _print(name, answer, first)
    return ExitStatus.LIMIT if answer.best is None else ExitStatus.DONE


def _print_json(name: str, answer: Value, first: Worth | None) -> None:
    print_json(
        {
            "level": name,
            "game": answer.level.game.name,
            "title": answer.level.title,
            "goal": answer.goal,
            "best": _data(answer.best),
            "worst": _data(answer.worst),
            "error": answer.error,
            "actions": first and {str(action): _data(worth) for action, worth in first.actions.items()},
            "states": answer.states,
            "seconds": round(answer.seconds, 6),
            "engine": answer.engine,
            "stopped_by": answer.stopped_by or None,
        }
    )


def _data(number: Number | None) -> dict[str, Any] | None:
    """A number, and as a fraction where it is one."""
    if number is None:
        return None
    return {"value": float(number), "fraction": str(number) if isinstance(number, Fraction) else None}


def _print(name: str, answer: Value, first: Worth | None) -> None:
    title, work = (
        f"{name}  {answer.level.title}".rstrip(),
        f"{counted(answer.states, 'positions')}, {answer.seconds:.1f} s",
    )
    if answer.best is None or answer.worst is None:
        print_paragraph(f"{title}: no answer, stopped by {answer.stopped_by}; {work}", hanging=2)
        return
    print_paragraph(f"{title}: {'points' if answer.goal == SCORE else answer.goal}; {work}", hanging=2)
    for what, number in (("at best", answer.best), ("at worst", answer.worst)):
        print_paragraph(f"{what} {_shown(number, answer.error)}", 2, 4)
    if first and first.actions:
        worth = ", ".join(f"{action} {float(number):.6f}" for action, number in first.actions.items())
        print_paragraph(f"best first: {first.action} ({worth})", 2, 4)


def _shown(number: Number, error: float) -> str:
    if isinstance(number, Fraction):
        exact = str(number)
        return exact if number.denominator == 1 else (
            f"{float(number):.12f}" + (f" = {exact}" if len(exact) <= _MOST_DIGITS else ", known exactly")
        )  # fmt: skip
    return f"{number:.12f}, within {error:.0e}"
