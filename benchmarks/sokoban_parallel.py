"""Levels in parallel: how much faster two processes of `solve --jobs` solve a pack than one.

Beside it, what two plain processes gain on the same machine: they count in C, or in Python where no compiler is.
The levels are those of boxoban_hard_000.xsb in the folder that GRIDPROOF_LEVELS names, or in ../shared/levels beside
the checkout; else those of a pack of the project.

    python benchmarks/sokoban_parallel.py [--levels 1000] [--seconds 10] [--minimise pushes]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gridproof as gp

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "levels"
FILE, PACK = "boxoban_hard_000.xsb", "sokoban/first-steps"
LOOP = """\
#include <stdio.h>
int main(void) {
    unsigned x = 1;
    for (long i = 0; i < 3000000000L; i++) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    printf("%u", x);
}
"""
COUNT = "x = 1\nfor i in range(60_000_000): x = x * 5 % 65537"


def plain_program(folder: Path) -> list[str]:
    """Return a program that counts for some seconds."""
    compiler = shutil.which("cc")
    if compiler is None:
        return [sys.executable, "-c", COUNT]
    (source := folder / "loop.c").write_text(LOOP)
    subprocess.run([compiler, "-O1", str(source), "-o", str(folder / "loop")], check=True)
    return [str(folder / "loop")]


def processor_seconds() -> float:
    """Return the processor's seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(*commands: list[str]) -> tuple[float, float]:
    """Return the seconds that commands take side by side, by the clock and by the processors."""
    begin, before = time.perf_counter(), processor_seconds()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    for process in running:
        process.wait()
    return time.perf_counter() - begin, processor_seconds() - before


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="Levels in parallel")
    parser.add_argument("--levels", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10, help="for each level")
    parser.add_argument("--minimise", default="pushes")
    options = parser.parse_args()
    path = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE)) / FILE
    levels = (gp.read(path) if path.is_file() else gp.levels_at(PACK))[: options.levels]
    os.environ["GRIDPROOF_CORES"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        (pack := Path(folder) / "pack.xsb").write_text(gp.write(levels))
        program = plain_program(Path(folder))
        solve = [sys.executable, "-m", "gridproof", "solve", str(pack), "--minimise", options.minimise]
        solve += ["--seconds", str(options.seconds), "--force", "--out", str(Path(folder) / "out.jsonl")]
        seconds_of([*solve, "--jobs", "2", "--states", "1"])  # kernels are compiled once
        (one, cost), (two, cost_of_two) = seconds_of(solve), seconds_of([*solve, "--jobs", "2"])
        (alone, _), (both, _) = seconds_of(program), seconds_of(program, program)
    print(f"{len(levels)} levels, one process: {one:.1f} s, {cost:.1f} s of processors")
    print(f"levels in parallel, two processes: {two:.1f} s, {cost_of_two:.1f} s of processors")
    print(f"gain: {one / two:.2f} times one; two plain processes: {2 * alone / both:.2f} times one")


if __name__ == "__main__":
    main()
