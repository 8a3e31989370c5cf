"""`improve`: find a cheaper solution that ends the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import Force, GameName, Json, LevelName, SaveTrace, check_targets, read_level
from gridproof.cli.output import (
    ExitStatus,
    files_data,
    level_heading,
    print_files,
    print_paragraph,
    print_result,
)
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError, IllegalAction, ParseError
from gridproof.core.game import Measure
from gridproof.core.limit import Limit
from gridproof.core.measure import cost_of, costs_of, find_measure, measures
from gridproof.core.position import Level
from gridproof.core.representation import facts_of
from gridproof.core.text import files
from gridproof.core.text.level_lookup import read
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step, Trace, find_trace
from gridproof.search.improve import SECONDS
from gridproof.search.improve import improve as improve_trace
from gridproof.search.solution import GIVEN


def improve(
    level: LevelName,
    solution: Annotated[
        str | None,
        typer.Argument(
            metavar="SOLUTION",
            help="Actions, or a file: a trace, actions, or levels with solutions. Default: the level's own solution.",
            show_default=False,
        ),
    ] = None,
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

    If SOLUTION does not win, the result ends in its last position. Ctrl-C prints the best solution so far.

    Exit status: 0 the result is proved to be the cheapest, 3 a limit was reached, 130 Ctrl-C.
    """
    name, found = read_level(level, game)
    check_targets(force, save)
    trace = _own_solution(name, found) if solution is None else _read_solution(found, solution)
    measure = find_measure(found.game, minimise or [*measures(found.game)][-1])
    before = cost_of(trace, measure)
    with Progress(f"Improving {name}") as progress:
        answer = improve_trace(trace, measure.name, Limit(seconds, states), progress)
    best = answer.trace or trace
    if save:
        best.save(save)
    text = found.game.own_format.join_actions(best)
    if json:
        question = {"minimise": measure.name, "before": before, "actions_before": len(trace.steps)}
        result = facts_of(answer, "cost", "optimal", "engine", "states", "seconds", "stopped_by")
        result |= {"actions": [str(action) for action in best.actions], "text": text}
        print_result(name, found, question, result, files_data(save))
    else:
        print_paragraph(
            f"{level_heading(name, found)}: {_compare(trace, best, measure, answer.optimal)}; "
            f"{format_count(len(best.steps), 'actions')}, {len(trace.steps):,} before; {answer.seconds:.1f} s, {_origin(answer.engine)}",
            hanging=2,
        )
        solved = "already solved" if best.start.won else "it ends where it starts"
        print_paragraph(text or f"{solved}, no actions needed", 2)
        print_files(save)
    if answer.stopped_by == "stop":
        return ExitStatus.INTERRUPTED
    return ExitStatus.DONE if answer.optimal else ExitStatus.LIMIT


def _compare(before: Trace, now: Trace, measure: Measure, optimal: bool) -> str:
    """Return the cost before and now by each minimised measure."""
    parts, fewest = measure.parts or (measure,), ", the fewest" if optimal else ""
    costs = zip(costs_of(before, parts).values(), costs_of(now, parts).items(), strict=True)
    return "; ".join(f"{format_count(cost, name)}{fewest}, {old:,} before" for old, (name, cost) in costs)


def _origin(engine: str) -> str:
    """Return how the result was found, in words."""
    return "the given solution is not improved" if engine == GIVEN else engine


def _own_solution(name: str, level: Level) -> Trace:
    """Return the solution that stands in the level's file, or beside it; GridproofError when there is none."""
    if not isinstance(level.certificate, Trace):
        raise GridproofError(f"{name} has no solution of its own; give one")
    return level.certificate


def _read_solution(level: Level, solution: str) -> Trace:
    """Read the solution as a trace: from a file, or from actions.

    GridproofError when it is of another level, or is not executable.
    """
    trace = find_trace(solution)
    if trace is not None:
        if trace.level != level:
            raise GridproofError(f"{solution}: the trace is of another level")
        return trace
    if not files.is_file(solution):
        if Path(solution).suffix[1:].isalnum():
            raise GridproofError(f"{solution}: no such file")
        return _read_actions(level, solution)
    path = Path(solution)
    with files.locate_errors(path):
        text = files.read_text(path)
        if text.lstrip().startswith("{"):
            raise GridproofError(f"{solution}: not a trace")
        return _find_in_pack(level, path) or _read_actions(level, text)


def _find_in_pack(level: Level, path: Path) -> Trace | None:
    """Return the solution of a level in a file of levels; None if the file has no levels of the game."""
    try:
        pack = read(path, level.game, lenient=True)
    except ParseError:
        return None
    for one in pack:
        if one == level and isinstance(one.certificate, Trace):
            return Trace(level.start(), one.certificate.steps)
    why = "has no solution that wins" if level in pack else "is not in the file"
    raise GridproofError(f"{path}: the level {why}")


def _read_actions(level: Level, text: str) -> Trace:
    """Read the actions of a text; errors name the first that is not executable."""
    position, steps = level.start(), list[Step]()
    for number, name in enumerate(level.game.own_format.split_actions(text), 1):
        try:
            action = position.action(name)
        except IllegalAction as error:
            raise IllegalAction(error.action, f"action {number}: {error.reason}") from None
        outcomes = list(position.outcomes(action))
        if len(outcomes) > 1:
            raise GridproofError(f"{name} has several outcomes; give a trace file, which records them")
        steps.append(Step(action, outcomes[0].label))
        position = outcomes[0].position
    return Trace(level.start(), tuple(steps))
