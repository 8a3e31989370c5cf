"""The row of keys at the bottom: as many as fit, and none by half."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class KeysBelow(Footer):
    """The keys that do something here, the first of them on a narrow terminal."""

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)

    def compose(self) -> ComposeResult:
        """Keys until there is no room for the next."""
        used = 0
        for key in super().compose():
            if isinstance(key, FooterKey):
                used += len(key.key_display) + len(key.description) + 2
            if used - 1 <= self.app.size.width:
                yield key

    def on_resize(self) -> None:
        """There may be room for others."""
        self.refresh(recompose=True)
