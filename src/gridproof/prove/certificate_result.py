"""The statement of a certificate, and the result of its check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gridproof.core import proposition
from gridproof.core.position import Level, Position
from gridproof.core.representation import one_line, text_html
from gridproof.core.text.phrases import format_count


class Statement(NamedTuple):
    """Statement of a certificate: from the starts, these actors never reach the goal."""

    level: Level
    starts: tuple[Position[Any], ...]
    goal: proposition.Goal
    goal_text: str
    who: tuple[str | None, ...]
    kind: str
    lemmas: Sequence[Any]


class Verified(NamedTuple):
    """Result of the check of a certificate."""

    holds: bool | None
    """True if the certificate proves its statement; None when a limit was reached first."""
    reason: str
    """The first thing that is wrong, with its line; or which limit was reached."""
    positions: int
    """The number of listed positions, as far as the file could be read."""
    statement: Statement | None
    """The statement; None when it could not be read."""

    def __str__(self) -> str:
        """Return the result, with the reason for a no."""
        if self.holds is None:
            return f"no answer: {self.reason}"
        return (
            f"holds: {format_count(self.positions, 'positions')}" if self.holds else f"refused: {self.reason}"
        )

    def __repr__(self) -> str:
        return one_line(f"<Verified: {self}>")

    def _repr_html_(self) -> str:
        """Return the HTML fragment that notebooks show."""
        return text_html(str(self), "pre")
