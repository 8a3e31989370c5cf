"""Robots for PettingZoo: each robot is an agent (R31, R32), in turn in `env()`, at once in `parallel_env()`.

from gridproof.envs import robots_v0

env = robots_v0.env(levels="robots/races/6")
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.registry import game as game_named
from gridproof.core.text.phrases import short_repr
from gridproof.envs.game_batch import find_level
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.renderer import MODES, check_mode, render_position
from gridproof.envs.vector import EpisodeStart, check_action
from gridproof.games.robots.env.observation import (
    KNOWLEDGE_HIGH,
    REQUESTS,
    board_space,
    encode_board,
    encode_knowledge,
)
from gridproof.games.robots.race import MAX_REQUESTS, Race


class _RobotsBase:
    """Base of both kinds of environments.

    Parameters
    ----------
    levels : source of levels
        As `gridproof.envs.levels.Source` says, with equally many robots; by default those of the game's first pack
        that have as many as its first.
    observation : str
        "knowledge", that of a robot by the rules, uint8 (13,); or "board", uint8 (height, width, 2), as
        `gridproof.games.robots.env.observation` says.
    mask_in_observation : bool
        True for observations {"observation": ..., "action_mask": ...}.
    exchange_every : int
        Number of all robots' requests after which tiles are exchanged; 0 for never (R23).
    max_requests : int
        Number of all robots' requests after which the race is truncated.
    render_mode : str, optional
        "ansi", "rgb_array" or "human".
    """

    def __init__(
        self,
        levels: Source = None,
        *,
        observation: str = "knowledge",
        mask_in_observation: bool = False,
        exchange_every: int = 0,
        max_requests: int = MAX_REQUESTS,
        render_mode: str | None = None,
    ) -> None:
        if observation not in ("knowledge", "board"):
            raise GridproofError(f"no observation {short_repr(observation)}: there are knowledge and board")
        found: list[Any] = list(levels_of(game_named("robots"), levels))
        robots = len(found[0].robots)
        self.levels: list[Any] = [
            level for level in found if levels is not None or len(level.robots) == robots
        ]
        if any(len(level.robots) != robots for level in self.levels):
            raise GridproofError("levels are played together when they have equally many robots")
        self._race_options: dict[str, Any] = {
            "scheduler": (),  # the caller of `step` schedules
            "exchange_every": exchange_every,
            "max_requests": max_requests,
        }

        self._sees_board, self._with_mask = observation == "board", mask_in_observation
        grids = [level.grid for level in self.levels]
        self._size = max(grid.height for grid in grids), max(grid.width for grid in grids)
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "name": "robots_v0",
            "render_modes": list(MODES),
            "is_parallelizable": True,
            "render_fps": 5,
        }
        self.count = 1
        """Number of races at once."""
        self.possible_agents = [f"robot_{number}" for number in range(robots)]
        self.agents: list[str] = []
        self._observation_spaces = {agent: self._make_space(robots) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(REQUESTS) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self.race = Race(self.levels[0], **self._race_options)
        """Present or last race."""

    def _make_space(self, robots: int) -> spaces.Space[Any]:
        if self._sees_board:
            seen = board_space(self._size, robots)
        else:
            seen = spaces.Box(np.zeros_like(KNOWLEDGE_HIGH), KNOWLEDGE_HIGH, dtype=np.uint8)
        mask = spaces.Box(0, 1, (REQUESTS,), np.int8)
        return spaces.Dict({"observation": seen, "action_mask": mask}) if self._with_mask else seen

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's requests."""
        return self._action_spaces[agent]

    @property
    def position(self) -> Position[Any]:
        """Present position."""
        return self.race.position

    def level_of(self, position: Position[Any]) -> int:
        """Return the number of a position's level, from 0; GridproofError when it is of no level."""
        return find_level(self.levels, position)

    def _begin_race(self, seed: int | None, options: dict[str, Any] | None) -> None:
        known = {name: one for name, one in (options or {}).items() if name in ("level", "position")}
        chosen = EpisodeStart.of(known, self)  # of others, as in PettingZoo's checks, nothing is known
        if seed is not None or self._random is None:
            self._random = seeding.np_random(seed)[0]
        level = self.levels[int(self._random.integers(len(self.levels)))]
        own = int(self._random.integers(2**64, dtype=np.uint64))
        if chosen.levels is not None:
            level = self.levels[int(chosen.levels[0])]
        start = chosen.positions[0] if chosen.positions else level
        self.race = Race(start, seed=own, **self._race_options)
        self.agents = list(self.possible_agents)

    def _name(self, agent: str) -> str:
        return self.race.level.names[self.possible_agents.index(agent)]

    def _serve(self, agent: str, action: int) -> bool:
        """Serve an agent's request, or pass its turn if its rule does not list it; return whether it is illegal."""
        return self.race.serve_number(self._name(agent), action)

    def observe(self, agent: str) -> Any:
        """Return an agent's present observation."""
        if self._sees_board:
            number = self.possible_agents.index(agent)
            seen = encode_board(self.race.position, number, self._size)
        else:
            seen = encode_knowledge(self.race.knowledge[self._name(agent)])
        return {"observation": seen, "action_mask": self._mask(agent)} if self._with_mask else seen

    def _mask(self, agent: str) -> np.ndarray[Any, Any]:
        """Return the mask of the requests that its rule lists (R31)."""
        count = len(self.race.knowledge[self._name(agent)].requests)
        return (np.arange(REQUESTS) < count).astype(np.int8)

    def _info(self, agent: str, illegal: bool = False) -> dict[str, Any]:
        won = self._name(agent) in self.race.winners
        return {"action_mask": self._mask(agent), "illegal": illegal, "won": won}

    def _rewards(self) -> dict[str, float]:
        """Return 1 for each robot that has won, -1 for each other one, after a win (R32)."""
        winners = self.race.winners
        return {
            agent: 0.0 if not winners else 1.0 if self._name(agent) in winners else -1.0
            for agent in self.possible_agents
        }

    def render(self) -> Any:
        """Return the position in the render mode; None for "human" or without a mode."""
        return render_position(self.race.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: nothing is open."""


class RobotsParallelEnv(_RobotsBase, ParallelEnv[str, Any, Any]):
    """Environment in which all robots send requests at once, and are served in their order."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin the next race.

        Parameters
        ----------
        seed : int, optional
            Decides this race and all later ones.
        options : dict, optional
            "level": the number of this race's level. "position": a position of one of the levels, where the race begins.
            Others are ignored, as PettingZoo's own checks ask.

        Raises
        ------
        GridproofError
            When an option is invalid.
        """
        self._begin_race(seed, options)
        observations = {agent: self.observe(agent) for agent in self.agents}
        return observations, {agent: self._info(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Serve each robot's request, until one is home; errors as of `GridEnv.step`."""
        agents, illegal = self.agents, dict.fromkeys(self.agents, False)
        checked = {agent: check_action(actions[agent], REQUESTS) for agent in agents if agent in actions}
        for agent, action in checked.items():
            if not self.race.over:
                illegal[agent] = self._serve(agent, action)
        won, truncated, rewards = bool(self.race.winners), self.race.truncated, self._rewards()
        if self.race.over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self.observe(agent) for agent in agents},
            {agent: rewards[agent] for agent in agents},
            dict.fromkeys(agents, won),
            dict.fromkeys(agents, truncated),
            {agent: self._info(agent, illegal[agent]) for agent in agents},
        )


