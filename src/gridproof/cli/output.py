"""Output of commands: exit statuses, JSON for programs, paragraphs for people."""

from __future__ import annotations

import contextlib
import enum
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from gridproof.cli.progress import hide_progress
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError
from gridproof.core.position import Level
from gridproof.core.text.display import mask_lines, printable, terminal_width, wrap_text
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace


class ExitStatus(enum.IntEnum):
    """Exit statuses of the program."""

    DONE = 0
    """Success, or yes."""
    NO = 1
    """No, refuted, or an action that cannot be executed."""
    WRONG = 2
    """Wrong usage or input."""
    LIMIT = 3
    """A limit was reached without an answer."""
    FAULT = 70
    """Internal error."""
    INTERRUPTED = 130
    """Ctrl-C, as shells number it."""
    CLOSED = 141
    """Broken pipe, as shells number it."""


def answer_status(answers: Iterable[bool | None]) -> ExitStatus:
    """Return NO for an answer that is no, else LIMIT for a missing one, else DONE."""
    given = set(answers)
    return ExitStatus.NO if False in given else ExitStatus.LIMIT if None in given else ExitStatus.DONE


def print_json(value: object) -> None:
    """Print a value as one line of ASCII JSON."""
    print_text(json.dumps(value) + "\n")


def print_result(name: str, level: Level, *parts: Mapping[str, Any]) -> None:
    """Print a result about a level as one line of JSON; the parts follow the name, the game and the title."""
    data: dict[str, Any] = {"level": name, "game": level.game.name, "title": level.title}
    for part in parts:
        data |= part
    print_json(data)


def level_heading(name: str, level: Level) -> str:
    """Return the name of a level, and its title if it has one."""
    return f"{name}  {level.title}".rstrip()


def error_data(error: Exception, message: str) -> dict[str, Any]:
    """Return an error as JSON data."""
    data: dict[str, Any] = {"error": message, "kind": type(error).__name__}
    if isinstance(error, ParseError):
        data |= {"line": error.line, "column": error.column, "expected": error.expected}
    if isinstance(error, InvalidLevel):
        data["problems"] = [
            {
                "code": item.code,
                "where": None if item.where is None else str(item.where),
                "message": item.message,
            }
            for item in error.problems
        ]
    if isinstance(error, BrokenLevel) and error.path:
        data["path"] = str(error.path)
    return data


def report_error(name: str, error: GridproofError, json: bool) -> None:
    """Report an error in one of many levels, as a line and in JSON."""
    message = error.description if isinstance(error, BrokenLevel) else str(error)
    typer.echo(f"error: {name}: {printable(message)}", err=True)
    if json:
        print_json({"level": name} | error_data(error, str(error)))


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def print_text(text: str) -> None:
    """Print a text unchanged and flush it; on a terminal, show control characters."""
    with hide_progress():
        shown = mask_lines(text) if is_terminal() else text
        typer.echo(shown, nl=False, color=True)  # else typer removes colours


def print_paragraph(text: str, indent: int = 0, hanging: int = 0) -> None:
    """Print a paragraph, wrapped at the width of the terminal, if there is one."""
    print_text(wrap_text(text, indent, hanging, terminal_width(sys.stdout)) + "\n")


def save_trace(trace: Trace | None, path: Path | None) -> Path | None:
    """Save a trace if there is one and it is wanted; return the written file."""
    if path is None or trace is None:
        return None
    trace.save(path)
    return path


def align_columns(rows: Sequence[Sequence[str]], left: int = 0) -> list[str]:
    """Return a line for each row, with its columns aligned: the first `left` to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [
        [f"{cell:{'<' if place < left else '>'}{widths[place]}}" for place, cell in enumerate(row)]
        for row in rows
    ]
    return ["  ".join(row).rstrip() for row in cells]


def print_files(trace: Path | None, certificate: Path | None = None) -> None:
    """Print the names of written files."""
    for what, path in files_data(trace, certificate).items():
        print_paragraph(f"{what} in {path}", 2)


def files_data(trace: Path | None, certificate: Path | None = None) -> dict[str, str]:
    """Return the names of written files as JSON data."""
    paths = {"saved": trace, "certificate": certificate}
    return {what: str(path) for what, path in paths.items() if path}


def note_lost_certificates(certificates: int) -> None:
    """Note that certificates were not written."""
    if certificates:
        print_note(
            f"{format_count(certificates, 'certificates')} not written: this format cannot hold them; write to a file to keep them"
        )


def print_note(text: str) -> None:
    """Print a note to standard error."""
    with hide_progress(), contextlib.suppress(OSError):  # a remark that cannot be written is no failure
        typer.echo(f"note: {printable(text)}", err=True)
