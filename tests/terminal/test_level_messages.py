"""Messages of a level end with it; ends, hints and help of the full screen."""

from __future__ import annotations

import pytest
from tests.table.games import TWO_LEVELS
from tests.terminal.apps import make_app, message_text, table_of, until, wait_for_job
from textual.widgets import DataTable, OptionList, RichLog, Static

import gridproof as gp
from gridproof.core.position import Position
from gridproof.prove.position_status import Badge
from gridproof.table.messages import Solved
from gridproof.table.status import NOTHING_PROVED
from gridproof.terminal.app import GridproofApp
from gridproof.terminal.help_screen import HelpScreen
from gridproof.terminal.keys import COMMANDS_HERE
from gridproof.terminal.result_screen import ResultScreen

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


def _log(pilot: object) -> str:
    log = pilot.app.screen_stack[1].query_one("#log", RichLog)  # type: ignore[attr-defined]
    return "\n".join(line.text for line in log.lines)


async def test_next_level_clears_hint_and_solution() -> None:
    async with make_app(gp.read(TWO_LEVELS)).run_test(size=(120, 40)) as pilot:
        await pilot.press("f3")
        await wait_for_job(pilot)
        await pilot.press("f2")
        await pilot.pause()
        assert "1 move" in _log(pilot)
        assert "Hint" in message_text(pilot)
        await pilot.press("pagedown")
        await pilot.pause()
        assert table_of(pilot).session.current == 1
        assert ("1 move, the" in _log(pilot), "Hint" in _log(pilot), message_text(pilot)) == (
            False,
            False,
            "",
        )


async def test_result_of_single_level_offers_replay_first() -> None:
    async with make_app(gp.read(TWO_LEVELS)[:1]).run_test() as pilot:
        await pilot.press("right")
        assert isinstance(pilot.app.screen, ResultScreen)
        offered = [option.id for option in pilot.app.screen.query_one(OptionList).options]
        assert offered[:2] == ["restart", "watch"]
        assert offered[-1] == "menu"
        await pilot.press("enter")
        await pilot.pause()
        assert table_of(pilot).session.actions_done == 0


async def test_proof_command_reports_unknown_status() -> None:
    async with make_app(gp.levels_at("twenty48/standard/1")).run_test() as pilot:
        lookout = table_of(pilot).status
        lookout.is_requested, lookout._badge_place, lookout._badge = (
            True,
            lookout.place,
            Badge(complete=True),
        )
        pilot.app.screen.query_one("#badge").show()  # type: ignore[attr-defined]
        assert str(pilot.app.screen.query_one("#badge", Static).content) == NOTHING_PROVED


async def test_help_scrolls_to_its_end_when_first_opened() -> None:
    for name in ("robots/races/1", "twenty48/standard/1", "shiftit/boards/1"):
        async with make_app(gp.levels_at(name)).run_test(size=(80, 24)) as pilot:
            await pilot.press("f1")
            listed = pilot.app.screen.query_one(DataTable)
            while listed.virtual_size.height <= listed.row_count:
                await pilot.pause()
            assert listed.size.height >= 10
            listed.move_cursor(row=listed.row_count - 1)
            while listed.scroll_offset.y != listed.max_scroll_y:
                await pilot.pause()
            last = listed.size.height - 1
            assert "more: themes" in "".join(segment.text for segment in listed.render_line(last))


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("shiftit/boards/1", "RM(2,left) CM(3,down) as continue levels next"),
        ("robots/races/1", "continue levels next"),
        ("twenty48/standard/1", "as levels next"),
    ],
)
async def test_help_lists_what_works_on_the_level(name: str, hidden: str) -> None:
    async with make_app(gp.levels_at(name)).run_test(size=(80, 24)) as pilot:
        await pilot.press("f1")
        assert isinstance(pilot.app.screen, HelpScreen)
        rows = {row.name if row.table == COMMANDS_HERE else row.words for row in pilot.app.screen.rows}
        assert not rows & set(hidden.split())
        assert {"undo", "quit", "hint"} <= rows
        assert set(table_of(pilot).keys.values()) & set(map(str, table_of(pilot).level.all_actions())) <= rows


@pytest.mark.parametrize("name", ["null/first/2", "robots/races/1"])
async def test_help_cuts_no_word_off_when_first_opened(name: str) -> None:
    async with make_app(gp.levels_at(name)).run_test(size=(80, 24)) as pilot:
        await pilot.press("f1")
        listed = pilot.app.screen.query_one(DataTable)
        for number, column in enumerate(listed.ordered_columns):
            cells = [listed.get_row_at(row)[number].plain for row in range(listed.row_count)]
            assert not column.auto_width
            assert column.width >= max(map(len, cells))


HELPED = {
    "menu": ((), None),
    "open": (("o",), None),
    "paste": (("p",), None),
    "levels": (("f5",), "sokoban/first-steps"),
    "filter": (("f5", "slash"), "sokoban/first-steps"),
    "replay": (("f4",), "sokoban/first-steps"),
    "type": (("colon",), "sokoban/first-steps"),
    "race": (("f6",), "robots/races/1"),
    "result": (("right", "right"), "one push"),
    **{name: ((), name) for name in ("robots/races/1", "shiftit/boards/1", "lights_out/first/1")},
}


@pytest.mark.parametrize("name", HELPED)
async def test_help_of_every_screen_fits_or_scrolls_with_a_bar(name: str) -> None:
    keys, reference = HELPED[name]
    if reference is None:
        app = GridproofApp()
    else:
        app = make_app(gp.read("#####\n#@$.#\n#####") if name == "result" else gp.levels_at(reference))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        before = app.screen
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is not before)
        await pilot.pause()
        (dialog,) = app.screen.query(".dialog")
        assert dialog.region.bottom <= 24
        scrolling = [one for one in (dialog, *dialog.query("*")) if one.is_scrollable and one.max_scroll_y]
        assert all(one.show_vertical_scrollbar for one in scrolling)
        cut = [one for one in dialog.children if one.region.bottom > dialog.content_region.bottom]
        assert not cut or dialog in scrolling


async def test_solution_of_random_game_names_luck() -> None:
    position: Position[object] = gp.levels_at("twenty48/standard/1")[0].start(1)
    steps = []
    at = position
    for _ in range(40):
        action = at.actions()[0]
        outcome = next(iter(at.outcomes(action)))
        steps.append(gp.Step(action, outcome.label))
        at = outcome.position
    words = Solved(gp.Trace(position, tuple(steps)), fewest=False).words()
    assert words.startswith(
        "This game is random, so no list of actions is sure to win. With luck, 40 moves: "
    )
    assert words.endswith(" ...")
    assert len(words) < 200
