"""What has been proved about the positions of a game, so that what follows from it costs nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gridproof.core.position import NATURE, Level, Position
from gridproof.core.trace import Step, Trace
from gridproof.prove.badge import Asked, Badge, Since, Standing, ways_along

MOST = 20_000
"""Positions that are remembered; the oldest are forgotten."""


class Proofs:
    """A memory of badges.

    Whatever follows a dead position is dead; the positions of a way to win have the rest of it; and where the fewest
    actions are known, one action more leaves at most one less.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[Position[Any], Badge] = OrderedDict()

    def known(self, position: Position[Any]) -> Badge:
        """What is known of a position, without any search; not when it died."""
        return self._known.get(position, Badge())

    def learn(self, position: Position[Any], badge: Badge) -> bool:
        """Remember what has been proved about a position.

        Returns
        -------
        bool
            Whether more is known of a way to win than before; otherwise the positions along it are known, too.
        """
        known = self.known(position)
        news = badge.way is not None and (badge.way != known.way or badge.least > known.least)
        if news:
            for place, (at, way) in enumerate(ways_along(position, badge.way or ())):
                self._keep(at, Badge(Standing.WINNABLE, way, max(0, badge.least - place)))
        self._keep(position, replace(badge, since=None))
        return news

    def follow(self, before: Position[Any], after: Position[Any]) -> None:
        """Remember that a player's action leads from one position to another."""
        known = self.known(before)
        if known.dead and not self.known(after).dead:
            self._keep(after, Badge(Standing.DEAD))
        elif known.least > self.known(after).least + 1:
            self._keep(after, replace(self.known(after), least=known.least - 1))

    def learn_way(self, trace: Trace) -> None:
        """Remember a way to win."""
        self.learn(trace.start, Badge(Standing.WINNABLE, trace.steps))

    def asked(self, history: Sequence[Position[Any]], steps: Sequence[Step]) -> Asked:
        """What is to be asked about the last position of a history.

        Parameters
        ----------
        history : sequence of Position
            From the start; what is known of those before the last is used.
        steps : sequence of Step
            What was done between them.
        """
        position, level = history[-1], history[-1].level
        chances = _natures(level, steps)
        if len(history) > 1 and len(steps) not in chances:
            self.follow(history[-2], position)
        winnable, dead = self._bounds(history)
        before = self.known(history[-2]) if len(history) > 1 else Badge()
        near = (history[-2], before.way) if before.way is not None else None
        return Asked(
            position, self.known(position), near, tuple(history[winnable + 1 : dead]), winnable + 1, chances
        )

    def since(self, history: Sequence[Position[Any]]) -> Since | None:
        """When a game that is dead now died, where it is known already."""
        since = Since(*self._bounds(history))
        return since if since.exact and self.known(history[-1]).dead else None

    def _bounds(self, history: Sequence[Position[Any]]) -> tuple[int, int]:
        """The last place known to be winnable, -1 for none, and the first after it from which on all are known to be dead.

        The position at the end counts as dead.
        """
        dead = len(history) - 1
        while dead > 0 and self.known(history[dead - 1]).dead:
            dead -= 1
        winnable = dead - 1
        while winnable >= 0 and not self.known(history[winnable]).winnable:
            winnable -= 1
        return winnable, dead

    def _keep(self, position: Position[Any], badge: Badge) -> None:
        known = self._known.pop(position, Badge())
        self._known[position] = _both(known, badge)
        if len(self._known) > MOST:
            self._known.popitem(last=False)


def _both(known: Badge, new: Badge) -> Badge:
    """All that two badges of one position say."""
    if new.dead or known.dead:
        return new if new.dead and (new.complete or not known.dead) else known
    shorter = min(
        (one for one in (new, known) if one.way is not None), key=lambda one: len(one.way or ()), default=new
    )
    said = new if new.complete or not known.complete else known
    standing = Standing.WINNABLE if shorter.way is not None else Standing.UNKNOWN
    return replace(said, standing=standing, way=shorter.way, least=max(known.least, new.least))


def _natures(level: Level, steps: Sequence[Step]) -> frozenset[int]:
    """The numbers of the steps that were nature's."""
    if NATURE not in level.game.actors(level):
        return frozenset()
    return frozenset(number for number, step in enumerate(steps, 1) if level.owner(step.action) == NATURE)
