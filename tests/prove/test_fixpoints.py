"""Fixpoints on small graphs that can be followed by hand."""

from __future__ import annotations

import numpy as np

from gridproof.prove.fixpoints import steps_until


def test_steps_are_counted_from_the_goals_alone_whatever_the_queue_held_before() -> None:
    """0 -> 1 -> 2 -> 0, the goal is 1."""
    ends, sources = np.array([0, 1, 2, 3]), np.array([2, 0, 1], np.int32)
    for before in range(3):
        steps = np.array([-1, 0, -1], np.int32)
        steps_until(ends, sources, steps, np.full(3, before, np.int32))
        assert [*steps] == [1, 0, 2]
