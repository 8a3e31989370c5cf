"""MaskablePPO learns the easiest tier of Sokoban in minutes, and is judged on the levels of the task, which it never sees.

It trains on generated levels and their rotated and reflected copies; none is a copy of a level of the task.

    .venv-learn/bin/python examples/maskable_ppo/sokoban.py --seconds 300
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]
from sb3_contrib import MaskablePPO  # type: ignore[import-not-found,unused-ignore]

import gridproof as gp
import gridproof.envs
from gridproof.core.design import images
from gridproof.core.position import Level
from gridproof.envs import Generated, Reward
from gridproof.envs.stable_baselines import StableVecEnv, make_vec_env

TASK = gridproof.envs.LADDER[0]
LEVELS, SEED, MOVES = 300, 1_000_000, 40
"""Levels to learn from, without copies; seed of the first; actions of a game."""
REWARD = Reward(step=-0.02, win=1.0, measure="placed", measured=0.5)
CHUNK = 100_000


def to_learn_from() -> list[Level]:
    """Generated levels, each in its eight images."""
    levels: Any = Generated.of_task(TASK, LEVELS, SEED).levels(gp.game("sokoban"))
    found = list[Level]()
    for level in levels:
        width, height = level.size
        rows = [row.ljust(width, "-") for row in level.text().splitlines()[:height]]
        found += (gp.read("\n".join(map("".join, table)), "sokoban")[0] for _, _, table in images(rows))
    return list(dict.fromkeys(found))


def games(levels: Any, count: int) -> StableVecEnv:
    """Games on some levels, seen as planes."""
    return make_vec_env(
        "gridproof/Sokoban-v0",
        count,
        levels=levels,
        observation="planes",
        max_episode_steps=MOVES,
        reward=REWARD,
    )


def share(model: MaskablePPO) -> float:
    """The share of the task's levels that the model wins by its best actions."""
    envs = games(TASK, 100)
    seen, _ = envs.envs.reset(seed=1, options={"level": np.arange(100)})
    won, over = np.zeros((2, 100), np.bool_)
    while not over.all():
        actions = model.predict(seen, action_masks=envs.action_masks(), deterministic=True)[0]
        seen, _, ended, infos = envs.step(actions)
        won |= ended & ~over & [info["won"] for info in infos]
        over |= ended
    return float(won.mean())


def main() -> None:
    """Train and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="of training")
    parser.add_argument("--threads", type=int, default=2, help="of torch")
    parser.add_argument(
        "--save", type=Path, help="file of the model, a player of `gridproof evaluate` (ppo.zip)"
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model = MaskablePPO(
        "MlpPolicy",
        games(to_learn_from(), 256),
        n_steps=32,
        batch_size=2048,
        n_epochs=4,
        gamma=0.97,
        gae_lambda=0.9,
        ent_coef=0.01,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [256, 256], "normalize_images": False},
        seed=0,
    )
    clock = processor = 0.0
    while clock < options.seconds:
        begin = time.perf_counter(), time.process_time()
        model.learn(CHUNK, reset_num_timesteps=False)
        clock += time.perf_counter() - begin[0]
        processor += time.process_time() - begin[1]
        print(
            f"{model.num_timesteps:,} steps, {clock:.0f} s, {processor:.0f} s of processor time: "
            f"{share(model):.0%} of {TASK} won",
            flush=True,
        )
    if options.save:
        model.save(options.save)


if __name__ == "__main__":
    main()
