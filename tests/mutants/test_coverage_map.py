"""Which tests are asked of a mutant first: those that coverage has seen on its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from coverage import CoverageData
from tests.mutants.coverage_map import Reached, lines_changed

MODULE = "def f(a):\n    if (\n        a > 1\n    ):\n        return a\n    return [\n        1,\n    ]\n"


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [("a > 1", "a >= 1", range(2, 5)), ("return a", "return b", range(5, 6)), ("1,", "2,", range(6, 9))],
)
def test_lines_changed_are_those_of_the_statement(old: str, new: str, lines: range) -> None:
    assert lines_changed(MODULE, MODULE.replace(old, new)) == lines


def test_tests_of_its_own_folder_come_first_and_not_all_are_asked(tmp_path: Path) -> None:
    path = "src/gridproof/core/rng.py"
    data = CoverageData(str(tmp_path / ".coverage"))
    many = [f"tests/core/test_trace.py::test_{i}" for i in range(200)]
    for test in ["tests/cli/test_a.py::test_x[a|b]", *many, "tests/core/test_rng.py::test_one"]:
        data.set_context(f"{test}|run")
        data.add_lines({str(tmp_path / path): [5]})
    data.set_context("")
    data.add_lines({str(tmp_path / path): [1]})
    data.write()
    reached = Reached(tmp_path / ".coverage")
    asked, files = reached.tests(path, MODULE, MODULE.replace("return a", "return b"))
    assert asked[0] == "tests/core/test_rng.py::test_one"
    assert asked[-1] == "tests/cli/test_a.py::test_x[a|b]"
    assert len(asked) == 81
    assert files == ["tests/cli/test_a.py", "tests/core/test_rng.py", "tests/core/test_trace.py"]
    assert reached.tests(path, MODULE, MODULE.replace("def f", "def g")) == ([], [])
    assert reached.tests("src/gridproof/core/text/pack.py", MODULE, MODULE.replace("a > 1", "a < 1")) == (
        [],
        [],
    )
