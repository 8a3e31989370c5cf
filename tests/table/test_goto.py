"""Tests of the command that goes to a position of the game."""

from __future__ import annotations

import pytest
from tests.table.tables import refusal, table_of

import gridproof as gp

CORRIDOR = "########\n#@   $.#\n########\n"


def test_goto_goes_back_and_on_and_keeps_what_can_be_redone() -> None:
    table = table_of(gp.read(CORRIDOR))
    table.begin()
    for _ in range(3):
        table.do("right")
    table.do("goto 1")
    assert (table.session.actions_done, table.session.actions_undone) == (1, 2)
    table.do("goto 3")
    assert (table.session.actions_done, table.session.actions_undone) == (3, 0)
    assert table.do("goto 3") == ()
    table.typed("goto 0")
    assert (table.session.actions_done, table.session.actions_undone) == (0, 3)


@pytest.mark.parametrize("argument", ["", "4", "-1", "x"])
def test_goto_refuses_what_is_no_position_of_the_game(argument: str) -> None:
    table = table_of(gp.read(CORRIDOR))
    table.begin()
    for _ in range(3):
        table.do("right")
    assert refusal(table.do(f"goto {argument}"))
    assert table.session.actions_done == 3
