"""The common part of environments: their games, and states to save and restore."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text.phrases import short_repr
from gridproof.envs.game_batch import Array, Games, GamesState
from gridproof.envs.rules_batch import compatible_levels, create_games


@dataclass(frozen=True, eq=False, repr=False)
class EnvState:
    """Mutable state of an environment; it can be compared, pickled and copied."""

    games: GamesState
    random: Mapping[str, Any] | None
    """State of Gymnasium's generator; None if there is none yet."""
    seeded: bool
    choices: Array
    """State of the generator of `sample_legal`."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnvState):
            return NotImplemented
        return _content(self) == _content(other)

    def __hash__(self) -> int:
        return hash(tuple(array.tobytes() for array in self.games.arrays))


def _content(state: EnvState) -> tuple[object, ...]:
    arrays = [(array.shape, array.dtype.str, array.tobytes()) for array in state.games.arrays]
    return arrays, pickle.dumps(state.games.others), state.random, state.seeded, state.choices.tobytes()


class StatefulEnv:
    """Mix-in of environments with games, whose state can be saved and restored."""

    games: Games
    np_random: np.random.Generator
    _np_random: np.random.Generator | None
    _seeded: bool
    _choices: Array

    def _first_levels(self, pack: list[Level]) -> list[Level]:
        """Return the levels of the default pack that are played."""
        return compatible_levels(pack)

    def _games(self, *arguments: Any) -> Games:
        return create_games(*arguments)

    @property
    def actions(self) -> tuple[str, ...]:
        """Texts of the actions, by number."""
        return self.games.actions

    def get_state(self) -> EnvState:
        """Return the state of the environment.

        It does not include the state of wrappers, such as the steps of Gymnasium's `TimeLimit`.

        Returns
        -------
        EnvState
            No later step changes it.

        Examples
        --------
        >>> import gymnasium, gridproof.envs
        >>> env = gymnasium.make("gridproof/Sokoban-v0").unwrapped
        >>> _ = env.reset(seed=1)
        >>> state = env.get_state()
        >>> _ = env.step(3)
        >>> env.set_state(state)
        >>> env.get_state() == state
        True
        """
        with self.games.lock:
            random = None if self._np_random is None else self._np_random.bit_generator.state
            return EnvState(self.games.state(), random, self._seeded, self._choices.copy())

    def set_state(self, state: EnvState) -> None:
        """Restore a state of this environment, or of one with the same options.

        Raises
        ------
        GridproofError
            When it is no state, or one of other options, or the environment is closed.
        """
        if not isinstance(state, EnvState):
            raise GridproofError(f"a state of an environment is needed, not {short_repr(state)}")
        with self.games.lock:
            self.games.set_state(state.games)
            if state.random is None:
                self._np_random = None
            else:
                self.np_random.bit_generator.state = dict(state.random)
            self._seeded = state.seeded
            self._choices[...] = state.choices
