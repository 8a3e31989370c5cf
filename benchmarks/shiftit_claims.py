"""The six claims on 3x3 and 4x3 boards of Shift It up to T = 4, 5 and 6, beside clingo in the same process.

Processor seconds of all threads together, medians of warm runs: each run begins with the board alone. clingo gets the theory
that comes with gridproof (its reading and grounding count), asked the same claims; "win" is the first of them alone, by a theory
that holds nothing else. Below, how the time grows beside the number of distinct positions.

    python benchmarks/shiftit_claims.py [--runs N] [--latest T]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.games.shiftit.claims.answer_set import Theory

BOARDS = {
    "3x3, no win": "shiftit 3x3\nxrrr xggg xbbb\nxyyy xooo xppp\nxaaa xccc xddd\n",
    "3x3, Harlequin": "shiftit/boards/11",
    "3x3, Bay": "shiftit/boards/12",
    "4x3, no win": "shiftit 4x3\nxrrr xggg xbbb xeee\nxyyy xooo xppp xfff\nxaaa xccc xddd xhhh\n",
    "4x3, Anchor": "shiftit/boards/25",
}
WISHED = 10.0


def board(text: str) -> gp.Level:
    """The board of a text, or of a pack."""
    return (gp.read(text) if "\n" in text else gp.levels_at(text))[0]


def median(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The processor seconds of some runs, and the answer."""
    seconds, answer = [], None
    for _ in range(runs):
        begin = time.process_time()
        answer = work()
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds), answer


def win_alone(level: Any, horizon: int) -> bool:
    """Whether the theory has a run that wins: the first claim by clingo, and nothing else."""
    return Theory(level, horizon, Limit().start()).find_example("win") is not None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--latest", type=int, default=6)
    arguments = parser.parse_args()
    for name, text in BOARDS.items():
        level: Any = board(text)
        first: tuple[float, int] | None = None
        for horizon in range(4, arguments.latest + 1):
            first = show(name, level, horizon, arguments.runs, first)


def show(
    name: str, level: Any, horizon: int, runs: int, first: tuple[float, int] | None
) -> tuple[float, int]:
    """Measure one horizon beside the first; the first's seconds and positions."""
    gp.claims(level, horizon)  # kernels are compiled or loaded
    mine, found = median(lambda: gp.claims(level, horizon), runs)
    theirs, told = median(lambda: gp.claims(level, horizon, engine="clingo"), 1)
    alone, wins = median(lambda: win_alone(level, horizon), 1)
    holds = [verdict.holds for verdict in found]
    assert [verdict.holds for verdict in told] == holds, "the engines do not agree"
    assert wins == holds[0]
    states = found[0].states
    first = first or (mine, states)
    verdict = "reached" if theirs >= WISHED * mine else "NOT REACHED"
    print(
        f"{name:15} T = {horizon}: {states:9,} positions, six claims {mine:7.4f} s, clingo {theirs:8.2f} s: "
        f"{theirs / mine:7.1f} times faster ({verdict}: {WISHED:.0f}); clingo, win alone {alone:7.2f} s; "
        f"{mine / first[0]:6.1f} times the time, {states / first[1]:6.1f} times the positions",
        flush=True,
    )
    return first


if __name__ == "__main__":
    main()
