"""Hints, solutions and replays: at once if known, else as a job."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from gridproof.agents.demos import (
    describe_next_values,
    describe_values,
    find_demo,
    player_of_demo,
    race_of,
    unsuited_demos,
)
from gridproof.agents.own_player import is_reference
from gridproof.agents.players import adviser, players
from gridproof.agents.solution_cache import SOLUTION_LIMIT, find_solution
from gridproof.core.errors import IllegalAction
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import NATURE, Action, Level, Position
from gridproof.core.trace import Trace
from gridproof.prove.estimate import Estimate, estimator
from gridproof.prove.position_status import status_notes
from gridproof.prove.verdict_line import describe_lead, format_lead, needs_luck
from gridproof.table.commands import parse_number
from gridproof.table.conversation import Conversation
from gridproof.table.jobs import Job
from gridproof.table.messages import Hint, Message, NextActions, Nudge, Refused, Solved
from gridproof.table.moved_pieces import next_moved
from gridproof.table.replay import Replay, ReplayMessage

if TYPE_CHECKING:
    from gridproof.search.solution import Solution


MOST_ACTIONS = 20
"""Actions in a hint."""


def parse_count(argument: str) -> int:
    """Parse the number of actions in a hint; 1 without an argument; an IllegalAction if it is out of range."""
    number = parse_number("hint", argument or "1")
    if not 1 <= number <= MOST_ACTIONS:
        raise IllegalAction(f"hint {argument}", f"choose a number from 1 to {MOST_ACTIONS}")
    return number


def nudge(table: Conversation) -> None:
    """Point at what moves next in a solution, but do not say how; say how where that tells nothing."""
    _check_unfinished(table, "nudge")

    def answer(way: Trace, fewest: bool) -> Iterable[Message]:
        told = Nudge(way.start, next_moved(way), way.actions[0])
        return (_hint_along(way) if told.tells_nothing(table.status.own) else told,)

    _answer_with_solution(table, answer)


def _hint_along(way: Trace) -> Hint:
    """Return the next action of a solution."""
    return Hint(way.start, way.actions[0], len(way.steps), needs_luck(way))


def hint(table: Conversation, number: int = 1) -> None:
    """Suggest the next action, or several.

    One action is the best by the estimate that players see, the first of a known solution, the adviser's, or found by a search.
    """
    position, advise, badge = table.session.position, adviser(table.session.game), table.status.badge
    goes_on = position.won and not position.ended and number == 1  # for points
    if not goes_on:
        _check_unfinished(table, "hint")
    if number > 1:
        _answer_with_solution(
            table,
            lambda way, fewest: (NextActions(_first_steps(way, number), len(way.steps), needs_luck(way)),),
        )
    elif badge is not None and badge.estimate is not None:
        table.tell(_hint_of(position, badge.estimate))
    elif advise is None or _knows_sure_way(table):
        _answer_with_solution(table, lambda way, fewest: (_hint_along(way),))
    else:
        table.begin_job(
            Job(
                "Thinking",
                partial(_ask_adviser, position, badge is not None),
                lambda found: (found,),
            )
        )


def _knows_sure_way(table: Conversation) -> bool:
    """Return whether a solution is known from here that needs no luck."""
    known = table.plan.way(table.session.position)
    return known is not None and bool(known[0].steps) and not needs_luck(known[0])


def _first_steps(way: Trace, number: int) -> tuple[tuple[Position[Any], Action], ...]:
    """Return the first actions of a solution, each with the position before it."""
    after = (outcome.position for outcome in way.outcomes())
    return tuple(zip((way.start, *itertools.islice(after, number - 1)), way.actions, strict=False))


def _hint_of(position: Position[Any], estimate: Estimate) -> Hint:
    """Return the best action by an estimate, with its chance or points, and with those of the others."""
    best, describe = estimate.best, position.level.game.look.describe
    own = format_lead(estimate, estimate.here)
    rest = [(text, format_lead(estimate, one), one) for text, one in estimate.actions if text != best]
    if rest and {told for _, told, _ in rest} == {own}:
        most = max(one.points for _, _, one in rest)
        more = ", but this one brings more points" if most < estimate.here.points else ""
        others = f"the same with any other move{more}"
    else:
        others = ", ".join(
            f"{describe(position.level, position.action(text))} {told.removeprefix('about ')}"
            f"{' with fewer points' if told == own and one.points < estimate.here.points else ''}"
            for text, told, one in rest
        )
    words = "; ".join(filter(None, (describe_lead(estimate, estimate.here), others)))
    return Hint(position, position.action(best), None, chance=words)


def _ask_adviser(
    position: Position[Any], is_estimated: bool, limit: Limit, progress: Callable[[int], None]
) -> Hint:
    """Return the best action by the position's estimate if players see that, else the adviser's."""
    game = position.level.game
    advise, estimate = adviser(game), estimator(game) if is_estimated else None
    estimates = [*estimate(position, limit)] if estimate else []
    if estimates:
        return _hint_of(position, estimates[-1])
    if advise is None:
        return Hint(position, None, None)
    return Hint(position, advise(position), None, chance=describe_values(advise, position))


def solve(table: Conversation) -> None:
    """Show a solution from here."""
    _check_unfinished(table, "solve")
    _answer_with_solution(table, lambda way, fewest: (Solved(way, fewest),))


def watch(table: Conversation, player: str) -> None:
    """Replay the solution from here, or a player's game."""
    if player:
        level, seed = table.level, table.session.seed
        if player in unsuited_demos(level):
            raise IllegalAction(f"watch {player}", "this program cannot play this board: choose another")
        steps = find_demo(level.game, player)(level, seed)
        remark = _value_remark(level.game, player, seed)
        replay = Replay(level.start(seed), steps, f"{player} plays from the start", remark=remark)
        table.tell(ReplayMessage(replay))
        return
    _check_unfinished(table, "watch")
    table.note_help()
    _answer_with_solution(table, lambda way, fewest: (ReplayMessage(Replay.of(way, _name_way(way))),))


