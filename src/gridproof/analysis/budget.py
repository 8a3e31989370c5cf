"""A limit that several engines share."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

from gridproof.core.limit import Limit, start_meter

SECONDS = 20.0
"""Default time limit of the engines on a level."""
STATES = 2_000_000
"""Default limit of positions."""


class Timed(Protocol):
    """Answer of an engine."""

    @property
    def seconds(self) -> float:
        """The time that it took; loading kernels does not count."""


T = TypeVar("T", bound=Timed)


class Budget:
    """A limit, by default of 20 seconds and two million positions, that shrinks by the seconds that engines have worked."""

    def __init__(self, limit: Limit | None) -> None:
        given = start_meter(limit).limit
        self._limit = replace(
            given,
            seconds=SECONDS if given.seconds is None else given.seconds,
            states=STATES if given.states is None else given.states,
        )
        self.spent = 0.0

    @property
    def remaining_limit(self) -> Limit:
        """The limit for the next engine."""
        return replace(self._limit, seconds=max(0.0, (self._limit.seconds or 0.0) - self.spent))

    @property
    def is_spent(self) -> bool:
        """True if no time is left, or the limit's `stop` is set."""
        stop = self._limit.stop
        return self.spent >= (self._limit.seconds or 0.0) or (stop is not None and stop.is_set())

    def charge(self, answer: T) -> T:
        """Take an answer's seconds away from the limit, and return the answer."""
        self.spent += answer.seconds
        return answer
