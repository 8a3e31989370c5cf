"""Speed of the rules of Robots, in plain Python on one core.

Two figures, each the median of several runs: positions a second whose legal requests of all robots
and their outcomes are listed, on an 8x8 board with 3 robots; and the milliseconds that one exchange
takes to be drawn on a 9x6 board, thousands of outcomes being possible. The positions are those of
random games, exchanges among their actions.

    python benchmarks/robots_rules.py
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.games.robots import EXCHANGE
from gridproof.games.robots.board import is_connected

POSITIONS, DRAWS, RUNS = 500, 100, 7
POSITIONS_WISHED, MILLISECONDS_WISHED = 2000, 5


def level_of(width: int, height: int, robots: int) -> Any:
    """The first level of this size that comes with the game."""
    game = gp.game("robots")
    for name in pack_names(game):
        for level in builtin_pack(game, name):
            found: Any = level
            if (found.grid.width, found.grid.height, len(found.robots)) == (width, height, robots):
                return found
    raise SystemExit(f"no level of {width}x{height} with {robots} robots")


def positions_of(level: Any, count: int) -> list[Any]:
    """Positions of random games, from the start again after a win."""
    rng = gp.Rng(1)
    found: list[Any] = []
    position = level.start()
    while len(found) < count:
        if position.won:
            position = level.start()
        found.append(position)
        nature = rng.below(10) == 0
        position = position.step(rng.choice(position.actions("nature" if nature else None)), rng).position
    return found


def positions_per_second(positions: list[Any]) -> float:
    """The rate of one run; nothing is remembered of the one before."""
    is_connected.cache_clear()
    begin = time.perf_counter()
    for position in positions:
        for action in position.actions():
            list(position.outcomes(action))
    return len(positions) / (time.perf_counter() - begin)


def milliseconds_per_draw(positions: list[Any]) -> float:
    """The time of one draw, averaged over one run."""
    rng = gp.Rng(2)
    begin = time.perf_counter()
    for position in positions:
        position.step(EXCHANGE, rng)
    return 1000 * (time.perf_counter() - begin) / len(positions)


def main() -> int:
    """Print both figures; 1 when one is missed."""
    positions = positions_of(level_of(8, 8, 3), POSITIONS)
    rate = statistics.median(positions_per_second(positions) for _ in range(RUNS))
    print(f"8x8, 3 robots: {rate:8,.0f} positions/s ({POSITIONS_WISHED:,} wished)")
    level = level_of(9, 6, 3)
    draws = positions_of(level, DRAWS)
    choices = sum(1 for _ in level.start().outcomes(EXCHANGE))
    taken = statistics.median(milliseconds_per_draw(draws) for _ in range(RUNS))
    print(f"9x6, {choices:,} exchanges: {taken:.2f} ms a draw ({MILLISECONDS_WISHED} wished)")
    return 0 if rate >= POSITIONS_WISHED and taken <= MILLISECONDS_WISHED else 1


if __name__ == "__main__":
    raise SystemExit(main())
