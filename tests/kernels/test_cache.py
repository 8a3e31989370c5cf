"""The cache on disk, in fresh processes: nothing is compiled twice, nothing is stale."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.kernels.conftest import Programs

PARTS = """
import enum
import numpy as np
from gridproof.kernels.compile import kernel

class Turn(enum.IntEnum):
    LEFT = 10
    RIGHT = 20

BASE = 100
TABLE = np.array([1, 2, 3], np.int64)

@kernel
def twice(x):
    return 2 * x
"""
MAIN = """
import numpy as np
import parts
from parts import BASE, TABLE, Turn, twice
from gridproof.kernels.compile import kernel
from report import report

@kernel
def by_callee(x):
    return twice(x) + 1

@kernel
def by_constant(x):
    return BASE + x

@kernel
def by_module(x):
    return parts.BASE - x

@kernel
def by_comprehension(x):
    return sum([7 * i for i in range(x)])

@kernel
def by_enumeration(x):
    return x + Turn.RIGHT.value

@kernel
def by_array(x):
    return TABLE[x % 3]

@kernel
def untouched(x):
    return x ^ 1

names = ["by_callee", "by_constant", "by_module", "by_comprehension", "by_enumeration", "by_array", "untouched"]
kernels = {name: globals()[name] for name in names}
report(kernels, {name: int(one(4)) for name, one in kernels.items()})
"""
BEFORE = {
    "by_callee": 9,
    "by_constant": 104,
    "by_module": 96,
    "by_comprehension": 42,
    "by_enumeration": 24,
    "by_array": 2,
    "untouched": 5,
}
AFTER = {
    "by_callee": 13,
    "by_constant": 204,
    "by_module": 196,
    "by_comprehension": 48,
    "by_enumeration": 34,
    "by_array": 5,
    "untouched": 5,
}


@pytest.mark.long
def test_cache_is_reused_by_second_process_until_a_change(programs: Programs) -> None:
    programs.write("parts", PARTS)
    programs.write("main", MAIN)
    cold, second = programs.run("main"), programs.run("main")
    assert cold["answers"] == second["answers"] == BEFORE
    assert set(cold["misses"].values()) == {1}
    assert set(second["hits"].values()) == {1}
    assert not any(second["misses"].values())

    programs.change("parts", "2 * x", "3 * x")
    programs.change("parts", "BASE = 100", "BASE = 200")
    programs.change("parts", "RIGHT = 20", "RIGHT = 30")
    programs.change("parts", "[1, 2, 3]", "[4, 5, 6]")
    programs.change("main", "7 * i", "8 * i")
    changed = programs.run("main")
    assert changed["answers"] == AFTER
    assert [name for name, misses in changed["misses"].items() if not misses] == ["untouched"]


BORROWED = """
from gridproof.kernels.compile import borrowing, kernel

@kernel
def last_of(values):
    return values[-1]
"""
BORROWER = """
import numpy as np
from borrowed import last_of
from gridproof.kernels.compile import kernel
from report import report

@kernel
def after(values):
    return last_of(values) + 1

report({"after": after}, [after.py_func.__qualname__, int(after(np.arange(5)))])
"""


@pytest.mark.long
def test_callers_are_recompiled_when_callee_starts_to_borrow_arrays(programs: Programs) -> None:
    programs.write("borrowed", BORROWED)
    programs.write("borrower", BORROWER)
    before = programs.run("borrower")
    programs.change("borrowed", "@kernel", "@borrowing")
    changed, second = programs.run("borrower"), programs.run("borrower")
    assert [changed["misses"]["after"], second["misses"]["after"]] == [1, 0]
    assert before["answers"][0] != changed["answers"][0] == second["answers"][0]
    assert before["answers"][1] == changed["answers"][1] == second["answers"][1] == 5
    programs.change("borrowed", "@borrowing", "@kernel")
    assert programs.run("borrower")["misses"] == {"after": 0}


NAMED = """
from typing import NamedTuple

class Pair(NamedTuple):
    first: object
    second: object
"""
READER = """
import numpy as np
from named import Pair
from gridproof.kernels.compile import kernel
from report import report

@kernel
def second_of(pair):
    return pair.second[0]

