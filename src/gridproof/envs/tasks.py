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
    "sokoban-hard": "28dbfbd3269ece4795c808d7a452529a67818000a5e131f769f848e9d61a80a2",
    "shiftit-easy": "d55e1a3077b5b04aac911c44dd8917f8ee2ec83b15ceae159acacc94894c2931",
    "shiftit-medium": "6e16b8e3f049597261bf835d98db3c8f5e007edff5cf3175f7a2c263164df41a",
    "shiftit-hard": "b767ea0c6244a519e75445a670a50b4e1bacd0a7b15fed5c94fbf8314c8f5463",
    "robots-easy": "7ff7105a840b62c11d3caee3ff332c364e44f5c4fb76f7b53df6d50cb486af20",
    "robots-medium": "b0daa5b551af12f5d0a825e47d2bf6db968cdc5b58276f2035fe805a3e8a3387",
    "robots-hard": "a54b0fc272b8c79b5b1ff2712d403f7926542c0bd62a3e278fa8072ebe951edf",
    "twenty48-easy": "50eb0c1395b816429a16c2c7f02767376a6666d031836b588811c5c405658d00",
    "twenty48-medium": "25c9812e224113421ed1ba1b0698d9a1ddb452274ff54b903c6f2150ee5fb252",
    "twenty48-hard": "f4eea42cb07302eb34ca82c1d11c016f2ecaf6e489b19403e2b10b7b1ef2e1b6",
}
"""SHA-256 of each task's file of levels."""


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@functools.cache
def task(name: str) -> Pack:
    """The levels of a task; the certificate of each wins with the fewest actions.

    In 2048 that is the fewest if chance helps, and the key `Best` says the probability with which the best player wins.

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
