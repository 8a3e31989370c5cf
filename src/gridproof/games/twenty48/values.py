"""Values of positions of 2048, exact but for rounding: all positions up to symmetry, backwards by layers of the tile sum.

A position costs 24 bytes, and 48 in the layer at work; boards have at most 16 cells, and no tile above 2^15 is allowed.
Where a limit comes first, the values are bounds, with 40 bytes a position: positions behind the last layer have the least and
the greatest possible value. With a limit of time, each round of bounds has eight times as many positions.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.core.proposition import Goal
from gridproof.games.twenty48.kernel import layers
from gridproof.games.twenty48.kernel.cells import KINDS, MOST, NIBBLES, TILES
from gridproof.games.twenty48.kernel.packing import max_exponent, packing_in
from gridproof.games.twenty48.kernel.symmetry import symmetry_images
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing, kernel_of
from gridproof.prove.interval import ANYTHING, CERTAIN, Interval, round_sizes
from gridproof.search.goals import compile_term
from gridproof.search.refusal import Refused
from gridproof.search.space import Progress
from gridproof.search.thread_pool import available_cores, thread_map

Array = np.ndarray[Any, Any]

_FIRST = 1 << 10  # slots of a table at first
_PART = 1 << 17  # boards that one core works on between two looks at the clock
LARGEST = 1 << MOST[NIBBLES]
"""The largest tile."""
_UNIT = 2.0**-53  # the largest relative error of one rounding
_SMALLEST = 1e-300  # the largest error of all underflows


class _Interrupted(Exception):
    """The time limit was reached."""


def _check_time(meter: Meter) -> None:
    if meter.is_interrupted():
        raise _Interrupted


class _Table:
    """A table of boards and their values."""

    def __init__(self, slots: int, unknown: Array) -> None:
        self.boards, self.count = np.zeros(slots, np.uint64), 0
        self.worth = np.tile(unknown, (slots if len(unknown) else 0, 1))

    def fill(
        self, add: Callable[[Array, int, Array, int], tuple[int, int]], origins: Array, meter: Meter
    ) -> None:
        """Add what follows from some boards, by a kernel, part by part; grow when the table is half full."""
        first = 0
        while first < len(origins):
            _check_time(meter)
            end = min(len(origins), first + _PART)
            first, self.count = add(origins[:end], first, self.boards, self.count)
            if first < end:
                boards = self.list_boards()
                self.boards = np.zeros(2 * len(self.boards), np.uint64)
                layers.add_boards(boards, self.boards, self.worth, self.worth)

    def list_boards(self) -> Array:
        """Return the boards."""
        listed: Array = self.boards[self.boards != 0]
        return listed

    @classmethod
    def of(cls, boards: Array, worth: Array, unknown: Array) -> _Table:
        """Make a table of different boards with values."""
        table = cls(_slot_count(len(boards)), unknown)
        table.count = len(boards)
        layers.add_boards(boards, table.boards, table.worth, worth)
        return table


_NO_WORTH = np.zeros(0)
"""The unknown value in tables without values."""


def _slot_count(count: int) -> int:
    return max(_FIRST, 1 << (2 * count + 16).bit_length())


@dataclass(slots=True)
class _Layer:
    """The positions of one tile sum without the goal."""

    boards: Array
    worth: Array
    in_order: bool = False

    def of(self, board: int) -> tuple[Interval, Interval] | None:
        """Return the values of a board; None when it is not there."""
        if not self.in_order:
            order = np.argsort(self.boards)
            self.boards, self.worth, self.in_order = self.boards[order], self.worth[order], True
        place = int(np.searchsorted(self.boards, np.uint64(board)))
        if place == len(self.boards) or int(self.boards[place]) != board:
            return None
        row = self.worth[place].tolist()
        bounds = row if len(row) == 4 else [row[0], row[0], row[1], row[1]]
        return Interval(*bounds[:2]), Interval(*bounds[2:])


class Layers:
    """All successors of some positions, or those of the first layers, and their values.

    Slides that change the bits `fixed` of a board are left out.

    Attributes
    ----------
    states : int
        The number of positions up to symmetry, without those that have the goal.
    live : int
        The number of those with an action, counting all images.
    unknown : Interval
        Bounds of the value of any position.
    """

    def __init__(
        self,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Callable[[Position[Any]], bool] | None,
        compiled: Any,
        fixed: int = 0,
    ) -> None:
        self._packing, self._goal = packing, goal
        self._data, self._images = packing.data, symmetry_images(packing.level)  # type: ignore[arg-type]  # 2048's
        if fixed:
            self._images = self._images[:1]  # others move the cells
        holds, arguments = compiled
        self._setup = layers.Setup(self._data, arguments, self._images, np.uint64(fixed))
        self._spawn = kernel(layers.spawn_all, holds=holds)
        self._value = kernel(layers.value_afters, holds=holds)
        kinds = range(self._data[KINDS])
        self._exponents = [int(self._data[self._data[TILES] + kind]) for kind in kinds]
        self._layers: dict[int, Array] = {}
        self._known: dict[int, _Layer] = {}
        self.states = self.live = 0
        self.unknown = ANYTHING if goal else Interval(0.0, float(max(map(_max_points, starts))))
        self._largest = max(max(start.cells) for start in starts)  # type: ignore[attr-defined]  # 2048's
        first: dict[int, set[int]] = {}
        for start in starts:
            if not (goal and goal(start)):
                first.setdefault(sum(start.cells), set()).add(self._least_image(start))  # type: ignore[attr-defined]  # 2048's
        self._open = {
            total: _Table.of(np.array([*boards], np.uint64), np.zeros((0, 0)), _NO_WORTH)
            for total, boards in first.items()
        }

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        none, slots, worth = np.zeros(0, np.uint64), np.zeros(2, np.uint64), np.zeros((2, 2))
        table, nothing = layers.ValueTable(slots, worth), layers.ValueTable(none, worth)
        layers.add_boards(none, slots, worth, worth)
        layers.slide_all(self._setup, none, 0, slots, 0)
        self._spawn(self._setup, 1, none, 0, slots, 0)
        self._value(self._setup, table, (table, table), 0, 0)
        layers.value_boards(self._setup, nothing, table, False, 0, 0)

    def run(self, meter: Meter, progress: Progress | None) -> None:
        """Find all positions and their values; or as many as a limit allows, and bounds of their values."""
        patient = meter.limit.seconds is None and meter.limit.stop is None
        try:
            for most in [math.inf] if patient else round_sizes():
                self._explore(most, meter, progress)
                self._value_all(meter)
                if not self._open or meter.stopped_by:
                    break
        except _Interrupted:
            pass

    def run_to_end(self, meter: Meter) -> bool:
        """Find all positions and their values; False, without any value, where a limit comes first."""
        try:
            self._explore(math.inf, meter, None)
            if self._open:
                return False
            self._value_all(meter)
        except _Interrupted:
            return False
        return True

    def _explore(self, most: float, meter: Meter, progress: Progress | None) -> None:
        """Find whole layers, until there are `most` positions."""
        while self._open and self.states < most:
            total = min(self._open)
            boards = self._open[total].list_boards()
            if total >= 2 * LARGEST and _may_overflow(boards):
                raise Refused("tiles above 2^15 may come")
            if not self._has_room(len(boards), meter):
                return
            afters = self._slide_layer(boards, meter).boards
            for exponent in self._exponents:
                table = self._open.setdefault(total + (1 << exponent), _Table(_FIRST, _NO_WORTH))
                table.fill(functools.partial(self._spawn, self._setup, exponent), afters, meter)
            self._layers[total] = boards
            self.states += len(boards)
            self._open = {
                after: table for after, table in self._open.items() if after > total and table.count
            }
            if progress:
                progress(self.states)

    def _has_room(self, more: int, meter: Meter) -> bool:
        """Return whether a limit allows `more` positions, with room for their values."""
        limit = meter.limit.states
        if limit is not None and self.states + more > limit:
            meter.stopped_by = "states"
            return False
        return meter.has_room(200 * more + 32 * self.states)

    def _slide_layer(self, boards: Array, meter: Meter) -> _Table:
        table = _Table(_slot_count(len(boards)), _NO_WORTH)
        table.fill(functools.partial(layers.slide_all, self._setup), boards, meter)
        return table

    def _value_all(self, meter: Meter) -> None:
        """Value all positions found; others have the least and the greatest possible value."""
        unknown = np.array([*self.unknown, *self.unknown], np.float64) if self._open else np.zeros(2)
        tables, known, live = dict[int, _Table](), dict[int, _Layer](), 0
        nothing = _Table(_FIRST, unknown)
        for total in sorted(self._layers, reverse=True):
            layer = _Layer(self._layers[total], np.zeros((len(self._layers[total]), len(unknown))))
            after = [tables.get(total + (1 << exponent), nothing) for exponent in self._exponents]
            live += self._value_layer(layer, after[0], after[-1], meter)
            np.minimum(layer.worth, float(self.unknown.high), out=layer.worth)
            known[total] = layer
            tables[total] = _Table.of(layer.boards, layer.worth, unknown)
            for late in [late for late in tables if late > total + (1 << max(self._exponents)) - 2]:
                del tables[late]
        self._known, self.live = known, live

    def _value_layer(self, layer: _Layer, first: _Table, second: _Table, meter: Meter) -> int:
        """Value a layer; return how many of its positions have an action."""
        afters = self._slide_layer(layer.boards, meter)
        worth = np.zeros((len(afters.boards), layer.worth.shape[1]))
        after, here = layers.ValueTable(afters.boards, worth), layers.ValueTable(layer.boards, layer.worth)
        following = (
            layers.ValueTable(first.boards, first.worth),
            layers.ValueTable(second.boards, second.worth),
        )

        def value_afters(begin: int, end: int) -> None:
            self._value(self._setup, after, following, begin, end)

        def value_boards(begin: int, end: int) -> int:
            return int(layers.value_boards(self._setup, here, after, self._goal is None, begin, end))

        list(_share_work(value_afters, len(worth), meter))
        return sum(_share_work(value_boards, len(layer.boards), meter))

    def _least_image(self, position: Position[Any]) -> int:
        return int(layers.least_image(self._images, self._packing.pack(position)[0]))

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the intervals of the best and the worst value of a position, but for rounding; None when it was not found."""
        if self._goal and self._goal(position):
            return CERTAIN, CERTAIN
        cells = position.cells  # type: ignore[attr-defined]  # 2048's
        layer = self._known.get(sum(cells)) if max(cells) <= LARGEST else None
        return layer.of(self._least_image(position)) if layer else None

    @property
    def remark(self) -> str:
        """The sum of the tiles up to which all play was searched, and a goal within its reach."""
        if not self._known:
            return ""
        total = max(self._known)
        near = 1 << (total // 2).bit_length() - 1
        example = f", such as tile({near})," if near > self._largest else " or a later position"
        return (
            f"no play decides it with a noticeable chance until the sum of the tiles is over {total}; "
            f"a nearer goal{example} gets closer bounds"
        )

    @property
    def error(self) -> float:
        """The largest relative error of a value.

        Sums and products of numbers that are not negative: each rounding changes the result by a part of it, and no
        position is more layers away from the last one than there are (Higham, "Accuracy and Stability of Numerical
        Algorithms", 2002, lemma 3.1).
        """
        cells = self._images.shape[1]
        roundings: float = (cells + 2 * len(self._exponents) + 4) * len(self._layers) * _UNIT
        return roundings / (1 - roundings) + _SMALLEST


def _max_points(position: Position[Any]) -> int:
    """Return an upper bound of the score in all play: a tile 2^k has scored at most (k - 1) 2^k (T7)."""
    largest = max_exponent(position.level, position.cells)  # type: ignore[arg-type, attr-defined]  # 2048's
    return (largest - 1) << (largest + 1)


def _may_overflow(boards: Array) -> bool:
    """Return whether some board has two of the largest tiles of a cell of four bits."""
    cells = range(0, 64, 1 << NIBBLES)
    counts = sum(((boards >> np.uint64(cell)) & np.uint64(15)) == MOST[NIBBLES] for cell in cells)
    return bool(np.any(counts > 1))


def _share_work(work: Callable[[int, int], Any], number: int, meter: Meter) -> Iterator[Any]:
    """Yield the results of parts of some work, by all cores."""
    cores = available_cores() if number > _FIRST * 8 else 1
    with thread_map(cores) as each:
        for first in range(0, number, cores * _PART):
            _check_time(meter)
            some = min(number - first, cores * _PART)
            edges = [first + some * part // cores for part in range(cores + 1)]
            yield from each(work, edges, edges[1:])


def values(starts: list[Position[Any]], goal: Goal | None, meter: Meter, progress: Progress | None) -> Layers:
    """Compute the values of all successors of some positions of a level, or bounds where a limit comes first.

    Parameters
    ----------
    goal : Goal or None
        None for the score.

    Raises
    ------
    Refused
        When the board has more than 16 cells, tiles above 2^15 are possible, or no kernel knows the goal.
    """
    level, game = starts[0].level, kernel_of(starts[0].level.game)
    with meter.pause():
        cells = [start.cells for start in starts]  # type: ignore[attr-defined]  # 2048's
        if game is None or len(cells[0]) > 16 or max(map(max, cells)) > LARGEST:
            raise Refused("more than 16 cells, or tiles above 2^15")
        if goal is not None and (goal.name, goal.arguments) == ("home", ()):
            raise Refused("home is not the same turned or mirrored")
        packing = packing_in(level, NIBBLES, MOST[NIBBLES])  # type: ignore[arg-type]  # 2048's
        compiled = (
            (layers.no_goal, np.zeros(0, np.int64)) if goal is None else compile_term(game, packing, goal)
        )
        found = Layers(packing, starts, goal, compiled)
        found.prepare()
    found.run(meter, progress)
    return found


VALUES = values
