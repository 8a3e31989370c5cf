"""New boards from a seed, each with a certificate; where the search can, of fewest moves, proved.

A won board is coloured in regions and shifted about at random; then a search finds the fewest moves that
win. The rest of a shortest win is a shortest win of the position where it begins, so a board of fewer moves, or
of less difficulty, is taken from that way. Where the search gives up, the certificate undoes the shifts.

Difficulty is search effort: how many positions plain breadth-first search finds until it has proved the
fewest moves. It grows with the moves, and with the lines that can be moved. Boards that are too difficult for this
search, though not for `gp.solve`, have no difficulty.
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.generate import (
    Generator,
    MeasuredDifficulty,
    best,
    check_optional,
    check_range,
    difficulty_gap,
    finish_level,
)
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step, Trace
from gridproof.games.shiftit.colours import PALETTE
from gridproof.games.shiftit.connection import Tiles
from gridproof.games.shiftit.generator import regions
from gridproof.games.shiftit.rules import Level, Move, Position, Tile
from gridproof.search.solve import breadth_first, solve

LONGEST = 10
"""Tiles of a row or column."""
MOST_MOVES, MOST_DIFFICULTY = 100, 10**6
_LETTERS = (*PALETTE, *(letter for letter in string.ascii_lowercase if letter not in "brgyop"))
_TRIALS, _TIMES = 12, 3  # boards; the effort of all of them together, in limits of one
_FURTHER = 3  # more shifts at each trial than at the one before
_PACKED = 36  # tiles of boards that have a kernel
_EFFORT = 100_000  # positions that breadth-first search may find
_EFFORT_BY_RULES = 4_000  # the same without a kernel
_MOST_FOR_MOVES = 300_000  # positions of a proof, where the target has moves
_ENOUGH = 4  # moves that are enough for any board
_BREADTH = 0.6  # the share of new positions among successors


class Target(NamedTuple):
    """Parameters of the board."""

    width: int
    height: int
    colours: int
    locks: int
    moves: int | None
    difficulty: int | None

    @property
    def effort_limit(self) -> int:
        """Positions that breadth-first search may find."""
        if self.width * self.height > _PACKED:
            return _EFFORT_BY_RULES
        return max(_EFFORT, 2 * (self.difficulty or 0))

    @property
    def proof_limit(self) -> int:
        """Positions that a proof may take."""
        return self.effort_limit if self.moves is None or self.effort_limit < _EFFORT else _MOST_FOR_MOVES


class Candidate(NamedTuple):
    """A board that can be won."""

    trace: Trace
    """A trace that wins the board from its start."""
    optimal: bool
    """True if no fewer moves win, by proof."""
    effort: int
    """Positions that the search found."""

    @property
    def moves(self) -> int:
        """The number of moves of its trace."""
        return len(self.trace.steps)


def generate(
    seed: int,
    *,
    width: int = 3,
    height: int = 3,
    colours: int = 3,
    locks: int = 0,
    moves: int | None = None,
    difficulty: int | None = None,
) -> Level:
    """A new board: the same one for the same arguments, always.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        Size of the board in tiles: 1 to 10, at least two tiles.
    colours : int
        2 to 26, and fewer than the board has sides.
    locks : int
        Number of locked tiles; at least one row or column of two or more tiles must stay free of them.
    moves : int, optional
        Target for the fewest moves, 1 to 100; by default about as many as can be proved.
    difficulty : int, optional
        Target for the search effort, 1 to 1,000,000 positions; excludes `moves`.

    Returns
    -------
    Level
        Its `keys` say the `Moves` of its `certificate`, the `Difficulty`, and under `Missed` what could not
        be reached. Where nothing is said of a missed proof, no fewer moves win.

    Raises
    ------
    GridproofError
        For a seed or parameters outside these bounds.
    """
    target = _check_target(Target(width, height, colours, locks, moves, difficulty))
    rng = Rng(seed)
    candidate = best(
        _candidates(rng, target), lambda candidate: _distance_to_target(candidate, target)
    ) or _make_simple_board(rng, target)
    return _finish_level(candidate, target, seed)


def _check_target(target: Target) -> Target:
    check_range("width", target.width, 1, LONGEST)
    check_range("height", target.height, 2 if target.width == 1 else 1, LONGEST)
    sides = 4 * target.width * target.height
    check_range("colours", target.colours, 2, min(len(_LETTERS), sides - 1))
    check_range("locks", target.locks, 0, max(rows * columns for rows, columns in _lock_counts(target)))
    check_optional("moves", target.moves, 1, MOST_MOVES)
    check_optional("difficulty", target.difficulty, 1, MOST_DIFFICULTY)
    if target.moves is not None and target.difficulty is not None:
        raise GridproofError("moves and difficulty cannot be combined")
    return target


def _lock_counts(target: Target) -> Iterator[tuple[int, int]]:
    """List the numbers of rows and columns that locked tiles may hold, so that a line of two tiles or more can move."""
    width, height = target.width, target.height
    for rows in range(height + 1):
        for columns in range(width + 1):
            if (rows < height and width > 1) or (columns < width and height > 1):
                yield rows, columns


def _choose_locks(rng: Rng, target: Target) -> frozenset[int]:
    """Choose the places of the locked tiles, in as few lines as possible, so that the others move (S6)."""
    enough = [held for held in _lock_counts(target) if held[0] * held[1] >= target.locks]
    fewest = min(rows + columns for rows, columns in enough)
    rows, columns = rng.choice([held for held in enough if sum(held) == fewest])
    down, across = _sample(rng, range(target.height), rows), _sample(rng, range(target.width), columns)
    return frozenset(_sample(rng, [y * target.width + x for y in down for x in across], target.locks))


def _sample(rng: Rng, items: range | list[int], count: int) -> list[int]:
    """Return a random subset of `count` items, each as likely."""
    left = list(items)
    return [left.pop(rng.below(len(left))) for _ in range(count)]


# -- won boards


def _make_blank(rng: Rng, target: Target) -> Level:
    """Make a board of one colour, with its locks."""
    locked = _choose_locks(rng, target)
    places = range(target.width * target.height)
    corners = [(place % target.width, target.height - 1 - place // target.width) for place in places]
    return Level(Tile(f"t{place + 1}", *corners[place], PALETTE[0], place in locked) for place in places)


def _colour_board(
    rng: Rng, blank: Level, target: Target, seeds: list[list[regions.Side]], static: int | None = None
) -> Level:
    """Colour the board in as many regions as the target has; `seeds` are the first sides of some regions."""
    beside = regions.adjacent_sides(len(blank.tiles), blank.connection.borders)
    regions.begin_regions(rng, beside, seeds, target.colours)
    owner = regions.grow_regions(rng, beside, seeds, static)
    most = max(target.colours, len(PALETTE))
    names = _sample(rng, range(most), target.colours)
    return Level(
        Tile(
            tile.name, tile.x, tile.y, [_LETTERS[names[owner[place, side]]] for side in range(4)], tile.locked
        )
        for place, tile in enumerate(blank.tiles)
    )


def _effective_moves(level: Level) -> list[Move]:
    """Return the moves that change the placement (S8)."""
    return [move for move in level.valid_moves if len(level.line(move)) > 1]


def _board_at(level: Level, tiles: Tiles) -> Level:
    """Make a board that begins with this placement, with new names in reading order."""
    return Level(
        Tile(f"t{place + 1}", *level.coordinates(place), level.tiles[tile].colours, level.tiles[tile].locked)
        for place, tile in enumerate(tiles)
    )


# -- boards to win


def _candidates(rng: Rng, target: Target) -> Iterator[tuple[Candidate | None, float]]:
    """Scramble boards until they have taken too much effort together."""
    spent = 0
    for trial in range(_TRIALS):
        candidate = _make_candidate(rng, target, trial)
        spent += candidate.effort if candidate else 0
        yield candidate, 0.0
        if spent >= _TIMES * target.effort_limit:
            break


def _make_candidate(rng: Rng, target: Target, trial: int) -> Candidate | None:
    """Make and scramble a won board; None when it is won again."""
    won = _colour_board(rng, _make_blank(rng, target), target, [])
    length = _search_depth(won, target) if target.moves is None else target.moves + _FURTHER * trial
    trace = _scramble(rng, won, length)
    return _choose_nearest(trace, target) if trace else None


def _search_depth(level: Level, target: Target) -> int:
    """Estimate the number of moves that the search can look ahead."""
    breadth = max(2.0, _BREADTH * len(_effective_moves(level)))
    return 1 + int(math.log(target.effort_limit) / math.log(breadth))


def _scramble(rng: Rng, won: Level, length: int) -> Trace | None:
    """Return the trace that undoes `length` random shifts of a won board; None when these lead to a win."""
    telling, tiles = _effective_moves(won), won.start().tiles
    undoing: list[Move] = []
    for _ in range(length):
        move = rng.choice([move for move in telling if move not in undoing[:1]])
        tiles = won.effects[move][0](tiles)
        undoing.insert(0, move.opposite)
    return _trace_to_win(_board_at(won, tiles), undoing)


def _trace_to_win(level: Level, moves: Iterable[Move]) -> Trace | None:
    """Return the trace of these moves up to the first win; None when the start is won."""
    position, steps = level.start(), []
    for move in moves:
        if position.won:
            break
        position = position.outcomes(move)[0].position
        steps.append(Step(move))
    return Trace(level.start(), tuple(steps)) if steps else None


def _choose_nearest(trace: Trace, target: Target) -> Candidate:
    """Return the board on the way of the trace, or of a shorter win, that is nearest to the target."""
    candidate = nearest = _shorten(trace, target)
    if target.moves is not None:
        spare = candidate.moves - target.moves
        return _shorten(_drop_steps(candidate.trace, spare), target) if spare > 0 else candidate
    while candidate.moves > 1 and not (
        candidate.optimal and candidate.effort <= (target.difficulty or candidate.effort)
    ):
        candidate = _shorten(_drop_steps(candidate.trace, 1), target)
        nearest = min(nearest, candidate, key=lambda item: _distance_to_target(item, target))
    return nearest


def _drop_steps(trace: Trace, count: int) -> Trace:
    """Return the trace without its first steps, on a board that begins there."""
    position = list(trace.positions())[count]
    assert isinstance(position, Position)
    return Trace(_board_at(position.level, position.tiles).start(), trace.steps[count:])


def measure(level: Level, limit: Limit | None = None) -> MeasuredDifficulty | None:
    """Measure the fewest moves of a board, and its difficulty where possible; None without a proof."""
    solution = solve(level, limit=limit)
    if solution.trace is None or not solution.optimal:
        return None
    keys = {"Moves": len(solution.trace.steps), **_measure_difficulty(level, limit)}
    return MeasuredDifficulty(solution.trace, keys)


def _measure_difficulty(level: Level, limit: Limit | None) -> Mapping[str, int]:
    """Return the key `Difficulty`; no key where it is too great to be measured."""
    plain = breadth_first(level.start(), limit)
    return {"Difficulty": plain.states} if plain.optimal else {}


def _shorten(trace: Trace, target: Target) -> Candidate:
    """Search for the fewest moves of the board of a trace; breadth-first, if difficulty matters."""
    limit = Limit(states=target.proof_limit)
    solution = breadth_first(trace.start, limit) if target.moves is None else solve(trace.start, limit=limit)
    return Candidate(solution.trace or trace, solution.optimal, solution.states)


def _distance_to_target(candidate: Candidate, target: Target) -> float:
    """Return the distance of a board from the target; 0 is good enough."""
    unproved = 0.0 if candidate.optimal else 0.5
    if target.moves is not None:
        return unproved + abs(candidate.moves - target.moves)
    if target.difficulty is None:
        return unproved + max(0.0, 1 - candidate.moves / _ENOUGH)
    return unproved + difficulty_gap(candidate.effort, target.difficulty)


def _make_simple_board(rng: Rng, target: Target) -> Candidate:
    """Make a board of one move, as a fallback.

    A colour is two sides that face each other: one in a line that can be moved, the other beside that line.
    On a board of a single line a colour is one side of a tile, which parts that tile from the one on its
    other end, and the other side links it with its neighbour: until the tile moves to the far end.
    """
    blank = _make_blank(rng, target)
    move = next(move for move in _effective_moves(blank) if move.direction in ("left", "up"))
    line = blank.line(move)
    borders = blank.connection.borders
    ends = [border for border in borders if line[-1] in border[:2]]
    beside = [border for border in ends if not set(border[:2]) <= set(line)]
    place, neighbour, out, into = (beside or borders)[0]
    link = [(place, out), (neighbour, into)]
    won = _colour_board(rng, blank, target, [link] if beside else [[(place, (out + 2) % 4)], link], static=0)
    board = _board_at(won, won.effects[move][0](won.start().tiles))
    return _shorten(Trace(board.start(), (Step(move.opposite),)), target)


def _finish_level(candidate: Candidate, target: Target, seed: int) -> Level:
    """Return the board with its keys and its certificate."""
    board = candidate.trace.level
    assert isinstance(board, Level)
    keys = {"Moves": candidate.moves}
    if candidate.optimal and target.moves is None:
        keys["Difficulty"] = candidate.effort
    elif candidate.optimal:
        keys |= _measure_difficulty(board, Limit(states=target.effort_limit))
    difficulty = candidate.effort, target.difficulty
    return finish_level(board, seed, candidate.trace.steps, keys, _list_misses(candidate, target), difficulty)


def _list_misses(candidate: Candidate, target: Target) -> Iterator[str]:
    """List what was not reached, for the key `Missed`."""
    if not candidate.optimal:
        yield f"a proof that {format_count(candidate.moves, 'moves')} {'is' if candidate.moves == 1 else 'are'} the fewest"
    if target.moves is not None and target.moves != candidate.moves:
        yield format_count(target.moves, "moves")


GENERATOR = Generator(generate, measure)
