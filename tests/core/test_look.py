"""Tests of looks: boards as text, and defaults."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.look import COLOURS, SHAPES, Look, Piece, board_text, check_piece, count_actions

FLOOR = Piece("floor", ".", "floor")
SHADE = Piece("shade", "", "floor")
BOX = Piece("box", "$", "box")
TILE = Piece("tile", "16", "square")


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ((((FLOOR,), (FLOOR, BOX)), ((), (FLOOR,))), ".$\n .\n"),
        ((((FLOOR, SHADE), (BOX, SHADE)),), ".$\n"),  # the top piece that has a glyph
        ((((FLOOR,), (FLOOR, TILE)), ((TILE,), ())), " . 16\n16\n"),
        ((((SHADE,),),), "\n"),
        ((), ""),
    ],
)
def test_board_text(board: tuple[tuple[tuple[Piece, ...], ...], ...], text: str) -> None:
    assert board_text(board) == text


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"shape": "blob"}, f"an unknown shape, 'blob'; choose from {', '.join(SHAPES)}"),
        ({"shape": None}, "an unknown shape, None; choose from floor, "),
        (
            {"colours": ("red", "pink")},
            f"an unknown colour, 'pink'; choose from {', '.join(COLOURS)}, or #rrggbb",
        ),
        ({"colours": ("#12345",)}, "an unknown colour, '#12345'; choose from"),
        ({"colours": (None,)}, "an unknown colour, None; choose from"),
        ({"colours": ()}, "no colour"),
        ({"shape": "quarters", "colours": ("red",) * 3}, "3 colours: quarters need 4"),
    ],
)
def test_check_piece_lists_valid_names(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(GridproofError) as error:
        check_piece(BOX._replace(**change))
    assert str(error.value).startswith(f"the piece 'box' has {fault}")


def test_check_piece_refuses_a_turn_that_is_no_right_angle() -> None:
    with pytest.raises(GridproofError, match="the piece 'box' is turned by 45: it can be 0, 90, 180, 270"):
        check_piece(BOX._replace(turn=45))


def test_check_piece_takes_every_shape_and_colour() -> None:
    for shape in SHAPES:
        check_piece(Piece("piece", "", shape, ("#a0B1c2",) * 4))
    for colour in COLOURS:
        check_piece(Piece("piece", "", "box", (colour,)))


def test_look_defaults() -> None:
    look = Look(board=lambda position: ((),))
    start = gp.read(".@o\n", "null")[0].start()
    outcome = start.outcome(start.action("right"), "")
    assert look.counts is count_actions
    assert look.counts(outcome.position, look.tally.of([outcome])) == (("actions", "1"),)
    assert look.marks(start, start.actions()[0]) == ()
    assert look.words(start.actions()[0]) == "left"


@pytest.mark.parametrize("name", ["null", "lights_out", *gp.game_names()])
def test_games_have_their_own_welcome(name: str) -> None:
    assert len(gp.game(name).look.welcome.split()) > 4
