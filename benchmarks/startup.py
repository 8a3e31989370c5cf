"""Start-up time in fresh processes: `import gridproof`, `gridproof games`, and a small level by a kernel.

Each figure is the median and the best of several runs, the two of a comparison taken by turns. Bytecode is there, as
after an installation: the first run of each writes it to a folder of its own. So it does with compiled kernels; how
long it takes with none is told as well, of one run.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 15
IMPORT_MOST = 0.060
GAMES_MOST = 0.400
SECOND_MOST, COLD_MOST = 0.5, 8

SOLVE = "gridproof solve by kernel"

COMMANDS = {
    "a bare interpreter": ("-c", "pass"),
    "import gridproof": ("-c", "import gridproof"),
    "gridproof games": ("-m", "gridproof", "games"),
    SOLVE: ("-m", "gridproof", "solve", "sokoban/workshop/12", "--minimise", "pushes"),
}


def seconds(arguments: tuple[str, ...], bytecode: str, kernels: str) -> float:
    """Wall-clock time of a process from start to end."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode, "NUMBA_CACHE_DIR": kernels}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env=environment)
    return time.perf_counter() - start


def measure(bytecode: str) -> dict[str, list[float]]:
    """Times of all commands, taken by turns, after one run that fills the caches."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name, arguments in COMMANDS.items():
            taken = seconds(arguments, bytecode, f"{bytecode}/kernels")
            if run:
                times[name].append(taken)
    return times


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as bytecode:
        times = measure(bytecode)
        cold = seconds(COMMANDS[SOLVE], bytecode, f"{bytecode}/cold")
    for name, taken in times.items():
        print(
            f"{name:25} median {1000 * statistics.median(taken):6.1f} ms   best {1000 * min(taken):6.1f} ms"
        )
    bare, full = (statistics.median(times[name]) for name in ("a bare interpreter", "import gridproof"))
    added, games = full - bare, statistics.median(times["gridproof games"])
    print(f"import gridproof adds {1000 * added:.1f} ms (less than {1000 * IMPORT_MOST:.0f} ms wished)")
    print(f"gridproof games answers in {1000 * games:.0f} ms (less than {1000 * GAMES_MOST:.0f} ms wished)")
    second = statistics.median(times[SOLVE])
    print(f"a second process solves by a kernel in {second:.2f} s (less than {SECOND_MOST} s wished)")
    print(f"the first one, which compiles it, in {cold:.1f} s (less than {COLD_MOST} s wished)")


if __name__ == "__main__":
    main()
