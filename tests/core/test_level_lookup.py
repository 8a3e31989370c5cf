"""Tests of built-in packs, and of references to levels."""

from __future__ import annotations

import dataclasses
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import gridproof as gp
from gridproof.core.game import Game
from gridproof.core.text import level_lookup
from gridproof.core.text.pack import Pack
from gridproof.games.null import Level

LIGHTS = "lights: One\nO\n\nlights: Pair\nOO\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Null as another package has it, with a folder of levels in `tmp_path`."""
    package = tmp_path / "package_of_walks"
    (package / "levels").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield dataclasses.replace(gp.game("null"), package="package_of_walks")
    sys.modules.pop("package_of_walks", None)
    for cache in (level_lookup._files, level_lookup._certificates):
        cache.cache_clear()


def put(game: Game, folder: Path, name: str, text: str) -> Path:
    path = folder / "package_of_walks" / "levels" / name
    path.write_text(text)
    return path


def test_empty_reference_is_quoted_in_message() -> None:
    with pytest.raises(gp.GridproofError, match=r"^'': no such file"):
        gp.level("")


def test_levels_at_takes_a_game_as_its_first_pack() -> None:
    for name in ("sokoban", "shiftit"):
        assert gp.levels_at(name) == gp.levels_at(level_lookup.first_pack(name))


def test_packs_are_files_with_extensions_of_the_game(game: Game, tmp_path: Path) -> None:
    for name in ("walks.null", "back.null", "walks.certificates.json", "notes.txt"):
        put(game, tmp_path, name, "title: A walk\n.@o\n")
    assert level_lookup.pack_names(game) == ("back", "walks")
    assert level_lookup.builtin_pack(game, "back") == [Level(3, 1, 2)]
    with pytest.raises(gp.GridproofError, match="null has no pack 'notes': it has back, walks"):
        level_lookup.builtin_pack(game, "notes")


def test_game_without_levels_has_no_packs(game: Game, tmp_path: Path) -> None:
    (tmp_path / "package_of_walks" / "levels").rmdir()
    assert level_lookup.pack_names(game) == ()
    with pytest.raises(gp.GridproofError, match="it has none"):
        level_lookup.builtin_pack(game, "walks")


def test_certificates_beside_pack_round_trip(game: Game, tmp_path: Path) -> None:
    path = put(game, tmp_path, "walks.null", "title: A walk\n.@..o\n\n@o\n\n..@o\n")
    levels = gp.read(path, "null")
    traces = [gp.solve(level).trace for level in levels]
    assert traces[0] is not None
    assert traces[2] is not None
    certified = Pack(
        [
            level_lookup.with_certificate(levels[0], traces[0]),
            levels[1],
            level_lookup.with_certificate(levels[2], traces[2]),
        ]
    )
    level_lookup.write_certificates(path, certified)
    assert level_lookup.certificate_file(path).read_text() == (
        '[\n{"level": 1, "steps": [{"action": "right"}, {"action": "hop", "label": "by 2"}]},\n'
        '{"level": 3, "steps": [{"action": "right"}]}\n]\n'
    )
    shipped = level_lookup.builtin_pack(game, "walks")
    assert shipped == levels
    assert [level.certificate for level in shipped] == [traces[0], None, traces[2]]
    assert shipped[0].title == "A walk"
    assert all(level.certificate.replay().won for level in shipped if level.certificate)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("nonsense", gp.ParseError, "walks.certificates.json does not hold certificates"),
        ('[{"level": 1}]', gp.ParseError, "does not hold certificates: KeyError"),
        ("[7]", gp.ParseError, "does not hold certificates: TypeError"),
        ('[{"level": 1, "steps": [{"action": "left"}, {"action": "left"}]}]', gp.IllegalAction, "step 2"),
        ('[{"level": 1, "steps": []}]', gp.GridproofError, "certificate of the level '' does not win it"),
        ('[{"level": 1, "steps": [{"action": "left"}]}]', gp.GridproofError, "does not win it"),
        ('[{"level": 1, "steps": ["right"]}]', gp.ParseError, "that of level 1 has not the form"),
        ('[{"level": 1, "steps": [{"action": 1}]}]', gp.ParseError, "has not the form"),
        ('[{"level": 1, "steps": {}}]', gp.ParseError, "has not the form"),
        ('[{"level": "1", "steps": []}]', gp.ParseError, "that of level '1' has not the form"),
        ('[{"level": 2, "steps": []}]', gp.GridproofError, "null/walks has no level 2, but a certificate"),
        ("[" * 100_000, gp.ParseError, "does not hold certificates: RecursionError"),
    ],
)
def test_broken_certificates_are_refused(
    game: Game, tmp_path: Path, text: str, kind: type[gp.GridproofError], message: str
) -> None:
    put(game, tmp_path, "walks.null", ".@o\n")
    put(game, tmp_path, "walks.certificates.json", text)
    with pytest.raises(kind, match=message):
        level_lookup.builtin_pack(game, "walks")


