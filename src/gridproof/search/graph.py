"""The edges of a state space, in compressed sparse rows: by the game's kernel, or by its rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import check_stop
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.representation import Representable
from gridproof.core.text.phrases import format_count
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.states import States, find
from gridproof.search.actors import Who
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.state_store import Outcomes, scratch
from gridproof.search.thread_pool import available_cores, thread_map
from gridproof.search.two_bit_bfs import TwoBitStates

Array = np.ndarray[Any, Any]

_ROOM = 1 << 18  # edges of one core at a time
_LARGEST = (1 << 31) - 1  # a position's number is 32 bits
_LARGEST_WHOLE = 1 << 62
_BYTE_VALUES = 1 << 8

successors: Any = Hole()


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Graph(Representable):
    """Edges in compressed sparse rows: those of position i are at `offsets[i]` to `offsets[i + 1]`.

    Each outcome of each action is an edge, in the order of the rules: several may join the same two positions.
    The arrays are read only.
    """

    offsets: Array
    """int64 (n + 1,)"""
    targets: Array
    """int32 (m,): the numbers of the positions that the edges lead to."""
    weights: Array
    """(m,) whole numbers: an edge's probability, once its action has been chosen, is its weight divided by `whole`.
    Python's own, where 64 bits are too few."""
    whole: int
    """The sum of the weights of one action in one position."""
    labels: tuple[Any, ...]
    """The actions, at their numbers."""
    rows: tuple[Array, Array]
    """Writable offsets and targets for kernels, which are compiled for such arrays; they do not write to them."""
    _actions: Array

    def __init__(
        self,
        offsets: Array,
        targets: Array,
        actions: Array,
        weights: Array,
        whole: int,
        labels: tuple[Any, ...],
    ) -> None:
        for name, array in (("offsets", offsets), ("targets", targets), ("weights", weights)):
            vars(self)[name] = array.view()
            vars(self)[name].flags.writeable = False
        vars(self).update(whole=whole, labels=labels, rows=(offsets, targets), _actions=actions)

    def __str__(self) -> str:
        return f"{self._counts}, {format_count(len(self.labels), 'actions')}, {self.nbytes:,} bytes"

    def _summary(self) -> str:
        return f"<Graph of {self._counts}>"

    @property
    def _counts(self) -> str:
        return f"{format_count(len(self.offsets) - 1, 'positions')}, {format_count(len(self), 'edges')}"

    @property
    def actions(self) -> Array:
        """The numbers of the edges' actions, int32 (m,): stored as bytes, where these are enough, until they are read."""
        actions = vars(self)["_actions"] = self._actions.astype(np.int32, copy=False)
        actions.flags.writeable = False
        return actions

    @property
    def nbytes(self) -> int:
        """The number of bytes that the edges take now."""
        arrays = self.offsets, self.targets, self._actions, self.weights
        return sum(array.nbytes for array in arrays if 0 not in array.strides)

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.targets)

    def pad(self, positions: int) -> Graph:
        """Return the same edges among so many positions: the last ones have none."""
        more = np.full(positions + 1 - len(self.offsets), len(self), np.int64)
        offsets = np.concatenate([self.offsets, more])
        return Graph(offsets, self.rows[1], self._actions, self.weights, self.whole, self.labels)

    def sources(self) -> Array:
        """Return the numbers of the positions that the edges come from: int64 (m,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def choices(self) -> Array:
        """Return the first edge of each action in each position: int64 (k,)."""
        return _choices(self.offsets, self._actions)


class Part(NamedTuple):
    """Room for the edges of some positions, for one core."""

    ends: Array
    """int64 (positions,): where those of each position end"""
    targets: Array
    """int32"""
    actions: Array
    """int32"""
    weights: Array
    """int64"""


class Ranks(NamedTuple):
    """The positions of a complete exploration over ranks."""

    data: Any
    """The ranking's data."""
    ranks: Array
    """The positions' ranks."""
    numbers: Array
    """The positions' numbers, by rank."""
    labels: Array
    """The numbers of the actions."""


def edges(acting: Any, states: States, room: Outcomes, part: Part, first: Any, last: Any) -> Any:
    """Write the edges of the states `first` to `last`, and where those of each state end; return the largest weight."""
    (words, _, table), (out, action, reward, weight) = states, room
    ends, targets, actions, weights = part
    count, most = 0, 0
    for head in range(first, last):
        number = successors(acting, words[head], out, action, reward, weight)
        for i in range(number):
            targets[count] = find(words, table, out[i])
            actions[count], weights[count] = action[i], weight[i]
            most = max(most, weight[i])
            count += 1
        ends[head - first] = count
    return most


