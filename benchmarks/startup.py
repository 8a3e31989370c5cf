"""How quick the start is: `import gridproof` beside a bare interpreter, and `gridproof games`, in fresh processes.

Each figure is the median and the best of several runs, the two of a comparison taken by turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 15
IMPORT_MOST = 0.060
GAMES_MOST = 0.400

COMMANDS = {
    "a bare interpreter": ("-c", "pass"),
    "import gridproof": ("-c", "import gridproof"),
    "gridproof games": ("-m", "gridproof", "games"),
}


def seconds(arguments: tuple[str, ...]) -> float:
    """Wall-clock time of a process from start to end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def measure() -> dict[str, list[float]]:
    """Times of all commands, taken by turns, after one run that fills the caches."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name, arguments in COMMANDS.items():
            taken = seconds(arguments)
            if run:
                times[name].append(taken)
    return times


def main() -> int:
    """Print the figures; 1 when one is missed."""
    times = measure()
    for name, taken in times.items():
        print(
            f"{name:20} median {1000 * statistics.median(taken):6.1f} ms   best {1000 * min(taken):6.1f} ms"
        )
    bare, full = (statistics.median(times[name]) for name in ("a bare interpreter", "import gridproof"))
    added, games = full - bare, statistics.median(times["gridproof games"])
    print(f"import gridproof adds {1000 * added:.1f} ms (less than {1000 * IMPORT_MOST:.0f} ms wished)")
    print(f"gridproof games answers in {1000 * games:.0f} ms (less than {1000 * GAMES_MOST:.0f} ms wished)")
    return 0 if added < IMPORT_MOST and games < GAMES_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
