"""Tests of tables of results: they grow row by row, and are continued where they end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.errors import GridproofError
from gridproof.store.parquet import Row
from gridproof.store.result_file import ResultFile, open_result_file

COLUMNS = {"name": str, "cost": int, "seconds": float, "sure": bool}
ROWS: list[Row] = [
    {"name": 'a, "b"', "cost": 3, "seconds": 0.5, "sure": True},
    {"name": None, "cost": None, "seconds": None, "sure": None},
    {"name": "ü;'\\", "cost": -1, "seconds": 2.0, "sure": False},
]


@pytest.fixture(params=["jsonl", "csv", "parquet"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    return tmp_path / f"table.{request.param}"


def table(path: Path, **options: Any) -> ResultFile:
    return open_result_file(path, COLUMNS, **options)


def test_result_file_keeps_rows_of_earlier_runs(path: Path) -> None:
    with table(path) as first:
        assert first.rows == []
        first.add(ROWS[0])
        first.add(ROWS[1])
    with table(path) as second:
        assert second.rows == ROWS[:2]
        second.add(ROWS[2])
    with table(path) as third:
        assert third.rows == ROWS
    with table(path, empty=True) as fourth:
        assert fourth.rows == []


def test_result_file_has_first_row_at_once(path: Path) -> None:
    first = table(path)
    first._due = 0.0  # type: ignore[attr-defined]  # of Parquet, which else waits
    first.add(ROWS[0])
    with table(path) as second:
        assert second.rows == ROWS[:1]


def test_result_file_writes_texts_as_one_line(path: Path) -> None:
    with table(path) as first:
        first.add(ROWS[0] | {"name": "two\r\nlines\x85more"})
        first.add(ROWS[0] | {"name": ""})
    with table(path) as second:
        assert [row["name"] for row in second.rows] == ["two lines more", None]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.parametrize("cut", [1, 4, 20])
def test_result_file_repairs_torn_last_line(tmp_path: Path, ending: str, cut: int) -> None:
    path = tmp_path / f"table.{ending}"
    with table(path) as whole:
        for row in ROWS:
            whole.add(row)
    text = path.read_text()
    path.write_text(text[:-cut])
    with table(path) as repaired:
        assert repaired.rows == (ROWS[:2] if cut < 20 or ending == "jsonl" else repaired.rows)
        for row in ROWS[len(repaired.rows) :]:
            repaired.add(row)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", "{}\n", "line 1: no table of these results: other columns"),
        ("a.jsonl", "[]\n", "line 1: no table of these results: other columns"),
        ("a.jsonl", "{\n{}\n", "line 1: no table of these results: no JSON"),
        (
            "a.jsonl",
            '{"name": 1, "cost": 1, "seconds": 1, "sure": true}\n',
            "line 1: no table of these results: the value of name",
        ),
        ("a.csv", "name,cost\n", "line 1: no table of these results: other columns"),
        ("a.csv", "name,cost,seconds,sure\na,1,1\n", "line 2: no table of these results: other columns"),
        (
            "a.csv",
            "name,cost,seconds,sure\na,1,1,yes\n",
            "line 2: no table of these results: the value of sure",
        ),
        (
            "a.csv",
            "name,cost,seconds,sure\na,x,1,true\n",
            "line 2: no table of these results: the value of cost",
        ),
        ("a.parquet", "no Parquet", "no table of these results"),
        ("a.json", "", "tables of results end in .jsonl, .csv, .parquet"),
    ],
)
def test_result_file_refuses_other_content(tmp_path: Path, name: str, text: str, message: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    (path := tmp_path / name).write_text(text)
    with pytest.raises(GridproofError, match=message):
        table(path)
    assert path.read_text() == text


def test_result_file_says_that_pyarrow_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(GridproofError, match=r"Parquet needs pyarrow: pip install 'gridproof\[parquet\]'"):
        table(tmp_path / "a.parquet")


def test_result_file_reports_full_disk(tmp_path: Path) -> None:
    with pytest.raises(GridproofError, match=r"missing/a.csv"):
        table(tmp_path / "missing" / "a.csv")


@pytest.mark.slow
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "name": st.none() | st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1),
                "cost": st.none() | st.integers(-(2**63), 2**63 - 1),
                "seconds": st.none() | st.floats(allow_nan=False, allow_infinity=False),
                "sure": st.none() | st.booleans(),
            }
        )
    )
)
def test_result_file_reads_what_it_writes(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    folder = tmp_path_factory.mktemp("tables")
    for ending in ("jsonl", "csv"):
        with table(folder / f"a.{ending}") as first:
            for row in rows:
                first.add(row)
        with table(folder / f"a.{ending}") as second:
            assert second.rows == rows
