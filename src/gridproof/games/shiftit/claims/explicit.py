"""Claims and numbers of runs by the reachable positions.

Positions are found breadth-first up to the horizon; where all are known before, a later horizon adds nothing. Runs to
each position are counted time by time (dynamic programming).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Meter
from gridproof.core.trace import Step, Trace
from gridproof.games.shiftit.claims.reachability import Reachability, explore
from gridproof.games.shiftit.claims.verdict import HOPELESS, STATEMENTS, ClaimVerdict, make_verdict
from gridproof.games.shiftit.propositions import near
from gridproof.games.shiftit.rules import Level

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

ClaimAnswer = tuple[bool | None, Trace | None]
"""The answer (None where it is open) and a trace that shows it."""


def check_claims(level: Level, horizon: int, meter: Meter) -> list[ClaimVerdict]:
    """Check the six claims, in order."""
    space = explore(level, horizon, meter, stop_if_unwinnable=True)
    remarks = dict.fromkeys((1, 4, 5), (HOPELESS,)) if space.unwinnable else {}
    answers = (_check_win, _check_end, _check_reach, _check_win_without_split, _check_near_win, _check_undo)
    return [
        make_verdict(
            number, *answer(space, meter), meter, remarks.get(number, ()), states=space.count, horizon=horizon
        )
        for number, answer in zip(STATEMENTS, answers, strict=True)
    ]


def _answer_about_some(space: Reachability, numbers: Iterator[int]) -> ClaimAnswer:
    """Answer a claim about some run; each of these positions is a witness."""
    number = next(numbers, None)
    if number is not None:
        return True, space.trace_to(number)
    return (False if space.complete else None), None


def _answer_about_all(space: Reachability, violations: Iterator[int], example: Trace | None) -> ClaimAnswer:
    """Answer a claim about all runs; each of these positions is a counterexample."""
    number = next(violations, None)
    if number is not None:
        return False, space.trace_to(number)
    return (True if space.complete else None), example


def _first_win(space: Reachability) -> Trace | None:
    return space.trace_to(space.wins[0]) if space.wins else None


def _check_win(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 1 (S19)."""
    return _answer_about_some(space, iter(space.wins))


def _check_end(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 2 (S20): a position has ended when it is won, or no move is valid (S14), which never changes (S6)."""
    if space.position(0).ended:
        return True, None
    violations = iter(()) if space.level.valid_moves else iter(range(space.count))
    return _answer_about_all(space, violations, _first_win(space))


def _check_reach(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 3 (S21): no side of a colour is out of reach in a win."""
    violations = (
        number for number in space.wins if not all(map(all, space.position(number).reachable_sides()))
    )
    return _answer_about_all(space, violations, _first_win(space))


def _check_win_without_split(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 4 (S22)."""
    if not space.wins:
        return (False if space.complete else None), None
    numbers = space.find_win_without_split(meter)
    if numbers is not None:
        return True, space.trace_along(numbers)
    return (False if space.complete and not meter.stopped_by else None), None


def _check_near_win(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 5 (S23)."""
    return _answer_about_some(space, (number for number in space.wins if near(space.position(number))))


def _check_undo(space: Reachability, meter: Meter) -> ClaimAnswer:
    """Check claim 6 (S24): moves do not depend on the tiles, so one placement shows it for all."""
    for number in range(space.count_within(space.horizon - 2)):
        before = space.position(number)
        for move in before.actions():
            after = before.outcomes(move)[0].position
            if move.kind == "RM" or not after.actions():
                continue
            end = after.outcomes(move.opposite)[0].position
            way = space.trace_to(number)
            trace = Trace(way.start, (*way.steps, Step(move), Step(move.opposite)))
            return end == before and _opposites_undo(space.level), trace
        if meter.is_reached(space.count):
            return None, None
    return (True if space.complete else None), None


def _opposites_undo(level: Level) -> bool:
    """Return whether its opposite undoes each column move."""
    columns = [move for move in level.valid_moves if move.kind == "CM"]
    pairs = ((level.sources(move), level.sources(move.opposite)) for move in columns)
    return all([one[place] for place in other] == list(range(len(one))) for one, other in pairs)


# -- counting


def count_runs(level: Level, horizon: int, meter: Meter) -> tuple[int | None, int | None, int]:
    """Count the runs and those that win, None at a limit, and the positions."""
    space = explore(level, horizon, meter)
    if not space.complete:
        return None, None, space.count
    if space.position(0).ended or not horizon:
        won = int(space.position(0).won)
        return 1, won, space.count
    return (*_count_by_time(space, meter), space.count)


def _count_by_time(space: Reachability, meter: Meter) -> tuple[int | None, int | None]:
    """Count the runs to each position, from one time to the next.

    A move takes different positions to different ones, so each row of targets has no position twice.
    """
    import numpy as np

    moves = len(space.level.valid_moves)
    small = moves**space.horizon < 1 << 62  # all runs together fit into 64 bits
    open_ = np.flatnonzero(~space.won[: space.expanded])
    targets = np.ascontiguousarray(space.targets[open_].T)
    runs = np.zeros(space.count, np.int64 if small else object)
    runs[0], won = 1, 0
    for time in range(space.horizon):
        if meter.is_reached(space.count):
            return None, None
        sources = int(np.searchsorted(open_, space.count_within(time)))
        here, after = runs[open_[:sources]], np.zeros_like(runs)
        for row in targets[:, :sources]:
            after[row] += here
        won += int(after[space.won].sum())
        runs = after
    return won + int(runs[~space.won].sum()), won
