"""Distances to the win over a game: for each of its positions the actions still needed, as far as they are proved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gridproof.core.limit import Limit, Meter
from gridproof.core.trace import Trace
from gridproof.prove.position_status import Badge, status_notes, verdicts
from gridproof.prove.proof_cache import ProofCache

MOST = 400
"""The most positions of a game whose distances are proved."""
EACH = 2.0
"""Seconds for one position."""


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance of one position to the win."""

    left: int | None
    """The number of actions of a known solution; None without one."""
    fewest: bool
    """True if no solution has fewer actions."""
    dead: bool


def has_distances(trace: Trace) -> bool:
    """Return whether a game is measured by its distance to the win: not if chance decides it, or if it is too long."""
    return status_notes(trace.level.game).tells_ways and 0 < len(trace.steps) <= MOST


class DistanceSearch:
    """The search for the distances of all positions of a game.

    Parameters
    ----------
    trace : Trace
        The game; at most `MOST` steps.
    badges : sequence of Badge
        What is known of each position already.
    """

    def __init__(self, trace: Trace, badges: Sequence[Badge] = ()) -> None:
        self._steps = trace.steps
        self._positions = [trace.start, *(outcome.position for outcome in trace.outcomes())]
        self._proofs = ProofCache()
        if self._positions[-1].won:
            self._proofs.learn_solution(trace)
        for position, badge in zip(self._positions, badges, strict=False):
            self._proofs.learn(position, badge)

    @property
    def distances(self) -> list[Distance]:
        """Return what is known of each position."""
        badges = map(self._proofs.recall, self._positions)
        return [Distance(badge.left, badge.fewest, badge.dead) for badge in badges]

    def run(self, limit: Limit, report: Callable[[list[Distance]], object]) -> list[Distance]:
        """Prove the distances one by one, and report all after each."""
        meter = limit.start()
        for number in range(len(self._positions)):
            if meter.is_interrupted():
                break
            self._prove(number, meter)
            report(self.distances)
        return self.distances

    def _prove(self, number: int, meter: Meter) -> None:
        query = self._proofs.build_query(self._positions[: number + 1], self._steps[:number])
        if query.badge.is_settled:
            return
        left = None if meter.limit.seconds is None else meter.limit.seconds - meter.seconds
        seconds = EACH if left is None else max(0.0, min(left, EACH))
        badge = query.badge
        for badge in verdicts(replace(query, past=None), replace(meter.limit, seconds=seconds)):
            if badge.is_settled:
                break
        self._proofs.learn(query.position, badge)
