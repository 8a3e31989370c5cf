"""Sidebar of the board: level, counts, moves, log, and the keys of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import cast

from rich.table import Table as Grid
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import RichLog, Static

from gridproof.agents.demos import demo_meanings
from gridproof.core.difficulty import difficulty_word
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.puzzle import puzzle_of
from gridproof.core.text.display import mask_unprintable, printable, shorten
from gridproof.prove.verdict_line import spoken_word
from gridproof.table.messages import Board
from gridproof.table.table import Table
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.help_screen import key_label
from gridproof.terminal.move_list_view import MoveListView

Counts = Sequence[tuple[str, str]]
LINES = 2
"""Lines of counts on a narrow terminal."""
ID_WIDTH = 25
"""Characters of a line of the sidebar, for the id of a puzzle: a longer one is broken at a hyphen."""


class Sidebar(Vertical):
    """Title, counts, moves, log, and where there is room the keys of the game; on a narrow terminal only counts."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._level: Level | None = None
        """The level shown last."""
        self._row_count = 0
        self._last_line = ""
        """The last line of the log."""
        self._counts: tuple[Counts, Counts] = (), ()
        """Counts of the level, and its best ones."""

    def compose(self) -> ComposeResult:
        """Lay out the title, the counts, the moves, the log and the keys."""
        yield Static(id="title", markup=False)
        yield Static(id="counts", markup=False)
        yield Static(id="line", markup=False)
        yield MoveListView(id="moves")
        yield RichLog(id="log", wrap=True, markup=False, min_width=10, max_lines=500)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Leave the keys to the game; the log scrolls with the mouse."""
        self.query_one("#log").can_focus = False

    def show_level(self, table: Table) -> None:
        """Show the title of the current level, and its difficulty; the id of a puzzle says it, too."""
        session, puzzle = table.session, puzzle_of(table.level)
        word = "" if puzzle else difficulty_word(table.level)
        number = f" {session.current + 1}/{len(session.levels)}" if len(session.levels) > 1 else ""
        game = ", ".join(filter(None, (f"{session.game.title}{number}", word)))
        title = mask_unprintable(table.level.title)
        text = Text.assemble((title, "bold"), (f"\n{game}", "dim")) if title else Text(game, "bold")
        if puzzle:
            text.append("".join(f"\n{line}" for line in wrap(str(puzzle.id), ID_WIDTH)), "dim")
        self.query_one("#title", Static).update(text)
        if self._level is not None and self._level != table.level:
            self.write(printable(describe_goal(table.level)))
        self._level = table.level

    def show_counts(self, table: Table, board: Board) -> None:
        """Show the counts of the level."""
        counts = [*speak_counts(board.counts_in(self._frame), table.level)]
        best = [(f"best {word}", value) for word, value in speak_counts(_best_counts(table), table.level)]
        if len(table.actors) > 1:
            meanings = demo_meanings(table.session.game)
            players = [
                (f"program {actor}", meanings.get(name, name))
                for actor, name in table.co_players.playing.items()
            ]
            counts[:0] = [("you play", table.actor or "all"), *players]
        grid = Grid.grid(padding=(0, 1, 0, 0), expand=True)
        grid.add_column(style="dim")
        grid.add_column(justify="right", ratio=1)
        for word, value in (*counts, *best):
            grid.add_row(word, Text(mask_unprintable(value), "bold"))
        self.query_one("#counts", Static).update(grid, layout=grid.row_count != self._row_count)
        self._row_count = grid.row_count
        self._counts = counts, best
        self._fit_line()
        self._show_keys(table)
        self.show_moves(table)

    def _show_keys(self, table: Table) -> None:
        grid = Grid.grid(padding=(0, 1, 0, 0))
        rows = {**cast("BaseApp", self.app).keys.summarize(table), "keys and rules": ["question_mark"]}
        for meaning, keys in rows.items():
            grid.add_row(Text(" ".join(map(key_label, keys)), "bold"), Text(mask_unprintable(meaning), "dim"))
        self.query_one("#keys", Static).update(grid)

    def show_moves(self, table: Table) -> None:
        """Show the moves of the current level; those of several actors are requests in the log."""
        view = self.query_one(MoveListView)
        has_moves = len(table.actors) == 1
        view.set_class(not has_moves, "-empty")
        if has_moves:
            view.show(table, self._frame)

    @property
    def _frame(self) -> str:
        return cast("BaseApp", self.app).frame

    def on_resize(self) -> None:
        """Show as many counts as fit."""
        self._fit_line()

    def _fit_line(self) -> None:
        line = self.query_one("#line", Static)
        line.update(_counts_line(*self._counts, line.size.width), layout=line.display)

    def clear(self) -> None:
        """Clear the log."""
        self._last_line = ""
        self.query_one("#log", RichLog).clear()

    def write(self, words: str) -> None:
        """Add to the log."""
        self._last_line = words
        self.query_one("#log", RichLog).write(Text(words))

    def write_once(self, words: str) -> None:
        """Add to the log, unless its last line says the same."""
        if words != self._last_line:
            self.write(words)


def describe_goal(level: Level) -> str:
    """Describe the goal of a level in a sentence."""
    game = level.game
    return str(game.look.goal(level)) or f"{game.meaning[:1].upper()}{game.meaning[1:]}."


def _counts_line(counts: Counts, best: Counts, columns: int) -> str:
    """Return the counts for a narrow terminal, with the best ones if they fit."""
    shorter, longer = (
        ", ".join(f"{word} {mask_unprintable(value)}" for word, value in some)
        for some in (counts, [*counts, *best])
    )
    return longer if shorten(longer, columns, LINES) == longer else shorten(shorter, columns, LINES)


def speak_counts(counts: Counts, level: Level) -> Iterator[tuple[str, str]]:
    """Yield counts with the word of the game for actions, as the verdict has it: "shifts", in place of a count by that word."""
    spoken, counted = spoken_word(level), dict(counts)
    for word, value in counts:
        if word == "actions":
            yield spoken, value
        elif word != spoken or "actions" not in counted:
            yield word, value


def describe_best(best: Mapping[str, int], level: Level) -> str:
    """Describe the best counts of a level in a sentence."""
    counts = speak_counts([(name, str(best[name])) for name in sorted(best)], level)
    return f"Best results so far: {', '.join(f'{word} {value}' for word, value in counts)}."


def _best_counts(table: Table) -> list[tuple[str, str]]:
    try:
        return [(name, str(value)) for name, value in sorted(table.best.items())]
    except GridproofError:
        return []  # shown when the level was won
