"""Notes on the proof status of Robots: the nearest robot, rides on belts, robots that can force a win, and walks that R16 bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from gridproof.core.limit import Limit, Stopped, use_stop
from gridproof.core.text.phrases import format_count, join_names
from gridproof.games.robots.board import is_conveyor
from gridproof.games.robots.requests import Carried, Walk
from gridproof.games.robots.rules import Position, describe_cut
from gridproof.prove.position_status import Badge, Note, StatusNotes

if TYPE_CHECKING:
    from gridproof.search.solution import Solution

_ALONE = 50_000
"""Limit of positions for the solution of one robot."""
_TOGETHER = 40_000
"""Limit of positions for forced wins."""
_REFUSED = 1_000
"""Limit of positions in which refused walks are looked for."""


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield which robot alone is nearest to home, whom belts can carry on, and who can force a win; of a dead position, which walks are refused."""
    if position.won or len(position.level.names) < 2:
        return
    if badge.dead:
        yield from _explain_refusals(position, replace(limit, states=_REFUSED))
        return
    alone = replace(limit, states=_ALONE)
    solutions = {name: _solve_alone(position, name, alone) for name in position.level.names}
    yield from _nearest(solutions)
    yield from _rides(position, solutions, alone)
    yield from _forced_wins(position, replace(limit, states=_TOGETHER))


def _explain_refusals(position: Position, limit: Limit) -> Iterator[Note]:
    """Yield whose walks R16 bars in the positions that can follow, as far as the limit allows."""
    from gridproof.search.explore import explore

    reached = cast("Iterable[Position]", explore(position, limit=limit))
    refusals = [refusal for one in reached for refusal in _refusals(one)]
    if refusals:
        walkers, cut_off = (
            [name for name in position.level.names if name in names]
            for names in (
                {walker for walker, _ in refusals},
                {name for _, names in refusals for name in names},
            )
        )
        yield Note(f"walks of {join_names(walkers)} are refused, since they would {describe_cut(cut_off)}")


def _refusals(position: Position) -> Iterator[tuple[str, list[str]]]:
    """Yield robots with a walk that is refused only because of robots that could not reach their homes then (R16), and these."""
    level = position.level
    for number, name in enumerate(level.names):
        for walk in level.paths[number][position.rotations[number] // 90]:
            if cut_off := position.cut_off_after(walk):
                yield name, cut_off


def _solve_alone(position: Position, name: str, limit: Limit) -> Solution:
    """Return how a robot gets home by the fewest requests while no other one moves."""
    from gridproof.search.solve import solve

    return solve(position, goal=f"won({name})", actors=(name,), limit=limit)


def _nearest(solutions: Mapping[str, Solution]) -> Iterator[Note]:
    """Yield the robots that need the fewest requests if no other robot moves, if that is known of all of them."""
    costs = {name: one.cost for name, one in solutions.items() if one.found is False or one.optimal}
    if any(solution.found is None for solution in solutions.values()):
        return
    known = [cost for cost in costs.values() if cost is not None]
    nearest = join_names([name for name, cost in costs.items() if known and cost == min(known)], "or")
    wins = f"alone, {nearest} can win in {format_count(min(known), 'requests')}" if known else ""
    yield Note(wins or "no robot can win alone: others must make way", alone=tuple(costs.items()))


def _rides(position: Position, solutions: Mapping[str, Solution], limit: Limit) -> Iterator[Note]:
    """Yield for robots that wait on belts whose next request can let them ride on, and where to (R20)."""
    codes = position.layout.codes
    for name, square in zip(position.level.names, position.cells, strict=True):
        rides = [*_rides_of(position, name)] if is_conveyor(codes[square]) else []
        if rides:
            walkers = {walker for walker, _ in rides}
            others = join_names([one for one in position.level.names if one in walkers], "or")
            end = _describe_ride({end for _, end in rides}, name, solutions[name], limit)
            yield Note(f"the next request of {others} can let a belt carry {name} {end}")


def _rides_of(position: Position, name: str) -> Iterator[tuple[str, Position]]:
    """Yield the other robots with a request after which belts carry this one on, each with the position then."""
    for action in position.actions():
        if isinstance(action, Walk) and action.robot != name:
            for outcome in position.outcomes(action):
                if any(isinstance(event, Carried) and event.robot == name for event in outcome.events):
                    yield action.robot, outcome.position


def _describe_ride(ends: Set[Position], name: str, before: Solution, limit: Limit) -> str:
    """Return where a robot may be carried, the most important first: home, away from all ways home, or on."""
    if any(name in end.winners for end in ends):
        return "home"
    if before.found and any(_solve_alone(end, name, limit).found is False for end in ends if not end.won):
        return "to where it cannot win alone"
    return "on"


def _forced_wins(position: Position, limit: Limit) -> Iterator[Note]:
    """Yield which robots can force a win by turns, if all positions are known; it may depend on who begins."""
    from gridproof.prove.atl import TurnGame
    from gridproof.prove.parsing import parse
    from gridproof.search.explore import explore

    space = explore(position, limit=limit)
    if not space.complete:
        return
    try:
        with use_stop(limit.stop):
            game = TurnGame(space, limit.start())
            turns = {name: game.values(parse(f"<<{name}>> F won({name})"))[:, 0] for name in game.order}
    except (Stopped, MemoryError):
        return
    yield Note(f"if the robots took turns, {_describe_wins(turns, game.order)}", turns=True)


def _describe_wins(turns: Mapping[str, Iterable[bool]], order: tuple[str, ...]) -> str:
    if all([*wins] == [other == name for other in order] for name, wins in turns.items()):
        return "whoever began could be sure to win"
    return "; ".join(_describe_each_win(turns, order)) or "nobody could be sure to win"


def _describe_each_win(turns: Mapping[str, Iterable[bool]], order: tuple[str, ...]) -> Iterator[str]:
    for name, wins in turns.items():
        on_turn = [other for other, wins_then in zip(order, wins, strict=True) if wins_then]
        if len(on_turn) == len(order):
            yield f"{name} could be sure to win"
        elif on_turn:
            first = join_names(["it" if other == name else other for other in on_turn], "or")
            yield f"{name} could be sure to win if {first} began"


STATUS = StatusNotes(notes, actions="requests", nature="exchanges")
