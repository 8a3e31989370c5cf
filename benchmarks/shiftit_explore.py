"""Exploration of Shift It boards without a win, with the win test; plain C and SPIN in the same run.

An unlocked 3x3 board has 181,440 positions. Ours searches its ranks on one core, warm; the plain C
search keeps packed words in open addressing, compiled with gcc -O3 -march=native for this board alone;
SPIN's pan is compiled with -O2 -DSAFETY and calls the same win test in C. Each figure is the median of
several runs, in processor time, taken by turns.

    python benchmarks/shiftit_explore.py [--runs N] [--json] [--locked] [--large] [--disk FOLDER]

`--locked` searches 4x3 with one lock (39,916,800 positions), `--large` all of 4x3 (479,001,600): on all
cores, by the clock, with the process's peak of memory. With `--disk`, the same on a disk before, and the ratio.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # its peers, also when it is imported

from peers.shiftit_board import c_tables, promela

import gridproof as gp
from gridproof.games.shiftit import Level, Tile
from gridproof.kernels.game import kernel_of
from gridproof.search.two_bit_bfs import TwoBitStates

PEERS = Path(__file__).parent / "peers"
POSITIONS = 181_440


def board(width: int, height: int, locked: bool, colours: str) -> Level:
    """A board that is never won.

    "far": sides up have a colour of their own, that never meets itself. "near": all sides are red, but
    for two opposite blue ones of one tile, so that most positions come to the whole of the win test.
    """
    blue = ["blue", "red", "blue", "red"]
    return Level(
        Tile(
            f"t{x}_{y}",
            x,
            y,
            (blue if (x, y) == (1, 1) else "red") if colours == "near" else ["red", *[f"{x}{y}"] * 3],
            locked and (x, y) == (0, 0),
        )
        for y in range(height)
        for x in range(width)
    )


def explore_ranks(level: Level, cores: int | None) -> TwoBitStates:
    """All positions, by ranks."""
    kernel = kernel_of(level.game)
    assert kernel is not None
    assert kernel.ranked.ranking is not None
    ranking = kernel.ranked.ranking(level)
    assert ranking is not None
    found = TwoBitStates(kernel, ranking, [level.start()], cores)
    for _ in found.run():
        pass
    return found


def ours(level: Level) -> tuple[int, float]:
    """Positions and seconds of one search."""
    begin = time.process_time()
    found = explore_ranks(level, 1)
    return found.count, time.process_time() - begin


def built_c(level: Level, folder: Path) -> Callable[[], tuple[int, float]]:
    """The plain C search of a board."""
    program = folder / "search"
    (folder / "board.h").write_text(c_tables(level))
    source = PEERS / "shiftit_search.c"
    flags = ["-O3", "-march=native", "-Wall", f"-I{folder}", f"-I{PEERS}"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(program)], check=True)

    def run() -> tuple[int, float]:
        ran = subprocess.run([program, "4"], capture_output=True, text=True, check=True)
        lines = [line.split() for line in ran.stdout.splitlines()]
        return int(lines[0][0]), min(float(line[3]) for line in lines)  # warm, and at its best

    return run


def built_spin(level: Level, folder: Path) -> Callable[[], tuple[int, float]]:
    """SPIN's search of a board."""
    (folder / "board.h").write_text(c_tables(level))
    shutil.copy(PEERS / "shiftit_won.h", folder)
    (folder / "board.pml").write_text(promela(level))
    subprocess.run(["spin", "-a", "board.pml"], cwd=folder, check=True, capture_output=True)
    flags = ["-O2", "-DSAFETY", "-DNOREDUCE", "-w"]
    subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)

    def run() -> tuple[int, float]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        ran = subprocess.run(
            ["./pan", "-m1000000", "-w20", "-c1"], cwd=folder, capture_output=True, text=True, check=True
        )
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        stored = re.search(r"(\d+) states, stored", ran.stdout)
        assert stored, ran.stdout
        return int(stored[1]) - 1, seconds  # without the one before the tiles are laid

    return run


