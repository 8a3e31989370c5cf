"""Validation of inputs from JSON, with errors in words."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from gridproof.core.errors import GridproofError


def check_text(value: object, what: str) -> None:
    """Raise GridproofError if an input is no text."""
    if not isinstance(value, str):
        raise GridproofError(f"{what} is a text, not {_type(value)}")


def check_whole(value: object, what: str) -> None:
    """Raise GridproofError if an input is no whole number."""
    if type(value) is not int:
        raise GridproofError(f"{what} is a whole number, not {_type(value)}")


def to_cell(value: Any) -> tuple[int, int]:
    """Return a cell (x, y), also of a list from JSON; GridproofError for any other value."""
    if not isinstance(value, tuple | list) or [type(part) for part in value] != [int, int]:
        raise GridproofError("a cell is two whole numbers, x and y")
    return value[0], value[1]


def check_options(function: Callable[..., Any], options: Mapping[str, Any], what: str) -> None:
    """Check that a function of a level and a seed has these options, and that each is of its default's type."""
    known = dict(list(inspect.signature(function).parameters.items())[2:])
    if unknown := sorted(options.keys() - known.keys()):
        raise GridproofError(f"{what} has no option {', '.join(unknown)}: it has {', '.join(known)}")
    for name, value in options.items():
        if type(value) is not type(known[name].default):
            raise GridproofError(f"{name} is of type {_type(known[name].default)}, not {_type(value)}")


def _type(value: object) -> str:
    return type(value).__name__
