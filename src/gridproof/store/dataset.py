"""Dataset folders: rows in Parquet parts, with a manifest.

The first line of `manifest.jsonl` has the version of the schema, the columns, and the question and seeds of the rows. Each
other line has the name, the number of rows and the checksum (SHA-256) of a part, and the version of the code. A part is
written to a temporary name and then renamed, by any process; its name follows from its task, so a task that is done twice
leaves one part. One process appends to the manifest. A part without a line was written just before that process was killed, and is
added to the manifest by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from gridproof.core.errors import GridproofError
from gridproof.core.text import files, recognition
from gridproof.core.text.pack import Pack
from gridproof.store.parquet import (
    Columns,
    Row,
    import_pyarrow,
    read_buffer,
    read_table,
    schema_of,
    write_rows,
)

MANIFEST, SUFFIX = "manifest.jsonl", ".parquet"
CODE = importlib.metadata.version("gridproof")
SCHEMA = 1
"""Version of the folder's form."""
LARGEST = 1 << 30
"""Bytes of the largest manifest that is read."""
_TYPES = {kind.__name__: kind for kind in (str, int, float, bool, list)}


class Part(NamedTuple):
    """A part of a dataset: a Parquet file in its folder."""

    name: str
    rows: int
    sha256: str
    code: str = CODE
    """Version of gridproof."""


class Header(NamedTuple):
    """First line of a manifest."""

    columns: Mapping[str, type]
    content: dict[str, Any]
    """Question and seeds of the rows, as JSON."""

    def to_json(self) -> str:
        """Return the line."""
        columns = {name: kind.__name__ for name, kind in self.columns.items()}
        data = {"gridproof": "dataset", "schema": SCHEMA, "columns": columns, "content": self.content}
        return json.dumps(data) + "\n"


def write_part(folder: Path, key: str, columns: Mapping[str, type], rows: Iterable[Row] | Columns) -> Part:
    """Write the part of a task, or replace it; any process may do so. GridproofError if it cannot be written."""
    buffer = io.BytesIO()
    path = folder / f"{key}{SUFFIX}"
    count = write_rows(path, buffer, columns, rows)
    data = buffer.getvalue()
    with files.open_atomic_bytes(path) as file:
        file.write(data)
    return Part(path.name, count, hashlib.sha256(data).hexdigest())