class RobotsAECEnv(_RobotsBase, AECEnv[str, Any, Any]):
    """Environment in which the robots send requests in turn."""

    def __init__(self, levels: Source = None, **options: Any) -> None:
        AECEnv.__init__(self)
        _RobotsBase.__init__(self, levels, **options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next race, with the options of `RobotsParallelEnv.reset`."""
        self._begin_race(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent) for agent in self.agents}
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Serve the request of the agent that is on turn; errors as of `GridEnv.step`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = check_action(action, REQUESTS)
        self._cumulative_rewards[agent] = 0.0
        illegal = self._serve(agent, number)
        self.infos = {one: self._info(one, illegal and one == agent) for one in self.agents}
        if self.race.over:
            self.rewards = self._rewards()
            self.terminations = dict.fromkeys(self.agents, bool(self.race.winners))
            self.truncations = dict.fromkeys(self.agents, self.race.truncated)
        self._accumulate_rewards()
        self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        if self.render_mode == "human":
            self.render()


def env(levels: Source = None, **options: Any) -> Any:
    """Make the environment in which robots take turns, in the wrapper that reports calls in the wrong order."""
    return wrappers.OrderEnforcingWrapper(RobotsAECEnv(levels, **options))


def parallel_env(levels: Source = None, **options: Any) -> RobotsParallelEnv:
    """Make the environment in which all robots send requests at once."""
    return RobotsParallelEnv(levels, **options)


raw_env = RobotsAECEnv
__all__ = ["RobotsAECEnv", "RobotsParallelEnv", "env", "parallel_env", "raw_env"]
