"""Robots for PettingZoo: each robot is an agent (R31, R32). `env()` takes turns, `parallel_env()` asks all at once.

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
from gridproof.core.wording import shown
from gridproof.envs.knowing import MOST_KNOWN, board, known
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.rendering import MODES, check_mode, rendered
from gridproof.games.robots.race import MAX_REQUESTS, Race
from gridproof.games.robots.race.knowledge import turn_passed

REQUESTS = 7
"""The actions of each agent: the requests of its rule, walks first; rule A lists 4 of them, rule B 7."""


class _Robots:
    """What both kinds of environments share.

    Parameters
    ----------
    levels : source of levels
        As `gridproof.envs.levels.Source` says, with equally many robots; by default those of the game's first pack
        that have as many as its first.
    observation : str
        "knowledge", what the rules let a robot know, uint8 (13,); or "board", uint8 (height, width, 2), as
        `gridproof.envs.knowing` says.
    mask_in_observation : bool
        Whether an observation is {"observation": ..., "action_mask": ...}.
    exchange_every : int
        Tiles are exchanged after so many requests of all robots; 0 for never (R23).
    max_requests : int
        Requests of all robots after which the race is truncated.
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
            raise GridproofError(f"no observation {shown(observation)}: there are knowledge and board")
        found: list[Any] = list(levels_of(game_named("robots"), levels))
        robots = len(found[0].robots)
        self._levels: list[Any] = [
            level for level in found if levels is not None or len(level.robots) == robots
        ]
        if any(len(level.robots) != robots for level in self._levels):
            raise GridproofError("levels are played together when they have equally many robots")
        self._race_options: dict[str, Any] = {"exchange_every": exchange_every, "max_requests": max_requests}
        Race(self._levels[0], **self._race_options)  # says what is wrong with them
        self._full, self._with_mask = observation == "board", mask_in_observation
        self._size = (
            max(level.grid.height for level in self._levels),
            max(level.grid.width for level in self._levels),
        )
        self.render_mode = check_mode(render_mode)
        self.metadata = {
            "name": "robots_v0",
            "render_modes": list(MODES),
            "is_parallelizable": True,
            "render_fps": 5,
        }
        self.possible_agents = [f"robot_{number}" for number in range(robots)]
        self.agents: list[str] = []
        self._observation_spaces = {agent: self._space(robots) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(REQUESTS) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self.race = Race(self._levels[0], **self._race_options)
        """The race that is run, or was."""

    def _space(self, robots: int) -> spaces.Space[Any]:
        if self._full:
            most = np.broadcast_to(np.array([8 + robots - 1, 4 * robots], np.uint8), (*self._size, 2))
            seen = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        else:
            seen = spaces.Box(np.zeros_like(MOST_KNOWN), MOST_KNOWN, dtype=np.uint8)
        mask = spaces.Box(0, 1, (REQUESTS,), np.int8)
        return spaces.Dict({"observation": seen, "action_mask": mask}) if self._with_mask else seen

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may ask for."""
        return self._action_spaces[agent]

    @property
    def position(self) -> Position[Any]:
        """The position now."""
        return self.race.position

    def _begin(self, seed: int | None) -> None:
        if seed is not None or self._random is None:
            self._random = seeding.np_random(seed)[0]
        level = self._levels[int(self._random.integers(len(self._levels)))]
        own = int(self._random.integers(2**64, dtype=np.uint64))
        self.race = Race(level, seed=own, **self._race_options)
        self.agents = list(self.possible_agents)

    def _name(self, agent: str) -> str:
        return self.race.level.names[self.possible_agents.index(agent)]

    def _serve(self, agent: str, action: Any) -> bool:
        """Serve an agent's request; whether its rule lists no such one, so that it passes its turn."""
        name = self._name(agent)
        requests = self.race.knowledge[name].requests
        listed = isinstance(action, int | np.integer) and 0 <= action < len(requests)
        self.race.serve(name, requests[int(action)] if listed else turn_passed(name))
        return not listed

    def _seen(self, agent: str) -> Any:
        name = self._name(agent)
        number = self.possible_agents.index(agent)
        seen = (
            board(self.race.position, number, self._size) if self._full else known(self.race.knowledge[name])
        )
        return {"observation": seen, "action_mask": self._mask(agent)} if self._with_mask else seen

    def _mask(self, agent: str) -> np.ndarray[Any, Any]:
        """The list of its rule (R31)."""
        listed = len(self.race.knowledge[self._name(agent)].requests)
        return (np.arange(REQUESTS) < listed).astype(np.int8)

    def _info(self, agent: str, illegal: bool = False) -> dict[str, Any]:
        won = self._name(agent) in self.race.winners
        return {"action_mask": self._mask(agent), "illegal": illegal, "won": won}

    def _rewards(self) -> dict[str, float]:
        """1 for each robot that has won, -1 for each other one, once somebody has (R32)."""
        winners = self.race.winners
        return {
            agent: 0.0 if not winners else 1.0 if self._name(agent) in winners else -1.0
            for agent in self.possible_agents
        }

    def render(self) -> Any:
        """The position in the render mode; None for "human", and where there is no mode."""
        return rendered(self.race.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


class RobotsParallelEnv(_Robots, ParallelEnv[str, Any, Any]):
    """All robots ask at once, and are served in their order."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin the next race; a seed decides it and those that follow."""
        self._begin(seed)
        agents = self.agents
        return {agent: self._seen(agent) for agent in agents}, {agent: self._info(agent) for agent in agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Serve each robot's request, until one is home."""
        agents, illegal = self.agents, dict.fromkeys(self.agents, False)
        for agent in agents:
            if agent in actions and not self.race.over:
                illegal[agent] = self._serve(agent, actions[agent])
        won, truncated, rewards = bool(self.race.winners), self.race.truncated, self._rewards()
        if self.race.over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            {agent: self._seen(agent) for agent in agents},
            {agent: rewards[agent] for agent in agents},
            dict.fromkeys(agents, won),
            dict.fromkeys(agents, truncated),
            {agent: self._info(agent, illegal[agent]) for agent in agents},
        )


class RobotsEnv(_Robots, AECEnv[str, Any, Any]):
    """The robots ask one after the other."""

    def __init__(self, levels: Source = None, **options: Any) -> None:
        AECEnv.__init__(self)
        _Robots.__init__(self, levels, **options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next race; a seed decides it and those that follow."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(agent) for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """What an agent observes now."""
        return self._seen(agent)

    def step(self, action: Any) -> None:
        """Serve the request of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        illegal = self._serve(agent, action)
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
    """The environment in which robots take turns, in the wrapper that tells of calls in the wrong order."""
    return wrappers.OrderEnforcingWrapper(RobotsEnv(levels, **options))


def parallel_env(levels: Source = None, **options: Any) -> RobotsParallelEnv:
    """The environment in which all robots ask at once."""
    return RobotsParallelEnv(levels, **options)


raw_env = RobotsEnv
__all__ = ["RobotsEnv", "RobotsParallelEnv", "env", "parallel_env", "raw_env"]
