"""`improve`: find a cheaper solution that ends the same way."""

from __future__ import annotations

from typing import Annotated

import typer

from gridproof.cli.options import Force, GameName, Json, LevelName, SaveTrace, check_targets, read_level
from gridproof.cli.output import (
    ExitStatus,
    files_data,
    level_heading,
    print_files,
    print_json,
    print_paragraph,
)
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.measure import cost_of, find_measure, measures
from gridproof.core.position import Level
from gridproof.core.text import files
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step, Trace, find_trace
from gridproof.search.improve import SECONDS
from gridproof.search.improve import improve as improve_trace
from gridproof.search.solution import GIVEN


def improve(
    level: LevelName,
    solution: Annotated[
        str, typer.Argument(metavar="SOLUTION", help="Actions, or a trace file of that level.")
    ],
    minimise: Annotated[
        str | None,
        typer.Option(
            "--minimise",
            "--minimize",
            metavar="WHAT",
            help="actions, or another measure of the game. Default: the game's last measure.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="Time limit in seconds; the best solution so far is kept.")
    ] = SECONDS,
    states: Annotated[
        int | None, typer.Option(metavar="N", help="Largest number of positions in memory.")
    ] = None,
    save: SaveTrace = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Find a cheaper solution that ends the same way.

    If SOLUTION does not win, the result ends in its last position.

    Exit status: 0 the result is proved to be the cheapest, 3 a limit was reached.
    """
    name, found = read_level(level, game)
    check_targets(force, save)
    trace = _read_solution(found, solution)
    measure = find_measure(found.game, minimise or [*measures(found.game)][-1])
    before = cost_of(trace, measure)
    with Progress(f"Improving {name}") as progress:
        answer = improve_trace(trace, measure.name, Limit(seconds, states), progress)
    best = answer.trace or trace
    if save:
        best.save(save)
    text = found.game.own_format.join_actions(best)
    if json:
        print_json(
            {
                "level": name,
                "game": found.game.name,
                "minimise": measure.name,
                "before": before,
                "cost": answer.cost,
                "actions_before": len(trace.steps),
                "optimal": answer.optimal,
                "engine": answer.engine,
                "states": answer.states,
                "seconds": round(answer.seconds, 6),
                "stopped_by": answer.stopped_by or None,
                "actions": [str(action) for action in best.actions],
                "text": text,
            }
            | files_data(save)
        )
    else:
        fewest = ", the fewest" if answer.optimal else ""
        print_paragraph(
            f"{level_heading(name, found)}: {format_count(answer.cost or 0, measure.name)}{fewest}, {before:,} before; "
            f"{format_count(len(best.steps), 'actions')}, {len(trace.steps):,} before; {answer.seconds:.1f} s, {_origin(answer.engine)}",
            hanging=2,
        )
        print_paragraph(text or "already solved, no actions needed", 2)
        print_files(save)
    return ExitStatus.DONE if answer.optimal else ExitStatus.LIMIT


def _origin(engine: str) -> str:
    """Return how the result was found, in words."""
    return "the given solution is not improved" if engine == GIVEN else engine


def _read_solution(level: Level, solution: str) -> Trace:
    """Read the solution as a trace: from a file, or from actions.

    GridproofError when it is of another level, or is not executable.
    """
    trace = find_trace(solution)
    if trace is not None:
        if trace.level != level:
            raise GridproofError(f"{solution}: the trace is of another level")
        return trace
    if solution.lower().endswith(".json") and not files.is_file(solution):
        raise GridproofError(f"{solution}: no such file")
    if files.is_file(solution):
        raise GridproofError(f"{solution}: not a trace")
    position, steps = level.start(), list[Step]()
    for text in level.game.own_format.split_actions(solution):
        action = position.action(text)
        outcomes = list(position.outcomes(action))
        if len(outcomes) > 1:
            raise GridproofError(f"{text} has several outcomes; give a trace file, which records them")
        steps.append(Step(action, outcomes[0].label))
        position = outcomes[0].position
    return Trace(level.start(), tuple(steps))
