"""Preload solvers in a process that waits for work; importing this module loads none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridproof.core.lazy_import import load
from gridproof.core.registry import game


def preload_solvers(games: Iterable[str]) -> Iterator[str]:
    """Load the solvers of games, one after the other; yield their names."""
    for name in games:
        yield from load("gridproof.search.warm").load_solvers(game(name))
