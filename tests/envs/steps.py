"""Length of the long tests of environments."""

from __future__ import annotations

import os


def many(usual: int) -> int:
    """Steps of a game in a long test; a million take minutes: GRIDPROOF_STEPS=1000000 pytest tests/envs -m long."""
    return int(os.environ.get("GRIDPROOF_STEPS", usual))
