"""Certificate files, read line by line: a list may be larger than memory."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Callable, Container, Generator, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped, check_stop
from gridproof.core.text import files
from gridproof.core.text.phrases import short_repr
from gridproof.prove.certificate_json import describe_damage, parse_text, parse_value

_CHANGED = "the file changed while it was read"
_STOP_EVERY = 16
"""Lines between two looks at the limits."""


class Defect(Exception):
    """Defect of a certificate, with its line."""

    def __init__(self, line: int, reason: object) -> None:
        super().__init__(f"line {line}: {reason}")


@contextlib.contextmanager
def locate_defect(line: int) -> Iterator[None]:
    """Turn an error in the block into a defect of this line."""
    try:
        yield
    except Stopped:
        raise
    except GridproofError as error:
        raise Defect(line, error) from None


class CertificateFile(Mapping[str, int]):
    """Texts that a certificate lists, each with its line.

    The object stores a digest of each text, and `count`, the number of lines that were read after the first. `texts` reads
    the file once more; what is used of it must not have changed. `close` ends all reading.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lines = path, dict[bytes, int]()
        self._reads, self.count = contextlib.ExitStack(), 0
        self._values = self._read(1, parse_value)

    def close(self) -> None:
        """Close the file, however often it is being read."""
        self._reads.close()

    def _read(self, first: int, decode: Callable[[bytes], Any]) -> Iterator[Any]:
        return self._reads.enter_context(contextlib.closing(_values(self._path, first, decode)))

    def read_header(self) -> Any:
        """Read the first line; None for an empty file."""
        header = next(self._values, None)
        check_stop()
        return header

    def read_lines(self, positions: int) -> Iterator[tuple[int, Any]]:
        """Yield all other lines with their values; Defect when they are not `positions`."""
        for line, value in enumerate(self._values, 2):
            if line % _STOP_EVERY == 0:
                check_stop()
            if self.count >= positions:
                raise Defect(line, f"{short_repr(value)} is one too many")
            yield line, value
            self.count += 1
        if self.count < positions:
            raise Defect(self.count + 2, f"the file ends, after {self.count} of {positions} positions")

    def read_texts(self, positions: int, store: Callable[[list[Any]], bool] | None = None) -> None:
        """Read all other lines; Defect when they are not `positions` different texts.

        With `store`, each line is a list: a text, and values that `store` takes or refuses.
        """
        for line, value in self.read_lines(positions):
            text = value[0] if store and isinstance(value, list) and value else value
            if not isinstance(text, str) or self._lines.setdefault(_digest(text), line) < line:
                raise Defect(line, f"{short_repr(text)} is not a text, or is repeated")
            if store and (text is value or not store(value[1:])):
                raise Defect(line, f"{short_repr(value)} is not a text with the values of its kind")

    def __getitem__(self, text: str) -> int:
        return self._lines[_digest(text)]

    def line_of(self, text: str) -> int:
        """Return the line of a text, or 0."""
        return self._lines.get(_digest(text), 0)

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[str]:
        return (text for _, text in self.texts() if text is not None)

    def texts(self, known: Container[int] = ()) -> Iterator[tuple[int, str | None]]:
        """Read again: yield the number of each line after the first with its text, which is None for `known` lines."""
        line = 1
        for line, data in enumerate(self._read(2, bytes), 2):
            if line % _STOP_EVERY == 0:
                check_stop()
            text = None if line in known else parse_text(data)
            if text is not None and self.line_of(text) != line:
                raise Defect(line, _CHANGED)
            yield line, text
        if line != len(self) + 1:
            raise Defect(line, _CHANGED)


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _values(path: Path, first: int, decode: Callable[[bytes], Any]) -> Generator[Any]:
    """Yield the values of a file's lines from the first; it is unpacked when its name ends in .gz."""
    line = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while data := file.readline(files.LARGEST):
                line += 1
                if line >= first:
                    yield decode(data)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, OSError | ValueError) and not line and not isinstance(error, gzip.BadGzipFile):
            raise GridproofError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        raise Defect(max(line, 1), describe_damage(error, line)) from None
