"""The meaning of 2048: frozen values and pure functions, with clause numbers beside the code.

How chance is drawn (T18), so that others can repeat it: all outcomes stand in one order, places in
reading order and for each place its tiles in ascending order, and one number from `Rng.below` picks
among equally likely parts of them:

- a spawn (T10) after the n-th action, from stream n: with k empty cells and an urn of u tiles,
  number = below(k * u); the tile urn[number % u] goes to the empty cell number // u;
- a start (T5), from stream 0: with p pairs of cells (lexicographic) and an urn of u pairs of tiles,
  number = below(p * u); the tiles urn[number % u] go to the pair number // u.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import IllegalAction, InvalidLevel, NoEffect
from gridproof.core.outcome import ONE
from gridproof.core.rng import Rng, check_rng
from gridproof.games.twenty48.tiles import SLIDES, SPAWN_RULES, Cell, Merged, Spawned, SpawnRule
from gridproof.games.twenty48.validity import find_defects

_NOTHING_MOVES = "it would change nothing: no tile has room there, and no equal tiles meet"


class Move(core.NamedEnum):
    """A direction; the value is the text of the action."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"

    __hash__ = object.__hash__  # members are single; the one of Enum is slow

    def __str__(self) -> str:
        return str(self._value_)  # `value` takes ten times as long


_MOVES = tuple(Move)


@dataclass(frozen=True)
class Level(core.Level):
    """A board's size, spawn rule, target and start.

    Parameters
    ----------
    width, height : int
        From 2 to 6 (T1).
    spawn : str
        The document's rule `spec`, or `classic` (T10).
    target : int
        A power of two, at least 8.
    board : sequence of sequences of int, optional
        The rows to start with (T12); without them the start is drawn (T5).

    Raises
    ------
    InvalidLevel
        With every broken part of T1, T3, T10 and T12.
    """

    width: int = 4
    height: int = 4
    spawn: str = "spec"
    target: int = 2048
    board: Sequence[Sequence[int]] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if problems := find_defects(self.width, self.height, self.spawn, self.target, self.board):
            raise InvalidLevel(problems)
        if self.board is not None:
            object.__setattr__(self, "board", tuple(map(tuple, self.board)))

    @property
    def rule(self) -> SpawnRule:
        """The spawn rule: the tiles that appear."""
        return SPAWN_RULES[self.spawn]

    def all_actions(self) -> tuple[Move, ...]:
        return tuple(Move)

    def starts(self) -> Iterator[core.Outcome[Position]]:
        if self.board is not None:
            yield core.Outcome(Position(self, tuple(itertools.chain(*self.board))))
            return
        pairs, urn = self._pairs, self.rule.pair
        for places in pairs:
            for values, count in Counter(urn).items():
                yield self._start(places, values, Fraction(count, len(urn) * len(pairs)))

    def start(self, seed: int = 0) -> Position:
        rng = Rng(seed)
        if self.board is not None:
            return next(self.starts()).position
        pairs, urn = self._pairs, self.rule.pair
        pair, entry = divmod(rng.below(len(pairs) * len(urn)), len(urn))  # T18
        return self._start(pairs[pair], urn[entry]).position

    def _start(
        self, places: tuple[int, int], values: tuple[int, int], probability: Fraction = ONE
    ) -> core.Outcome[Position]:
        tiles = dict(zip(places, values, strict=True))
        spawns = [self.spawns[place][value] for place, value in tiles.items()]
        return core.Outcome(
            Position(self, tuple(tiles.get(place, 0) for place in range(self.width * self.height))),
            probability,
            events=tuple(event for event, _ in spawns),
            label=" ".join(label for _, label in spawns),
        )

    # -- tables, made once a level

    @functools.cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in reading order; a cell's index here is its place in `Position.cells`."""
        return tuple(itertools.product(range(self.height), range(self.width)))

    @functools.cached_property
    def lines(self) -> Mapping[Move, tuple[tuple[slice, tuple[Cell, ...]], ...]]:
        """The places of each line, from the edge towards which the move goes, and its cells."""
        width, last = self.width, self.width * self.height - 1
        rows = [(row * width, row * width + width - 1) for row in range(self.height)]
        columns = [(column, last - width + 1 + column) for column in range(width)]
        places = {
            Move.LEFT: [slice(first, end + 1) for first, end in rows],
            Move.RIGHT: [slice(end, first - 1 if first else None, -1) for first, end in rows],
            Move.UP: [slice(first, None, width) for first, _ in columns],
            Move.DOWN: [slice(end, None, -width) for _, end in columns],
        }
        return {move: tuple((line, self.cells[line]) for line in places[move]) for move in Move}

    @functools.cached_property
    def spawns(self) -> tuple[Mapping[int, tuple[Spawned, str]], ...]:
        """The event and the label of a spawn at each place, by value."""
        return tuple(
            {value: (Spawned(cell, value), f"{value}@({cell[0]},{cell[1]})") for value in (2, 4)}
            for cell in self.cells
        )

    @functools.cached_property
    def values(self) -> tuple[int, ...]:
        """The tiles that appear (T10)."""
        return tuple(dict.fromkeys(self.rule.tile))

    @functools.cached_property
    def chances(self) -> tuple[tuple[tuple[int, Fraction], ...], ...]:
        """Each value with its probability at one empty cell, by the number of empty cells (T10)."""
        urn = self.rule.tile
        return tuple(
            tuple((value, Fraction(count, len(urn) * empty)) for value, count in Counter(urn).items())
            if empty
            else ()
            for empty in range(len(self.cells))
        )

    @functools.cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(itertools.combinations(range(len(self.cells)), 2))


