"""Successors per second of Shift It's rules, with the win test, in plain Python on one core.

Each position of a breadth-first frontier is asked for its actions, each action for its outcome, and
each successor whether it is won. The median of several runs counts; every run starts cold.

    python benchmarks/shiftit_rules.py
"""

from __future__ import annotations

import statistics
import time

from gridproof.games.shiftit import Level, Position, Tile

POSITIONS, RUNS = 3000, 7
BOARDS = {
    "3x3, far from won": (3, 3, False),
    "3x3, always nearly won": (3, 3, True),
    "4x4, far from won": (4, 4, False),
}


def board(width: int, height: int, nearly: bool) -> Level:
    """A board that is never won: of sides up that never meet; or of red tiles, but for two blue sides of one."""
    places = [(x, y) for y in range(height) for x in range(width)]
    if nearly:
        blue = ("blue", "red", "blue", "red")
        return Level(Tile(f"t{x}_{y}", x, y, "red" if (x, y) != (1, 1) else blue) for x, y in places)
    return Level(Tile(f"t{x}_{y}", x, y, ["red", *[f"{x}{y}"] * 3]) for x, y in places)


def frontier(start: Position) -> list[Position]:
    """The first positions of a breadth-first search."""
    found = {start: None}
    waiting = [start]
    while waiting and len(found) < POSITIONS:
        reached = [
            outcome.position
            for position in waiting
            for move in position.actions()
            for outcome in position.outcomes(move)
        ]
        waiting = [position for position in dict.fromkeys(reached) if position not in found]
        found |= dict.fromkeys(waiting)
    return list(found)[:POSITIONS]


def successors_per_second(positions: list[Position]) -> float:
    """The rate of one run over fresh positions, that have not been asked anything yet."""
    fresh = [Position(position.level, position.tiles) for position in positions]
    count = 0
    begin = time.perf_counter()
    for position in fresh:
        for move in position.actions():
            for outcome in position.outcomes(move):
                count += 1
                outcome.position.won  # noqa: B018  it is what is measured
    return count / (time.perf_counter() - begin)


def main() -> None:
    """Measure each board."""
    for name, (width, height, nearly) in BOARDS.items():
        positions = frontier(board(width, height, nearly).start())
        rate = statistics.median(successors_per_second(positions) for _ in range(RUNS))
        print(f"{name:24} {rate:10,.0f} successors/s ({len(positions)} positions, {RUNS} runs)")


if __name__ == "__main__":
    main()
