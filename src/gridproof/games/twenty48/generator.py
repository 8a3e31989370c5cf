"""New positions of 2048 from a seed, each with a certificate that makes the target tile.

A player that looks one move ahead and prefers neighbours of similar value plays until the target is made; it
chooses among a few random spawns. The game begins as usual or, where the target is far away, with the chain of
tiles that leads to it. The position lies `moves` moves before the target; the certificate is the rest of the
game, with its spawns.

Difficulty is the effort of the simplest search: the number of 100 random continuations, of at most 100
moves each, that do not make the target.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.generate import Generator, best, check_optional, check_range, finish_level
from gridproof.core.rng import Rng
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step
from gridproof.games.twenty48.rules import Level, Position
from gridproof.games.twenty48.tiles import SPAWN_RULES, is_tile
from gridproof.games.twenty48.validity import LARGEST, LEAST_TARGET, SIZES

MOST_MOVES = 100
_TRIALS, _TRIALS_FOR_TILES = 12, 48  # games from far starts; with a number of tiles as a goal
_LONGEST = 500  # moves of a game
_DRAWN = 3  # random spawns, of which the player chooses one
_SHORT = 32  # no chain ends below this tile
_MORE = 4  # expected moves for each unit of a chain's last tile, times its value
_ROOM = 3.0  # the value of an empty cell, in halvings between neighbours
_GAMES, _PATIENCE = 100, 100  # random games that measure the difficulty, and moves of each


class Target(NamedTuple):
    """Parameters of the position."""

    frame: Level
    """Size, spawn rule and target."""
    moves: int
    tiles: int | None


class Candidate(NamedTuple):
    """A position, and the rest of a game until the target is made."""

    start: Position
    steps: tuple[Step, ...]

    @property
    def tiles(self) -> int:
        """The number of tiles on the board."""
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
        Size of the board in cells: 2 to 6 (T1).
    spawn : str
        The document's rule `spec`, or `classic` (T10).
    target : int
        A power of two, 8 to 2^255.
    moves : int
        Number of moves before the target is made, 1 to 100.
    tiles : int, optional
        Number of tiles on the board, from 2 to its number of cells; by default any.

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
    check_range("width", width, SIZES[0], SIZES[-1])
    check_range("height", height, SIZES[0], SIZES[-1])
    if not isinstance(spawn, str) or spawn not in SPAWN_RULES:
        raise GridproofError(f"spawn={spawn!r}: it must be {' or '.join(SPAWN_RULES)}")
    if not is_tile(target) or not LEAST_TARGET <= target <= LARGEST:
        raise GridproofError(f"target={target!r}: it must be a power of two from {LEAST_TARGET} to 2^255")
    check_range("moves", moves, 1, MOST_MOVES)
    check_optional("tiles", tiles, 2, width * height)
    goal = Target(Level(width, height, spawn, target), moves, tiles)
    rng = Rng(seed)
    cuts = ((_cut_game(_play_game(rng, beginning), goal), 0.0) for beginning in _beginnings(rng, goal))
    candidate = best(cuts, lambda candidate: _distance_to_goal(candidate, goal))
    assert candidate is not None  # the last beginning is one move before the target
    start, steps = candidate
    keys = {"Moves": len(steps), "Difficulty": _measure_difficulty(start, seed)}
    return finish_level(start.level, seed, steps, keys, _list_misses(candidate, goal))


# -- where games begin


def _beginnings(rng: Rng, goal: Target) -> Iterator[Position]:
    """Yield starts far from the target, then chains that collapse in fewer and fewer moves, at last in one."""
    for _ in range(_TRIALS if goal.tiles is None else _TRIALS_FOR_TILES):
        yield _make_far_start(rng, goal)
    cells, exponent = len(goal.frame.cells), goal.frame.target.bit_length() - 1
    for length in range(min(goal.moves, cells - 1, exponent - 1), 0, -1):
        chain = _chain(goal.frame.target, length)
        yield _place_snake(rng, goal.frame, [*chain, chain[-1]])


def _chain(target: int, length: int) -> list[int]:
    """Return half of the target, a quarter of it, ..."""
    return [target >> place for place in range(1, length + 1)]


def _make_far_start(rng: Rng, goal: Target) -> Position:
    """Make a start, where the target is near enough; else a chain whose last tile takes long enough to make."""
    frame = goal.frame
    last = max(_SHORT, _MORE * goal.moves)
    length = max(0, min(frame.target.bit_length() - last.bit_length(), len(frame.cells) // 2))
    if length == 0:
        return frame.start(rng.word())
    return _place_snake(rng, frame, [*_chain(frame.target, length), 2, 2][: len(frame.cells)])


def _place_snake(rng: Rng, frame: Level, tiles: list[int]) -> Position:
    """Place tiles along a snake from one of the corners, by rows or by columns."""
    width, height = frame.width, frame.height
    by_rows = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    by_columns = [(y if x % 2 == 0 else height - 1 - y, x) for x in range(width) for y in range(height)]
    snake, flipped, mirrored = rng.choice((by_rows, by_columns)), rng.below(2), rng.below(2)
    board = [[0] * width for _ in range(height)]
    for (row, column), tile in zip(snake, tiles, strict=False):
        board[height - 1 - row if flipped else row][width - 1 - column if mirrored else column] = tile
    return dataclasses.replace(frame, board=board).start()


# -- games


def _play_game(rng: Rng, start: Position) -> list[tuple[Position, Step]]:
    """Play a game until the target is made; return each position with its step, nothing when it is not made."""
    pairs = _neighbour_pairs(start.level)
    position = start
    game: list[tuple[Position, Step]] = []
    while not position.won:
        chances = [(move, position.step(move, rng)) for move in position.actions() for _ in range(_DRAWN)]
        if not chances or len(game) == _LONGEST:
            return []
        move, outcome = max(chances, key=lambda chance: _rate(chance[1].position, pairs))
        game.append((position, Step(move, outcome.label)))
        position = outcome.position
    return game


def _neighbour_pairs(level: Level) -> list[tuple[int, int]]:
    """Return the places of neighbouring cells."""
    width, places = level.width, range(len(level.cells))
    across = [(place, place + 1) for place in places if (place + 1) % width]
    return across + [(place, place + width) for place in places[:-width]]


def _rate(position: Position, pairs: list[tuple[int, int]]) -> float:
    """Rate a position for the player: a win, room, and neighbours that differ little."""
    if position.won:
        return math.inf
    exponents = [tile.bit_length() for tile in position.cells]
    rough = sum(
        abs(exponents[one] - exponents[other]) for one, other in pairs if exponents[one] and exponents[other]
    )
    return _ROOM * exponents.count(0) - rough


def _cut_game(game: list[tuple[Position, Step]], goal: Target) -> Candidate | None:
    """Return the position at the goal's number of moves before the end, or the first one of a shorter game."""
    if not game:
        return None
    rest = game[-goal.moves :]
    level = dataclasses.replace(goal.frame, board=rest[0][0].rows)
    return Candidate(level.start(), tuple(step for _, step in rest))


def _distance_to_goal(candidate: Candidate, goal: Target) -> int:
    """Return the distance of a position from the goal; 0 reaches it."""
    crowd = abs(candidate.tiles - goal.tiles) if goal.tiles else 0
    return crowd + len(candidate.start.cells) * abs(len(candidate.steps) - goal.moves)


# -- its keys


def _list_misses(candidate: Candidate, goal: Target) -> Iterator[str]:
    """List what was not reached, for the key `Missed`."""
    if len(candidate.steps) != goal.moves:
        yield format_count(goal.moves, "moves")
    if goal.tiles not in (None, candidate.tiles):
        yield f"{goal.tiles} tiles"


def _measure_difficulty(start: Position, seed: int) -> int:
    """Count the random games that do not make the target."""
    rng = Rng(seed, 1)
    return sum(not _wins_by_chance(rng, start) for _ in range(_GAMES))


def _wins_by_chance(rng: Rng, position: Position) -> bool:
    """Return whether a random game makes the target."""
    for _ in range(_PATIENCE):
        moves = position.actions()
        if position.won or not moves:
            break
        position = position.step(rng.choice(moves), rng).position
    return position.won


GENERATOR = Generator(generate)
