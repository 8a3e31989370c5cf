"""A request to train a player by playing: the command `train`, which games add."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level


@dataclass(frozen=True, kw_only=True)
class TrainRequest:
    """Options of `train` that every game has."""

    level: Level
    out: Path
    """File of the player and of its training."""
    seed: int = 0
    games: int | None = None
    """The number of games in all, with those before a `resume`."""
    seconds: float | None = None
    """Seconds from now until the end."""
    checkpoint: float = 300.0
    """Seconds between two savings of the file."""
    resume: bool = False
    """Go on with the file."""
    force: bool = False
    """Overwrite the files of other options."""
    command: str = ""
    """Command line, for the file."""

    def __post_init__(self) -> None:
        for name in ("seconds", "checkpoint"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise GridproofError(f"{name} {value:g}: it must be a number of at least 0")
