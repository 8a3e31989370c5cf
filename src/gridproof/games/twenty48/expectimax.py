"""Player of 2048 that looks some slides ahead, with a heuristic for rows and columns.

The parts of the heuristic are those of nneonneo's 2048-ai (https://github.com/nneonneo/2048-ai): empty cells, equal neighbours,
lines that rise to one side, and few large tiles. The weights were found by the cross-entropy method (Rubinstein, 1999), on
games with two and three slides ahead.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.representation import Representable
from gridproof.core.text.phrases import format_count
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.snake import SNAKE
from gridproof.search.simple_players import best_action

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MOST_PLIES = 12
"""The most slides that a player may look ahead."""
_LEAST_CHANCE = 1e-4
"""Tiles that appear with a smaller chance are not looked at."""
_LOST = -5e6
"""The value of a lost board, and the least one of any."""
_MOST_SUM = (1 << 16) - 4 * MOST_PLIES
"""No board that is looked at has two tiles 32768 while the sum of the tiles is smaller."""
_ENTRIES = 1 << 18
"""The number of entries of the transposition table, 32 bytes each."""
_EMPTY, _EQUAL, _SLOPE, _SUM = 270.0, 380.0, 39.0, 7.7
_SLOPE_POWER, _SUM_POWER = 2.7, 3.22


FEATURES = ("empty cells", "equal neighbours", "slopes", "tiles")
"""The parts of a board's worth."""


@functools.cache
def line_worths() -> Array:
    """Return the worth of each row or column by its 16 bits: float64 (65536,)."""
    worths: Array = line_features().sum(axis=0)
    worths.flags.writeable = False
    return worths


@functools.cache
def line_features() -> Array:
    """Return the parts of the worth of each row or column by its 16 bits: float64 (4, 65536), as `FEATURES` names them.

    Tiles count by their exponents. A slope is what a line loses on its way to one side; the smaller one of both ways counts.
    """
    import numpy as np

    lines = np.arange(1 << 16)
    cells = np.stack([(lines >> 4 * cell) & 15 for cell in range(4)])
    rises = np.diff(cells.astype(np.float64) ** _SLOPE_POWER, axis=0)
    slopes = np.minimum(rises.clip(min=0).sum(axis=0), (-rises).clip(min=0).sum(axis=0))
    sums = (cells.astype(np.float64) ** _SUM_POWER).sum(axis=0)
    empty = (cells == 0).sum(axis=0)
    return np.stack([_EMPTY * empty, _EQUAL * _count_equal(cells), -_SLOPE * slopes, -_SUM * sums])


def _count_equal(cells: Array) -> Array:
    """Count the tiles of each line that are equal to the next tile, twice the first one of several."""
    import numpy as np

    last, after, found = (np.zeros(cells.shape[1], np.int64) for _ in range(3))
    for cell in cells:
        equal = (cell > 0) & (cell == last)
        found += equal * np.where(after > 0, 1, 2)
        after = np.where(cell > 0, equal, after)
        last = np.where(cell > 0, cell, last)
    return found


@functools.cache
def _data(spawn: str) -> Array:
    """Return the kernel's data of a spawn rule."""
    from gridproof.games.twenty48.kernel.cells import NIBBLES
    from gridproof.games.twenty48.kernel.packing import data_of

    return data_of(Level(spawn=spawn), NIBBLES)


def check_plies(plies: int | None, seconds: float | None, usual: int) -> int:
    """Return the slides to look ahead: the usual ones, and the most with a time limit, if there are none.

    GridproofError for invalid options.
    """
    if plies is None:
        plies = MOST_PLIES if seconds else usual
    if type(plies) is not int or not 1 <= plies <= MOST_PLIES:
        raise GridproofError(f"plies {plies!r}: it must be a whole number from 1 to {MOST_PLIES}")
    if seconds is not None and not (isinstance(seconds, (int, float)) and seconds > 0):
        raise GridproofError(f"seconds {seconds!r}: it must be a number above 0")
    return plies


class LookaheadPlayer(Representable):
    """Player that makes the move with the largest value, some slides ahead."""

    name = ""
    usual_plies = 1

    def __init__(self, plies: int | None, seconds: float | None) -> None:
        self.plies, self.seconds = check_plies(plies, seconds, self.usual_plies), seconds

    def __str__(self) -> str:
        return f"the player {self.name} of twenty48, which looks {format_count(self.plies, 'slides')} ahead"

    def _summary(self) -> str:
        return f"<Player {self.name} of twenty48: {format_count(self.plies, 'slides')} ahead>"

    def __call__(self, position: Position) -> Move:
        return best_action(self.values(position))

    def values(self, position: Position) -> Mapping[Move, float]:
        """Return the value of each move."""
        raise NotImplementedError


