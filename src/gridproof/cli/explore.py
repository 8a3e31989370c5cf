"""`explore`: count the positions of a level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof.cli.options import (
    ActorNames,
    Force,
    GameName,
    Json,
    LevelName,
    Seconds,
    States,
    check_targets,
    parse_actors,
    read_level,
    refuse_unused,
)
from gridproof.cli.output import ExitStatus, level_heading, print_note, print_paragraph, print_result
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count
from gridproof.search.explore import explore as explore_level
from gridproof.search.space import StateSpace

if TYPE_CHECKING:
    from gridproof.prove.formats.export import GraphExport


def explore(
    level: LevelName,
    actors: ActorNames = None,
    seconds: Seconds = None,
    states: States = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write the graph: .graphml, .dot, .aut, .tra, .prism.tra; as a model .pml, .smv, .tla or .hoa.",
        ),
    ] = None,
    formula: Annotated[
        list[str] | None,
        typer.Option(metavar="FORMULA", help="With --graph: a property that goes into the model."),
    ] = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Count the reachable positions.

    Exit status: 0 counted, 3 a limit was reached.
    """
    name, found = read_level(level, game)
    who = parse_actors(actors)
    if not graph:
        refuse_unused("without --graph", {"--formula": formula})
    export = graph and _export(found, graph, formula or [], name)
    if export:
        check_targets(force, *export.files)
    with Progress(f"Exploring {name}") as progress:
        space = explore_level(found, who, Limit(seconds, states), progress)
        written = export.write(space) if export and space.complete else []
    if graph and not space.complete:
        print_note(
            f"{graph} is not written: {describe_limit(space.stopped_by)} before the exploration was complete"
        )
    if json:
        files_written = {"graph": [*map(str, written)]} if written else {}
        print_result(name, found, {"actors": who}, space.to_dict(), files_written)
    else:
        _print(name, found, space, written)
    return ExitStatus.DONE if space.complete else ExitStatus.LIMIT


def _export(level: Level, path: Path, formulas: list[str], name: str) -> GraphExport:
    from gridproof.prove.formats.export import GraphExport

    return GraphExport(level, path, formulas, name)


def _print(name: str, level: Level, space: StateSpace, written: list[Path]) -> None:
    found = format_count(space.states, "positions")
    if not space.complete:
        found = f"incomplete, {describe_limit(space.stopped_by)} after {found}"
    work = f"{format_count(space.transitions, 'transitions')}, {space.seconds:.1f} s by {space.engine}"
    print_paragraph(f"{level_heading(name, level)}: {found}; {work}", hanging=2)
    if space.refused:
        print_paragraph(f"slower because {space.refused}", 2)
    print_paragraph("by depth: " + ", ".join(f"{count:,}" for count in space.by_depth), 2)
    if written:
        *others, last = map(str, written)
        print_paragraph(f"graph in {', '.join(others)} and {last}" if others else f"graph in {last}", 2)