def edges_of_ranks(known: Ranks, out: Any, room: Any, part: Part, first: Any, last: Any) -> Any:
    """Write edges as `edges` does, for positions given by their ranks."""
    (data, ranks, numbers, labels), (ends, targets, actions, weights) = known, part
    count = 0
    for head in range(first, last):
        for i in range(successors(data, ranks[head], out, room, False)):
            targets[count], actions[count], weights[count] = numbers[out[i]], labels[i], 1
            count += 1
        ends[head - first] = count
    return 1


class _Rows:
    """Builder of a graph's rows, part by part and in order."""

    def __init__(self, positions: int, transitions: int, labels: int) -> None:
        if positions > _LARGEST:
            raise GridproofError(f"a graph has at most {_LARGEST} positions, not {positions}")
        self.offsets = np.zeros(positions + 1, np.int64)
        self.targets = np.empty(transitions, np.int32)
        self.actions = np.empty(transitions, np.uint8 if labels <= _BYTE_VALUES else np.int32)
        self.weights = np.ones(transitions, np.uint8)

    def fill(self, first: int, part: Part, most: int) -> None:
        """Add the edges of the positions from `first` on."""
        if most > np.iinfo(self.weights.dtype).max:
            self.weights = self.weights.astype(np.int64)
        before = int(self.offsets[first])
        after = before + int(part.ends[-1])
        self.offsets[first + 1 : first + 1 + len(part.ends)] = before + part.ends
        self.targets[before:after] = part.targets[: after - before]
        self.actions[before:after] = part.actions[: after - before]
        self.weights[before:after] = part.weights[: after - before]

    def graph(self, labels: tuple[Any, ...]) -> Graph:
        """Return the rows as a graph with one sum of weights."""
        end = int(self.offsets[-1])
        targets, actions = self.targets[:end], self.actions[:end]
        weights, whole = _scale_weights(self.offsets, actions, self.weights[:end])
        return Graph(self.offsets, targets, actions, weights, whole, labels)


def _part(positions: int, most: int) -> Part:
    """Make room for the edges of some positions, with at most so many each."""
    room = positions * most
    edges = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int64)
    return Part(np.zeros(positions, np.int64), *edges)


Edges = Callable[[Part, int, int], int]
"""Writes the edges of the positions from one number to another; gives the largest weight."""


