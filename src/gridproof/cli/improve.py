"""`improve`: a cheaper way to the same end as a given one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import GameName, Json, LevelName, level_named
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.measure import cost_of, measure_named, measures
from gridproof.core.position import Level
from gridproof.core.trace import Step, Trace, trace_in
from gridproof.core.wording import counted
from gridproof.search.improve import SECONDS
from gridproof.search.improve import improve as improve_trace


def improve(
    level: LevelName,
    solution: Annotated[
        str, typer.Argument(metavar="SOLUTION", help="Actions, or the file of a trace of that level.")
    ],
    minimise: Annotated[
        str | None,
        typer.Option("--minimise", metavar="WHAT", help="actions, or what else the game counts; its last."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", help="Stop after them with the best found.")
    ] = SECONDS,
    states: Annotated[
        int | None, typer.Option("--states", metavar="N", help="The most positions that a search keeps.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the trace.")] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Find a cheaper way to the same end.

    That is a win, or the last position of what does not win.

    Exit status: 0 nothing is cheaper than the answer, 3 a limit was reached first.
    """
    name, found = level_named(level, game)
    files.check_folder(save)
    trace = _given(found, solution)
    measure = measure_named(found.game, minimise or [*measures(found.game)][-1])
    before = cost_of(trace, measure)
    with Progress(f"Improving {name}") as progress:
        answer = improve_trace(trace, measure.name, Limit(seconds, states), progress)
    best = answer.trace or trace
    if save:
        best.save(save)
    text = found.game.join_actions(best)
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
            | ({"saved": str(save)} if save else {})
        )
    else:
        fewest = ", the fewest" if answer.optimal else ""
        print_paragraph(
            f"{f'{name}  {found.title}'.rstrip()}: {counted(answer.cost or 0, measure.name)}{fewest}, {before:,} before; "
            f"{counted(len(best.steps), 'actions')}, {len(trace.steps):,} before; {answer.seconds:.1f} s, {answer.engine}",
            hanging=2,
        )
        print_paragraph(text or "nothing is to be done", 2)
        if save:
            print_paragraph(f"saved in {save}", 2)
    return ExitStatus.DONE if answer.optimal else ExitStatus.LIMIT


def _given(level: Level, solution: str) -> Trace:
    """The solution as a trace: a file's, or these actions from the level's start.

    Raises
    ------
    GridproofError
        When it is of another level, or cannot be done.
    """
    trace = trace_in(solution)
    if trace is not None:
        if trace.level != level:
            raise GridproofError(f"{solution}: the trace is of another level")
        return trace
    if files.is_file(solution) or solution.lower().endswith(".json"):
        raise GridproofError(f"{solution}: no trace")
    position, steps = level.start(), list[Step]()
    for text in level.game.split_actions(solution):
        action = position.action(text)
        outcomes = list(position.outcomes(action))
        if len(outcomes) > 1:
            raise GridproofError(f"{text} has several outcomes: give the file of a trace, which tells them")
        steps.append(Step(action, outcomes[0].label))
        position = outcomes[0].position
    return Trace(level.start(), tuple(steps))
