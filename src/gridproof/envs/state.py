"""The common part of environments: their games, and states to save and restore."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text.phrases import short_repr
from gridproof.envs.game_batch import Games, GamesState
from gridproof.envs.observation import Observer
from gridproof.envs.rules_batch import compatible_levels, create_games


class EnvState(NamedTuple):
    """Mutable state of an environment; it can be compared, pickled and copied."""

    games: GamesState
    random: Mapping[str, Any] | None
    """State of Gymnasium's generator, which nobody changes; None if there is no generator yet."""
    seeded: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnvState) and _content(self) == _content(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.games.arrays)


def _content(state: EnvState) -> tuple[object, ...]:
    games = state.games
    return games[:3], pickle.dumps(games.others), state.random, state.seeded


class StatefulEnv:
    """Mix-in of environments with games, whose state can be saved and restored."""

    games: Games
    _np_random: np.random.Generator | None
    _np_random_seed: int | None
    _seeded = False
    _saved_random: tuple[np.random.Generator | None, Mapping[str, Any] | None] = (None, None)
    """Generator of Gymnasium with its state, if nothing was drawn since: it takes long to read."""
    _public_random: np.random.Generator | None = None
    """Generator that the user has, and may draw from at any time."""

    def _first_levels(self, pack: list[Level]) -> list[Level]:
        """Return the levels of the default pack that are played."""
        return compatible_levels(pack)

    def _games(self, *arguments: Any) -> Games:
        return create_games(*arguments)

    def _observer(self, kind: str, with_mask: bool) -> Observer:
        return Observer(self.games, kind, with_mask)

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
        games = self.games
        with games.lock:
            return EnvState(games.state(), self._random_state(), self._seeded)

    def _random_state(self) -> Mapping[str, Any] | None:
        generator, saved = self._np_random, self._saved_random
        if generator is saved[0] and generator is not self._public_random:
            return saved[1]
        state = None if generator is None else generator.bit_generator.state
        self._saved_random = generator, state
        return state

    def _generator(self) -> np.random.Generator:
        """Return Gymnasium's generator, to draw from."""
        self._saved_random = None, None
        found: np.random.Generator = super().np_random  # type: ignore[misc]  # of the environment
        return found

    @property
    def np_random(self) -> np.random.Generator:
        """The generator of Gymnasium."""
        self._public_random = self._generator()
        return self._public_random

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = self._public_random = value
        self._np_random_seed = -1  # as in Gymnasium

    def set_state(self, state: EnvState) -> None:
        """Restore a state of this environment, or of one with the same options.

        Raises
        ------
        GridproofError
            When it is no state, or one of other options, or the environment is closed.
        """
        if not isinstance(state, EnvState):
            raise GridproofError(f"a state of an environment is needed, not {short_repr(state)}")
        games = self.games
        with games.lock:
            games.set_state(state.games)
            if state.random is not self._random_state():
                if state.random is None:
                    self._np_random = None
                else:
                    generator = self._generator()
                    generator.bit_generator.state = dict(state.random)
                    self._saved_random = generator, state.random
            self._seeded = state.seeded
