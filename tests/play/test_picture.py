"""Pictures of every game, as snapshots and by what must hold of them all."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import gridproof as gp
from gridproof.core.game import Level
from gridproof.core.look import SHAPES, Look, Piece
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.shelf import pack_names, shipped
from gridproof.play import picture
from gridproof.play.drawing import brush_of, draw
from gridproof.play.palette import DARK, LIGHT, MARKS, ink_on, shade
from gridproof.play.shapes import DRAW

THEMES = ("auto", "light", "dark")


class Svg(SingleFileSnapshotExtension):
    """One file a picture, to be looked at."""

    _write_mode = WriteMode.TEXT
    file_extension = "svg"


@pytest.fixture
def svg_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Svg)


def first_levels() -> list[object]:
    return [
        pytest.param(shipped(game(name), pack_names(game(name))[0])[0], id=name)
        for name in (TEMPLATE, *game_names())
        if pack_names(game(name))
    ]


def readable(svg: str) -> str:
    """One element a line, so that a change can be read."""
    ElementTree.fromstring(svg)
    return svg.replace("><", ">\n<")


@pytest.mark.parametrize("level", first_levels())
def test_the_start_of_each_game(level: Level, svg_file: SnapshotAssertion) -> None:
    position = level.start(1)
    assert readable(picture.svg(position, next(iter(position.actions())))) == svg_file


@pytest.mark.parametrize("level", first_levels())
@pytest.mark.parametrize("theme", THEMES)
def test_every_picture_is_well_formed(level: Level, theme: str) -> None:
    position = level.start()
    ElementTree.fromstring(picture.svg(position, theme=theme, width=300))
    trace = level.certificate or gp.Trace(position)
    ElementTree.fromstring(picture.film(trace, theme=theme, columns=3))
    ElementTree.fromstring(picture.animation(trace, theme=theme))
    assert position._repr_svg_() == picture.svg(position)
    assert trace._repr_svg_() == picture.film(trace)


def test_what_is_written_in_a_picture_is_escaped() -> None:
    level = gp.levels_at("null/first/2")[0]
    assert "&lt;" not in picture.svg(level.start())
    assert "<desc>.@....o\n</desc>" in picture.svg(level.start())
    brush = brush_of("light")
    assert "&lt;&amp;" in DRAW["square"](Piece("x", "x", "square", ("blue",), "<&"), brush)


def test_an_animation_shows_each_cell_as_it_is_at_each_time() -> None:
    level = gp.levels_at("null/first/3")[0]
    trace = gp.solve(level).trace
    assert trace is not None
    svg = picture.animation(trace, seconds=1.0)
    runs = re.findall(r'<g( visibility="hidden")?>.*?values="([^"]*)" keyTimes="([^"]*)" dur="(\d+)s"', svg)
    assert runs
    for hidden, values, times, seconds in runs:
        assert int(seconds) == len(trace.steps) + 1 + 2
        assert values.split(";")[0] == ("hidden" if hidden else "visible")
        assert all(one != other for one, other in pairwise(values.split(";")))
        assert [float(time) for time in times.split(";")] == sorted(float(time) for time in times.split(";"))
        assert times.split(";")[0] == "0"


def test_every_shape_is_drawn_in_every_direction() -> None:
    assert set(DRAW) | {"wall"} == set(SHAPES)
    for shape, function in DRAW.items():
        for turn in (0, 90, 180, 270):
            colours = ("blue", "red", "#abcdef", "#123456") if shape == "quarters" else ("blue",)
            fragment = function(Piece("x", "x", shape, colours, "a", turn), brush_of("auto"))
            ElementTree.fromstring(f"<g>{fragment}</g>")


def test_walls_join_with_walls_only() -> None:
    level = gp.read("####\n#@.#\n#$ #\n####\n")[0]
    cells = draw(level.start(), None, brush_of("light")).cells
    assert cells[0, 0].count("A22") == 1  # one round corner: it has walls to the right and below
    assert cells[1, 0].count("A22") == 0


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_what_is_written_can_be_read(colours: dict[str, str]) -> None:
    assert contrast(colours["ink"], colours["page"]) > 7
    for name in (*MARKS, "dark", "brown", "grey"):
        assert contrast(ink_on(colours[name]), colours[name]) > 3, name


def test_a_colour_is_a_name_or_itself() -> None:
    assert shade("#a1b2c3", "light") == "#a1b2c3"
    assert shade("blue", "light") == LIGHT["blue"] != DARK["blue"] == shade("blue", "dark")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, t: picture.svg(p, theme="pink"), "theme 'pink': it is auto, light or dark"),
        (lambda p, t: picture.svg(p, width=0), "width 0: at least 1 pixel is needed"),
        (lambda p, t: picture.film(t, columns=0), "columns 0: at least 1 is needed"),
        (lambda p, t: picture.animation(t, seconds=0), "seconds 0: more than 0 are needed"),
    ],
)  # fmt: skip
def test_wrong_arguments(call: object, message: str) -> None:
    position = gp.levels_at("null/first/1")[0].start()
    with pytest.raises(gp.GridproofError) as caught:
        call(position, gp.Trace(position))  # type: ignore[operator]
    assert str(caught.value) == message


def test_what_lies_beside_the_board_is_drawn_below_it() -> None:
    level = gp.read("#####\n#@$.#\n#####\nBombs: 3\n")[0]
    drawing = draw(level.start(), None, brush_of("light"))
    assert (0, 3) in drawing.cells
    assert drawing.marked
    assert ">3<" in drawing.cells[0, 3]
    assert isinstance(level.game.look, Look)
