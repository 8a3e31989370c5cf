"""Positions of certificates of the kind "pushes": by a search that leaves out what a lemma calls dead."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from gridproof.core.limit import Meter
from gridproof.core.proposition import Goal
from gridproof.games.sokoban.certificate.check import Lemma
from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.games.sokoban.rules import Position
from gridproof.search.space import Progress

_MOST_FREEZES = 300
"""Sets of frozen boxes for which traps are looked for: it takes some hundredths of a second each."""
_CHECK_EVERY = 256


class ClosedSet:
    """What can be reached from some starts and is not dead, if no win is among it.

    Attributes
    ----------
    holds : bool or None
        None as long as something is open, False when a win has been found.
    """

    def __init__(self, starts: list[Position]) -> None:
        self._pushes = pushes = Pushes(starts[0].level)
        self._places: dict[Node, tuple[Places, ...]] = {}
        self._open: list[tuple[Node, Places, Places]] = []
        self._used: dict[Lemma, None] = {}
        self._freezes = set[Places]()
        self._traps = functools.cache(self._find_traps)
        self.holds: bool | None = None
        for start in starts:
            self._add(*pushes.node(start))

    def run(self, meter: Meter, progress: Progress | None) -> None:
        """Search on, to the end or a limit."""
        pushes = self._pushes
        for count, (node, _, walked) in enumerate(self._open):
            if node.boxes == pushes.depots:
                self.holds = False
                return
            if count % _CHECK_EVERY == 0:
                if progress:
                    progress(len(self._open))
                if meter.reached(len(self._open)):
                    return
            for after, player in pushes.after(node, walked):
                if not any(known & player for known in self._places.get(after, ())) and not self._dead(after):
                    self._add(after, player)
        self.holds = True

    def _add(self, node: Node, player: Places) -> None:
        walked = self._pushes.walked(node, player)
        self._places[node] = (*self._places.get(node, ()), walked)
        self._open.append((node, player, walked))

    def __len__(self) -> int:
        return len(self._open)

    def texts(self) -> Iterator[str]:
        """The canonical texts of what is listed."""
        return (self._pushes.position(node, player).text() for node, player, _ in self._open)

    def lemmas(self) -> list[Any]:
        """The lemmas that were used, as a certificate has them."""
        return [self._written(lemma) for lemma in self._used]

    def _written(self, lemma: Lemma) -> dict[str, list[list[int]]]:
        frozen = self._squares(lemma.frozen)
        if lemma.trap is None:
            return {"freeze": frozen}
        trap = {"trap": self._squares(lemma.trap)}
        return trap | {"frozen": frozen} if frozen else trap

    def _squares(self, places: Places) -> list[list[int]]:
        return [list(cell) for cell in self._pushes.grid.cells(places)]

    def _dead(self, node: Node) -> bool:
        """Whether a lemma says so; those of positions with bombs would have to do without walls."""
        if node.bombs:
            return False
        lemma = self._lemma(node.boxes, node.walls)
        if lemma is not None:
            self._used[lemma] = None
        return lemma is not None

    def _lemma(self, boxes: Places, walls: Places) -> Lemma | None:
        if found := self._trap(boxes, 0, walls):
            return found
        frozen = boxes
        while movable := self._pushes.movable(frozen, walls):
            frozen ^= movable
        if wrong := frozen & ~self._pushes.depots:
            return Lemma(self._holding(wrong & -wrong, frozen, walls), None)
        if not frozen or (len(self._freezes) >= _MOST_FREEZES and frozen not in self._freezes):
            return None
        self._freezes.add(frozen)
        return self._trap(boxes, frozen, walls)

    def _holding(self, box: Places, frozen: Places, walls: Places) -> Places:
        """Few of the frozen boxes that hold each other, one of them this one."""
        for cell in self._pushes.grid.cells(frozen ^ box):
            fewer = frozen & ~self._pushes.grid.bits[cell]
            while movable := self._pushes.movable(fewer, walls):
                fewer ^= movable
            if fewer & box:
                frozen = fewer
        return frozen

    def _trap(self, boxes: Places, frozen: Places, walls: Places) -> Lemma | None:
        for trap, room in self._traps(frozen, walls):
            if (boxes & trap).bit_count() > room:
                return Lemma(frozen, trap)
        return None

    def _find_traps(self, frozen: Places, walls: Places) -> list[tuple[Places, int]]:
        """Sets of squares that no push leaves, with the depots in them: what a box can be pushed to, from anywhere.

        All those without a depot are one.
        """
        pushes, free = self._pushes, self._pushes.grid.everywhere & ~walls & ~frozen
        traps, without = dict[Places, int](), Places()
        for cell in pushes.grid.cells(free):
            trap = pushes.grid.bits[cell]
            while leaves := pushes.leaves(trap, walls | frozen):
                trap |= leaves
            traps[trap] = (trap & pushes.depots).bit_count()
            without |= 0 if traps[trap] else trap
        few = {trap: room for trap, room in traps.items() if 0 < room < len(pushes.level.boxes)}
        return [*([(without, 0)] if without else []), *sorted(few.items(), key=lambda item: item[1])]


def closed_set(
    starts: list[Position], goal: Goal, meter: Meter, progress: Progress | None
) -> ClosedSet | None:
    """What a certificate lists; None when it is not about wins."""
    if not goal.is_win:
        return None
    found = ClosedSet(starts)
    found.run(meter, progress)
    return found
