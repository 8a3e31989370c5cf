"""Screen of a game's levels, pack by pack, with best counts and difficulties; its filter searches all packs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Input, Static, Tab, Tabs

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.text.display import error_text, mask_unprintable, printable
from gridproof.core.text.level_lookup import levels_at, pack_title
from gridproof.core.text.pack import Pack
from gridproof.table.jobs import Job
from gridproof.table.menu import LevelEntry, ListedLevel, all_levels, entries
from gridproof.table.table import Table
from gridproof.terminal.base_app import AppScreen
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.level_preview import Preview
from gridproof.terminal.sidebar import describe_best
from gridproof.terminal.widgets import UP_AND_DOWN, KeyFooter

COLUMNS = ("", "#", "level", "best", "difficulty")
SCROLLBAR = 1
"""Width of the scrollbar beside many levels."""
FOUND_COLUMNS = ("", "level", "pack", "best", "difficulty")
"""Columns of levels found in all packs."""


class LevelTable(DataTable[Text]):
    """A table with as many columns as fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", "Play", tooltip="play this level"),
        Binding("right,l,d", "screen.pack(1)", "Next pack", tooltip="the levels of the next pack"),
        Binding(
            "left,h,a", "screen.pack(-1)", "Previous pack", False, tooltip="the levels of the previous pack"
        ),
        *UP_AND_DOWN,
    ]

    def on_resize(self) -> None:
        """Lay out the columns again."""
        self.call_after_refresh(cast("LevelScreen", self.screen).on_screen_resume)


