"""The menu: what was kept is gone on with, or a game is chosen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.registry import game as game_named
from gridproof.core.shelf import levels_at, pack_meant
from gridproof.core.trace import trace_in
from gridproof.play.library import Kept
from gridproof.play.menu import GameEntry, games_to_play
from gridproof.play.replay import Replay
from gridproof.play.terminal.dialogs import OpenDialog, PasteDialog
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP_KEYS, HelpScreen
from gridproof.play.terminal.levels import LevelsScreen
from gridproof.play.terminal.lists import Choices
from gridproof.play.terminal.preview import Preview
from gridproof.play.terminal.watching import WatchScreen
from gridproof.play.text import printable, sentence, visible

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp

MOST_KEPT = 5
"""Games that are kept of which the menu tells; the others are in the list of their levels."""


class GamesAndKept(Choices):
    """What can be played."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play")]


class StartScreen(Screen[None]):
    """The first screen, and the one to which all others lead back."""

    AUTO_FOCUS = "#choices"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(HELP_KEYS, "help", "Help"),
        Binding("q,escape", "app.quit", "Quit"),
        Binding("o,ctrl+o", "open", "Open"),
        Binding("p,ctrl+v", "paste", "Paste"),
        Binding("t", "app.change_theme", "Theme"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[str, Kept] = {}
        self._games: dict[str, GameEntry] = {}

    @property
    def owner(self) -> GridproofApp:
        """The application, of its own type."""
        return cast("GridproofApp", self.app)

    def compose(self) -> ComposeResult:
        """Choices, and beside them a picture of what is chosen."""
        yield Static("gridproof", id="brand")
        with Horizontal(id="stage"):
            with Vertical(id="menu"):
                yield GamesAndKept(id="choices")
                yield Static(id="told", markup=False)
            yield Preview(id="preview")
        yield KeysBelow()

    def on_screen_resume(self) -> None:
        """What is kept may have changed."""
        listed = self.query_one("#choices", GamesAndKept)
        chosen = listed.highlighted_option
        listed.clear_options()
        games = self._game_options()
        listed.add_options([*self._kept_options(), *games])
        known = [option.id for option in listed.options]
        listed.highlighted = known.index(chosen.id) if chosen and chosen.id in known else 0

    def _kept_options(self) -> list[Option | None]:
        library = self.owner.library
        try:
            kept = library.saved()[:MOST_KEPT] if library else ()
        except GridproofError as error:
            self.say(str(error))
            kept = ()
        self._kept = {f"kept:{one.id}": one for one in kept}
        found: list[Option | None] = [
            Option(
                Text.assemble(
                    ("Go on  ", "bold"), visible(one.title or "-"), (f"  {self._title(one.game)}", "dim")
                ),
                id=name,
            )
            for name, one in self._kept.items()
        ]
        return [*found, None] if found else []

    def _game_options(self) -> list[Option]:
        self._games = {f"game:{entry.name}": entry for entry in games_to_play()}
        return [Option(Text(visible(entry.title), "bold"), id=name) for name, entry in self._games.items()]

    def _title(self, game: str) -> str:
        entry = self._games.get(f"game:{game}")
        return visible(entry.title if entry else game)

    def say(self, words: str) -> None:
        """Say what the choice is, or what went wrong."""
        self.query_one("#told", Static).update(printable(words))

    # -- what is chosen

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Its picture."""
        name = event.option_id or ""
        try:
            if name in self._kept:
                self._show_kept(self._kept[name].id)
            else:
                entry = self._games[name]
                self.query_one(Preview).show_level(levels_at(pack_meant(entry.packs[0]))[0])
                self.say(sentence(entry.meaning))
        except GridproofError as error:
            self.say(str(error))

    def _show_kept(self, name: str) -> None:
        if (library := self.owner.library) is not None:
            self.query_one(Preview).show_position(library.resume(name).position)
            self.say("As you left it.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go on with a game, or choose among the levels of one."""
        name = event.option_id or ""
        if name in self._kept:
            self._tried_resume(self._kept[name].id)
        else:
            entry = self._games[name]
            self.app.push_screen(LevelsScreen(game_named(entry.name), entry.packs))

    def _tried_resume(self, name: str) -> None:
        library = self.owner.library
        try:
            if library is not None:
                self.owner.sit(library.resume(name))
        except GridproofError as error:
            self.say(str(error))

    def action_help(self) -> None:
        """Keys that can be set."""
        self.app.push_screen(HelpScreen(None, self.owner.keys))

    def action_open(self) -> None:
        """Levels or a trace of a file."""
        self.owner.take(OpenDialog(self._opened))

    def action_paste(self) -> None:
        """Levels as text."""
        self.owner.take(PasteDialog(lambda text: self._levels(reading.read(text, lenient=True))))

    def _opened(self, name: str) -> Callable[[], object]:
        name = os.path.expanduser(name)
        trace = trace_in(name)
        if trace is None:
            return self._levels(levels_at(pack_meant(name), lenient=True))
        return lambda: self.app.push_screen(WatchScreen(Replay.of(trace, name)))

    def _levels(self, levels: Pack) -> Callable[[], object]:
        return lambda: self.owner.play(levels)

    def palette(self) -> Iterator[SystemCommand]:
        """What the command palette lists."""
        yield SystemCommand("Open", "a file of levels, or a trace", self.action_open)
        yield SystemCommand("Paste", "play levels as text", self.action_paste)
