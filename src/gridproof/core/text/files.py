"""Reading of untrusted files and texts (size, encoding, line ends, foreign characters); atomic writing."""

from __future__ import annotations

import contextlib
import io
import os
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, TextIO

from gridproof.core.errors import BrokenLevel, GridproofError, IllegalAction, ParseError

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not have."""
LARGEST = 16 * 1024 * 1024
"""Bytes of the largest text that is read."""

_FOREIGN = re.compile("[\0\ud800-\udfff]")


def read_text(path: Path, largest: int | None = None) -> str:
    """Read a file: UTF-8 with or without a mark, else Latin-1, as old level files have it.

    ParseError when it has more than `largest` bytes, GridproofError when it cannot be read.
    """
    largest = largest or LARGEST
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        raise _file_error(path, error) from None
    return _decode(data, largest)


def read_stdin() -> str:
    """Read standard input as a file is read; ParseError when it is too large."""
    return _decode(sys.stdin.buffer.read(LARGEST + 1), LARGEST)


def _decode(data: bytes, largest: int) -> str:
    check_size(len(data), largest)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def check_size(size: int, largest: int, what: str = "text") -> None:
    """Raise ParseError if something is larger than so many bytes."""
    if size > largest:
        raise ParseError(f"the {what} is larger than {largest // 2**20} MiB")


def clean(text: str) -> str:
    """Return the text with line ends as newlines alone; GridproofError when it is no str.

    ParseError when it is too large, or has a NUL character or half of a surrogate pair.
    """
    if isinstance(text, str) and 4 * len(text) > LARGEST:
        check_size(len(text.encode("utf-8", "surrogatepass")), LARGEST)
    return clean_large_text(text)


def clean_large_text(text: str) -> str:
    """Clean a text as `clean` does, of any size, such as a trace from a database."""
    if not isinstance(text, str):
        raise GridproofError(f"a text (str) is needed, not {type(text).__name__}")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if found := _FOREIGN.search(text):
        what = "a NUL character" if found[0] == "\0" else f"half of a surrogate pair, {found[0]!r}"
        raise ParseError.at(text, found.start(), what)
    return text


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader sees the old text or the new one.

    A pipe or a device is written to directly. A symbolic link stays, and the file it leads to is replaced.
    GridproofError when it cannot be written.
    """
    with open_atomic(path) as file:
        file.write(text)


@contextlib.contextmanager
def open_atomic(path: Path, *, packed: bool = False) -> Iterator[TextIO]:
    """Open a file to write piece by piece. As with `write`, it replaces the old one only when the block ends well.

    What the block itself raises is left as it is. With `packed` it is packed by gzip: the same text always gives the
    same bytes.
    """
    inside: BaseException | None = None
    try:
        with _open_target(path) as file, _open_text(path, file, packed) as text:
            try:
                yield text
            except BaseException as error:
                inside = error
                raise
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name, a lone surrogate
        if error is inside or isinstance(error, GridproofError):
            raise
        raise _file_error(path, error) from None


@contextlib.contextmanager
def open_atomic_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of bytes that replaces the old one only when the block ends well; pipes and links as with `write`.

    An OSError of the block counts as one of this file: GridproofError.
    """
    with report_errors(path), _open_target(path) as file:
        yield file


@contextlib.contextmanager
def _open_target(path: Path) -> Iterator[IO[bytes]]:
    if path.exists() and not path.is_file():
        with io.BufferedWriter(_Pipe(path, "wb")) as pipe:
            yield pipe
    else:
        with replace_file(Path(os.path.realpath(path))) as file:
            yield file


class _Pipe(io.FileIO):
    """A pipe or a device, which cannot seek; /dev/null would say that it can."""

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        raise io.UnsupportedOperation("a pipe has no position")


class _Text(io.TextIOWrapper):
    """UTF-8 text whose write errors name the path, unlike errors of the caller."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        super().__init__(file, "utf-8", newline="\n")
        self._path = path

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except (OSError, ValueError) as error:
            raise _file_error(self._path, error) from None


@contextlib.contextmanager
def _open_text(path: Path, file: IO[bytes], packed: bool) -> Iterator[TextIO]:
    """Open a file of bytes for UTF-8 text."""
    with contextlib.ExitStack() as stack:
        inner: Any = file
        if packed:
            import gzip

            inner = stack.enter_context(gzip.GzipFile("", "wb", 6, file, mtime=0))
        text = _Text(path, inner)
        try:
            yield text
        finally:
            text.detach()


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of bytes that replaces the old one only when the block ends well."""
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    name = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if mode is not None:  # a new file has what the process's umask leaves
            os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def remove_partial_files(path: Path) -> None:
    """Remove what killed processes have left of writing a file; no other one may write it now."""
    target = Path(os.path.realpath(path))
    form = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}")
    for name in os.listdir(target.parent):
        if form.fullmatch(name):
            with contextlib.suppress(OSError):
                os.unlink(target.parent / name)


def lock(path: Path, file: IO[bytes]) -> None:
    """Lock a path until the file that stands for it is closed; nothing is locked on Windows.

    GridproofError when another process has the lock, or the file system has no locks.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    with report_errors(path):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise GridproofError(f"{path}: another process uses it") from None


def to_path(path: str | Path) -> Path:
    """Return the path of a file; GridproofError for what is neither a str nor a Path."""
    if not isinstance(path, str | Path):
        raise GridproofError(f"a file (str or Path) is needed, not {type(path).__name__}")
    return Path(path)


def is_file(name: str) -> bool:
    """Return whether this name can be read: pipes count (`show <(cat wall.xsb)`), folders do not.

    os.path answers for any text, pathlib raises for a long one.
    """
    return os.path.exists(name) and not os.path.isdir(name)


def check_folder(path: Path | None) -> None:
    """Raise GridproofError, before any work, if there is no folder for a file that will be written."""
    if path is not None and not os.path.isdir(path.parent):
        raise GridproofError(f"{path}: there is no folder {path.parent}")


def check_target(path: Path | None, force: bool) -> None:
    """Check before any work that a file can be written, and that none is overwritten without --force.

    GridproofError for a missing folder, an existing file or a folder. Standard output, pipes and devices are
    always writable.
    """
    check_folder(path)
    if path and os.path.isdir(path):
        raise GridproofError(f"{path} is a folder; give a file")
    if path and not force and os.path.isfile(path) and not str(path).startswith(("/dev/std", "/dev/fd/")):
        raise GridproofError(f"{path} exists already; use --force to overwrite it")


def add_number(path: Path, number: int) -> Path:
    """Return the path of one of several files that belong together: NAME-3.json of NAME.json."""
    if not path.name:
        raise GridproofError(f"{path}: a file is needed")
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _file_error(path: Path, error: Exception) -> GridproofError:
    return GridproofError(f"{path}: {getattr(error, 'strerror', None) or error}")


@contextlib.contextmanager
def report_errors(path: Path) -> Iterator[None]:
    """Raise GridproofError with the path of a file for each OSError inside."""
    try:
        yield
    except OSError as error:
        raise _file_error(path, error) from None


@contextlib.contextmanager
def locate_errors(path: Path) -> Iterator[None]:
    """Add the path of a file to the errors that are raised inside."""
    try:
        yield
    except IllegalAction as error:
        error.path = path
        raise
    except BrokenLevel as error:
        for one in (error, *error.level_errors()):
            one.path = path
        raise
