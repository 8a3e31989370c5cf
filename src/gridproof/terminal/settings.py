"""Settings of a player in a file: theme, keys, speed, verdict."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from gridproof.core.errors import GridproofError
from gridproof.core.look import ON_BOARD, OWN
from gridproof.core.text import files
from gridproof.table.status import ALWAYS, MODES

SLOWEST, FASTEST = 4.0, 1 / 64
"""Limits of the seconds per step of a replay."""


def settings_file() -> Path:
    """Return the default file of settings."""
    return Path(platformdirs.user_config_dir("gridproof")) / "terminal.json"


@dataclass
class Settings:
    """The settings of one player; mutable."""

    path: Path | None = None
    """File of the settings; None: they are not saved."""
    theme: str = "gridproof-dark"
    step: float = 0.25
    """Seconds per step of a replay."""
    motion: bool = True
    """True if pieces move on the board; else it changes at once."""
    directions: str = ON_BOARD
    """Frame of arrows and words: `gridproof.core.look.ON_BOARD` or `OWN`."""
    badge: str = ALWAYS
    """When the verdict is shown: one of `gridproof.table.status.MODES`."""
    keys: dict[str, dict[str, str]] = field(default_factory=dict)
    """The player's own keys by game ("" for commands), as in `gridproof.terminal.keys`."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Load the settings of a file; missing ones are the defaults.

        Raises
        ------
        GridproofError
            When the file holds no valid settings.
        """
        settings = cls(path)
        if not path.is_file():
            return settings
        try:
            settings._update(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise GridproofError(f"{path}: invalid settings are ignored: {error}") from None
        return settings

    def _update(self, data: dict[str, Any]) -> None:
        theme, step, motion = (
            data.get("theme", self.theme),
            data.get("step", self.step),
            data.get("motion", True),
        )
        if not isinstance(theme, str) or not isinstance(motion, bool):
            raise TypeError("theme must be a text, motion true or false")
        keys = {
            str(game): {str(k): str(v) for k, v in own.items()} for game, own in data.get("keys", {}).items()
        }
        self.theme, self.motion, self.keys = theme, motion, keys
        self.directions = OWN if data.get("directions") == OWN else ON_BOARD
        self.badge = data.get("badge", self.badge)
        if self.badge not in MODES:
            self.badge = ALWAYS
            raise ValueError(f"badge must be one of {', '.join(MODES)}")
        self.step = min(max(float(step), FASTEST), SLOWEST)

    def save(self) -> None:
        """Save the settings.

        Raises
        ------
        GridproofError
            When the file cannot be written.
        """
        if self.path is None:
            return
        data = {name: value for name, value in asdict(self).items() if name != "path"}
        with files.report_errors(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        files.write(self.path, json.dumps(data, indent=2) + "\n")
