"""Writing certificates of what is impossible, and checking them by the rules alone: positions a second of one core.

python benchmarks/certificates.py
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

import gridproof as gp
from gridproof.games.shiftit.rules import Level, Tile

SOKOBAN = "###########\n#@    #   #\n# $       #\n#    $    #\n#     # $ #\n#     #...#\n###########\n"
ROBOTS = """robots 7x6
a: rule=A rotation=0
b: rule=B rotation=90
c: rule=A rotation=180
board:
a . . # . . A
. ? . . . ^ .
. # . # . . .
b . . . . > B
. # . v . ? .
c . . < . . C
"""


def boards() -> dict[str, tuple[gp.Level, str]]:
    """Levels, and what is impossible there."""
    sides = [tuple("a" if i < 2 and side == 0 else f"c{i}{side}" for side in range(4)) for i in range(9)]
    tiles = [Tile(f"t{i}", i % 3, 2 - i // 3, colours) for i, colours in enumerate(sides)]
    return {
        "sokoban, never a bomb": (gp.read(SOKOBAN)[0], "bombs = 1"),
        "2048 2x3, never a 1024": (gp.read("2048 2x3 spawn=classic target=1024\n")[0], "won"),
        "shiftit 3x3, never won": (Level(tiles), "won"),
        "robots 7x6, never on a broken tile": (gp.read(ROBOTS)[0], "at(a,3,0)"),
    }


def checked(path: Path) -> str:
    """The figures of checking, by a process that does nothing else."""
    begin = time.process_time()
    answer = gp.verify(path)
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert answer.holds, answer.reason
    return f"checked in {seconds:5.1f} s, {answer.positions / seconds:7,.0f} positions/s, {memory:4.0f} MB"


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (level, goal) in boards().items():
            path = Path(folder) / "certificate"
            begin = time.process_time()
            made = gp.certify(level, path, goal)
            seconds = time.process_time() - begin
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                told = pool.apply(checked, (path,))
            print(f"{name}: {made.positions:9,} positions, written in {seconds:5.1f} s, {told}", flush=True)


if __name__ == "__main__":
    main()
