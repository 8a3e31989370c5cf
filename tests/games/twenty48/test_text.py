"""The text format of 2048: read, written, and refused when it is broken."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import lines_run

import gridproof as gp
from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Trace
from gridproof.games.twenty48 import Level, Position, text

HEADER = "2048 4x4 spawn=spec target=2048\n"
GRID = "2 0 0 2\n0 4 0 0\n0 0 0 0\n0 0 0 0\n"
ROWS = ((2, 0, 0, 2), (0, 4, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))

words = st.text(st.characters(codec="utf-8"), max_size=12)
sizes = st.integers(2, 6)
tiles = st.sampled_from([0, 0, 2, 4, 8, 2048, 2**255])


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """Any level, also with a wild title."""
    width, height = draw(sizes), draw(sizes)
    row = st.lists(tiles, min_size=width, max_size=width)
    rows = st.lists(row, min_size=height, max_size=height).filter(
        lambda rows: sum(sum(map(bool, r)) for r in rows) > 1
    )
    return Level(
        width,
        height,
        draw(st.sampled_from(["spec", "classic"])),
        2 ** draw(st.integers(3, 255)),
        draw(st.none() | rows),
        title=draw(words),
        author=draw(words),
        keys=draw(st.dictionaries(words, words, max_size=2)),
    )


# -- read


@pytest.mark.clause("T1")
@pytest.mark.parametrize(
    "source",
    [
        HEADER + GRID,
        GRID,
        "2048 4x4\n" + GRID,
        "2048  4x4\ttarget=2048 spawn=spec \n" + GRID.replace("0", "."),
        "\ufeff; a remark\n\n\n" + (HEADER + GRID).replace("\n", "\r\n") + "; another\n\n; the end",
        HEADER + "title: A title\nauthor:Somebody\n; remark\n  2\t0 0 2\n0 4 0 0\n0 0 0 0\n0 0 0 0",
        HEADER + "02 00 . 2\n0 4 0 0\n0 0 0 0\n0 0 0 0",
    ],
)
def test_level_has_several_spellings(source: str) -> None:
    assert gp.read(source) == [Level(board=ROWS)]


def test_header_alone_starts_by_chance() -> None:
    (level,) = gp.read("2048 3x5 spawn=classic target=64\ntitle: Tall\n")
    assert level == Level(3, 5, "classic", 64)
    assert level.title == "Tall"


def test_pack_reads_several_levels_with_their_keys() -> None:
    pack = gp.read(
        "; about the pack\n; and more\n\n"
        + HEADER
        + "title: One: two\nauthor: A\nDifficulty: 3\n"
        + GRID
        + "\n\n"
        + GRID
    )
    assert pack.notes == ("about the pack", "and more")
    assert pack == [Level(board=ROWS)] * 2
    assert (pack[0].title, pack[0].author, pack[0].keys) == ("One: two", "A", {"Difficulty": "3"})
    again = gp.read(pack.text())
    assert again == pack
    assert again.text() == pack.text()
    assert again.notes == pack.notes


def test_row_that_begins_with_2048_is_no_header() -> None:
    (level,) = gp.read("2048 2\n4 8\n")
    assert level == Level(2, 2, board=[[2048, 2], [4, 8]])


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        (HEADER, True),
        ("2048", True),
        ("2048 large", True),
        ("; remark\n\n" + GRID, True),
        (". .\n2 2", True),
        ("2 0\n2 0 0", True),
        (". . .\n. . .", False),
        ("2\n2", False),
        ("2 2", False),
        ("", False),
        ("; 2 2", False),
        ("####\n#@$#\n", False),
        ("20480 4x4", False),
        ("2 0 x\n2 0 0", False),
    ],
)
def test_recognised_by_content(source: str, meant: bool) -> None:
    assert bool(text.recognises(source)) is meant


# -- refused

BROKEN = [
    ("", "no level in this text: it is empty", 1, 0, "a level"),
    (" \n\t\n", "no level in this text: it is empty", 1, 0, "a level"),
    ("; only a remark\n", "no level in this text", 1, 0, "a level"),
    (HEADER + "2 0\0 0 2\n", "a NUL character", 2, 4, ""),
    ("2048", "the size is not understood", 1, 0, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 spawn=spec", "the size is not understood", 1, 6, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 4x\n" + GRID, "the size is not understood", 1, 6, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 4X4\n" + GRID, "the size is not understood", 1, 6, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 -4x4\n" + GRID, "the size is not understood", 1, 6, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 4x" + "4" * 5000, "the size is not understood", 1, 6, "WIDTHxHEIGHT, such as 4x4"),
    ("2048 4x4 spawn=fast\n", "no spawn rule 'fast'", 1, 10, "spec or classic"),
    ("2048 4x4 spawn\n", "no spawn rule ''", 1, 10, "spec or classic"),
    ("2048 4x4 spawn=spec spawn=spec\n", "spawn= stands twice", 1, 21, ""),
    ("2048 4x4 target=\n", "'' is no target", 1, 10, "a power of two, such as 2048"),
    ("2048 4x4 target=.\n", "'.' is no target", 1, 10, "a power of two, such as 2048"),
    ("2048 4x4 target=-8\n", "'-8' is no target", 1, 10, "a power of two, such as 2048"),
    ("2048 4x4 target=" + "9" * 5000, "'99999999999999999999...' is no target", 1, 10, "a power of two, such as 2048"),
    ("2048 4x4 colour=red\n", "'colour' in the header", 1, 10, "spawn= or target="),
    (HEADER + GRID.replace("4", "x"), "'x' in a row", 3, 3, "a number or ."),
    (HEADER + GRID.replace("4", "-4"), "'-4' in a row", 3, 3, "a number or ."),
    (HEADER + GRID.replace("4", "4.0"), "'4.0' in a row", 3, 3, "a number or ."),
    (HEADER + GRID.replace("4", "1e999"), "'1e999' in a row", 3, 3, "a number or ."),
    (HEADER + GRID.replace("4", "٤"), "'٤' in a row", 3, 3, "a number or ."),
    (HEADER + GRID.replace("4", "1" + "0" * 5000), "'10000000000000000000...' in a row", 3, 3, "a number or ."),
    (HEADER + "2 0 0\n", "3 cells in a row", 2, 6, "4"),
    (HEADER + "2 0 0 2 0\n", "more than 4 cells in a row", 2, 9, "the end of the line"),
    (HEADER + "2 0 0 2\n", "the board has 1 of 4 rows", 2, 0, "4 rows"),
    (HEADER + GRID + "0 0 0 0\n", "more than 4 rows", 6, 0, "a blank line after the board"),
    (HEADER + GRID + "title: late\n", "more than 4 rows", 6, 0, "a blank line after the board"),
    (HEADER + "2 0 0 2\ntitle: late\n", "'title:' in a row", 3, 1, "a number or ."),
    ("2 0\n2 0 0\n", "more than 2 cells in a row", 2, 5, "the end of the line"),
    ("2 0 0\n2 0\n", "2 cells in a row", 2, 4, "3"),
    (HEADER + GRID + "\n2048 4x4\n2 2 2\n", "3 cells in a row", 8, 6, "4"),
    ("2 2\n" * 200, "more than 99 rows", 100, 0, "a blank line after the board"),
    ("2 2\n" + "2 " * 100_000, "more than 2 cells in a row", 2, 5, "the end of the line"),
    ("2 " * 100_000 + "\n2 2", "more than 99 cells in a row", 1, 199, "the end of the line"),
    (HEADER + "9" * 100_000, "'99999999999999999999...' in a row", 2, 1, "a number or ."),
]  # fmt: skip
UNSOUND = [
    ("2048 1x4\n", 1, [("T1-size", None)]),
    ("2048 7x7\n", 1, [("T1-size", None)]),
    ("2048 4", 1, [("T1-size", None)]),
    ("2048 4x4 target=100\n", 1, [("T1-target", None)]),
    ("2048 4x4 target=4\n", 1, [("T1-target", None)]),
    ("\n2048 9x9 target=0\n", 2, [("T1-size", None), ("T1-target", None)]),
    ("2 2 2 2 2 2 2\n2 2 2 2 2 2 2\n", 1, [("T1-size", None)]),
    (HEADER + GRID.replace("4", "3"), 1, [("T12-value", (1, 1))]),
    (HEADER + GRID.replace("2", "1"), 1, [("T12-value", (0, 0)), ("T12-value", (0, 3)), ("T3-two-tiles", None)]),
    ("2 0\n0 0\n", 1, [("T3-two-tiles", None)]),
    (HEADER + GRID + "\n" + GRID.replace("4", "6"), 7, [("T12-value", (1, 1))]),
    ("2 2\n0 " + str(2**256), 1, [("T1-large", (1, 1))]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "reason", "line", "column", "expected"), BROKEN, ids=range(len(BROKEN)))
def test_broken_texts(source: str, reason: str, line: int, column: int, expected: str) -> None:
    def read_error() -> ParseError:
        with pytest.raises(ParseError) as caught:
            gp.read(source, "twenty48")
        return caught.value

    error = read_error()
    assert (error.reason, error.line, error.column, error.expected) == (reason, line, column, expected)
    assert len(str(error)) < 200
    assert lines_run(read_error) < 10_000  # long texts are not read to their end


@pytest.mark.clause("T1", "T3", "T12")
@pytest.mark.parametrize(("source", "line", "problems"), UNSOUND, ids=range(len(UNSOUND)))
def test_texts_of_no_sound_level(source: str, line: int, problems: list[tuple[str, object]]) -> None:
    with pytest.raises(InvalidLevel) as caught:
        gp.read(source, "twenty48")
    assert caught.value.line == line
    assert [(problem.code, problem.where) for problem in caught.value.problems] == problems


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.2048"
    path.write_text(HEADER + "2 0 0 x\n")
    with pytest.raises(
        ParseError, match=r"broken\.2048: line 2, column 7: 'x' in a row \(expected a number or \.\)"
    ):
        gp.read(path)


@given(st.text(alphabet="2048x .\n;:=-spawntrge1\0é"))
def test_readers_raise_nothing_else(source: str) -> None:
    level = Level()
    for reader in (
        lambda: gp.read(source, "twenty48"),
        lambda: text.read(source),
        lambda: level.position(source),
    ):
        with contextlib.suppress(GridproofError):
            reader()
    text.recognises(source)


@given(levels(), st.data())
def test_readers_raise_nothing_else_for_damaged_texts(level: Level, data: st.DataObject) -> None:
    whole = level.text()
    first, last = sorted(data.draw(st.tuples(st.integers(0, len(whole)), st.integers(0, len(whole)))))
    damaged = whole[:first] + data.draw(words) + whole[last:]
    with contextlib.suppress(GridproofError):
        gp.read(damaged, "twenty48")
    with contextlib.suppress(GridproofError):
        level.position(damaged)


# -- written


@given(levels())
def test_levels_round_trip(level: Level) -> None:
    source = level.text()
    assert text.recognises(source)
    assert gp.read(source) == [level]
    assert gp.read(source)[0].text() == source
    assert source.endswith("\n")


@pytest.mark.slow
@given(st.lists(levels(), min_size=1, max_size=3))
def test_packs_round_trip(several: list[Level]) -> None:
    assert gp.read(gp.write(several)) == several
    assert gp.read(gp.write(several)).text() == Pack(several).text()


def test_canonical_text_of_levels_and_positions() -> None:
    position = Level(3, 2, "classic", 64, [[2, 0, 16], [0, 0, 4]], title="not here").start()
    assert position.text() == "2048 3x2 spawn=classic target=64\n2 0 16\n0 0 4\n"
    assert position.level.text() == "2048 3x2 spawn=classic target=64\ntitle: not here\n2 0 16\n0 0 4\n"
    assert Level().text() == HEADER


def test_titles_are_written_on_one_line() -> None:
    level = Level(
        title=" two\nlines\0 ", author="\n", keys={"a:b": "lost", "1": "lost", "Kept": "so", "empty": ""}
    )
    assert level.text() == HEADER + "title: two lines\nKept: so\nempty:\n"


# -- positions


@given(levels(), st.integers(0, 2**64 - 1), st.lists(st.integers(0, 3), max_size=12))
def test_positions_round_trip(level: Level, seed: int, choices: list[int]) -> None:
    position = level.start(seed)
    for number, choice in enumerate(choices):
        if actions := position.actions():
            position = position.step(actions[choice % len(actions)], gp.Rng(seed, number)).position
    assert level.position(position.text()) == position
    assert level.position(position.text().split("\n", 1)[1]) == position


def test_position_begins_a_level_of_its_own() -> None:
    position = gp.position(HEADER + GRID)
    assert isinstance(position, Position)
    assert position.rows == ROWS
    assert Trace.from_json(Trace(position).to_json()) == Trace(position)
    with pytest.raises(ParseError, match="starts by chance"):
        gp.position(HEADER)


@pytest.mark.parametrize(
    ("source", "reason", "line"),
    [
        ("", "one position is needed, the text has 0 levels", 1),
        (GRID + "\n" + GRID, "one position is needed, the text has 2 levels", 1),
        (HEADER, "the text has no board", 1),
        ("\n; remark\n2048 4x4 spawn=classic\n" + GRID, "the board is of another level", 3),
        ("2048 4x4 target=8\n" + GRID, "the board is of another level", 1),
        ("2048 2x2\n2 2\n2 2\n", "the board is of another level", 1),
        ("2 2 0 x\n", "'x' in a row", 1),
    ],
)
def test_texts_of_no_position(source: str, reason: str, line: int) -> None:
    with pytest.raises(ParseError) as caught:
        Level().position(source)
    assert (caught.value.reason, caught.value.line) == (reason, line)


@pytest.mark.parametrize(
    ("source", "codes"),
    [("2 2\n2 2\n", ["T12-size"]), (GRID.replace("2", "5"), ["T12-value"] * 2 + ["T3-two-tiles"])],
)
def test_boards_of_no_position(source: str, codes: list[str]) -> None:
    with pytest.raises(InvalidLevel) as caught:
        Level().position(source)
    assert [problem.code for problem in caught.value.problems] == codes


def test_positions_may_outgrow_what_a_level_may_start_with() -> None:
    level = Level(2, 2, board=[[2**255, 2**255], [0, 0]])
    position = level.start().outcomes(level.start().action("left"))[0].position
    assert 2**256 in position.cells
    assert level.position(position.text()) == position


@pytest.mark.parametrize("line", ["a:\n", ";\n"])
def test_recognises_looks_at_the_first_lines_alone(line: str) -> None:
    def work(count: int) -> int:
        return lines_run(lambda: text.recognises(line * count))

    assert not text.recognises(line * 1_000_000)
    assert work(10) == work(10_000)
