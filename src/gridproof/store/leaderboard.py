"""Leaderboards: ranked scores of many players, each with its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from gridproof.core.errors import GridproofError
from gridproof.core.measure import costs_of, measures
from gridproof.core.trace import Trace
from gridproof.store.database import read_transaction, report_errors
from gridproof.store.level_digest import digest
from gridproof.store.schema import ranks

SCORE = "score"
"""Measure of games with points, where more is better; less is better for all others."""
MOST = 100
"""Saved scores of a level by a measure, each with a trace."""


@dataclass(frozen=True, slots=True)
class RankedScore:
    """A player's best value by a measure."""

    id: int
    measure: str
    player: str
    value: int
    reached: datetime


def values_of(trace: Trace) -> dict[str, int]:
    """Replay a trace and return its value by each measure.

    GridproofError if it does not replay, loops, or has neither won nor gained points.
    """
    if trace.loop is not None:
        raise GridproofError("a trace that never ends has no score")
    game, won = trace.level.game, trace.replay().won
    values = costs_of(trace, measures(game).values()) if won else {}
    if game.policy.keeps_score:
        values[SCORE] = sum(outcome.reward for outcome in trace.outcomes())
    if not values:
        raise GridproofError("the level is not won")
    return values


class Leaderboard:
    """Leaderboards of all levels of a store."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._engine, self._url = engine, url

    def add(self, trace: Trace, player: str) -> Mapping[str, int]:
        """Add the values of a trace; return the player's rank by each measure, from 1.

        Errors as of `values_of`.
        """
        values, level, text = values_of(trace), digest(trace.level), trace.to_json()
        with report_errors(self._url), self._engine.begin() as connection:
            for measure, value in values.items():
                _keep(connection, level, measure, player, value, text)
            reached = {measure: _rank(connection, level, measure, player) for measure in values}
            for measure in values:
                _delete_worst(connection, level, measure)
            return reached

    def best(self, level: str) -> dict[str, list[RankedScore]]:
        """Return the best players of a level by each measure, earlier ones first among equals."""
        columns = (ranks.c.id, ranks.c.measure, ranks.c.player, ranks.c.value, ranks.c.reached)
        found: dict[str, list[RankedScore]] = {}
        with report_errors(self._url), read_transaction(self._engine) as connection:
            names = connection.scalars(sa.select(ranks.c.measure).where(ranks.c.level == level).distinct())
            for measure in sorted(names):
                scope = (ranks.c.level == level) & (ranks.c.measure == measure)
                query = sa.select(*columns).where(scope).order_by(*_order(measure)).limit(MOST)
                found[measure] = [RankedScore(*row) for row in connection.execute(query)]
        return found

    def trace(self, level: str, number: int) -> str | None:
        """Return the trace of a score as JSON; None if there is none."""
        query = sa.select(ranks.c.trace).where(ranks.c.level == level, ranks.c.id == number)
        with report_errors(self._url), read_transaction(self._engine) as connection:
            text: str | None = connection.scalar(query)
        return text


def _keep(connection: sa.Connection, level: str, measure: str, player: str, value: int, text: str) -> None:
    scope = (ranks.c.level == level) & (ranks.c.measure == measure) & (ranks.c.player == player)
    worse = ranks.c.value < value if measure == SCORE else ranks.c.value > value
    now = {"value": value, "reached": datetime.now(UTC), "trace": text}
    if connection.execute(sa.update(ranks).where(scope, worse).values(now)).rowcount:
        return
    if connection.scalar(sa.select(ranks.c.id).where(scope)) is None:
        row = {"level": level, "measure": measure, "player": player, **now}
        connection.execute(sa.insert(ranks).values(row))


def _order(measure: str) -> tuple[sa.ColumnElement[Any], ...]:
    """Order by value, the best first, then by time."""
    return ranks.c.value.desc() if measure == SCORE else ranks.c.value.asc(), ranks.c.reached, ranks.c.id


def _delete_worst(connection: sa.Connection, level: str, measure: str) -> None:
    scope = (ranks.c.level == level) & (ranks.c.measure == measure)
    worst = sa.select(ranks.c.id).where(scope).order_by(*_order(measure)).offset(MOST)
    if worst_ids := connection.scalars(worst).all():
        connection.execute(sa.delete(ranks).where(ranks.c.id.in_(worst_ids)))


def _rank(connection: sa.Connection, level: str, measure: str, player: str) -> int:
    scope = (ranks.c.level == level) & (ranks.c.measure == measure)
    own = sa.select(ranks.c.value).where(scope, ranks.c.player == player).scalar_subquery()
    better = ranks.c.value > own if measure == SCORE else ranks.c.value < own
    return 1 + (connection.scalar(sa.select(sa.func.count()).where(scope, better)) or 0)
