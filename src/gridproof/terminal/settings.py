"""What a player has chosen, kept in a file: theme, keys, speed, what is told."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from gridproof.core import files
from gridproof.core.errors import GridproofError
from gridproof.play.lookout import MODES, ON_REQUEST

SLOWEST, FASTEST = 4.0, 1 / 64
"""Seconds of a step of what is watched."""


def settings_file() -> Path:
    """Where settings are by default."""
    return Path(platformdirs.user_config_dir("gridproof")) / "terminal.json"


@dataclass
class Settings:
    """The settings of one player; mutable."""

    path: Path | None = None
    """Where they are kept; None: nowhere."""
    theme: str = "gridproof-dark"
    step: float = 0.25
    """Seconds of a step of what is watched."""
    motion: bool = True
    """Whether things move; else the board changes at once."""
    badge: str = ON_REQUEST
    """When the player is told what is proved: one of `gridproof.play.lookout.MODES`."""
    keys: dict[str, dict[str, str]] = field(default_factory=dict)
    """Keys of the player's own by game ("" for commands): each means what another key or a command means."""

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Those of a file; those that are missing are as at first.

        Raises
        ------
        GridproofError
            When there is a file, and it holds no settings.
        """
        settings = cls(path)
        if not path.is_file():
            return settings
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            settings._take(found)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise GridproofError(f"{path}: these are no settings, and are left out: {error}") from None
        return settings

    def _take(self, found: dict[str, Any]) -> None:
        theme, step, motion = (
            found.get("theme", self.theme),
            found.get("step", self.step),
            found.get("motion", True),
        )
        if not isinstance(theme, str) or not isinstance(motion, bool):
            raise TypeError("a theme is a text, motion true or false")
        keys = {
            str(game): {str(k): str(v) for k, v in own.items()} for game, own in found.get("keys", {}).items()
        }
        self.theme, self.motion, self.keys = theme, motion, keys
        self.badge = found.get("badge", self.badge)
        if self.badge not in MODES:
            self.badge = ON_REQUEST
            raise ValueError(f"badge is one of {', '.join(MODES)}")
        self.step = min(max(float(step), FASTEST), SLOWEST)

    def save(self) -> None:
        """Keep them.

        Raises
        ------
        GridproofError
            When the file cannot be written.
        """
        if self.path is None:
            return
        data = {name: value for name, value in asdict(self).items() if name != "path"}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GridproofError(f"{self.path.parent}: {error.strerror}") from None
        files.write(self.path, json.dumps(data, indent=2) + "\n")
