"""After each action, the terminal shows the same as after a complete redraw."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from tests.sizes import size
from tests.table.random_player import GAMES, Player, levels_of, starts
from tests.terminal.apps import board, make_app, table_of, until
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Static

from gridproof.core.position import Position
from gridproof.core.session import Session
from gridproof.table.replay import Replay
from gridproof.table.table import Table
from gridproof.terminal.game_screen import GameScreen
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.result_screen import GO_ON, ResultScreen


def board_lines(pilot: Pilot[None]) -> list[Strip]:
    """Return the lines of the board."""
    view = board(pilot)
    return [view.render_line(line) for line in range(view.size.height)]


def counts(pilot: Pilot[None]) -> list[Any]:
    """Return the counts and the title of the sidebar."""
    screen = pilot.app.screen
    line, title = (str(screen.query_one(name, Static).content) for name in ("#line", "#title"))
    return [line, title]


def check(pilot: Pilot[None], position: Position[Any], after: object) -> None:
    """Compare the board with the position's, and its lines with those of a fresh drawing."""
    view = board(pilot)
    assert view.board == position.level.game.look.board(position), after
    shown = board_lines(pilot)
    view.notify_style_update()
    assert board_lines(pilot) == shown, after


async def check_all(pilot: Pilot[None], session: Session, after: object) -> None:
    """Compare the screen with a new one."""
    await pilot.pause()
    shown = board_lines(pilot), counts(pilot)
    await pilot.app.push_screen(GameScreen(Table(session.copy())))
    await pilot.pause()
    if isinstance(pilot.app.screen, ResultScreen):  # it opens at once over a position that is won
        pilot.app.screen.dismiss(GO_ON)
        await pilot.pause()
    assert (board_lines(pilot), counts(pilot)) == shown, after
    pilot.app.pop_screen()
    await pilot.pause()


async def do(pilot: Pilot[None], screen: GameScreen, texts: list[str]) -> None:
    """Do something, and wait until all of it was shown."""
    for text in texts:
        screen.do(partial(screen.table.do, text))
    while screen._scenes or pilot.app.screen is not screen:
        if isinstance(pilot.app.screen, ResultScreen):
            pilot.app.screen.dismiss(GO_ON)
        await pilot.pause(0.01)


async def watch(pilot: Pilot[None], session: Session) -> None:
    """Watch the game to its end, and go some steps back; compare each position with the rules."""
    shown, replay = board_lines(pilot), Replay.of(session.trace())
    await pilot.app.push_screen(ReplayScreen(replay))
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen)
    screen.action_end()
    await until(pilot, lambda: not screen.is_busy)
    await pilot.pause()
    assert board(pilot).board == session.position.level.game.look.board(session.position)
    for position in session.history[:5]:
        assert board(pilot).board == position.level.game.look.board(position)
        screen.action_back()
    pilot.app.pop_screen()
    await pilot.pause()
    assert board_lines(pilot) == shown


async def play(start: dict[str, str], count: int, seed: int) -> None:
    """Do `count` actions, and compare after each."""
    levels, luck = levels_of(start), random.Random(seed)
    player, app = Player(levels, luck), make_app(levels, seed=seed)
    async with app.run_test() as pilot:
        session, screen = table_of(pilot).session, app.screen
        assert isinstance(screen, GameScreen)
        for number in range(count):
            app.settings.motion = number % 10 == 0
            texts = [text for text in player.next(session) if text != "hint"]
            await do(pilot, screen, texts)
            check(pilot, session.position, texts)
            if number % 50 == 0:
                await check_all(pilot, session, texts)
        await watch(pilot, session)


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.parametrize("game", GAMES)
async def test_terminal_shows_what_a_fresh_draw_shows(game: str) -> None:
    await play(starts(game)[-1], 50, seed=1)


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.parametrize("game", GAMES)
async def test_terminal_shows_what_a_fresh_draw_shows_after_many_actions(game: str) -> None:
    found = starts(game)
    for seed, start in enumerate(found):
        await play(start, -(-size("actions", 200) // len(found)), seed)
