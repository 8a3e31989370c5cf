"""New positions of 2048 from a seed, each with a certificate that makes the target tile.

A game is played until its target is made, by a player that looks one move ahead and prefers neighbours of
similar value; of a few tiles drawn by chance, the one it prefers appears. It begins as games do, or, where the
target is far away, with the chain of tiles that leads to it. The position lies so many moves before the
target is made; the certificate is how the game went on, and says where each tile appeared.

Difficulty is the effort of the simplest search: how many of 100 random continuations, of at most 100 moves
each, do not make the target.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.generate import best, check_whole, check_wished, finished
from gridproof.core.rng import Rng
from gridproof.core.trace import Step
from gridproof.core.wording import counted
from gridproof.games.twenty48.rules import Level, Position
from gridproof.games.twenty48.tiles import SPAWN_RULES, is_tile
from gridproof.games.twenty48.validity import LARGEST, LEAST_TARGET, SIZES

MOST_MOVES = 100
_TRIALS, _TRIALS_FOR_TILES = 12, 48  # games from far off; where a number of tiles is wished for
_LONGEST = 500  # moves of a game
_DRAWN = 3  # tiles drawn by chance, of which the one that the player prefers appears
_SHORT = 32  # no chain ends below this tile
_MORE = 4  # moves that are expected for each unit of a chain's last tile, times its value
_ROOM = 3.0  # how much an empty cell is worth, in halvings between neighbours
_GAMES, _PATIENCE = 100, 100  # random games that measure the difficulty, and moves of each


class Wish(NamedTuple):
    """What the position shall be like."""

    frame: Level
    """Size, spawn rule and target."""
    moves: int
    tiles: int | None


class Made(NamedTuple):
    """A position, and how a game went on until the target was made."""

    start: Position
    steps: tuple[Step, ...]

    @property
    def tiles(self) -> int:
        """How many tiles lie on the board."""
        return len(self.start.cells) - len(self.start.empty)


def generate(
    seed: int,
    *,
    width: int = 4,
    height: int = 4,
    spawn: str = "spec",
    target: int = 2048,
    moves: int = 10,
    tiles: int | None = None,
) -> Level:
    """A new position: the same one for the same arguments, always.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        In cells, 2 to 6 (T1).
    spawn : str
        The document's rule `spec`, or `classic` (T10).
    target : int
        A power of two, 8 to 2^255.
    moves : int
        How many moves before the target is made, 1 to 100.
    tiles : int, optional
        How many tiles lie on the board, 2 to the number of its cells; as it comes by default.

    Returns
    -------
    Level
        Its `certificate` makes the target with its last step. Its `keys` say the `Moves` of that (with
        more luck it may take fewer), the `Difficulty`, and under `Missed` what could not be reached.

    Raises
    ------
    GridproofError
        For a seed or parameters outside these bounds.
    """
    wish = _checked(width, height, spawn, target, moves, tiles)
    rng = Rng(seed)
    cuts = ((_cut(_played(rng, beginning), wish), 0.0) for beginning in _beginnings(rng, wish))
    made = best(cuts, lambda made: _badness(made, wish))
    assert made is not None  # the last beginning is one move before the target
    return _finished(made, wish, seed)


def _checked(width: int, height: int, spawn: str, target: int, moves: int, tiles: int | None) -> Wish:
    check_whole("width", width, SIZES[0], SIZES[-1])
    check_whole("height", height, SIZES[0], SIZES[-1])
    if not isinstance(spawn, str) or spawn not in SPAWN_RULES:
        raise GridproofError(f"spawn={spawn!r}: it must be {' or '.join(SPAWN_RULES)}")
    if not is_tile(target) or not LEAST_TARGET <= target <= LARGEST:
        raise GridproofError(f"target={target!r}: it must be a power of two from {LEAST_TARGET} to 2^255")
    check_whole("moves", moves, 1, MOST_MOVES)
    check_wished("tiles", tiles, 2, width * height)
    return Wish(Level(width, height, spawn, target), moves, tiles)


# -- where games begin


def _beginnings(rng: Rng, wish: Wish) -> Iterator[Position]:
    """Starts far from the target, then chains that collapse in ever fewer moves, in the end in one."""
    for _ in range(_TRIALS if wish.tiles is None else _TRIALS_FOR_TILES):
        yield _far(rng, wish)
    cells, exponent = len(wish.frame.cells), wish.frame.target.bit_length() - 1
    for length in range(min(wish.moves, cells - 1, exponent - 1), 0, -1):
        chain = _chain(wish.frame.target, length)
        yield _laid(rng, wish.frame, [*chain, chain[-1]])


def _chain(target: int, length: int) -> list[int]:
    """Half of the target, a quarter of it, ..."""
    return [target >> place for place in range(1, length + 1)]


def _far(rng: Rng, wish: Wish) -> Position:
    """A start, where the target is near enough; else a chain whose last tile takes long enough to make."""
    frame = wish.frame
    last = max(_SHORT, _MORE * wish.moves)
    length = max(0, min(frame.target.bit_length() - last.bit_length(), len(frame.cells) // 2))
    if length == 0:
        return frame.start(rng.word())
    return _laid(rng, frame, [*_chain(frame.target, length), 2, 2][: len(frame.cells)])


def _laid(rng: Rng, frame: Level, tiles: list[int]) -> Position:
    """The tiles along a snake from one of the corners, by rows or by columns."""
    width, height = frame.width, frame.height
    by_rows = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    by_columns = [(y if x % 2 == 0 else height - 1 - y, x) for x in range(width) for y in range(height)]
    snake, flipped, mirrored = rng.choice((by_rows, by_columns)), rng.below(2), rng.below(2)
    board = [[0] * width for _ in range(height)]
    for (row, column), tile in zip(snake, tiles, strict=False):
        board[height - 1 - row if flipped else row][width - 1 - column if mirrored else column] = tile
    return dataclasses.replace(frame, board=board).start()


# -- games


def _played(rng: Rng, start: Position) -> list[tuple[Position, Step]]:
    """A game until the target is made: each position with the step from it; empty when it is not made."""
    pairs = _neighbours(start.level)
    position = start
    game: list[tuple[Position, Step]] = []
    while not position.won:
        chances = [(move, position.step(move, rng)) for move in position.actions() for _ in range(_DRAWN)]
        if not chances or len(game) == _LONGEST:
            return []
        move, outcome = max(chances, key=lambda chance: _worth(chance[1].position, pairs))
        game.append((position, Step(move, outcome.label)))
        position = outcome.position
    return game


def _neighbours(level: Level) -> list[tuple[int, int]]:
    """The places of neighbouring cells."""
    width, places = level.width, range(len(level.cells))
    across = [(place, place + 1) for place in places if (place + 1) % width]
    return across + [(place, place + width) for place in places[:-width]]


def _worth(position: Position, pairs: list[tuple[int, int]]) -> float:
    """How much the player likes a position: a win, room, and neighbours that differ little."""
    if position.won:
        return math.inf
    exponents = [tile.bit_length() for tile in position.cells]
    rough = sum(
        abs(exponents[one] - exponents[other]) for one, other in pairs if exponents[one] and exponents[other]
    )
    return _ROOM * exponents.count(0) - rough


def _cut(game: list[tuple[Position, Step]], wish: Wish) -> Made | None:
    """The position at the wished number of moves before the end, or the first one of a shorter game."""
    if not game:
        return None
    rest = game[-wish.moves :]
    level = dataclasses.replace(wish.frame, board=rest[0][0].rows)
    return Made(level.start(), tuple(step for _, step in rest))


def _badness(made: Made, wish: Wish) -> int:
    """How far a position is from what is wished: 0 is what was wished."""
    crowd = abs(made.tiles - wish.tiles) if wish.tiles else 0
    return crowd + len(made.start.cells) * abs(len(made.steps) - wish.moves)


# -- what is said of it


def _finished(made: Made, wish: Wish, seed: int) -> Level:
    """The position with all that is to be said of it, and its certificate."""
    keys = {"Moves": len(made.steps), "Difficulty": _difficulty(made.start, seed)}
    return finished(made.start.level, seed, made.steps, keys, _missed(made, wish))


def _missed(made: Made, wish: Wish) -> Iterator[str]:
    """What could not be reached."""
    if len(made.steps) != wish.moves:
        yield counted(wish.moves, "moves")
    if wish.tiles not in (None, made.tiles):
        yield f"{wish.tiles} tiles"


def _difficulty(start: Position, seed: int) -> int:
    """How many of the random games do not make the target."""
    rng = Rng(seed, 1)
    return sum(not _lucky(rng, start) for _ in range(_GAMES))


def _lucky(rng: Rng, position: Position) -> bool:
    """Whether a random game makes the target."""
    for _ in range(_PATIENCE):
        moves = position.actions()
        if position.won or not moves:
            break
        position = position.step(rng.choice(moves), rng).position
    return position.won
