"""Choice between one thread and several: several are slower if other programs use the cores."""

from __future__ import annotations

_BLOCK = 32
"""Steps between two comparisons."""
_FEWEST, _MOST = 4, 64
"""Smallest and largest number of blocks until the next trial."""


class ThreadTuner:
    """Compares steps of several threads with steps of one, and chooses the faster way.

    The slower way is tried for a block of steps now and then, more seldom the longer it stays slower.
    A trial that takes too long is cut short.
    """

    def __init__(self) -> None:
        self.alone = True
        """True if one thread does the next step."""
        self._means: dict[bool, float] = {}  # seconds per step of both ways
        self._trial = True
        self._interval = self._left = _FEWEST
        self._steps, self._seconds = 0, 0.0

    def record(self, seconds: float) -> None:
        """Record the time of a step."""
        self._steps += 1
        self._seconds += seconds
        if self._steps >= _BLOCK or (self._trial and self._seconds > 2 * _BLOCK * self._other()):
            self._choose()

    def _other(self) -> float:
        return self._means.get(not self.alone, float("inf"))

    def _choose(self) -> None:
        """Choose the way of the next block."""
        mean, mean_before = self._seconds / self._steps, self._means.get(self.alone)
        self._means[self.alone] = mean if self._trial or mean_before is None else (mean + mean_before) / 2
        self._steps, self._seconds = 0, 0.0
        slower = self._means[self.alone] > self._other()
        if self._trial and len(self._means) == 2:
            self._interval = min(2 * self._interval, _MOST) if slower else _FEWEST
            self._left = self._interval
        self._left -= 1
        self._trial = len(self._means) < 2 or (not slower and self._left <= 0)
        if self._trial or slower:
            self.alone = not self.alone
