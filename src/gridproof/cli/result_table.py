"""Results of `solve --out`: a table in a file that later runs continue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from gridproof.cli.output import align_columns, print_json, print_note, print_paragraph
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text.display import printable
from gridproof.core.text.phrases import format_count
from gridproof.search.actors import Actors
from gridproof.search.solution import Solution
from gridproof.store.dataset import DatasetWriter
from gridproof.store.level_digest import digest
from gridproof.store.parquet import Row, Value
from gridproof.store.result_file import ResultFile

_QUESTION = {
    "goal": str,
    "minimise": str,
    "actors": str,
    "solver": str,
    "seconds_limit": float,
    "states_limit": int,
}
_ANSWER = {
    "verdict": str,
    "cost": int,
    "optimal": bool,
    "states": int,
    "seconds": float,
    "engine": str,
    "stopped": str,
    "reason": str,
    "solution": str,
}
COLUMNS = {"level": str, "game": str, "title": str, "digest": str, **_QUESTION, **_ANSWER}
"""Columns of the table, which are the keys of its lines, and their types."""
FOLDER_COLUMNS = {**COLUMNS, "text": str}
"""Columns of a folder, which has the levels themselves, too."""

CERTIFICATE = {"certificate": str}
"""Column of a folder of certified results: the file of the certificate; none if it was not written."""

SOLVED, REFUTED, OPEN, FAILED = "solved", "refuted", "open", "failed"
_VERDICTS = {True: SOLVED, False: REFUTED, None: OPEN}
_FOUND = {SOLVED: True, REFUTED: False}


def question_row(goal: str, minimise: str | None, actors: Actors, solver: str | None, limit: Limit) -> Row:
    """Return the columns of the question for every level."""
    return {
        "goal": goal,
        "minimise": minimise or "any",
        "actors": actors if actors is None or isinstance(actors, str) else ",".join(actors),
        "solver": solver,
        "seconds_limit": limit.seconds,
        "states_limit": limit.states,
    }


class ResultTable:
    """Results of levels in a file or a folder, those of earlier runs among them.

    Parameters
    ----------
    file : ResultFile or DatasetWriter
    question : dict
        Columns of the question.
    levels : list of names and levels

    Raises
    ------
    GridproofError
        When the file holds results of another question, or something else.
    """

    def __init__(
        self, file: ResultFile | DatasetWriter, question: Row, levels: Sequence[tuple[str, Level]]
    ) -> None:
        self._question = question
        self._keys = [(printable(name), digest(level)) for name, level in levels]
        self._file = file
        for row in self._file.rows:
            self._check(row)
        self._rows = {(row["level"], row["digest"]): row for row in self._file.rows}
        self._before = len(self._file.rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is KeyboardInterrupt:
            stored = {(row["level"], row["digest"]) for row in self._file.rows}
            done = format_count(len(stored.intersection(self._keys)), "levels")
            print_note(f"{self._file.path} has {done}; the same command solves the others")

    def _check(self, row: Row) -> None:
        for name, value in self._question.items():
            if row[name] != value:
                raise GridproofError(
                    f"{self._file.path} has results of another question: {name} {_text(row[name])}, not {_text(value)}; use --force to overwrite it"
                )

    def open_places(self) -> list[int]:
        """Return the places of the levels that have no row."""
        return [place for place, key in enumerate(self._keys) if key not in self._rows]

    def open_row(self, name: str, level: Level) -> Row:
        """Return the row of a level without its answer."""
        row: Row = {"level": printable(name), "game": level.game.name, "title": level.title or None}
        return row | {"digest": digest(level), **self._question}

    def note(self, row: Row) -> None:
        """Note a row that is in the file, or one that the next run tries again."""
        self._rows[row["level"], row["digest"]] = row

    def answers(self) -> Iterator[tuple[bool | None, bool]]:
        """Yield for each level whether a solution was found, and whether it failed."""
        for key in self._keys:
            verdict = str(self._rows[key]["verdict"])
            yield _FOUND.get(verdict), verdict == FAILED

    def certified(self) -> Iterator[bool]:
        """Yield for each level whether its certificate was written, or it failed."""
        for key in self._keys:
            row = self._rows[key]
            yield row.get("certificate") is not None or row["verdict"] == FAILED

    def print_summary(self, json: bool) -> None:
        """Print the numbers of levels by verdict, and the times."""
        rows, new = [self._rows[key] for key in self._keys], len(self._file.rows) - self._before
        verdicts = [row["verdict"] for row in rows]
        seconds = [float(row["seconds"] or 0) for row in rows]
        numbers = {
            "levels": len(rows),
            "solved": verdicts.count(SOLVED),
            "optimal": sum(row["verdict"] == SOLVED and row["optimal"] is True for row in rows),
            "refuted": verdicts.count(REFUTED),
            "open": verdicts.count(OPEN),
            "failed": verdicts.count(FAILED),
        }
        if "certificate" in rows[0]:
            numbers["certified"] = sum(row["certificate"] is not None for row in rows)
        if json:
            times = {"seconds": round(sum(seconds), 6), "longest": round(max(seconds), 6)}
            print_json(numbers | times | {"new": new, "out": str(self._file.path)})
            return
        cells = {name: f"{number:,}" for name, number in numbers.items()}
        cells |= {"seconds": f"{sum(seconds):,.1f}", "longest": f"{max(seconds):,.1f}"}
        for line in align_columns([[*cells], [*cells.values()]]):
            print_paragraph(line)
        print_paragraph(f"results in {self._file.path}, {new:,} of them new")


def answer_row(result: Solution | GridproofError) -> Row:
    """Return the columns of an answer."""
    if isinstance(result, GridproofError):
        return failed_row(result)
    trace = result.trace
    return {
        "verdict": _VERDICTS[result.found],
        "cost": result.cost,
        "optimal": result.optimal,
        "states": result.states,
        "seconds": round(result.seconds, 6),
        "engine": result.engine,
        "stopped": result.stopped_by or None,
        "reason": result.reason or None,
        "solution": trace.level.game.own_format.join_actions(trace) or None if trace else None,
    }


def failed_row(error: GridproofError) -> Row:
    """Return the columns of an answer that is an error."""
    answer = dict.fromkeys(_ANSWER)
    return answer | {"verdict": FAILED, "optimal": False, "reason": str(error)}


def _text(value: Value) -> str:
    return "none" if value is None else str(value)
