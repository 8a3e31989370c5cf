"""Base of the application for its screens: themes, settings and the current table."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from textual.app import App, SystemCommand
from textual.filter import LineFilter
from textual.screen import Screen

from gridproof.core.errors import GridproofError
from gridproof.core.puzzle import Puzzle, hash_seed
from gridproof.core.session import Session
from gridproof.core.text.display import printable
from gridproof.core.text.pack import Pack
from gridproof.table.game_store import PlayerStore
from gridproof.table.messages import broken_level_notes
from gridproof.table.table import Table
from gridproof.terminal.keys import Keys
from gridproof.terminal.settings import Settings
from gridproof.terminal.themes import DARK_NAME, GRIDPROOF_16, NoColours, themes

if TYPE_CHECKING:
    from gridproof.table.status_prover import StatusProver

Result = TypeVar("Result")
WIDE = 66
"""Columns from which the sidebar with its log lies beside the board."""
HIGH = 36
"""Lines from which the sidebar shows the keys of the game."""


class BaseApp(App[None]):
    """The application without its screens."""

    TITLE = "gridproof"
    CSS_PATH = "look.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-high")]  # noqa: RUF012  # as Textual declares it
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  # as Textual declares it

    def __init__(
        self,
        table: Table | None = None,
        store: PlayerStore | None = None,
        settings: Path | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self.table = table
        """The current table, or the last one."""
        self.store = store
        self._prover: StatusProver | None = None
        self._notes = [*notes]
        self.settings = self._load_settings(settings)
        self.keys = Keys(self.settings)
        for theme in themes(self.console.color_system):
            self.register_theme(theme)
        self.theme = self._initial_theme()

    def on_mount(self) -> None:
        """Show the table, or the menu."""
        self.set_keymap(self.keys.keymap)
        self.theme_changed_signal.subscribe(self, lambda theme: self.save_settings(theme=theme.name))
        if self.table is not None:
            self._show_table(self.table)
        else:
            self._show_menu()
        for words in self._notes:
            self.notify(words, severity="warning", markup=False)

    @property
    def error(self) -> Exception | None:
        """The error that ended the application, if any."""
        return self._exception

    def _fatal_error(self) -> None:
        """End; the caller reports the error. Textual would draw it with its variables, which can fail again."""
        self._close_messages_no_wait()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters of lines; NO_COLOR removes greys, too."""
        return [NoColours(self.current_theme.primary)] if self.no_color else super().get_line_filters()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """List the commands of the screen, then Textual's."""
        if isinstance(screen, AppScreen):
            yield from screen.list_commands()
        for command in super().get_system_commands(screen):
            if command.title not in ("Maximize", "Minimize", "Keys"):
                yield command

    # -- for screens

    def play(self, levels: Pack, place: int = 0, seed: int | None = None) -> None:
        """Play levels from a place on; continue the saved game of these levels, if any.

        The seed of a new game is random unless one is given.
        """
        for words in broken_level_notes(levels):
            self.notify(words, severity="warning", markup=False)
        seed = secrets.randbits(32) if seed is None else seed
        session = self._resume_latest(levels) or Session(levels, seed, self.store)
        if place != session.current or session.position.won:
            session.select(place)
        self.play_session(session)

    def choose_puzzle(self, dialog: Screen[Puzzle]) -> None:
        """Choose a puzzle in a dialog, and play it; its chance follows from the id, so that it is the same for all."""

        def play(puzzle: Puzzle | None) -> None:
            if puzzle is not None:
                self.play(Pack([puzzle.level]), seed=hash_seed(str(puzzle.id), 32))
            else:
                self._show_menu()

        self.push_for_result(dialog, play)

    def play_session(self, session: Session) -> None:
        """Play a session."""
        if self.table is not None:
            self.table.close()
        self.table = Table(session, self.store)
        self._show_table(self.table)

    def push_for_result(self, screen: Screen[Result], callback: Callable[[Result | None], object]) -> None:
        """Push a screen, and pass its result to a callback after it has closed (Textual calls back before)."""

        def call_back(result: Result | None) -> None:
            self.call_later(callback, result)

        self.push_screen(screen, call_back)

    def run_dialog(self, dialog: Screen[Callable[[], object]]) -> None:
        """Push a dialog, and call its result."""
        self.push_for_result(dialog, lambda callback: callback() if callback else None)

    def call_soon(self, callback: Callable[[], object]) -> None:
        """Call back in the application's thread, unless it has ended; for other threads."""
        if self.is_running:
            self.call_later(callback)

    def save_settings(self, **changes: object) -> None:
        """Change settings, and save them."""
        for name, value in changes.items():
            setattr(self.settings, name, value)
        try:
            self.settings.save()
        except GridproofError as error:
            self.notify(printable(str(error)), severity="warning", markup=False)

    def prover(self) -> StatusProver:
        """Return the prover in the background; start it at the first call."""
        from gridproof.table.status_prover import StatusProver

        if self._prover is None:
            games = (self.table.session.game.name,) if self.table else ()
            self._prover = StatusProver(games=games)
        return self._prover

    @property
    def frame(self) -> str:
        """Directions that arrows and words mean: `gridproof.core.look.ON_BOARD` or `OWN`."""
        return self.settings.directions

    def on_unmount(self) -> None:
        """End the prover."""
        if self._prover is not None:
            self._prover.close()

    @property
    def is_animated(self) -> bool:
        """True if pieces move on the board; else it changes at once."""
        return self.settings.motion and self.animation_level == "full"

    # -- inside

    @abstractmethod
    def _show_table(self, table: Table) -> None:
        """Show the screen of a table."""

    @abstractmethod
    def _show_menu(self) -> None:
        """Show the menu, unless there is another screen to go back to."""

    def _initial_theme(self) -> str:
        if self.console.color_system in ("standard", "windows"):
            return GRIDPROOF_16.name
        is_available = self.settings.theme in self.available_themes
        return self.settings.theme if is_available else DARK_NAME

    def _resume_latest(self, levels: Pack) -> Session | None:
        latest = self.store.latest(levels) if self.store else None
        return self.store.resume(latest) if self.store and latest else None

    def _load_settings(self, path: Path | None) -> Settings:
        if path is None:
            return Settings()
        try:
            return Settings.load(path)
        except GridproofError as error:
            self._notes.append(printable(str(error)))
            return Settings(path)


class AppScreen(Screen[Result]):
    """A screen of a `BaseApp`, with commands of its own."""

    @property
    def owner(self) -> BaseApp:
        """The application, of its own type."""
        return cast("BaseApp", self.app)

    @property
    def is_open(self) -> bool:
        """True until the screen is left, also behind others."""
        return self in self.owner.screen_stack

    def list_commands(self) -> Iterator[SystemCommand]:
        """List the commands of this screen."""
        return iter(())
