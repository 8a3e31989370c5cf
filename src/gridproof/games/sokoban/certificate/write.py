"""Search for the positions of certificates of the kind "pushes", without those that a lemma proves dead."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from gridproof.core.limit import Meter
from gridproof.games.sokoban.certificate.lemma import Lemma
from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.games.sokoban.rules import Position
from gridproof.search.space import Progress

_MOST_FREEZES = 300
"""Sets of frozen boxes for which traps are looked for: it takes some hundredths of a second each."""
_MOST_TRAPS = 64
"""Traps that may be joined: each is compared with every position."""
_CHECK_EVERY = 256


class ClosedSet:
    """The positions that can be reached from some starts and are not dead.

    Attributes
    ----------
    holds : bool or None
        None as long as something is open, False when a win has been found.
    """

    def __init__(self, starts: list[Position]) -> None:
        self._pushes = pushes = Pushes(starts[0].level)
        self._places: dict[Node, tuple[Places, ...]] = {}
        self._open: list[tuple[Node, Places, Places]] = []
        self._used_lemmas: dict[Lemma, None] = {}
        self._freezes = set[Places]()
        self._traps = functools.cache(self._find_traps)
        self.holds: bool | None = None
        for start in starts:
            self._add(*pushes.node(start))

    def run(self, meter: Meter, progress: Progress | None) -> None:
        """Search to the end or to a limit."""
        pushes = self._pushes
        for count, (node, _, region) in enumerate(self._open):
            if node.boxes == pushes.depots:
                self.holds = False
                return
            if count % _CHECK_EVERY == 0:
                if progress:
                    progress(len(self._open))
                if meter.is_reached(len(self._open)):
                    return
            for after, player in pushes.successors(node, region):
                is_known = any(known & player for known in self._places.get(after, ()))
                if not is_known and not self._is_dead(after):
                    self._add(after, player)
        self.holds = True

    def _add(self, node: Node, player: Places) -> None:
        region = self._pushes.region(node, player)
        self._places[node] = (*self._places.get(node, ()), region)
        self._open.append((node, player, region))

    def __len__(self) -> int:
        return len(self._open)

    def texts(self) -> Iterator[str]:
        """Return the canonical texts of the listed positions."""
        return (self._pushes.position(node, player).text() for node, player, _ in self._open)

    def lemmas(self) -> list[Any]:
        """Return the used lemmas in the form of certificates."""
        return [self._lemma_data(lemma) for lemma in self._used_lemmas]

    def _lemma_data(self, lemma: Lemma) -> dict[str, list[list[int]]]:
        frozen = self._squares(lemma.frozen)
        if lemma.trap is None:
            return {"freeze": frozen}
        trap = {"trap": self._squares(lemma.trap)}
        return trap | {"frozen": frozen} if frozen else trap

    def _squares(self, places: Places) -> list[list[int]]:
        return [list(cell) for cell in self._pushes.grid.to_cells(places)]

    def _is_dead(self, node: Node) -> bool:
        """Return whether a lemma proves it; positions with bombs are not tried, as bombs delete walls."""
        if node.bombs:
            return False
        lemma = self._find_lemma(node.boxes, node.walls)
        if lemma is not None:
            self._used_lemmas[lemma] = None
        return lemma is not None

    def _find_lemma(self, boxes: Places, walls: Places) -> Lemma | None:
        if found := self._find_trap(boxes, 0, walls):
            return found
        frozen = boxes
        while movable := self._pushes.movable_boxes(frozen, walls):
            frozen ^= movable
        if wrong := frozen & ~self._pushes.depots:
            return Lemma(self._shrink_freeze(wrong & -wrong, frozen, walls), None)
        if not frozen or (len(self._freezes) >= _MOST_FREEZES and frozen not in self._freezes):
            return None
        self._freezes.add(frozen)
        return self._find_trap(boxes, frozen, walls)

    def _shrink_freeze(self, box: Places, frozen: Places, walls: Places) -> Places:
        """Return a few of the frozen boxes that hold each other, this one among them."""
        for cell in self._pushes.grid.to_cells(frozen ^ box):
            fewer = frozen & ~self._pushes.grid.bits[cell]
            while movable := self._pushes.movable_boxes(fewer, walls):
                fewer ^= movable
            if fewer & box:
                frozen = fewer
        return frozen

    def _find_trap(self, boxes: Places, frozen: Places, walls: Places) -> Lemma | None:
        for trap, room in self._traps(frozen, walls):
            if (boxes & trap).bit_count() > room:
                return Lemma(frozen, trap)
        return None

    def _find_traps(self, frozen: Places, walls: Places) -> list[tuple[Places, int]]:
        """Return sets of squares that no push leaves, each with its number of depots.

        All sets without a depot are joined, and those that share a depot: boxes that are too many for the depots that
        they reach need not stand in one set.
        """
        pushes, free = self._pushes, self._pushes.grid.all_cells & ~walls & ~frozen
        traps, empty = dict[Places, int](), Places()
        for cell in pushes.grid.to_cells(free):
            trap = pushes.grid.bits[cell]
            while exits := pushes.exits(trap, walls | frozen):
                trap |= exits
            traps[trap] = (trap & pushes.depots).bit_count()
            empty |= 0 if traps[trap] else trap
        small = {trap: room for trap, room in traps.items() if 0 < room < len(pushes.level.boxes)}
        self._join_traps(small)
        return [*([(empty, 0)] if empty else []), *sorted(small.items(), key=lambda item: item[1])]

    def _join_traps(self, traps: dict[Places, int]) -> None:
        """Add unions of sets that share a depot, while there is a box for each depot and one more."""
        depots, most, single = self._pushes.depots, len(self._pushes.level.boxes), list(traps)
        unions = [*single]
        for one in unions:
            for other in single:
                union = one | other
                room = (union & depots).bit_count()
                if len(traps) < _MOST_TRAPS and one & other & depots and union not in traps and room < most:
                    traps[union] = room
                    unions.append(union)
