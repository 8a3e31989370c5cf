"""Lists of choices: what their keys do stands in the footer, and letters move in them as arrows do.

Keys of lists are the lists' own: those that a screen takes first would come before arrows that were typed earlier.
"""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList

UP_AND_DOWN: tuple[BindingType, ...] = (
    Binding("down,j,s", "cursor_down", "Down", False),
    Binding("up,k,w", "cursor_up", "Up", False),
)


class Choices(OptionList):
    """Some choices, one of which is taken."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose"), *UP_AND_DOWN]
