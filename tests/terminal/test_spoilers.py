"""The ladder of spoilers, and the list of moves with its marks."""

from __future__ import annotations

import pytest
from tests.table.test_status import FIFTY_PERCENT
from tests.terminal.apps import board, make_app, message_text, table_of, wait_for_job
from tests.terminal.test_badge import app_with
from textual.pilot import Pilot
from textual.widgets import OptionList

import gridproof as gp
from gridproof.table.move_list import ListedMove
from gridproof.terminal.move_list_view import MoveListView, wrap_moves
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.spoiler_dialog import LADDER, SpoilerDialog

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]

CORRIDOR = "########\n#@  $ .#\n########\n"
CORRIDOR_OF_TWO = "########\n#@  $ .#\n######*#\n########\n"
ROBOTS = "robots 4x2\na: rule=A rotation=90\nb: rule=B rotation=0\nboard:\na . . A\nb . . B\n"


async def _choose(pilot: Pilot[None], rung: int) -> str:
    """Choose a rung of the ladder, and return what is said."""
    await pilot.press("f9", *["down"] * rung, "enter")
    await pilot.pause()
    await wait_for_job(pilot)
    return message_text(pilot)


@pytest.mark.long
async def test_ladder_tells_more_with_each_rung() -> None:
    async with make_app(gp.read(CORRIDOR_OF_TWO)).run_test() as pilot:
        assert await _choose(pilot, 0) == "Look at the box in row 2, column 5."
        assert set(board(pilot).marked_places) == {(4, 1)}
        assert await _choose(pilot, 1) == "Hint: go right (4 moves to the win)"
        said = "Next: go right, then go right, then go right (4 moves to the win)"
        assert await _choose(pilot, 2) == said
        assert (await _choose(pilot, 3)).endswith("fewest possible: right 4 times")
        assert table_of(pilot).session.is_helped()
        await _choose(pilot, 4)
        assert isinstance(pilot.app.screen, ReplayScreen)


async def test_hint_is_gone_when_its_position_is_left() -> None:
    async with make_app(gp.read(CORRIDOR)).run_test() as pilot:
        await pilot.press("right")
        await _choose(pilot, 1)
        assert message_text(pilot).startswith("Hint: go right")
        await pilot.press("u")
        assert not message_text(pilot)


async def test_ladder_is_shorter_in_a_game_whose_hints_are_advice() -> None:
    async with make_app(gp.levels_at("twenty48/standard/1")).run_test() as pilot:
        await pilot.press("f9")
        assert isinstance(pilot.app.screen, SpoilerDialog)
        rungs = pilot.app.screen.query_one(OptionList)
        names = [rungs.get_option_at_index(number).id for number in range(rungs.option_count)]
        assert names == [command for command, _ in LADDER if command not in ("nudge", "hint 3", "solve")]
        await pilot.press("escape")
        assert not table_of(pilot).session.is_helped()


async def test_hints_of_robots_are_in_the_chosen_directions() -> None:
    async with make_app(gp.read(ROBOTS)).run_test() as pilot:
        assert (await _choose(pilot, 1)).startswith("Hint: a steps right (")
        app = pilot.app
        (choice,) = [one for one in app.get_system_commands(app.screen) if one.title == "Directions"]
        choice.callback()
        await pilot.pause()
        assert message_text(pilot) == "Directions are those of your piece: ahead, to its left."
        assert (await _choose(pilot, 1)).startswith("Hint: a steps to its left (")
        await pilot.press("right")
        assert message_text(pilot) == "a: May I step ahead? No: a robot is in the way."


def _moves(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one(MoveListView).content)


async def test_list_of_moves_marks_moves_that_lost_the_win_or_cost_extra() -> None:
    app, proving = app_with("always")
    async with app.run_test(size=(100, 30)) as pilot:
        proving.answer()
        await pilot.press("right")
        proving.answer()
        await pilot.pause()
        assert _moves(pilot) == "1 right +2\n+1, +2: extra moves"
        await pilot.press("left", "down", "down")
        proving.answer()
        await pilot.pause()
        assert _moves(pilot) == "1 right +2  2 left\n3 down  4 down ✕\n+1, +2: extra moves"
        await pilot.press("u")
        assert _moves(pilot) == "1 right +2  2 left\n3 down  4 down\n+1, +2: extra moves"
        (choice,) = [one for one in app.get_system_commands(app.screen) if one.title == "Proofs: off"]
        choice.callback()
        await pilot.pause()
        assert "+2" not in _moves(pilot)


async def test_list_of_moves_marks_the_move_since_which_it_is_dead() -> None:
    app, proving = app_with("request")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("down", "down")
        proving.answer()
        assert _moves(pilot) == "1 down  2 down"
        await pilot.press("f7")
        proving.answer()
        await pilot.pause()
        assert _moves(pilot) == "1 down  2 down ✕"


async def test_list_of_moves_says_that_bad_luck_lost_the_win() -> None:
    app, proving = app_with("always", levels=gp.read(FIFTY_PERCENT))
    async with app.run_test(size=(100, 30)) as pilot:
        proving.answer()
        await pilot.press("up")
        proving.answer()
        proving.answer()  # since when
        await pilot.pause()
        assert _moves(pilot) == "1 up bad luck"


async def test_commands_watch_only_programs_that_can_play_the_board() -> None:
    app = make_app(gp.read("2048 3x3 target=64\n"))
    async with app.run_test(size=(100, 30)):
        titles = {one.title for one in app.get_system_commands(app.screen)}
    assert {"Watch network", "Watch snake"} & titles == {"Watch snake"}


async def test_list_of_moves_is_left_to_the_log_when_there_are_several_actors() -> None:
    async with make_app(gp.read(ROBOTS)).run_test(size=(100, 30)) as pilot:
        assert not pilot.app.screen.query_one(MoveListView).display


async def test_narrow_terminal_leaves_the_room_of_the_list_to_the_board() -> None:
    async with make_app(gp.read(CORRIDOR)).run_test(size=(40, 20)) as pilot:
        assert not pilot.app.screen.query_one(MoveListView).display
        assert board(pilot).size.height > 10


@pytest.mark.long
async def test_long_list_of_moves_shows_the_current_one() -> None:
    moves = [ListedMove(number, "up", number <= 50) for number in range(1, 101)]
    lines, at = wrap_moves(moves, 24, 50)
    assert all(len(line) <= 24 for line in lines)
    assert "50 up" in lines[at].plain
    assert wrap_moves([], 24, 0)[1] == 0
    async with make_app(gp.read(CORRIDOR)).run_test(size=(80, 24)) as pilot:
        await pilot.press(*["right", "left"] * 30)
        assert "60 left" in _moves(pilot)
        assert "\n1 right" not in _moves(pilot)
