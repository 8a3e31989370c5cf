"""Random play of 2048 in pgx or Jumanji: a jitted scan over many boards. Needs jax and the peer.

Prints [moves by processor second, moves by second of the clock], of two ways to choose legal moves the quicker one:
python twenty48_jax.py pgx|jumanji
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import jax  # type: ignore[import-not-found]
import jax.numpy as jnp  # type: ignore[import-not-found]

BOARDS, STEPS, RUNS = 1024, 200, 5


Choice = Callable[[Any, Any], Any]
"""Of a key and masks: one of the actions that each mask allows, each as likely."""


def by_logits(key: Any, mask: Any) -> Any:
    """As the documentation of both has it."""
    return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)


def by_counting(key: Any, mask: Any) -> Any:
    """With one random number for each board."""
    wanted = jnp.floor(jax.random.uniform(key, mask.shape[:-1]) * mask.sum(-1))
    return (jnp.cumsum(mask, axis=-1) <= wanted[:, None]).sum(-1) % mask.shape[-1]


def of_pgx(choose: Choice) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """How pgx starts and steps many boards."""
    import pgx  # type: ignore[import-not-found]

    env = pgx.make("2048")
    step = jax.vmap(env.step)

    def advance(states: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        actions = choose(choice, states.legal_action_mask)
        return step(states, actions, jax.random.split(chance, BOARDS)), None

    return jax.vmap(env.init), advance


def of_jumanji(choose: Choice) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    """How Jumanji starts and steps many boards."""
    import jumanji  # type: ignore[import-not-found]

    env = jumanji.make("Game2048-v1")
    step = jax.vmap(env.step)

    def advance(states: Any, key: Any) -> Any:
        return step(states, choose(key, states.action_mask))[0], None

    return lambda keys: jax.vmap(env.reset)(keys)[0], advance


def rates_of(choose: Choice) -> list[float]:
    """The medians of several runs of the peer that the command line names."""
    start, advance = {"pgx": of_pgx, "jumanji": of_jumanji}[sys.argv[1]](choose)
    play = jax.jit(lambda states, key: jax.lax.scan(advance, states, jax.random.split(key, STEPS))[0])
    states = jax.jit(start)(jax.random.split(jax.random.PRNGKey(0), BOARDS))
    jax.block_until_ready(play(states, jax.random.PRNGKey(1)))
    rates = []
    for run in range(RUNS):
        processor, clock = time.process_time(), time.perf_counter()
        jax.block_until_ready(play(states, jax.random.PRNGKey(run)))
        spent = time.process_time() - processor, time.perf_counter() - clock
        rates.append([BOARDS * STEPS / seconds for seconds in spent])
    return [statistics.median(column) for column in zip(*rates, strict=True)]


def main() -> None:
    """Measure, and print."""
    print(json.dumps(max(map(rates_of, (by_logits, by_counting)), key=lambda rates: rates[1])))


if __name__ == "__main__":
    main()
