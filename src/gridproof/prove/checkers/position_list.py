"""Positions that a certificate lists, found by what the rules lead to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from gridproof.core.position import Position
from gridproof.prove.certificate import AnyStatement, position_of
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect

UNLISTED = 0
"""The line of a position that is not listed."""


class PositionList:
    """The listed positions, each with its line. A position that was met before its line is not read again.

    `note` is called with each position and its line when it is met. If the list is `closed`, it is a Defect to meet a
    position that is not listed.
    """

    def __init__(
        self,
        said: AnyStatement,
        listed: CertificateFile,
        closed: bool = False,
        note: Callable[[Position[Any], int], None] | None = None,
    ) -> None:
        self._said, self._listed, self._closed, self._note = said, listed, closed, note
        self._met: dict[str, Position[Any]] = {}
        self._lines: dict[Hashable, int] = {}
        self._line = 1

    def __iter__(self) -> Iterator[tuple[int, Position[Any]]]:
        """Yield the line of each listed position, with the position."""
        for line, text in enumerate(self._listed, 2):
            self._line, position = line, self._met.pop(text, None)
            if position is None:
                with locate_defect(line):
                    position = position_of(self._said.level, text)
                if self._note:
                    self._note(position, line)
            yield line, position

    def find(self, position: Position[Any]) -> int:
        """Return the line of a position, or UNLISTED."""
        text = position.text()
        line = self._listed.line_of(text)
        if self._closed and not line:
            raise Defect(self._line, f"a position that is not listed follows, or is a start:\n{text}")
        if line > self._line:
            self._met[text] = position
        if self._note:
            self._note(position, line)
        return line

    def after(self, position: Position[Any]) -> list[int]:
        """Return the lines of all positions that follow one, each once."""
        found: dict[int, None] = {}
        for actor in self._said.who:
            for successor in position.successors(actor):
                line = self._lines.get(successor)
                found[self._add(successor, position.at(successor)) if line is None else line] = None
        return list(found)

    def line_of(self, position: Position[Any]) -> int:
        """Return the line of a position that may have been met."""
        line = self._lines.get(position)
        return self._add(position, position) if line is None else line

    def _add(self, successor: Hashable, position: Position[Any]) -> int:
        self._lines[successor] = self.find(position)
        return self._lines[successor]
