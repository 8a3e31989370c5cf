"""What is asked for in words: a line, a file, levels as text. What is wrong is said where it was typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import DirectoryTree, Input, Label, Static, TextArea

from gridproof.core.errors import GridproofError
from gridproof.play.terminal.footer import KeysBelow
from gridproof.play.terminal.help import HELP_BESIDE_TEXT
from gridproof.play.text import printable

Deed = Callable[[], object]
Taken = Callable[[str], Deed]
"""Takes what was typed, and gives what is to be done when the dialog has gone; raises GridproofError when it cannot be."""


class Dialog(ModalScreen[Deed]):
    """Asks for something, and stays until it can be done or is given up; what is to be done then is its result."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", tooltip="do nothing"),
        HELP_BESIDE_TEXT,
    ]

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self._taken = taken

    def take(self, text: str) -> None:
        """Take what was typed, or say what is wrong with it."""
        try:
            deed = self._taken(text)
        except GridproofError as error:
            self.query_one(".fault", Static).update(printable(str(error)))
        else:
            self.dismiss(deed)


class Line(Input):
    """A line that is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Do it", tooltip="take what is typed")
    ]


class LineDialog(Dialog):
    """Asks for a line."""

    def __init__(self, question: str, example: str, taken: Taken) -> None:
        super().__init__(taken)
        self._question, self._example = question, example

    def compose(self) -> ComposeResult:
        """The question, a line, and what is wrong with it."""
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield Line(placeholder=self._example)
            yield Static(classes="fault", markup=False)
        yield KeysBelow()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line is there."""
        self.take(event.value)


class OpenDialog(Dialog):
    """Asks for a file, by its name or from the folder."""

    def compose(self) -> ComposeResult:
        """A line for the name, and the folder below."""
        with Vertical(classes="dialog -tall"):
            yield Label("A file of levels or a trace, or the name of a pack")
            yield Line(placeholder="levels.xsb")
            yield Static(classes="fault", markup=False)
            yield DirectoryTree(Path.cwd())
        yield KeysBelow()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A name is there."""
        self.take(event.value)

    def on_directory_tree_file_selected(self, event: DirectoryTree.FileSelected) -> None:
        """A file of the folder."""
        self.take(str(event.path))


class PasteDialog(Dialog):
    """Asks for levels as text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f5,ctrl+j", "play", "Play them", priority=True)]

    def compose(self) -> ComposeResult:
        """Room for a text; the application's own clipboard is in it already."""
        with Vertical(classes="dialog -tall"):
            yield Label("Paste levels here, then press F5")
            yield TextArea(self.app.clipboard)
            yield Static(classes="fault", markup=False)
        yield KeysBelow()

    def action_play(self) -> None:
        """The text is there."""
        self.take(self.query_one(TextArea).text)
