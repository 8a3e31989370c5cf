"""`explore`: all positions of a level, counted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import ActorNames, GameName, Json, LevelName, actors_in, level_named
from gridproof.cli.output import print_json, print_note, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files
from gridproof.core.limit import Limit
from gridproof.core.loading import load
from gridproof.core.position import Level
from gridproof.core.wording import counted
from gridproof.search.actors import Actors
from gridproof.search.explore import explore as explore_level
from gridproof.search.space import StateSpace


def explore(
    level: LevelName,
    actors: ActorNames = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after them.")] = None,
    states: Annotated[
        int | None, typer.Option("--states", metavar="N", help="Stop when there are more.")
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", metavar="FILE", help="Write the graph too: .graphml, .dot, .aut, .tra or .prism.tra."
        ),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Count the positions that can be reached.

    Exit status: 0 all of them, 3 a limit was reached.
    """
    name, found = level_named(level, game)
    who = actors_in(actors)
    if graph:
        load("gridproof.search.export").ending_of(graph)
        files.check_folder(graph)
    with Progress(f"Exploring {name}") as progress:
        space = explore_level(found, who, Limit(seconds, states), progress)
        written = _written(space, graph) if graph and space.complete else []
    if graph and not space.complete:
        print_note(f"{graph} is not written: the limit of {space.stopped_by} came before all was explored")
    _print_json(name, found, who, space, written) if json else _print(name, found, space, written)
    return ExitStatus.DONE if space.complete else ExitStatus.LIMIT


def _written(space: StateSpace, graph: Path) -> list[Path]:
    paths: list[Path] = load("gridproof.search.export").write_graph(space, graph)
    return paths


def _print_json(name: str, level: Level, actors: Actors, space: StateSpace, written: list[Path]) -> None:
    print_json(
        {
            "level": name,
            "game": level.game.name,
            "title": level.title,
            "actors": actors,
            "states": space.states,
            "transitions": space.transitions,
            "by_depth": list(space.by_depth),
            "complete": space.complete,
            "stopped_by": space.stopped_by or None,
            "seconds": round(space.seconds, 6),
            "engine": space.engine,
            "refused": space.refused or None,
        }
        | ({"graph": [str(path) for path in written]} if written else {})
    )


def _print(name: str, level: Level, space: StateSpace, written: list[Path]) -> None:
    found = counted(space.states, "positions")
    if not space.complete:
        found += f" before the limit of {space.stopped_by}"
    work = f"{counted(space.transitions, 'transitions')}, {space.seconds:.1f} s by {space.engine}"
    print_paragraph(f"{f'{name}  {level.title}'.rstrip()}: {found}; {work}", hanging=2)
    if space.refused:
        print_paragraph(f"not faster: {space.refused}", 2)
    print_paragraph("by depth: " + ", ".join(f"{count:,}" for count in space.by_depth), 2)
    if written:
        print_paragraph(f"graph in {' and '.join(map(str, written))}", 2)
