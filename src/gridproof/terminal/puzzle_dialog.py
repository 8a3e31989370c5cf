"""Dialogs of puzzles: the puzzle of the day, and a new one of a game, a size and a difficulty."""

from __future__ import annotations

import secrets
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from gridproof.core.difficulty import DIFFICULTIES, Kind, puzzles_of, spoken_difficulty
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.puzzle import (
    SEED_BITS,
    Puzzle,
    PuzzleId,
    build_id,
    daily_id,
    make_puzzle,
    parse_id,
    today,
)
from gridproof.core.registry import game as game_named
from gridproof.core.text.display import mask_unprintable, printable, sentence
from gridproof.core.text.phrases import format_count
from gridproof.prove.verdict_line import promise_of_puzzles
from gridproof.table.jobs import Job
from gridproof.table.menu import games_to_play
from gridproof.terminal.base_app import BaseApp
from gridproof.terminal.dialogs import LineDialog
from gridproof.terminal.help_screen import HELP
from gridproof.terminal.widgets import Choices, KeyFooter

EASY = DIFFICULTIES[1]
GAME, KIND, DIFFICULTY = "game", "kind", "difficulty"
MAKE, BY_ID = "make", "id"
"""Width of a difficulty in words and dots."""
PROGRESS = 0.2
"""Seconds between two looks at the progress."""


def games_with_puzzles() -> tuple[Game, ...]:
    """Return the games that offer puzzles, in the order of the menu."""
    found = [game_named(entry.name) for entry in games_to_play()]
    return tuple(game for game in found if puzzles_of(game) is not None)


def draw_id(series: PuzzleId) -> PuzzleId:
    """Return the id of a random puzzle that is like another."""
    return build_id(series.game, series.kind, series.difficulty, secrets.randbits(SEED_BITS))


def describe_difficulty(game: Game, word: str) -> str:
    """Return one of the five words, as a game shows it, with as many dots."""
    step = DIFFICULTIES.index(word) + 1
    return f"{'●' * step}{'○' * (len(DIFFICULTIES) - step)} {spoken_difficulty(game, word)}"


