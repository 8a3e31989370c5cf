"""Player of 2048 that values afterstates by an n-tuple network."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gridproof.core.game import Game
from gridproof.core.text.files import to_path
from gridproof.games.twenty48.downgrade import downgrade_tiles
from gridproof.games.twenty48.expectimax import BoardSearch, LookaheadPlayer, is_searchable
from gridproof.games.twenty48.network import SYMBOLS, Network, load_network, write_tuples
from gridproof.games.twenty48.rules import Move, Position

SHIPPED = Path(__file__).with_name("network.npz")
"""The network of the package, for boards of 4 x 4."""


class Reasons(NamedTuple):
    """The parts of a move's value, one slide ahead."""

    points: int
    """Score of the slide, on the board that the player sees."""
    tuples: Mapping[str, float]
    """Sum of the weights of each tuple of the network, by its cells."""
    table: float = 0.0
    """Value that an endgame table adds."""

    @property
    def value(self) -> float:
        """The sum of the parts."""
        return self.points + sum(self.tuples.values()) + self.table


def network_at(path: Path) -> Network:
    """Return the network of a file, which is read again only when it has changed; GridproofError when it has none."""
    try:
        facts = path.stat()
    except (OSError, ValueError):  # ValueError: a NUL character in the name
        return load_network(path)  # says why
    return _network_at(path, facts.st_mtime_ns, facts.st_size)


@functools.lru_cache(maxsize=2)
def _network_at(path: Path, changed: int, size: int) -> Network:
    return load_network(path)


class NetworkPlayer(LookaheadPlayer):
    """Player that makes the move with the largest sum of score and value, by a network for boards of one size.

    Parameters
    ----------
    game : Game
    plies : int, optional
        Slides that it looks ahead, 1 to 12: 1 by default, and without a limit of seconds. More than one take long on boards
        that are not 4 x 4, or whose tiles sum up to 65,488 and more.
    seconds : float, optional
        Processor time for a move on boards of 4 x 4, as with `expectimax`.
    file : str or Path or Network, optional
        The network. By default that of the package, for boards of 4 x 4.
    downgrade : bool, optional
        Whether it sees boards of 4 x 4 with 16384 as ones with smaller tiles, which it knows better. True by default.

    Raises
    ------
    GridproofError
        For an invalid option, or a file without a network.
    """

    name = "network"

    def __init__(
        self,
        game: Game,
        plies: int | None = None,
        seconds: float | None = None,
        file: str | Path | Network = SHIPPED,
        downgrade: bool = True,
    ) -> None:
        super().__init__(plies, seconds)
        self.downgrade = downgrade
        self.network = file if isinstance(file, Network) else network_at(to_path(file))

    def values(self, position: Position) -> Mapping[Move, float]:
        """Return the value of each move: the points that may be expected from now on, on the board that the player sees.

        GridproofError when the network is for boards of another size.
        """
        position = self._seen(position)
        if is_searchable(position):
            return self._search.values(position, self.plies, self.seconds)
        return {move: self._value(position, move, self.plies) for move in position.actions()}

    def reasons(self, position: Position) -> Mapping[Move, Reasons]:
        """Return the parts of the value of each move, one slide ahead; their sum is the value.

        GridproofError when the network is for boards of another size.
        """
        position = self._seen(position)
        names = [write_tuples([cells]) for cells in self.network.tuples]
        found = {}
        for move in position.actions():
            after = position.afterstate(move)
            parts = self.network.parts(exponents_of(after.cells))
            found[move] = Reasons(after.reward, dict(zip(names, parts, strict=True)))
        return found

    def _seen(self, position: Position) -> Position:
        """Return the position that the player sees; GridproofError when the network is for boards of another size."""
        level = position.level
        self.network.check_level(level)
        if not self.downgrade or (level.width, level.height) != (4, 4):
            return position
        return Position(level, downgrade_tiles(position.cells))

    @functools.cached_property
    def _search(self) -> BoardSearch:
        from gridproof.games.twenty48.kernel.expectimax import network_search

        return BoardSearch(network_search(self.network.kernels), self.network.tables, 0.0)

    def _value(self, position: Position, move: Move, plies: int) -> float:
        """Return the value of a move by the rules."""
        after = position.afterstate(move)
        if plies == 1:
            return after.reward + self.network.value(exponents_of(after.cells))
        following = 0.0
        for outcome in position.outcomes(move):
            then = outcome.position
            best = max((self._value(then, action, plies - 1) for action in then.actions()), default=0.0)
            following += float(outcome.probability) * max(best, 0.0)  # points are never lost
        return after.reward + following


def exponents_of(cells: list[int]) -> list[int]:
    """Return the exponents of tiles for a network."""
    return [min(tile.bit_length() - 1, SYMBOLS - 1) if tile else 0 for tile in cells]
