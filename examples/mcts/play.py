"""Monte Carlo tree search (UCT) on any game: the tree by the rules, the playouts in a vector environment.

gridproof evaluate shiftit --levels shiftit-easy --actions 30 --player examples/mcts/play.py:Player --player greedy
gridproof evaluate twenty48 --levels twenty48-easy --player examples/mcts/play.py:Player --player greedy

Nodes are sequences of actions, so that chance needs no nodes of its own. Kocsis, Szepesvari: Bandit Based Monte-Carlo
Planning (2006).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import gridproof as gp
import gridproof.envs
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Position
from gridproof.envs import GridVectorEnv

SIMULATIONS, PLAYOUTS, DEPTH = 60, 16, 12
"""Simulations for one action; playouts of each; actions of a playout."""
DISCOUNT, EXPLORATION = 0.95, 0.7


@dataclass
class Node:
    """Statistics of a sequence of actions."""

    visits: int = 0
    total: float = 0.0
    children: dict[str, Node] = field(default_factory=dict)

    def bound(self, parent: Node) -> float:
        """Return the upper confidence bound of the mean (UCB1)."""
        return self.total / self.visits + EXPLORATION * math.sqrt(math.log(parent.visits) / self.visits)


class Player:
    """Player that searches before each action, for wins alone."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._random, self._draws = gp.Rng(seed), np.random.default_rng(seed)
        self._envs: dict[Level, Any] = {}

    def __call__(self, position: Position[Any]) -> Action:
        """Return the action with most visits."""
        values = self.values(position)
        return max(values, key=values.__getitem__)

    def values(self, position: Position[Any]) -> dict[Action, float]:
        """Return the share of the simulations for each action."""
        root = Node()
        for _ in range(SIMULATIONS):
            self._simulate(position, root)
        visits = {text: node.visits for text, node in root.children.items()}
        return {action: visits.get(str(action), 0) / SIMULATIONS for action in position.actions()}

    def _simulate(self, position: Position[Any], node: Node) -> None:
        """Go down to a new node, play from there, and add the result to all nodes on the way."""
        path = [node]
        while not position.won and (actions := list(position.actions())):
            fresh = [action for action in actions if str(action) not in node.children]
            if fresh:
                action = self._random.choice(fresh)
            else:
                bounds = [node.children[str(one)].bound(node) for one in actions]
                action = actions[bounds.index(max(bounds))]
            position = position.step(action, self._random).position
            node = node.children.setdefault(str(action), Node())
            path.append(node)
            if fresh:
                break
        worth = float(position.won) if position.won or position.ended else self._playouts(position)
        for depth, one in enumerate(path):
            one.visits += 1
            one.total += worth * DISCOUNT ** (len(path) - 1 - depth)

    def _playouts(self, position: Position[Any]) -> float:
        """Return the mean discounted win of random games from a position."""
        envs = self._envs.get(position.level)
        if envs is None:
            envs = self._envs[position.level] = GridVectorEnv(
                position.level.game.name, PLAYOUTS, [position.level], reward=gp.envs.Reward(win=1.0),
                ends_at_win=True, autoreset_mode="Disabled",
            )  # fmt: skip
        envs.reset(seed=int(self._draws.integers(2**31)), options={"position": position})
        worth = 0.0
        for depth in range(1, DEPTH + 1):
            _, rewards, _, _, _ = envs.step(envs.sample_legal())
            worth += float(rewards.mean()) * DISCOUNT**depth
        return worth
