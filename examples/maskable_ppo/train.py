"""MaskablePPO learns Shift It on small boards, until it wins three times as often as a random player.

It trains on boards made from seeds, and is judged on others, those of the task shiftit-easy, in games of ten moves. No
board to learn from is one of these, turned, mirrored or in other colours either.
Prints its share of wins as it goes; --curve draws it, as the curve in docs/environments.md was drawn.

    python -m venv .venv-learn
    .venv-learn/bin/pip install -e .[envs] -r examples/maskable_ppo/requirements.txt
    .venv-learn/bin/python examples/maskable_ppo/train.py --curve curve.svg
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]
from sb3_contrib import MaskablePPO  # type: ignore[import-not-found,unused-ignore]

import gridproof as gp
import gridproof.envs
from gridproof.core.design import canonical
from gridproof.core.position import Level
from gridproof.envs.stable_baselines import StableVecEnv, make_vec_env

BOARDS, MOVES, GAMES = 400, 10, 2000
"""Boards to learn from; moves of a game; games that judge."""
FIRST_SEED = 1000
SIZE: dict[str, Any] = {"width": 3, "height": 2, "colours": 3}
"""What is asked of the boards to learn from; their seeds begin with the first one."""
CHUNK = 40_000
TIMES = 3


def to_learn_from(judges: Iterable[Level]) -> list[Level]:
    """Boards made from seeds, all different, none of which is among those that judge."""
    known: dict[Hashable, Level | None] = dict.fromkeys(map(canonical, judges))
    made = (gp.generate("shiftit", seed, **SIZE) for seed in itertools.count(FIRST_SEED))
    different = (level for level in made if known.setdefault(canonical(level), level) is level)
    return list(itertools.islice(different, BOARDS))


def boards(levels: Any, games: int) -> StableVecEnv:
    """Games on some boards, seen as planes: one for each colour of each side."""
    return make_vec_env(
        "gridproof/ShiftIt-v0", games, levels=levels, observation="planes", max_episode_steps=MOVES
    )


def share(envs: StableVecEnv, model: MaskablePPO | None, seed: int) -> float:
    """The share of games that a model wins, or a random player, each action drawn."""
    random = np.random.default_rng(seed)
    envs.seed(seed)
    seen, wins, over = envs.reset(), 0, 0
    while over < GAMES:
        masks = envs.action_masks()
        if model is None:
            actions = np.argmax(masks * random.random(masks.shape), axis=1)
        else:
            actions = model.predict(seen, action_masks=masks)[0]
        seen, _, ended, infos = envs.step(actions)
        over += int(ended.sum())
        wins += sum(bool(info["won"]) for info, end in zip(infos, ended, strict=True) if end)
    return wins / over


def drawn(curve: list[tuple[int, float]], random: float) -> str:
    """The shares of wins after so many steps, as SVG."""
    width, height, left, top = 560, 260, 60, 20
    steps, most = max(curve[-1][0], 1), 10 * np.ceil(10 * max(TIMES * random, *(y for _, y in curve))) / 100

    def at(step: float, part: float) -> str:
        return f"{left + width * step / steps:.1f},{top + height * (1 - part / most):.1f}"

    def line(part: float, word: str) -> str:
        x, y = at(0, part).split(",")
        return (
            f'<path d="M{x},{y} H{left + width}" stroke="#999" stroke-dasharray="4"/>'
            f'<text x="{left + width}" y="{float(y) - 5:.1f}" text-anchor="end">{word}, {part:.1%}</text>'
        )

    points = " ".join(at(*point) for point in curve)
    ticks = "".join(
        f'<text x="{left - 8}" y="{at(0, part).split(",")[1]}" text-anchor="end">{part:.0%}</text>'
        for part in np.linspace(0, most, 6)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 100} {height + 70}" '
        'font-family="sans-serif" font-size="13" fill="#444">'
        f'<rect width="100%" height="100%" fill="#fff"/>{ticks}{line(random, "random")}'
        f"{line(TIMES * random, 'three times that')}"
        f'<path d="M{left},{top} V{top + height} H{left + width}" fill="none" stroke="#444"/>'
        f'<polyline points="{points}" fill="none" stroke="#1f6feb" stroke-width="2"/>'
        f'<text x="{left + width}" y="{top + height + 20}" text-anchor="end">{steps:,} steps</text>'
        f'<text x="{left}" y="{top + height + 20}">0</text>'
        f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">'
        "share of games won on boards it has not learned from</text></svg>\n"
    )


def main() -> None:
    """Train, judge, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4_000_000, help="at most so many")
    parser.add_argument("--times", type=float, default=TIMES, help="how many times a random player's share")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=Path, help="where to draw the share of wins (SVG)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    task = gridproof.envs.task("shiftit-easy")
    judges = boards(task, 100)
    model = MaskablePPO(
        "MlpPolicy",
        boards(to_learn_from(task), 64),
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        ent_coef=0.01,
        gamma=0.95,
        policy_kwargs={"net_arch": [256, 256]},
        seed=options.seed,
    )
    random = share(judges, None, 1)
    print(f"random: {random:.1%}", flush=True)
    curve = [(0, share(judges, model, 1))]
    while curve[-1][1] < options.times * random and model.num_timesteps < options.steps:
        model.learn(CHUNK, reset_num_timesteps=False)
        curve.append((model.num_timesteps, share(judges, model, 1)))
        print(f"{curve[-1][0]:9,} steps: {curve[-1][1]:.1%}", flush=True)
        if options.curve:
            options.curve.write_text(drawn(curve, random), encoding="utf-8")


if __name__ == "__main__":
    main()