@kernel
def second_within(pairs):
    return second_of(pairs[0]) + pairs[0].second[1]

pair = Pair(first=np.array([1, 2]), second=np.array([3, 4]))
report({"own": second_of, "within": second_within}, {"own": int(second_of(pair)), "within": int(second_within((pair, 0)))})
"""


@pytest.mark.long
def test_cache_of_named_tuples_depends_on_their_fields(programs: Programs) -> None:
    programs.write("named", NAMED)
    programs.write("reader", READER)
    cold, second = programs.run("reader"), programs.run("reader")
    assert cold["answers"] == second["answers"] == {"own": 3, "within": 7}
    assert not any(second["misses"].values())

    programs.change("named", "first: object\n    second: object", "second: object\n    first: object")
    changed = programs.run("reader")
    assert changed["answers"] == cold["answers"]
    assert all(changed["misses"].values())


@pytest.mark.slow
def test_kernels_work_without_compilation(programs: Programs) -> None:
    programs.write("parts", PARTS)
    programs.write("main", MAIN)
    assert programs.run("main", NUMBA_DISABLE_JIT="1") == {"answers": BEFORE, "hits": {}, "misses": {}}
    assert not programs.cache.exists()


SHARING = """
from gridproof.kernels.compile import Hole, kernel
from report import report

move = Hole()

def search(x):
    for _ in range(3):
        x = move(x)
    return x

@kernel
def up(x):
    return x + 1

@kernel
def double(x):
    return x * 2

first, second = kernel(search, move=up), kernel(search, move=double)
assert first.py_func.__qualname__ != second.py_func.__qualname__
report({"first": first, "second": second}, [int(first(5)), int(second(5)), float(first(5.5)), float(second(5.5))])
"""


@pytest.mark.slow
def test_games_that_share_a_template_share_no_code(programs: Programs) -> None:
    programs.write("main", SHARING)
    for misses in (2, 0):
        ran = programs.run("main")
        assert ran["answers"] == [8, 40, 8.5, 44.0]
        assert ran["misses"] == {"first": misses, "second": misses}


MANY = """
import sys
import numpy as np
from gridproof.kernels.compile import kernel
from report import report

@kernel
def size(x):
    return x.nbytes * 10 + x.ndim

@kernel
def outer(x):
    return size(x) + 1

kinds = [np.zeros(3, np.uint8), np.zeros((2, 2), np.int32), np.zeros(5, np.float64)]
order = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else None).permutation(3)
answers = {str(i): int(outer(kinds[i])) for i in order}
report({"outer": outer}, [answers[str(i)] for i in range(3)])
"""


@pytest.mark.long
def test_processes_that_start_cold_at_once_leave_a_sound_cache(programs: Programs) -> None:
    programs.write("main", MANY)
    wanted = [32, 163, 402]
    for process in [programs.start("main") for _ in range(6)]:
        assert programs.end(process)["answers"] == wanted
    after = programs.run("main")
    assert after["answers"] == wanted
    assert (after["hits"], after["misses"]) == ({"outer": 3}, {"outer": 0})
    assert not list(programs.cache.rglob("*.tmp.*"))


@pytest.mark.long
def test_broken_file_is_compiled_again(programs: Programs) -> None:
    programs.write("main", MANY)
    wanted = programs.run("main")["answers"]
    for number, path in enumerate(sorted(programs.cache.rglob("*.nbc"))):
        path.write_bytes(path.read_bytes()[: 100 * (number % 2)])  # cut short, or empty
    assert programs.run("main") == {"answers": wanted, "hits": {"outer": 0}, "misses": {"outer": 3}}
    assert programs.run("main")["hits"] == {"outer": 3}


COUNTED = """
import numpy as np
from gridproof.kernels.compile import borrowing, kernel
from report import report

@borrowing
def first(numbers):
    return numbers[0]

@kernel
def filled(size):
    numbers = np.empty(size, np.int64)
    numbers[:] = size
    return numbers

@kernel
def refused(number):
    if number == 3:
        raise ValueError("three", number)
    return number

def error_of(function, argument):
    try:
        function(argument)
    except ValueError as error:
        return str(error)

