"""`show`: show a level or its picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.analysis.json_data import level_data, loop_data, position_data
from gridproof.cli.options import Force, GameName, Json, LevelOrTrace, Seed, check_targets, read_level
from gridproof.cli.output import ExitStatus, is_terminal, print_json, print_paragraph, print_text
from gridproof.core.errors import GridproofError
from gridproof.core.look import board_text
from gridproof.core.position import Position
from gridproof.core.text import files
from gridproof.core.text.phrases import describe_loop
from gridproof.core.trace import find_trace


def show(
    level: LevelOrTrace,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a picture; - prints only the picture."),
    ] = None,
    seed: Seed = 0,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Show the start of a level, or the end of a trace.

    The picture of a trace is a film strip.
    """
    if str(svg) != "-":
        check_targets(force, svg)
    if (trace := find_trace(level)) is not None:
        name, found, done = level, trace.level, tuple(trace.outcomes())
        position = done[-1].position if done else trace.start
    else:
        name, found = read_level(level, game)
        position, done = found.start(seed), ()
    if svg is not None:
        from gridproof.pictures import picture

        text = picture.svg(position) if trace is None else picture.film(trace)
        if str(svg) == "-":
            return _print_picture(text, json)
        files.write(svg, text)
    if json:
        data = level_data(name, found) | position_data(position, found.game.look.tally.of(done))
        print_json(data | loop_data(trace.loop if trace else None))
        return ExitStatus.DONE
    title = f"{found.title}" + (f" by {found.author}" if found.author else "")
    print_paragraph(f"{name}  {title}".rstrip(), hanging=2)
    print_position(position, found.game.look.tally.of(done))
    if trace is not None and trace.loop is not None:
        print_paragraph(f"a loop: {describe_loop(trace.loop, len(done))[len(done)]}")
    return ExitStatus.DONE


def _print_picture(svg: str, json: bool) -> ExitStatus:
    if json:
        raise GridproofError("--svg - and --json both write to standard output; give a file for the picture")
    print_text(svg)
    return ExitStatus.DONE


def print_position(position: Position[Any], tally: Any) -> None:
    """Print the board, in colours on a terminal, and the counts."""
    look = position.level.game.look
    board = look.board_with_numbers(position)
    typer.echo()
    if is_terminal():
        from rich.console import Console

        from gridproof.pictures.terminal_colours import paint

        Console(highlight=False, soft_wrap=True).print(paint(board), end="")
    else:
        typer.echo(board_text(board), nl=False)
    typer.echo()
    print_paragraph(counts_text(position, tally))


def counts_text(position: Position[Any], tally: Any) -> str:
    """Return the counts of a position and its status in words."""
    counts = (*position.level.game.look.counts(position, tally), ("status", str(position.status).lower()))
    return ", ".join(f"{word} {value}" for word, value in counts)
