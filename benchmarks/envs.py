"""Learning environments: steps per second of `VectorEnv.step` and of single environments, with peers in the same run.

1,024 games, legal random actions, auto-reset (NEXT_STEP), default observations, masks and infos, all cores. What is
measured is `step` itself; choosing the actions stands beside it. Rates by processor time and by the clock, medians
of several runs, warm. The Boxoban levels are looked for in the folder that GRIDPROOF_LEVELS names, or in ../shared/levels
beside the checkout; without them `sokoban/workshop` is played. Peers have an environment of their own:

    python -m venv .venv-peers && .venv-peers/bin/pip install -r requirements/environments.txt
    python benchmarks/envs.py --peer-python .venv-peers/bin/python
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

BATCH, STEPS, RUNS, SINGLE = 1024, 200, 7, 20_000
HERE = Path(__file__).parent
BESIDE = HERE.parent.parent / "shared" / "levels"
PEERS = {
    "pgx 2048": 1, "jumanji 2048": 1, "jumanji sokoban": 1,
    "gymnasium-2048": 0, "gym-sokoban": 0,
}  # fmt: skip
"""Those that play many games at once, and those that are a Python loop."""


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


def of_batch(name: str, whole: bool, **options: Any) -> Rate:
    """`step` alone, or with the choice of actions from the mask."""
    envs = gymnasium.make_vec(name, BATCH, **options)
    envs.reset(seed=1)

    def work() -> tuple[float, float]:
        processor = clock = 0.0
        for _ in range(STEPS):
            begin = time.process_time(), time.perf_counter()
            actions = envs.sample_legal()  # type: ignore[attr-defined]
            if not whole:
                begin = time.process_time(), time.perf_counter()
            envs.step(actions)
            processor += time.process_time() - begin[0]
            clock += time.perf_counter() - begin[1]
        return processor, clock

    rate = measure(work, BATCH * STEPS)
    envs.close()
    return rate


def of_one(name: str, **options: Any) -> Rate:
    """A Python loop with random actions of all numbers, each episode reset."""
    env = gymnasium.make(name, **options)
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


def of_states(name: str, count: int) -> float:
    """Seconds of processor time to save and restore the state of so many games: the least of many short runs."""
    options: dict[str, Any] = {} if count == 1 else {"num_envs": count}
    env: Any = (gymnasium.make if count == 1 else gymnasium.make_vec)(name, **options)
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


def peer(python: str, name: str) -> Rate:
    """What a peer's script prints."""
    command = [python, str(HERE / "peers" / "environments.py"), name]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        print(f"{name}: {ran.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return Rate(float("nan"), float("nan"))
    return Rate(*json.loads(ran.stdout.splitlines()[-1]))


def show(name: str, rate: Rate, note: str = "") -> None:
    """One line."""
    shown = (f"{one / 1e6:7.2f} M" if one >= 1e6 else f"{one / 1e3:7.1f} k" for one in rate)
    print(f"{name:30}{'/s by processor time, '.join(shown)}/s by the clock   {note}".rstrip(), flush=True)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer-python", help="the Python that has the peers")
    options = parser.parse_args()
    wanted: tuple[tuple[str, dict[str, Any], str], ...] = (("Twenty48", {}, "20 M/s"), ("Sokoban", {"levels": boxoban()}, "10 M/s"), ("ShiftIt", {}, "10 M/s"),
              ("Robots", {}, "1 M/s"))  # fmt: skip
    import gridproof.envs  # noqa: F401  # registers them

    for name, own, asked in wanted:
        show(
            f"{name}, step",
            of_batch(f"gridproof/{name}-v0", False, **own),
            f"asked: {asked} by the clock, two cores",
        )
        show(f"{name}, choice and step", of_batch(f"gridproof/{name}-v0", True, **own))
    for name, own, _ in wanted:
        show(f"{name}, one game", of_one(f"gridproof/{name}-v0", **own), "asked: 60 k/s")
    for count, most in ((1, 2), (BATCH, 200)):
        times = ", ".join(f"{of_states(f'gridproof/{name}-v0', count) * 1e6:.1f}" for name, _, _ in wanted)
        print(f"save and restore of {count} games: {times} us of processor time   asked: {most} us")
    processor, clock = first_step()
    print(
        f"import and first step         {processor:.2f} s of processor time, {clock:.2f} s by the clock   asked: 1 s"
    )
    for name in PEERS if options.peer_python else ():
        show(name, peer(options.peer_python, name))


if __name__ == "__main__":
    main()