answers = [int(first(np.arange(7, 9))), filled(3).tolist(), error_of(filled, -1), error_of(refused, 3)]
report({"first": first, "filled": filled, "refused": refused}, answers)
"""


@pytest.mark.slow
def test_loaded_kernel_makes_arrays_and_raises_errors(programs: Programs) -> None:
    """Nothing is kept of the environments of functions, and counting references begins when it is needed."""
    programs.write("counted", COUNTED)
    cold, warm = programs.run("counted"), programs.run("counted")
    assert cold["answers"] == [7, [3, 3, 3], "negative dimensions not allowed", "('three', 3)"]
    assert warm["answers"] == cold["answers"]
    assert warm["misses"] == {"first": 0, "filled": 0, "refused": 0}


INSTALLED = """
import gridproof as gp
from gridproof.games.null import kernel
from gridproof.kernels.game import packing_of
from report import report

compiled, packing = packing_of(gp.read("@..o", "null")[0])
status = compiled.status(packing.data, packing.pack(packing.level.start()))
report({"status": compiled.status}, [int(status), kernel.__file__, str(compiled.status._cache.cache_path)])
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be made read-only as here")
@pytest.mark.parametrize("home", [True, False], ids=["with a home", "without one"])
def test_read_only_installation_works(programs: Programs, home: bool, tmp_path: Path) -> None:
    site = _install(programs, tmp_path)
    folder = _make_read_only(site / "gridproof" / "games" / "null")
    try:
        surroundings = {
            "PYTHONPATH": str(site),
            "NUMBA_CACHE_DIR": "",
            "XDG_CACHE_HOME": str(tmp_path / "home") if home else "/proc/nowhere",
        }
        ran = [programs.run("main", **surroundings) for _ in range(2)]
    finally:
        _writable(folder)
    for one in ran:
        status, source, cache = one["answers"]
        assert status == 0
        assert source.startswith(str(site))
        assert cache.startswith(str(tmp_path / "home")) if home else cache == "None"
    if home:
        assert (ran[0]["misses"], ran[1]["hits"]) == ({"status": 1}, {"status": 1})


def _install(programs: Programs, folder: Path) -> Path:
    """An installation beside an empty home, and a program that asks it for a kernel."""
    import gridproof

    site = folder / "site"
    shutil.copytree(
        Path(gridproof.__file__).parent, site / "gridproof", ignore=shutil.ignore_patterns("__pycache__")
    )
    programs.write("main", INSTALLED)
    (folder / "home").mkdir()
    return site


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only here a variable names the user's cache folder")
@pytest.mark.parametrize(
    ("named", "home"), [("", True), ("here", True), ("./caches", True), ("", False)], ids=repr
)
def test_relative_cache_folder_is_ignored(
    programs: Programs, named: str, home: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = _install(programs, tmp_path)
    current = tmp_path / "current"
    current.mkdir()
    monkeypatch.chdir(current)
    surroundings = {
        "PYTHONPATH": str(site),
        "NUMBA_CACHE_DIR": "",
        "XDG_CACHE_HOME": named,
        "HOME": str(tmp_path / "home") if home else "nowhere",
    }
    folder = _make_read_only(site / "gridproof" / "games" / "null")
    try:
        status, _, cache = programs.run("main", **surroundings)["answers"]
    finally:
        _writable(folder)
    assert status == 0
    assert not list(current.iterdir())
    if home:
        assert cache.startswith(str(tmp_path / "home" / ".cache" / "numba"))
        assert list(Path(cache).glob("*.nbc"))
    else:
        assert cache == "None"


def _make_read_only(folder: Path) -> Path:
    """Make a folder that nobody can write to; a file in the way stops even the superuser."""
    (folder / "__pycache__").write_text("")
    os.chmod(folder, 0o555)
    return folder


def _writable(folder: Path) -> None:
    os.chmod(folder, 0o755)


def test_kernels_use_the_decorator() -> None:
    """No bare njit: its cache goes stale."""
    source = Path(__file__).parents[2] / "src"
    bare = re.compile(r"\b(njit|jit|jitclass|vectorize|guvectorize|cfunc|stencil)\b")
    found = [path.name for path in source.rglob("*.py") if bare.search(path.read_text())]
    assert found == ["compile.py"]