def test_unique_prefix_of_pack_is_resolved(tmp_path: Path) -> None:
    path, other, short = (tmp_path / f"pack{end}" for end in (".xsb", ".shiftit", ".certificates.json"))
    path.write_text("#####\n#@$.#\n#####\n")
    short.write_text('[{"level": 1, "steps": [{"action": "right"}]}]')
    assert level_lookup.certificate_file(path) == short
    assert gp.read(path)[0].certificate is not None
    other.write_text("shiftit 2x1\nr r\n")
    for pack in (path, other):
        assert level_lookup.certificate_file(pack) == tmp_path / f"{pack.name}.certificates.json"
        assert gp.read(pack)[0].certificate is None
        assert not gp.read(pack).notices


def test_whole_name_takes_precedence_over_prefix(tmp_path: Path) -> None:
    for name in ("walks.null", "walks.null.xsb"):
        (tmp_path / name).write_text("levels")
    (tmp_path / "walks.null.certificates.json").write_text("[]")
    assert (
        level_lookup.certificate_file(tmp_path / "walks.null.xsb").name == "walks.null.xsb.certificates.json"
    )


@pytest.mark.parametrize("fault", ["unreadable", "large"])
def test_unreadable_certificates_are_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    path, beside = tmp_path / "walks.null", tmp_path / "walks.null.certificates.json"
    path.write_text(".@o\n")
    beside.write_text(" " * 100 + "[]")
    if fault == "large":
        monkeypatch.setattr("gridproof.core.trace.LARGEST", 99)
        reason = "the text is larger than 0 MiB"
    else:
        reason = "Permission denied"
        opened = Path.open

        def refuse(self: Path, *arguments: Any, **named: Any) -> Any:
            if self == beside:
                raise PermissionError(13, reason, str(self))
            return opened(self, *arguments, **named)

        monkeypatch.setattr(Path, "open", refuse)
    pack = gp.read(path, "null")
    assert pack.notices == {1: f"{beside}: {reason}"}
    assert pack[0].certificate is None


def test_too_long_name_for_certificates(tmp_path: Path) -> None:
    path = tmp_path / ("w" * 245 + ".null")
    path.write_text(".@o\n")
    pack = gp.read(path, "null")
    assert (len(pack), pack.notices) == (1, {})


def test_levels_at_resolves_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.txt").write_text(LIGHTS)
    Path("odd#1").write_text(LIGHTS)
    both = gp.read(LIGHTS)
    assert gp.levels_at("two.txt") == gp.levels_at("odd#1") == both
    assert gp.levels_at("two.txt#2") == gp.levels_at("odd#1#2") == both[1:]
    assert len(gp.levels_at("lights_out/first")) == 5
    assert gp.levels_at("lights_out/first/2") == gp.levels_at("lights_out/first")[1:2]
    assert gp.levels_at("lights_out/first/2")[0].certificate is not None
    assert gp.levels_at("null/first/1") == [Level(3, 1, 2)]


def test_levels_at_replays_only_certificate_of_requested_level(monkeypatch: pytest.MonkeyPatch) -> None:
    certified = Mock(side_effect=level_lookup.certify_level)
    monkeypatch.setattr(level_lookup, "certify_level", certified)
    assert gp.levels_at("lights_out/first/2")[0].certificate is not None
    assert certified.call_count == 1


def test_level_of_pack_keeps_header_of_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = Pack(gp.read(LIGHTS), title="Lights", author="me", keys={"Date": "now"})
    monkeypatch.setattr(level_lookup, "builtin_pack", lambda game, name, only: pack)
    one = gp.levels_at("lights_out/any/2")
    assert (one, one.title, one.author, one.keys) == (pack[1:], "Lights", "me", {"Date": "now"})


def test_notice_belongs_to_its_level(tmp_path: Path) -> None:
    path = tmp_path / "walks.xsb"
    path.write_text("#####\n#@$.#\n#####\n\n#####\n#@$.#\n#####\nSolution: l\n")
    told = "its solution does not win it, and is kept as a text"
    assert gp.read(path).notices == {2: told}
    assert gp.levels_at(f"{path}#1").notices == {}
    assert gp.levels_at(f"{path}#2").notices == {1: told}


