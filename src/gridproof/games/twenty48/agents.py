"""Agents of 2048, and win probabilities where they are known."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.games.twenty48.endgame_player import EndgamePlayer
from gridproof.games.twenty48.expectimax import ExpectimaxPlayer
from gridproof.games.twenty48.network_player import NetworkPlayer
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.snake import SNAKE
from gridproof.search.simple_players import best_action

if TYPE_CHECKING:
    from gridproof.prove.value import Value

_MOST_CELLS = 9
_MOST_STATES = 20_000_000
"""Positions that take half a gigabyte and half a minute."""
_EXACT = 1e-9
"""The largest error of values that count as exact."""


@functools.lru_cache(maxsize=2)
def _win_values(level: Level) -> Value:
    """Return the win probabilities of all positions of a level."""
    from gridproof.prove.value import value

    return value(level, "won", limit=Limit(states=_MOST_STATES))


class NetworkAdviser:
    """Player for hints: the network of the package, one slide ahead, on boards of 4 x 4; `snake` on others.

    It values boards in plain Python, so the first hint waits for no kernel.
    """

    def __call__(self, position: Position) -> Move:
        return best_action(self.values(position))

    def values(self, position: Position) -> Mapping[Move, float]:
        """Return the value of each move, which only compares with the others."""
        if (position.level.width, position.level.height) != (4, 4):
            found: Mapping[Any, float] = SNAKE.values(position)
            return found
        reasons = self._network.reasons(position)
        return {move: parts.value for move, parts in reasons.items()}

    @functools.cached_property
    def _network(self) -> NetworkPlayer:
        return NetworkPlayer(Level().game)


class Twenty48Agents:
    """Parts of `gridproof.agents.extension`."""

    players: Mapping[str, Callable[..., Any]] = {
        "expectimax": ExpectimaxPlayer,
        "network": NetworkPlayer,
        "endgame": EndgamePlayer,
        "snake": lambda game: SNAKE,
    }
    """Players of 2048, besides those of every game."""
    meanings: Mapping[str, str] = {
        "solver": "plays for the target as well as it can",
        "expectimax": "looks several moves ahead, over all tiles that may appear",
        "network": "has learned the value of boards from games with itself",
        "endgame": "plays as the network, and knows the best chance of the next tile where few cells are left",
        "snake": "keeps the largest tiles in a corner, in a winding line",
    }
    adviser = NetworkAdviser()

    def unsuited_players(self, level: Level) -> Collection[str]:
        """Return the players with the network of the package, unless the board has its size."""
        return () if (level.width, level.height) == (4, 4) else ("network", "endgame")

    def win_chances(self, position: Position) -> Mapping[Move, float] | None:
        """Return the win probability of each move with best play after it, exact but for rounding.

        None on boards of more than 9 cells, where too many positions can follow, once the game is won, and where it cannot
        be won. Levels with a board share the values of the same size begun by chance, if that can lead to the position.
        """
        level = position.level
        if position.won or level.width * level.height > _MOST_CELLS:
            return None
        begun_by_chance = replace(level, board=None, title="", author="", keys={})
        for known in (begun_by_chance, level):
            try:
                worth = _win_values(known).at(Position(known, position.cells))
            except GridproofError:  # the position does not follow from that level
                continue
            if any(bounds.error > _EXACT for bounds in worth.action_bounds.values()):
                continue  # there are too many
            found = {move: float(chance) for move, chance in worth.actions.items()}
            return found if any(found.values()) else None
        return None


AGENTS = Twenty48Agents()
