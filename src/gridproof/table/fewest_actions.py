"""The fewest actions that win a level: what is proved already, and the search for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.text.phrases import format_count
from gridproof.prove.verdict_line import spoken_word
from gridproof.table.jobs import Job
from gridproof.table.messages import Board, Message

if TYPE_CHECKING:
    from gridproof.search.solution import Solution
    from gridproof.table.table import Table

LIMIT = Limit(seconds=10)
"""Limit of the search."""


def counts_actions(board: Board) -> bool:
    """Return whether few actions are what counts: not in games for points, or against chance."""
    level = board.position.level
    return board.score is None and NATURE not in level.game.actors(level)


def known_fewest(table: Table, place: int) -> int | None:
    """Return the proved fewest actions of the level at a place; None if they are unknown."""
    badge = table.status.proofs.recall(_start(table, place))
    return badge.left if badge.fewest else None


def fewest_job(table: Table, place: int) -> Job:
    """Return the job that finds the fewest actions of the level at a place; its answer is what `known_fewest` knows."""
    start = _start(table, place)

    def answer(found: Solution) -> Iterable[Message]:
        if found.trace is not None:
            is_fewest = found.optimal and found.cost == len(found.trace.steps)
            table.status.proofs.learn_solution(found.trace, is_fewest)
        return ()

    return Job("Searching for the fewest", partial(_solve, start), answer, LIMIT)


def describe_count(done: int, fewest: int | None, level: Level, after: str = "") -> str:
    """Describe the actions of a win: "9 moves; the fewest is 3 (proved)"; with `after` where the fewest are unknown."""
    compared = after if fewest is None else f"; the fewest is {fewest} (proved)"
    return f"{format_count(done, spoken_word(level))}{compared}"


STARS = (11, 15)
"""Most actions of a win with three stars and with two, in tenths of the fewest."""


def count_stars(done: int, fewest: int) -> int:
    """Return the stars of a win, from 1 to 3, by the rule of the page."""
    return 3 - sum(10 * done > tenths * fewest for tenths in STARS)


def _start(table: Table, place: int) -> Position[Any]:
    return table.session.trace(place).start


def _solve(start: Position[Any], limit: Limit, progress: Callable[[int], None]) -> Solution:
    from gridproof.search.solve import solve

    return solve(start, limit=limit, progress=progress)
