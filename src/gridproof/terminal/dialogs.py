"""Dialogs for text: a line, a file, levels. An error shows below the input."""

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
from gridproof.core.text.display import printable
from gridproof.terminal.help_screen import HELP_BESIDE_TEXT
from gridproof.terminal.widgets import KeyFooter

Callback = Callable[[], object]
TextHandler = Callable[[str], Callback]
"""Takes the text, returns a callback for when the dialog has closed; raises GridproofError for invalid text."""


class Dialog(ModalScreen[Callback]):
    """Asks for text until it is valid or the player cancels; the result is the handler's callback."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Back", tooltip="do nothing"),
        HELP_BESIDE_TEXT,
    ]

    def __init__(self, handler: TextHandler) -> None:
        super().__init__()
        self._handler = handler

    def submit(self, text: str) -> None:
        """Close the dialog with the text, or show the error in it."""
        try:
            callback = self._handler(text)
        except GridproofError as error:
            self.query_one(".fault", Static).update(printable(str(error)))
        else:
            self.dismiss(callback)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Submit the line."""
        self.submit(event.value)


class LineInput(Input):
    """Input of a line."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Do it", tooltip="confirm")]


class LineDialog(Dialog):
    """Asks for a line."""

    def __init__(self, question: str, example: str, handler: TextHandler) -> None:
        super().__init__(handler)
        self._question, self._example = question, example

    def compose(self) -> ComposeResult:
        """Lay out the question, the line, and its error."""
        with Vertical(classes="dialog"):
            yield Label(self._question, markup=False)
            yield LineInput(placeholder=self._example)
            yield Static(classes="fault", markup=False)
        yield KeyFooter()


class OpenDialog(Dialog):
    """Asks for a file, by its name or from the folder."""

    def compose(self) -> ComposeResult:
        """Lay out the line for the name, and the folder below."""
        with Vertical(classes="dialog -tall"):
            yield Label("File with levels or a trace, or name of a pack")
            yield LineInput(placeholder="levels.xsb")
            yield Static(classes="fault", markup=False)
            yield DirectoryTree(Path.cwd())
        yield KeyFooter()

    def on_directory_tree_file_selected(self, event: DirectoryTree.FileSelected) -> None:
        """Submit a file of the folder."""
        self.submit(str(event.path))


class PasteDialog(Dialog):
    """Asks for levels as text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f5,ctrl+j", "play", "Play them", priority=True)]

    def compose(self) -> ComposeResult:
        """Lay out a text area that holds the application's clipboard."""
        with Vertical(classes="dialog -tall"):
            yield Label("Paste levels here, then press F5")
            yield TextArea(self.app.clipboard)
            yield Static(classes="fault", markup=False)
        yield KeyFooter()

    def action_play(self) -> None:
        """Submit the text."""
        self.submit(self.query_one(TextArea).text)
