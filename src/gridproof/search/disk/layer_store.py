"""Folders of layers: the positions that a breadth-first search has found, one file for each layer.

Files never change once they are written. `manifest.json` names them, with their sizes and checksums, and is replaced
when a layer is finished; so a search that is killed goes on at its last finished layer. Layer files that the manifest does
not name are left of an unfinished layer, and are removed. The manifest has a checksum of its own content.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.text import files

Array = np.ndarray[Any, Any]

MANIFEST = "manifest.json"
_LOCK = "lock"
SCHEMA = 2
"""Version of the folder's form."""
WORD = 8
"""Bytes of a word."""
_NAME = re.compile(r"[0-9]{4,}-(layer|seen|run-[0-9]+)\.words")  # of a file that a search writes
_FULL = errno.ENOSPC, errno.EDQUOT, errno.EFBIG
_BLOCK = 1 << 18  # words that are read at once to check a file
_RESERVE = 1 << 24  # bytes that stay free
_LARGEST = 1 << 26  # bytes of the largest manifest that is read


class DiskFull(GridproofError):
    """There is no room for the next layer on the disk; all finished layers are there."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: the disk is full")


class WordFile(NamedTuple):
    """A file of words, uint64, little-endian."""

    name: str
    words: int
    crc32: int


class DiskLayer(NamedTuple):
    """The positions that are first reached after a number of actions."""

    positions: int
    transitions: int
    """Outcomes of the positions one layer before."""
    file: WordFile


class Content(NamedTuple):
    """The files of a folder, as its manifest names them."""

    layers: tuple[DiskLayer, ...] = ()
    """The finished layers."""
    seen: tuple[WordFile, ...] = ()
    """Files in which all their positions are found."""
    is_complete: bool = False
    """True if no layer follows."""
    last_transitions: int = 0
    """Outcomes of the positions of the last layer, if no layer follows."""

    @property
    def files(self) -> tuple[WordFile, ...]:
        """All files, each once."""
        return tuple(dict.fromkeys([*(layer.file for layer in self.layers), *self.seen]))


class LayerStore:
    """A folder of layers, for one process at a time.

    Parameters
    ----------
    path : Path
        Made if there is none.
    question : dict of str to str
        What is explored, and by which code.

    Attributes
    ----------
    content : Content

    Raises
    ------
    GridproofError
        When the folder holds something else, another question, or a damaged file, when another process uses it, or it
        cannot be written.
    """

    def __init__(self, path: Path, question: Mapping[str, str]) -> None:
        self.path, self._question = path, dict(question)
        self.content = Content()
        with files.report_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            self._check_owner()
            self._lock_file = (path / _LOCK).open("ab")
        try:
            files.lock(path, self._lock_file)
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other processes use the folder."""
        self._lock_file.close()

    @property
    def size(self) -> int:
        """The bytes that the files take on the disk."""
        found = (entry.stat() for entry in os.scandir(self.path))
        return sum(
            512 * getattr(one, "st_blocks", one.st_size // 512) for one in found
        )  # Windows has no blocks

    def check_room(self, size: int) -> None:
        """Raise DiskFull if the disk has no room for so many bytes."""
        if shutil.disk_usage(self.path).free < size + _RESERVE:
            raise DiskFull(self.path)

    @contextlib.contextmanager
    def write(self, name: str) -> Iterator[WordWriter]:
        """Open a file for a part of the next layer; DiskFull when the disk is full."""
        with _report_errors(self.path), (self.path / f"{name}.words").open("wb") as file:
            yield WordWriter(file)

    def read(self, file: WordFile, first: int, count: int) -> Array:
        """Return some words of a file, uint64, fewer at its end."""
        with _report_errors(self.path):
            return np.fromfile(self.path / file.name, "<u8", count, offset=first * WORD)

    def commit(self, content: Content) -> None:
        """Replace the content, at once: a process that is killed leaves the old one or the new one."""
        data = {"gridproof": "layers", "schema": SCHEMA, "question": self._question, **content._asdict()}
        with _report_errors(self.path), files.replace_file(self.path / MANIFEST) as file:
            file.write(json.dumps(data | {"crc32": _checksum(data)}).encode())
            file.flush()
            os.fsync(file.fileno())
        self.content = content
        self.remove_unfinished()

    def remove_unfinished(self) -> None:
        """Remove the files of layers that do not belong to the content."""
        named = {file.name for file in self.content.files}
        with files.report_errors(self.path):
            for path in self.path.iterdir():
                if _NAME.fullmatch(path.name) and path.name not in named and path.is_file():
                    path.unlink()

    def damage_error(self, name: str = MANIFEST, what: str = "checksum") -> GridproofError:
        """Return the error for a file whose checksum or size is wrong."""
        return GridproofError(f"{self.path / name} is damaged: its {what} is not the one in {MANIFEST}")

    def _check_owner(self) -> None:
        """Raise GridproofError if the folder holds something else."""
        names = sorted(name for name in os.listdir(self.path) if name != _LOCK and MANIFEST not in name)
        if names and not (self.path / MANIFEST).exists():
            raise GridproofError(f"{self.path} is no folder of layers: it has {names[0]}")

    def _open(self) -> None:
        """Read what is there, and check it."""
        files.remove_partial_files(self.path / MANIFEST)
        if not (self.path / MANIFEST).exists():
            self.commit(self.content)
        self._read_manifest()
        for file in self.content.files:
            self._check(file)
        self.remove_unfinished()

    def _read_manifest(self) -> None:
        path = self.path / MANIFEST
        try:
            data = json.loads(files.read_text(path, _LARGEST))
            if data["gridproof"] != "layers" or data["schema"] != SCHEMA:
                raise ValueError
            is_intact = data.pop("crc32", None) == _checksum(data)
            question, content = dict(data["question"]), _parse_content(data)
        except (ValueError, LookupError, TypeError, RecursionError):
            raise GridproofError(f"{path}: no layers of version {SCHEMA}") from None
        if not is_intact:
            raise self.damage_error()
        for name, value in self._question.items():
            if question.get(name) != value:
                raise GridproofError(
                    f"{self.path} has layers of another question ({name} {question.get(name)}, not {value}); "
                    "use another folder"
                )
        self.content = content

    def _check(self, file: WordFile) -> None:
        path, crc = self.path / file.name, 0
        with files.report_errors(path):
            if path.stat().st_size != file.words * WORD:
                raise self.damage_error(file.name, "size")
            for first in range(0, file.words, _BLOCK):
                crc = zlib.crc32(self.read(file, first, _BLOCK).data, crc)
        if crc != file.crc32:
            raise self.damage_error(file.name)


class WordWriter:
    """A file of words, written from its begin to its end; zeros take no room on the disk."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.words = self._crc = 0

    def write(self, words: Array) -> None:
        """Append words."""
        data = np.ascontiguousarray(words, "<u8")
        if data.any():
            self._file.write(data)
        else:
            self._file.seek(data.nbytes, os.SEEK_CUR)
        self._crc = zlib.crc32(data.data, self._crc)
        self.words += data.size

    def finish(self) -> WordFile:
        """Write everything to the disk, and return the file."""
        self._file.truncate(self.words * WORD)
        self._file.flush()
        os.fsync(self._file.fileno())
        return WordFile(os.path.basename(self._file.name), self.words, self._crc)


@contextlib.contextmanager
def _report_errors(path: Path) -> Iterator[None]:
    """Raise DiskFull for an OSError inside if the disk is full, else GridproofError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(path) from None
        raise GridproofError(f"{error.filename or path}: {error.strerror}") from None


def _checksum(data: Any) -> int:
    """Return the checksum of JSON data, which does not depend on white space."""
    return zlib.crc32(json.dumps(data).encode())


def _parse_content(data: Any) -> Content:
    layers = (DiskLayer(int(one), int(two), _parse_file(file)) for one, two, file in data["layers"])
    seen = map(_parse_file, data["seen"])
    return Content(tuple(layers), tuple(seen), bool(data["is_complete"]), int(data["last_transitions"]))


def _parse_file(data: Any) -> WordFile:
    file = WordFile(*data)
    if [type(value) for value in file] != [str, int, int] or Path(file.name).name != file.name:
        raise ValueError
    return file
