"""What Robots adds to what is proved while one plays: who is nearest, and who can force a win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gridproof.core.limit import Limit, Stopped, stopping
from gridproof.core.wording import counted
from gridproof.games.robots.rules import Position
from gridproof.prove.badge import Badge, Manner, Note

_ALONE = 50_000
"""Positions that are looked at for the way of one robot."""
_TOGETHER = 40_000
"""Positions that are looked at for what a robot can force."""


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Whose own way home is shortest while the others stand still, and who gets home whatever they do."""
    if position.won or len(position.level.names) < 2:
        return
    yield from _nearest(position, replace(limit, states=_ALONE))
    if not badge.dead:
        yield from _forcing(position, replace(limit, states=_TOGETHER))


def _nearest(position: Position, limit: Limit) -> Iterator[Note]:
    """Those whose way has the fewest requests; nothing where one of them is not known."""
    from gridproof.search.solve import solve

    found = {
        name: solve(position, goal=f"won({name})", actors=(name,), limit=limit)
        for name in position.level.names
    }
    ways = {name: way.cost for name, way in found.items() if way.cost is not None and way.optimal}
    if not ways or any(way.found is None for way in found.values()):
        return
    least = min(ways.values())
    nearest = [name for name, cost in ways.items() if cost == least]
    yield Note(f"nearest: {' and '.join(nearest)}, {counted(least, 'requests')} alone")


def _forcing(position: Position, limit: Limit) -> Iterator[Note]:
    """Who can force a win, when all positions are known and the robots take turns; it may depend on who begins."""
    from gridproof.prove.forcing import TurnGame
    from gridproof.prove.parsing import parse
    from gridproof.search.explore import explore

    space = explore(position, limit=limit)
    if not space.complete:
        return
    try:
        with stopping(limit.stop):
            game = TurnGame(space, limit.start())
            turns = {name: game.values(parse(f"<<{name}>> F won({name})"))[:, 0] for name in game.order}
    except (Stopped, MemoryError):
        return
    told = list(_told(turns, game.order))
    yield Note("; ".join(told) if told else "nobody can force a win")


def _told(turns: Mapping[str, Iterable[bool]], order: tuple[str, ...]) -> Iterator[str]:
    for name, wins in turns.items():
        on_turn = [other for other, wins_then in zip(order, wins, strict=True) if wins_then]
        if len(on_turn) == len(order):
            yield f"{name} can force a win"
        elif on_turn:
            yield f"{name} can force a win when it is the turn of {' or '.join(on_turn)}"


MANNER = Manner(notes, actions="requests")
