"""What commands print: JSON for programs, short lines for people, on wide and narrow terminals and in pipes."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import typer

from gridproof.cli.progress import alone
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError
from gridproof.core.wording import counted
from gridproof.play.text import columns_of, filled, printable, shown


def print_json(value: object) -> None:
    """One value on one line of plain ASCII."""
    print_text(json.dumps(value) + "\n")


def error_data(error: Exception, message: str) -> dict[str, Any]:
    """An error as JSON has it."""
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
    """Say what is wrong with one level of many: a line to a person, and JSON to a program."""
    told = error.told if isinstance(error, BrokenLevel) else str(error)
    typer.echo(f"error: {name}: {printable(told)}", err=True)
    if json:
        print_json({"level": name} | error_data(error, str(error)))


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout.isatty()


def print_text(text: str) -> None:
    """A text as it is, flushed, for a program may wait for it; on a terminal, control characters are made visible."""
    with alone():
        typer.echo(shown(text) if on_terminal() else text, nl=False, color=True)  # else it leaves colours out


def print_paragraph(text: str, indent: int = 0, hanging: int = 0) -> None:
    """Print lines as wide as the terminal; one line, where it is none."""
    print_text(filled(text, indent, hanging, columns_of(sys.stdout)) + "\n")


def note_lost(certificates: int) -> None:
    """Say that certificates are not in what was written."""
    if certificates:
        print_note(
            f"{counted(certificates, 'certificates')} left out: this format has none, a file keeps them beside it"
        )


def print_note(text: str) -> None:
    """A remark on standard error."""
    with alone(), contextlib.suppress(OSError):  # a remark that cannot be written is no failure
        typer.echo(f"note: {printable(text)}", err=True)