@pytest.mark.parametrize(("reference", "count"), [("-", 2), ("-#2", 1)])
def test_levels_are_read_from_standard_input(
    reference: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LIGHTS.encode())))
    assert len(gp.levels_at(reference)) == count


def test_file_of_a_named_game_is_read(tmp_path: Path) -> None:
    path = tmp_path / "walk"
    path.write_text(".@o\n")
    assert gp.levels_at(str(path), "null") == gp.levels_at(f"{path}#1", "null") == [Level(3, 1, 2)]


@pytest.mark.parametrize(
    "number", ["0", "6", "-1", "x", "", "1.0", "٣", "9" * 5000, " 1"]
)  # the fourth to last is an Arabic digit
def test_reference_with_invalid_number_is_refused(number: str, tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="choose a level from 1 to 5"):
        gp.levels_at(f"lights_out/first/{number}")
    path = tmp_path / "levels"
    path.write_text(gp.levels_at("lights_out/first").text())
    if number:
        with pytest.raises(gp.GridproofError, match="choose a level from 1 to 5"):
            gp.levels_at(f"{path}#{number}")


@pytest.mark.parametrize(
    "reference",
    ["", "nothing", "chess/first", "lights_off", "lights_out/first/1/1", "x" * 100_000, "a\0b", "#1"],
)
def test_reference_to_nothing_is_refused(reference: str) -> None:
    with pytest.raises(gp.GridproofError, match="no such file"):
        gp.levels_at(reference)


@pytest.mark.parametrize("reference", ["nothing#1", "lights_out/second", "lights_out/second/1", "/#1"])
def test_incomplete_reference_is_refused(reference: str) -> None:
    with pytest.raises(gp.GridproofError):
        gp.levels_at(reference)


def test_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="this is a directory; give a file"):
        gp.levels_at(str(tmp_path))


def test_directory_does_not_hide_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "null" / "first").mkdir(parents=True)
    assert gp.levels_at("null/first/1") == [Level(3, 1, 2)]


# -- a level by its name


def test_level_is_found_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n", encoding="utf-8")
    pack = gp.read(path)
    assert gp.level("sokoban/first-steps/1") == gp.levels_at("sokoban/first-steps")[0]
    assert gp.level("sokoban/first-steps/1").certificate is not None
    assert gp.level(f"{path}#2") == pack[1]
    with pytest.raises(gp.GridproofError, match="2 levels: name one of them"):
        gp.level(str(path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sokobn/first-steps/1", r"did you mean sokoban/first-steps/1\?"),
        ("sokoban/first-step/1", r"did you mean first-steps\?"),
        ("sokoban/first-steps", "13 levels: name one of them"),
        ("sokoban", "13 levels: name one of them"),
        ("sokoban/first-steps/14", "from 1 to 13"),
        ("nonsense", "no pack by that name .see `gridproof levels`.$"),
        (3, "must be a text, not int"),
    ],
)
def test_unknown_level_is_refused_with_a_suggestion(name: Any, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        gp.level(name)


@pytest.mark.parametrize(("title", "name"), [("2048", "twenty48"), ("shift it", "shiftit")])
def test_title_of_a_game_stands_for_its_first_pack(title: str, name: str) -> None:
    assert gp.game(title) is gp.game(name)
    assert gp.levels_at(title)[0] == gp.levels_at(name)[0]


@pytest.mark.slow
def test_engines_take_the_name_of_a_level(tmp_path: Path) -> None:
    name = "shiftit/boards/1"
    level = gp.level(name)
    assert gp.solve(name).trace == gp.solve(level).trace
    assert gp.check(name, "EF won").holds
    assert gp.explore(name).states == gp.explore(level).states
    assert gp.value(name).best == gp.value(level).best
    assert gp.value(name, "won & cost(actions) <= 1").level == level
    assert gp.analyse(name) == gp.analyse(level)
    assert gp.runs(name, 2).count == gp.runs(level, 2).count
    assert [claim.holds for claim in gp.claims(name, 2)] == [claim.holds for claim in gp.claims(level, 2)]
    assert gp.certify("sokoban/first-steps/1", tmp_path / "proof", "placed = 9").holds
    assert gp.verify(tmp_path / "proof", "sokoban/first-steps/1").holds
    for ask in (gp.solve, gp.explore, gp.value, gp.analyse):
        with pytest.raises(gp.GridproofError, match="did you mean boards"):
            ask("shiftit/bords/1")