class Dataset:
    """A dataset folder for reading.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    columns : dict of str to type
        str, int, float, bool, or list of numbers from 0 to 255; any value may be missing (None).
    content : dict
        Question and seeds of the rows.
    parts : list of Part

    Raises
    ------
    GridproofError
        When the folder is no dataset.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines, _ = _read_manifest(path)
        self.columns, self.content = _parse_header(path, lines)
        self.parts = [_parse_part(path, line, number) for number, line in enumerate(lines[1:], 2)]

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def __repr__(self) -> str:
        return f"<Dataset {self.path}: {len(self):,} rows in {len(self.parts):,} parts>"

    def table(self) -> Any:
        """Return all rows as a pyarrow table; GridproofError if a part is missing or has another checksum."""
        pyarrow, _ = import_pyarrow(self.path)
        tables = [self._table_of(part) for part in self.parts]
        return pyarrow.concat_tables([schema_of(self.path, self.columns).empty_table(), *tables])

    def frame(self) -> Any:
        """Return all rows as a DataFrame of pandas; GridproofError as in `table`, and if pandas is missing."""
        with _report_missing("pandas"):
            return self.table().to_pandas()

    def to_polars(self) -> Any:
        """Return all rows as a DataFrame of polars; GridproofError as in `table`, and if polars is missing."""
        with _report_missing("polars"):
            import polars
        return polars.from_arrow(self.table())

    def levels(self) -> Pack:
        """Return the level of each row that has one; GridproofError if no row can have one."""
        if not {"game", "text"} <= self.columns.keys():
            raise GridproofError(f"{self.path} has no levels")
        rows = self.table().select(["game", "text"]).to_pylist()
        return Pack([recognition.read(row["text"], row["game"])[0] for row in rows if row["text"]])

    def _table_of(self, part: Part) -> Any:
        path = self.path / part.name
        with files.report_errors(path):
            data = read_buffer(path)
        if hashlib.sha256(data).hexdigest() != part.sha256:
            raise GridproofError(f"{path}: its checksum is not the one in {MANIFEST}")
        return read_table(path, data)


class DatasetWriter:
    """A dataset folder for writing, by one process at a time; parts of earlier processes stay.

    Parameters
    ----------
    path : Path
        Made if there is none.
    columns, content
        As in `Dataset`.
    empty : bool
        Forget the parts that are there.

    Attributes
    ----------
    rows : list of dict
        All rows, without texts of levels and lists.

    Raises
    ------
    GridproofError
        When the folder holds something else, other content, or a damaged part, and when another process uses it.
    """

    def __init__(
        self, path: Path, columns: Mapping[str, type], content: Mapping[str, Any], empty: bool = False
    ) -> None:
        import_pyarrow(path)
        self.path, self.columns = path, dict(columns)
        with files.report_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            foreign = sorted(os.listdir(path))
            if foreign and MANIFEST not in foreign:
                raise GridproofError(f"{path} is no dataset: it has {foreign[0]}")
            self._file = (path / MANIFEST).open("ab")
        try:
            files.lock(path, self._file)
            if empty:
                self._clear()
            self._open(Header(self.columns, dict(content)))
        except BaseException:
            self._file.close()
            raise

    def add(self, part: Part) -> list[Row]:
        """Add a part to the manifest; return its rows, without texts of levels and lists."""
        self.append(part)
        rows = read_table(self.path / part.name, columns=self._columns_of_rows()).to_pylist()
        self.rows += rows
        return rows  # type: ignore[no-any-return]  # of pyarrow

    def append(self, part: Part) -> None:
        """Add a part to the manifest, without reading its rows."""
        with files.report_errors(self.path):
            self._file.write((json.dumps(part._asdict()) + "\n").encode())
            self._file.flush()

    def close(self) -> None:
        """Let other processes write."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, header: Header) -> None:
        """Read what is there, add parts that are not in the manifest, and remove what killed processes have left."""
        lines, size = _read_manifest(self.path)
        self._file.truncate(size)  # a torn last line
        if not lines:
            self._file.write(header.to_json().encode())
            self._file.flush()
        dataset = Dataset(self.path)
        if dataset.columns != header.columns or dataset.content != header.content:
            raise GridproofError(
                f"{self.path} has results of another question{_describe_difference(dataset.content, header.content)}; "
                "use --force to overwrite it"
            )
        self.rows: list[Row] = dataset.table().select(self._columns_of_rows()).to_pylist()
        for part in self._find_parts({part.name for part in dataset.parts}):
            self.add(part)

    def _find_parts(self, listed: set[str]) -> Iterator[Part]:
        """Yield the parts that are not in the manifest, and remove partial files."""
        for path in sorted(self.path.iterdir()):
            if path.name.startswith(".") and SUFFIX in path.name:
                path.unlink(missing_ok=True)
            elif path.suffix == SUFFIX and path.name not in listed:
                data = read_buffer(path)
                table = read_table(path, data)
                if table.schema != schema_of(path, self.columns):
                    raise GridproofError(f"{path}: no part of this dataset")
                yield Part(path.name, table.num_rows, hashlib.sha256(data).hexdigest())

    def _columns_of_rows(self) -> list[str]:
        return [name for name, kind in self.columns.items() if name != "text" and kind is not list]

    def _clear(self) -> None:
        lines, size = _read_manifest(self.path)
        if size:
            _parse_header(self.path, lines)  # nothing of others is removed
        self._file.truncate(0)
        for path in self.path.glob(f"*{SUFFIX}"):
            path.unlink()


def dataset(path: str | Path) -> Dataset:
    """Open a folder that `solve --out FOLDER/` or another command has written.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Dataset
        `.table()` (pyarrow), `.frame()` (pandas), `.to_polars()`, `.levels()` and `len()`.

    Raises
    ------
    GridproofError
        When the folder is no dataset.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with DatasetWriter(Path(folder), {"seed": int}, {}) as writer:
    ...         rows = writer.add(write_part(Path(folder), "first", {"seed": int}, [{"seed": 7}]))
    ...     dataset(folder).table()["seed"].to_pylist()
    [7]
    """
    return Dataset(files.to_path(path))


def _describe_difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    for name, value in new.items():
        if old.get(name) != value:
            return f": {name} {old.get(name)}, not {value}"
    return ""


def _read_manifest(folder: Path) -> tuple[list[str], int]:
    """Return the whole lines of a manifest, and their size in bytes."""
    path = folder / MANIFEST
    with files.report_errors(path), path.open("rb") as file:
        data = _read(file)
    whole = data[: data.rfind(b"\n") + 1]
    return whole.decode(errors="replace").splitlines(), len(whole)


def _read(file: IO[bytes]) -> bytes:
    data = file.read(LARGEST + 1)
    files.check_size(len(data), LARGEST)
    return data


def _parse_header(folder: Path, lines: list[str]) -> Header:
    try:
        data = json.loads(lines[0])
        if data["gridproof"] != "dataset" or data["schema"] != SCHEMA:
            raise ValueError
        columns = {str(name): _TYPES[kind] for name, kind in data["columns"].items()}
        return Header(columns, dict(data["content"]))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise GridproofError(f"{folder / MANIFEST}: no dataset of version {SCHEMA}") from None


def _parse_part(folder: Path, line: str, number: int) -> Part:
    try:
        part = Part(**json.loads(line))
        if [type(value) for value in part] != [str, int, str, str] or Path(part.name).name != part.name:
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        raise GridproofError(f"{folder / MANIFEST}, line {number}: no part of a dataset") from None
    return part


@contextlib.contextmanager
def _report_missing(package: str) -> Iterator[None]:
    try:
        yield
    except ImportError:
        raise GridproofError(f"{package} is not installed: pip install {package}") from None
