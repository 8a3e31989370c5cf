"""Files of compiled code: they are loaded only as they were written, and refused if they have changed."""

from __future__ import annotations

import cProfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config

from gridproof.core.lazy_import import compile_listeners
from gridproof.kernels import compile as compiling
from gridproof.kernels.cache import _Files
from gridproof.kernels.compile import Hole, borrowing, kernel

KEY = ("a signature", ("x86_64", "a processor"))
DATA = {"object": bytes(range(256)) * 8, "name": "a kernel"}


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Any, Path]:
    """The files of a kernel, and one that is written."""
    files: Any = _Files(str(tmp_path), "kernel", None)  # type: ignore[no-untyped-call]  # numba has no types here
    files.save(KEY, DATA)
    (path,) = tmp_path.iterdir()
    assert files.load(KEY) == DATA
    return files, path


def broken(whole: bytes) -> list[bytes]:
    """A file with one bit turned, cut short, or longer, at many places."""
    places = range(0, len(whole), 7)
    turned = [whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :] for at in places]
    return [*turned, *(whole[:at] for at in places), whole + b"\0", whole[1:]]


def test_broken_file_is_deleted_wherever_it_is_broken(kept: tuple[Any, Path]) -> None:
    files, path = kept
    whole = path.read_bytes()
    for text in broken(whole):
        path.write_bytes(text)
        assert files.load(KEY) is None
        assert not path.exists()
    files.save(KEY, DATA)
    assert files.load(KEY) == DATA


def test_file_of_another_signature_is_ignored(kept: tuple[Any, Path], tmp_path: Path) -> None:
    files, path = kept
    files.save("another", DATA)
    (other,) = set(tmp_path.iterdir()) - {path}
    path.rename(other)
    assert files.load("another") is None
    assert not list(tmp_path.iterdir())


def test_broken_file_that_cannot_be_deleted_is_ignored(
    kept: tuple[Any, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(path)

    files, path = kept
    path.write_bytes(b"")
    monkeypatch.setattr("os.unlink", refuse)
    assert files.load(KEY) is None


@pytest.fixture
def compile_text(tmp_path: Path) -> Callable[..., Any]:
    """The kernel `f` of a module's text, which has a file."""

    def make(text: str, **values: object) -> Any:
        path = tmp_path / "part.py"
        path.write_text(text)
        scope = {"__name__": "part", **values}
        exec(compile(text, str(path), "exec"), scope)
        return kernel(scope["f"])  # type: ignore[arg-type]  # any Python function will do

    return make


def test_broken_code_is_compiled_again(
    compile_text: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def hits_of_a_new_process() -> int:
        monkeypatch.setattr(compiling, "_kernels", {})
        function = compile_text("def f(x):\n    return x + 40\n")
        assert function(2) == 42
        return int(sum(function.stats.cache_hits.values()))

    assert hits_of_a_new_process() == 0
    (path,) = tmp_path.rglob("*.nbc")
    whole = path.read_bytes()
    path.write_bytes(whole[:-200] + bytes([whole[-200] ^ 4]) + whole[-199:])
    assert hits_of_a_new_process() == 0
    assert hits_of_a_new_process() == 1


def plain(x: Any) -> Any:
    return x // 3


def test_name_depends_on_options(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {kernel(plain).py_func.__qualname__, borrowing(plain).py_func.__qualname__}
    options = compiling._options
    monkeypatch.setattr(compiling, "_options", lambda *how: options(*how) | {"error_model": "python"})
    names |= {kernel(plain).py_func.__qualname__, borrowing(plain).py_func.__qualname__}
    assert len(names) == 4


WHOLE = np.ones((3, 4))
PART = WHOLE[1:, ::2]


@kernel
def of_a_part(i: Any) -> Any:
    return PART[i, 0]


def test_base_arrays_of_views_become_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        PART[0, 0] = 9
    with pytest.raises(ValueError, match="read-only"):
        WHOLE[1, 0] = 9


def test_change_before_compilation_is_refused(compile_text: Callable[..., Any]) -> None:
    """A view made before, memory of others, a module's number: nobody can stop those who change them."""
    numbers = np.arange(3)
    before, memory = numbers[:], bytearray(8)
    part = types.ModuleType("part")
    part.number = 1  # type: ignore[attr-defined]  # a function has attributes
    reached = {"numbers": numbers, "memory": np.frombuffer(memory, np.int64), "part": part}
    text = "def f(x):\n    return numbers[x] + memory[x] + part.number\n"

    def change_number() -> None:
        part.number = 2  # type: ignore[attr-defined]  # a function has attributes

    def change_view() -> None:
        before[0] = 1

    def change_memory() -> None:
        memory[0] = 1

    for change in (change_number, change_view, change_memory):
        function = compile_text(text, **reached)
        change()
        with pytest.raises(TypeError, match=r"what f_\w+ reaches has changed since the kernel was made"):
            function(0)
    assert compile_text(text, **reached)(0) == 4


@pytest.mark.slow
def test_changed_callee_does_not_reuse_old_code(
    compile_text: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    part = types.ModuleType("part")
    part.number = 1  # type: ignore[attr-defined]  # a module has what is set
    called, calls = "def f(x):\n    return x + part.number\n", "def f(x):\n    return 10 * inner(x)\n"
    inner = compile_text(called, part=part)
    assert inner(1) == 2
    part.number = 2  # type: ignore[attr-defined]  # a module has what is set
    assert compile_text(calls, inner=inner)(1) == 20
    monkeypatch.setattr(compiling, "_kernels", {})  # as in a new process
    assert compile_text(calls, inner=compile_text(called, part=part))(1) == 30


def test_compile_listeners_are_notified(compile_text: Callable[..., Any]) -> None:
    told: list[bool] = []
    tell = told.append
    compile_listeners.append(tell)
    try:
        inner = compile_text("def f(x):\n    return x * 7\n")
        outer = compile_text("def f(x):\n    return inner(x) + 1\n", inner=inner)
        assert not told
        assert [outer(1), outer(2)] == [8, 15]
        assert told == [True, False]  # once for all that is called
    finally:
        compile_listeners.remove(tell)


@pytest.mark.slow
def test_digest_is_independent_of_profiler() -> None:
    """Numba clears flags of the code of what is called while one runs."""
    called = kernel(_double)
    calls = kernel(_calls_another, another=called)
    with cProfile.Profile():
        assert called(2) == 4
    assert calls(2) == 5


another: Any = Hole()


def _double(number: Any) -> Any:
    return 2 * number


def _calls_another(number: Any) -> Any:
    return another(number) + 1
