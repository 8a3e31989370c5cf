"""Pictures of every game: snapshots and properties."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.packs import late

import gridproof as gp
from gridproof.core.look import SHAPES, Look, Piece
from gridproof.core.position import Level
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.games.sokoban.look import DEPOT, FLOOR, OUTSIDE, PLAYER_ON_DEPOT
from gridproof.games.twenty48.look import TILES
from gridproof.pictures import picture
from gridproof.pictures.drawn_board import brush_of, draw
from gridproof.pictures.palette import DARK, LIGHT, MARKS, ink_on, shade
from gridproof.pictures.shapes import DRAW

THEMES = ("auto", "light", "dark")


class Svg(SingleFileSnapshotExtension):
    """Snapshots in one file for each picture."""

    _write_mode = WriteMode.TEXT
    file_extension = "svg"


@pytest.fixture
def svg_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Svg)


def first_levels() -> list[object]:
    return [
        pytest.param(
            late(lambda game: builtin_pack(game, game.first_pack or pack_names(game)[0])[0], game(name)),
            id=name,
        )
        for name in (TEMPLATE, *game_names())
        if pack_names(game(name))
    ]


def readable(svg: str) -> str:
    """Return SVG with one element a line, so that changes are readable."""
    ElementTree.fromstring(svg)
    return svg.replace("><", ">\n<")


@pytest.mark.parametrize("level", first_levels())
def test_svg_of_first_level_matches_snapshot(level: Level, svg_file: SnapshotAssertion) -> None:
    position = level.start(1)
    assert readable(picture.svg(position, next(iter(position.actions())))) == svg_file


@pytest.mark.parametrize("level", first_levels())
@pytest.mark.parametrize("theme", THEMES)
def test_pictures_are_well_formed(level: Level, theme: str) -> None:
    position = level.start()
    ElementTree.fromstring(picture.svg(position, theme=theme, width=300))
    trace = level.certificate or gp.Trace(position)
    ElementTree.fromstring(picture.film(trace, theme=theme, columns=3))
    ElementTree.fromstring(picture.animation(trace, theme=theme))
    assert position._repr_svg_() == picture.svg(position)
    assert trace._repr_svg_() == picture.film(trace)


def test_game_without_pictures_is_shown_as_text_in_notebooks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = gp.levels_at("null/first/2")[0].start()
    look = dataclasses.replace(position.level.game.look, pictures=None)
    monkeypatch.setitem(vars(position.level), "game", dataclasses.replace(position.level.game, look=look))
    assert position._repr_svg_() is None
    assert gp.Trace(position)._repr_svg_() is None


def test_picture_escapes_texts() -> None:
    level = gp.levels_at("null/first/2")[0]
    assert "&lt;" not in picture.svg(level.start())
    assert "<desc>.@....o\n</desc>" in picture.svg(level.start())
    brush = brush_of("light")
    assert "&lt;&amp;" in DRAW["square"](Piece("x", "x", "square", ("blue",), "<&"), brush)


def test_animation_shows_each_cell_at_each_time() -> None:
    level = gp.levels_at("null/first/3")[0]
    trace = gp.solve(level).trace
    assert trace is not None
    svg = picture.animation(trace, seconds=1.0)
    runs = re.findall(
        r'<g class="gp-(?:shown|hidden)"( visibility="hidden")?>.*?values="([^"]*)" keyTimes="([^"]*)" dur="(\d+)s"',
        svg,
    )
    assert runs
    for hidden, values, times, seconds in runs:
        assert int(seconds) == len(trace.steps) + 1 + 2
        assert values.split(";")[0] == ("hidden" if hidden else "visible")
        assert all(one != other for one, other in pairwise(values.split(";")))
        assert [float(time) for time in times.split(";")] == sorted(float(time) for time in times.split(";"))
        assert times.split(";")[0] == "0"
    assert len(re.findall('class="gp-hidden" visibility="hidden"', svg)) == svg.count('class="gp-hidden"') > 0
    assert "@media (prefers-reduced-motion: reduce){.gp-shown{visibility:visible!important}" in svg


def test_shapes_are_drawn_in_every_direction() -> None:
    assert set(DRAW) == set(SHAPES)
    for shape, function in DRAW.items():
        for turn in (0, 90, 180, 270):
            colours = ("blue", "red", "#abcdef", "#123456") if shape == "quarters" else ("blue",)
            fragment = function(Piece("x", "x", shape, colours, "a", turn), brush_of("auto"))
            ElementTree.fromstring(f"<g>{fragment}</g>")


WALLED = """
-####--
##  ###
# @$ .#
##    #
-######
""".strip("\n")


def test_walls_join_with_walls_only_and_fill_their_cells() -> None:
    level = gp.read("####\n#@.#\n#$ #\n####\n")[0]
    cells = draw(level.start(), None, brush_of("light")).cells
    assert cells[0, 0].count("A20") == 1  # one round corner: it has walls to the right and below
    assert cells[1, 0].count("A20") == 0
    assert cells[0, 0].startswith('<path d="M0 20A20 20 0 0 1 20 0H100V100H0')  # an inner corner is filled up
    assert [place for place, cell in cells.items() if "opacity" in cell] == [
        (1, 0), (2, 0), (0, 3), (1, 3), (2, 3), (3, 3),
    ]  # fmt: skip  # fronts are seen where a wall ends below


def test_outside_of_walls_differs_from_floor() -> None:
    cells = draw(gp.read(WALLED)[0].start(), None, brush_of("light")).cells
    ground = DRAW["ground"](OUTSIDE, brush_of("light"))
    assert {place for place, cell in cells.items() if cell == ground} == {(0, 0), (5, 0), (6, 0), (0, 4)}
    assert all("rect" not in cells[place] for place in cells if cells[place] == ground)
    floor = DRAW["floor"](FLOOR, brush_of("light"))
    assert not cells[0, 1].startswith(floor)  # no floor shows at the round corners of the walls around
    assert cells[2, 1] == floor


def test_wall_inside_the_floor_stands_on_floor() -> None:
    cells = draw(gp.read("#####\n#@$.#\n# # #\n#   #\n#####\n")[0].start(), None, brush_of("light")).cells
    assert cells[2, 2].startswith(DRAW["floor"](FLOOR, brush_of("light")))


def test_depot_under_the_player_is_visible() -> None:
    cells = draw(gp.read("#####\n#+$ #\n#####\n")[0].start(), None, brush_of("light")).cells
    ring, person = (DRAW[piece.shape](piece, brush_of("light")) for piece in (DEPOT, PLAYER_ON_DEPOT))
    assert cells[1, 1].endswith(ring + person)
    low, high = re.findall(r"M50 (\d+)A(\d+)", ring)[0]
    assert int(high) > 34 > int(low)  # a person is 68 wide: the ring shows on both sides of it


def test_tiles_have_gaps_and_grow_darker() -> None:
    cells = draw(
        gp.read("2048 2x2 spawn=classic target=32\n2 0\n0 4\n")[0].start(), None, brush_of("light")
    ).cells
    assert all('x="5" y="5" width="90"' in cell for cell in cells.values())
    shades = [luminance(colour) for colour in TILES]
    assert shades == sorted(shades, reverse=True)
    assert all(contrast(ink_on(colour), colour) > 3.9 for colour in TILES)


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_texts_have_enough_contrast(colours: dict[str, str]) -> None:
    assert contrast(colours["ink"], colours["page"]) > 7
    for name in (*MARKS, "dark", "brown", "grey"):
        assert contrast(ink_on(colours[name]), colours[name]) > 3.9, name


def test_shade_accepts_name_or_value() -> None:
    assert shade("#a1b2c3", "light") == "#a1b2c3"
    assert shade("blue", "light") == LIGHT["blue"] != DARK["blue"] == shade("blue", "dark")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, t: picture.svg(p, theme="pink"), "theme 'pink': it is auto, light or dark"),
        (lambda p, t: picture.svg(p, width=0), "width 0: at least 1 pixel is needed"),
        (lambda p, t: picture.film(t, columns=0), "columns 0: must be at least 1"),
        (lambda p, t: picture.animation(t, seconds=0), "seconds 0: more than 0 are needed"),
    ],
)  # fmt: skip
def test_picture_refuses_wrong_arguments(call: object, message: str) -> None:
    position = gp.levels_at("null/first/1")[0].start()
    with pytest.raises(gp.GridproofError) as caught:
        call(position, gp.Trace(position))  # type: ignore[operator]  # what is tried
    assert str(caught.value) == message


def test_pieces_beside_the_board_are_drawn_below_it() -> None:
    level = gp.read("#####\n#@$.#\n#####\nBombs: 3\n")[0]
    drawing = draw(level.start(), None, brush_of("light"))
    assert (0, 3) in drawing.cells
    sides, above, below = drawing.margins
    assert sides == above < below
    assert ">3<" in drawing.cells[0, 3]
    assert isinstance(level.game.look, Look)


def test_board_is_centred_with_marks() -> None:
    certificate = gp.levels_at("shiftit/boards/3")[0].certificate
    assert certificate is not None
    for position, action in zip(certificate.positions(), certificate.actions, strict=False):
        drawing = draw(position, action, brush_of("light"))
        sides, above, below = drawing.margins
        assert above == below
        assert (sides > above) == (action.kind == "RM")


def test_picture_omits_characters_that_xml_forbids() -> None:
    """Plug-ins choose the names of colours: control characters, halves of surrogate pairs."""
    board = gp.read("shiftit 2x1\nr b\n").text("structure")
    for name in ("\x01", "\x1b[2J", "\ufffe", "<&"):
        (level,) = gp.read(board.replace("red", name))
        start = level.start()
        for svg in (picture.svg(start), picture.film(gp.Trace(start)), picture.animation(gp.Trace(start))):
            ElementTree.fromstring(svg)
            svg.encode()
