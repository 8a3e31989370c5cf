"""Cells in characters."""

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.core.look import SHAPES, Board, Cell, Piece
from gridproof.terminal.cells import Canvas, Lines, cell_sizes, draw_cell
from gridproof.terminal.shapes import PAINT, colour_at
from gridproof.terminal.themes import PALETTES, palette_name

FLOOR = Piece("floor", ".", "floor", ("floor",))


def _canvas(height: int, palette: str = "dark", letters: bool = False) -> Canvas:
    return Canvas(2 * height, height, palette, "#000000", letters)


def _text(lines: Lines) -> list[str]:
    return ["".join(segment.text for segment in line) for line in lines]


def _board(reference: str) -> Board:
    level = gp.levels_at(reference)[0]
    return level.game.look.board(level.start())


def test_shapes_of_looks_are_drawn() -> None:
    assert {*SHAPES} <= {*PAINT}


@pytest.mark.parametrize("shape", sorted({*SHAPES} - {"ground", "question", "fireworks"}))
def test_shapes_are_visible(shape: str) -> None:
    colours = ("blue", "red", "green", "yellow") if shape == "quarters" else ("blue",)
    piece = Piece(shape, "x", shape, colours)
    points = [(x / 8, y / 8) for x in range(-7, 8) for y in range(-7, 8)]
    assert any(colour_at(piece, x, y) in colours for x, y in points)


def test_turned_shapes_differ() -> None:
    right, down = (Piece("arrow", ">", "arrow", ("red",), turn=turn) for turn in (0, 90))
    assert (colour_at(right, -0.7, 0), colour_at(right, 0, -0.7)) == ("red", None)
    assert (colour_at(down, 0, -0.7), colour_at(down, -0.7, 0)) == ("red", None)


@pytest.mark.parametrize(
    "reference", ["robots/races", "shiftit/boards", "sokoban/bombs", "twenty48/positions", "null/first"]
)
@pytest.mark.parametrize("letters", [False, True])
def test_cells_fill_their_places(reference: str, letters: bool) -> None:
    board = _board(reference)
    for width, height in cell_sizes(board, letters):
        canvas = Canvas(width, height, "dark", "#000000", letters)
        for row in board:
            for pile in row:
                assert [*map(len, _text(draw_cell(pile, canvas)))] == [width] * height


def test_text_is_centred_in_a_readable_colour() -> None:
    tile = Piece("tile 2", "   2", "square", ("#f7eed5",), "2")
    (segment,) = [one for one in draw_cell((FLOOR, tile), _canvas(3))[1] if one.text == "2"]
    assert segment.style
    assert segment.style.color
    assert segment.style.color.name == "#1f2430"


@pytest.mark.parametrize("lines", range(3, 9))
def test_tiles_have_gaps_in_both_directions(lines: int) -> None:
    tile = draw_cell((Piece("tile", "2", "square", ("blue",)),), Canvas(2 * lines, lines, "dark", "#000000"))
    for rim in (tile[0][lines], tile[lines // 2][0]):
        assert "#000000" in str(rim.style), rim


def test_quarters_show_letters_of_their_colours() -> None:
    tile = Piece("t", "bryg", "quarters", ("blue", "red", "yellow", "green"), "bryg")
    lines = _text(draw_cell((tile,), _canvas(5)))
    assert (lines[1].strip(" ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█"), lines[3].strip(" ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█")) == ("b", "y")
    assert [letter for letter in lines[2] if letter in "rg"] == ["g", "r"]


def test_small_cells_show_glyphs() -> None:
    pile: Cell = (FLOOR, Piece("robot a", "a→", "robot", ("blue",), "a"))
    assert _text(draw_cell(pile, Canvas(3, 1, "dark", "#000000"))) == [" a→"]


def test_walls_are_filled_and_cursor_is_inverse_without_colours() -> None:
    wall, cursor = Piece("wall", "#", "wall"), Piece("cursor", "", "frame")
    assert _text(draw_cell((FLOOR, wall), _canvas(2, letters=True))) == ["####", "####"]
    lines = draw_cell((FLOOR, cursor), _canvas(2, letters=True))
    assert all(segment.style and segment.style.reverse for line in lines for segment in line)


@pytest.mark.parametrize(
    ("dark", "colours", "name"),
    [
        (True, "truecolor", "dark"),
        (False, None, "light"),
        (True, "256", "dark 256"),
        (False, "standard", "16"),
    ],
)
def test_terminals_have_their_palettes(dark: bool, colours: str | None, name: str) -> None:
    assert palette_name(dark, colours) == name
    assert {*PALETTES[name]} == {*PALETTES["dark"]}


def test_star_has_equal_halves() -> None:
    star = Piece("star", "*", "star", ("orange",))
    points = [(x / 10, y / 10) for x in range(10) for y in range(-9, 10)]
    left, right = ({(x, y) for x, y in points if colour_at(star, side * x, y)} for side in (-1, 1))
    assert left == right
    assert 0 < len(left) < len(points)


def test_empty_squares_stand_out_from_a_background_of_their_colour() -> None:
    """Terminals of 16 colours have one black."""
    square, canvas = Piece("empty cell", ".", "square", ("floor",)), _canvas(3, "16")
    colours = {
        segment.style.bgcolor.name
        for line in draw_cell((square,), canvas)
        for segment in line
        if segment.style and segment.style.bgcolor
    }
    assert PALETTES["16"]["line"] in colours


@pytest.mark.parametrize("lines", [1, 2])
def test_belts_in_small_cells_show_where_they_lead(lines: int) -> None:
    for glyph, turn in (("<", 180), ("^", 270)):
        belt = Piece("belt", glyph, "belt", ("grey",), turn=turn)
        assert glyph in _text(draw_cell((FLOOR, belt), _canvas(lines)))[0]


def test_quarters_have_gaps_in_both_directions() -> None:
    piece = Piece("tile", "b", "quarters", ("blue",) * 4, "bbbb")
    tile = draw_cell((piece,), Canvas(10, 5, "dark", "#000000"))
    for rim in (tile[0][1], tile[2][0]):
        assert "#000000" in str(rim.style), rim
