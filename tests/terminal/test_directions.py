"""Arrows in the full screen: in directions of the board, or of the actor that is played."""

from __future__ import annotations

from functools import partial

import pytest
from tests.terminal.apps import make_app, table_of

import gridproof as gp
from gridproof.games.robots import Position
from gridproof.table.table import Table
from gridproof.terminal.game_screen import GameScreen

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

TWO = gp.read(
    "robots 5x3\na: rule=A rotation=180\nb: rule=B rotation=0\nboard:\n. . . . A\na . . . .\nb . . . B\n"
)


def _cell(table: Table, robot: str) -> tuple[int, int]:
    position = table.session.position
    assert isinstance(position, Position)
    return position.cell(robot)


async def test_arrow_moves_on_the_board_until_the_own_directions_are_chosen() -> None:
    async with make_app(TWO).run_test() as pilot:
        cell = partial(_cell, table_of(pilot))
        await pilot.press("right")
        assert cell("a") == (1, 1)
        screen = pilot.app.screen
        assert isinstance(screen, GameScreen)
        screen.toggle_directions()
        await pilot.press("right")
        assert cell("a") == (0, 1)
        screen.toggle_directions()
        await pilot.press("right")
        assert cell("a") == (1, 1)
