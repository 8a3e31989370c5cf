"""The time to a first counterexample: invariants and LTL formulas that are false, and SPIN on the same boards of Shift It.

Seconds by the clock, the best of some warm runs. "layer" is the number of positions that are as many actions away as the
counterexample has; spaces of up to 4,096 positions are explored whole. SPIN's pan searches breadth-first for a won
position, compiled with -O2 -DBFS -DSAFETY. Below, invariants that hold beside `gp.explore` alone, in seconds of a processor.

    python benchmarks/first_counterexample.py [--runs N]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # its peers, also when it is imported

from peers.shiftit_board import c_tables, promela
from shiftit_explore import board

import gridproof as gp

PEERS = Path(__file__).parent / "peers"
WISHED = 0.2
LONG = 5.0
"""Seconds after which nothing is run again: `robots/races/17` is explored eight times otherwise, each for some 10 s."""
MOST = gp.Limit(states=4_000_000)
ALL = gp.Limit(states=10_000_000)
"""The limit for invariants that hold: the largest level has 9.5 million positions, which take less than 2 GB."""
PACKS = ("sokoban/drawn-lots", "robots/races", "shiftit/boards", "twenty48/positions")
EACH = 10
LINEAR = (
    ("sokoban/drawn-lots/9", "F won"),
    ("sokoban/drawn-lots/13", "G F won"),
    ("sokoban/drawn-lots/13", "G (!won -> F (won | deadlock))"),
    ("robots/races/17", "G F home"),
    ("robots/yards/9", "F won"),
    ("shiftit/boards/25", "F won"),
    ("shiftit/boards/12", "G (near -> X !near)"),
    ("shiftit/boards/26", "G F near"),
    ("shiftit/boards/26", "F G home"),
    ("2048 4x4\n", "G (max_tile < 8)"),
    ("2048 4x4\n", "F won"),
    ("2048 4x4\n", "AG (max_tile >= 8 -> AF won)"),
)
HOLD = (
    ("sokoban/drawn-lots/9", "AG placed <= 9"),
    ("sokoban/drawn-lots/13", "AG placed <= 20"),
    ("robots/races/17", "AG !(won & lost)"),
    ("2048 3x3 spawn=spec target=512\n", "AG max_tile < 4096"),
    ("2048 2x4 spawn=spec\n", "AG max_tile < 4096"),
    ("Shift It 5x2 by ranks", "AG !won"),
    ("Shift It 5x2 by ranks", "AG (near -> !won)"),
)
RANKED = {"Shift It 5x2 by ranks": (5, 2)}
"""Sizes of boards that are never won."""


def level_of(text: str) -> gp.Level:
    """The level of a name or a text."""
    if text in RANKED:
        return board(*RANKED[text], False, "far")
    return gp.read(text)[0] if "\n" in text else gp.level(text)


def best(
    work: Callable[[], Any], runs: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, Any]:
    """The seconds of the best of some runs, after one that loads the kernels; and the answer. Long runs are not repeated."""
    seconds, answer = list[float](), work()
    while len(seconds) < runs and sum(seconds) < LONG:
        began = clock()
        answer = work()
        seconds.append(clock() - began)
    return min(seconds), answer


def layer(level: gp.Level, verdict: gp.Verdict) -> str:
    """The size of the layer in which the counterexample ends; at least that, where a limit cuts it."""
    if verdict.trace is None:
        return "-"
    space = gp.explore(level, limit=gp.Limit(states=20 * verdict.states))
    steps = len(verdict.trace.steps)
    return f"{space.by_depth[steps]:,}" if steps < len(space.by_depth) else "-"


def show(name: str, formula: str, runs: int) -> float:
    """Print the figures of a formula on a level; its seconds."""
    level = level_of(name)
    seconds, verdict = best(lambda: gp.check(level, formula, limit=MOST), runs)
    steps = "-" if verdict.trace is None else len(verdict.trace.steps)
    title = name.split("\n", maxsplit=1)[0]
    print(
        f"{title:24} {formula:32} {verdict.answer:15} {seconds:7.3f} s {verdict.states:9,} positions"
        f" {steps:>3} actions, layer {layer(level, verdict):>9}{'' if seconds <= WISHED else '  late'}",
        flush=True,
    )
    return seconds


def built_spin(level: Any, folder: Path) -> Callable[[], None]:
    """SPIN's search for a won position of a board."""
    model = promela(level).replace("hidden byte", "byte")  # which its breadth-first search cannot have
    end = model.rindex("    od")
    wanted = f"{model[:end]}    :: c_expr {{ ENDED }} -> assert(false)\n{model[end:]}"
    (folder / "board.h").write_text(c_tables(level))
    (folder / "board.pml").write_text(wanted)
    shutil.copy(PEERS / "shiftit_won.h", folder)
    subprocess.run(["spin", "-a", "board.pml"], cwd=folder, check=True, capture_output=True)
    flags = ["-O2", "-DBFS", "-DSAFETY", "-DNOREDUCE", "-w"]
    subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)

    def run() -> None:
        ran = subprocess.run(["./pan", "-w20"], cwd=folder, capture_output=True, text=True, check=False)
        assert "assertion violated" in ran.stdout, ran.stdout

    return run


def beside_spin(numbers: range, runs: int) -> None:
    """Print the seconds to a first win on boards of Shift It, and those of SPIN."""
    if not (shutil.which("spin") and shutil.which("gcc")):
        print("SPIN or gcc is not here")
        return
    for number in numbers:
        level: Any = gp.level(f"shiftit/boards/{number}")
        if len(level.columns) != len(level.rows) or any(tile.locked for tile in level.tiles):
            continue  # the tables of the C search are for square boards without locks
        ours, _ = best(lambda level=level: gp.check(level, "AG !won"), runs)  # type: ignore[misc]  # bound at once
        with tempfile.TemporaryDirectory() as made:
            theirs, _ = best(built_spin(level, Path(made)), runs)
        print(f"shiftit/boards/{number:<9} AG !won: {ours:.3f} s, SPIN {theirs:.3f} s: {ours / theirs:.2f}")


def beside_explore(runs: int) -> None:
    """Print the seconds of a processor for invariants that hold, and those of `explore` alone."""
    for name, formula in HOLD:
        level = level_of(name)
        alone, space = best(lambda level=level: gp.explore(level, limit=ALL), runs, time.process_time)  # type: ignore[misc]  # bound at once
        proof, verdict = best(
            lambda level=level, formula=formula: gp.check(level, formula, limit=ALL),  # type: ignore[misc]
            runs,
            time.process_time,
        )
        title = name.split("\n")[0]
        print(
            f"{title:30} {formula:20} {verdict.answer}, {space.states:,} positions: {proof:.2f} s,"
            f" explored in {alone:.2f} s: {proof / alone:.2f} times (at most 1.2 wished)"
        )


def main() -> None:
    """Print one line for each formula."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    seconds = [show("2048 4x4\n", "AG max_tile < 8", runs)]
    for pack in PACKS:
        seconds += [show(f"{pack}/{number}", "AG !won", runs) for number in range(1, EACH + 1)]
    seconds += [show(name, formula, runs) for name, formula in LINEAR]
    late = sum(one > WISHED for one in seconds)
    print(f"{len(seconds) - late} of {len(seconds)} within {WISHED} s")
    beside_spin(range(1, 30), runs)
    beside_explore(runs)


if __name__ == "__main__":
    main()
