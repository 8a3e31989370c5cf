"""Rows of a dataset folder that workers complete and write, so that no results travel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from gridproof import jobs
from gridproof.cli.parallel_map import Workers, run_tasks
from gridproof.store.dataset import DatasetWriter, Part, write_part
from gridproof.store.level_digest import text_digest
from gridproof.store.parquet import Row

MOST_PARTS = 5000
"""More rows than these share the parts, so that reading a folder takes seconds."""

Complete = Callable[[Row], Row]
"""Returns the missing columns of a row, in a worker. It is picklable."""


def complete_rows(
    writer: DatasetWriter,
    rows: Sequence[Row],
    complete: Complete,
    fail: Callable[[jobs.SystemFailure], Row],
    workers: Workers,
    what: str,
) -> Iterator[Row]:
    """Complete rows in workers, which write them as parts; yield each as soon as it is in the folder.

    A process that dies costs one row, which `fail` completes. That row is not written, so the next run tries it again;
    so it is with a `SystemFailure` that `complete` raises. A part is named by its rows: if workers write it twice, there
    is one.
    """
    size = max(1, math.ceil(len(rows) / MOST_PARTS))
    batches = [rows[first : first + size] for first in range(0, len(rows), size)]
    while batches:
        by_key = {_key_of(batch): batch for batch in batches}
        tasks = [
            jobs.Task(
                key, f"{__name__}:write_batch", (writer.path.absolute(), key, writer.columns, batch, complete)
            )
            for key, batch in by_key.items()
        ]
        batches = []
        for result in run_tasks(tasks, workers, what, "levels" if size == 1 else "parts"):
            batch = by_key[result.key]
            if not isinstance(result.error, jobs.SystemFailure):
                yield from writer.add(result.value)
            elif len(batch) > 1:
                batches += [[row] for row in batch]
            else:
                yield from (row | fail(result.error) for row in batch)
        size = 1


def write_batch(
    folder: Path, key: str, columns: Mapping[str, type], rows: Sequence[Row], complete: Complete
) -> Part:
    """Complete rows and write them as a part, in a worker."""
    return write_part(folder, key, columns, [row | complete(row) for row in rows])


def _key_of(rows: Sequence[Row]) -> str:
    """Return the key of rows: a hash of what they have before they are completed."""
    return text_digest("\n".join(repr(sorted(row.items())) for row in rows))[:24]
