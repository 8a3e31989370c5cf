"""Steps a second of other environments: python environments.py "pgx 2048"|"jumanji 2048"|"jumanji sokoban"|gymnasium-2048|gym-sokoban.

Prints [by second of processor time, by second of the clock]. Those of jax are a jitted scan of random legal actions on
1,024 boards from fresh starts, in which no board is started anew: kind to them. The others are a Python loop.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

RUNS, SINGLE = 5, 1000


def jumanji_sokoban() -> Callable[[], int]:
    """Jumanji's toy generator; random actions of all numbers, for it has no mask."""
    import jax  # type: ignore[import-not-found]
    from jumanji.environments.routing.sokoban.env import Sokoban  # type: ignore[import-not-found]
    from jumanji.environments.routing.sokoban.generator import ToyGenerator  # type: ignore[import-not-found]

    boards, steps = 1024, 200
    env = Sokoban(generator=ToyGenerator())
    step = jax.vmap(env.step)

    def advance(states: Any, key: Any) -> Any:
        return step(states, jax.random.randint(key, (boards,), 0, 4))[0], None

    play = jax.jit(lambda states, key: jax.lax.scan(advance, states, jax.random.split(key, steps))[0])
    states = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), boards))[0]

    def run() -> int:
        jax.block_until_ready(play(states, jax.random.PRNGKey(1)))
        return boards * steps

    return run


def loop(env: Any, actions: int) -> Callable[[], int]:
    """A Python loop of random actions, each episode reset; of Gymnasium, or of its old interface."""
    env.reset()

    def run() -> int:
        for _ in range(SINGLE):
            answer = env.step(random.randrange(actions))
            if any(answer[2:-1]):
                env.reset()
        return SINGLE

    return run


def gymnasium_2048() -> Callable[[], int]:
    """gymnasium-2048."""
    import gymnasium  # type: ignore[import-not-found,unused-ignore]
    import gymnasium_2048  # type: ignore[import-not-found]  # noqa: F401

    return loop(gymnasium.make("gymnasium_2048/TwentyFortyEight-v0"), 4)


def gym_sokoban() -> Callable[[], int]:
    """gym-sokoban, tiny pictures. It makes a room in seconds, so all is played in one, which is made before: kind to it."""
    import numpy as np

    if not hasattr(np, "bool8"):
        np.bool8 = np.bool_  # type: ignore[attr-defined]  # gym asks for the old name
    from gym_sokoban.envs import SokobanEnv  # type: ignore[import-not-found]

    env = SokobanEnv(dim_room=(10, 10), num_boxes=4, max_steps=sys.maxsize, reset=False)
    observing = env.step
    env.step = lambda action: observing(action, observation_mode="tiny_rgb_array")
    return loop(env, 9)


def main() -> None:
    """Measure the peer that the command line names."""
    name = sys.argv[1]
    if name in ("pgx 2048", "jumanji 2048"):
        import twenty48_jax  # type: ignore[import-not-found,unused-ignore]

        sys.argv[1] = name.split()[0]
        twenty48_jax.main()
        return
    run = {"jumanji sokoban": jumanji_sokoban, "gymnasium-2048": gymnasium_2048, "gym-sokoban": gym_sokoban}[
        name
    ]()
    run()
    rates = []
    for _ in range(RUNS):
        processor, clock = time.process_time(), time.perf_counter()
        steps = run()
        rates.append([steps / (time.process_time() - processor), steps / (time.perf_counter() - clock)])
    print(json.dumps([statistics.median(column) for column in zip(*rates, strict=True)]))


if __name__ == "__main__":
    main()
