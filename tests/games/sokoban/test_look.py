"""The look of Sokoban: the characters of XSB, counts, keys and words."""

from __future__ import annotations

import gc
import weakref

import pytest
from hypothesis import given
from tests.games.sokoban.boards import level, position, positions

from gridproof.core.look import COLOURS, ON_BOARD, SHAPES, board_text
from gridproof.games.sokoban import GAME, Action, Position
from gridproof.games.sokoban.formats.lurd import read_solution
from gridproof.games.sokoban.look import OUTSIDE

LOOK = GAME.look


@pytest.mark.clause("K21")
@given(positions())
def test_board_is_shown_in_the_characters_of_xsb(there: Position) -> None:
    *rows, _ = there.text().splitlines()
    assert board_text(LOOK.board(there)).splitlines() == [row.replace("-", " ").rstrip() for row in rows]


def test_pieces_lie_on_each_other() -> None:
    (row,) = LOOK.board(position("#@$$*..-\n"))
    assert [[piece.name for piece in cell] for cell in row] == [
        ["floor", "wall"],
        ["floor", "player"],
        ["floor", "box"],
        ["floor", "box"],
        ["floor", "depot", "box on a depot"],
        ["floor", "depot"],
        ["floor", "depot"],
        ["floor"],
    ]
    assert [piece.name for piece in LOOK.board(position("+$"))[0][0]] == [
        "floor",
        "depot",
        "player on a depot",
    ]


@pytest.mark.clause("K4")
def test_floor_that_joins_the_border_and_nothing_else_is_outside_whatever_bombs_do() -> None:
    there = position("----#####\n-##-# @ #\n--#-#$..#\n----#$  #\n----#####\nBombs: 1\n")
    around = {
        (x, y) for y, row in enumerate(LOOK.board(there)) for x, cell in enumerate(row) if cell == (OUTSIDE,)
    }
    assert around == {(x, y) for x in range(4) for y in range(5)} - there.walls
    (opened,) = there.outcomes(Action.BOMB)
    board = LOOK.board(opened.position)
    assert [cell[0].name for cell in board[1]] == [OUTSIDE.name, *["floor"] * 2, OUTSIDE.name, *["floor"] * 5]


def test_empty_room_and_yard_without_walls_are_not_outside() -> None:
    for text in ("#######\n#@$.# #\n#######\n", "----\n@$.-\n----\n"):
        assert all(OUTSIDE not in cell for row in LOOK.board(position(text)) for cell in row)


@given(positions())
def test_pieces_have_shapes_and_colours_that_pictures_know(there: Position) -> None:
    for piece in {piece for row in LOOK.board(there) for cell in row for piece in cell}:
        assert piece.shape in SHAPES
        assert set(piece.colours) <= set(COLOURS)


@pytest.mark.clause("K22")
def test_moves_pushes_and_bombs_are_counted() -> None:
    home = level("######\n#@ $#.\n######\nBombs: 3\n")
    trace = read_solution(home, "rl!rRR")
    done = tuple(trace.outcomes())
    assert LOOK.counts(done[-1].position, LOOK.tally.of(done)) == (
        ("moves", "5"),
        ("pushes", "2"),
        ("bombs used", "1"),
        ("bombs left", "2"),
    )
    assert dict(LOOK.counts(home.start(), LOOK.tally.start)) == {
        "moves": "0",
        "pushes": "0",
        "bombs used": "0",
        "bombs left": "3",
    }


def test_bomb_is_a_move_in_the_counts_that_players_read() -> None:
    home = level("######\n#@ $#.\n######\nBombs: 3\n")
    done = tuple(read_solution(home, "rl!rRR").outcomes())
    counts = dict(LOOK.counts_in(done[-1].position, LOOK.tally.of(done), ON_BOARD))
    assert (counts["moves"], counts["bombs used"]) == ("6", "1")


def test_level_without_bombs_counts_none() -> None:
    start = level("#####\n#@$.#\n#####\n").start()
    assert LOOK.counts(start, LOOK.tally.start) == (("moves", "0"), ("pushes", "0"))


def test_actions_have_keys_and_words() -> None:
    assert set(LOOK.keys.values()) == set(map(str, Action))
    assert [LOOK.words(action) for action in Action] == [
        "go up",
        "go down",
        "go left",
        "go right",
        "set off a bomb",
    ]


@given(positions())
def test_size_is_that_of_the_board(there: Position) -> None:
    board = LOOK.board(there)
    assert LOOK.size is not None
    assert LOOK.size(there) == (len(board[0]), len(board))


@pytest.mark.usefixtures("only_new_garbage")
def test_drawing_of_a_level_goes_with_it() -> None:
    gc.collect()
    gc.disable()
    try:
        there = level("#####\n#@$.#\n#####\n").start()
        LOOK.board(there)
        gone = weakref.ref(there.level)
        del there
        assert gone() is None
    finally:
        gc.enable()
