"""Kernels of Sokoban that only large levels need, for `gridproof warm` to compile."""

from __future__ import annotations


def _warm_searches() -> None:
    """Search a tiny level by macro moves."""
    from gridproof.games.sokoban.feature_search.searches import prepare_trees

    prepare_trees()


WARM = {"any solution by macro moves": _warm_searches}
