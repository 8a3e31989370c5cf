"""What the command palette lists on the screen of a game: commands, who can be watched, who can play for whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import SystemCommand

from gridproof.play.partners import BY_HAND
from gridproof.play.shows import partners, shows
from gridproof.play.terminal import badge
from gridproof.play.terminal.keys import SHOWN
from gridproof.play.terminal.race import has_races

if TYPE_CHECKING:
    from gridproof.play.terminal.playing import PlayScreen


def palette(screen: PlayScreen) -> Iterator[SystemCommand]:
    """All that can be done."""
    asking = {"help": screen.action_help, "open": screen.action_open, "save": screen.action_save}
    asking |= {"quit": screen.app.exit, "level": screen.action_type, "let": screen.action_type}
    for command in screen.table.commands:
        name, meaning = command.words[0], command.by_key
        title = SHOWN.get(name, name.capitalize())
        yield SystemCommand(title, meaning, asking.get(name) or _run(screen, name).callback)
    if has_races(screen.table):
        yield SystemCommand("Race", "who plays each of them", screen.action_race)
    yield from _players(screen)
    yield SystemCommand("Copy", "the level as text", screen.action_copy)
    yield SystemCommand("Paste", "play levels as text", screen.action_paste)
    yield SystemCommand("Type", "an action or a command by its name", screen.action_type)
    yield from badge.choices(screen)
    yield SystemCommand("Motion", "things move, or the board changes at once", screen.switch_motion)


def _players(screen: PlayScreen) -> Iterator[SystemCommand]:
    """Who can be watched, and who can play for whom."""
    table = screen.table
    game = table.session.game
    for name in shows(game):
        yield _run(screen, f"watch {name}", "see a game of its own")
    for actor in table.actors if len(table.actors) > 1 else ():
        for name in (*partners(game), BY_HAND):
            yield _run(screen, f"let {actor} {name}", f"{actor} is played by {name}")


def _run(screen: PlayScreen, command: str, meaning: str = "") -> SystemCommand:
    return SystemCommand(command.capitalize(), meaning, lambda: screen.action_run(command))
