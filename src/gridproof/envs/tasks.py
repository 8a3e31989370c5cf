"""Graded tasks: sets of levels that never change, so that results are comparable.

import gridproof.envs
env = gymnasium.make("gridproof/Sokoban-v0", levels=gridproof.envs.task("sokoban-easy"))
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Hashable, Mapping
from pathlib import Path

from gridproof.core.design import canonical
from gridproof.core.errors import GridproofError
from gridproof.core.registry import game as game_named
from gridproof.core.text import level_lookup
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import short_repr

LEVELS = 100
"""Number of levels of each task."""
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


CERTIFICATES: Mapping[str, str] = {
    "shiftit-easy": "45ae9f57f4206554d1343e1e240776d54d833796e9830b5a729d7f2b9dce0c26",
    "shiftit-medium": "3afcc212b81ba0c98e2313fe25273ccbf1be26b4904938e72bb76ff9e55af3c9",
    "shiftit-hard": "a6998f1361c573e64733b3fe20960e28dc33d0cdc36b77c0920cdfc07c27df5d",
    "robots-easy": "fbd6383fcee7bc1894b15c5476f199b6a44ee75edabaf3562f6d37589a0e3644",
    "robots-medium": "cd19aa7fc6e47330714c80ed434ab3e7af491a19c6e3aa74036dbaa3533c898e",
    "robots-hard": "ad1ef9621b5bbb9c0b005f0ab82ddd1359757aa925be79e536b1806f97dffb9e",
    "twenty48-easy": "e42f9912a2c5e311c2b8ffbd4f775d7080f5087fc1b8b155cc4a9dfea9d3c8bc",
    "twenty48-medium": "73e8dd6e45e9563ca45a53a4340ec8ca1609776f4af766401211c7d27e36f760",
    "twenty48-hard": "ae022514b4e6064705d291ea1f51990991e84d091b069411a9c1c83e3139a9f2",
}
"""SHA-256 of each task's file of certificates, if the format of its levels cannot hold them."""


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits; "" without a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@functools.cache
def task(name: str) -> Pack:
    """Return the levels of a task; the certificate of each wins with the fewest actions.

    In 2048 that is the fewest with luck, and the key `Best` is the best player's probability of a win.

    Parameters
    ----------
    name : str
        One of `DIGESTS`: "sokoban-easy".

    Returns
    -------
    Pack

    Raises
    ------
    GridproofError
        When there is no such task, or its files have changed.

    Examples
    --------
    >>> import gridproof.envs
    >>> len(gridproof.envs.task("sokoban-easy"))
    100
    """
    pack, path = _read(name)
    certificates = level_lookup.certificate_file(path)
    _check(certificates, CERTIFICATES.get(name, ""), f"the certificates of the task {name}")
    level_lookup.add_certificates(pack, path)
    return pack


@functools.cache
def canonical_levels(game: str) -> frozenset[Hashable]:
    """Return the levels of all tasks of a game in `gridproof.core.design.canonical` form; errors as of `task`."""
    names = [name for name in DIGESTS if _game_of(name) == game]
    return frozenset(canonical(level) for name in names for level in _read(name)[0])


def _game_of(name: str) -> str:
    return name.split("-", maxsplit=1)[0]


def _read(name: str) -> tuple[Pack, Path]:
    """Return the levels of a task, without the certificates beside them, and their file."""
    if name not in DIGESTS:
        raise GridproofError(f"no task {short_repr(name)}: there are {', '.join(DIGESTS)}")
    own = game_named(_game_of(name))
    path = Path(__file__).parent / "graded" / f"{name}{own.own_format.extensions[0]}"
    _check(path, DIGESTS[name], f"the levels of the task {name}")
    return level_lookup.read(path, own), path


def _check(path: Path, digest: str, what: str) -> None:
    """Check that a file has not changed."""
    if digest_of(path) != digest:
        raise GridproofError(f"{path}: {what} {'have been changed' if path.is_file() else 'are missing'}")
