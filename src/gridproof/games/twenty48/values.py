"""What positions of 2048 are worth, exactly but for rounding: all of them up to symmetry, backwards by layers of the tile sum.

One position costs 24 bytes, and a layer that is worked on twice as much; boards have at most 16 cells, and no tile above 2^15 may come.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.core.proposition import Goal
from gridproof.games.twenty48.kernel import layers
from gridproof.games.twenty48.kernel.cells import KINDS, NIBBLES, SHIFT, TILES
from gridproof.games.twenty48.rules import Level
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing, packing_of
from gridproof.search.cores import available_cores, mapping
from gridproof.search.goals import compiled_term
from gridproof.search.refusal import Refused
from gridproof.search.space import Progress

Array = np.ndarray[Any, Any]

_WORTHLESS = np.zeros((0, 2))
_FIRST = 1 << 10  # slots of a table at first
_UNIT = 2.0**-53  # what rounding once does to a number at most, as a part of it
_SMALLEST = 1e-300  # what underflow does in all


def images_of(level: Level) -> Array:
    """How a board is turned and mirrored: uint64 (8 or 4, cells), as `layers.least_image` has it."""
    numbers = np.arange(level.width * level.height).reshape(level.height, level.width)
    turns = range(4) if level.width == level.height else (0, 2)
    found = [np.rot90(one, turn).ravel() for turn in turns for one in (numbers, numbers[:, ::-1])]
    return (
        4 * np.array(found, np.uint64)[:, ::-1]
    )  # the last cell first, and the board itself the first image


class _Table:
    """Boards, and what they are worth."""

    def __init__(self, slots: int) -> None:
        self.boards, self.count = np.zeros(slots, np.uint64), 0
        self.worth = _WORTHLESS

    def fill(self, add: Callable[[int, Array, int], tuple[int, int]], last: int) -> None:
        """Let a kernel add boards, growing whenever it is half full."""
        first = 0
        while True:
            first, self.count = add(first, self.boards, self.count)
            if first >= last:
                return
            boards = self.listed()
            self.boards = np.zeros(2 * len(self.boards), np.uint64)
            layers.put_all(boards, self.boards, self.worth, self.worth)

    def listed(self) -> Array:
        """The boards."""
        listed: Array = self.boards[self.boards != 0]
        return listed

    @classmethod
    def of(cls, boards: Array, worth: Array) -> _Table:
        """A table of different boards with values."""
        made = cls(_slots(len(boards)))
        made.worth = np.zeros((len(made.boards), 2))
        layers.put_all(boards, made.boards, made.worth, worth)
        return made


def _put(new: Array, first: int, boards: Array, count: int) -> tuple[int, int]:
    """Put one board into a table, if it is not there."""
    if new[0] in boards:
        return 1, count
    layers.put_all(new, boards, _WORTHLESS, _WORTHLESS)
    return 1, count + 1


def _slots(count: int) -> int:
    return max(_FIRST, 1 << (2 * count + 16).bit_length())


@dataclass(slots=True)
class _Layer:
    """The positions of one tile sum that have not the goal."""

    boards: Array
    worth: Array
    in_order: bool = False

    def of(self, board: int) -> tuple[float, float] | None:
        """What a board is worth; None when it is not there."""
        if not self.in_order:
            order = np.argsort(self.boards)
            self.boards, self.worth, self.in_order = self.boards[order], self.worth[order], True
        place = int(np.searchsorted(self.boards, np.uint64(board)))
        if place == len(self.boards) or int(self.boards[place]) != board:
            return None
        best, worst = self.worth[place]
        return float(best), float(worst)


class Layers:
    """All positions that can follow from some, and what they are worth.

    Attributes
    ----------
    states : int
        Positions kept: up to symmetry, and without those that have the goal.
    live : int
        Those of them with an action, all that are alike counted.
    """

    def __init__(
        self, packing: Packing, starts: list[Position[Any]], goal: Goal | None, compiled: Any
    ) -> None:
        self._packing, self._starts, self._goal = packing, starts, goal
        self._data, self._images = packing.data, images_of(packing.level)  # type: ignore[arg-type]  # 2048's
        holds, self._arguments = compiled
        self._spawn = kernel(layers.spawn_all, holds=holds)
        self._value = kernel(layers.value_afters, holds=holds)
        kinds = range(self._data[KINDS])
        self._exponents = [int(self._data[self._data[TILES] + kind]) for kind in kinds]
        self._layers: dict[int, _Layer] = {}
        self.states = self.live = 0
        self._longest = 0

    def run(self, meter: Meter, progress: Progress | None) -> bool:
        """Find all positions, then their values; False when a limit is reached."""
        return self._all_found(meter, progress) and self._all_valued(meter)

    def _all_found(self, meter: Meter, progress: Progress | None) -> bool:
        open_layers: dict[int, _Table] = {}
        for start in self._starts:
            if not (self._goal and self._goal(start)):
                table = open_layers.setdefault(sum(start.cells), _Table(_FIRST))  # type: ignore[attr-defined]  # 2048's
                board = np.array([self._least(start)], np.uint64)
                table.fill(functools.partial(_put, board), 1)
        while open_layers:
            least = min(open_layers)
            boards = open_layers.pop(least).listed()
            self._layers[least] = _Layer(boards, np.zeros((len(boards), 2)))
            self.states += len(boards)
            if progress:
                progress(self.states)
            if meter.reached(self.states) or not meter.has_room(200 * len(boards)):
                return False
            afters = self._afters(boards).boards
            for exponent in self._exponents:
                table = open_layers.setdefault(least + (1 << exponent), _Table(_FIRST))
                table.fill(functools.partial(self._spawned, afters, exponent), len(afters))
            for total in [total for total, table in open_layers.items() if not table.count]:
                del open_layers[total]
        return True

    def _afters(self, boards: Array) -> _Table:
        table = _Table(_slots(len(boards)))
        table.fill(
            lambda first, slots, count: layers.slide_all(
                self._data, self._images, boards, first, slots, count
            ),
            len(boards),
        )
        return table

    def _spawned(self, afters: Array, exponent: int, first: int, slots: Array, count: int) -> tuple[int, int]:
        found: tuple[int, int] = self._spawn(
            self._data, self._arguments, self._images, afters, first, exponent, slots, count
        )
        return found

    def _all_valued(self, meter: Meter) -> bool:
        tables: dict[int, _Table] = {}
        nothing = _Table(_FIRST)
        nothing.worth = np.zeros((_FIRST, 2))
        for total in sorted(self._layers, reverse=True):
            if meter.reached(self.states):
                return False
            layer = self._layers[total]
            after = [tables.get(total + (1 << exponent), nothing) for exponent in self._exponents]
            self._value_layer(layer, after[0], after[-1])
            tables[total] = _Table.of(layer.boards, layer.worth)
            for late in [late for late in tables if late > total + (1 << max(self._exponents)) - 2]:
                del tables[late]
        return True

    def _value_layer(self, layer: _Layer, first: _Table, second: _Table) -> None:
        afters = self._afters(layer.boards)
        worth = np.zeros((len(afters.boards), 2))
        tables, values = (first.boards, second.boards), (first.worth, second.worth)
        about = self._data, self._arguments, self._images, afters.boards

        def value_afters(begin: int, end: int) -> None:
            self._value(*about, begin, end, tables, values, worth)

        def value_boards(begin: int, end: int) -> int:
            scores = self._goal is None
            parts = layer.boards, begin, end, afters.boards, worth, scores, layer.worth
            return int(layers.value_boards(self._data, self._images, *parts))

        list(_shared(value_afters, len(worth)))
        self.live += sum(_shared(value_boards, len(layer.boards)))

    def _least(self, position: Position[Any]) -> int:
        return int(layers.least_image(self._images, self._packing.pack(position)[0]))

    def of(self, position: Position[Any]) -> tuple[float, float] | None:
        """The best and the worst value of a position; None when it was not found."""
        if self._goal and self._goal(position):
            return 1.0, 1.0
        layer = self._layers.get(sum(position.cells))  # type: ignore[attr-defined]  # 2048's
        return layer.of(self._least(position)) if layer and self._packing.fits(position) else None

    @property
    def error(self) -> float:
        """By which part of it a value may be wrong at most.

        Sums and products of numbers that are not negative: each rounding changes the result by a part of it, and no
        position is more layers away from the last one than there are (Higham, "Accuracy and Stability of Numerical
        Algorithms", 2002, lemma 3.1).
        """
        cells = self._images.shape[1]
        roundings: float = (cells + 2 * len(self._exponents) + 4) * len(self._layers) * _UNIT
        return roundings / (1 - roundings) + _SMALLEST


def _shared(work: Callable[[int, int], Any], number: int) -> Iterator[Any]:
    """The parts of some work, by all cores."""
    cores = available_cores() if number > _FIRST * 8 else 1
    edges = [number * part // cores for part in range(cores + 1)]
    with mapping(cores) as each:
        yield from each(work, edges, edges[1:])


def values(
    starts: list[Position[Any]], goal: Goal | None, meter: Meter, progress: Progress | None
) -> Layers | None:
    """The values of all that follows from some positions of a level.

    Parameters
    ----------
    goal : Goal or None
        None for the score.

    Raises
    ------
    Refused
        When the board has more than 16 cells, tiles above 2^15 may come, or no kernel knows the goal.
    """
    with meter.paused():
        known = packing_of(starts[0].level)
        if known is None or known[1].words != 1 or known[1].data[SHIFT] != NIBBLES:
            raise Refused("more than 16 cells, or tiles above 2^15")
        game, packing = known
        if goal is not None and (goal.name, goal.arguments) == ("home", ()):
            raise Refused("home is not the same turned or mirrored")
        compiled = (
            (layers.nothing, np.zeros(0, np.int64)) if goal is None else compiled_term(game, packing, goal)
        )
        found = Layers(packing, starts, goal, compiled)
    return found if found.run(meter, progress) else None