class PuzzleDialog(ModalScreen[Puzzle]):
    """Chooses a puzzle, and makes it with progress; the result is None if the player leaves."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", tooltip="cancel"), HELP]

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        """The job that makes a puzzle."""

    @abstractmethod
    def show_choice(self) -> None:
        """Show words about the choice under the cursor."""

    def on_mount(self) -> None:
        """Show the choice, and the progress while a puzzle is made."""
        self.set_interval(PROGRESS, self._show_progress)
        self.show_choice()

    def on_unmount(self) -> None:
        """Cancel the job."""
        self._cancel()

    def on_screen_resume(self) -> None:
        """Leave with a puzzle that was made behind the help."""
        if self._job is not None and self._job.is_done:
            self._finish(self._job)

    def on_option_list_option_highlighted(self) -> None:
        """Show words about the choice."""
        if self._job is None:
            self.show_choice()

    def action_back(self) -> None:
        """Cancel the job, or leave."""
        if self._job is None:
            self.dismiss(None)
        else:
            self._cancel()
            self.show_choice()

    def make(self, puzzle_id: PuzzleId) -> None:
        """Make a puzzle, unless it is stored, and leave with it."""
        self._cancel()
        store, owner = self.owner.store, self.owner
        try:
            stored = store.puzzles.get(puzzle_id) if store else None
        except GridproofError as error:
            self.say(str(error))
            return
        if stored is not None:
            self.dismiss(stored)
            return

        def work(limit: Limit, progress: Callable[[int], None]) -> Puzzle:
            return make_puzzle(puzzle_id, limit.stop, progress)

        self._job = Job(f"Making it: {puzzle_id.words().lower()}", work, lambda _: ())
        self._show_progress()
        self._job.start(lambda done: owner.call_soon(lambda: self._finish(done)))

    def _finish(self, job: Job) -> None:
        if job is not self._job or not self.is_active:  # behind the help: on_screen_resume
            return
        self._job = None
        if job.result is None:
            self.say(job.error)
            return
        try:
            if (store := self.owner.store) is not None:
                store.puzzles.add(job.result)
        except GridproofError as error:
            self.owner.notify(printable(str(error)), severity="warning", markup=False)
        self.dismiss(job.result)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _show_progress(self) -> None:
        if (job := self._job) is not None:
            boards = f" {format_count(job.positions, 'boards')}." if job.positions else ""
            self.say(f"{job.what} ...{boards} Press Esc to cancel.")

    def say(self, words: str) -> None:
        """Show words below the choices."""
        self.query_one("#message", Static).update(printable(words), layout=False)

    @property
    def owner(self) -> BaseApp:
        """The application, of its own type."""
        return cast("BaseApp", self.app)


class DailyDialog(PuzzleDialog):
    """Chooses a game's puzzle of the day."""

    def compose(self) -> ComposeResult:
        """Lay out a line for each game."""
        with Vertical(classes="dialog -puzzle"):
            yield Label(f"Puzzle of the day, {today():%d %B %Y}", id="headline")
            yield Choices(*self._options())
            yield Static(id="message", markup=False)
        yield KeyFooter()

    def _options(self) -> Iterator[Option]:
        games = games_with_puzzles()
        widest = max(len(game.title) for game in games)
        longest = max(len(describe_difficulty(game, word)) for game in games for word in DIFFICULTIES)
        for game in games:
            puzzle_id = daily_id(game.name, today())
            mark = "✓ " if self._is_won(puzzle_id) else "  "
            title = f"{mask_unprintable(game.title):{widest}}  "
            difficulty = describe_difficulty(game, puzzle_id.difficulty)
            words = f"{difficulty:{longest}}  {puzzle_id.kind_words.lower()}"
            text = Text.assemble((mark, "green"), (title, "bold"), (words, "dim"))
            yield Option(text, id=str(puzzle_id))

    def _is_won(self, puzzle_id: PuzzleId) -> bool:
        store = self.owner.store
        try:
            puzzle = store.puzzles.get(puzzle_id) if store else None
            return bool(store and puzzle and store.won([puzzle.level])[0])
        except GridproofError:
            return False

    def show_choice(self) -> None:
        """Say that it is the same for all."""
        self.say("The same for all, until midnight UTC. Easy on Monday, hard at the weekend.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Make the puzzle."""
        self.make(parse_id(event.option_id or ""))


class PuzzleRows(Choices):
    """Rows whose values change to the left and right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,d", "screen.change(1)", "Another", tooltip="next choice in this line"),
        Binding("left,h,a", "screen.change(-1)", "Previous", False, tooltip="previous choice in this line"),
    ]


class NewPuzzleDialog(PuzzleDialog):
    """Chooses a game, a size and a difficulty; with an id, it makes a puzzle at once.

    Parameters
    ----------
    chosen : PuzzleId, optional
        The choice at first.
    begin : bool
        Make the puzzle `chosen` at once.
    """

    def __init__(self, chosen: PuzzleId | None = None, begin: bool = False) -> None:
        super().__init__()
        self._games = games_with_puzzles()
        self._chosen, self._begins = chosen or self._first_of(self._games[0]), begin

    def compose(self) -> ComposeResult:
        """Lay out a line for each choice, and a last one to begin."""
        with Vertical(classes="dialog -puzzle"):
            yield Label("New puzzle", id="headline")
            yield PuzzleRows(*(Option(line, id=name) for name, line in self._lines()))
            yield Static(id="message", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Begin, if that is wanted."""
        self.query_one(OptionList).highlighted = len(self._values)
        if self._begins:
            self.make(self._chosen)

    def show_choice(self) -> None:
        """Say what the chosen size means."""
        promise = promise_of_puzzles(game_named(self._chosen.game))
        self.say(f"{sentence(self._kind.meaning)} {promise}")

    def action_change(self, step: int) -> None:
        """Choose the next or the previous value of the line."""
        rows = self.query_one(OptionList)
        name = rows.highlighted_option.id if rows.highlighted_option else None
        if name not in self._values or self._job is not None:
            return
        values, at = self._values[name]
        self._choose(name, values[(at + step) % len(values)])
        for row, line in self._lines():
            rows.replace_option_prompt(row, line)
        self.show_choice()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Make a puzzle, ask for an id, or choose the next value of the line."""
        if event.option_id == MAKE:
            self.make(draw_id(self._chosen))
        elif event.option_id == BY_ID:
            self.owner.run_dialog(LineDialog("Id of a puzzle", "sokoban-small-easy-1f3k9", self._read_id))
        else:
            self.action_change(1)

    def _read_id(self, text: str) -> Callable[[], object]:
        puzzle_id = parse_id(text)
        return lambda: self.make(puzzle_id)

    # -- the choice

    @property
    def _kinds(self) -> Sequence[Kind]:
        puzzles = puzzles_of(game_named(self._chosen.game))
        assert puzzles is not None, "only games with puzzles are offered"
        return puzzles.kinds

    @property
    def _kind(self) -> Kind:
        return next(kind for kind in self._kinds if kind.name == self._chosen.kind)

    @property
    def _values(self) -> dict[str, tuple[Sequence[str], int]]:
        """For each line its values, and the place of the chosen one."""
        names = {
            GAME: [game.name for game in self._games],
            KIND: [kind.name for kind in self._kinds],
            DIFFICULTY: self._kind.difficulties,
        }
        return {line: (values, values.index(getattr(self._chosen, line))) for line, values in names.items()}

    def _choose(self, line: str, value: str) -> None:
        if line == GAME:
            self._chosen = self._first_of(game_named(value), self._chosen.difficulty)
        elif line == KIND:
            kind = next(kind for kind in self._kinds if kind.name == value)
            self._chosen = self._nearest(self._chosen.game, kind, self._chosen.difficulty)
        else:
            self._chosen = self._chosen._replace(difficulty=value)

    def _first_of(self, game: Game, difficulty: str = EASY) -> PuzzleId:
        puzzles = puzzles_of(game)
        assert puzzles is not None, "only games with puzzles are offered"
        return self._nearest(game.name, puzzles.kinds[0], difficulty)

    @staticmethod
    def _nearest(game: str, kind: Kind, difficulty: str) -> PuzzleId:
        """Return a choice of a kind with the difficulty, or the first that the kind offers."""
        offered = kind.difficulties
        return PuzzleId(game, kind.name, difficulty if difficulty in offered else offered[0], 0)

    def _lines(self) -> Iterator[tuple[str, Text]]:
        chosen = self._chosen
        game = game_named(chosen.game)
        values = {
            GAME: mask_unprintable(game.title),
            KIND: mask_unprintable(self._kind.title),
            DIFFICULTY: describe_difficulty(game, chosen.difficulty),
        }
        for name, label in ((GAME, "Game"), (KIND, "Size"), (DIFFICULTY, "Difficulty")):
            yield name, Text.assemble((f"{label:12}", "dim"), f"‹ {values[name]} ›")
        yield MAKE, Text("Make and play it", "bold")
        yield BY_ID, Text("Type an id")
