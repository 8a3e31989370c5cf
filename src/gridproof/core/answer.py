"""What commands that games add to the program give (`Game.commands`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What has been found out about one thing."""

    holds: bool | None
    """Yes, no, or None where a limit was reached first."""
    words: str
    """A paragraph for people."""
    data: Mapping[str, Any]
    """The same for programs, as JSON has it."""
    picture: str = ""
    """Lines to be shown below the words."""
