"""`explore`: count the positions of a level."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gridproof.cli.answer_folder import (
    DONE,
    OPEN,
    FolderAnswer,
    FolderQuestion,
    FolderTarget,
    level_of_row,
    level_rows,
    limit_data,
    write_answers,
)
from gridproof.cli.level_results import results_of_levels
from gridproof.cli.options import (
    ActorNames,
    Force,
    GameName,
    Jobs,
    Json,
    OutFolder,
    PackName,
    SecondsPerLevel,
    StatesPerLevel,
    Where,
    check_targets,
    parse_actors,
    read_level,
    read_levels,
    refuse_unused,
)
from gridproof.cli.output import (
    ExitStatus,
    level_heading,
    print_note,
    print_paragraph,
    print_result,
    report_error,
)
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Level
from gridproof.core.proposition import parse_goal
from gridproof.core.representation import actions_line
from gridproof.core.text.phrases import format_count
from gridproof.search.actors import Actors, starts_of
from gridproof.search.explore import explore as explore_level
from gridproof.search.space import StateSpace

if TYPE_CHECKING:
    from gridproof.store.parquet import Row


class ExploreQuestion(NamedTuple):
    """The actors whose actions count, and the limit for each level."""

    who: Actors
    limit: Limit


class PositionCount(NamedTuple):
    """The positions of a level, counted in any process."""

    complete: bool
    data: dict[str, Any]
    first: str
    lines: list[str]


def explore(
    level: PackName,
    actors: ActorNames = None,
    seconds: SecondsPerLevel = None,
    states: StatesPerLevel = None,
    jobs: Jobs = 1,
    where: Where = None,
    out: OutFolder = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write the graph: .graphml (networkx, Gephi), .dot (Graphviz), .aut (mCRL2, CADP), .tra (Storm), "
            ".prism.tra (PRISM); as a model .pml (SPIN), .smv (NuSMV), .tla (TLC), .hoa (Spot).",
        ),
    ] = None,
    formula: Annotated[
        list[str] | None,
        typer.Option(metavar="FORMULA", help="With --graph: a property that goes into the model."),
    ] = None,
    force: Force = False,
    disk: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep the positions of one level in a folder, and go on with those that are there.",
        ),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(
            metavar="PROPOSITION", help="With --disk: a goal, such as won, to find a shortest way to."
        ),
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(min=1, metavar="MB", help="Memory limit. Default: half of the machine's memory."),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Count the reachable positions of levels.

    Exit status: 0 counted, 3 a limit was reached.
    """
    workers = parse_workers(where, jobs)
    question = ExploreQuestion(parse_actors(actors), Limit(seconds, states, memory and memory * 10**6))
    if disk:
        unused = {"--jobs": jobs > 1, "--where": where, "--graph": graph, "--formula": formula, "--out": out}
        refuse_unused("with --disk", unused | {"--force": force})
        return _explore_on_disk(*read_level(level, game), disk, goal, question, json)
    refuse_unused("without --disk", {"--goal": goal})
    if graph:
        refuse_unused("with --graph", {"--jobs": jobs > 1, "--where": where, "--out": out})
        return _explore_and_write(*read_level(level, game), graph, formula or [], force, question, json)
    refuse_unused("without --graph", {"--formula": formula, "--force": force and not out})
    if out:
        return _explore_into(FolderTarget(out, force, json), read_levels(level, game), question, workers)
    return _explore_levels(read_levels(level, game), question, workers, json)


def _explore_levels(
    found: list[tuple[str, Level]], question: ExploreQuestion, workers: Workers, json: bool
) -> ExitStatus:
    """Explore levels one after another, or several at once."""
    complete = list[bool]()
    counts = results_of_levels(found, functools.partial(_count, question), workers, "Exploring")
    for (name, one), count in zip(found, counts, strict=True):
        if isinstance(count, GridproofError):
            report_error(name, count, json)
        else:
            complete.append(count.complete)
            _print(name, one, question, count, [], json)
    if len(complete) < len(found):
        return ExitStatus.WRONG
    return ExitStatus.DONE if all(complete) else ExitStatus.LIMIT


