"""A lemma of certificates of the kind "pushes"."""

from __future__ import annotations

from typing import NamedTuple

from gridproof.games.sokoban.certificate.pushes import Pushes
from gridproof.games.sokoban.grid import Places


class Lemma(NamedTuple):
    """A reason why positions are dead: boxes that never move, or more boxes in a trap than depots."""

    frozen: Places
    trap: Places | None

    def proves_dead(self, boxes: Places, depots: Places) -> bool:
        """Return whether positions with these boxes cannot be won."""
        if boxes & self.frozen != self.frozen:
            return False
        if self.trap is None:
            return bool(self.frozen & ~depots)
        return (boxes & self.trap).bit_count() > (depots & self.trap).bit_count()

    def holds(self, pushes: Pushes, walls: Places) -> bool:
        """Return whether the lemma is true among these walls."""
        if pushes.movable_boxes(self.frozen, walls):
            return False
        return self.trap is None or not (
            self.trap & self.frozen or pushes.exits(self.trap, walls | self.frozen)
        )
