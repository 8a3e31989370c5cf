"""Files of other people: encodings, sizes, line ends; and writing whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.text import files


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("Größe\n".encode(), "Größe\n"),
        ("\ufeffGröße\n".encode(), "Größe\n"),
        ("Größe\n".encode("latin-1"), "Größe\n"),
        (b"a\r\nb\rc", "a\r\nb\rc"),
        (bytes(range(128, 256)), bytes(range(128, 256)).decode("latin-1")),
    ],
)
def test_read_text_decodes_encodings(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "levels"
    path.write_bytes(data)
    assert files.read_text(path) == text


def test_standard_input_is_read_as_a_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Größe".encode("latin-1")), "utf-8"))
    assert files.read_stdin() == "Größe"


@pytest.mark.slow
def test_read_text_accepts_the_largest_size_only(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"." * files.LARGEST)
    assert len(files.clean(files.read_text(path))) == files.LARGEST
    path.write_bytes(b"." * (files.LARGEST + 1))
    with pytest.raises(ParseError, match="larger than 16 MiB"):
        files.read_text(path)


@pytest.mark.parametrize("text", ["." * (files.LARGEST + 1), "ö" * (files.LARGEST // 2 + 1)])
def test_size_of_text_is_in_bytes(text: str) -> None:
    with pytest.raises(ParseError, match="larger than 16 MiB"):
        files.clean(text)


def test_read_text_refuses_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(GridproofError, match=r"nothing: No such file"):
        files.read_text(tmp_path / "nothing")
    with pytest.raises(GridproofError, match="directory"):
        files.read_text(tmp_path)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("a\r\nb\rc\n", "a\nb\nc\n"), ("\ufeffa", "a"), ("a\ufeff", "a\ufeff"), ("", "")],
)
def test_clean_normalises_line_ends(text: str, cleaned: str) -> None:
    assert files.clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "line", "column"), [("\0", 1, 1), ("ab\0", 1, 3), ("a\r\nb\0", 2, 2), ("\n\n\0", 3, 1)]
)
def test_clean_refuses_nul_characters(text: str, line: int, column: int) -> None:
    with pytest.raises(ParseError, match="NUL") as caught:
        files.clean(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_write_uses_newlines_and_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "levels"
    files.write(path, "Größe\n")
    assert path.read_bytes() == "Größe\n".encode()


def test_write_keeps_permissions_of_a_file(tmp_path: Path) -> None:
    path, fresh = tmp_path / "levels", tmp_path / "fresh"
    path.write_text("old")
    path.chmod(0o640)
    files.write(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)
    mask = os.umask(0o027)
    try:
        files.write(fresh, "new")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(mask)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640


def test_write_never_changes_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(os, "umask", changed.append)  # another thread's new file would have all rights
    files.write(tmp_path / "levels", "new")
    files.write(tmp_path / "levels", "newer")
    assert (tmp_path / "levels").read_text() == "newer"
    assert changed == []


def test_write_follows_links(tmp_path: Path) -> None:
    path, link = tmp_path / "levels", tmp_path / "link"
    path.write_text("old")
    link.symlink_to(path)
    files.write(link, "new")
    assert (link.is_symlink(), path.read_text()) == (True, "new")


def test_write_writes_to_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write(pipe, "new\n")
        assert os.read(reader, 100) == b"new\n"
    finally:
        os.close(reader)
    assert (pipe.is_fifo(), list(tmp_path.iterdir())) == (True, [pipe])


def test_open_atomic_bytes_keeps_pipes_links_and_devices(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for path in (link, pipe, Path(os.devnull)):
            with files.open_atomic_bytes(path) as out, zipfile.ZipFile(out, "w") as package:
                package.writestr("name", "new")
        assert os.read(reader, 2) == b"PK"
    finally:
        os.close(reader)
    assert zipfile.ZipFile(file).read("name") == b"new"
    assert (link.is_symlink(), pipe.is_fifo(), len(list(tmp_path.iterdir()))) == (True, True, 3)


def test_open_atomic_bytes_error_names_file() -> None:
    with (
        pytest.raises(GridproofError, match=r"^/dev/full: "),
        files.open_atomic_bytes(Path("/dev/full")) as file,
    ):
        file.write(b"a" * 2**20)


def test_write_refuses_folder(tmp_path: Path) -> None:
    with pytest.raises(GridproofError, match="Is a directory"):
        files.write(tmp_path, "new")


def test_failed_write_leaves_old_text_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "levels"
    path.write_text("old")

    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(GridproofError, match="levels: No space left"):
        files.write(path, "new")
    assert [file.name for file in tmp_path.iterdir()] == ["levels"]
    assert path.read_text() == "old"


def test_write_refuses_text_that_cannot_be_encoded(tmp_path: Path) -> None:
    with pytest.raises(GridproofError, match=r"levels: .*surrogates not allowed"):
        files.write(tmp_path / "levels", "\udc80")
    assert list(tmp_path.iterdir()) == []


def test_check_folder_refuses_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(GridproofError, match="No such file"):
        files.write(tmp_path / "nowhere" / "levels", "new")


@pytest.mark.parametrize("error", [ParseError("no", line=2), InvalidLevel([])])
def test_locate_errors_adds_file_to_errors(error: ParseError | InvalidLevel) -> None:
    with pytest.raises(GridproofError), files.locate_errors(Path("a.xsb")):
        raise error
    assert error.path == Path("a.xsb")
    assert str(error).startswith("a.xsb: ")


def test_lock_is_held_by_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    with path.open("wb") as first, path.open("wb") as second:
        files.lock(path, first)
        with pytest.raises(GridproofError, match=f"^{path}: another process uses it$"):
            files.lock(path, second)
        first.close()
        files.lock(path, second)

    def refuse(file: object, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with path.open("wb") as file, pytest.raises(GridproofError, match=f"^{path}: No locks available$"):
        files.lock(path, file)


def test_to_path_refuses_impossible_names() -> None:
    with pytest.raises(GridproofError, match="null"):
        files.read_text(Path("a\0b"))
    with pytest.raises(GridproofError, match="null"):
        files.write(Path("a\0b"), "")


def test_add_number_to_path() -> None:
    assert files.add_number(Path("deep/name.json"), 3) == Path("deep/name-3.json")
    with pytest.raises(GridproofError, match="a file is needed"):
        files.add_number(Path("."), 3)


def test_half_of_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ParseError, match="half of a surrogate pair") as caught:
        files.clean("one\r\ntwo\ud800")
    assert (caught.value.line, caught.value.column) == (2, 4)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("error", [ValueError("my own"), OSError("my own"), UnicodeError("my own")])
def test_open_atomic_leaves_errors_of_block(tmp_path: Path, error: Exception, packed: bool) -> None:
    def write() -> None:
        with files.open_atomic(tmp_path / "file", packed=packed) as file:
            file.write("half of it")
            raise error

    with pytest.raises(type(error)) as raised:
        write()
    assert raised.value is error
    assert list(tmp_path.iterdir()) == []


def test_open_atomic_error_names_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with (
        pytest.raises(GridproofError, match="surrogates not allowed") as raised,
        files.open_atomic(path) as file,
    ):
        file.writelines(["whole\n", "\ud800\n"])
    assert str(raised.value).startswith(f"{path}: ")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(GridproofError, match=r"^/dev/full: "), files.open_atomic(Path("/dev/full")) as file:
        file.write("a" * 2**20)
