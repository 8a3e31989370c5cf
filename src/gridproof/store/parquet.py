"""Parquet files of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from gridproof.core.errors import GridproofError

Value = str | int | float | bool | None
Row = dict[str, Value]
Columns = Mapping[str, Sequence[Any]]
"""Values of all rows by column, as sequences or arrays."""


class NotParquet(GridproofError):
    """A file that is no Parquet, or cannot be read."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason


def write_rows(
    path: Path, file: IO[bytes], columns: Mapping[str, type], rows: Iterable[Row] | Columns
) -> int:
    """Write rows into an open file, with columns of the types of `schema_of`; `path` is for errors. Return their number."""
    pyarrow, parquet = import_pyarrow(path)
    schema = schema_of(path, columns)
    if isinstance(rows, Mapping):
        table = pyarrow.table({name: list(rows[name]) for name in columns}, schema)
    else:
        table = pyarrow.Table.from_pylist([*rows], schema)
    parquet.write_table(table, file, compression="zstd")
    return int(table.num_rows)


def read_buffer(path: Path) -> Any:
    """Read a file into a buffer of pyarrow's own; OSError if it cannot be read.

    Threads of pyarrow that release memory of Python's can abort the process as it ends (apache/arrow issue 34314).
    """
    pyarrow, _ = import_pyarrow(path)
    data = path.read_bytes()
    buffer = pyarrow.allocate_buffer(len(data))
    memoryview(buffer).cast("B")[:] = data
    return buffer


def read_table(path: Path, buffer: Any = None, columns: Sequence[str] | None = None) -> Any:
    """Read a file, or the buffer of its bytes, as a pyarrow table; NotParquet if it is another one."""
    pyarrow, parquet = import_pyarrow(path)
    try:
        return parquet.read_table(path if buffer is None else pyarrow.BufferReader(buffer), columns=columns)
    except (OSError, pyarrow.ArrowException) as error:
        raise NotParquet(path, str(error).partition("\n")[0]) from None


def schema_of(path: Path, columns: Mapping[str, type]) -> Any:
    """Return the schema of columns of these types: str, int, float, bool, or list, which has numbers from 0 to 255."""
    pyarrow, _ = import_pyarrow(path)
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    types[list] = pyarrow.list_(pyarrow.uint8())
    return pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])


def import_pyarrow(path: Path) -> tuple[Any, Any]:
    """Import pyarrow; GridproofError with the path if it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise GridproofError(
            f"{path}: Parquet needs pyarrow: pip install 'gridproof[parquet]', or write .jsonl or .csv"
        ) from None
    return pyarrow, pyarrow.parquet
