"""Hints, solutions and replays: at once if known, else as a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.agents.demos import race_of
from gridproof.agents.players import adviser
from gridproof.agents.solution_cache import SOLUTION_LIMIT, find_solution
from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import Action, Position
from gridproof.core.trace import Trace
from gridproof.table.jobs import Job
from gridproof.table.messages import Hint, Message, Refused, Solved
from gridproof.table.replay import Replay, Watching

if TYPE_CHECKING:
    from gridproof.search.solution import Solution
    from gridproof.table.table import Table


def hint(table: Table, argument: str) -> None:
    """Suggest the next action: from a known solution, the game's adviser, or a search."""
    position, advise = table.session.position, adviser(table.session.game)
    _check_unfinished(table, "hint")
    if advise is None or table.plan.step(position) is not None:
        _answer_with_solution(table, lambda way, fewest: (Hint(position, way.actions[0], len(way.steps)),))
    else:
        table.begin_job(
            Job("Thinking", partial(_ask_adviser, position), lambda found: (Hint(position, found, None),))
        )


def _ask_adviser(position: Position[Any], limit: Limit, progress: Callable[[int], None]) -> Action | None:
    advise = adviser(position.level.game)
    return advise(position) if advise else None


def solve(table: Table, argument: str) -> None:
    """Show a solution from here."""
    _check_unfinished(table, "solve")
    _answer_with_solution(table, lambda way, fewest: (Solved(way, fewest),))


def watch(table: Table) -> None:
    """Replay the solution from here."""
    _check_unfinished(table, "watch")
    _answer_with_solution(table, lambda way, fewest: (Watching(Replay.of(way, "The way to win")),))


def race(table: Table, options: Mapping[str, Any]) -> None:
    """Replay a race of the game's actors."""
    level, seed = table.level, table.session.seed
    race = race_of(level, seed, options)
    table.tell(Watching(Replay(level.start(seed), race.steps(), "A race")))


def _check_unfinished(table: Table, what: str) -> None:
    position = table.session.position
    if position.won:
        raise IllegalAction(what, "the level is already won")
    if not position.all_actions():
        raise IllegalAction(what, "no action is possible")


def _answer_with_solution(table: Table, build: Callable[[Trace, bool], Iterable[Message]]) -> None:
    """Answer with a solution: the cached one at once, or the result of a search."""
    position, plan, actor = table.session.position, table.plan, table.actor
    way = plan.way(position)
    if way is not None:
        for message in build(*way):
            table.tell(message)
        return

    def answer(found: Solution) -> Iterable[Message]:
        if found.trace is None:
            return (Refused(_failure_reason(found, actor)),)
        fewest = found.optimal and found.cost == len(found.trace.steps)
        plan.follow(found.trace, fewest)
        return build(found.trace, fewest)

    table.begin_job(
        Job("Searching for a solution", partial(find_solution, position, actor), answer, SOLUTION_LIMIT)
    )


def _failure_reason(found: Solution, actor: str | None) -> str:
    if found.found is None:
        return "No solution found in time"
    who = "It cannot be won from here" if actor is None else f"{actor} alone cannot win from here"
    return who + (f": {found.reason}" if found.reason else "")
