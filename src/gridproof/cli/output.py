"""What commands print: JSON for programs, short lines for people, on wide and narrow terminals."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import Any

import typer

from gridproof.core.errors import InvalidLevel, ParseError

NARROWEST = 20


def print_json(value: object) -> None:
    """One value on one line, at once: a program may be waiting for it. Plain ASCII."""
    typer.echo(json.dumps(value))


def error_data(error: Exception, message: str) -> dict[str, Any]:
    """An error as JSON has it."""
    data: dict[str, Any] = {"error": message, "kind": type(error).__name__}
    if isinstance(error, ParseError):
        data |= {"line": error.line, "column": error.column, "expected": error.expected}
    if isinstance(error, InvalidLevel):
        data["problems"] = [
            {"code": item.code, "where": str(item.where), "message": item.message} for item in error.problems
        ]
    if isinstance(error, (ParseError, InvalidLevel)) and error.path:
        data["path"] = str(error.path)
    return data


def one_line(text: str) -> str:
    """The text on one line, with nothing in it that a terminal would obey."""
    words = " ".join(text.split())
    return "".join(character if character.isprintable() else "?" for character in words)


def counted(number: int, things: str) -> str:
    """A number with its word: "1 level", "1,200 levels"."""
    return f"{number:,} {things.removesuffix('s') if number == 1 else things}"


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout.isatty()


def print_paragraph(text: str, indent: int = 0, hanging: int = 0) -> None:
    """Lines as wide as the terminal, all but the first `hanging` columns further in."""
    width = max(shutil.get_terminal_size().columns, NARROWEST)
    typer.echo(
        textwrap.fill(
            text,
            width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + hanging),
            break_on_hyphens=False,
        )
    )


def print_note(text: str) -> None:
    """A remark beside the answer, where pipes do not carry it."""
    typer.echo(f"note: {one_line(text)}", err=True)
