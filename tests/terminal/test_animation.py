"""Moving pieces slide, and the next key does not wait for them."""

from __future__ import annotations

import pytest
from tests.table.tables import table_of
from tests.terminal.apps import board, make_app, until
from tests.terminal.apps import table_of as table_in

import gridproof as gp
from gridproof.core.look import Motion, board_text
from gridproof.table.messages import Board
from gridproof.terminal.animation import PositionFrame, SlideFrame, add_slides, scenes_of
from gridproof.terminal.result_screen import ResultScreen

LEVEL = "#######\n#@$  .#\n#######"


def test_push_is_animated() -> None:
    told = table_of(gp.read(LEVEL)).do("right")
    first, second, then, last = add_slides(told, scenes_of(told))
    assert isinstance(first, SlideFrame)
    assert isinstance(second, SlideFrame)
    assert first.part < second.part
    moved = {(motion.pieces[0].name, motion.origin, motion.to) for motion in first.motions}
    assert moved == {("player", (1, 1), (2, 1)), ("box", (2, 1), (3, 1))}
    assert isinstance(then, PositionFrame)
    assert isinstance(last, Board)


@pytest.mark.parametrize(
    "reference", ["shiftit/boards/3", "twenty48/positions/4", "robots/races", "null/first/2"]
)
def test_motions_are_found_in_every_game(reference: str) -> None:
    table = table_of(gp.levels_at(reference), seed=1)
    told = table.do(str(table.session.position.actions()[0]))
    assert any(isinstance(scene, SlideFrame) for scene in add_slides(told, scenes_of(told)))


@pytest.mark.slow
@pytest.mark.asyncio
async def test_board_is_current_after_interrupted_animation() -> None:
    app = make_app(gp.read(LEVEL))
    app.settings.motion = True
    async with app.run_test() as pilot:
        await pilot.press("right", "right", "left")
        position = table_in(pilot).session.position
        look = position.level.game.look
        while board_text(board(pilot).board) != board_text(look.board(position)):
            await pilot.pause(0.005)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_sliding_pieces_are_drawn_over_the_board_and_its_edge() -> None:
    app = make_app(gp.levels_at("shiftit/boards/3"))
    async with app.run_test() as pilot:
        view = board(pilot)
        shown = view.board
        pile = shown[0][0]
        for part in (0.0, 0.4, 1.0):
            view.slide(shown, [Motion(pile, (0, 0), (-1, 0)), Motion(pile, (view.columns, 0), (0, 0))], part)
            await pilot.pause()
            widths = {view.render_line(line).cell_length for line in range(view.size.height)}
            assert widths == {view.size.width}


@pytest.mark.slow
@pytest.mark.asyncio
async def test_fireworks_end_when_game_continues_after_win() -> None:
    app = make_app(gp.read(LEVEL))
    app.settings.motion = True
    async with app.run_test() as pilot:
        view = board(pilot)
        await pilot.press("right", "right", "right")
        await until(pilot, lambda: isinstance(app.screen, ResultScreen) and view._sparks)
        app.screen.dismiss(None)
        await until(pilot, lambda: app.screen is view.screen)
        await until(pilot, lambda: not view._sparks)
