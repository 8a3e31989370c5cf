"""A game in the full screen: keys, mouse, commands, hints, ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.table.games import TWO_LEVELS
from tests.terminal.apps import (
    board,
    is_playing,
    make_app,
    message_text,
    on_board,
    table_of,
    until,
    wait_for_job,
)
from textual.widgets import DataTable, Label, Static

import gridproof as gp
from gridproof.table.replay import Replay
from gridproof.terminal.help_screen import HelpScreen
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import ResultScreen

pytestmark = pytest.mark.asyncio


def _sokoban() -> gp.Pack:
    return gp.read(TWO_LEVELS)


@pytest.mark.slow
async def test_keys_act_undo_redo_and_restart() -> None:
    async with make_app(gp.levels_at("null/first/2"), seed=1).run_test() as pilot:
        session = table_of(pilot).session
        done = []
        for key in ("right", "d", "l", "u", "y", "ctrl+r", "y", "backspace"):
            await pilot.press(key)
            done.append(session.actions_done)
        assert done == [1, 2, 3, 2, 3, 0, 1, 0]


@pytest.mark.slow
async def test_refusal_is_shown_below_the_board() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("up")
        assert message_text(pilot) == "up: a wall is in row 1, column 2"
        assert not pilot.app.screen.query_one("#message").has_class("-error")


@pytest.mark.slow
async def test_win_shows_result_and_leads_to_next_level() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("right")
        assert isinstance(pilot.app.screen, ResultScreen)
        await pilot.press("enter")
        assert is_playing(pilot)
        assert table_of(pilot).session.current == 1
        assert board(pilot).columns == 6
        await pilot.press("right", "right")
        assert isinstance(pilot.app.screen, ResultScreen)
        await pilot.press("down", "enter")  # watch it again
        assert isinstance(pilot.app.screen, ReplayScreen)


@pytest.mark.slow
async def test_click_walks_and_drag_pushes_a_box() -> None:
    levels = gp.read("#######\n#@    #\n# $   #\n#    .#\n#######")
    async with make_app(levels).run_test() as pilot:
        session = table_of(pilot).session
        await pilot.click("#board", offset=on_board(pilot, (4, 1)))
        assert session.actions_done == 3
        await pilot.mouse_down("#board", offset=on_board(pilot, (2, 2)))
        await pilot.hover("#board", offset=on_board(pilot, (4, 2)))
        await pilot.mouse_up("#board", offset=on_board(pilot, (4, 2)))
        assert [len(line.split("$")[0]) for line in session.position.text().splitlines() if "$" in line] == [
            4
        ]


async def test_hover_shows_the_path_of_a_click() -> None:
    async with make_app(gp.read("#######\n#@  $.#\n#######")).run_test() as pilot:
        await pilot.hover("#board", offset=on_board(pilot, (3, 1)))
        await pilot.pause()
        assert {*board(pilot).marked_places} == {(1, 1), (2, 1), (3, 1)}


NEW_GAME = "Once more to confirm: start a new game; this one ends."


def _bomb_level() -> gp.Pack:
    return gp.read("#######\n#@  #.#\n# $ # #\n#######\nBombs: 1\n")


@pytest.mark.slow
async def test_bomb_shows_its_effect_at_the_first_press_and_goes_off_at_the_second() -> None:
    async with make_app(_bomb_level()).run_test() as pilot:
        session = table_of(pilot).session
        await pilot.press("b")
        assert message_text(pilot) == "Once more to confirm: set off a bomb."
        assert {*board(pilot).marked_places} == {(1, 0), (1, 3), (0, 1), (4, 1), (6, 1)}
        await pilot.press("up")  # refused, but the question is answered
        assert not board(pilot).marked_places
        await pilot.press("b")
        assert session.actions_done == 0
        await pilot.press("b")
        assert session.actions_done == 1
        await pilot.press("u", "b")
        assert session.actions_done == 0


@pytest.mark.slow
async def test_new_game_ends_another_at_the_second_press() -> None:
    async with make_app(gp.read("#######\n#@  $.#\n#######")).run_test() as pilot:
        session = table_of(pilot).session
        await pilot.press("n")
        assert message_text(pilot) != NEW_GAME
        await pilot.press("right", "n")
        assert message_text(pilot) == NEW_GAME
        assert session.actions_done == 1
        await pilot.press("right", "n")
        assert session.actions_done == 2
        await pilot.press("n")
        assert session.actions_done == 0


@pytest.mark.slow
async def test_bomb_below_the_board_goes_off_at_the_second_click() -> None:
    async with make_app(_bomb_level()).run_test() as pilot:
        session = table_of(pilot).session
        bomb = (0, board(pilot).rows)
        assert bomb in board(pilot).handle_places
        await pilot.click("#board", offset=on_board(pilot, bomb))
        assert session.actions_done == 0
        await pilot.click("#board", offset=on_board(pilot, bomb))
        assert session.actions_done == 1


@pytest.mark.slow
async def test_lines_are_shifted_by_handles_drag_and_cursor() -> None:
    async with make_app(gp.levels_at("shiftit/boards/3")).run_test() as pilot:
        session = table_of(pilot).session
        start = session.position
        view = board(pilot)
        handle = next(place for place in view.handle_places if place[0] == view.columns)
        await pilot.click("#board", offset=on_board(pilot, handle))
        assert session.actions_done == 1
        await pilot.press("u", "shift+right")  # the cursor comes to the middle, and drags
        assert session.actions_done == 1
        await pilot.press("u")
        assert session.position == start


@pytest.mark.slow
async def test_cursor_says_what_it_is_for_when_it_appears() -> None:
    async with make_app(gp.levels_at("shiftit/boards/3")).run_test() as pilot:
        await pilot.press("right")
        assert message_text(pilot).startswith("Enter clicks in the frame")


@pytest.mark.slow
async def test_command_without_use_now_is_no_error() -> None:
    async with make_app(gp.levels_at("null/first/2")).run_test() as pilot:
        await pilot.press("colon", *"undo", "enter", "escape", "f8")
        await pilot.pause()
        assert message_text(pilot)
        assert not pilot.app.screen.query_one("#message").has_class("-error")


@pytest.mark.slow
async def test_help_lists_keys_of_the_screen_that_are_of_use() -> None:
    for reference, has_races in (("robots/races/1", True), ("shiftit/boards/3", False)):
        async with make_app(gp.levels_at(reference)).run_test() as pilot:
            await pilot.press("question_mark")
            listed = pilot.app.screen.query_one(DataTable)
            lines = [
                " ".join(cell.plain for cell in listed.get_row_at(row)) for row in range(listed.row_count)
            ]
            assert "F9 choose how much of a solution to tell" in lines
            assert ("F6 watch a race of programs" in lines) == has_races


@pytest.mark.slow
async def test_hint_tells_more_each_time_and_solution_is_replayed() -> None:
    async with make_app(gp.levels_at("shiftit/boards/3")).run_test() as pilot:
        for start in ("Look at ", "Hint: ", "Next: "):
            await pilot.press("i")
            await pilot.pause()
            assert message_text(pilot).startswith(start)
        assert board(pilot).marked_places
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReplayScreen)
        await pilot.press("escape")
        assert is_playing(pilot)


@pytest.mark.slow
async def test_job_result_is_shown_when_done() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("f3")
        await wait_for_job(pilot)
        assert message_text(pilot) == "1 move, the fewest possible: right"


@pytest.mark.slow
async def test_next_action_cancels_running_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.table.jobs.Job.start", lambda job, then: None)  # it never ends by itself
    async with make_app(gp.read("#######\n#@ $ .#\n#######")).run_test() as pilot:
        await pilot.press("i")
        job = table_of(pilot).job
        assert job is not None
        await pilot.press("right")
        assert job.is_cancelled
        await pilot.press("i")
        second = table_of(pilot).job
        assert second is not None
        await pilot.press("escape")
        assert second.is_cancelled
        assert (message_text(pilot), is_playing(pilot)) == ("Stopped.", True)


@pytest.mark.slow
async def test_keys_set_in_help_work_at_once() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        rows = pilot.app.screen.rows
        row = next(place for place, one in enumerate(rows) if one.words == "right")
        await pilot.press(*["down"] * row, "enter", "e", "escape", "e")
        assert isinstance(pilot.app.screen, ResultScreen)


@pytest.mark.slow
async def test_help_leads_to_the_rules_of_games_that_have_a_lesson() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("question_mark", "r")
        shown = " ".join(str(one.content) for one in pilot.app.screen.query(Static))
        assert "Push, never pull" in shown
        await pilot.press("escape", "escape")
        assert is_playing(pilot)
    async with make_app(gp.levels_at("null/first/2")).run_test() as pilot:
        await pilot.press("question_mark", "r")
        assert isinstance(pilot.app.screen, HelpScreen)


@pytest.mark.slow
async def test_help_is_complete_on_narrow_screen() -> None:
    async with make_app(_sokoban()).run_test(size=(40, 20)) as pilot:
        await pilot.press("question_mark")
        listed = pilot.app.screen.query_one(DataTable)

        def broken() -> bool:
            rows = (one for one in listed.ordered_rows if listed.get_row(one.key)[0].plain.startswith("Back"))
            return next(rows).height > 1

        await until(pilot, broken)
        for size, looked_for in (((100, 20), lambda: not broken()), ((40, 20), broken)):
            await pilot.resize_terminal(*size)
            await until(pilot, looked_for)
            await pilot.pause()
            assert 0 < listed.virtual_size.width <= listed.scrollable_content_region.width


@pytest.mark.slow
async def test_level_is_selected_and_marked() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("f5")
        assert isinstance(pilot.app.screen, LevelScreen)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert table_of(pilot).session.current == 1


@pytest.mark.slow
async def test_paste_dialog_opens_levels_and_shows_errors() -> None:
    async with make_app(_sokoban()).run_test() as pilot:
        pilot.app.copy_to_clipboard("nonsense")
        await pilot.press("ctrl+v", "f5")
        assert "nonsense" in message_text(pilot) or "format" in message_text(pilot)
        pilot.app.screen.query_one("TextArea").text = "2048 2x2\n2 2\n4 2\n"  # type: ignore[attr-defined]
        await pilot.press("f5")
        await pilot.pause()
        assert is_playing(pilot)
        assert table_of(pilot).session.game.name == "twenty48"


@pytest.mark.slow
async def test_actions_and_commands_can_be_typed() -> None:
    async with make_app(gp.levels_at("null/first/2")).run_test() as pilot:
        await pilot.press("colon", *"undo", "enter")
        assert message_text(pilot) == "Nothing to undo."
        await pilot.press(*["backspace"] * 4, *"right", "enter")
        assert is_playing(pilot)
        assert table_of(pilot).session.actions_done == 1


@pytest.mark.slow
async def test_line_refused_midway_shows_messages_and_new_board() -> None:
    async with make_app(gp.read("#######\n#@    #\n# $. ##\n#######")).run_test() as pilot:
        await pilot.press("colon", *"rrlu", "enter")
        await pilot.pause()
        assert is_playing(pilot)
        assert message_text(pilot) == "3 of 4 actions done; up: a wall is in row 1, column 3"
        assert pilot.app.screen.query_one("#message").has_class("-error")
        session = table_of(pilot).session
        assert session.actions_done == 3
        assert board(pilot).board == session.game.look.board(session.position)


@pytest.mark.long
async def test_won_level_can_be_replayed() -> None:
    level = "; {}\n######\n#@ $.#\n######\n\n"
    async with make_app(gp.read("".join(map(level.format, "abc")))).run_test() as pilot:
        await pilot.press("colon", *"level 3", "enter", "right", "right")
        await pilot.press("enter", "right", "right")
        assert table_of(pilot).session.completed == (0, 2)
        assert table_of(pilot).session.current == 1
        screen = pilot.app.screen
        assert isinstance(screen, ResultScreen)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert pilot.app.screen.replay.start.level is table_of(pilot).session.levels[0]


@pytest.mark.slow
async def test_replay_names_winner_of_several() -> None:
    level = gp.read("robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . . B\n")
    session = gp.Session(level)
    session.act("b:walk(3,0)")
    async with make_app(level).run_test() as pilot:
        await pilot.app.push_screen(ReplayScreen(Replay.of(session.trace())))
        await pilot.press("end")
        assert "The winner is b." in message_text(pilot)


@pytest.mark.slow
async def test_job_result_is_dropped_when_game_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Callable[[], object]] = []
    monkeypatch.setattr("gridproof.table.jobs.Job.start", lambda job, then: ends.append(lambda: then(job)))
    async with make_app(_sokoban()).run_test() as pilot:
        await pilot.press("f3")
        pilot.app.screen.dismiss()
        await pilot.pause()
        failed: list[BaseException] = []
        _in_a_thread(ends[0], failed)
        await pilot.pause()
        assert (failed, pilot.app.is_running, is_playing(pilot)) == ([], True, False)


@pytest.mark.slow
async def test_leaving_works_while_a_player_is_watched() -> None:
    asked, going_on = threading.Event(), threading.Event()

    def steps() -> Iterator[Any]:
        asked.set()
        going_on.wait()
        yield from ()

    async with make_app(_sokoban()).run_test() as pilot:
        start = table_of(pilot).session.position
        before = {*threading.enumerate()}
        pilot.app.push_screen(ReplayScreen(Replay(start, steps(), "one who thinks")))
        await pilot.pause()
        await pilot.press("right")
        while not asked.is_set():
            await pilot.pause(0.005)
        thinking = {*threading.enumerate()} - before
        daemons = [thread.daemon for thread in thinking]
        await pilot.press("escape")
        going_on.set()
        for thread in thinking:
            thread.join()
        await pilot.pause()
        assert (daemons, is_playing(pilot)) == ([True], True)


def _in_a_thread(call: Callable[[], object], failed: list[BaseException]) -> None:
    def try_to_leave() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001  # what a thread raises is heard by nobody
            failed.append(error)

    thread = threading.Thread(target=try_to_leave)
    thread.start()
    thread.join()


@pytest.mark.slow
async def test_board_edge_numbers_rows_and_columns_from_1_at_the_upper_left() -> None:
    async with make_app(gp.levels_at("shiftit/boards/3")).run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        view = board(pilot)
        lines = ["".join(segment.text for segment in view.render_line(y)) for y in range(view.size.height)]
        seen = [line.split()[0] for line in lines if line.strip()]
        assert next(line.split() for line in lines if line.strip()) == ["1", "2"]
        assert [word for word in seen[1:] if word in ("1", "2")] == ["1", "2"]
        for place in view.handle_places:
            assert on_board(pilot, place)


@pytest.mark.slow
async def test_help_of_a_level_without_bombs_explains_none() -> None:
    async with make_app(gp.levels_at("sokoban/first-steps/1")).run_test() as pilot:
        await pilot.press("question_mark")
        headline = pilot.app.screen.query_one("#headline", Label)
        assert str(headline.content) == "Push every box onto a depot."
