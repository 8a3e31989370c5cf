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
from gridproof.core.generate import Measured, best, check_whole, check_wished, difficulty_missed, finished
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.core.wording import counted
from gridproof.games.shiftit.colours import PALETTE
from gridproof.games.shiftit.connection import Tiles
from gridproof.games.shiftit.making import regions
from gridproof.games.shiftit.rules import Level, Move, Position, Tile
from gridproof.search.solve import breadth_first, solve

LONGEST = 10
"""Tiles of a row or column."""
MOST_MOVES, MOST_DIFFICULTY = 100, 10**6
_LETTERS = (*PALETTE, *(letter for letter in string.ascii_lowercase if letter not in "brgyop"))
_TRIALS, _TIMES = 12, 3  # boards that are coloured; times the effort that all of them together may take
_FURTHER = 3  # more shifts at each trial than at the one before
_PACKED = 36  # tiles of boards that have a kernel
_EFFORT = 100_000  # positions that breadth-first search may find, where no more are wished for
_EFFORT_BY_RULES = 4_000  # the same without a kernel
_MOST_FOR_MOVES = 300_000  # positions of a proof, where moves are wished for
_ENOUGH = 4  # moves that are enough for any board
_BREADTH = 0.6  # the share of new positions among those that moves lead to


class Wish(NamedTuple):
    """What the board shall be like."""

    width: int
    height: int
    colours: int
    locks: int
    moves: int | None
    difficulty: int | None

    @property
    def effort(self) -> int:
        """The positions that breadth-first search may find."""
        if self.width * self.height > _PACKED:
            return _EFFORT_BY_RULES
        return max(_EFFORT, 2 * (self.difficulty or 0))

    @property
    def most(self) -> int:
        """The positions that a proof may take."""
        return self.effort if self.moves is None or self.effort < _EFFORT else _MOST_FOR_MOVES


class Made(NamedTuple):
    """A board that can be won."""

    trace: Trace
    """Wins it; its start is the board's."""
    proved: bool
    """Whether with the fewest moves."""
    effort: int
    """The positions that the search found."""

    @property
    def moves(self) -> int:
        """How many moves win it."""
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
        Of the board in tiles: 1 to 10, and not a single tile.
    colours : int
        2 to 26; fewer than the board has sides, or no shift could part a colour.
    locks : int
        Locked tiles, from 0 on; a row or column of two tiles or more must be left without one.
    moves : int, optional
        The fewest moves wished for, 1 to 100; by default, about as many as can be proved.
    difficulty : int, optional
        The search effort wished for, 1 to 1,000,000 positions; not together with `moves`.

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
    wish = _checked(Wish(width, height, colours, locks, moves, difficulty))
    rng = Rng(seed)
    made = best(_candidates(rng, wish), lambda made: _badness(made, wish)) or _simplest(rng, wish)
    return _finished(made, wish, seed)


def _checked(wish: Wish) -> Wish:
    check_whole("width", wish.width, 1, LONGEST)
    check_whole("height", wish.height, 2 if wish.width == 1 else 1, LONGEST)
    sides = 4 * wish.width * wish.height
    check_whole("colours", wish.colours, 2, min(len(_LETTERS), sides - 1))
    check_whole("locks", wish.locks, 0, max(rows * columns for rows, columns in _held(wish)))
    check_wished("moves", wish.moves, 1, MOST_MOVES)
    check_wished("difficulty", wish.difficulty, 1, MOST_DIFFICULTY)
    if wish.moves is not None and wish.difficulty is not None:
        raise GridproofError("moves and difficulty cannot both be wished for")
    return wish


def _held(wish: Wish) -> Iterator[tuple[int, int]]:
    """How many rows and columns locked tiles may hold, so that a line of two tiles or more can move."""
    width, height = wish.width, wish.height
    for rows in range(height + 1):
        for columns in range(width + 1):
            if (rows < height and width > 1) or (columns < width and height > 1):
                yield rows, columns


