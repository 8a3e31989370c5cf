"""One game as a Gymnasium environment, over a batch of one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from gridproof.core.game import Game
from gridproof.core.position import Position
from gridproof.core.registry import resolve_game
from gridproof.envs import step_kernel
from gridproof.envs.game_batch import Array
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.renderer import MODES, check_mode, render_position
from gridproof.envs.rewards import Reward, find_reward
from gridproof.envs.state import StatefulEnv
from gridproof.envs.vector import EpisodeStart, check_action, check_count, draw_key

__all__ = ["AutoresetMode", "GridEnv"]


class GridEnv(StatefulEnv, gymnasium.Env[Any, Any]):
    """One game, with the parameters of `gridproof.envs.vector.GridVectorEnv`.

    `info` has "action_mask", int8 (actions,); "illegal", true if the action was not executable and changed nothing;
    "won"; and "level", the number of the level.

    Raises
    ------
    GridproofError
        When the game, the levels, or an option is invalid.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 5}  # noqa: RUF012  # as Gymnasium has it

    def __init__(  # noqa: PLR0913  # the public options of environments
        self,
        game: str | Game,
        levels: Source = None,
        *,
        redraw: bool = True,
        observation: str = "symbols",
        mask_in_observation: bool = False,
        reward: str | Reward | None = None,
        ends_at_win: bool = False,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        found = resolve_game(game)
        self.games = self._games(
            self._first_levels(levels_of(found)) if levels is None else levels_of(found, levels),
            1,
            find_reward(found, reward),
            0 if max_episode_steps is None else check_count("max_episode_steps", max_episode_steps),
            step_kernel.DISABLED,
            bool(redraw),
            bool(ends_at_win),
        )
        self.observer = self._observer(observation, mask_in_observation)
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.observer.space
        self.action_space = spaces.Discrete(len(self.games.actions))
        self._action = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the next episode.

        Parameters
        ----------
        seed : int, optional
            Decides this episode and all that follow until another seed.
        options : dict, optional
            "level": the number of this episode's level. "position": a position of one of the levels, where the
            episode begins.

        Raises
        ------
        GridproofError
            When an option is invalid, or the environment is closed.
        """
        chosen = EpisodeStart.of(options or {}, self.games)
        with self.games.lock:
            self.games.check_begin(self.games.all_games)
            super().reset(seed=seed)
            if seed is not None or not self._seeded:
                self.games.key(0, draw_key(self._generator()))
                self._seeded = True
            chosen.enter(self.games, self.games.all_games)
            symbols, masks = self.games.observe()
            return self._observe(symbols, masks), self._info(masks, illegal=False, won=False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action; an illegal one changes nothing but sets info["illegal"].

        Raises
        ------
        GridproofError
            When the action is no number of an action, or the environment is closed.
        """
        number = check_action(action, len(self.games.actions))
        with self.games.lock:
            self._action[0] = number
            done = self.games.step(self._action)
            seen = self._observe(done.symbols, done.masks)
            info = self._info(done.masks, illegal=bool(done.illegal[0]), won=bool(done.won[0]))
            if self.render_mode == "human":
                self.render()
        return seen, float(done.rewards[0]), bool(done.terminated[0]), bool(done.truncated[0]), info

    def _observe(self, symbols: Array, masks: Array) -> Any:
        seen = self.observer.observe_batch(symbols, masks, lambda: (self.position,))
        return self.observer.select(seen, 0)

    def _info(self, masks: Array, *, illegal: bool, won: bool) -> dict[str, Any]:
        return {
            "action_mask": masks[0].view(np.int8),
            "illegal": illegal,
            "won": won,
            "level": int(self.games.level[0]),
        }

    def action_masks(self) -> Array:
        """Return the executable actions, bool (actions,), for sb3-contrib's MaskablePPO."""
        with self.games.lock:
            found: Array = self.games.masks[0].astype(np.bool_)
        return found

    @property
    def position(self) -> Position[Any]:
        """The current position."""
        with self.games.lock:
            return self.games.position(0)

    def render(self) -> Any:
        """Return the position in the render mode; None for "human" and without a mode."""
        return render_position(self.position, self.render_mode)

    def close(self) -> None:
        """End the threads; later resets and steps raise."""
        with self.games.lock:
            self.games.close()
