"""Terminals of all kinds: without colours, and narrow ones."""

from __future__ import annotations

from typing import Any

import pytest
from rich.segment import Segment
from tests.terminal.apps import make_app
from textual.pilot import Pilot
from textual.widgets import DataTable

import gridproof as gp
from gridproof.core.look import Piece
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.cells import Canvas, draw_cell
from gridproof.terminal.cursor import PATH_PIECE
from gridproof.terminal.widgets import KeyFooter

pytestmark = pytest.mark.asyncio


def _segments(pilot: Pilot[Any]) -> list[Segment]:
    """Return the output of the screen."""
    return [segment for line in pilot.app.screen._compositor.render_strips() for segment in line]


@pytest.mark.slow
async def test_colours_are_not_sent_and_selection_is_inverse_without_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = GridproofApp()
    async with app.run_test() as pilot:
        await pilot.press("down")
        await pilot.pause()
        sent = _segments(pilot)
        assert not [one for one in sent if one.style and (one.style.color or one.style.bgcolor)]
        assert [one.text.strip() for one in sent if one.style and one.style.reverse and one.text.strip()] == [
            "Extended Sokoban"
        ]


async def test_dialogs_are_as_grey_as_boards_in_256_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dark grey with a little blue is the navy blue of those terminals."""
    monkeypatch.delenv("COLORTERM")
    theme = GridproofApp().current_theme
    assert theme.surface is not None
    assert theme.panel is not None
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in (theme.surface, theme.panel))


async def test_path_marks_hide_no_pieces_in_letters() -> None:
    canvas = Canvas(3, 1, "dark", "#000000", letters=True)
    floor, box = Piece("floor", " ", "floor", ("floor",)), Piece("box", "$", "box", ("brown",))
    ((on_box,),) = draw_cell((floor, box, PATH_PIECE), canvas)
    ((on_floor,),) = draw_cell((floor, PATH_PIECE), canvas)
    assert (on_box.text, on_floor.text) == (" $ ", " · ")
    assert on_box.style is not None
    assert on_box.style.reverse


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 80, 120])
async def test_footer_cuts_off_no_key(width: int) -> None:
    async with make_app(gp.levels_at("robots/races/1")).run_test(size=(width, 24)) as pilot:
        await pilot.pause()
        keys = pilot.app.screen.query_one(KeyFooter).children
        assert keys
        assert all(key.virtual_region.right <= width for key in keys)


@pytest.mark.long
async def test_level_table_omits_columns_that_do_not_fit() -> None:
    levels = gp.levels_at("sokoban/first-steps")
    for width, columns in ((100, 5), (80, 5), (40, 4)):
        async with make_app(levels).run_test(size=(width, 24)) as pilot:
            await pilot.press("f5")
            await pilot.pause()
            await pilot.pause()
            listed = pilot.app.screen.query_one(DataTable)
            assert (len(listed.columns), listed.max_scroll_x) == (columns, 0)