def _explore_into(
    target: FolderTarget, found: list[tuple[str, Level]], question: ExploreQuestion, workers: Workers
) -> ExitStatus:
    """Explore the levels whose results are not in a folder yet."""
    asked = FolderQuestion(
        {"command": "explore", "actors": question.who, **limit_data(question.limit)},
        functools.partial(_answer, question),
        "Exploring",
    )
    return write_answers(target, asked, level_rows(found), workers)


def _answer(question: ExploreQuestion, row: Row) -> FolderAnswer:
    space = explore_level(level_of_row(row), question.who, question.limit)
    return FolderAnswer(DONE if space.complete else OPEN, space.to_dict())


def _explore_and_write(
    name: str,
    level: Level,
    graph: Path,
    formulas: list[str],
    force: bool,
    question: ExploreQuestion,
    json: bool,
) -> ExitStatus:
    """Explore a level, and write its graph if the exploration was complete."""
    from gridproof.prove.formats.export import GraphExport

    export = GraphExport(level, graph, formulas, name)
    check_targets(force, *export.files)
    with Progress(f"Exploring {name}") as progress:
        space = explore_level(level, question.who, question.limit, progress)
        written = export.write(space) if space.complete else []
    if not space.complete:
        print_note(
            f"{graph} is not written: {describe_limit(space.stopped_by)} before the exploration was complete"
        )
    _print(name, level, question, _describe(space), written, json)
    return ExitStatus.DONE if space.complete else ExitStatus.LIMIT


def _explore_on_disk(
    name: str, level: Level, disk: Path, goal: str | None, question: ExploreQuestion, json: bool
) -> ExitStatus:
    """Explore a level with the positions in a folder, and find a shortest way to a goal."""
    if goal:
        parse_goal(level.game, goal)(starts_of(level)[0])  # a wrong one is refused before any work
    with Progress(f"Exploring {name}") as progress:
        space = explore_level(level, question.who, question.limit, progress, disk)
        trace = space.trace_to_goal(goal) if goal else None
    count, way = _describe(space), {}
    count.lines.append(f"{space.to_dict()['disk'] / 10**6:,.1f} MB in {disk}")
    if goal:
        way = {"goal": goal, "trace": trace and [str(action) for action in trace.actions]}
        count.lines.append(f"{goal}: {actions_line(trace, len(trace.steps)) if trace else 'not reached'}")
    if json:
        print_result(name, level, {"actors": question.who}, count.data, way)
    else:
        _print(name, level, question, count, [], json)
    return ExitStatus.DONE if space.complete else ExitStatus.LIMIT


def _count(question: ExploreQuestion, level: Level, progress: Progress | None) -> PositionCount:
    return _describe(explore_level(level, question.who, question.limit, progress))


def _describe(space: StateSpace) -> PositionCount:
    found = format_count(space.states, "positions")
    if not space.complete:
        found = f"incomplete, {describe_limit(space.stopped_by)} after {found}"
    work = f"{format_count(space.transitions, 'transitions')}, {space.seconds:.1f} s by {space.engine}"
    lines = [f"slower because {space.refused}"] if space.refused else []
    lines.append("by depth: " + ", ".join(f"{count:,}" for count in space.by_depth))
    return PositionCount(space.complete, space.to_dict(), f"{found}; {work}", lines)


def _print(
    name: str, level: Level, question: ExploreQuestion, count: PositionCount, written: list[Path], json: bool
) -> None:
    if json:
        files_written = {"graph": [*map(str, written)]} if written else {}
        print_result(name, level, {"actors": question.who}, count.data, files_written)
        return
    print_paragraph(f"{level_heading(name, level)}: {count.first}", hanging=2)
    for line in count.lines:
        print_paragraph(line, 2)
    if written:
        *others, last = map(str, written)
        print_paragraph(f"graph in {', '.join(others)} and {last}" if others else f"graph in {last}", 2)
