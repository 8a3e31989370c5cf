"""Robots learn to race by playing against themselves, or against a league of their earlier versions.

    python examples/self_play/train.py                self-play: both robots are the learner
    python examples/self_play/train.py --league       one of them is a member of the league, the harder the likelier

The learner is a table of returns for each board and request, learned from whole races (Monte Carlo control). Every 100
races it joins the league. Members are drawn by how often they beat the learner, as in Vinyals et al., "Grandmaster level
in StarCraft II using multi-agent reinforcement learning" (2019). At the end all members race against all.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridproof.envs import robots_v0

LEVEL, REQUESTS = "robots/duels/1", 40
"""Level, and requests of both robots after which a race is drawn."""
EVERY, CURIOUS, DISCOUNT = 100, 0.2, 0.9
"""Races between members of the league; share of random requests of the learner; discount of a request."""

Array = np.ndarray[Any, Any]
Key = tuple[str, bytes]


@dataclass
class Policy:
    """A table of mean returns and visits by robot and board; random where it has none."""

    returns: dict[Key, Array] = field(default_factory=lambda: defaultdict(lambda: np.zeros((2, 7))))
    curious: float = 0.0

    def act(self, key: Key, mask: Array, random: np.random.Generator) -> int:
        """Return the request with the highest mean return, or a random one."""
        legal = np.flatnonzero(mask)
        if key not in self.returns or random.random() < self.curious:
            return int(random.choice(legal))
        total, visits = self.returns[key][:, legal]
        means = np.divide(total, visits, out=np.zeros(len(legal)), where=visits > 0)
        return int(random.choice(legal[means == means.max()]))

    def learn(self, moves: Sequence[tuple[Key, int]], reward: float) -> None:
        """Add the discounted reward of a race to the requests that led there."""
        for distance, (key, action) in enumerate(reversed(moves)):
            self.returns[key][:, action] += reward * DISCOUNT**distance, 1

    def frozen(self) -> Policy:
        """Return a copy that does not learn and is not curious."""
        return Policy({key: table.copy() for key, table in self.returns.items()})


@dataclass
class Member:
    """A member of the league, with the learner's races against it."""

    name: str
    policy: Policy
    races: int = 0
    lost: int = 0

    @property
    def weight(self) -> float:
        """Weight for drawing it: its share of wins against the learner, and a little for all."""
        return 0.1 + (self.lost + 1) / (self.races + 2)


class Arena:
    """Races of two policies on one level."""

    def __init__(self, seed: int) -> None:
        self.env: Any = robots_v0.env(LEVEL, observation="board", max_requests=REQUESTS)
        self.random = np.random.default_rng(seed)

    def race(self, policies: Mapping[str, Policy]) -> dict[str, tuple[list[tuple[Key, int]], float]]:
        """Return the moves and the reward of each robot."""
        self.env.reset(seed=int(self.random.integers(2**31)))
        moves: dict[str, list[tuple[Key, int]]] = {robot: [] for robot in policies}
        rewards = dict.fromkeys(policies, 0.0)
        for robot in self.env.agent_iter():
            board, reward, terminated, truncated, info = self.env.last()
            rewards[robot] += reward
            if terminated or truncated:
                self.env.step(None)
                continue
            key = robot, board.tobytes()
            action = policies[robot].act(key, info["action_mask"], self.random)
            moves[robot].append((key, action))
            self.env.step(action)
        return {robot: (moves[robot], rewards[robot]) for robot in policies}

    def share(self, one: Policy, other: Policy, races: int) -> float:
        """Return the share of races that a policy wins against another; it is each robot in turn, and a draw is half."""
        points = 0.0
        for number in range(races):
            first, second = ("robot_0", "robot_1") if number % 2 else ("robot_1", "robot_0")
            points += (1 + self.race({first: one, second: other})[first][1]) / 2
        return points / races


def train(races: int, with_league: bool, seed: int = 0) -> tuple[Policy, list[Member], Arena]:
    """Return the learner, the league and the arena after some races."""
    arena, learner = Arena(seed), Policy(curious=CURIOUS)
    league = [Member("random", Policy())]
    for number in range(1, races + 1):
        if with_league:
            weights = np.array([member.weight for member in league])
            member = league[int(arena.random.choice(len(league), p=weights / weights.sum()))]
            own, others = ("robot_0", "robot_1") if number % 2 else ("robot_1", "robot_0")
            result = arena.race({own: learner, others: member.policy})
            learner.learn(*result[own])
            member.races += 1
            member.lost += result[own][1] < 0
        else:
            for moves, reward in arena.race({"robot_0": learner, "robot_1": learner}).values():
                learner.learn(moves, reward)
        if number % EVERY == 0:
            league.append(Member(f"after {number}", learner.frozen()))
    return learner, league, arena


def main() -> None:
    """Train, and print who beats whom."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--races", type=int, default=600)
    parser.add_argument("--league", action="store_true", help="race against earlier versions")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    _, league, arena = train(options.races, options.league, options.seed)
    print("share of races won by the row against the column, of 40 each")
    for one in league:
        shares = " ".join(f"{arena.share(one.policy, other.policy, 40):5.0%}" for other in league)
        print(f"{one.name:>12} {shares}")


if __name__ == "__main__":
    main()
