"""What stands beside the board: which level it is, counts, and what was told."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import RichLog, Static

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.play.messages import Board, Moved
from gridproof.play.table import Table
from gridproof.play.terminal.telling import conversation
from gridproof.play.text import printable, shortened, visible

Counts = Sequence[tuple[str, str]]
LINES = 2
"""Of counts on a narrow terminal."""


class Rail(Vertical):
    """Title, counts, and a log of what was told; on a narrow terminal one line of counts."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._level: Level | None = None
        """The one that was entered last."""
        self._counted = 0
        """Of how many counts there was room."""
        self._counts: tuple[Counts, Counts] = (), ()
        """How the level stands, and the best that is kept of it."""

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Static(id="title", markup=False)
        yield Static(id="counts", markup=False)
        yield Static(id="line", markup=False)
        yield RichLog(id="log", wrap=True, markup=False, min_width=10, max_lines=500)

    def on_mount(self) -> None:
        """The log is read with the mouse; keys are the game's."""
        self.query_one("#log").can_focus = False

    def enter(self, table: Table) -> None:
        """A level has become the current one; what was told before was told of another."""
        session = table.session
        number = f" {session.current + 1}/{len(session.levels)}" if len(session.levels) > 1 else ""
        title, game = visible(table.level.title), f"{session.game.title}{number}"
        text = Text.assemble((title, "bold"), (f"\n{game}", "dim")) if title else Text(game, "bold")
        self.query_one("#title", Static).update(text)
        if self._level is not None and self._level != table.level:
            self.query_one("#log", RichLog).write(Text(f"\n{title or game}", "bold"))
        self._level = table.level

    def count(self, table: Table, board: Board) -> None:
        """How the level stands."""
        counts, best = [*board.counts], _best(table)
        if len(table.actors) > 1:
            players = [(f"{actor} plays by", name) for actor, name in table.partners.chosen.items()]
            counts[:0] = [("you play", table.actor or "all"), *players]
        grid = Grid.grid(padding=(0, 1, 0, 0), expand=True)
        grid.add_column(style="dim")
        grid.add_column(justify="right", ratio=1)
        for word, value in (*counts, *best):
            grid.add_row(word, Text(visible(value), "bold"))
        self.query_one("#counts", Static).update(grid, layout=grid.row_count != self._counted)
        self._counted = grid.row_count
        self._counts = counts, best
        self._fit_line()

    def on_resize(self) -> None:
        """There may be room for more counts, or less."""
        self._fit_line()

    def _fit_line(self) -> None:
        line = self.query_one("#line", Static)
        line.update(_in_a_line(*self._counts, line.size.width), layout=line.display)

    def tell(self, words: str) -> None:
        """Add to what was told."""
        self.query_one("#log", RichLog).write(Text(words))

    def hear(self, table: Table, message: Moved) -> tuple[str, ...]:
        """Add what was asked for by one of several, and what the player learns by it; nothing where one plays alone."""
        lines = conversation(message) if len(table.actors) > 1 else ()
        for line in lines:
            self.tell(printable(line))
        return lines


def _in_a_line(counts: Counts, best: Counts, columns: int) -> str:
    """Counts for a narrow terminal, without the best ones where there is no room for them."""
    shorter, longer = (
        ", ".join(f"{word} {visible(value)}" for word, value in some) for some in (counts, [*counts, *best])
    )
    return longer if shortened(longer, columns, LINES) == longer else shortened(shorter, columns, LINES)


def _best(table: Table) -> list[tuple[str, str]]:
    try:
        return [(f"best {name}", str(value)) for name, value in sorted(table.best.items())]
    except GridproofError:
        return []  # told where it was won
