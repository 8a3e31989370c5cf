"""Counterexamples of LTL with `shortest=True`, beside brute force over all paths: none has fewer actions.

On small boards of all four games, all paths from the starts are listed by their number of actions, with all ways to close a
loop, and judged by the meaning of the formula on one path, as the checker of certificates does.

    python benchmarks/lassos.py [--number N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # also when it is imported

from certificates import BOARDS, small_boards

import gridproof as gp
from gridproof.prove.checkers.word import Word, is_satisfied
from gridproof.prove.formula import Formula, negate
from gridproof.prove.parsing import parse

ATOMS = {
    "sokoban": ("won", "home", "placed >= 1", "deadlock", "lost"),
    "shiftit": ("won", "near", "home", "deadlock"),
    "robots": ("won", "home", "deadlock", "won(a)"),
    "twenty48": ("won", "tile(4)", "max_tile >= 8", "deadlock", "empty = 0"),
}
SHAPES = ("G F {0}", "F G {0}", "F {0}", "{0} U {1}", "G ({0} -> F {1})", "G ({0} -> X {1})", "X X {0}", "F {0} -> F G {1}",
          "G F {0} -> G F {1}", "G ({0} -> O {1})", "F ({0} & X {1})", "G F ({0} & X {1})", "({0} W {1}) | X X F {0}")  # fmt: skip
MOST_PATHS = 10_000
"""A case is left out if so many paths do not decide it."""

Positions = tuple[gp.Position[Any], ...]


def words(path: Positions) -> Iterator[Word]:
    """The ways in which a path may go on for ever, or be enough by itself; no formula here is about actions."""
    actions: list[str | None] = [None] * len(path)
    yield Word(list(path), actions, None)
    if not path[-1].actions():
        yield Word(list(path), actions, len(path) - 1)
    for place, position in enumerate(path[:-1]):
        if position == path[-1]:
            yield Word(list(path[:-1]), actions[:-1], place)


def fewest_actions(level: gp.Level, sought: Formula, most: int) -> int | None:
    """The fewest actions of a path that satisfies a formula, by brute force, up to `most`; None if there are too many paths."""
    paths: list[Positions] = [(one.position,) for one in level.starts()]
    for count in range(most + 1):
        if any(is_satisfied(sought, word, (None,)) for path in paths for word in words(path)):
            return count
        if count == most:
            break
        paths = [
            (*path, after)
            for path in paths
            for after in {one.position for action in path[-1].actions() for one in path[-1].outcomes(action)}
        ]
        if len(paths) > MOST_PATHS:
            return None
    return most + 1


def main() -> None:
    """Print a line for each game, and each counterexample that is not shortest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=300, help="counterexamples in all")
    each, random = parser.parse_args().number // len(BOARDS), Random(1)
    for game in BOARDS:
        boards, shortest, tried, loops, left_out = list(small_boards(game)), 0, 0, 0, 0
        while tried < each:
            level, atoms = random.choice(boards), random.sample(ATOMS[game], 2)
            formula = parse(
                random.choice(SHAPES).format(*(f"({random.choice(('', '!'))}({one}))" for one in atoms))
            )
            trace = gp.check(level, formula, shortest=True).trace
            if trace is None:
                continue
            fewest = fewest_actions(level, negate(formula), len(trace.steps))
            if fewest is None:
                left_out += 1
                continue
            tried, loops = tried + 1, loops + (trace.loop is not None)
            shortest += fewest == len(trace.steps)
            if fewest != len(trace.steps):
                print(f"{game}: {formula}: {len(trace.steps)} actions, not {fewest}, on\n{level}")
        print(
            f"{game}: {shortest} of {tried} counterexamples are shortest, {loops} with a loop; "
            f"{left_out} left out, with more than {MOST_PATHS:,} paths",
            flush=True,
        )


if __name__ == "__main__":
    main()
