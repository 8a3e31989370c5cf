"""Which boxes that left their goals stand on which starts: each start takes one."""

from __future__ import annotations

_MOST = 128
"""The most starts that are matched; of more, each takes any number of boxes."""


class StartMatching:
    """A matching of boxes and the squares on which boxes start, which grows box by box.

    Parameters
    ----------
    starts : list of int
        Their squares.
    """

    def __init__(self, starts: list[int]) -> None:
        self.open = set(starts)
        """The starts that another box can have, if others change theirs."""
        self._free, self._starts = set(starts), set(starts)
        self._reach = list[set[int]]()
        self._boxes = dict[int, int]()
        self._is_relaxed = len(starts) > _MOST

    def relax(self) -> None:
        """Let each start take any number of boxes from now on."""
        self._is_relaxed, self.open = True, self._starts

    def add(self, reach: set[int]) -> bool:
        """Give a box one of the starts that it reaches; return whether one was left for it."""
        if not reach & self.open:
            return False
        if self._is_relaxed:
            return True
        self._reach.append(reach)
        self._augment(len(self._reach) - 1, set())
        self._find_open()
        return True

    def _augment(self, box: int, tried: set[int]) -> bool:
        for start in sorted(self._reach[box] & self.open - tried):
            tried.add(start)
            other = self._boxes.get(start)
            if other is None or self._augment(other, tried):
                self._boxes[start] = box
                self._free.discard(start)
                return True
        return False

    def _find_open(self) -> None:
        found = set(self._free)
        before = -1
        while before < len(found):
            before = len(found)
            found |= {start for start, box in self._boxes.items() if self._reach[box] & found}
        self.open = found
