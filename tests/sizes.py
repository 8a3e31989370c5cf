"""Sizes of random comparisons: the usual ones keep the tests short, and the environment asks for more."""

from __future__ import annotations

import os


def size(kind: str, usual: int) -> int:
    """Return how many there are to be: GRIDPROOF_STEPS=1000000 for the kind `steps`."""
    return int(os.environ.get(f"GRIDPROOF_{kind.upper()}", usual))
