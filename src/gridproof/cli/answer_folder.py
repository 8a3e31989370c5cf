"""Answers of `--out FOLDER` about levels, certificates or seeds: a dataset folder that later runs continue."""

from __future__ import annotations

import functools
import json as texts
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.cli.output import (
    ExitStatus,
    align_columns,
    answer_status,
    print_json,
    print_note,
    print_paragraph,
    report_error,
)
from gridproof.cli.parallel_map import Workers
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text import recognition
from gridproof.core.text.display import printable
from gridproof.core.text.phrases import format_count
from gridproof.jobs import SystemFailure

if TYPE_CHECKING:
    from gridproof.store.parquet import Row

DONE, HOLDS, REFUTED, OPEN, FAILED = "done", "holds", "refuted", "open", "failed"
_STATUSES = {DONE: True, HOLDS: True, REFUTED: False, OPEN: None}
VERDICTS = {True: HOLDS, False: REFUTED, None: OPEN}
ANSWER_COLUMNS = {"answer": str, "seconds": float, "result": str, "error": str}
"""Columns of the answers: a word, the time, the data that --json prints, as JSON, and why it failed."""


class FolderAnswer(NamedTuple):
    """An answer in a folder."""

    answer: str
    data: Mapping[str, Any]
    changes: Mapping[str, str | None] = MappingProxyType({})
    """Columns of the row that get another value."""


Ask = Callable[["Row"], FolderAnswer]


class FolderQuestion(NamedTuple):
    """A question about each row of a folder."""

    content: Mapping[str, Any]
    """The question as JSON; another one is refused."""
    ask: Ask
    """Answers in a worker. It is picklable."""
    what: str
    """Work to do, as the progress line names it."""


class FolderTarget(NamedTuple):
    """A folder, and how to write it."""

    path: Path
    force: bool
    json: bool


def limit_data(limit: Limit) -> dict[str, Any]:
    """Return a limit as a part of the content."""
    return {"seconds_limit": limit.seconds, "states_limit": limit.states, "memory_limit": limit.memory}


def level_rows(found: Sequence[tuple[str, Level]]) -> list[Row]:
    """Return the rows of levels, without answers."""
    from gridproof.store.level_digest import digest

    return [
        {
            "level": printable(name),
            "game": level.game.name,
            "title": level.title or None,
            "digest": digest(level),
            "text": level.text(),
        }
        for name, level in found
    ]


def level_of_row(row: Row) -> Level:
    """Return the level of a row of `level_rows`."""
    level: Level = recognition.read(str(row["text"]), str(row["game"]))[0]
    return level


def write_answers(
    target: FolderTarget, question: FolderQuestion, rows: Sequence[Row], workers: Workers
) -> ExitStatus:
    """Ask about the rows that are not in the folder yet; workers write theirs, and a summary is printed.

    A row is the one of an earlier run if its first column, which is its name, and its digest, if it has one, are equal.
    """
    from gridproof.cli.result_folder import complete_rows
    from gridproof.store.dataset import DatasetWriter

    name, *_ = rows[0]
    content = texts.loads(texts.dumps(question.content))  # as it is read back
    columns = {key: int if isinstance(value, int) else str for key, value in rows[0].items()} | ANSWER_COLUMNS

    def key_of(row: Row) -> tuple[object, object]:
        return row[name], row.get("digest")

    with DatasetWriter(target.path, columns, content, target.force) as writer:
        known = {key_of(row): row for row in writer.rows}
        left = [row for row in rows if key_of(row) not in known]
        before = len(writer.rows)
        try:
            complete = functools.partial(_complete, question.ask)
            for row in complete_rows(writer, left, complete, _fail, workers, question.what):
                known[key_of(row)] = row
                if row["answer"] == FAILED:
                    report_error(
                        f"{name} {row[name]}" if columns[name] is int else str(row[name]),
                        GridproofError(str(row["error"])),
                        target.json,
                    )
        except KeyboardInterrupt:
            done = format_count(len(rows) - len(left) + len(writer.rows) - before, "rows")
            print_note(f"{target.path} has {done}; the same command goes on")
            raise
    answers = [str(known[key_of(row)]["answer"]) for row in rows]
    _print_summary(target, answers, len(writer.rows) - before)
    if FAILED in answers:
        return ExitStatus.WRONG
    return answer_status(_STATUSES[answer] for answer in answers)


def _complete(ask: Ask, row: Row) -> Row:
    begin = time.perf_counter()
    try:
        answer, data, changes = ask(row)
    except GridproofError as error:
        return _fail(error)
    except MemoryError:
        raise SystemFailure("not enough memory") from None
    seconds = round(time.perf_counter() - begin, 6)
    return {"answer": answer, "seconds": seconds, "result": texts.dumps(data), "error": None, **changes}


def _fail(error: GridproofError) -> Row:
    return dict.fromkeys(ANSWER_COLUMNS) | {"answer": FAILED, "error": str(error)}


def _print_summary(target: FolderTarget, answers: Sequence[str], new: int) -> None:
    counted = Counter(answers)
    numbers = {"rows": len(answers)} | {word: counted[word] for word in (*_STATUSES, FAILED) if counted[word]}
    if target.json:
        print_json(numbers | {"new": new, "out": str(target.path)})
        return
    for line in align_columns([[*numbers], [f"{number:,}" for number in numbers.values()]]):
        print_paragraph(line)
    print_paragraph(f"results in {target.path}, {new:,} of them new")