def _fill_graph(
    positions: int, transitions: int, most: int, labels: tuple[Any, ...], work: Callable[[], Edges]
) -> Graph:
    """Build a graph by all cores: each has its own `work`. Stopped if the work is to end."""
    rows, cores = _Rows(positions, transitions, len(labels)), available_cores()
    step = max(1, min(_ROOM // most, -(-positions // cores)))
    parts, workers = [_part(step, most) for _ in range(cores)], [work() for _ in range(cores)]

    def one(worker: Edges, part: Part, first: int) -> tuple[int, Part, int]:
        last = min(positions, first + step)
        used = part._replace(ends=part.ends[: last - first])
        return first, used, worker(used, first, last)

    with thread_map(cores) as each:
        for begin in range(0, positions, step * cores):
            check_stop()
            firsts = range(begin, min(positions, begin + step * cores), step)
            for made in list(each(one, workers[: len(firsts)], parts[: len(firsts)], firsts)):
                rows.fill(*made)
    check_stop()
    return rows.graph(labels)


def graph_of_states(found: PackedStates) -> Graph:
    """Return the edges of the states that an exploration has expanded."""
    make = kernel(edges, successors=found.successors)
    states = found.arrays

    def work() -> Edges:
        return partial(make, found.acting, states, scratch(found.most_outcomes, found.packing.words))

    labels = found.packing.level.all_actions()
    return _fill_graph(found.expanded_count, found.transitions, found.most_outcomes, labels, work)


def graph_of_ranks(found: TwoBitStates, ranks: Array, numbers: Array) -> Graph:
    """Return the edges of a complete exploration over ranks: `ranks` of the positions, and their `numbers` by rank."""
    ranking = found.ranking
    make = kernel(edges_of_ranks, successors=found.game.ranked.successors)
    known = Ranks(ranking.data, ranks, numbers, ranking.numbers)

    def work() -> Edges:
        return partial(make, known, np.zeros(ranking.most, np.int64), np.zeros(ranking.scratch, np.uint64))

    return _fill_graph(found.count, found.transitions, ranking.most, ranking.level.all_actions(), work)


def graph_by_rules(
    level: Level,
    positions: Iterable[Position[Any]],
    number: Callable[[Position[Any]], int],
    who: Who,
    goal: Goal | None = None,
) -> Graph:
    """Return the edges of positions by the rules, none where the goal holds; unlisted actions get numbers too."""
    numbers = {action: place for place, action in enumerate(level.all_actions())}
    offsets, targets, actions, weights = [0], [], [], []
    for position in positions:
        check_stop()
        for actor in () if goal and goal(position) else who:
            for action in position.actions(actor):
                outcomes = list(position.outcomes(action))
                whole = math.lcm(*(outcome.probability.denominator for outcome in outcomes))
                targets += [number(outcome.position) for outcome in outcomes]
                actions += [numbers.setdefault(action, len(numbers))] * len(outcomes)
                weights += [int(outcome.probability * whole) for outcome in outcomes]
        offsets.append(len(targets))
    rows = np.array(offsets, np.int64), np.array(actions, np.int32)
    scaled, whole = _scale_weights(*rows, np.array(weights, object))
    return Graph(rows[0], np.array(targets, np.int32), rows[1], scaled, whole, tuple(numbers))


def _scale_weights(offsets: Array, actions: Array, weights: Array) -> tuple[Array, int]:
    """Scale the weights so that those of one action in one position always have the same sum; return it, too."""
    whole = int(common_total(offsets, actions, weights)) if weights.dtype != object else 0
    if not whole:
        return _scale_exactly(offsets, actions, weights)
    if whole == 1:
        return _ones(len(weights))
    kind = np.min_scalar_type(whole)
    scaled = weights if weights.dtype == kind else np.empty(len(weights), kind)
    scale(offsets, actions, weights, whole, scaled)
    return scaled, whole


@kernel
def group(actions: Any, weights: Any, begin: Any, row_end: Any) -> Any:
    """Return the end of the edges of the action that begins there, and the sum of their weights."""
    end, total = begin, np.int64(0)
    while end < row_end and actions[end] == actions[begin]:
        total += np.int64(weights[end])
        end += 1
    return end, total


@kernel
def common_total(offsets: Any, actions: Any, weights: Any) -> Any:
    """Return the least common multiple of the actions' sums of weights; 0 when it is 2^62 or more."""
    whole = np.int64(1)
    for row in range(offsets.shape[0] - 1):
        begin = offsets[row]
        while begin < offsets[row + 1]:
            end, total = group(actions, weights, begin, offsets[row + 1])
            begin = end
            if whole % total:
                first, second = whole, total
                while second:
                    first, second = second, first % second
                if whole >= np.int64(_LARGEST_WHOLE) // (total // first):
                    return np.int64(0)
                whole *= total // first
    return whole


@kernel
def scale(offsets: Any, actions: Any, weights: Any, whole: Any, scaled: Any) -> None:
    """Scale the weights so that those of one action in one position sum to `whole`; `scaled` may be `weights`."""
    for row in range(offsets.shape[0] - 1):
        begin = offsets[row]
        while begin < offsets[row + 1]:
            end, total = group(actions, weights, begin, offsets[row + 1])
            for edge in range(begin, end):
                scaled[edge] = np.int64(weights[edge]) * (whole // total)
            begin = end


def _choices(offsets: Array, actions: Array) -> Array:
    begins = np.ones(len(actions), bool)
    begins[1:] = actions[1:] != actions[:-1]
    begins[offsets[:-1][offsets[:-1] < len(actions)]] = True
    return np.flatnonzero(begins)


def _ones(count: int) -> tuple[Array, int]:
    """Return the weights of a graph without chance, which take no memory."""
    return np.broadcast_to(np.uint8(1), count), 1


def _scale_exactly(offsets: Array, actions: Array, weights: Array) -> tuple[Array, int]:
    """Scale the weights in Python's whole numbers, when 64 bits are too few."""
    firsts = _choices(offsets, actions)
    sums = np.add.reduceat(weights.astype(object), firsts)
    whole = math.lcm(*map(int, np.unique(sums)))
    if whole == 1:
        return _ones(len(weights))
    factors = np.repeat(
        np.array([whole // total for total in sums], object), np.diff(np.append(firsts, len(weights)))
    )
    scaled = weights.astype(object) * factors
    return (scaled if whole >= 1 << 63 else scaled.astype(np.min_scalar_type(whole))), whole