def _locked(rng: Rng, wish: Wish) -> frozenset[int]:
    """The places of the locked tiles: in as few lines as can be, so that the others move (S6)."""
    enough = [held for held in _held(wish) if held[0] * held[1] >= wish.locks]
    fewest = min(rows + columns for rows, columns in enough)
    rows, columns = rng.choice([held for held in enough if sum(held) == fewest])
    down, across = _some(rng, range(wish.height), rows), _some(rng, range(wish.width), columns)
    return frozenset(_some(rng, [y * wish.width + x for y in down for x in across], wish.locks))


def _some(rng: Rng, items: range | list[int], count: int) -> list[int]:
    """A random subset of `count` items, each as likely."""
    left = list(items)
    return [left.pop(rng.below(len(left))) for _ in range(count)]


# -- boards that are won


def _blank(rng: Rng, wish: Wish) -> Level:
    """The board without its colours."""
    locked = _locked(rng, wish)
    places = range(wish.width * wish.height)
    corners = [(place % wish.width, wish.height - 1 - place // wish.width) for place in places]
    return Level(Tile(f"t{place + 1}", *corners[place], PALETTE[0], place in locked) for place in places)


def _coloured(
    rng: Rng, blank: Level, wish: Wish, taken: list[list[regions.Side]], still: int | None = None
) -> Level:
    """The board with as many regions as are wished for; `taken` are the first sides of some of them."""
    beside = regions.adjacent(len(blank.tiles), blank.connection.borders)
    regions.begin(rng, beside, taken, wish.colours)
    owner = regions.grown(rng, beside, taken, still)
    most = max(wish.colours, len(PALETTE))
    names = _some(rng, range(most), wish.colours)
    return Level(
        Tile(
            tile.name, tile.x, tile.y, [_LETTERS[names[owner[place, side]]] for side in range(4)], tile.locked
        )
        for place, tile in enumerate(blank.tiles)
    )


def _telling(level: Level) -> list[Move]:
    """The moves that change the placement (S8)."""
    return [move for move in level.valid_moves if len(level.line(move)) > 1]


def _board(level: Level, tiles: Tiles) -> Level:
    """A board that begins with this placement, its tiles named in reading order."""
    return Level(
        Tile(f"t{place + 1}", *level.coordinates(place), level.tiles[tile].colours, level.tiles[tile].locked)
        for place, tile in enumerate(tiles)
    )


# -- boards that are not


def _candidates(rng: Rng, wish: Wish) -> Iterator[tuple[Made | None, float]]:
    """Boards shifted about, until all of them together have taken too much effort."""
    spent = 0
    for trial in range(_TRIALS):
        made = _made(rng, wish, trial)
        spent += made.effort if made else 0
        yield made, 0.0
        if spent >= _TIMES * wish.effort:
            break


def _made(rng: Rng, wish: Wish, trial: int) -> Made | None:
    """A board shifted about; None when it is won all the same."""
    won = _coloured(rng, _blank(rng, wish), wish, [])
    length = _reach(won, wish) if wish.moves is None else wish.moves + _FURTHER * trial
    trace = _scrambled(rng, won, length)
    return _nearest(trace, wish) if trace else None


def _reach(level: Level, wish: Wish) -> int:
    """About how many moves the search can look ahead."""
    breadth = max(2.0, _BREADTH * len(_telling(level)))
    return 1 + int(math.log(wish.effort) / math.log(breadth))


def _scrambled(rng: Rng, won: Level, length: int) -> Trace | None:
    """Undoes `length` random shifts of a won board; None when these lead to a win."""
    telling, tiles = _telling(won), won.start().tiles
    undoing: list[Move] = []
    for _ in range(length):
        move = rng.choice([move for move in telling if move not in undoing[:1]])
        tiles = won.effects[move][0](tiles)
        undoing.insert(0, move.opposite)
    return _winning(_board(won, tiles), undoing)


def _winning(level: Level, moves: Iterable[Move]) -> Trace | None:
    """The trace of these moves up to the first win; None when there is nothing to do."""
    position, steps = level.start(), []
    for move in moves:
        if position.won:
            break
        position = position.outcomes(move)[0].position
        steps.append(Step(move))
    return Trace(level.start(), tuple(steps)) if steps else None


def _nearest(trace: Trace, wish: Wish) -> Made:
    """The board on the way of the trace, or of a shorter win, that comes nearest to the wish."""
    made = nearest = _proved(trace, wish)
    if wish.moves is not None:
        spare = made.moves - wish.moves
        return _proved(_rest(made.trace, spare), wish) if spare > 0 else made
    while made.moves > 1 and not (made.proved and made.effort <= (wish.difficulty or made.effort)):
        made = _proved(_rest(made.trace, 1), wish)
        nearest = min(nearest, made, key=lambda item: _badness(item, wish))
    return nearest


def _rest(trace: Trace, count: int) -> Trace:
    """The trace without its first steps, on a board that begins there."""
    position = list(trace.positions())[count]
    assert isinstance(position, Position)
    return Trace(_board(position.level, position.tiles).start(), trace.steps[count:])


def measure(level: Level, limit: Limit | None = None) -> Measured | None:
    """The fewest moves of any board, and its difficulty where that can be measured; None without a proof."""
    solution = solve(level, limit=limit)
    if solution.trace is None or not solution.optimal:
        return None
    keys = {"Moves": len(solution.trace.steps), **_difficulty(level, limit)}
    return Measured(solution.trace, keys)


def _difficulty(level: Level, limit: Limit | None) -> Mapping[str, int]:
    """The key `Difficulty`; no key where it is too great to be measured."""
    plain = breadth_first(level.start(), limit)
    return {"Difficulty": plain.states} if plain.optimal else {}


def _proved(trace: Trace, wish: Wish) -> Made:
    """The same board with the fewest moves, where a search finds them; breadth-first, if difficulty matters."""
    limit = Limit(states=wish.most)
    solution = breadth_first(trace.start, limit) if wish.moves is None else solve(trace.start, limit=limit)
    return Made(solution.trace or trace, solution.optimal, solution.states)


def _badness(made: Made, wish: Wish) -> float:
    """How far a board is from what is wished: 0 is good enough."""
    unproved = 0.0 if made.proved else 0.5
    if wish.moves is not None:
        return unproved + abs(made.moves - wish.moves)
    if wish.difficulty is None:
        return unproved + max(0.0, 1 - made.moves / _ENOUGH)
    return unproved + difficulty_missed(made.effort, wish.difficulty)


def _simplest(rng: Rng, wish: Wish) -> Made:
    """The fallback: a board of one move.

    A colour is two sides that face each other: one in a line that can be moved, the other beside that line.
    On a board of a single line a colour is one side of a tile, which parts that tile from the one on its
    other end, and the other side links it with its neighbour: until the tile moves to the far end.
    """
    blank = _blank(rng, wish)
    move = next(move for move in _telling(blank) if move.direction in ("left", "up"))
    line = blank.line(move)
    borders = blank.connection.borders
    ends = [border for border in borders if line[-1] in border[:2]]
    beside = [border for border in ends if not set(border[:2]) <= set(line)]
    place, neighbour, out, into = (beside or borders)[0]
    link = [(place, out), (neighbour, into)]
    won = _coloured(rng, blank, wish, [link] if beside else [[(place, (out + 2) % 4)], link], still=0)
    board = _board(won, won.effects[move][0](won.start().tiles))
    return _proved(Trace(board.start(), (Step(move.opposite),)), wish)


def _finished(made: Made, wish: Wish, seed: int) -> Level:
    """The board with all that is to be said of it, and its certificate."""
    board = made.trace.level
    assert isinstance(board, Level)
    keys = {"Moves": made.moves}
    if made.proved and wish.moves is None:
        keys["Difficulty"] = made.effort
    elif made.proved:
        keys |= _difficulty(board, Limit(states=wish.effort))
    difficulty = made.effort, wish.difficulty
    return finished(board, seed, made.trace.steps, keys, _missed(made, wish), difficulty)


def _missed(made: Made, wish: Wish) -> Iterator[str]:
    """What could not be reached."""
    if not made.proved:
        yield f"a proof that {counted(made.moves, 'moves')} {'is' if made.moves == 1 else 'are'} the fewest"
    if wish.moves is not None and wish.moves != made.moves:
        yield counted(wish.moves, "moves")
