"""Snapshots of boards in the browser. `pytest --snapshot-update` takes them again; look at them.

Compared is what is drawn, by shapes, places and the colours that the browser has made of them, not pixels: those differ
between browsers.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
on_desktop = pytest.mark.parametrize("page", ["desktop"], indirect=True)

BOARDS = {
    "robots": ("robots/races", 9),
    "shiftit": ("shiftit/boards", 12),
    "sokoban": ("sokoban/bombs", 3),
    "twenty48": ("twenty48/positions", 4),
    "lights_out": ("lights_out/first", 2),
}


@on_desktop
@pytest.mark.parametrize("game", list(BOARDS))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_board_text_matches_snapshot(page: Any, snapshot: Any, game: str, theme: Any) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    pack, level = BOARDS[game]
    driver.begin(page, pack=pack, level=level)
    driver.settled(page)
    assert driver.board_text(page) == snapshot


@on_desktop
def test_board_after_moves_is_the_same_when_loaded_again(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    driver.keys(page, "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", moves=4)
    driver.settled(page)
    moved = driver.board_text(page)
    page.reload()
    driver.shown(page)
    driver.settled(page)
    assert _in_cells(driver.board_text(page)) == _in_cells(moved)


def _in_cells(text: str) -> list[str]:
    """The same with the shapes in the place of their names, which follow the order of cells."""
    lines = text.splitlines()
    names = dict(line.split(": ", 1) for line in lines if line.startswith("piece"))
    cells = [line.split(": ", 1) for line in lines if line[0].isdigit() or line[0] == "-"]
    return sorted(f"{cell} {[names[name] for name in there.split(', ')]}" for cell, there in cells)


@on_desktop
def test_walls_are_drawn_row_by_row_after_a_bomb(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs")
    driver.set_off_bomb(page)
    driver.settled(page)
    places = page.evaluate(
        r"""() => {
          const ground = document.querySelector(".stage .piece").parentElement;
          return [...ground.children].map(({ style }) => style.transform.match(/\d+/g).map(Number).reverse());
        }"""
    )
    assert len(places) == 35
    assert places == sorted(places)
