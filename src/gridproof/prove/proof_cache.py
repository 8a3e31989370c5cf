"""Cache of proved statuses of the positions of a game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gridproof.core.position import NATURE, Level, Position
from gridproof.core.trace import Step, Trace
from gridproof.prove.position_status import Badge, DeathTime, Standing, StatusQuery, solutions_along

MOST = 20_000
"""The most positions to remember; the oldest are forgotten."""


class ProofCache:
    """Cache of badges.

    All positions after a dead one are dead. The positions of a solution have the rest of it. Where the fewest
    actions are known, one action more leaves at most one less.
    """

    def __init__(self) -> None:
        self._badges: OrderedDict[Position[Any], Badge] = OrderedDict()

    def recall(self, position: Position[Any]) -> Badge:
        """Return the cached status of a position, without the time of death."""
        return self._badges.get(position, Badge())

    def learn(self, position: Position[Any], badge: Badge) -> bool:
        """Add the proved status of a position to the cache, and return whether more is known of a solution than before.

        Then the other positions of the solution are remembered, too.
        """
        old = self.recall(position)
        news = badge.way is not None and (badge.way != old.way or badge.least > old.least)
        if news:
            for place, (at, way) in enumerate(solutions_along(position, badge.way or ())):
                least, last_random_step = max(0, badge.least - place), max(0, badge.last_random_step - place)
                self._keep(at, Badge(Standing.WINNABLE, way, least, last_random_step))
        self._keep(position, replace(badge, since=None, searched=0))
        return news

    def follow(self, before: Position[Any], after: Position[Any]) -> None:
        """Remember that a player's action leads from one position to another."""
        old = self.recall(before)
        if old.dead and not self.recall(after).dead:
            self._keep(after, Badge(Standing.DEAD, nature_may_help=old.nature_may_help))
        elif old.least > self.recall(after).least + 1:
            self._keep(after, replace(self.recall(after), least=old.least - 1))

    def learn_solution(self, trace: Trace, is_fewest: bool = False) -> None:
        """Remember a solution; if `is_fewest`, none is proved to have fewer actions."""
        least = len(trace.steps) if is_fewest else 0
        self.learn(trace.start, Badge(Standing.WINNABLE, trace.steps, least, trace.last_random_step))

    def build_query(self, history: Sequence[Position[Any]], steps: Sequence[Step]) -> StatusQuery:
        """Build the query about the last position of a history, which begins at the start; `steps` are those between.

        The cached badges of earlier positions are used.
        """
        position, level = history[-1], history[-1].level
        chances = _nature_steps(level, steps)
        if len(history) > 1 and len(steps) not in chances:
            self.follow(history[-2], position)
        winnable, dead = self._bounds(history)
        before = self.recall(history[-2]) if len(history) > 1 else Badge()
        near = (history[-2], before.way) if before.way is not None else None
        return StatusQuery(
            position, self.recall(position), near, tuple(history[winnable + 1 : dead]), winnable + 1, chances
        )

    def since(self, history: Sequence[Position[Any]]) -> DeathTime | None:
        """Return when a game that is dead now died, if that is known already."""
        since = DeathTime(*self._bounds(history))
        return since if since.exact and self.recall(history[-1]).dead else None

    def _bounds(self, history: Sequence[Position[Any]]) -> tuple[int, int]:
        """Return the last place known to be winnable, -1 for none, and the first one of the known dead end of the history.

        The position at the end counts as dead.
        """
        dead = len(history) - 1
        while dead > 0 and self.recall(history[dead - 1]).dead:
            dead -= 1
        winnable = dead - 1
        while winnable >= 0 and not self.recall(history[winnable]).winnable:
            winnable -= 1
        return winnable, dead

    def _keep(self, position: Position[Any], badge: Badge) -> None:
        old = self._badges.pop(position, Badge())
        self._badges[position] = _merge(old, badge)
        if len(self._badges) > MOST:
            self._badges.popitem(last=False)


def _merge(old: Badge, new: Badge) -> Badge:
    if new.dead or old.dead:
        return new if new.dead and (new.complete or not old.dead) else old
    shorter = min(
        (one for one in (new, old) if one.way is not None), key=lambda one: len(one.way or ()), default=new
    )
    said = new if new.complete or not old.complete else old
    standing = Standing.WINNABLE if shorter.way is not None else Standing.UNKNOWN
    return replace(
        said,
        standing=standing,
        way=shorter.way,
        least=max(old.least, new.least),
        last_random_step=shorter.last_random_step,
        estimate=new.estimate or old.estimate,
    )


def _nature_steps(level: Level, steps: Sequence[Step]) -> frozenset[int]:
    if NATURE not in level.game.actors(level):
        return frozenset()
    return frozenset(number for number, step in enumerate(steps, 1) if level.owner(step.action) == NATURE)
