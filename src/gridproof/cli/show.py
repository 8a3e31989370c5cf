"""`show`: a level or its picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json, LevelOrTrace, Seed, level_named
from gridproof.cli.output import on_terminal, print_json, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.core import files
from gridproof.core.errors import GridproofError
from gridproof.core.look import board_text
from gridproof.core.position import Position
from gridproof.core.trace import trace_in
from gridproof.core.wording import loop_told
from gridproof.play.data import level_data, loop_data, position_data


def show(
    level: LevelOrTrace,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", help="Write a picture too; - for it alone, on standard output."
        ),
    ] = None,
    seed: Seed = 0,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Show a level as it starts, or where a trace ends.

    The picture of a trace is a film strip of it.
    """
    if (trace := trace_in(level)) is not None:
        name, found, done = level, trace.level, tuple(trace.outcomes())
        position = done[-1].position if done else trace.start
    else:
        name, found = level_named(level, game)
        position, done = found.start(seed), ()
    if svg is not None:
        from gridproof.pictures import picture

        drawn = picture.svg(position) if trace is None else picture.film(trace)
        if str(svg) == "-":
            return _print_picture(drawn, json)
        files.write(svg, drawn)
    if json:
        shown = level_data(name, found) | position_data(position, found.game.look.tally.of(done))
        print_json(shown | loop_data(trace.loop if trace else None))
        return ExitStatus.DONE
    title = f"{found.title}" + (f" by {found.author}" if found.author else "")
    print_paragraph(f"{name}  {title}".rstrip(), hanging=2)
    print_position(position, found.game.look.tally.of(done))
    if trace is not None and trace.loop is not None:
        print_paragraph(f"a loop: {loop_told(trace.loop, len(done))[len(done)]}")
    return ExitStatus.DONE


def _print_picture(svg: str, json: bool) -> ExitStatus:
    if json:
        raise GridproofError("--svg - and --json both mean standard output: name a file for the picture")
    print_text(svg)
    return ExitStatus.DONE


def print_position(position: Position[Any], tally: Any) -> None:
    """The board, in colours where a person looks at it, and the counts."""
    look = position.level.game.look
    board = look.board(position)
    typer.echo()
    if on_terminal():
        from rich.console import Console

        from gridproof.play.colour import painted

        Console(highlight=False, soft_wrap=True).print(painted(board), end="")
    else:
        typer.echo(board_text(board), nl=False)
    typer.echo()
    counts = (*look.counts(position, tally), ("status", str(position.status).lower()))
    print_paragraph(", ".join(f"{word} {value}" for word, value in counts))
