"""The claims and the numbers of runs by the positions that runs come to.

Positions are found breadth-first up to the horizon; where all are known before, a later horizon adds nothing. Runs are
counted time by time: how many lead to each position (dynamic programming).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Meter
from gridproof.core.trace import Step, Trace
from gridproof.games.shiftit.claims.reached import Reached, reached
from gridproof.games.shiftit.claims.verdict import HOPELESS, STATEMENTS, ClaimVerdict, verdict
from gridproof.games.shiftit.propositions import near
from gridproof.games.shiftit.rules import Level, Move

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Found = tuple[bool | None, Trace | None]
"""Whether a claim holds, None where that is open, and what shows it."""

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def claims(level: Level, horizon: int, meter: Meter) -> list[ClaimVerdict]:
    """The six claims, in order."""
    found = reached(level, horizon, meter, until_hopeless=True)
    remarks = dict.fromkeys((1, 4, 5), (HOPELESS,)) if found.hopeless else {}
    answers = (_wins, _ends_won, _reaches_most, _keeps, _stays_near, _goes_back)
    return [
        verdict(
            number, *answer(found, meter), meter, remarks.get(number, ()), states=found.count, horizon=horizon
        )
        for number, answer in zip(STATEMENTS, answers, strict=True)
    ]


def _some(found: Reached, numbers: Iterator[int]) -> Found:
    """Of a claim that some position shows, of those with these numbers."""
    number = next(numbers, None)
    if number is not None:
        return True, found.trace_to(number)
    return (False if found.complete else None), None


def _all(found: Reached, broken: Iterator[int], example: Trace | None) -> Found:
    """Of a claim about all positions, which these would break."""
    number = next(broken, None)
    if number is not None:
        return False, found.trace_to(number)
    return (True if found.complete else None), example


def _first_win(found: Reached) -> Trace | None:
    return found.trace_to(found.wins[0]) if found.wins else None


def _wins(found: Reached, meter: Meter) -> Found:
    """Claim 1 (S19)."""
    return _some(found, iter(found.wins))


def _ends_won(found: Reached, meter: Meter) -> Found:
    """Claim 2 (S20): a position has ended when it is won, or no move is valid (S14), which never changes (S6)."""
    if found.position(0).ended:
        return True, None
    broken = iter(()) if found.level.valid_moves else iter(range(found.count))
    return _all(found, broken, _first_win(found))


def _reaches_most(found: Reached, meter: Meter) -> Found:
    """Claim 3 (S21): a colour has no more sides than those that are reached."""
    broken = (number for number in found.wins if not all(map(all, found.position(number).reached())))
    return _all(found, broken, _first_win(found))


def _keeps(found: Reached, meter: Meter) -> Found:
    """Claim 4 (S22)."""
    if not found.wins:
        return (False if found.complete else None), None
    numbers = found.kept_win(meter)
    if numbers is not None:
        return True, found.trace_along(numbers)
    return (False if found.complete and not meter.stopped_by else None), None


def _stays_near(found: Reached, meter: Meter) -> Found:
    """Claim 5 (S23)."""
    return _some(found, (number for number in found.wins if near(found.position(number))))


def _goes_back(found: Reached, meter: Meter) -> Found:
    """Claim 6 (S24): what a move and its opposite do does not depend on the tiles, so one placement shows it for all."""
    for number in range(found.within(found.horizon - 2)):
        before = found.position(number)
        for move in before.actions():
            after = before.outcomes(move)[0].position
            if move.kind == "RM" or not after.actions():
                continue
            back = Move(move.kind, move.line, OPPOSITE[move.direction])
            end = after.outcomes(back)[0].position
            way = found.trace_to(number)
            trace = Trace(way.start, (*way.steps, Step(move), Step(back)))
            return end == before and _opposites(found.level), trace
        if meter.reached(found.count):
            return None, None
    return (True if found.complete else None), None


def _opposites(level: Level) -> bool:
    """Whether each column move is undone by its opposite."""
    columns = [move for move in level.valid_moves if move.kind == "CM"]
    pairs = (
        (level.sources(move), level.sources(move._replace(direction=OPPOSITE[move.direction])))
        for move in columns
    )
    return all([one[place] for place in other] == list(range(len(one))) for one, other in pairs)


# -- counting


def count(level: Level, horizon: int, meter: Meter) -> tuple[int | None, int | None, int]:
    """The numbers of runs and of those that win, None at a limit; and how many positions were found."""
    found = reached(level, horizon, meter)
    if not found.complete:
        return None, None, found.count
    if found.position(0).ended or not horizon:
        won = int(found.position(0).won)
        return 1, won, found.count
    return (*_counted(found, meter), found.count)


def _counted(found: Reached, meter: Meter) -> tuple[int | None, int | None]:
    """The runs to each position, from one time to the next.

    A move takes different positions to different ones: what it adds up has no two summands for one position.
    """
    import numpy as np

    moves = len(found.level.valid_moves)
    small = moves**found.horizon < 1 << 62  # all runs together fit into 64 bits
    open_ = np.flatnonzero(~found.won[: found.expanded])
    targets = np.ascontiguousarray(found.targets[open_].T)
    runs = np.zeros(found.count, np.int64 if small else object)
    runs[0], won = 1, 0
    for time in range(found.horizon):
        if meter.reached(found.count):
            return None, None
        sources = int(np.searchsorted(open_, found.within(time)))
        here, after = runs[open_[:sources]], np.zeros_like(runs)
        for row in targets[:, :sources]:
            after[row] += here
        won += int(after[found.won].sum())
        runs = after
    return won + int(runs[~found.won].sum()), won
