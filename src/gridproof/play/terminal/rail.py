"""What stands beside the board: which level it is, counts, and what was told."""

from __future__ import annotations

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
from gridproof.play.text import printable, visible


class Rail(Vertical):
    """Title, counts, and a log of what was told; on a narrow terminal one line of counts."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._level: Level | None = None
        """The one that was entered last."""
        self._counted = 0
        """Of how many counts there was room."""

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
        counts = [*board.counts, *_best(table)]
        if len(table.actors) > 1:
            players = [(f"{actor} plays by", name) for actor, name in table.partners.chosen.items()]
            counts[:0] = [("you play", table.actor or "all"), *players]
        grid = Grid.grid(padding=(0, 1, 0, 0), expand=True)
        grid.add_column(style="dim")
        grid.add_column(justify="right", ratio=1)
        for word, value in counts:
            grid.add_row(word, Text(visible(value), "bold"))
        self.query_one("#counts", Static).update(grid, layout=len(counts) != self._counted)
        self._counted = len(counts)
        words = Text(", ".join(f"{word} {visible(value)}" for word, value in counts))
        line = self.query_one("#line", Static)
        line.update(words, layout=line.display)

    def tell(self, words: str) -> None:
        """Add to what was told."""
        self.query_one("#log", RichLog).write(Text(words))

    def hear(self, table: Table, message: Moved) -> tuple[str, ...]:
        """Add what was asked for by one of several, and what the player learns by it; nothing where one plays alone."""
        lines = conversation(message) if len(table.actors) > 1 else ()
        for line in lines:
            self.tell(printable(line))
        return lines


def _best(table: Table) -> list[tuple[str, str]]:
    try:
        return [(f"best {name}", str(value)) for name, value in sorted(table.best.items())]
    except GridproofError:
        return []  # told where it was won
