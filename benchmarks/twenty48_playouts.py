"""Random games of 2048 on one core: ours, a plain C program with row tables, pgx and Jumanji, in one run.

Everything runs on the same core, and what counts is processor time, so that other work on the machine
counts little; the rate by the clock stands beside it. Figures are medians of several runs, warm.

- ours: whole games from the start to the end, `gridproof.games.twenty48.playouts`, both spawn rules.
- C: the same games (rule `classic`) with two tables of 65,536 rows and xorshift64, gcc -O3; without scores.
- pgx, Jumanji: a jitted scan of random legal actions on 1024 boards at a time, from fresh starts. Every
  step counts, also those on boards whose game has ended, and no board is started anew: kind to them.

    python -m venv .venv-peers && .venv-peers/bin/pip install jax pgx jumanji
    python benchmarks/twenty48_playouts.py --peer-python .venv-peers/bin/python
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PEERS = Path(__file__).parent / "peers"
WANTED, TIMES = "25 M moves/s", "10 times"


class Rate(NamedTuple):
    """Moves a second."""

    processor: float
    clock: float


def ours(spawn: str, games: int) -> Callable[[], Rate]:
    """A run of our own games."""
    from gridproof.games.twenty48 import Level
    from gridproof.games.twenty48.playouts import playouts

    level = Level(spawn=spawn)
    playouts(level, 100)  # warm

    def run() -> Rate:
        clock, processor = time.perf_counter(), time.process_time()
        moves = playouts(level, games, seed=1).moves
        return Rate(moves / (time.process_time() - processor), moves / (time.perf_counter() - clock))

    return run


def in_c(folder: str, games: int) -> Callable[[], Rate] | None:
    """A run of the C program; None without gcc."""
    if not shutil.which("gcc"):
        return None
    program = Path(folder) / "twenty48"
    source = PEERS / "twenty48_playouts.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return lambda: Rate(*json.loads(subprocess.check_output([program, str(games)])))


def by_jax(python: str, peer: str) -> Callable[[], Rate] | None:
    """A run of a peer in its own environment; None when it cannot be imported there."""
    script = PEERS / "twenty48_jax.py"
    if subprocess.run([python, "-c", f"import jax, {peer}"], capture_output=True, check=False).returncode:
        return None
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    return lambda: Rate(*json.loads(subprocess.check_output([python, script, peer], env=environment)))


def on_one_core() -> None:
    """Keep this process and its children on one core, where the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def measured(name: str, run: Callable[[], Rate], runs: int) -> Rate:
    """The median of the runs, printed."""
    rates = [run() for _ in range(runs)]
    found = Rate(*(statistics.median(column) for column in zip(*rates, strict=True)))
    spread = f"{min(rates).processor / 1e6:.2f} to {max(rates).processor / 1e6:.2f}"
    print(
        f"{name:14} {found.processor / 1e6:6.2f} M moves/s ({spread}), by the clock {found.clock / 1e6:.2f}"
    )
    return found


def compared(own: Rate, name: str, run: Callable[[], Rate] | None, runs: int, wanted: str = "") -> None:
    """Measure a peer, where it is there, and print how many times its rate ours is."""
    if run is None:
        print(f"{name:14} is not here")
    else:
        peer = measured(f"{name}, classic", run, runs)
        print(f"{'':14} ours is {own.processor / peer.processor:.1f} times that{wanted}")


def main() -> None:
    """Measure all, and print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer-python", default=os.environ.get("GRIDPROOF_PEER_PYTHON", sys.executable))
    parser.add_argument("--games", type=int, default=30_000)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    on_one_core()
    print(f"random games of 2048, one core ({platform.machine()}), {options.runs} runs; {WANTED} wanted")
    measured("ours, spec", ours("spec", options.games), options.runs)
    own = measured("ours, classic", ours("classic", options.games), options.runs)
    with tempfile.TemporaryDirectory() as folder:
        compared(own, "C", in_c(folder, options.games), options.runs)
    for peer in ("pgx", "jumanji"):
        compared(own, peer, by_jax(options.peer_python, peer), 3, f" ({TIMES} wanted)")


if __name__ == "__main__":
    main()
