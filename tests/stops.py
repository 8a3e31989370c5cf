"""Stops that do not depend on the clock."""

from __future__ import annotations


class CountedStop:
    """A stop that is set when it has been asked so often."""

    def __init__(self, most: int) -> None:
        self.left = most
        """How often it may still be asked before it is set."""

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0
