"""The levels of a game, pack by pack: solved ones marked, with best counts and how difficult they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import DataTable, Input, Static, Tab, Tabs

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.shelf import levels_at
from gridproof.play.jobs import Job
from gridproof.play.menu import LevelEntry, entries
from gridproof.play.table import Table
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP
from gridproof.play.terminal.lists import UP_AND_DOWN
from gridproof.play.terminal.preview import Preview
from gridproof.play.text import printable, visible

if TYPE_CHECKING:
    from gridproof.play.terminal.app import GridproofApp

COLUMNS = ("", "#", "level", "best", "difficulty")


class LevelTable(DataTable[Text]):
    """Has columns for which there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", "Play", tooltip="play this level"),
        Binding("right,l,d", "screen.pack(1)", "Next pack", tooltip="the levels of the next pack"),
        Binding("left,h,a", "screen.pack(-1)", "Pack before", False, tooltip="the levels of the pack before"),
        *UP_AND_DOWN,
    ]

    def on_resize(self) -> None:
        """There may be room for more, or less."""
        self.call_after_refresh(cast("LevelsScreen", self.screen).on_screen_resume)


class TitleLine(Input):
    """Asks for letters of titles."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "To the list", tooltip="to the list of the levels with these letters")
    ]


class LevelsScreen(Screen[int]):
    """Chooses a level: of the packs of a game, or of those on a table, of which it gives the place."""

    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", tooltip="out of the filter, or of this screen"),
        HELP,
        Binding("slash,f", "filter", "Filter", tooltip="only titles with some letters"),
        Binding("n", "unsolved", "Next unsolved", tooltip="to the next level that is not solved"),
        Binding("q", "app.quit", "Quit", tooltip="leave; what was played is kept"),
    ]

    def __init__(self, game: Game, packs: Sequence[str] = (), table: Table | None = None) -> None:
        super().__init__()
        self._game, self._packs, self._table = game, tuple(packs), table
        self._levels: Sequence[Level] = ()
        self._entries: tuple[LevelEntry, ...] = ()
        self._filter = ""
        self._loading: Job | None = None
        """What reads the pack that was chosen last."""

    @property
    def owner(self) -> GridproofApp:
        """The application, of its own type."""
        return cast("GridproofApp", self.app)

    def compose(self) -> ComposeResult:
        """Packs above, levels below, and beside them a picture of one."""
        yield Static(visible(self._game.title), id="brand", markup=False)
        if len(self._packs) > 1:
            yield Tabs(
                *(Tab(pack.partition("/")[2], id=f"pack-{place}") for place, pack in enumerate(self._packs))
            )
        with Horizontal(id="stage"):
            with Vertical(id="menu"):
                yield TitleLine(placeholder="Only titles with these letters", id="filter")
                yield LevelTable(cursor_type="row", zebra_stripes=True)
                yield Static(id="told", markup=False)
            yield Preview(id="preview")
        yield KeysBelow()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Of one pack there is no other."""
        return action != "pack" or len(self._packs) > 1

    def on_mount(self) -> None:
        """The first pack."""
        for tabs in self.query(Tabs):
            tabs.can_focus = False
        if self._table is not None:
            self._show(tuple(self._table.session.levels))
        elif len(self._packs) == 1:
            self._load(self._packs[0])

    def on_screen_resume(self) -> None:
        """Levels may have been won meanwhile."""
        if self._levels:
            self._show(self._levels)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """Another pack."""
        self._load(self._packs[int((event.tab.id or "pack-0").removeprefix("pack-"))])

    def _load(self, pack: str) -> None:
        """Read a pack in a thread, for which nobody waits who leaves meanwhile."""
        owner = self.owner
        self._loading = Job(pack, lambda limit, progress: levels_at(pack), lambda _: ())
        self._loading.start(lambda done: owner.soon(lambda: self._loaded(done)))

    def _loaded(self, job: Job) -> None:
        if job is self._loading and self.is_mounted:
            self._say(job.error)
            if job.result is not None:
                self._show(job.result)

    def _show(self, levels: Sequence[Level]) -> None:
        again, self._levels = levels is self._levels, levels
        listed = self.query_one(DataTable)
        row = listed.cursor_row
        try:
            self._entries = self._table.entries() if self._table else entries(levels, self.owner.library)
        except GridproofError as error:
            self._say(str(error))
            self._entries = entries(levels)
        listed.clear(columns=True)
        rows = {entry.place: _cells(entry) for entry in self._entries}
        columns = _columns(rows.values(), listed.size.width)
        for name, width in columns.items():
            listed.add_column(name, width=width)  # found out by the table, it is wrong while it is not seen
        for entry in self._entries:
            if self._filter.lower() in entry.title.lower():
                listed.add_row(*rows[entry.place][: len(columns)], key=str(entry.place))
        current = next((entry.place for entry in self._entries if entry.current), self._first_unsolved())
        listed.move_cursor(row=row if again else current)
        self._picture()

    def _first_unsolved(self) -> int:
        return next((entry.place for entry in self._entries if not entry.done), 0)

    def _say(self, words: str) -> None:
        self.query_one("#told", Static).update(printable(words))

    # -- what is chosen

    @property
    def chosen(self) -> int | None:
        """The place of the level under the cursor."""
        listed = self.query_one(DataTable)
        if not listed.is_valid_row_index(listed.cursor_row):
            return None
        return int(listed.coordinate_to_cell_key(listed.cursor_coordinate).row_key.value or 0)

    def on_data_table_row_highlighted(self) -> None:
        """Its picture."""
        self._picture()

    def _picture(self) -> None:
        if self.chosen is not None:
            self.query_one(Preview).show_level(self._levels[self.chosen])
            entry = self._entries[self.chosen]
            best = ", ".join(f"{name} {entry.best[name]}" for name in sorted(entry.best))
            told = [f"Difficulty {entry.difficulty}."] if entry.difficulty else []
            self._say(" ".join([*told, f"The best here: {best}."] if best else told))

    def on_data_table_row_selected(self) -> None:
        """Play it."""
        place = self.chosen
        if place is None:
            return
        if self._table is not None:
            self.dismiss(place)
            return
        try:
            self.owner.play(cast("Pack", self._levels), place)
        except GridproofError as error:
            self._say(str(error))

    def action_pack(self, step: int) -> None:
        """Another pack."""
        for tabs in self.query(Tabs):
            tabs.action_next_tab() if step > 0 else tabs.action_previous_tab()

    def action_unsolved(self) -> None:
        """The next one that is to be done."""
        rows = self.query_one(DataTable)
        places = [int(row.value or 0) for row in rows.rows]
        todo = [row for row, place in enumerate(places) if not self._entries[place].done]
        after = [row for row in todo if row > rows.cursor_row] or todo
        if after:
            rows.move_cursor(row=after[0])

    def action_filter(self) -> None:
        """Look for a title."""
        line = self.query_one("#filter", Input)
        line.display = True
        line.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Letters of titles."""
        self._filter = event.value
        self._show(self._levels)

    def on_input_submitted(self) -> None:
        """Back to the list."""
        self.query_one(DataTable).focus()

    def action_back(self) -> None:
        """Out of the filter, or of this screen."""
        line = self.query_one("#filter", Input)
        if line.display:
            line.value = ""
            line.display = False
            self.query_one(DataTable).focus()
        else:
            self.dismiss()


def _columns(rows: Iterable[tuple[Text, ...]], room: int) -> dict[str, int]:
    """Those for which there is room, with their widths; what is left out stands below for the level under the cursor."""
    cells = zip(*rows, strict=True)
    columns = {
        name: max(len(name), *(cell.cell_len for cell in column))
        for name, column in zip(COLUMNS, cells, strict=False)
    }
    if sum(2 + width for width in columns.values()) > room:
        columns.pop(COLUMNS[-1], None)
    return columns


def _cells(entry: LevelEntry) -> tuple[Text, ...]:
    """The cells of a level's row."""
    mark = Text("▸" if entry.current else "✓" if entry.done else " ", "bold green" if entry.done else "bold")
    best = str(entry.best[min(entry.best)]) if entry.best else ""
    return (
        mark,
        Text(str(entry.place + 1), "dim"),
        Text(visible(entry.title) or "-"),
        Text(best, justify="right"),
        Text(visible(entry.difficulty), justify="right"),
    )
