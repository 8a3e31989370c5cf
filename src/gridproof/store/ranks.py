"""The scores of many players, each with the trace that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from gridproof.core.errors import GridproofError
from gridproof.core.measure import costs_of, measures
from gridproof.core.trace import Trace
from gridproof.store.content import digest
from gridproof.store.database import reads_from, reported
from gridproof.store.schema import ranks

SCORE = "score"
"""The measure of games with points, of which more is better; of all others less is."""
MOST = 100
"""Scores of one level and measure that are kept: each has a trace."""


@dataclass(frozen=True, slots=True)
class Rank:
    """The best of one player by one measure."""

    id: int
    measure: str
    player: str
    value: int
    reached: datetime


def values_of(trace: Trace) -> dict[str, int]:
    """What a trace has reached by each measure, after every step of it has been replayed.

    Raises
    ------
    GridproofError
        When it does not replay, goes round for ever, or has neither won nor gained points.
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


class Ranks:
    """The scores of a store."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._engine, self._url = engine, url

    def add(self, trace: Trace, player: str) -> Mapping[str, int]:
        """Note what a trace has reached; the player's rank by each measure, from 1; the best are kept.

        Errors as of `values_of`.
        """
        values, level, text = values_of(trace), digest(trace.level), trace.to_json()
        with reported(self._url), self._engine.begin() as connection:
            for measure, value in values.items():
                _keep(connection, level, measure, player, value, text)
            reached = {measure: _rank(connection, level, measure, player) for measure in values}
            for measure in values:
                _forget_worst(connection, level, measure)
            return reached

    def best(self, level: str) -> dict[str, list[Rank]]:
        """The best players of a level by each measure, the first first; those who were earlier before others."""
        columns = (ranks.c.id, ranks.c.measure, ranks.c.player, ranks.c.value, ranks.c.reached)
        found: dict[str, list[Rank]] = {}
        with reported(self._url), reads_from(self._engine) as connection:
            names = connection.scalars(sa.select(ranks.c.measure).where(ranks.c.level == level).distinct())
            for measure in sorted(names):
                here = (ranks.c.level == level) & (ranks.c.measure == measure)
                query = sa.select(*columns).where(here).order_by(*_order(measure)).limit(MOST)
                found[measure] = [Rank(*row) for row in connection.execute(query)]
        return found

    def trace(self, level: str, number: int) -> str | None:
        """The trace of a score as JSON; None where there is none."""
        query = sa.select(ranks.c.trace).where(ranks.c.level == level, ranks.c.id == number)
        with reported(self._url), reads_from(self._engine) as connection:
            text: str | None = connection.scalar(query)
        return text


def _keep(connection: sa.Connection, level: str, measure: str, player: str, value: int, text: str) -> None:
    here = (ranks.c.level == level) & (ranks.c.measure == measure) & (ranks.c.player == player)
    worse = ranks.c.value < value if measure == SCORE else ranks.c.value > value
    now = {"value": value, "reached": datetime.now(UTC), "trace": text}
    if connection.execute(sa.update(ranks).where(here, worse).values(now)).rowcount:
        return
    if connection.scalar(sa.select(ranks.c.id).where(here)) is None:
        row = {"level": level, "measure": measure, "player": player, **now}
        connection.execute(sa.insert(ranks).values(row))


def _order(measure: str) -> tuple[sa.ColumnElement[Any], ...]:
    """The best first, of equals the earliest."""
    return ranks.c.value.desc() if measure == SCORE else ranks.c.value.asc(), ranks.c.reached, ranks.c.id


def _forget_worst(connection: sa.Connection, level: str, measure: str) -> None:
    here = (ranks.c.level == level) & (ranks.c.measure == measure)
    worst = sa.select(ranks.c.id).where(here).order_by(*_order(measure)).offset(MOST)
    if gone := connection.scalars(worst).all():
        connection.execute(sa.delete(ranks).where(ranks.c.id.in_(gone)))


def _rank(connection: sa.Connection, level: str, measure: str, player: str) -> int:
    here = (ranks.c.level == level) & (ranks.c.measure == measure)
    own = sa.select(ranks.c.value).where(here, ranks.c.player == player).scalar_subquery()
    better = ranks.c.value > own if measure == SCORE else ranks.c.value < own
    return 1 + (connection.scalar(sa.select(sa.func.count()).where(here, better)) or 0)
