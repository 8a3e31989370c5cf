"""Packs: lists of levels of one game."""

from __future__ import annotations

import dataclasses

import pytest

import gridproof as gp
from gridproof.core.text.pack import Pack
from gridproof.games import shiftit
from gridproof.games.null import Level

LEVELS = [Level(3, 1, 2, title="One"), Level(4, 0, 3)]


def test_pack_is_a_list() -> None:
    pack = Pack(iter(LEVELS), title="Walks", author="me", keys={"Date": "now"}, notes=("a note",))
    assert pack == LEVELS
    assert (pack.title, pack.author, pack.keys, pack.notes) == ("Walks", "me", {"Date": "now"}, ("a note",))
    assert repr(pack) == "<Pack 'Walks' of 2 levels>"
    assert repr(Pack(LEVELS)) == "<Pack of 2 levels>"
    assert (Pack().title, Pack().keys, Pack().notes) == ("", {}, ())


def test_pack_keys_are_copied() -> None:
    keys = {"a": "b"}
    pack = Pack(LEVELS, keys=keys)
    keys["a"] = "c"
    assert pack.keys == {"a": "b"}


def test_pack_game() -> None:
    assert Pack(LEVELS).game is gp.game("null")
    with pytest.raises(gp.GridproofError, match="levels of one game are needed, not of none"):
        _ = Pack().game
    other = gp.levels_at("lights_out/first")
    with pytest.raises(gp.GridproofError, match="not of lights_out, null"):
        _ = Pack([*LEVELS, *other]).game


def test_pack_text() -> None:
    assert Pack(LEVELS).text() == "title: One\n.@o\n\n@..o\n"
    assert Pack(LEVELS).text("null") == Pack(LEVELS).text()
    with pytest.raises(gp.GridproofError, match="null has no format 'svg': it has null"):
        Pack(LEVELS).text("svg")


def test_pack_text_refuses_read_only_format(monkeypatch: pytest.MonkeyPatch) -> None:
    null = gp.game("null")
    old = dataclasses.replace(null.formats[0], name="old", write=None)
    monkeypatch.setitem(null.__dict__, "formats", (*null.formats, old))
    with pytest.raises(gp.GridproofError, match="the format old is only read, not written"):
        Pack(LEVELS).text("old")


def test_pack_is_written_in_another_format_when_own_cannot() -> None:
    tiles = [shiftit.Tile(f"t{x}", x, 1, colour) for x, colour in enumerate(("red", "blue", "red"), 1)]
    pack = Pack([shiftit.Level(tiles)])  # coordinates from 1 on, which rows of tiles cannot say
    assert pack.text() == pack.text("structure")
    assert gp.read(gp.write(pack)) == pack
    with pytest.raises(gp.GridproofError, match="begin at 1"):
        pack.text("shiftit")
