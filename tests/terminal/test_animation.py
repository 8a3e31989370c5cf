"""What moves is seen on its way, and the next key does not wait for it."""

from __future__ import annotations

import pytest
from tests.play.tables import table_of
from tests.play.terminal.apps import board, playing
from tests.play.terminal.apps import table_of as table_in

import gridproof as gp
from gridproof.core.look import Motion, board_text
from gridproof.play.messages import Board
from gridproof.play.terminal.telling import Shown, Sliding, scenes, slid

LEVEL = "#######\n#@$  .#\n#######"


def test_a_push_is_seen_on_its_way() -> None:
    told = table_of(gp.read(LEVEL)).do("right")
    first, second, then, last = slid(told, scenes(told))
    assert isinstance(first, Sliding)
    assert isinstance(second, Sliding)
    assert first.part < second.part
    moved = {(motion.pieces[0].name, motion.origin, motion.to) for motion in first.motions}
    assert moved == {("player", (1, 1), (2, 1)), ("box", (2, 1), (3, 1))}
    assert isinstance(then, Shown)
    assert isinstance(last, Board)


@pytest.mark.parametrize(
    "reference", ["shiftit/boards/3", "twenty48/positions/4", "robots/races", "null/first/2"]
)
def test_every_game_says_what_moves(reference: str) -> None:
    table = table_of(gp.levels_at(reference), seed=1)
    told = table.do(str(table.session.position.actions()[0]))
    assert any(isinstance(scene, Sliding) for scene in slid(told, scenes(told)))


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_board_ends_as_it_is_whatever_was_on_its_way() -> None:
    app = playing(gp.read(LEVEL))
    app.settings.motion = True
    async with app.run_test() as pilot:
        await pilot.press("right", "right", "left")
        position = table_in(pilot).session.position
        look = position.level.game.look
        while board_text(board(pilot).board) != board_text(look.board(position)):
            await pilot.pause(0.005)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_what_moves_lies_over_the_board_also_at_its_rim() -> None:
    app = playing(gp.levels_at("shiftit/boards/3"))
    async with app.run_test() as pilot:
        view = board(pilot)
        shown = view.board
        pile = shown[0][0]
        for part in (0.0, 0.4, 1.0):
            view.slide(shown, [Motion(pile, (0, 0), (-1, 0)), Motion(pile, (view.columns, 0), (0, 0))], part)
            await pilot.pause()
            widths = {view.render_line(line).cell_length for line in range(view.size.height)}
            assert widths == {view.size.width}
