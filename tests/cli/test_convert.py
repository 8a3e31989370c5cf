from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import gridproof as gp

from .conftest import STUCK, Run


def test_convert_round_trips_through_another_format(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    slc, back = tmp_path / "three.slc", tmp_path / "back.xsb"
    answer = run("convert", str(sokoban_file), str(slc))
    assert (answer.status, answer.out) == (0, f"3 levels written to {slc}\n")
    assert slc.read_text().startswith("<?xml")
    assert run("convert", str(slc), str(back)).status == 0
    assert gp.read(back) == gp.read(STUCK)


def test_convert_takes_named_format(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "levels"
    data = run("convert", str(sokoban_file), str(path), "--to", "slc", "--json").json
    assert data == {"game": "sokoban", "levels": 3, "format": "slc", "path": str(path)}
    assert path.read_text().startswith("<?xml")


def test_convert_reads_stdin_and_writes_stdout(run: Run) -> None:
    assert run("convert", "-", "-", "--game", "null", input="title: x\n.@o\n").out == "title: x\n.@o\n"
    assert run("convert", "null/first/1").out == "title: One step\n.@o\n"
    data = run("convert", "null/first/1", "--json").json
    assert data == {"game": "null", "levels": 1, "format": "null", "text": "title: One step\n.@o\n"}


def test_convert_refuses_levels_that_format_cannot_hold(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gp.game("null")
    lossy = dataclasses.replace(game.formats[0], name="lossy", write=lambda pack: pack[0].text())
    changed = dataclasses.replace(game, formats=(*game.formats, lossy))
    monkeypatch.setattr("gridproof.games.null.GAME", changed)
    target = tmp_path / "levels.txt"
    answer = run("convert", "null/first", str(target), "--to", "lossy")
    assert (answer.status, answer.err) == (
        2,
        "error: level 2 cannot be stored in the format lossy; nothing was written\n",
    )
    assert not target.exists()
    assert run("convert", "null/first/2", str(target), "--to", "lossy").status == 0


def test_convert_keeps_certificates(run: Run, tmp_path: Path) -> None:
    target, again = tmp_path / "pack.shiftit", tmp_path / "again.idp"
    (tmp_path / "again.idp.certificates.json").write_text(
        '[{"level": 1, "steps": [{"action": "RM(0,left)"}]}]'
    )
    assert run("convert", "shiftit/boards/1", str(target)).err == ""
    assert run("convert", str(target), str(again), "--force").err == ""
    for path in (target, again):
        kept = gp.read(path)
        assert kept[0].certificate == gp.levels_at("shiftit/boards/1")[0].certificate
        assert not kept.notices
    assert run("convert", str(target), "-").err == (
        "note: 1 certificate not written: this format cannot hold them; write to a file to keep them\n"
    )


def test_convert_removes_certificates_of_overwritten_levels(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "pack.shiftit"
    run("convert", "shiftit/boards/1", str(target))
    assert gp.read(target)[0].certificate is not None
    assert run("convert", "-", str(target), "--force", input="shiftit 2x1\nr b\n").status == 0
    assert (gp.read(target)[0].certificate, gp.read(target).notices) == (None, {})


def test_convert_keeps_bombs(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "bombs.xsb", tmp_path / "bombs.slc"
    source.write_text("#####\n#@$.#\n#####\nBombs: 2\n")
    assert run("convert", str(source), str(target)).status == 0
    assert gp.read(target) == gp.read(source)


def test_convert_refuses_unknown_format(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    answer = run("convert", str(sokoban_file), str(tmp_path / "out.xsb"), "--to", "pdf")
    assert (answer.status, answer.err) == (
        2,
        "error: sokoban has no format 'pdf': it has xsb, slc; gridproof convert writes pddl, too\n",
    )


@pytest.mark.parametrize("to", ["tla", "smv", "prism.tra"])
def test_convert_tells_which_command_writes_positions(run: Run, sokoban_file: Path, to: str) -> None:
    answer = run("convert", str(sokoban_file), "--to", to)
    assert answer.status == 2
    assert answer.err.endswith(f": gridproof explore LEVEL --graph FILE.{to} writes them\n")


@pytest.mark.parametrize("name", ["out.json", "out.xsb.bak", "out.tar.gz"])
def test_convert_refuses_unknown_extension_without_named_format(
    run: Run, sokoban_file: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    answer = run("convert", str(sokoban_file), str(path))
    error = f"sokoban has no format for {path.suffix}; choose from .xsb, .sok, .txt, .slc; gridproof convert writes pddl, too, or name one with --to"
    assert (answer.status, answer.err) == (2, f"error: {path}: {error}\n")
    assert not path.exists()
    assert run("convert", str(sokoban_file), str(path), "--to", "xsb").status == 0
    assert gp.read(path) == gp.read(STUCK)


@pytest.mark.parametrize("name", ["OUT.XSB", "out", ".out"])
def test_convert_uses_own_format_without_extension(
    run: Run, sokoban_file: Path, tmp_path: Path, name: str
) -> None:
    assert run("convert", str(sokoban_file), str(tmp_path / name)).status == 0
    assert gp.read(tmp_path / name) == gp.read(STUCK)


def test_convert_refuses_read_only_format(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = gp.game("null")
    old = dataclasses.replace(game.formats[0], name="old", extensions=(".old",), write=None)
    monkeypatch.setitem(game.__dict__, "formats", (*game.formats, old))
    for target in (("x.old",), ("x.null", "--to", "old")):
        answer = run("convert", "null/first", str(tmp_path / target[0]), *target[1:])
        assert (answer.status, answer.err) == (2, "error: the format old is only read, not written\n")
    assert "choose from .null, or" in run("convert", "null/first", str(tmp_path / "x.new")).err


def test_convert_refuses_unwritable_target(run: Run, sokoban_file: Path) -> None:
    answer = run("convert", str(sokoban_file), "/nowhere/out.xsb")
    assert (answer.status, answer.err) == (2, "error: /nowhere/out.xsb: there is no folder /nowhere\n")


def test_convert_takes_name_of_game_as_its_first_pack(run: Run) -> None:
    assert run("convert", "null").out == run("convert", "null/first").out
    assert len(gp.read(run("convert", "robots").out)) == len(gp.read(run("convert", "robots/races").out)) > 1


def metadata(pack: gp.Pack) -> object:
    """Return all metadata of a pack and its levels."""
    about = (pack.title, pack.author, pack.keys, pack.notes)
    return about, [(level.title, level.author, level.keys) for level in pack]


def test_convert_keeps_titles_and_keys_in_structures(run: Run, tmp_path: Path) -> None:
    source, middle, back = (tmp_path / name for name in ("a.shiftit", "a.idp", "b.shiftit"))
    source.write_text(
        "; a note: with  two spaces\n;\ntitle: Pack\nDate: 1999\n\nshiftit 2x1\nr b\n\n"
        "shiftit 2x1\ntitle: key  X: // y\nauthor: z\nSource-1: a: b\nEmpty:\nr r\n"
    )
    pack = gp.read(source)
    assert pack.keys == {"Date": "1999"}
    for one, other in ((source, middle), (middle, back)):
        answer = run("convert", str(one), str(other))
        assert (answer.status, answer.err) == (0, "")
        assert gp.read(other) == pack
        assert metadata(gp.read(other)) == metadata(pack)


def test_convert_assigns_comments_of_structure_to_its_level(tmp_path: Path) -> None:
    board = gp.read("shiftit 1x1\nr\n").text("structure")
    text = f"// Time = 5: so\n// title: One\n{board}\n/// title: All\n// key Moves: 3\n{board}"
    pack = gp.read(text)
    assert metadata(pack) == (("All", "", {}, ()), [("One", "", {}), ("", "", {"Moves": "3"})])


def test_convert_refuses_to_lose_metadata(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = gp.game("null")
    bare = dataclasses.replace(
        game.formats[0], name="bare", write=lambda pack: "".join(f"{p.start().text()}\n" for p in pack)
    )
    changed = dataclasses.replace(game, formats=(*game.formats, bare))
    monkeypatch.setattr("gridproof.games.null.GAME", changed)
    target = tmp_path / "levels.txt"
    answer = run("convert", "null/first", str(target), "--to", "bare")
    error = "error: title of level 1 cannot be stored in the format bare; nothing was written\n"
    assert (answer.status, answer.err, target.exists()) == (2, error, False)


BOARD = "shiftit 2x1\ntitle: Two\nr b\n"


@pytest.mark.clause("S27")
def test_convert_exports_by_name_or_extension(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "two.shiftit", tmp_path / "two.FODOT"
    source.write_text(BOARD)
    answer = run("convert", str(source), str(target), "--horizon", "2")
    assert (answer.status, answer.out, answer.err) == (0, f"1 level written to {target}\n", "")
    assert "// title: Two\nstructure Board : ShiftItVoc {\n  Time := {0..2}.\n" in target.read_text()
    again = run("convert", "-", "--to", "fodot", "--horizon", "2", "--json", input=BOARD)
    assert (again.json["format"], again.json["levels"], again.json["text"]) == (
        "fodot",
        1,
        target.read_text(),
    )
    given = run("convert", str(source), "-", "--to", "structure").out.replace("{\n", "{ Time = { 0..3 }\n", 1)
    assert "  Time := {0..3}.\n" in run("convert", "-", "--to", "fodot", input=given).out


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (("--to", "fodot"), BOARD, "no times are listed; give a horizon with --horizon T"),
        (("--to", "fodot"), "#####\n#@$.#\n#####\n", "sokoban has nothing to export as fodot"),
        (
            ("--to", "wrong"),
            BOARD,
            "shiftit has no format 'wrong': it has shiftit, structure; gridproof convert writes fodot, too",
        ),
        (("--horizon", "3"), BOARD, "horizon applies to export formats only: --to fodot, pddl"),
        (
            ("--to", "fodot", "--horizon", "1"),
            "shiftit 2x1\nr\n",
            "line 2: a row of 1 tile (expected 2 tiles)",
        ),
        (("/nowhere/x", "--to", "fodot", "--horizon", "1"), BOARD, "/nowhere/x: there is no folder /nowhere"),
    ],
)
def test_convert_refuses_impossible_exports(
    run: Run, arguments: tuple[str, ...], text: str, said: str
) -> None:
    answer = run("convert", "-", *arguments, input=text)
    assert (answer.status, answer.out, answer.err) == (2, "", f"error: {said}\n")


def test_convert_export_errors_name_the_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.shiftit"
    path.write_text("shiftit 2x1\nr\n")
    answer = run("convert", str(path), "--to", "fodot", "--horizon", "1")
    assert answer.err == f"error: {path}: line 2: a row of 1 tile (expected 2 tiles)\n"


def test_convert_writes_exact_text_to_pipe(run: Run) -> None:
    """Text passes unchanged, even if it would be a colour on a terminal."""
    written = run("convert", "-", "-", input="; a\x1b[31mb\n#####\n#@$.#\n#####\n")
    assert gp.read(written.out)[0].title == "a\x1b[31mb"
