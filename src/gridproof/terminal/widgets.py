"""Widgets of several screens: lists of choices, and the row of keys at the bottom.

Keys of lists are bindings of the lists: bindings of a screen would run before arrows that were typed earlier.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, OptionList
from textual.widgets._footer import FooterKey

UP_AND_DOWN: tuple[BindingType, ...] = (
    Binding("down,j,s", "cursor_down", "Down", False),
    Binding("up,k,w", "cursor_up", "Up", False),
)


class Choices(OptionList):
    """A list of choices; letters move in it as arrows do."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose"), *UP_AND_DOWN]


class KeyFooter(Footer):
    """The keys of the screen, as many as fit."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._bindings_on_show: list[tuple[Binding, bool]] | None = None

    def compose(self) -> ComposeResult:
        """Lay out keys until there is no room for the next."""
        used, self._bindings_on_show = 0, self._visible_bindings
        for key in super().compose():
            if isinstance(key, FooterKey):
                used += len(key.key_display) + len(key.description) + 2
            if used - 1 <= self.app.size.width:
                yield key

    @property
    def _visible_bindings(self) -> list[tuple[Binding, bool]]:
        bindings = self.screen.active_bindings.values()
        return [(binding, enabled) for _, binding, enabled, _ in bindings if binding.show]

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Lay out the keys again if they are others; after most actions they are the same."""
        has_changed = screen is self.screen and self._visible_bindings != self._bindings_on_show
        if not self._bindings_ready or has_changed:
            super().bindings_changed(screen)

    def on_resize(self) -> None:
        """Lay out as many keys as fit now."""
        self.refresh(recompose=True)
