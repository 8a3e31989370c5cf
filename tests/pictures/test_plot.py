"""Plots as SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from gridproof.core.errors import GridproofError
from gridproof.pictures.plot import _step, columns


def texts(svg: str) -> list[str]:
    return [
        element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")
    ]


def test_columns_are_stacked_to_scale() -> None:
    svg = columns("both", "depth", {"good": [1, 2], "bad": [3, 0]}, theme="light")
    heights = [float(high) for high in re.findall(r"v([\d.]+)h-", svg)]
    assert len(heights) == 3  # what is 0 has no column
    assert heights == pytest.approx([heights[0], 2 * heights[0], 3 * heights[0]], rel=0.01)
    first, _, third = (float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)h", svg))
    assert third + heights[2] == pytest.approx(first, abs=0.02)
    assert texts(svg) == ["0", "1", "2", "3", "4", "0", "1", "depth", "good", "bad"]
    assert "<desc>good: 1, 2; bad: 3, 0</desc>" in svg


def test_scale_has_round_numbers_and_names_have_room() -> None:
    many = columns("<all>", "level", {"one": [0.0375] * 200})
    assert {"0.01", "0.04"} <= set(texts(many))
    assert len(texts(many)) < 60
    assert "<title>&lt;all&gt;</title>" in many
    assert "prefers-color-scheme" in many
    assert texts(columns("none", "x", {"one": []}))[0] == "0"
    with pytest.raises(GridproofError, match="theme 'blue': it is auto, light or dark"):
        columns("", "", {}, theme="blue")


@pytest.mark.parametrize(
    ("value", "step"), [(5, 1), (6, 2), (10, 2), (11, 5), (25, 5), (26, 10), (50, 10), (0.5, 0.1)]
)
def test_scale_has_the_smallest_round_step_for_five_lines(value: float, step: float) -> None:
    assert _step(value) == step


def test_notebooks_show_a_plot_as_a_picture() -> None:
    svg = columns("one", "x", {"one": [1]})
    assert re.fullmatch(r"<Svg of [\d,]+ characters>", repr(svg))
    assert svg._repr_html_() == f"<div>{svg}</div>"


def test_scale_of_counts_has_whole_numbers() -> None:
    svg = columns("lost", "moves", {"fatal moves": [0, 1, 0]})
    assert {"0", "1"} <= set(texts(svg))
    assert not [text for text in texts(svg) if "." in text]


def test_widest_number_beside_the_columns_has_a_margin() -> None:
    svg = columns("score", "games", {"score": [400_000, 0]})
    (place,) = re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>400,000<', svg)
    size = float(re.findall(r'font-size="([\d.]+)"', svg)[0])
    assert float(place) > 0.62 * size * len("400,000")
