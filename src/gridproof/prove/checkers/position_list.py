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
    position that is not listed. Lines for which `skip` returns True, once all lines are read, are about something else.
    """

    def __init__(
        self,
        said: AnyStatement,
        listed: CertificateFile,
        closed: bool = False,
        note: Callable[[Position[Any], int], None] | None = None,
        skip: Callable[[int], bool] = lambda line: False,
    ) -> None:
        self._skip = skip
        self._said, self._listed, self._closed, self._note = said, listed, closed, note
        self._met: dict[int, Position[Any]] = {}
        self._lines: dict[Hashable, int] = {}
        self._line = 1

    def __iter__(self) -> Iterator[tuple[int, Position[Any]]]:
        """Yield the line of each listed position, with the position."""
        for line, text in self._listed.texts(known=self._met):
            self._line = line
            if self._skip(line):
                continue
            if text is None:
                yield line, self._met.pop(line)
                continue
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
            self._met[line] = position
        if self._note:
            self._note(position, line)
        return line

    def after(self, position: Position[Any]) -> list[int]:
        """Return the lines of all positions that follow one, each once."""
        successors = [one for actor in self._said.who for one in position.successors(actor)]
        lines = list(map(self._lines.get, successors))
        while None in lines:
            place = lines.index(None)
            lines[place] = self._line_of(successors[place], position.at(successors[place]))
        return list(set[Any](lines))

    def line_of(self, position: Position[Any]) -> int:
        """Return the line of a position that may have been met."""
        return self._line_of(position, position)

    def _line_of(self, key: Hashable, position: Position[Any]) -> int:
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = self.find(position)
        return line
