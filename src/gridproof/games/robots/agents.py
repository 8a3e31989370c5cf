"""Agents of Robots: demos, co-players and a heuristic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.games.robots.race import Move, Race
from gridproof.games.robots.race.knowledge import Strategy
from gridproof.games.robots.race.partner import Partner
from gridproof.games.robots.race.strategies import STRATEGIES
from gridproof.games.robots.rules import Level, Position


def _make_demo(strategy: str) -> Callable[[core.Level, int], Iterator[Move]]:
    return lambda level, seed: Race(level, strategy, seed=seed).steps()


def _make_co_player(make: Callable[[int], Strategy]) -> Callable[[core.Level, str, int], Partner]:
    def co_player(level: core.Level, robot: str, seed: int) -> Partner:
        if not isinstance(level, Level):
            raise GridproofError(f"a level of robots is needed, not {type(level).__name__}")
        return Partner(level, robot, make(seed))

    return co_player


class RobotsAgents:
    """Parts of `gridproof.agents.extension`."""

    demos: Mapping[str, Callable[[core.Level, int], Iterator[Move]]] = {
        name: _make_demo(name) for name in ("hints", "planner", "random")
    }
    """Races in which all robots play by one strategy."""
    co_players: Mapping[str, Callable[[core.Level, str, int], Partner]] = {
        name: _make_co_player(make) for name, make in STRATEGIES.items()
    }
    """Makers of co-players, by strategy."""

    def heuristic(self, position: Position) -> float:
        """Return minus the least Manhattan distance of a robot from its home."""
        cell = position.level.grid.cell
        pairs = zip(position.cells, position.level.homes, strict=True)
        ends = ((cell(here), cell(home)) for here, home in pairs)
        return -float(min(abs(x - u) + abs(y - v) for (x, y), (u, v) in ends))


AGENTS = RobotsAgents()
