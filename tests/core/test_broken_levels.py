"""Texts with broken levels: the error lists all of them, and the other levels can be used."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core.errors import ParseError
from gridproof.core.game import Claim, Format, Game
from gridproof.games.null import Level

GOOD, BAD = ".@o\n", "*.\n"
TEXTS = {  # of three levels, the second of which is broken
    "null": f"{GOOD}\n{BAD}\n{GOOD}",
    "sokoban": "#####\n#@$.#\n#####\n\n####\n#@$#\n####\n\n#####\n#@$.#\n#####\n",
    "slc": "<SokobanLevels><LevelCollection>"
    "<Level><L>@$.</L></Level>\n<Level><L>@$</L></Level>\n<Level><L>@$.</L></Level>"
    "</LevelCollection></SokobanLevels>",
    "twenty48": "2048 2x2\n2 0\n0 2\n\n2048 2x2\n2 0\n0 3\n\n2048 2x2\n2 0\n0 2\n",
    "robots": "\n".join(
        f"robots 2x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A\n{row}\n"
        for row in ("b B", "b .", "b B")
    ),
    "shiftit": "shiftit 2x1\nr r\n\nshiftit 99999x1\nr r r\nr*\n\nshiftit 2x1\nr r\n",
    "structure": "\n".join(
        "structure S : ShiftItVoc { XCo = {0; 1} YCo = {0} Tile = {a; b} Colour = {r} IsLocked = {} "
        f"Init_GetPos = {{{places}}} Init_Colouring_Full = {{a->r; b->r}} Init_Colouring = {{}} }}"
        for places in ("a->P(0,0); b->P(1,0)", "a->P(0,0); b->P(0,0)", "a->P(0,0); b->P(1,0)")
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_valid_levels_can_be_used_beside_broken_ones(name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    game = "null" if name == "null" else None
    with pytest.raises(gp.InvalidLevel, match=r"^level 2 at line ") as caught:
        gp.read(text, game)
    pack = gp.read(text, game, lenient=True)
    assert pack.numbers == (1, 3)
    assert pack[0] == pack[1] == pack.find_level(3)
    (error,) = pack.broken.values()
    assert error.description in str(caught.value)
    assert isinstance(error, gp.InvalidLevel)
    told = [dataclasses.replace(one, message=f"level 2: {one.message}") for one in error.problems]
    assert list(caught.value.problems) == told
    path = tmp_path / "three"
    path.write_text(text)
    assert gp.levels_at(f"{path}#3", game) == [pack[1]]
    with pytest.raises(gp.InvalidLevel, match=r"three: level 2 at line [0-9]+: \w+"):
        gp.levels_at(f"{path}#2", game)
    with pytest.raises(gp.GridproofError, match="from 1 to 3"):
        gp.levels_at(f"{path}#4", game)
    with pytest.raises(gp.InvalidLevel, match="three: level 2 at line "):
        gp.levels_at(str(path), game)
    assert gp.levels_at(str(path), game, lenient=True).numbers == (1, 3)


def test_error_lists_all_broken_levels() -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        gp.read(f"{BAD}{GOOD}{BAD}", "null")
    assert str(caught.value) == (
        "level 1 at line 1: N1-same at 0: the walker starts on the flag; "
        "level 3 at line 3: N1-same at 0: the walker starts on the flag"
    )
    assert [error.number for error in caught.value.level_errors()] == [1, 3]
    assert [problem.message for problem in caught.value.problems] == [
        "level 1: the walker starts on the flag",
        "level 3: the walker starts on the flag",
    ]
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.pack == [Level(3, 1, 2)]


def test_lenient_reader_raises_without_valid_level() -> None:
    for text in (BAD, BAD + BAD):
        with pytest.raises(gp.InvalidLevel):
            gp.read(text, "null", lenient=True)


def test_error_of_single_broken_level_has_no_number() -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        gp.read(BAD, "null")
    assert str(caught.value) == "level at line 1: N1-same at 0: the walker starts on the flag"
    assert caught.value.level_errors() == (caught.value,)


def test_pack_numbers_without_broken_levels() -> None:
    pack = gp.read(GOOD + GOOD, "null")
    assert (pack.numbers, pack.broken) == ((1, 2), {})
    assert pack.find_level(2) is pack[1]
    for number in (0, 3):
        with pytest.raises(gp.GridproofError, match="from 1 to 2"):
            pack.find_level(number)


# -- texts that several games claim


BOARD = "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2048 4x4\ntitle: like walls\n; ####\n", "twenty48"),
        (f"robots\n\n{BOARD}", "sokoban"),
        (f"shiftit and others\n\n{BOARD}", "sokoban"),
        (f"robots 2x1\na: rule=A rotation=0\nboard:\na A\n\n{BOARD}", "robots"),
        (f"shiftit 2x1\nr r\n\n{BOARD}", "shiftit"),
        (f"names: as of Shift It\n\n{BOARD}", "sokoban"),
        (f"{BOARD}% broken\n", "sokoban"),
    ],
)
def test_strictest_claim_decides_format(text: str, name: str) -> None:
    from gridproof.core.text.recognition import recognise

    assert recognise(text, None)[0].name == name


def test_file_extension_decides_format(tmp_path: Path, register: Callable[[Game], None]) -> None:
    loud = Format("loud", (".loud",), "claims all", lambda text: True, lambda text: gp.read(GOOD, "null"))
    register(dataclasses.replace(gp.game("null"), name="loud", formats=(loud,)))
    with pytest.raises(
        gp.ParseError, match=r"several formats: loud \(loud\), sokoban \(xsb\); give the game"
    ):
        gp.read(BOARD)
    for ending, name in ((".xsb", "sokoban"), (".loud", "null"), (".LOUD", "null")):
        path = tmp_path / f"board{ending}"
        path.write_text(BOARD)
        assert gp.read(path).game.name == name
    path = tmp_path / "robots.xsb"
    path.write_text(f"robots 2x1\n{BOARD}")
    assert gp.read(path).game.name == "sokoban"


@pytest.mark.parametrize("rows", ["b r\nr b\n\nshiftit 2x2\nb r\n#####\n", "b r\nrr\n#@$.#"])
def test_text_with_header_of_a_game_gets_its_error(tmp_path: Path, rows: str) -> None:
    for header in ("shiftit 2x2", "shiftit"):
        path = tmp_path / "board.txt"
        path.write_text(f"{header}\n{rows}")
        with pytest.raises(gp.ParseError, match=r"expected (2 tiles|shiftit 3x2)"):
            gp.read(path)


def test_unclaimed_text_is_read_by_file_extension(tmp_path: Path) -> None:
    for ending, reason in ((".xsb", "line 1, column 1: '%' in a row"), (".txt", "format is not recognised")):
        path = tmp_path / f"board{ending}"
        path.write_text("%\n")
        with pytest.raises(gp.ParseError, match=reason):
            gp.read(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (BOARD, Claim.FORM),
        (f"Title: x\n; y\n:: z\n\n{BOARD}Ünï: 1\n \t\n", Claim.FORM),
        (f"{BOARD}%\n", Claim.PART),
        (f"{BOARD}#@$x#\n", Claim.PART),
        (f"\t{{\n{BOARD}", Claim.PART),
        ("<!-- x -->\n" + BOARD, Claim.NONE),
        (f"import this\nBOARD = '''\n{BOARD}'''\nprint(BOARD)\nshow(\n    BOARD,\n)\n", Claim.NONE),
        (f"One\nTwo\nThree\n{BOARD}", Claim.FORM),
        (f"One\nTwo\nThree\nFour\n{BOARD}", Claim.NONE),
        (f"One: 1\nTwo: 2\n; three\n: four\n{BOARD}", Claim.FORM),
        ("One\nTwo\n##|#@$.#|##", Claim.FORM),
        (BOARD + "\n" * 1_000_000 + "%", Claim.PART),
        ("##\n" + "\n" * 1_000_000 + "%", Claim.NONE),
    ],
)
def test_sokoban_claims_only_complete_sokoban_texts(text: str, claim: Claim) -> None:
    assert gp.game("sokoban").formats[0].claim(text) is claim


ROBOTS = "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . . {}\n"
STRUCTURE = (
    "structure S : ShiftItVoc {{ XCo = {{0}} YCo = {{0}} Tile = {{a}} IsLocked = {{}} "
    'Init_GetPos = {{a->P(0,{})}} Init_Colouring_Full = {{a->"red"}} }}\n'
)
FORMLESS = {
    "sokoban/xsb": ("#####\n#@{}.#\n#####\n\n", "$", "?", 6, 3),
    "sokoban/slc": ("<Level Id='a'><L>@{}.</L></Level>", "$", "?", 1, 83),
    "shiftit/shiftit": ("shiftit 2x1\nr {}\n", "g", "?", 4, 3),
    "shiftit/structure": (STRUCTURE, "0", "x", 2, 88),
    "robots/robots": (f"{ROBOTS}\n", "B", "?!", 13, 7),
    "twenty48/2048": ("2048 2x2\n2 {}\n. .\n\n", "4", "-", 6, 3),
    "null/null": ("@.{}\n\n", "o", "x", 3, 3),
}


@pytest.mark.parametrize("name", FORMLESS)
def test_malformed_level_does_not_hide_the_others(name: str) -> None:
    form, good, bad, line, column = FORMLESS[name]
    before, after = ("<SokobanLevels><LevelCollection>", "</LevelCollection></SokobanLevels>")
    around = (before, after) if name.endswith("slc") else ("", "")
    text = "".join(form.format(mark) for mark in (good, bad, good)).join(around)
    with pytest.raises(ParseError) as refused:
        gp.read(text, name.split("/", maxsplit=1)[0])
    assert (refused.value.line, refused.value.column) == (line, column)
    pack = gp.read(text, name.split("/", maxsplit=1)[0], lenient=True)
    assert pack.numbers == (1, 3)
    assert list(pack.broken) == [2]
    assert pack.broken[2].description == str(refused.value)
    assert isinstance(pack.broken[2], ParseError)


def test_error_lists_all_faults_of_any_kind(tmp_path: Path) -> None:
    path = tmp_path / "three.xsb"
    path.write_text("#@.#\n\n#?#\n\n#@$.#\n")
    with pytest.raises(ParseError) as refused:
        gp.read(path)
    told = str(refused.value)
    assert told.startswith(f"{path}: level 1 at line 1: K3-counts: ")
    assert "; line 3, column 2: '?' in a row" in told
    assert told.count(str(path)) == 1
    assert len(gp.read(path, lenient=True)) == 1


def test_broken_collection_hides_all_levels() -> None:
    with pytest.raises(ParseError, match="'x' is no number of bombs"):
        gp.read("Bombs: x\n\n#####\n#@$.#\n#####\n\n#@$.#\n", "sokoban", lenient=True)
