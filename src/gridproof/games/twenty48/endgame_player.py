"""Player of 2048 that plays by a network, and by endgame tables where the large tiles leave few cells to the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.games.twenty48.endgame import EndgameTable, Region, find_regions
from gridproof.games.twenty48.network import Network
from gridproof.games.twenty48.network_player import SHIPPED, NetworkPlayer, Reasons
from gridproof.games.twenty48.rules import Move, Position

USUAL_STATES = 1_000_000
"""The most boards of a table; as many take two seconds."""
_LEAST_GOAL = 16
_MOST_FREE = 10
"""The most cells without large tiles."""
_REACHABLE = 8
"""A table is tried if at most so many times its limit of boards have only tiles below the goal."""


class EndgamePlayer(NetworkPlayer):
    """Player that adds to the values of `network` what an endgame table knows.

    A table has the best chance that the smaller tiles make one more of the large tiles, which stay where they are. The value
    of a move is that of `network`, and the best of these values times the chance.

    Parameters
    ----------
    game : Game
    plies, seconds, file, downgrade
        As with `network`. The seconds are without those in which a table is made.
    states : int, optional
        The most boards of a table: 1,000,000 by default. A board takes 24 bytes; about 200 while the table is made.

    Raises
    ------
    GridproofError
        For an invalid option, or a file without a network.
    """

    name = "endgame"

    def __init__(
        self,
        game: Game,
        plies: int | None = None,
        seconds: float | None = None,
        file: str | Path | Network = SHIPPED,
        states: int = USUAL_STATES,
        downgrade: bool = True,
    ) -> None:
        super().__init__(game, plies, seconds, file, downgrade)
        self._limit = Limit(states=states)
        self._states = states
        self._table: EndgameTable | None = None
        self._failures = dict[Region, int]()

    def values(self, position: Position) -> Mapping[Move, float]:
        """Return the value of each move: the points that may be expected, with more for the chance of the next tile.

        GridproofError when the network is for boards of another size.
        """
        values = super().values(position)
        added = self._added(position, values)
        return {move: value + added[move] for move, value in values.items()}

    def reasons(self, position: Position) -> Mapping[Move, Reasons]:
        """Return the parts of the value of each move, one slide ahead; their sum is the value.

        GridproofError when the network is for boards of another size.
        """
        reasons = super().reasons(position)
        added = self._added(position, {move: parts.value for move, parts in reasons.items()})
        return {move: parts._replace(table=added[move]) for move, parts in reasons.items()}

    def _added(self, position: Position, values: Mapping[Move, float]) -> Mapping[Move, float]:
        """Return what a table adds to the network's values: the best of them times the chance of each move."""
        chances = self.chances(position)
        if not chances:
            return dict.fromkeys(values, 0.0)
        most = max(values.values())
        return {move: chances[move] * most for move in values}

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Return the best chance of the next tile after each move, by a table; None without one."""
        found = self._table.chances(position) if self._table else None
        if found is None and (table := self._make_table(position)):
            self._table = table
            found = table.chances(position)
        return found

    def _make_table(self, position: Position) -> EndgameTable | None:
        """Return the table with the largest goal that the limit allows; None if there is none."""
        for region in self._small_regions(position):
            total = sum(tile for cell, tile in enumerate(position.cells) if cell not in region.fixed)
            # a table from a later board is smaller
            if region in self._failures and total < self._failures[region] + region.goal // 4:
                continue
            try:
                return EndgameTable(position, region.goal, self._limit)
            except GridproofError:
                self._failures[region] = total
        return None

    def _small_regions(self, position: Position) -> Iterator[Region]:
        """Yield the regions that may have few boards."""
        for region in find_regions(position):
            free = len(position.cells) - len(region.fixed)
            boards = (region.goal.bit_length() - 1) ** free
            is_small = free <= _MOST_FREE and boards <= _REACHABLE * self._states
            if is_small and region.goal >= _LEAST_GOAL:
                yield region
