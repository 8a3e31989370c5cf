"""Graded tasks: sets of levels that stay the same for ever, so that results can be compared.

import gridproof.envs
env = gymnasium.make("gridproof/Sokoban-v0", levels=gridproof.envs.task("sokoban-easy"))
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from pathlib import Path

from gridproof.core import reading, shelf
from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.registry import game
from gridproof.core.wording import shown

LEVELS = 100
"""How many levels each task has."""
DIGESTS: Mapping[str, str] = {
    "sokoban-easy": "009432c47c65a22188a7fec28f1f247edc9e008d7c324827a92ef8e8b566830e",
    "sokoban-medium": "80c2432610c19b6a81c3b6c9e76d66896b6c678170b90623bcb0e838bfbb2642",
    "robots-easy": "7ff7105a840b62c11d3caee3ff332c364e44f5c4fb76f7b53df6d50cb486af20",
}
"""SHA-256 of each task's file of levels."""


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def task(name: str) -> Pack:
    """The levels of a task; the certificate of each wins with the fewest actions.

    Parameters
    ----------
    name : str
        One of `DIGESTS`: "sokoban-easy".

    Raises
    ------
    GridproofError
        When there is no such task, or its file is not what it was.
    """
    if name not in DIGESTS:
        raise GridproofError(f"no task {shown(name)}: there are {', '.join(DIGESTS)}")
    own = game(name.split("-", maxsplit=1)[0])
    path = Path(__file__).parent / "graded" / f"{name}{own.formats[0].extensions[0]}"
    if digest_of(path) != DIGESTS[name]:
        raise GridproofError(f"{path}: the levels of the task {name} have been changed")
    pack = reading.read(path, own)
    shelf.add_certificates(pack, path)
    return pack