def compare(colours: str, runs: int) -> dict[str, Any]:
    """One board in all searches that there are, by turns."""
    level = board(3, 3, False, colours)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        searches: dict[str, Callable[[], tuple[int, float]]] = {"ours": lambda: ours(level)}
        if shutil.which("gcc"):
            searches["plain C"] = built_c(level, folder)
            if shutil.which("spin"):
                searches["SPIN"] = built_spin(level, folder)
        explore_ranks(level, 1)
        taken: dict[str, list[float]] = {name: [] for name in searches}
        for _ in range(runs):
            for name, search in searches.items():
                positions, seconds = search()
                assert positions == POSITIONS, (name, positions)
                taken[name].append(seconds)
    seconds_of = {name: statistics.median(times) for name, times in taken.items()}
    rates = {name: round(POSITIONS / seconds) for name, seconds in seconds_of.items()}
    ratios = {f"of {name}": round(rates["ours"] / rate, 2) for name, rate in rates.items() if name != "ours"}
    return {"board": f"3x3, {colours}", "positions": POSITIONS, "rates": rates, "ratios": ratios}


def peak_memory() -> float:
    """MB that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def large(locked: bool, disk: Path | None) -> dict[str, Any]:
    """A board of 4x3 on all cores."""
    level = board(4, 3, locked, "far")
    explore_ranks(board(2, 2, False, "far"), 1)  # loads the kernels
    on_disk = measure_on_disk(level, disk) if disk else {}
    begin, spent = time.perf_counter(), time.process_time()
    found = explore_ranks(level, None)
    seconds, spent = time.perf_counter() - begin, time.process_time() - spent
    name = "4x3, one lock" if locked else "4x3"
    wanted = 39_916_800 if locked else 479_001_600
    assert found.count == wanted, found.count
    times = {"seconds": round(seconds, 1), "CPU": round(spent, 1), "peak MB": round(peak_memory())}
    if disk:
        assert on_disk.pop("layers") == found.by_depth
        on_disk["ratio"] = round(on_disk["seconds on disk"] / seconds, 2)
        on_disk["ratio of CPU"] = round(on_disk["CPU on disk"] / spent, 2)
    return {"board": name, "positions": found.count, **times, **on_disk}


def measure_on_disk(level: Level, folder: Path) -> dict[str, Any]:
    """The same with the layers in a new folder."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        gp.explore(board(2, 2, False, "far"), disk=f"{name}/small")  # loads the kernels
        before, begin, spent = peak_memory(), time.perf_counter(), time.process_time()
        space = gp.explore(level, disk=f"{name}/large")
        return {
            "layers": list(space.by_depth),
            "seconds on disk": round(time.perf_counter() - begin, 1),
            "CPU on disk": round(time.process_time() - spent, 1),
            "more MB": round(peak_memory() - before),
            "MB of disk": round(space.to_dict()["disk"] / 2**20),
        }


def _print(result: dict[str, Any]) -> None:
    print(f"{result['board']}: {result['positions']:,} positions")
    for name, rate in result.get("rates", {}).items():
        ratio = result["ratios"].get(f"of {name}")
        beside = f"   ours is {ratio} times as fast" if ratio else ""
        print(f"  {name:8} {rate:12,}/s{beside}")
    if "seconds" in result:
        print(f"  {result['seconds']} s ({result['CPU']} s of CPU), peak {result['peak MB']} MB")
    if "ratio" in result:
        print(
            f"  on disk {result['seconds on disk']} s ({result['CPU on disk']} s of CPU), {result['ratio']} times as long "
            f"({result['ratio of CPU']} of CPU), {result['more MB']} MB more memory, {result['MB of disk']} MB of disk"
        )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--locked", action="store_true", help="4x3 with one lock, under a minute")
    parser.add_argument("--large", action="store_true", help="all of 4x3: minutes")
    parser.add_argument("--disk", metavar="FOLDER", type=Path, help="with --locked or --large: on disk, too")
    options = parser.parse_args()
    works: list[Callable[[], dict[str, Any]]]
    if options.locked or options.large:
        works = [lambda: large(True, options.disk)] * options.locked
        works += [lambda: large(False, options.disk)] * options.large
    else:
        works = [lambda: compare("far", options.runs), lambda: compare("near", options.runs)]
    for work in works:
        result = work()
        print(json.dumps(result), flush=True) if options.json else _print(result)


if __name__ == "__main__":
    main()
