"""Many games of one kind as a Gymnasium vector environment, stepped by one compiled call a thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Position
from gridproof.core.registry import game_meant
from gridproof.core.wording import shown
from gridproof.envs import stepping
from gridproof.envs.choosing import choose
from gridproof.envs.games import Array, Games
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.observing import Observing
from gridproof.envs.rendering import MODES, check_mode, rendered
from gridproof.envs.rewards import Reward, reward_named

_MODES = {
    AutoresetMode.NEXT_STEP: stepping.NEXT_STEP,
    AutoresetMode.SAME_STEP: stepping.SAME_STEP,
    AutoresetMode.DISABLED: stepping.DISABLED,
}


class GridVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Games played at once; game number i is what a `GridEnv` with the seed of `reset` plus i would be.

    Parameters
    ----------
    game : str or Game
    num_envs : int
    levels : source of levels
        As `gridproof.envs.levels.Source` says; by default the game's first pack.
    redraw : bool
        Whether each episode draws one of the levels; else the first one of a seed does, and it stays.
    observation : str
        "symbols", "planes" or "text", as `gridproof.envs.observing.Observing` says.
    mask_in_observation : bool
        Whether an observation is {"observation": ..., "action_mask": ...}.
    reward : str or Reward, optional
        As `gridproof.envs.rewards` says; by default "score" where the game keeps one, else "win".
    ends_at_win : bool
        Whether a win ends an episode where one may go on (2048).
    max_episode_steps : int, optional
        Steps after which an episode is truncated.
    autoreset_mode : AutoresetMode or str
        NEXT_STEP, SAME_STEP or DISABLED, as Gymnasium has them.
    render_mode : str, optional
        "ansi", "rgb_array" or "human".

    Raises
    ------
    GridproofError
        When the game, the levels, or an option cannot be used.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        levels: Source = None,
        *,
        redraw: bool = True,
        observation: str = "symbols",
        mask_in_observation: bool = False,
        reward: str | Reward | None = None,
        ends_at_win: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        found = game_meant(game)
        mode = _mode_of(autoreset_mode)
        self.games = self._games(
            levels_of(found, levels),
            check_count("num_envs", num_envs),
            reward_named(found, reward),
            0 if max_episode_steps is None else check_count("max_episode_steps", max_episode_steps),
            _MODES[mode],
            bool(redraw),
            bool(ends_at_win),
        )
        self.observing = Observing(self.games, observation, mask_in_observation)
        self.num_envs, self.render_mode = num_envs, check_mode(render_mode)
        self.metadata = {"render_modes": list(MODES), "render_fps": 5, "autoreset_mode": mode}
        self.single_observation_space = self.observing.space
        self.single_action_space = spaces.Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)
        self._all.flags.writeable = False
        self._masks = np.ones((num_envs, len(self.games.actions)), np.uint8)
        self._choices = np.zeros(1, np.uint64)
        self._seeded = False

    def _games(self, *given: Any) -> Games:
        return Games(*given)

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of the actions, by their numbers."""
        return self.games.actions

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the next episodes.

        Parameters
        ----------
        seed : int or sequence of int, optional
            A whole number s means s, s + 1, ..., one for each game, as in Gymnasium; None goes on.
        options : dict, optional
            "level": the number of a level, or int (num_envs,), which is played in this episode. "reset_mask": bool
            (num_envs,), which games begin; by default all.

        Raises
        ------
        GridproofError
            When an option means nothing.
        """
        self._seed(seed)
        marked, chosen = self._wanted(options or {})
        self.games.enter(marked, chosen)
        symbols, self._masks = self.games.see()
        return self._seen(symbols), self._infos(self._masks, ~self._all, ~self._all, self.games.level)

    def _seed(self, seed: int | Sequence[int | None] | None) -> None:
        if seed is None and self._seeded:
            return
        if seed is None:
            seed = int(self.np_random.integers(2**31))
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            seed = [int(seed) + number for number in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise GridproofError(f"{len(seed)} seeds are given for {self.num_envs} games")
        for number, one in enumerate(seed):
            if one is not None:
                self.games.key(number, key_of(seeding.np_random(int(one))[0]))
            elif not self._seeded:  # nothing to go on with
                self.games.key(number, key_of(self.np_random))
        self._choices[0] = key_of(self.np_random)
        self._seeded = True

    def _wanted(self, options: dict[str, Any]) -> tuple[Array, Array | None]:
        if strange := options.keys() - {"level", "reset_mask"}:
            raise GridproofError(f"no option {sorted(strange)[0]!r} of reset: there are level and reset_mask")
        marked = np.asarray(options.get("reset_mask", self._all))
        if marked.shape != (self.num_envs,) or marked.dtype != np.bool_:
            raise GridproofError(f"reset_mask: bool ({self.num_envs},) is needed")
        return marked, level_chosen(options.get("level"), len(self.games.levels), self.num_envs)

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Do an action in each game; one that cannot be done changes nothing, and infos["illegal"] says so.

        Raises
        ------
        GridproofError
            When the actions are not whole numbers of shape (num_envs,).
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise GridproofError(
                f"actions: whole numbers ({self.num_envs},) are needed, not {shown(actions)}"
            )
        done = self.games.step(np.ascontiguousarray(actions, np.int64))
        self._masks = done.masks
        infos = self._infos(done.masks, done.illegal, done.won, done.levels)
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            over = np.flatnonzero(done.terminated | done.truncated)
            if len(over):
                self._add_finals(infos, over, done.illegal, done.won)
        if self.render_mode == "human":
            self.render()
        return self._seen(done.symbols), done.rewards, done.terminated, done.truncated, infos

    def _seen(self, symbols: Array) -> Any:
        return self.observing.of_all(symbols, self._masks, lambda: map(self.position, range(self.num_envs)))

    def _infos(self, masks: Array, illegal: Array, won: Array, levels: Array) -> dict[str, Any]:
        every = self._all
        return {
            "action_mask": masks.view(np.int8),
            "illegal": illegal,
            "won": won,
            "level": levels,
            "_action_mask": every,
            "_illegal": every,
            "_won": every,
            "_level": every,
        }

    def _add_finals(self, infos: dict[str, Any], over: Array, illegal: Array, won: Array) -> None:
        """What the games that have begun anew in this step looked like at their end."""
        symbols, masks = self.games.seen_at_end(over)
        finals = self.games.finals[over]
        levels = finals[:, -1].astype(np.int64)
        seen = self.observing.of_all(
            symbols,
            masks,
            lambda: (self.games.unpacked(int(one[-1]), one) for one in finals),
        )
        final_obs = np.full(self.num_envs, None, object)
        for place, number in enumerate(over):
            final_obs[number] = self.observing.of_one(seen, place)
        ended = np.zeros(self.num_envs, np.bool_)
        ended[over] = True
        final_masks = np.zeros_like(infos["action_mask"])
        final_masks[over] = masks.view(np.int8)
        final_level = np.zeros(self.num_envs, np.int64)
        final_level[over] = levels
        told = {
            "action_mask": final_masks,
            "illegal": illegal & ended,
            "won": won & ended,
            "level": final_level,
        }
        infos["illegal"], infos["won"] = illegal & ~ended, won & ~ended  # of the games that go on
        infos["final_obs"], infos["_final_obs"] = final_obs, ended
        infos["final_info"] = {**told, **{f"_{name}": ended for name in told}}
        infos["_final_info"] = ended

    def action_masks(self) -> Array:
        """Which actions are executable now, bool (num_envs, actions)."""
        found: Array = self._masks.astype(np.bool_)
        return found

    def sample_legal(self) -> Array:
        """One of the executable actions of each game, each as likely, int64 (num_envs,); 0 where there is none.

        This takes nanoseconds a game. A seed of `reset`, a whole number, decides these choices, too.
        """
        chosen = np.empty(self.num_envs, np.int64)
        choose(self._masks, self._choices, chosen)
        return chosen

    def position(self, number: int) -> Position[Any]:
        """The position of a game."""
        return self.games.position(number)

    def render(self) -> tuple[Any, ...] | None:
        """Every game in the render mode; None for "human", and where there is no mode."""
        frames = tuple(rendered(self.position(number), self.render_mode) for number in range(self.num_envs))
        return frames if self.render_mode in ("ansi", "rgb_array") else None

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.games.close()


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(one.value for one in AutoresetMode)
        raise GridproofError(f"no autoreset mode {shown(mode)}: there are {known}") from None


def key_of(random: np.random.Generator) -> int:
    """What decides the episodes of a game, drawn from Gymnasium's generator."""
    return int(random.integers(2**64, dtype=np.uint64))


def level_chosen(level: Any, count: int, games: int) -> Array | None:
    """The option "level" of reset, for each game.

    Raises
    ------
    GridproofError
        When there is no such level.
    """
    if level is None:
        return None
    found = np.asarray(level)
    if found.dtype.kind not in "iu" or found.shape not in ((), (games,)):
        raise GridproofError(f"level {shown(level)}: a whole number is needed, or one for each game")
    if found.min() < 0 or found.max() >= count:
        raise GridproofError(f"level {shown(level)}: the levels are numbered from 0 to {count - 1}")
    return np.broadcast_to(found, (games,)).astype(np.int64)


def check_count(name: str, number: Any) -> int:
    """A number of things, at least 1.

    Raises
    ------
    GridproofError
        When it is none.
    """
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise GridproofError(f"{name} is a whole number, at least 1, not {shown(number)}")
    return int(number)
