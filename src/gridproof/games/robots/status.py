"""Notes on the proof status of Robots: the nearest robot, and robots that can force a win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gridproof.core.limit import Limit, Stopped, use_stop
from gridproof.core.text.phrases import format_count
from gridproof.games.robots.rules import Position
from gridproof.prove.position_status import Badge, Note, StatusNotes

_ALONE = 50_000
"""Limit of positions for the solution of one robot."""
_TOGETHER = 40_000
"""Limit of positions for forced wins."""


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield which robot alone is nearest to home, and which can force a win."""
    if position.won or len(position.level.names) < 2:
        return
    yield from _nearest(position, replace(limit, states=_ALONE))
    if not badge.dead:
        yield from _forced_wins(position, replace(limit, states=_TOGETHER))


def _nearest(position: Position, limit: Limit) -> Iterator[Note]:
    """Yield the robots whose own solutions have the fewest requests, if all of them are known."""
    from gridproof.search.solve import solve

    solutions = {
        name: solve(position, goal=f"won({name})", actors=(name,), limit=limit)
        for name in position.level.names
    }
    costs = {name: one.cost for name, one in solutions.items() if one.cost is not None and one.optimal}
    if not costs or any(solution.found is None for solution in solutions.values()):
        return
    least = min(costs.values())
    nearest = [name for name, cost in costs.items() if cost == least]
    yield Note(f"nearest: {' and '.join(nearest)}, {format_count(least, 'requests')} alone")


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
    lines = list(_describe_wins(turns, game.order))
    yield Note("; ".join(lines) if lines else "nobody can force a win")


def _describe_wins(turns: Mapping[str, Iterable[bool]], order: tuple[str, ...]) -> Iterator[str]:
    for name, wins in turns.items():
        on_turn = [other for other, wins_then in zip(order, wins, strict=True) if wins_then]
        if len(on_turn) == len(order):
            yield f"{name} can force a win"
        elif on_turn:
            yield f"{name} can force a win when it is the turn of {' or '.join(on_turn)}"


STATUS = StatusNotes(notes, actions="requests")
