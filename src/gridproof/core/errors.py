"""Errors that users can meet. Limits that are reached are results, not errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class GridproofError(ValueError):
    """The root of all errors raised by gridproof for wrong input or wrong use."""


class BrokenLevel(GridproofError):
    """Faults of a text, or of levels of it."""

    path: Path | None = None
    """The file, when the text came from one."""
    line = 0
    """Line of the fault, or of the level, in the text, from 1; 0 when that is not known."""
    number = 0
    """Number of the level in its text, from 1; 0 when it is the only one, or none."""
    pack: Any = None
    """For a text of several levels: the `Pack` of the valid ones; `pack.broken` has the errors of the others."""

    @property
    def description(self) -> str:
        """Message without the file and without other levels."""
        raise NotImplementedError

    def level_errors(self) -> tuple[BrokenLevel, ...]:
        """Return the error of each broken level; this one, when it is of a single level."""
        return (self,) if self.pack is None else tuple(self.pack.broken.values())

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return place + "; ".join(error.description for error in self.level_errors())


class ParseError(BrokenLevel):
    """A text that does not have the form of its format.

    Attributes
    ----------
    reason : str
        What is wrong, without the place.
    line, column : int
        Where the fault is, both counted from 1; 0 means the whole text (or line).
    expected : str
        What could have stood there ("" when that cannot be said).
    """

    def __init__(
        self,
        reason: str,
        *,
        line: int = 0,
        column: int = 0,
        expected: str = "",
        path: Path | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.expected = expected
        self.path = path

    @classmethod
    def at(cls, text: str, place: int, reason: str, expected: str = "") -> ParseError:
        """Return the error for a place in a text, from 0."""
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        return cls(reason, line=line, column=column, expected=expected)

    @property
    def description(self) -> str:
        column = f", column {self.column}" if self.column else ""
        place = f"line {self.line}{column}: " if self.line else ""
        return f"{place}{self.reason}" + (f" (expected {self.expected})" if self.expected else "")


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken clause of a level."""

    code: str
    """The clause, and what of it is broken: "K3-counts"."""
    where: object
    """The cell, robot, tile or number concerned; None for the whole level."""
    message: str
    """One sentence for a person."""

    def __str__(self) -> str:
        place = "" if self.where is None else f" at {self.where}"
        return f"{self.code}{place}: {self.message}"


class InvalidLevel(BrokenLevel):
    """A level of good form that breaks clauses of its game: all of them are listed.

    Attributes
    ----------
    problems : tuple of Problem
        Every broken clause with its place, in a fixed order. When several levels of a text are broken,
        those of all of them, and each message names its level.
    """

    def __init__(self, problems: Iterable[Problem], *, line: int = 0, path: Path | None = None) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)
        self.line = line
        self.path = path

    @property
    def description(self) -> str:
        number = f" {self.number}" if self.number else ""
        place = f"level{number} at line {self.line}: " if self.line else ""
        return place + "; ".join(map(str, self.problems))


class IllegalAction(GridproofError):
    """An action that cannot be executed here; nothing has changed.

    Attributes
    ----------
    action : str
        The text of the action.
    path : Path or None
        The file, when the action belongs to a trace that was read from one.
    """

    path: Path | None = None

    def __init__(self, action: object, reason: str = "it cannot be executed here") -> None:
        super().__init__(str(action), reason)  # as this class has them: unpickling calls it with them
        self.action = str(action)
        self.reason = reason

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.action}: {self.reason}"


class NoEffect(IllegalAction):
    """An action that the rules refuse because it would change nothing; front ends need no words for it."""
