from __future__ import annotations

import pytest
from rich.console import Console

import gridproof as gp
from gridproof.core.look import Piece, board_text
from gridproof.core.text.level_lookup import pack_names
from gridproof.pictures.terminal_colours import paint


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_painted_board_has_the_characters_of_board_text(name: str) -> None:
    game = gp.game(name)
    for pack in pack_names(game):
        for level in gp.levels_at(f"{name}/{pack}"):
            board = game.look.board(level.start())
            assert paint(board).plain == board_text(board)


def print_pieces(*pieces: Piece) -> str:
    console = Console(force_terminal=True, color_system="truecolor", width=200)
    with console.capture() as capture:
        console.print(paint((tuple((piece,) for piece in pieces),)), end="")
    return capture.get()


def test_tile_is_painted_behind_its_number() -> None:
    assert "48;2;18;52;86" in print_pieces(Piece("tile", "2", "square", ("#123456",)))


def test_glyph_of_several_colours_shows_each() -> None:
    text = print_pieces(Piece("tile", "rg", "box", ("red", "green")), Piece("wide", "long", "box", ("blue",)))
    assert text.count("\x1b[1;31mr") == 1
    assert text.count("\x1b[1;32mg") == 1


def test_unnamed_colours_are_used_unchanged() -> None:
    assert "38;2;18;52;86" in print_pieces(Piece("x", "x", "disc", ("#123456",)))