class ExpectimaxPlayer(LookaheadPlayer):
    """Player that looks some slides ahead, over all tiles that may appear.

    It plays 4 x 4 boards; others, and those whose tiles sum up to 65,488 and more, as `snake` does.

    Parameters
    ----------
    game : Game
    plies : int, optional
        Slides that it looks ahead, 1 to 12: 3 by default, and without a limit of seconds.
    seconds : float, optional
        Processor time for a move: it begins with one slide, and looks one further ahead, up to `plies`, while it has taken
        less than a quarter of the time. The same position may then get different moves.

    Raises
    ------
    GridproofError
        For an invalid option.
    """

    name = "expectimax"
    usual_plies = 3

    def __init__(self, game: Game, plies: int | None = None, seconds: float | None = None) -> None:
        super().__init__(plies, seconds)

    @property
    def nodes(self) -> int:
        """The number of boards whose worth has been looked up."""
        return self._search.nodes

    def values(self, position: Position) -> Mapping[Move, float]:
        """Return the value of each move, which only compares with the others."""
        if not is_searchable(position):
            known: Mapping[Any, float] = SNAKE.values(position)
            return known
        return self._search.values(position, self.plies, self.seconds)

    def reasons(self, position: Position) -> Mapping[Move, Mapping[Any, float]]:
        """Return the parts of the value of each move, one slide ahead, by `FEATURES`; their sum is the value.

        They are those of `snake` on boards that it plays so.
        """
        if not is_searchable(position):
            return SNAKE.reasons(position)
        return {move: _worth_parts(position.afterstate(move).cells) for move in position.actions()}

    @functools.cached_property
    def _search(self) -> BoardSearch:
        from gridproof.games.twenty48.kernel.expectimax import search_moves

        return BoardSearch(search_moves, line_worths(), _LOST)


def _worth_parts(cells: Sequence[int]) -> Mapping[str, float]:
    """Return the parts of the worth of a board of 4 x 4 cells."""
    exponents = [tile.bit_length() - 1 if tile else 0 for tile in cells]
    lines = [exponents[4 * row : 4 * row + 4] for row in range(4)] + [
        exponents[column::4] for column in range(4)
    ]
    words = [sum(exponent << 4 * place for place, exponent in enumerate(line)) for line in lines]
    return dict(zip(FEATURES, line_features()[:, words].sum(axis=1).tolist(), strict=True))


def is_searchable(position: Position) -> bool:
    """Return whether `BoardSearch` can search from a position."""
    level = position.level
    return (level.width, level.height) == (4, 4) and sum(position.cells) < _MOST_SUM


class BoardSearch:
    """Search on boards of 4 x 4 cells, with a transposition table.

    Parameters
    ----------
    kernel : kernel
        `kernel.expectimax.search_moves`, or one that is made of it.
    worths : array or tuple of arrays
        By which the kernel values boards.
    lost : float
        The value of a lost board.
    """

    def __init__(self, kernel: Any, worths: Any, lost: float) -> None:
        import numpy as np

        self._kernel, self._worths, self._lost = kernel, worths, lost
        self._arrays = np.zeros((_ENTRIES, 4), np.uint64), np.zeros(2, np.int64)
        self._lock = threading.Lock()

    @property
    def nodes(self) -> int:
        """The number of boards whose worth has been looked up."""
        from gridproof.games.twenty48.kernel.expectimax import NODES

        return int(self._arrays[1][NODES])

    def values(self, position: Position, plies: int, seconds: float | None = None) -> Mapping[Move, float]:
        """Return the value of each move: `plies` slides ahead, or fewer where the time ends."""
        with self._lock:
            if seconds is None:
                return self._look_ahead(position, plies)
            found, end = self._look_ahead(position, 1), time.process_time() + seconds / 4
            for number in range(2, plies + 1):
                if time.process_time() >= end:
                    break
                found = self._look_ahead(position, number)
            return found

    def _look_ahead(self, position: Position, plies: int) -> Mapping[Move, float]:
        import numpy as np

        from gridproof.games.twenty48.kernel.cells import NIBBLES
        from gridproof.games.twenty48.kernel.packing import pack_cells

        found, limits = np.zeros(len(Move)), (_LEAST_CHANCE, self._lost)
        (board,) = pack_cells(position.cells, NIBBLES)
        data = _data(position.level.spawn)
        self._kernel(data, self._worths, self._arrays, board, plies, limits, found)
        return {move: value for move, value in zip(Move, found.tolist(), strict=True) if value > -inf}
