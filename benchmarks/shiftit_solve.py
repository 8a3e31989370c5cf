"""Fewest moves that win unlocked 4x4 Shift It boards, proved: beside plain C's breadth-first search.

Ours begins at both ends, with tiles that are alike as one; the plain C search is compiled with gcc -O3
-march=native for the board alone, with as much room as it needs, and gives up when it has found 67
million positions (1.5 GB). Both in processor time, warm; ours is the median of several runs.

    python benchmarks/shiftit_solve.py [--runs N]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # its peers, also when it is imported

from peers.shiftit_board import c_tables

import gridproof as gp
from gridproof.games.shiftit import Level

PEERS = Path(__file__).parent / "peers"
ROOMS = (19, 22, 27)
"""Two to the power of these: half of it is how many positions there is room for."""


def boards() -> Iterator[Level]:
    """Of 5 to 9 moves: two of the pack, and new ones."""
    for number in (27, 29):
        yield gp.levels_at(f"shiftit/boards/{number}")[0]  # type: ignore[misc]  # a board of Shift It
    for moves in (6, 7, 8):
        yield gp.generate("shiftit", 0, width=4, height=4, colours=5, moves=moves)  # type: ignore[misc]  # a board of Shift It


def ours(level: Level, runs: int) -> tuple[gp.Solution, float]:
    """The proof, and the median of its seconds."""
    taken = []
    for _ in range(runs + 1):
        begin = time.process_time()
        solution = gp.solve(level)
        taken.append(time.process_time() - begin)
    return solution, statistics.median(taken[1:])


def plain_c(level: Level) -> tuple[int, int, float]:
    """Moves, or 0 when it gave up; positions and seconds."""
    with tempfile.TemporaryDirectory() as made:
        folder, layers = Path(made), "0"
        flags = ["-O3", "-march=native", "-DFIRST_WIN=1", "-w", f"-I{folder}", f"-I{PEERS}"]
        program = folder / "search"
        for bits in ROOMS:
            (folder / "board.h").write_text(c_tables(level, bits))
            subprocess.run(["gcc", *flags, str(PEERS / "shiftit_search.c"), "-o", str(program)], check=True)
            ran = subprocess.run([program, "1"], capture_output=True, text=True, check=True)
            positions, _, layers, seconds = ran.stdout.split()
            if layers != "0":
                break
    return int(layers), int(positions), float(seconds)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    for level in sorted(boards(), key=lambda level: int(level.keys["Moves"])):
        solution, seconds = ours(level, runs)
        assert solution.optimal
        print(f"{level.title}, {solution.cost} moves")
        print(f"  ours     {seconds:8.3f} s, {solution.states:>12,} positions")
        if shutil.which("gcc"):
            moves, positions, taken = plain_c(level)
            assert moves in (0, solution.cost), (moves, solution.cost)
            ratio = f"ours is {'more than ' if not moves else ''}{taken / seconds:.3g} times as fast"
            given_up = " and gave up" if not moves else ""
            print(f"  plain C  {taken:8.3f} s, {positions:>12,} positions{given_up}   {ratio}")


if __name__ == "__main__":
    main()
