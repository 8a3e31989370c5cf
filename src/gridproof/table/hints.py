"""Hints, solutions and what is watched: what is known is told at once, what is not known is a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import Action, Position
from gridproof.core.trace import Trace
from gridproof.play.jobs import Job
from gridproof.play.messages import Hint, Message, Refused, Solved, Watching
from gridproof.play.plan import PATIENCE, find_way
from gridproof.play.replay import Replay
from gridproof.play.shows import adviser, race_of

if TYPE_CHECKING:
    from gridproof.play.table import Table
    from gridproof.search.solution import Solution


def hint(table: Table, argument: str) -> None:
    """Say what to do next: by a known way, by the game's adviser, or by a way that is looked for."""
    position, known = table.session.position, adviser(table.session.game)
    _check_going(table, "hint")
    if known is None or table.plan.step(position) is not None:
        _with_way(table, lambda way, fewest: (Hint(position, way.actions[0], len(way.steps)),))
    else:
        table.begin_job(
            Job("Thinking", partial(_advised, position), lambda found: (Hint(position, found, None),))
        )


def _advised(position: Position[Any], limit: Limit, progress: Callable[[int], None]) -> Action | None:
    known = adviser(position.level.game)
    return known(position) if known else None


def solve(table: Table, argument: str) -> None:
    """Say how to win from here."""
    _check_going(table, "solve")
    _with_way(table, lambda way, fewest: (Solved(way, fewest),))


def watch(table: Table) -> None:
    """Let the way to the win be watched."""
    _check_going(table, "watch")
    _with_way(table, lambda way, fewest: (Watching(Replay.of(way, "The way to the win")),))


def race(table: Table, options: Mapping[str, Any]) -> None:
    """Let a race of the game's actors be watched."""
    level, seed = table.level, table.session.seed
    race = race_of(level, seed, options)
    table.tell(Watching(Replay(level.start(seed), race.steps(), "A race")))


def _check_going(table: Table, what: str) -> None:
    position = table.session.position
    if position.won:
        raise IllegalAction(what, "it is won already")
    if not position.all_actions():
        raise IllegalAction(what, "no action can be done")


def _with_way(table: Table, told: Callable[[Trace, bool], Iterable[Message]]) -> None:
    """Tell something of a way to the win: of one that is known, or as soon as one is found."""
    position, plan, actor = table.session.position, table.plan, table.actor
    way = plan.way(position)
    if way is not None:
        for message in told(*way):
            table.tell(message)
        return

    def answer(found: Solution) -> Iterable[Message]:
        if found.trace is None:
            return (Refused(_why_not(found, actor)),)
        fewest = found.optimal and found.cost == len(found.trace.steps)
        plan.follow(found.trace, fewest)
        return told(found.trace, fewest)

    table.begin_job(Job("Looking for a solution", partial(find_way, position, actor), answer, PATIENCE))


def _why_not(found: Solution, actor: str | None) -> str:
    if found.found is None:
        return "No solution was found in time"
    who = "It cannot be won from here" if actor is None else f"{actor} alone cannot win from here"
    return who + (f": {found.reason}" if found.reason else "")
