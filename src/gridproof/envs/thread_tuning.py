"""Whether steps are shared by threads: where other programs want the cores, whoever shares one waits for the others."""

from __future__ import annotations

_BLOCK = 32
"""Steps between two looks at what they have taken."""
_FEWEST, _MOST = 4, 64
"""Blocks until the other way is tried again."""


class Pace:
    """Compares steps that are shared with steps of one thread, and chooses what is quicker.

    What is slower is tried for a block of steps now and then, and the more seldom, the longer it has been slower.
    A trial that takes too long is broken off.
    """

    def __init__(self) -> None:
        self.alone = True
        """Whether the next step is one thread's."""
        self._means: dict[bool, float] = {}  # seconds a step, of both ways
        self._trial = True
        self._patience = self._left = _FEWEST
        self._steps, self._spent = 0, 0.0

    def took(self, seconds: float) -> None:
        """Note what a step has taken by the clock."""
        self._steps += 1
        self._spent += seconds
        if self._steps >= _BLOCK or (self._trial and self._spent > 2 * _BLOCK * self._other()):
            self._look()

    def _other(self) -> float:
        return self._means.get(not self.alone, float("inf"))

    def _look(self) -> None:
        """What the next block is."""
        mean, known = self._spent / self._steps, self._means.get(self.alone)
        self._means[self.alone] = mean if self._trial or known is None else (mean + known) / 2
        self._steps, self._spent = 0, 0.0
        slower = self._means[self.alone] > self._other()
        if self._trial and len(self._means) == 2:
            self._patience = min(2 * self._patience, _MOST) if slower else _FEWEST
            self._left = self._patience
        self._left -= 1
        self._trial = len(self._means) < 2 or (not slower and self._left <= 0)
        if self._trial or slower:
            self.alone = not self.alone
