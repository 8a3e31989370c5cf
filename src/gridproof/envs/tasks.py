"""Graded tasks: sets of levels that never change, so that results are comparable.

import gridproof.envs
env = gymnasium.make("gridproof/Sokoban-v0", levels=gridproof.envs.task("sokoban-easy"))
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Hashable
from pathlib import Path

from gridproof.core.design import canonical
from gridproof.core.errors import GridproofError
from gridproof.core.registry import game as game_named
from gridproof.core.text import level_lookup
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import short_repr

LEVELS = 100
"""Number of levels of each task."""
_FILES = {
    file: digest
    for line in Path(__file__).with_name("graded.sha256").read_text(encoding="ascii").splitlines()
    for digest, file in [line.split()]
}
"""SHA-256 of each file, as `sha256sum --check` reads it."""
DIGESTS = {
    Path(file).stem: digest for file, digest in _FILES.items() if level_lookup.CERTIFICATES not in file
}
"""SHA-256 of each task's file of levels."""


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
    digest = _FILES.get(f"graded/{certificates.name}", "")  # there are none if the levels have them
    _check(certificates, digest, f"the certificates of the task {name}")
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
