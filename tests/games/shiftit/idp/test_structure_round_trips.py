"""Structures that are written and read back, and readers that are given anything."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import levels, runs, structure_of_run

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.games.shiftit import Level
from gridproof.games.shiftit.elements import Call, Real
from gridproof.games.shiftit.idp import format as idp_format
from gridproof.games.shiftit.idp.conversion import horizon_of, level_of, structure_of
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import Table
from gridproof.games.shiftit.runs import Run


@given(levels())
def test_level_reads_back_from_its_structure(board: Level) -> None:
    found = structure_of(board, horizon=3)
    assert read_structures(found.text()) == [found]
    assert level_of(found) == board
    assert horizon_of(found) == 3
    assert gp.read(gp.write(board, format="structure")) == [board]


@pytest.mark.slow
@given(runs(most=2, horizon=2))
def test_run_reads_back_from_its_structure(run: Run) -> None:
    found = structure_of_run(run)
    (again,) = read_structures(found.text())
    assert again == found
    assert pickle.loads(pickle.dumps(again)) == again


ATOMS = st.one_of(
    st.integers(-(10**20), 10**20),
    st.text(st.characters(exclude_characters='"\0\r', codec="utf-8"), max_size=6),
    st.sampled_from(["up", "true", "a_b'", "structure", "--", "//", "/*"]),
    st.decimals(-100, 100, places=2).map(lambda number: Real(f"{number:.2f}1".replace("-0.001", "0.001"))),
)


ELEMENTS = st.recursive(
    ATOMS,
    lambda inner: st.builds(
        Call, st.sampled_from(["P", "f", "up", "a_1"]), st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=4,
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(0, 3))
    every = draw(st.lists(st.tuples(*[ELEMENTS] * width), unique=True, max_size=5))
    function = draw(st.booleans()) and width > 0
    if function:
        every = list({row[:-1]: row for row in every}.values())
    truths = draw(
        st.sampled_from([("",), ("ct",), ("cf",), ("u",), ("ct", "cf"), ("cf", "u"), ("ct", "cf", "u")])
    )
    parts = {truth: frozenset(every[place :: len(truths)]) for place, truth in enumerate(truths)}
    # of an empty table nobody can tell whether it is a function's
    return Table(parts, function and bool(every))


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(["F[int]", "G'[]", "ns::H[Tile:int]", "K[Time,Tile:Pos]", "_M[:Tile]"]),
        tables(),
        max_size=3,
    )
)
def test_tables_of_added_symbols_read_back(given_tables: dict[str, Table]) -> None:
    found = Structure(given_tables, using=("using vocabulary V",), title="any")
    (again,) = read_structures(found.text())
    assert again == found
    assert again.text() == found.text()


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "structure S : V {", "}", "{", " Time", " Tile", "=", " a", " 1", "->", ";", ",", "..", "(", ")", '"', "'x'",
            "P(0,0)", "<ct>", "<u>", "::", "[", "]", "-", "//", "/*", "*/", " Init_GetPos = {", " true", "\n", "using vocabulary",
        ]
    ),
    max_size=25,
)  # fmt: skip


@given(FRAGMENTS.map("".join), st.booleans())
def test_readers_raise_nothing_but_errors_of_their_own(text: str, headed: bool) -> None:
    text = f"structure S : V {{ {text} }}" if headed else text
    with contextlib.suppress(GridproofError):
        idp_format.read(text)


@pytest.mark.slow
@given(levels(most=2), st.data())
def test_damaged_file_is_refused_or_read(board: Level, data: st.DataObject) -> None:
    whole = gp.write(board, format="structure")
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = (
        whole[:at] + data.draw(st.sampled_from(["", "x", "\n", "{", '"', " ", "0", "("])) + whole[at + 1 :]
    )
    with contextlib.suppress(GridproofError):
        idp_format.read(damaged)
