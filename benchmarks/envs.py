"""Learning environments: steps per second of `VectorEnv.step` and of single environments, with peers in the same run.

1,024 games, legal random actions, auto-reset (NEXT_STEP), masks and infos, on one core and then on all. What is
measured is `step` itself, without the choice of actions. Rates by processor time and by the clock, medians of several
runs, warm. The Boxoban levels are looked for in the folder that GRIDPROOF_LEVELS names, or in ../shared/levels beside
the checkout; without them `sokoban/workshop` is played. Peers have an environment of their own, and any other program
that prints its steps per second of one core stands beside the row that it is named with:

    python -m venv .venv-environments && .venv-environments/bin/pip install -r requirements/environments.txt
    python benchmarks/envs.py --peer-python .venv-environments/bin/python --program "2048, symbols=./other"
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from peers.one_core import one_core

import gridproof.envs  # noqa: F401  # registers them

BATCH, STEPS, RUNS, SINGLE = 1024, 200, 7, 20_000
HERE = Path(__file__).parent
BESIDE = HERE.parent.parent / "shared" / "levels"
PEERS = {
    "pgx 2048": "2048, symbols", "jumanji 2048": "2048, symbols", "jumanji sokoban": "Sokoban, win",
    "gymnasium-2048": "", "gym-sokoban": "",
}  # fmt: skip
"""Those that play many games at once, with the row that they stand beside; and those that are a Python loop."""


class Rate(NamedTuple):
    """Steps a second."""

    processor: float
    clock: float


def measure(work: Callable[[], tuple[float, float]], steps: int) -> Rate:
    """The median of several runs, each of which gives its seconds of processor time and by the clock."""
    spent = [work() for _ in range(RUNS + 1)][1:]
    return Rate(*(steps / statistics.median(column) for column in zip(*spent, strict=True)))


def boxoban() -> Any:
    """The first levels of Boxoban, or our own where there are none."""
    folder = Path(os.environ.get("GRIDPROOF_LEVELS", BESIDE))
    found = folder / "boxoban_unfiltered_test_000.xsb"
    return found if found.exists() else "sokoban/workshop"


class Row(NamedTuple):
    """An environment, and how many million steps a second of one core are wanted of it."""

    game: str
    wanted: float
    options: dict[str, Any]


def rows() -> dict[str, Row]:
    """What is measured, by its name."""
    levels = {"levels": boxoban()}
    return {
        "2048, symbols": Row("Twenty48", 20, {}),
        "2048, planes": Row("Twenty48", 13, {"observation": "planes"}),
        "Sokoban, win": Row("Sokoban", 60, levels),
        "Sokoban, boxes": Row("Sokoban", 50, {**levels, "reward": "boxes"}),
        "Sokoban, boxes, planes": Row("Sokoban", 35, {**levels, "reward": "boxes", "observation": "planes"}),
        "Shift It": Row("ShiftIt", 10, {}),
        "Robots": Row("Robots", 1, {}),
    }


def of_batch(row: Row) -> Rate:
    """`step` of many games."""
    envs: Any = gymnasium.make_vec(f"gridproof/{row.game}-v0", BATCH, **row.options)
    envs.reset(seed=1)

    def work() -> tuple[float, float]:
        processor = clock = 0.0
        for _ in range(STEPS):
            actions = envs.sample_legal()
            begin = time.process_time(), time.perf_counter()
            envs.step(actions)
            processor += time.process_time() - begin[0]
            clock += time.perf_counter() - begin[1]
        return processor, clock

    rate = measure(work, BATCH * STEPS)
    envs.close()
    return rate


def of_one(game: str) -> Rate:
    """A Python loop with random actions of all numbers, each episode reset."""
    env = gymnasium.make(f"gridproof/{game}-v0")
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, env.action_space.n, SINGLE).tolist()  # type: ignore[attr-defined]

    def work() -> tuple[float, float]:
        begin = time.process_time(), time.perf_counter()
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return time.process_time() - begin[0], time.perf_counter() - begin[1]

    return measure(work, SINGLE)


def of_states(game: str, count: int) -> float:
    """Seconds of processor time to save and restore the state of so many games: the least of many short runs."""
    options: dict[str, Any] = {} if count == 1 else {"num_envs": count}
    env: Any = (gymnasium.make if count == 1 else gymnasium.make_vec)(f"gridproof/{game}-v0", **options)
    env.unwrapped.reset(seed=1)
    save, restore, spent = env.unwrapped.get_state, env.unwrapped.set_state, []
    for _ in range(300):
        begin = time.process_time()
        for _ in range(100):
            restore(save())
        spent.append((time.process_time() - begin) / 100)
    env.close()
    return min(spent)


def first_step() -> tuple[float, float]:
    """Seconds of processor time and by the clock of a new process: import, make, reset and one step."""
    code = (
        "import gymnasium, gridproof.envs\n"
        "env = gymnasium.make('gridproof/Twenty48-v0'); env.reset(seed=1); env.step(0)\n"
        "import time; print(time.process_time())"
    )
    begin, spent = time.perf_counter(), 0.0
    spent = float(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )
    return spent, time.perf_counter() - begin


def peer(command: list[str]) -> Rate:
    """What a program prints: its steps per second of processor time, or these and those by the clock."""
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        print(f"{command[-1]}: {ran.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return Rate(float("nan"), float("nan"))
    found = json.loads(ran.stdout.splitlines()[-1])
    return Rate(*found) if isinstance(found, list) else Rate(found, float("nan"))


def show(name: str, rate: Rate, note: str = "") -> None:
    """One line."""
    shown = (f"{one / 1e6:7.2f} M" if one >= 1e6 else f"{one / 1e3:7.1f} k" for one in rate)
    print(f"{name:30}{'/s by processor time, '.join(shown)}/s by the clock   {note}".rstrip(), flush=True)


def compare(name: str, row: str, command: list[str], ours: dict[str, Rate]) -> None:
    """Measure another program, and print how many times its rate one of ours is."""
    other = peer(command)
    show(name, other, f"{row}: {ours[row].processor / other.processor:.1f} times that" if row else "")


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer-python", help="the Python that has the peers")
    parser.add_argument(
        "--program", action="append", default=[], metavar="ROW=COMMAND", help="prints its steps per second"
    )
    return parser.parse_args()


def main() -> None:
    """Measure, and print."""
    given, measured = options(), rows()
    with one_core():
        ours = {}
        for name, row in measured.items():
            ours[name] = of_batch(row)
            show(name, ours[name], f"wanted: {row.wanted:g} M")
        for name, beside in PEERS.items() if given.peer_python else ():
            command = [given.peer_python, str(HERE / "peers" / "environments.py"), name]
            compare(name, beside, command, ours)
        for text in given.program:
            beside, _, command = text.partition("=")
            compare(Path(shlex.split(command)[0]).name, beside, shlex.split(command), ours)
    for name, row in measured.items():
        gain = of_batch(row).clock / ours[name].clock
        print(f"{name}: all cores are {gain:.2f} times as fast as one by the clock   wanted: 1.7")
    games = ("Twenty48", "Sokoban", "ShiftIt", "Robots")
    for game in games:
        show(f"{game}, one game", of_one(game), "wanted: 60 k")
    for count, most in ((1, 2), (BATCH, 200)):
        times = ", ".join(f"{of_states(game, count) * 1e6:.1f}" for game in games)
        print(f"save and restore of {count} games: {times} us of processor time   wanted: {most} us")
    processor, clock = first_step()
    print(
        f"import and first step: {processor:.2f} s of processor time, {clock:.2f} s by the clock   wanted: 1 s"
    )


if __name__ == "__main__":
    main()
