"""Texts to levels and back: recognised by content, refused with reasons."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import lines_run, stopped_if_it_hangs

import gridproof as gp
from gridproof.core.game import Format, Game
from gridproof.core.position import Outcome
from gridproof.core.text import files, recognition
from gridproof.core.text.pack import Pack
from gridproof.games.null import Level
from gridproof.games.null import Position as Place

NULL = gp.game("null")
LIGHTS = "lights: A pair\nOO\n"


@given(st.integers(2, 30), st.integers(0, 29), st.integers(0, 29), st.text("abc äö", max_size=9))
def test_levels_round_trip(width: int, walker: int, flag: int, title: str) -> None:
    try:
        level = Level(width, walker, flag, title=title.strip())
    except gp.InvalidLevel:
        return
    for text in (level.text(), gp.write(level), level.text().replace("\n", "\r\n")):
        (again,) = gp.read(text, "null")
        assert (again, again.title) == (level, level.title)


@given(st.text(alphabet="@o*. \n\r\0titleO:lghs#$\ufeff", max_size=60))
def test_read_returns_levels_or_gridproof_error(text: str) -> None:
    for game in (None, "null", "lights_out"):
        try:
            assert gp.read(text, game)
        except gp.GridproofError:
            continue


# -- recognising


def test_game_is_recognised() -> None:
    pack = gp.read(LIGHTS)
    assert (pack.game.name, pack[0].title) == ("lights_out", "A pair")


def test_game_can_be_named_or_given() -> None:
    assert gp.read(LIGHTS, "lights_out") == gp.read(LIGHTS, gp.game("lights_out")) == gp.read(LIGHTS)
    with pytest.raises(gp.GridproofError, match="no game 'chess'"):
        gp.read(LIGHTS, "chess")


def test_text_of_no_format_is_refused() -> None:
    with pytest.raises(gp.ParseError, match="the format is not recognised") as caught:
        gp.read("Dear Sir or Madam,\n")
    assert caught.value.line == 1
    assert caught.value.expected.startswith("a level of Lights out, ")


def test_error_of_named_game_explains_fault() -> None:
    with pytest.raises(gp.ParseError, match=r"line 1, column 1: 'x' in a row \(expected one of . @ o \*\)"):
        gp.read("x@o\n", "null")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "repeated", "after"),
    [
        ("", "\n", "x"),
        ("", "\t", "x"),
        ("", ";\n", "x"),
        ("", "#\n", ""),
        ("", "#\nx\n", ""),
        ("@x\n", "#.\n", ""),
        ("", "#", "x"),
        ("", "a:\n", "x"),
        ("", "a ", "x"),
        ("", "1 ", "x"),
        ("names:\n", "\n", "x"),
        ("", "names:\n;\n", "x"),
    ],
)
def test_long_text_of_no_format_is_refused_at_once(before: str, repeated: str, after: str) -> None:
    """Texts are recognised by patterns, not line by line, and in linear time."""

    def read(count: int) -> None:
        with pytest.raises(gp.ParseError, match="the format is not recognised"):
            gp.read(before + repeated * count + after)

    read(100)
    assert lines_run(lambda: read(1000)) == lines_run(lambda: read(100))
    with stopped_if_it_hangs():
        read((1 << 20) // len(repeated))


def test_text_of_several_formats_is_refused(register: Callable[[Game], None]) -> None:
    register(dataclasses.replace(gp.game("lights_out"), name="twins"))
    with pytest.raises(
        gp.ParseError, match=r"several formats: lights_out \(lights\), twins \(lights\); give"
    ) as refused:
        gp.read(LIGHTS)
    assert refused.value.line == 1
    assert gp.read(LIGHTS, "twins")


def test_ambiguous_text_is_of_first_format_of_named_game(register: Callable[[Game], None]) -> None:
    loud = Format("loud", (".loud",), "a format that takes all", lambda text: True, lambda text: Pack())
    register(dataclasses.replace(NULL, formats=(*NULL.formats, loud)))
    assert gp.read(".@o\n", "null") == [Level(3, 1, 2)]
    with pytest.raises(gp.ParseError, match="no level in this text"):
        gp.read("all but null\n", "null")


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "\ufeff"])
def test_empty_texts_are_refused(text: str) -> None:
    for read in (gp.read, gp.position):
        with pytest.raises(gp.ParseError, match="it is empty"):
            read(text)


# -- files


def test_read_files(tmp_path: Path) -> None:
    path = tmp_path / "pair.txt"
    path.write_bytes(b"\xef\xbb\xbf" + LIGHTS.replace("\n", "\r\n").encode())
    assert gp.read(path) == gp.read(LIGHTS)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"lights:\nOX\n", "broken.txt: line 2, column 2: 'X' in a row"),
        (b"lights:\n..\n", "broken.txt: level at line 1: L1-dark: no lamp is lit"),
        (b"lights:\nO\0\n", "broken.txt: line 2, column 2: a NUL character"),
        (b"", "broken.txt: line 1: no level in this text: it is empty"),
        (b"O" * (files.LARGEST + 1), "broken.txt: the text is larger than 16 MiB"),
    ],
)
def test_read_errors_name_the_file(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_bytes(data)
    with pytest.raises(gp.GridproofError) as caught:
        gp.read(path)
    assert message in str(caught.value)


@pytest.mark.slow
def test_read_refuses_one_enormous_line() -> None:
    with pytest.raises(gp.InvalidLevel, match="L1-size"):
        gp.read("lights:\n" + "O" * 1_000_000 + "\n")
    with pytest.raises(gp.ParseError, match="larger than 16 MiB"):
        gp.read("O" * (files.LARGEST + 1))


# -- positions


def test_read_position() -> None:
    assert gp.position(".@o\n", "null") == Level(3, 1, 2).start()
    assert gp.position(LIGHTS).level == gp.read(LIGHTS)[0]


def test_position_refuses_text_with_several_levels() -> None:
    with pytest.raises(gp.ParseError, match="one position is needed, the text has 2 levels"):
        gp.position(".@o\n\n@.o\n", "null")


def test_position_of_a_level_that_starts_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Outcome(Place(Level(3, 1, 2), 1), Fraction(1, 2))
    monkeypatch.setattr(Level, "starts", lambda level: iter([start, start]))
    with pytest.raises(gp.ParseError, match="the level starts by chance"):
        gp.position(".@o\n", "null")


def test_position_as_the_game_reads_it(register: Callable[[Game], None]) -> None:
    found = Place(Level(4, 1, 3), 2)
    own = dataclasses.replace(NULL.own_format, read_midgame=lambda text: found)
    register(dataclasses.replace(NULL, formats=(own,)))
    assert recognition.position("..@o\n", "null") is found


# -- writing


def test_write_round_trips(tmp_path: Path) -> None:
    pack = gp.read(LIGHTS)
    assert gp.write(pack) == gp.write(pack[0]) == gp.write(iter(pack)) == LIGHTS
    assert gp.write(pack, tmp_path / "a.lights") == LIGHTS
    assert gp.write(pack, str(tmp_path / "b.unknown")) == LIGHTS
    assert (tmp_path / "a.lights").read_text() == (tmp_path / "b.unknown").read_text() == LIGHTS


def test_write_takes_format_of_file_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Format("short", (".short", ".s"), "a width", lambda text: False, NULL.formats[0].read, _short)
    monkeypatch.setitem(NULL.__dict__, "formats", (*NULL.formats, short))
    level = Level(3, 1, 2)
    assert gp.write(level, tmp_path / "a.S") == "3\n"
    assert gp.write(level, tmp_path / "a.null") == ".@o\n"
    assert gp.write(level, tmp_path / "a.null", format="short") == "3\n"
    assert gp.write(level, format="short") == "3\n"


@pytest.mark.parametrize("name", ["sokoban/first-steps/1", "shiftit/boards/1"])
def test_write_refuses_unknown_file_extension_of_several_formats(name: str, tmp_path: Path) -> None:
    level, path = gp.level(name), tmp_path / "out.foo"
    with pytest.raises(gp.GridproofError, match=r"has no format for \.foo; choose from .*by format=") as told:
        gp.write(level, path)
    assert str(told.value).startswith(f"{path}: ")
    assert not path.exists()
    own = level.game.own_format.name
    assert gp.write(level, path, own) == gp.write(level, tmp_path / "out") == gp.write(level)


def _short(pack: Pack) -> str:
    return "".join(f"{len(level.text()) - 1}\n" for level in pack)


def test_write_fails_for_unknown_format_and_mixed_levels(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="levels of one game are needed, not of none"):
        gp.write([])
    with pytest.raises(gp.GridproofError, match="not of lights_out, null"):
        gp.write([Level(3, 1, 2), *gp.read(LIGHTS)])
    with pytest.raises(gp.GridproofError, match="no format 'svg'"):
        gp.write(Level(3, 1, 2), format="svg")
    with pytest.raises(gp.GridproofError, match="No such file"):
        gp.write(Level(3, 1, 2), tmp_path / "nowhere" / "a.null")


@pytest.mark.parametrize("game", [None, "sokoban"])
@pytest.mark.parametrize("name", ["nosuch.xsb", "folder/two.xsb"])
def test_read_of_file_name_asks_for_a_path(name: str, game: str | None) -> None:
    with pytest.raises(gp.ParseError, match=rf"{name}: .*to read a file, give Path\('{name}'\)"):
        gp.read(name, game)


@pytest.mark.parametrize("source", [None, 5, b"abc", ["#"]])
def test_read_refuses_other_types(source: Any) -> None:
    for reader in (gp.read, gp.position):
        with pytest.raises(
            gp.GridproofError, match=r"^a text \(str\) is needed, not " + type(source).__name__
        ):
            reader(source)


@pytest.mark.parametrize("levels", [None, 5, "x", [LIGHTS]])
def test_write_refuses_other_types(levels: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a level or several are needed, not "):
        gp.write(levels)