@dataclass(frozen=True, slots=True)
class Position(core.Position[Move]):
    """A board after the spawn (T17); the score is no part of it."""

    level: Level
    cells: tuple[int, ...]
    """The tiles in reading order, 0 where there is none."""
    _moves: tuple[Move, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """The valid moves, after their first use."""

    def __hash__(self) -> int:
        return hash(self.cells)

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The board, row by row."""
        width = self.level.width
        return tuple(self.cells[first : first + width] for first in range(0, len(self.cells), width))

    @property
    def empty(self) -> frozenset[Cell]:
        """The empty cells (T2)."""
        return frozenset(cell for cell, tile in zip(self.level.cells, self.cells, strict=True) if not tile)

    @property
    def won(self) -> bool:
        """True if some tile is the target or more (T11).

        No memory is needed (T11): tiles only grow, and none appears as large as a target.
        """
        return max(self.cells) >= self.level.target

    @property
    def lost(self) -> bool:
        """True if no move is valid; also true of some won positions (T11)."""
        return not self.actions()

    @property
    def ended(self) -> bool:
        return self.lost  # after a win the player may continue (T11)

    def can_move(self, move: Move) -> bool:
        """Return whether the move is valid, that is, changes the board (T8)."""
        for where, _ in self.level.lines[move]:
            line = self.cells[where]
            if SLIDES[line].line != line:
                return True
        return False

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        if actor not in (None, "player"):
            return ()
        if self._moves is None:
            object.__setattr__(self, "_moves", tuple(filter(self.can_move, _MOVES)))
        return self._moves or ()

    def outcomes(self, action: Move) -> tuple[core.Outcome[Position], ...]:
        level, (cells, empty, reward, events) = self.level, self.afterstate(action)
        found = []
        for place in empty:
            for value, probability in level.chances[len(empty)]:
                event, label = level.spawns[place][value]
                cells[place] = value
                position = Position(level, tuple(cells))
                found.append(core.Outcome(position, probability, reward, (*events, event), label))
            cells[place] = 0
        return tuple(found)

    def successors(self, actor: str | None = None) -> list[tuple[int, ...]]:
        """Return the boards after all slides and spawns."""
        found: list[tuple[int, ...]] = []
        if actor not in (None, "player"):
            return found
        before, cells = self.cells, list(self.cells)
        for lines in self.level.lines.values():
            for where, _ in lines:
                cells[where] = SLIDES[before[where]].line
            if tuple(cells) == before:  # T8
                continue
            for place in [place for place, tile in enumerate(cells) if not tile]:
                for value in self.level.values:
                    cells[place] = value
                    found.append(tuple(cells))
                cells[place] = 0
        return found

    def at(self, successor: tuple[int, ...]) -> Position:
        return Position(self.level, successor)

    def step(self, action: Move, rng: Rng) -> core.Outcome[Position]:
        after, urn = self.afterstate(action), self.level.rule.tile
        place, entry = divmod(check_rng(rng).below(len(after.empty) * len(urn)), len(urn))  # T18
        return self._spawn(after, after.empty[place], urn[entry])

    def outcome(self, action: Move, label: str) -> core.Outcome[Position]:
        after = self.afterstate(action)
        for place in after.empty:
            for value, _ in self.level.chances[1]:
                if self.level.spawns[place][value][1] == label:
                    return self._spawn(after, place, value)
        raise IllegalAction(action, f"it has no outcome {label!r} here")

    def refusal(self, text: str) -> IllegalAction:
        """Return the error for a text that is no valid move."""
        return NoEffect(text, _NOTHING_MOVES) if text in map(str, Move) else core.Position.refusal(self, text)

    def afterstate(self, move: Move) -> Afterstate:
        """Return the board after the slide and before the spawn (T6); IllegalAction when that changes nothing (T9)."""
        if not isinstance(move, Move):
            raise self.no_action(move)
        before, cells = self.cells, list(self.cells)
        reward = 0
        events: tuple[Merged, ...] = ()
        for where, line in self.level.lines[move]:
            cells[where], gain, merged = SLIDES[before[where]]
            if merged:
                reward += gain
                events += tuple(Merged(line[place], value) for place, value in merged)
        if tuple(cells) == before:
            raise NoEffect(move, _NOTHING_MOVES)
        return Afterstate(cells, [place for place, tile in enumerate(cells) if not tile], reward, events)

    def _spawn(self, after: Afterstate, place: int, value: int) -> core.Outcome[Position]:
        """Return the outcome in which this tile appears there (T10)."""
        event, label = self.level.spawns[place][value]
        probability = dict(self.level.chances[len(after.empty)])[value]
        after.cells[place] = value
        position = Position(self.level, tuple(after.cells))
        return core.Outcome(position, probability, after.reward, (*after.events, event), label)


class Afterstate(NamedTuple):
    """A board after the slide and before the spawn."""

    cells: list[int]
    empty: list[int]
    reward: int
    events: tuple[Merged, ...]
