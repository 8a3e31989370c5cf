"""Endgame tables of 2048 on the board of 3 x 3, to the tile 1024: are their chances those of `gp.value`, and the best of the rules?

A table for each goal from 64 on begins with two tiles of 2. `gp.value` is asked about whole spaces: from the start for the goals
up to 128, and for larger ones from boards that have all six tiles below the goal, whose spaces are small enough. Then the
chance of each of 10,000 boards of random games must be that of its best move, summed over the outcomes of the rules.

    python benchmarks/twenty48_tables.py [--goals 64 128 256 512 1024] [--count 10000]
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator

import gridproof as gp
from gridproof.core.rng import Rng
from gridproof.games.twenty48.endgame import EndgameTable
from gridproof.games.twenty48.rules import Position

START = "2048 3x3 spawn=classic\n0 2 0\n0 0 0\n0 0 2\n"
GOALS, COUNT = (64, 128, 256, 512, 1024), 10_000
NEAR = 1e-9
WHOLE = 128
"""Largest goal whose whole space is given to `gp.value`."""
SMALL = gp.Limit(states=300_000)
"""Limit of the spaces of late boards."""


def late_boards(table: EndgameTable, start: Position, goal: int, rng: Rng) -> Iterator[Position]:
    """Yield boards, without an end, that have all of the six tiles below the goal in random cells, and small ones."""
    large = [goal >> power for power in range(1, 7)]
    while True:
        cells = [*large, *(rng.choice((0, 2, 4, 8)) for _ in range(len(start.cells) - len(large)))]
        position = Position(start.level, tuple(shuffled(cells, rng)))
        if table.chance(position) is not None:
            yield position


def shuffled(cells: list[int], rng: Rng) -> list[int]:
    """Return the tiles in a random order."""
    order = list[int]()
    while cells:
        order.append(cells.pop(rng.below(len(cells))))
    return order


def draw(position: Position, move: object, rng: Rng) -> Position:
    """Return an outcome of a move."""
    drawn: Position = rng.choice(position.outcomes(move)).position  # type: ignore[arg-type]  # a move of its own
    return drawn


def compare_with_values(table: EndgameTable, start: Position, goal: int, count: int) -> tuple[int, float]:
    """Return the number of boards that were compared with `gp.value`, and the largest difference."""
    compared, worst = 0, 0.0
    for first in [start] if goal <= WHOLE else late_boards(table, start, goal, Rng(1)):
        limit = None if first is start else SMALL
        found = gp.value(first, f"tile({goal})", limit=limit)
        for position in reachable(first, goal, count - compared):
            worth, chance = found.values.of(position), table.chance(position)
            if (
                worth is not None and worth[0].high - worth[0].low < NEAR
            ):  # else not needed for the first board
                assert chance is not None
                worst = max(worst, abs(float(worth[0].middle) - chance))
                compared += 1
        if compared >= count:
            break
    return compared, worst


def reachable(first: Position, goal: int, count: int) -> list[Position]:
    """Return a number of boards that follow from one, in which the goal is not yet made."""
    found, seen = [first], {first}
    for here in found:
        if len(found) >= count:
            break
        for after in map(here.at, here.successors()):
            if after not in seen and max(after.cells) < goal:
                seen.add(after)
                found.append(after)
    return found[:count]


def compare_with_rules(table: EndgameTable, start: Position, count: int) -> tuple[int, float]:
    """Return the number of boards whose chance was compared with that of the best move, and the largest difference."""
    compared, worst, rng, position = 0, 0.0, Rng(2), start
    while compared < count:
        chances = table.chances(position)
        if not chances:
            position = start
            continue
        chance = table.chance(position)
        assert chance is not None
        worst, compared = max(worst, abs(chance - max(chances.values()))), compared + 1
        best = max(chances, key=lambda move: chances[move])
        position = draw(position, rng.choice([best, rng.choice(list(chances))]), rng)
    return compared, worst


def main() -> int:
    """Print the figures; 1 if a chance is another one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goals", type=int, nargs="*", default=GOALS)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    start, wrong = gp.position(START), False
    assert isinstance(start, Position)
    for goal in options.goals:
        begin = time.process_time()
        table = EndgameTable(start, goal)
        spent = time.process_time() - begin
        valued, first = compare_with_values(table, start, goal, options.count)
        stepped, second = compare_with_rules(table, start, options.count)
        wrong |= max(first, second) > NEAR
        print(
            f"goal {goal:>4}: {table.states:>10,} boards in {spent:5.1f} s, chance {table.chance(start):.6f}; "
            f"{valued:,} as gp.value to {first:.0e}, {stepped:,} as the best move to {second:.0e}",
            flush=True,
        )
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
