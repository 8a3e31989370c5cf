"""Looks: boards as text, and what a game gets that says nothing."""

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.core.look import Look, Piece, board_text, count_actions

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


def test_defaults() -> None:
    look = Look(board=lambda position: ((),))
    start = gp.read(".@o\n", "null")[0].start()
    outcome = start.outcome(start.action("right"), "")
    assert look.counts is count_actions
    assert look.counts(outcome.position, look.tally.of([outcome])) == (("actions", "1"),)
    assert look.marks(start, start.actions()[0]) == ()
    assert look.words(start.actions()[0]) == "left"


@pytest.mark.parametrize("name", ["null", "lights_out", *gp.game_names()])
def test_every_game_greets_with_words_of_its_own(name: str) -> None:
    assert len(gp.game(name).look.welcome.split()) > 4
