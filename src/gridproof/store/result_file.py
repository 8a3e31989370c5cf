"""Table of results in a file that grows row by row: JSON lines, CSV or Parquet, by the file's ending."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any, Self

from gridproof.core.errors import GridproofError
from gridproof.core.text import files
from gridproof.store.parquet import NotParquet, Row, Value, read_table, write_rows

LARGEST = 1 << 30
"""Bytes of the largest table that is read."""
_SHARE = 20
"""A Parquet file is written again after so many times the seconds that it took."""


class ResultFile(ABC):
    """A table in a file, with one row for each result.

    Each row is in the file as soon as it is added, so that nothing is lost when the process ends. In Parquet, which
    cannot grow, the rows of the last seconds may be missing until `close`.

    Parameters
    ----------
    path : Path
    columns : mapping of names to types
        str, int, float or bool; None stands for a missing value. A text becomes one line, None if it is empty.
    empty : bool
        Forget the rows that are there.

    Attributes
    ----------
    rows : list of dict
        All rows, those that were there first. A last line that is torn is no row.

    Raises
    ------
    GridproofError
        When the file holds something else, or cannot be read or written.
    """

    def __init__(self, path: Path, columns: Mapping[str, type], empty: bool = False) -> None:
        self.path, self.columns = path, columns
        self.rows: list[Row] = [] if empty or not os.path.exists(path) else self._read()
        self._open()

    def add(self, row: Mapping[str, Value]) -> None:
        """Add a row, with a value for each column."""
        assert row.keys() == self.columns.keys(), "a value for each column"
        self.rows.append({name: _clean(row[name]) for name in self.columns})
        with files.report_errors(self.path):
            self._append(self.rows[-1])

    @abstractmethod
    def close(self) -> None:
        """Write what is missing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def _read(self) -> list[Row]: ...

    @abstractmethod
    def _open(self) -> None:
        """Bring the rows into the file, and open it for more."""

    @abstractmethod
    def _append(self, row: Row) -> None: ...

    def _check(self, row: Any, place: str) -> Row:
        """Return a row that was read; GridproofError if it has other columns or types."""
        if not isinstance(row, dict) or row.keys() != self.columns.keys():
            raise self._error(place, "other columns")
        for name, kind in self.columns.items():
            if row[name] is not None and type(row[name]) not in ((int, float) if kind is float else (kind,)):
                raise self._error(place, f"the value of {name}")
        return {name: row[name] for name in self.columns}

    def _error(self, place: str, what: str) -> GridproofError:
        return GridproofError(
            f"{self.path}{place}: no table of these results: {what}; use --force to overwrite it"
        )


class _TextFile(ResultFile):
    """A table with a line for each row, to which lines are appended."""

    _file: IO[str]

    def _open(self) -> None:
        files.write(self.path, self._text(self.rows))
        with files.report_errors(self.path):
            self._file = self.path.open("a", encoding="utf-8", newline="\n")

    def _read(self) -> list[Row]:
        text = files.read_text(self.path, LARGEST)
        return self._parse(text[: text.rfind("\n") + 1])

    def _append(self, row: Row) -> None:
        self._file.write(self._line(row))
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _text(self, rows: Iterable[Row]) -> str:
        return "".join(map(self._line, rows))

    @abstractmethod
    def _line(self, row: Row) -> str: ...

    @abstractmethod
    def _parse(self, text: str) -> list[Row]:
        """Parse whole lines."""


class _JsonLines(_TextFile):
    def _line(self, row: Row) -> str:
        return json.dumps(row) + "\n"

    def _parse(self, text: str) -> list[Row]:
        rows = []
        for number, line in enumerate(text.split("\n")[:-1], 1):
            place = f", line {number}"
            try:
                rows.append(self._check(json.loads(line), place))
            except (ValueError, RecursionError) as error:
                if isinstance(error, GridproofError):
                    raise
                raise self._error(place, "no JSON") from None
        return rows


class _Csv(_TextFile):
    def _text(self, rows: Iterable[Row]) -> str:
        return self._join(self.columns) + super()._text(rows)

    def _line(self, row: Row) -> str:
        return self._join(_TRUTH[value] if isinstance(value, bool) else value for value in row.values())

    def _join(self, values: Iterable[object]) -> str:
        csv.writer(line := io.StringIO(), lineterminator="\n").writerow(values)
        return line.getvalue()

    def _parse(self, text: str) -> list[Row]:
        if not text:
            return []
        head, *lines = text.split("\n")[:-1]
        if head != self._join(self.columns).removesuffix("\n"):
            raise self._error(", line 1", "other columns")
        return [self._row(cells, f", line {number}") for number, cells in enumerate(csv.reader(lines), 2)]

    def _row(self, cells: list[str], place: str) -> Row:
        if len(cells) != len(self.columns):
            raise self._error(place, "other columns")
        row: Row = {}
        for (name, kind), cell in zip(self.columns.items(), cells, strict=True):
            try:
                row[name] = None if cell == "" else _VALUES[cell] if kind is bool else kind(cell)
            except (ValueError, KeyError):
                raise self._error(place, f"the value of {name}") from None
        return row


class _Parquet(ResultFile):
    _due = 0.0

    def _open(self) -> None:
        self._write()

    def _append(self, row: Row) -> None:
        if time.monotonic() >= self._due:
            self._write()

    def close(self) -> None:
        self._write()

    def _write(self) -> None:
        begin = time.monotonic()
        with files.open_atomic_bytes(self.path) as file:
            write_rows(self.path, file, self.columns, self.rows)
        now = time.monotonic()
        self._due = now + max(1.0, _SHARE * (now - begin))

    def _read(self) -> list[Row]:
        try:
            rows = read_table(self.path).to_pylist()
        except NotParquet as error:
            raise self._error("", error.reason) from None
        return [self._check(row, f", row {number}") for number, row in enumerate(rows, 1)]


_TRUTH = {True: "true", False: "false"}
_VALUES = {text: value for value, text in _TRUTH.items()}
_FORMATS: Mapping[str, type[ResultFile]] = {".jsonl": _JsonLines, ".csv": _Csv, ".parquet": _Parquet}


def open_result_file(path: Path, columns: Mapping[str, type], empty: bool = False) -> ResultFile:
    """Open a table by its ending, .jsonl, .csv or .parquet; errors and parameters as of `ResultFile`."""
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        raise GridproofError(f"{path}: tables of results end in {', '.join(_FORMATS)}")
    return form(path, columns, empty)


def _clean(value: Value) -> Value:
    """Return a text as one line, None if it is empty; other values as they are."""
    return " ".join(value.splitlines()) or None if isinstance(value, str) else value
