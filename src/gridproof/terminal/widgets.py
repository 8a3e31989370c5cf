"""The row of keys at the bottom: as many as fit, and none by half."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class KeysBelow(Footer):
    """The keys that do something here, the first of them on a narrow terminal."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._shown: list[tuple[Binding, bool]] | None = None
        """What the row was made of."""

    def compose(self) -> ComposeResult:
        """Keys until there is no room for the next."""
        used, self._shown = 0, self._wanted
        for key in super().compose():
            if isinstance(key, FooterKey):
                used += len(key.key_display) + len(key.description) + 2
            if used - 1 <= self.app.size.width:
                yield key

    @property
    def _wanted(self) -> list[tuple[Binding, bool]]:
        bindings = self.screen.active_bindings.values()
        return [(binding, enabled) for _, binding, enabled, _ in bindings if binding.show]

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Make the row again where it is another one; after most actions it is the same."""
        if not self._bindings_ready or (screen is self.screen and self._wanted != self._shown):
            super().bindings_changed(screen)

    def on_resize(self) -> None:
        """There may be room for others."""
        self.refresh(recompose=True)
