"""The application: its screens, themes and settings, and the table that is played at."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from textual.app import App, SystemCommand
from textual.filter import LineFilter
from textual.screen import Screen

from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.session import Session
from gridproof.play.library import Shelf
from gridproof.play.messages import left_out
from gridproof.play.table import Table
from gridproof.play.terminal.dialogs import Dialog
from gridproof.play.terminal.help import KeysScreen
from gridproof.play.terminal.keys import Keys
from gridproof.play.terminal.settings import Settings
from gridproof.play.terminal.themes import DARK_NAME, GRIDPROOF_16, NoColours, themes
from gridproof.play.text import printable

if TYPE_CHECKING:
    from gridproof.play.prover import Prover

Result = TypeVar("Result")


class GridproofApp(App[None]):
    """Games in the full screen of a terminal.

    Parameters
    ----------
    table : Table, optional
        What is played at first; without one, the menu is shown.
    library : Library, optional
        Where games and best counts are kept.
    settings : Path, optional
        The file in which the player's settings are kept.
    notes : words
        What the player is to know at first, such as which levels are left out.
    """

    TITLE = "gridproof"
    CSS_PATH = "look.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (66, "-wide")]  # noqa: RUF012  # as Textual declares it

    def __init__(
        self,
        table: Table | None = None,
        library: Shelf | None = None,
        settings: Path | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self.table = table
        """What is played at, or was at last."""
        self.library = library
        self._prover: Prover | None = None
        self._notes = [*notes]
        self.settings = self._loaded(settings)
        self.keys = Keys(self.settings)
        for theme in themes(self.console.color_system):
            self.register_theme(theme)
        self.theme = self._first_theme()

    def on_mount(self) -> None:
        """The game that was named, or the menu."""
        self.set_keymap(self.keys.keymap)
        self.theme_changed_signal.subscribe(self, lambda theme: self.keep(theme=theme.name))
        if self.table is not None:
            self._show_table(self.table)
        else:
            self._show_menu()
        for words in self._notes:
            self.notify(words, severity="warning", markup=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What changes lines before they are sent: without colours none is, greys neither."""
        return [NoColours(self.current_theme.primary)] if self.no_color else super().get_line_filters()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What the command palette lists: what the screen can do, then themes and the like."""
        yield from getattr(screen, "palette", lambda: ())()
        for command in super().get_system_commands(screen):
            if command.title not in ("Maximize", "Minimize", "Keys"):
                yield command

    def action_keys_here(self) -> None:
        """What can be done on the screen that is seen."""
        self.push_screen(KeysScreen(self.screen))

    # -- what screens ask for

    def play(self, levels: Pack, place: int = 0) -> None:
        """Play levels from one of them on; where such a game is kept, it goes on."""
        for words in left_out(levels):
            self.notify(words, severity="warning", markup=False)
        session = self._kept(levels) or Session(levels, secrets.randbits(32), self.library)
        if place != session.current or session.position.won:
            session.select(place)
        self.sit(session)

    def sit(self, session: Session) -> None:
        """Play a session."""
        if self.table is not None:
            self.table.close()
        self.table = Table(session, self.library)
        self._show_table(self.table)

    def ask(self, screen: Screen[Result], then: Callable[[Result | None], object]) -> None:
        """Show a screen, and do something with its result when it has gone (Textual's callbacks come before that)."""

        def later(result: Result | None) -> None:
            self.call_later(then, result)

        self.push_screen(screen, later)

    def take(self, dialog: Dialog) -> None:
        """Ask for something in words, and do what comes of it."""
        self.ask(dialog, lambda deed: deed() if deed else None)

    def soon(self, deed: Callable[[], object]) -> None:
        """Have something done in the application's own thread, unless it has ended; for other threads."""
        if self.is_running:
            self.call_later(deed)

    def keep(self, **chosen: object) -> None:
        """Keep settings that were chosen."""
        for name, value in chosen.items():
            setattr(self.settings, name, value)
        try:
            self.settings.save()
        except GridproofError as error:
            self.notify(printable(str(error)), severity="warning", markup=False)

    def prover(self) -> Prover:
        """What proves beside the application; made when it is first needed."""
        from gridproof.play.prover import Prover

        if self._prover is None:
            games = (self.table.session.game.name,) if self.table else ()
            self._prover = Prover(games=games)
        return self._prover

    def on_unmount(self) -> None:
        """End what was proved beside it."""
        if self._prover is not None:
            self._prover.close()

    @property
    def moves(self) -> bool:
        """Whether things are to move; else the board changes at once."""
        return self.settings.motion and self.animation_level == "full"

    # -- inside

    def _show_table(self, table: Table) -> None:
        from gridproof.play.terminal.playing import PlayScreen

        self.ask(PlayScreen(table), lambda _: self._show_menu())

    def _show_menu(self) -> None:
        """The menu, unless there is another screen to go back to."""
        from gridproof.play.terminal.start import StartScreen

        if len(self.screen_stack) == 1:
            self.push_screen(StartScreen())

    def _first_theme(self) -> str:
        if self.console.color_system in ("standard", "windows"):
            return GRIDPROOF_16.name
        known = self.settings.theme in self.available_themes
        return self.settings.theme if known else DARK_NAME

    def _kept(self, levels: Pack) -> Session | None:
        latest = self.library.latest(levels) if self.library else None
        return self.library.resume(latest) if self.library and latest else None

    def _loaded(self, path: Path | None) -> Settings:
        if path is None:
            return Settings()
        try:
            return Settings.load(path)
        except GridproofError as error:
            self._notes.append(printable(str(error)))
            return Settings(path)
