"""`model`: exit statuses, the first violated clause, and the run that completes a structure."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

pytestmark = pytest.mark.clause("S18")

BOARD = """\
  Time = { 0..2 } XCo = { 0; 1 } YCo = { 0; 1 } Tile = { a; b; c; d }
  Init_GetPos = { a->P(0,1); b->P(1,1); c->P(0,0); d->P(1,0) }
  Init_Colouring_Full = { a->"red"; b->"blue"; c->"blue"; d->"red" }
"""


def structure(body: str, name: str = "S", locked: str = "") -> str:
    return f"structure {name} : ShiftItVoc {{\n{BOARD}  IsLocked = {{ {locked} }}\n{body}\n}}\n"


RIGHT = structure("MoveAt = { 0->RM(0,right) }")
WRONG = structure("MoveAt = { 0->CM(1,up); 1->RM(0,left) }", "T", locked="b")


def test_model_prints_run(run: Run) -> None:
    answer = run("model", "-", input=f"// title: Two and two\n{RIGHT}")
    assert answer.status == 0
    assert answer.out.startswith(
        "S  Two and two: a model\n\ntime 0: RM(0,right), row 2 right\n   +-----+-----+\n"
    )
    assert "|  b  |  r  |  >" in answer.out
    assert "\ntime 2: won\n" in answer.out


def test_model_completes_partial_structure(run: Run) -> None:
    answer = run("model", "-", "--json", input=structure("Won = { 1; 2 }"))
    assert answer.status == 0
    assert (answer.json["holds"], answer.json["violation"]) == (True, None)
    assert len(answer.json["actions"]) == 1
    again = run(
        "model", "-", input=structure(f"MoveAt = {{ 0->{answer.json['actions'][0]} }} Won = {{ 1; 2 }}")
    )
    assert again.out == f"S: a model\n\n{answer.json['picture']}"


def test_model_names_first_violated_clause_with_time_and_tile(run: Run) -> None:
    answer = run("model", "-", input=WRONG)
    assert answer.status == 1
    assert answer.out == "T: no model; S6 at time 0, b: the tile is locked, CM(1,up) cannot be made\n"
    assert run("model", "-", "--json", input=WRONG).json == {
        "structure": "T",
        "title": "",
        "holds": False,
        "violation": {
            "clause": "S6",
            "time": 0,
            "where": "b",
            "message": "the tile is locked, CM(1,up) cannot be made",
        },
        "actions": None,
        "picture": None,
    }


def test_model_names_place_of_invalid_board(run: Run) -> None:
    answer = run("model", "-", input=RIGHT.replace("d->P(1,0)", "d->P(0,0)"))
    assert (answer.status, answer.out) == (1, "S: no model; S1, P(0,0): c, d lie on P(0,0)\n")
    bare = run("model", "-", input=RIGHT.replace('a->"red"; ', ""))
    said = "neither the side nor its tile is given a colour"
    assert (bare.status, bare.out) == (1, f"S: no model; S3, S(a,up): {said}\n")


def test_model_accepts_board_written_by_convert(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.idp"
    assert run("convert", "shiftit/boards/1", str(path)).status == 0
    bare = run("model", str(path))
    said = "S16: Time is {0..T} for some T, not {nothing}; a horizon may be given beside the structure"
    assert (bare.status, " ".join(bare.out.split("; ", 1)[1].split())) == (1, said)
    answer = run("model", str(path), "--horizon", "2", "--json")
    assert (answer.status, answer.json["holds"]) == (0, True)
    assert 1 <= len(answer.json["actions"]) <= 2
    own = run("model", "-", "--horizon", "1", "--json", input=RIGHT)
    assert (own.status, own.json["picture"].count("time ")) == (0, 3)
    late = run(
        "model", "-", "--horizon", "1", input=RIGHT.replace("Time = { 0..2 }", "").replace("0->", "5->")
    )
    assert late.out == "S: no model; S17, MoveAt(5,RM(0,right)): 5 is not listed in Time\n"
    assert run("model", "-", "--horizon", "1000000", input=RIGHT).status == 2


def test_model_refuses_misspelled_names_with_their_place(run: Run) -> None:
    for wrong, column in (("Wno = { 2 }", 1), ("Tiel = { a }", 1)):
        answer = run("model", "-", input=structure(wrong))
        assert (answer.status, answer.out) == (2, "")
        assert f"line 6, column {column}: S17: ShiftItVoc has no {wrong[:3]}" in answer.err
    assert (
        "line 1, column 15: S17: structures of ShiftItVoc are read, not of Other"
        in run("model", "-", input=RIGHT.replace("ShiftItVoc", "Other")).err
    )


def test_model_escapes_control_characters(run: Run) -> None:
    title = "// title: a\x1b[2Jb\n"
    coloured = run("model", "-", input=title + RIGHT.replace('"red"', '"\x1b"'))
    assert coloured.out.startswith("S  a?[2Jb: a model\n")
    named = run("model", "-", input=title + RIGHT.replace("a->", '"\x1b\n"->').replace("{ a;", '{ "\x1b\n";'))
    assert named.out.startswith('S  a?[2Jb: no model; S17, "??": a tile\'s name is ')
    assert "\x1b" not in coloured.out + named.out


def test_model_checks_every_structure_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "both.idp"
    path.write_text(RIGHT + WRONG)
    answer = run("model", str(path), "--json")
    assert answer.status == 1
    assert [(item["structure"], item["holds"]) for item in answer.lines] == [("S", True), ("T", False)]


def test_model_has_status_3_at_the_limit(run: Run) -> None:
    width = 3
    tiles = [(f"t{x}{y}", x, y) for x in range(width) for y in range(width)]
    places = "; ".join(f"{name}->P({x},{y})" for name, x, y in tiles)
    sides = "; ".join(f"S({name},up)->red" for name, _, _ in tiles)  # they never face each other
    colours = "; ".join(f"{name}->c{name}" for name, _, _ in tiles)
    text = (
        f"structure S : ShiftItVoc {{ Time = {{ 0..9 }} XCo = {{ 0..2 }} YCo = {{ 0..2 }} Won = {{ }} IsLocked = {{ }} "
        f"Init_GetPos = {{ {places} }} Init_Colouring = {{ {sides} }} Init_Colouring_Full = {{ {colours} }} }}"
    )
    answer = run("model", "-", "--states", "1500", input=text)
    assert (answer.status, answer.out) == (3, "S: no answer within the limit\n")
    assert run("model", "-", "--seconds", "0", "--json", input=text).json["holds"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            RIGHT.replace("}\n}", "}"),
            "line 6, column 28: the text ends too early (expected an identifier or using or })",
        ),
        (structure("Co = { 0..5 }"), "line 6, column 8: S17: 2 is no XCo and no YCo, and Co is their union"),
        (structure("Won = { 3 }"), "line 6, column 9: S17: 3 is not listed in Time"),
        ("shiftit 2x1\nb r\n", "a level has no horizon; give one with --horizon T"),
        ("#####\n#@$.#\n#####\n", "sokoban has no structures; model checks those of shiftit"),
        ("", "the format is not recognised"),
    ],
)
def test_model_refuses_wrong_input(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "given.idp"
    path.write_text(text)
    answer = run("model", str(path))
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert run("model", "-", "--json", input=text).json["error"] in answer.err


def test_model_refuses_missing_files_and_empty_texts(run: Run, tmp_path: Path) -> None:
    assert run("model", str(tmp_path)).status == 2
    missing = "error: nowhere.idp: no such file, and no pack by that name (see `gridproof levels`)\n"
    assert run("model", "nowhere.idp").err == missing
    assert run("model", "-", "--game", "shiftit").err.startswith(
        "error: line 1: no level in this text: it is empty"
    )


def test_model_errors_name_the_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.idp"
    for text in ("structure S : ShiftItVoc {", "structure S\0"):
        path.write_text(text)
        assert run("model", str(path)).err.startswith(f"error: {path}: line 1")


def test_model_completes_level_to_a_run(run: Run) -> None:
    answer = run("model", "shiftit/boards/3", "--horizon", "2", "--json")
    assert (answer.status, answer.json["holds"], len(answer.json["actions"])) == (0, True, 2)
    assert answer.json["title"] == "The last corner"
    text = run("show", "shiftit/boards/3", "--json").json["text"].partition("names")[0]
    typed = run("model", "-", "--horizon", "2", "--json", input=f"shiftit 2x2\n{text}")
    assert typed.json["actions"] == answer.json["actions"]
    assert run("model", "shiftit/boards/3").status == 2  # no last time is said
    assert run("model", "sokoban/first-steps/1").status == 2
