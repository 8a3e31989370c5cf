"""A limit that several engines share."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from gridproof.core.limit import Limit, started

SECONDS = 20.0
"""How long engines work on a level, unless the limit says otherwise."""
STATES = 2_000_000
"""Positions that are kept, unless the limit says otherwise."""


class Timed(Protocol):
    """What an engine answers."""

    @property
    def seconds(self) -> float:
        """How long it took; loading kernels is not counted."""


T = TypeVar("T", bound=Timed)


class Budget:
    """What is left of a limit: of its seconds, those that engines have worked are taken away.

    Parameters
    ----------
    limit : Limit or None
        Where it says nothing, it is 20 seconds and two million positions.
    """

    def __init__(self, limit: Limit | None) -> None:
        given = started(limit).limit
        self._limit = replace(
            given,
            seconds=SECONDS if given.seconds is None else given.seconds,
            states=STATES if given.states is None else given.states,
        )
        self.spent = 0.0

    @property
    def left(self) -> Limit:
        """The limit for the next engine."""
        return replace(self._limit, seconds=max(0.0, (self._limit.seconds or 0.0) - self.spent))

    @property
    def used_up(self) -> bool:
        """Whether nothing more is to be tried."""
        stop = self._limit.stop
        return self.spent >= (self._limit.seconds or 0.0) or (stop is not None and stop.is_set())

    def paid(self, answer: T) -> T:
        """The answer of an engine, whose seconds are taken away."""
        self.spent += answer.seconds
        return answer