def _name_way(way: Trace) -> str:
    """Return the title of the replay of a solution; one that depends on chance promises nothing."""
    return "One way to win, with luck" if needs_luck(way) else "The way to win"


def _value_remark(game: Game, player: str, seed: int) -> Callable[[Position[Any]], str] | None:
    """Return a function that says what each action is worth to a player; None unless the game keeps a score."""
    if not game.policy.keeps_score or (player not in players(game) and not is_reference(player)):
        return None
    judge = cache(lambda: player_of_demo(game, player, seed))  # it loads its tables when the replay begins
    return lambda position: describe_next_values(judge(), position)


def race(table: Conversation, options: Mapping[str, Any]) -> None:
    """Replay a race of the game's actors."""
    level, seed = table.level, table.session.seed
    race = race_of(level, seed, options)
    table.tell(ReplayMessage(Replay(level.start(seed), race.steps(), "A race")))


def _check_unfinished(table: Conversation, what: str) -> None:
    position = table.session.position
    if position.won:
        raise IllegalAction(what, "the level is already won")
    if not position.all_actions():
        raise IllegalAction(what, "no action is possible")


def _answer_with_solution(table: Conversation, build: Callable[[Trace, bool], Iterable[Message]]) -> None:
    """Answer with a solution: the cached one at once, or the result of a search."""
    position, plan, actor, badge = table.session.position, table.plan, table.actor, table.status.badge
    if badge is not None and badge.dead:
        table.tell(Refused(_no_win(table.level.game, None, badge.reason, badge.nature_may_help)))
        return
    way = plan.way(position)
    if way is not None:
        for message in build(*way):
            table.tell(message)
        return

    def answer(found: Solution) -> Iterable[Message]:
        if found.trace is None:
            return (Refused(_failure_reason(table.level, found, actor)),)
        fewest = found.optimal and found.cost == len(found.trace.steps)
        plan.follow(found.trace, fewest)
        return build(found.trace, fewest)

    table.begin_job(
        Job("Searching for a solution", partial(find_solution, position, actor), answer, SOLUTION_LIMIT)
    )


def _failure_reason(level: Level, found: Solution, actor: str | None) -> str:
    if found.found is None:
        return "No solution found in time"
    return _no_win(level.game, actor, found.reason, NATURE in level.game.actors(level))


def _no_win(game: Game, actor: str | None, reason: str, nature_may_help: bool) -> str:
    who = "It cannot be won from here" if actor is None else f"{actor} alone cannot win from here"
    without = f" without {status_notes(game).nature}" if nature_may_help else ""
    return f"{who}{without}" + (f": {reason}" if reason else "")
