"""Menu: continue a saved game, or choose a game."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from gridproof.core.errors import GridproofError
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.text import recognition
from gridproof.core.text.display import error_text, mask_unprintable, printable, sentence
from gridproof.core.text.level_lookup import levels_at, resolve_pack
from gridproof.core.text.pack import Pack
from gridproof.core.trace import find_trace
from gridproof.table.game_store import SavedGame, unfinished_games
from gridproof.table.menu import GameEntry, games_to_play
from gridproof.table.replay import Replay
from gridproof.terminal.base_app import AppScreen
from gridproof.terminal.dialogs import OpenDialog, PasteDialog
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.level_preview import Preview
from gridproof.terminal.level_screen import LevelScreen
from gridproof.terminal.puzzle_dialog import DailyDialog, NewPuzzleDialog, PuzzleDialog
from gridproof.terminal.replay_screen import ReplayScreen
from gridproof.terminal.widgets import Choices, KeyFooter

MAX_UNFINISHED = 5
"""Largest number of saved games in the menu; the others are in the list of their levels."""


class PuzzleEntry(NamedTuple):
    """An entry of the menu that leads to a puzzle."""

    title: str
    meaning: str
    dialog: Callable[[], PuzzleDialog]


PUZZLES = {
    "daily": PuzzleEntry("Puzzle of the day", "One for each game, the same for all.", DailyDialog),
    "new": PuzzleEntry(
        "New puzzle", "Fresh puzzles without end, by game, size and difficulty.", NewPuzzleDialog
    ),
}
"""Entries of the menu that lead to puzzles, by name."""


class StartMenu(Choices):
    """Games to play."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play")]


class StartScreen(AppScreen[None]):
    """The first screen, to which all others lead back."""

    AUTO_FOCUS = "#choices"
    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        Binding("q", "app.quit", "Quit"),
        Binding("o,ctrl+o", "open", "Open"),
        Binding("p,ctrl+v", "paste", "Paste"),
        Binding("slash", "find", "Find", tooltip="find a level of any game"),
        Binding("t", "app.change_theme", "Theme"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._unfinished: dict[str, SavedGame] = {}
        self._games: dict[str, GameEntry] = {}

    def compose(self) -> ComposeResult:
        """Lay out choices, and a picture beside them."""
        yield Static("gridproof", id="brand")
        with Horizontal(id="stage"):
            with Vertical(id="menu"):
                yield StartMenu(id="choices")
                yield Static(id="message", markup=False)
            yield Preview(id="preview")
        yield KeyFooter()

    def on_screen_resume(self) -> None:
        """Show the saved games, which may have changed."""
        menu = self.query_one("#choices", StartMenu)
        chosen = menu.highlighted_option
        menu.clear_options()
        games = self._game_options()
        menu.add_options([*self._unfinished_options(), *games, None, *_puzzle_options()])
        ids = [option.id for option in menu.options]
        menu.highlighted = ids.index(chosen.id) if chosen and chosen.id in ids else 0

    def _unfinished_options(self) -> list[Option | None]:
        store = self.owner.store
        try:
            saved = [*itertools.islice(unfinished_games(store), MAX_UNFINISHED)] if store else []
        except GridproofError as error:
            self.say(str(error))
            saved = []
        self._unfinished = {f"kept:{one.id}": one for one in saved}
        options: list[Option | None] = [
            Option(
                Text.assemble(
                    ("Continue  ", "bold"),
                    mask_unprintable(one.title or "-"),
                    (f"  {self._title(one.game)}", "dim"),
                ),
                id=name,
            )
            for name, one in self._unfinished.items()
        ]
        return [*options, None] if options else []

    def _game_options(self) -> list[Option]:
        self._games = {f"game:{entry.name}": entry for entry in games_to_play()}
        return [
            Option(Text(mask_unprintable(entry.title), "bold"), id=name)
            for name, entry in self._games.items()
        ]

    def _title(self, game: str) -> str:
        entry = self._games.get(f"game:{game}")
        return mask_unprintable(entry.title if entry else game if is_game(game) else f"{game}, not installed")

    def say(self, words: str) -> None:
        """Show the meaning of the choice, or an error."""
        self.query_one("#message", Static).update(printable(words))

    # -- choice

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the picture of the choice."""
        name = event.option_id or ""
        try:
            if name in self._unfinished:
                self._show_unfinished(self._unfinished[name].id)
            elif name in PUZZLES:
                self.query_one(Preview).show(())
                self.say(PUZZLES[name].meaning)
            else:
                entry = self._games[name]
                first = levels_at(resolve_pack(entry.packs[0]))[0]
                self.query_one(Preview).show_position(first.start())
                self.say(sentence(entry.meaning))
        except Exception as error:  # noqa: BLE001  # one faulty package must not hide all other games
            self.say(error_text(error))

    def _show_unfinished(self, name: str) -> None:
        if (store := self.owner.store) is not None:
            self.query_one(Preview).show_position(store.resume(name).position)
            self.say("Continue where you left off.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Continue a game, or choose a level of one."""
        name = event.option_id or ""
        if name in self._unfinished:
            self._resume(self._unfinished[name].id)
        elif name in PUZZLES:
            self.owner.choose_puzzle(PUZZLES[name].dialog())
        else:
            entry = self._games[name]
            self.app.push_screen(LevelScreen(game_named(entry.name), entry.packs))

    def _resume(self, name: str) -> None:
        store = self.owner.store
        try:
            if store is not None:
                self.owner.play_session(store.resume(name))
        except GridproofError as error:
            self.say(str(error))

    def action_find(self) -> None:
        """Find a level of any pack of any game."""
        entry = next(iter(self._games.values()))
        self.app.push_screen(LevelScreen(game_named(entry.name), entry.packs, finds=True))

    def action_open(self) -> None:
        """Open a file of levels, or a trace."""
        self.owner.run_dialog(OpenDialog(self._open))

    def action_paste(self) -> None:
        """Paste levels as text."""
        self.owner.run_dialog(
            PasteDialog(lambda text: self._play_later(recognition.read(text, lenient=True)))
        )

    def _open(self, name: str) -> Callable[[], object]:
        name = os.path.expanduser(name)
        trace = find_trace(name)
        if trace is None:
            return self._play_later(levels_at(resolve_pack(name), lenient=True))
        return lambda: self.app.push_screen(ReplayScreen(Replay.of(trace, name)))

    def _play_later(self, levels: Pack) -> Callable[[], object]:
        return lambda: self.owner.play(levels)

    def list_commands(self) -> Iterator[SystemCommand]:
        """List the commands of this screen."""
        for entry in PUZZLES.values():
            yield SystemCommand(
                entry.title, entry.meaning, lambda entry=entry: self.owner.choose_puzzle(entry.dialog())
            )
        yield SystemCommand("Find", "find a level of any game", self.action_find)
        yield SystemCommand("Open", "open a file of levels, or a trace", self.action_open)
        yield SystemCommand("Paste", "play levels as text", self.action_paste)


def _puzzle_options() -> Iterator[Option]:
    return (Option(Text(entry.title, "bold"), id=name) for name, entry in PUZZLES.items())
