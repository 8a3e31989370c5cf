"""Certificates that Sokoban levels are impossible: written, checked by the rules, and none of the spoiled ones accepted.

Three kinds of generated levels: random boards; a room whose depots lie behind a bend that no box can be pushed
around; a room beside another with a box that the player cannot reach. No start is dead by a lemma, so that all
positions have to be listed. The time is the processor's, of one core.

    python benchmarks/sokoban_certificates.py [--levels 200] [--large 20] [--spoiled 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import gridproof as gp
from gridproof.games.sokoban.certificate.write import ClosedSet
from gridproof.games.sokoban.rules import Level

LARGE = 100_000
"""Listed positions of a large certificate."""
LIMIT = gp.Limit(states=250_000)
MOST_SPOILED = 2_000
"""Listed positions of the largest certificate that is spoiled."""
LEAST = 30
"""Listed positions of the smallest certificate."""

Cells = set[tuple[int, int]]


class Case(NamedTuple):
    """An impossible level, and the lines of its certificate."""

    level: Level
    lines: list[str]


def frame(free: Cells, boxes: Cells, depots: Cells, player: tuple[int, int]) -> Level:
    """Return the level in which all squares around the free ones are walls."""
    width, height = max(x for x, _ in free) + 2, max(y for _, y in free) + 2
    walls = {(x, y) for x in range(width) for y in range(height)} - free
    return Level(player, 0, frozenset(boxes), frozenset(depots), frozenset(walls), size=(width, height))


def random_room(random: Random, width: int, height: int, pillars: int) -> Cells:
    """Return the squares of a room with a few pillars."""
    room = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
    return room - set(random.sample(sorted(room), pillars))


def random_level(random: Random, large: bool) -> Level:
    """Return a random board, which may be solvable."""
    free = random_room(random, 7, 7, 10)
    boxes, depots = (random.sample(sorted(free), 3) for _ in range(2))
    return frame(free, set(boxes), set(depots), random.choice(sorted(free - set(boxes))))


def level_with_bend(random: Random, large: bool) -> Level:
    """Return a room with a depot behind a bend: to push a box around it, the player would have to come from beyond."""
    width, height, count = (*random.choice([(6, 6), (7, 5)]), 5) if large else (4, 4, random.choice([2, 3]))
    room = random_room(random, width, height, random.randrange(3))
    row = random.randrange(2, height)
    corner = (width + 3, row)
    corridor = {
        (width + 1, row),
        (width + 2, row),
        corner,
        (width + 3, row - 1),
    }  # the last one is the pocket
    behind = {(width + 3, row + 1), (width + 3, row + 2)}
    inner = [(x, y) for x, y in sorted(room) if 1 < x < width and 1 < y < height]
    boxes = set(random.sample(inner, min(count, len(inner))))
    depots = {(width + 3, row + 2), *random.sample(sorted(room), len(boxes) - 1)}
    player = random.choice(sorted(room - boxes))
    return frame(room | corridor | behind, boxes, depots, player)


def level_with_closed_room(random: Random, large: bool) -> Level:
    """Return a room, and beside it a closed one with a box and a depot."""
    width, height, count = (*random.choice([(6, 6), (7, 5)]), 4) if large else (4, 4, random.choice([2, 3]))
    room = random_room(random, width, height, random.randrange(3))
    closed = {(x, y) for x in range(width + 2, width + 5) for y in range(1, 4)}
    inner = [(x, y) for x, y in sorted(room) if 1 < x < width and 1 < y < height]
    boxes = set(random.sample(inner, min(count, len(inner))))
    depots = {*random.sample(sorted(room), len(boxes)), (width + 4, 2)}
    player = random.choice(sorted(room - boxes))
    return frame(room | closed, boxes | {(width + 3, 2)}, depots, player)


KINDS: list[Callable[[Random, bool], Level]] = [random_level, level_with_bend, level_with_closed_room]


def candidates(kinds: list[Callable[[Random, bool], Level]], seed: int, large: bool) -> Iterator[Level]:
    """Yield levels whose starts are not dead by a lemma, for ever."""
    for number in itertools.count():
        random = Random(f"{seed} {large} {number}")
        try:
            level = kinds[number % len(kinds)](random, large)
        except gp.GridproofError:
            continue
        found = ClosedSet([level.start()])
        found.run(gp.Limit(states=LEAST).start(), None)
        if found.holds is None:
            yield level


def solvable_levels(seed: int) -> Iterator[Level]:
    """Yield solvable levels whose starts win in no single push."""
    for number in itertools.count():
        try:
            level = random_level(Random(f"{seed} solvable {number}"), large=False)
        except gp.GridproofError:
            continue
        if (gp.solve(level, "pushes", limit=gp.Limit(states=20_000)).cost or 0) > 1:
            yield level


def measure(level: Level, path: Path, least: int) -> tuple[int, float, float] | None:
    """Write and check a certificate; return its positions and the seconds of both; None if there is none so large."""
    begin = time.process_time()
    made = gp.certify(level, path, limit=LIMIT)
    middle = time.process_time()
    if not made.holds or made.positions < least:
        return None
    answer = gp.verify(path, level)
    end = time.process_time()
    assert made.kind == "pushes"
    assert answer.holds, answer.reason
    return answer.positions, middle - begin, end - middle


def spoil_lines(lines: list[str], random: Random) -> list[str]:
    """Return a certificate without a listed position, or with another one in its place."""
    place = random.randrange(1, len(lines))
    header = json.loads(lines[0])
    if random.random() < 0.5:
        header["positions"] -= 1
        rest = lines[1:place] + lines[place + 1 :]
    else:
        text: str = json.loads(lines[place])
        boxes = [at for at, sign in enumerate(text) if sign in "$"]
        floor = [at for at, sign in enumerate(text) if sign == "-"]
        if not boxes or not floor:
            return spoil_lines(lines, random)
        signs = list(text)
        signs[random.choice(boxes)], signs[random.choice(floor)] = "-", "$"
        rest = [*lines[1:place], json.dumps("".join(signs)), *lines[place + 1 :]]
    return [json.dumps(header), *rest]


def forge(level: Level, random: Random) -> list[str]:
    """Return a certificate that a solvable level is impossible: all its positions but the won ones, with a wrong lemma."""
    space = gp.explore(level, limit=gp.Limit(states=300))
    texts = [position.text() for position in space if not position.won]
    free = sorted({(x, y) for x in range(level.size[0]) for y in range(level.size[1])} - level.walls)
    squares = [list(cell) for cell in random.sample(free, random.randrange(1, 8))]
    others = [list(cell) for cell in random.sample(free, random.randrange(1, 4))]
    lemmas: list[Any] = [{"trap": squares}, {"freeze": squares}, {"trap": squares, "frozen": others}]
    header = {
        "gridproof": "certificate", "version": 1, "game": "sokoban", "level": level.text(),
        "starts": [level.start().text()], "goal": "won", "actors": None, "positions": len(texts), "kind": "pushes",
        "lemmas": random.choice([[], [random.choice(lemmas)], lemmas]),
    }  # fmt: skip
    return [json.dumps(header), *map(json.dumps, texts)]


def spoil(cases: list[Case], count: int, seed: int) -> Iterator[tuple[Level, list[str]]]:
    """Yield spoiled certificates: half of impossible levels, half of solvable ones."""
    random = Random(seed)
    solvable = list(itertools.islice(solvable_levels(seed), 25))
    for number in range(count):
        if number % 2:
            level = random.choice(solvable)
            yield level, forge(level, random)
        else:
            case = random.choice(cases)
            yield case.level, spoil_lines(case.lines, random)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="Certificates of impossible Sokoban levels")
    for name, value in (("levels", 200), ("large", 20), ("spoiled", 1000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate"
        cases = list[Case]()
        small = (False, options.levels - options.large, KINDS)
        for large, number, kinds in (small, (True, options.large, KINDS[1:])):
            if not number:
                continue
            figures, least = list[tuple[int, float, float]](), LARGE if large else LEAST
            levels = candidates(kinds, options.seed, large)
            while len(figures) < number:
                if row := measure(level := next(levels), path, least):
                    figures.append(row)
                    if row[0] < MOST_SPOILED:
                        cases.append(Case(level, path.read_text().splitlines()))
            positions, written, checked = (sum(column) for column in zip(*figures, strict=True))
            print(
                f"{number} impossible levels of {least:,} positions and more: all verify; {positions:,} positions, "
                f"written in {written:.1f} s, checked in {checked:.1f} s, {positions / checked:,.0f} positions/s",
                flush=True,
            )
        accepted = 0
        for level, lines in spoil(cases, options.spoiled, options.seed):
            path.write_text("\n".join(lines) + "\n")
            accepted += bool(gp.verify(path, level).holds)
        print(f"{accepted} of {options.spoiled} spoiled certificates accepted")


if __name__ == "__main__":
    main()
