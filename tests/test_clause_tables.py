"""Clauses are found in code and tests, and put together in one table."""

from __future__ import annotations

import dataclasses
import textwrap
from pathlib import Path

import pytest
from tests import clauses
from tests.clauses import Proof, clause_table, named_in, places, proofs

import gridproof as gp

NULL = gp.game("null")

CODE = '''
"""A module about N1."""

LIMIT = 3  # N2-N3
"""The limit (N4)."""
TEXT = "N5 is no remark"


class Level:
    """A level, N6."""

    def text(self):
        """Its text."""
        return "N7"  # N8d, not XN9 or n10

    def inner(self):
        def innermost():
            # N11
            return 1

        return innermost  # N12
'''

TESTS = """
import pytest

pytestmark = pytest.mark.clause("N1")


@pytest.mark.clause("N2", "N3")
def test_two():
    pass


@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.clause("N4"))])
def test_four(x):
    pass


@pytest.mark.clause("N5")
class TestFive:
    @pytest.mark.clause("N6")
    def test_six(self):
        pass


def test_none():
    pytest.mark.other("N7")
"""


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("remark", "named"),
    [
        ("K8", ["K8"]),
        ("(K8, K9)", ["K8", "K9"]),
        ("R8d is part of R8", ["R8", "R8"]),
        ("K11-K13", ["K11", "K12", "K13"]),
        ("K3-counts", ["K3"]),
        ("K3-T5", ["K3", "T5"]),
        ("UTF8, SHA256, k8, 8K, X_K8", []),
        ("", []),
    ],
)
def test_named_in(remark: str, named: list[str]) -> None:
    assert list(named_in(remark)) == named


def test_places(tmp_path: Path) -> None:
    file = put(tmp_path / "rules.py", CODE)
    found = [(place.clause, place.name) for place in places(file)]
    assert found == [
        ("N1", ""),
        ("N2", ""),
        ("N3", ""),
        ("N4", ""),
        ("N6", "Level"),
        ("N8", "Level.text"),
        ("N11", "Level.inner.innermost"),
        ("N12", "Level.inner"),
    ]
    assert places(tmp_path) == places(file)


def test_proofs(tmp_path: Path) -> None:
    file = put(tmp_path / "games" / "test_rules.py", TESTS)
    put(tmp_path / "helper.py", TESTS)
    assert proofs(tmp_path) == [
        Proof("N1", file, ""),
        Proof("N2", file, "test_two"),
        Proof("N3", file, "test_two"),
        Proof("N4", file, "test_four"),
        Proof("N5", file, "TestFive"),
        Proof("N6", file, "TestFive"),
    ]


@pytest.mark.parametrize("argument", ["number", 'f"N{1}"', "1", '*["N1"]'])
def test_marks_must_be_written_out(tmp_path: Path, argument: str) -> None:
    put(tmp_path / "test_x.py", f"import pytest\n\n@pytest.mark.clause({argument})\ndef test_x(): ...\n")
    with pytest.raises(
        gp.GridproofError, match=r"test_x.py, line 3: a clause mark must have its number written"
    ):
        proofs(tmp_path)


def test_clause_table_lists_code_and_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "tests" / "test_rules.py", TESTS)
    source = put(tmp_path / "package" / "rules.py", CODE)
    put(tmp_path / "package" / "__init__.py", '"""N6 is here too."""\n')
    monkeypatch.setattr(clauses, "_sources", lambda game: [source.parent])
    game = dataclasses.replace(NULL, clauses={"N2": "a|b", "N6": "six", "N13": "later"})
    assert clause_table(game, tmp_path) == (
        "| clause | meaning | where | tests |\n"
        "| --- | --- | --- | --- |\n"
        "| N2 | a\\|b | `rules` | `test_rules: test_two` |\n"
        "| N6 | six | <details><summary>2 places</summary>`package`<br>`rules: Level`</details> |"
        " `test_rules: TestFive` |\n"
        "| N13 | later |  |  |\n"
    )


def test_code_places_are_found_in_the_package_of_the_game() -> None:
    found = {place.path.name for place in clauses.code_places(NULL)}
    assert "rules.py" in found
    lights = clauses.code_places(gp.game("lights_out"))
    assert {place.name for place in lights} >= {"Level.presses", "Position.won"}
