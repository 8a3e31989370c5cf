"""One game as a Gymnasium environment: a vector environment's games, of which there is one."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Position
from gridproof.core.registry import game_meant
from gridproof.core.wording import shown
from gridproof.envs import stepping
from gridproof.envs.games import Array, Games
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.observing import Observing
from gridproof.envs.rendering import MODES, check_mode, rendered
from gridproof.envs.rewards import Reward, reward_named
from gridproof.envs.vector import check_count, key_of, level_chosen

__all__ = ["AutoresetMode", "GridEnv"]


class GridEnv(gymnasium.Env[Any, Any]):
    """One game; its parameters are those of `gridproof.envs.vector.GridVectorEnv`.

    `info` has "action_mask", int8 (actions,); "illegal", whether the action could not be done, in which case
    nothing has changed; "won"; and "level", the number of the level.

    Raises
    ------
    GridproofError
        When the game, the levels, or an option cannot be used.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 5}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
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
        found = game_meant(game)
        self.games = self._games(
            levels_of(found, levels),
            1,
            reward_named(found, reward),
            0 if max_episode_steps is None else check_count("max_episode_steps", max_episode_steps),
            stepping.DISABLED,
            bool(redraw),
            bool(ends_at_win),
        )
        self.observing = Observing(self.games, observation, mask_in_observation)
        self.render_mode = check_mode(render_mode)
        self.observation_space = self.observing.space
        self.action_space = spaces.Discrete(len(self.games.actions))
        self._action = np.zeros(1, np.int64)
        self._mask = np.ones(len(self.games.actions), np.uint8)
        self._seeded = False

    def _games(self, *given: Any) -> Games:
        return Games(*given)

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of the actions, by their numbers."""
        return self.games.actions

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the next episode.

        Parameters
        ----------
        seed : int, optional
            Decides this episode and all that follow until another seed.
        options : dict, optional
            "level": the number of the level that is played in this episode.

        Raises
        ------
        GridproofError
            When an option means nothing.
        """
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self.games.key(0, key_of(self.np_random))
            self._seeded = True
        if strange := (options or {}).keys() - {"level"}:
            raise GridproofError(f"no option {sorted(strange)[0]!r} of reset: there is level")
        chosen = level_chosen((options or {}).get("level"), len(self.games.levels), 1)
        self.games.enter(np.ones(1, np.bool_), chosen)
        symbols, masks = self.games.see()
        return self._seen(symbols, masks), self._info(illegal=False, won=False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action; one that cannot be done changes nothing, and info["illegal"] says so.

        Raises
        ------
        GridproofError
            When the action is no whole number.
        """
        try:
            self._action[0] = operator.index(action)
        except (TypeError, OverflowError):
            raise GridproofError(f"an action is a whole number, not {shown(action)}") from None
        done = self.games.step(self._action)
        seen = self._seen(done.symbols, done.masks)
        info = self._info(illegal=bool(done.illegal[0]), won=bool(done.won[0]))
        if self.render_mode == "human":
            self.render()
        return seen, float(done.rewards[0]), bool(done.terminated[0]), bool(done.truncated[0]), info

    def _seen(self, symbols: Array, masks: Array) -> Any:
        self._mask = masks[0]
        seen = self.observing.of_all(symbols, masks, lambda: (self.position,))
        return self.observing.of_one(seen, 0)

    def _info(self, *, illegal: bool, won: bool) -> dict[str, Any]:
        return {
            "action_mask": self._mask.view(np.int8),
            "illegal": illegal,
            "won": won,
            "level": int(self.games.level[0]),
        }

    def action_masks(self) -> Array:
        """Which actions are executable now, bool (actions,): as sb3-contrib's MaskablePPO asks."""
        found: Array = self._mask.astype(np.bool_)
        return found

    @property
    def position(self) -> Position[Any]:
        """The position now."""
        return self.games.position(0)

    def render(self) -> Any:
        """The position in the render mode; None for "human", and where there is no mode."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """End the threads."""
        self.games.close()
