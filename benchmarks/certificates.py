"""Certificates: of impossible goals, and of the verdicts of 20 formulas on 20 boards of each game; written, and checked by the rules.

python benchmarks/certificates.py
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

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
FORMULAS = (
    "AG EF won", "EF won", "AG !won", "AF won", "EG !won", "A[!won U won]", "AG (won -> AX won)", "EX EX won", "AF deadlock",
    "AG (deadlock -> won)", "EF AG !won", "AG (home -> EF won)", "AG AF home", "G F home", "F won", "G (won -> X won)",
    "F G !home", "G (won -> O home)", "G !lost", "(F G deadlock) | (G F X !home)",
)  # fmt: skip
BOARDS: dict[str, dict[str, Any]] = {
    "sokoban": {"width": 7, "height": 6, "boxes": 2},
    "shiftit": {"width": 3, "height": 2},
    "robots": {"width": 4, "height": 3, "robots": 2},
    "twenty48": {"width": 2, "height": 2},
}
EACH = 20
MOST = 20_000
"""The most positions of a board."""


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


def small_boards(game: str) -> Iterator[gp.Level]:
    """Generated boards of a game with few positions; of 2048, positions with random tiles."""
    found, seed, random = 0, 0, Random(1)
    while found < EACH:
        seed += 1
        if game == "twenty48":
            cells = [random.choice((0, 2, 2, 4, 8)) for _ in range(4)]
            text = f"2048 2x2 spawn=classic target=16\n{cells[0]} {cells[1]}\n{cells[2]} {cells[3]}\n"
            board = gp.read(text)[0] if sum(map(bool, cells)) >= 2 else None
        else:
            board = gp.generate(game, seed, **BOARDS[game])
        if board is not None and gp.explore(board, limit=gp.Limit(states=MOST)).complete:
            found += 1
            yield board


def measure_check(path: Path) -> str:
    """The figures of checking, by a process that does nothing else."""
    begin = time.process_time()
    answer = gp.verify(path)
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert answer.holds, answer.reason
    return f"checked in {seconds:5.1f} s, {answer.positions / seconds:7,.0f} positions/s, {memory:4.0f} MB"


def verdicts(game: str, path: Path) -> str:
    """The figures of the verdicts of all formulas on the boards of a game."""
    written = checking = 0.0
    kinds: dict[str, int] = {}
    positions = verified = 0
    for board in small_boards(game):
        for formula in FORMULAS:
            begin = time.process_time()
            made = gp.certify(board, path, formula=formula)
            middle = time.process_time()
            answer = gp.verify(path, board)
            checking += time.process_time() - middle
            written += middle - begin
            verified += bool(answer.holds)
            positions += answer.positions
            kinds[made.kind] = kinds.get(made.kind, 0) + 1
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return (
        f"{verified} of {EACH * len(FORMULAS)} verify ({listed}): {positions:9,} positions, written in {written:5.1f} s, "
        f"checked in {checking:5.1f} s, {positions / checking:7,.0f} positions/s"
    )


def main() -> None:
    """Measure, and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate"
        for name, (level, goal) in boards().items():
            begin = time.process_time()
            made = gp.certify(level, path, goal)
            seconds = time.process_time() - begin
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                told = pool.apply(measure_check, (path,))
            print(f"{name}: {made.positions:9,} positions, written in {seconds:5.1f} s, {told}", flush=True)
        for game in BOARDS:
            print(f"{game}, {len(FORMULAS)} formulas on {EACH} boards: {verdicts(game, path)}", flush=True)


if __name__ == "__main__":
    main()