class TitleFilter(Input):
    """Input of letters to find in titles."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "To the list", tooltip="go to the filtered levels")
    ]


class LevelScreen(AppScreen[int]):
    """Chooses a level of a game's packs, or of a table; in the latter case its place is the result.

    The filter searches the levels of the table, else those of all packs of all games.
    """

    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", tooltip="close the filter, or this screen"),
        HELP,
        Binding("slash,f", "filter", "Find", tooltip="find levels by the titles of levels, packs and games"),
        Binding("n", "unsolved", "Next unsolved", tooltip="go to the next unsolved level"),
        Binding("q", "app.quit", "Quit", tooltip="leave; your games are saved"),
    ]

    def __init__(
        self, game: Game, packs: Sequence[str] = (), table: Table | None = None, finds: bool = False
    ) -> None:
        super().__init__()
        self._game, self._packs, self._table, self._finds = game, tuple(packs), table, finds
        self._levels: Sequence[Level] = ()
        self._entries: tuple[LevelEntry, ...] = ()
        """The listed levels."""
        self._filter = ""
        self._loading: Job | None = None
        """Job that reads the pack chosen last."""
        self._all: tuple[ListedLevel, ...] | None = None
        """The levels of all packs, once they are read."""
        self._reading: Job | None = None
        """Job that reads the levels of all packs."""
        self._found: tuple[ListedLevel, ...] = ()
        """The listed levels, if they were found in all packs."""

    def compose(self) -> ComposeResult:
        """Lay out packs above, levels below, and a picture beside them."""
        title = "Find a level" if self._finds else mask_unprintable(self._game.title)
        yield Static(title, id="brand", markup=False)
        if len(self._packs) > 1 and not self._finds:
            yield Tabs(
                *(
                    Tab(mask_unprintable(pack_title(pack)), id=f"pack-{place}")
                    for place, pack in enumerate(self._packs)
                )
            )
        with Horizontal(id="stage"):
            with Vertical(id="menu"):
                words = "Titles of levels" if self._table else "Titles of levels, packs or games"
                yield TitleFilter(placeholder=words, id="filter")
                yield LevelTable(cursor_type="row", zebra_stripes=True)
                yield Static(id="message", markup=False)
            yield Preview(id="preview")
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the keys that change the pack if there is only one, or all are searched."""
        return action != "pack" or (len(self._packs) > 1 and not self._is_search)

    def on_mount(self) -> None:
        """Show the first pack."""
        for tabs in self.query(Tabs):
            tabs.can_focus = False
        if self._finds:
            self.action_filter()
        elif self._table is not None:
            self._show(tuple(self._table.session.levels))
        elif len(self._packs) == 1:
            self._load(self._packs[0])

    def on_screen_resume(self) -> None:
        """Show levels that were won meanwhile."""
        if self._is_search:
            self._read_all()
        elif self._levels:
            self._show(self._levels)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """Load the pack of the tab."""
        self._load(self._packs[int((event.tab.id or "pack-0").removeprefix("pack-"))])

    def _load(self, pack: str) -> None:
        """Load a pack in a thread; a player who leaves does not wait for it."""
        owner = self.owner
        self._loading = Job(pack, lambda limit, progress: levels_at(pack), lambda _: ())
        self._loading.start(lambda done: owner.call_soon(lambda: self._finish_load(done)))

    def _finish_load(self, job: Job) -> None:
        if job is self._loading and self.is_open:
            self._say(job.error)
            if job.result is not None:
                self._show(job.result)

    def _show(self, levels: Sequence[Level]) -> None:
        again, self._levels = levels is self._levels, levels
        if self._is_search:
            self._show_found()
            return
        self._found = ()
        row = self.query_one(DataTable).cursor_row
        try:
            self._entries = self._table.entries() if self._table else entries(levels, self.owner.store)
        except GridproofError as error:
            self._say(str(error))
            self._entries = entries(levels)
        listed = [entry for entry in self._entries if self._filter.lower() in entry.title.lower()]
        self._fill(COLUMNS, {entry.place: _cells(entry) for entry in listed})
        current = next((entry.place for entry in self._entries if entry.current), self._first_unsolved())
        self.query_one(DataTable).move_cursor(row=row if again else current)
        self._show_preview()

    def _fill(self, names: Sequence[str], cells: Mapping[int, tuple[Text, ...]]) -> None:
        rows = self.query_one(DataTable)
        rows.clear(columns=True)
        columns = _columns(names, cells.values(), rows.size.width)
        for name, width in columns.items():
            rows.add_column(name, width=width)  # the table's own width is wrong before it is visible
        for place, row in cells.items():
            rows.add_row(*row[: len(columns)], key=str(place))

    # -- levels of all packs

    @property
    def _is_search(self) -> bool:
        return self._finds or (self._table is None and bool(self._filter.strip()))

    def _show_found(self) -> None:
        """Show the levels of all packs that match; they are read first."""
        if self._all is None:
            if self._reading is None:
                self._read_all()
            return
        rows, before = self.query_one(DataTable), [one.reference for one in self._found]
        row = rows.cursor_row
        self._found = tuple(one for one in self._all if one.matches(self._filter))
        self._entries = tuple(one.entry for one in self._found)
        self._fill(FOUND_COLUMNS, {place: _found_cells(one) for place, one in enumerate(self._found)})
        if before == [one.reference for one in self._found]:
            rows.move_cursor(row=row)
        if self._found:
            self._show_preview()
        else:
            self.query_one(Preview).show(())
            self._say("No level matches.")

    def _read_all(self) -> None:
        owner = self.owner
        if self._all is None:
            self._say("Reading all levels ...")
        self._reading = Job("all packs", lambda limit, progress: all_levels(owner.store), lambda _: ())
        self._reading.start(lambda done: owner.call_soon(lambda: self._finish_reading(done)))

    def _finish_reading(self, job: Job) -> None:
        if job is self._reading and self.is_open:
            self._say(job.error)
            self._reading, self._all = None, job.result
            if self._is_search and self._all is not None:
                self._show_found()

    def _first_unsolved(self) -> int:
        return next((entry.place for entry in self._entries if not entry.done), 0)

    def _say(self, words: str) -> None:
        self.query_one("#message", Static).update(printable(words))

    # -- choice

    @property
    def place(self) -> int | None:
        """Place of the level under the cursor."""
        rows = self.query_one(DataTable)
        if not rows.is_valid_row_index(rows.cursor_row):
            return None
        return int(rows.coordinate_to_cell_key(rows.cursor_coordinate).row_key.value or 0)

    @property
    def _level(self) -> Level:
        """The level under the cursor."""
        place = self.place or 0
        if self._found:
            return self._found[place].levels[self._found[place].entry.place]
        return self._levels[place]

    def on_data_table_row_highlighted(self) -> None:
        """Show the picture of the level."""
        self._show_preview()

    def _show_preview(self) -> None:
        if self.place is not None:
            try:
                self.query_one(Preview).show_position(self._level.start())
            except Exception as error:  # noqa: BLE001  # one faulty level must not hide the others
                self._say(error_text(error))
                return
            entry = self._entries[self.place]
            words = [f"{self._found[self.place].game}."] if self._found else []
            words += [f"Difficulty: {_difficulty(entry)}."] if entry.difficulty else []
            words += [describe_best(entry.best, self._level)] if entry.best else []
            self._say(" ".join(words))

    def on_data_table_row_selected(self) -> None:
        """Play the level."""
        place = self.place
        if place is None:
            return
        if self._table is not None:
            self.dismiss(place)
            return
        try:
            if self._found:
                self.owner.play(self._found[place].levels, self._found[place].entry.place)
            else:
                self.owner.play(cast("Pack", self._levels), place)
        except GridproofError as error:
            self._say(str(error))

    def action_pack(self, step: int) -> None:
        """Go to the next or the previous pack."""
        for tabs in self.query(Tabs):
            tabs.action_next_tab() if step > 0 else tabs.action_previous_tab()

    def action_unsolved(self) -> None:
        """Go to the next unsolved level."""
        rows = self.query_one(DataTable)
        places = [int(row.value or 0) for row in rows.rows]
        todo = [row for row, place in enumerate(places) if not self._entries[place].done]
        after = [row for row in todo if row > rows.cursor_row] or todo
        if after:
            rows.move_cursor(row=after[0])

    def action_filter(self) -> None:
        """Open the filter."""
        line = self.query_one("#filter", Input)
        line.display = True
        line.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter the levels."""
        self._filter = event.value
        self._show(self._levels)

    def on_input_submitted(self) -> None:
        """Go back to the list."""
        self.query_one(DataTable).focus()

    def action_back(self) -> None:
        """Close the filter, or this screen."""
        line = self.query_one("#filter", Input)
        if line.display and not self._finds:
            line.value = ""
            line.display = False
            self.query_one(DataTable).focus()
        else:
            self.dismiss()


def _columns(names: Sequence[str], rows: Iterable[tuple[Text, ...]], room: int) -> dict[str, int]:
    """Return the columns that fit, with their widths; the others are shown below the table for the current level.

    If the packs of found levels do not fit, they are cut.
    """
    cells = zip(*rows, strict=True)
    columns = {
        name: max(len(name), *(cell.cell_len for cell in column))
        for name, column in zip(names, cells, strict=False)
    }
    last = ("difficulty",) if names is COLUMNS else ("difficulty", "best")
    for name in last:
        if _width(columns) > room:
            columns.pop(name, None)
    if "pack" in columns:
        columns["pack"] = max(columns["pack"] - max(_width(columns) + SCROLLBAR - room, 0), len("pack"))
    return columns


def _width(columns: Mapping[str, int]) -> int:
    return sum(2 + width for width in columns.values())


def _found_cells(found: ListedLevel) -> tuple[Text, ...]:
    """Return the cells of a level found in all packs."""
    mark, number, title, best, difficulty = _cells(found.entry)
    pack = Text(
        f"{mask_unprintable(pack_title(found.reference))} {number}", "dim", no_wrap=True, overflow="ellipsis"
    )
    return mark, title, pack, best, difficulty


def _cells(entry: LevelEntry) -> tuple[Text, ...]:
    """Return the cells of a level's row."""
    mark = Text("▸" if entry.current else "✓" if entry.done else " ", "bold green" if entry.done else "bold")
    best = str(entry.best[min(entry.best)]) if entry.best else ""
    return (
        mark,
        Text(str(entry.place + 1), "dim"),
        Text(mask_unprintable(entry.title) or "-"),
        Text(best, justify="right"),
        Text(mask_unprintable(_difficulty(entry)), justify="right"),
    )


def _difficulty(entry: LevelEntry) -> str:
    """Return the word for a level's difficulty; what its text says, if its game has no words."""
    return entry.difficulty_word or entry.difficulty
