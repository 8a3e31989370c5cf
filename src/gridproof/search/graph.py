"""The edges of a state space, in compressed sparse rows: by the game's kernel, or by its rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.states import find
from gridproof.search.actors import Who
from gridproof.search.cores import available_cores, mapping
from gridproof.search.packed import PackedStates
from gridproof.search.ranked import RankedStates
from gridproof.search.stored import scratch

Array = np.ndarray[Any, Any]

_ROOM = 1 << 18  # edges that one core makes at a time
_LARGEST = (1 << 31) - 1  # a position's number is 32 bits
_LARGEST_WHOLE = 1 << 62
_A_BYTE = 1 << 8

successors: Any = Hole()


def read_only(array: Array) -> Array:
    """The same array for everybody: nobody can write to it."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Graph:
    """Edges in compressed sparse rows: those of position i are at `offsets[i]` to `offsets[i + 1]`.

    Each outcome of each action is an edge, in the order of the rules: several may join the same two positions.
    The arrays are read only.

    Attributes
    ----------
    offsets : int64 (n + 1,)
    targets : int32 (m,)
        The numbers of the positions that the edges lead to.
    actions : int32 (m,)
        The numbers of the edges' actions: held as bytes, where these are enough, until they are asked for.
    weights : (m,)
        Whole numbers: an edge's probability, once its action has been chosen, is its weight divided by `whole`.
        Python's own, where 64 bits are too few.
    whole : int
        What the weights of one action in one position sum to.
    labels : tuple
        The actions, at their numbers.
    """

    offsets: Array
    targets: Array
    weights: Array
    whole: int
    labels: tuple[Any, ...]
    rows: tuple[Array, Array]
    """Offsets and targets for kernels, which are compiled for arrays that can be written to; they do not write to them."""
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
        shown = {"offsets": offsets, "targets": targets, "weights": weights}
        vars(self).update({name: read_only(array) for name, array in shown.items()})
        vars(self).update(whole=whole, labels=labels, rows=(offsets, targets), _actions=actions)

    @property
    def actions(self) -> Array:
        """The numbers of the edges' actions: int32 (m,)."""
        actions = vars(self)["_actions"] = self._actions.astype(np.int32, copy=False)
        actions.flags.writeable = False
        return actions

    @property
    def nbytes(self) -> int:
        """How many bytes the edges take now."""
        arrays = self.offsets, self.targets, self._actions, self.weights
        return sum(array.nbytes for array in arrays if 0 not in array.strides)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self.targets)

    def sources(self) -> Array:
        """The numbers of the positions that the edges come from: int64 (m,)."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def choices(self) -> Array:
        """Where the edges of each action in each position begin: int64 (k,)."""
        return _choices(self.offsets, self._actions)


def edges(
    acting: Any,
    words: Any,
    table: Any,
    first: Any,
    last: Any,
    out: Any,
    action: Any,
    reward: Any,
    weight: Any,
    ends: Any,
    targets: Any,
    actions: Any,
    weights: Any,
) -> Any:
    """Write the edges of the states `first` to `last`, and where those of each state end; return the largest weight."""
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


def edges_of_ranks(
    data: Any,
    ranks: Any,
    numbers: Any,
    labels: Any,
    first: Any,
    last: Any,
    out: Any,
    room: Any,
    ends: Any,
    targets: Any,
    actions: Any,
    weights: Any,
) -> Any:
    """As `edges`, of the positions whose ranks are `ranks`; `numbers` are the positions' by rank."""
    count = 0
    for head in range(first, last):
        for i in range(successors(data, ranks[head], out, room, False)):
            targets[count], actions[count], weights[count] = numbers[out[i]], labels[i], 1
            count += 1
        ends[head - first] = count
    return 1


class _Rows:
    """The rows of a graph while they are filled, part by part and in order."""

    def __init__(self, positions: int, transitions: int, labels: int) -> None:
        if positions > _LARGEST:
            raise GridproofError(f"a graph has at most {_LARGEST} positions, not {positions}")
        self.offsets = np.zeros(positions + 1, np.int64)
        self.targets = np.empty(transitions, np.int32)
        self.actions = np.empty(transitions, np.uint8 if labels <= _A_BYTE else np.int32)
        self.weights = np.ones(transitions, np.uint8)

    def fill(self, first: int, part: _Part, most: int) -> None:
        """Put in the edges of the positions from `first` on."""
        if most > np.iinfo(self.weights.dtype).max:
            self.weights = self.weights.astype(np.int64)
        before = int(self.offsets[first])
        after = before + int(part.ends[-1])
        self.offsets[first + 1 : first + 1 + len(part.ends)] = before + part.ends
        targets, actions, weights = part.edges
        self.targets[before:after] = targets[: after - before]
        self.actions[before:after] = actions[: after - before]
        self.weights[before:after] = weights[: after - before]

    def graph(self, labels: tuple[Any, ...]) -> Graph:
        """The rows as a graph, its weights brought to one sum."""
        weights, whole = _scaled(self.offsets, self.actions, self.weights)
        return Graph(self.offsets, self.targets, self.actions, weights, whole, labels)


class _Part:
    """The room for the edges of some positions, which one core makes."""

    def __init__(self, positions: int, most: int) -> None:
        self._ends, room = np.zeros(positions, np.int64), positions * most
        self.edges = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int64)
        self.ends = self._ends

    def first(self, positions: int) -> _Part:
        """Itself, limited to the first `positions`."""
        self.ends = self._ends[:positions]
        return self


Edges = Callable[[int, int, _Part], int]
"""Writes the edges of the positions from one number to another; gives the largest weight."""


def _filled(
    positions: int, transitions: int, most: int, labels: tuple[Any, ...], work: Callable[[], Edges]
) -> Graph:
    """All rows, by all cores: each has its own `work`."""
    rows, cores = _Rows(positions, transitions, len(labels)), available_cores()
    step = max(1, min(_ROOM // most, -(-positions // cores)))
    parts, workers = [_Part(step, most) for _ in range(cores)], [work() for _ in range(cores)]

    def one(worker: Edges, part: _Part, first: int) -> int:
        last = min(positions, first + step)
        return worker(first, last, part.first(last - first))

    with mapping(cores) as each:
        for begin in range(0, positions, step * cores):
            firsts = range(begin, min(positions, begin + step * cores), step)
            largest = list(each(one, workers[: len(firsts)], parts[: len(firsts)], firsts))
            for first, part, weight in zip(firsts, parts, largest, strict=False):
                rows.fill(first, part, weight)
    return rows.graph(labels)


def graph_of_states(found: PackedStates) -> Graph:
    """The edges of a complete exploration over packed states."""
    make = kernel(edges, successors=found.successors)
    words = found.words[: found.count]

    def work() -> Edges:
        room = scratch(found.most_outcomes, found.packing.words)

        def made(first: int, last: int, part: _Part) -> int:
            return int(make(found.acting, words, found.table, first, last, *room, part.ends, *part.edges))

        return made

    labels = found.packing.level.all_actions()
    return _filled(found.count, found.transitions, found.most_outcomes, labels, work)


def graph_of_ranks(found: RankedStates, ranks: Array, numbers: Array) -> Graph:
    """The edges of a complete exploration over ranks: `ranks` of the positions, and their `numbers` by rank."""
    ranking = found.ranking
    make = kernel(edges_of_ranks, successors=found.game.ranked_successors)

    def work() -> Edges:
        room = np.zeros(ranking.most, np.int64), np.zeros(ranking.scratch, np.uint64)

        def made(first: int, last: int, part: _Part) -> int:
            places = ranks, numbers, ranking.numbers, first, last
            return int(make(ranking.data, *places, *room, part.ends, *part.edges))

        return made

    return _filled(found.count, found.transitions, ranking.most, ranking.level.all_actions(), work)


def graph_by_rules(
    level: Level, positions: Iterable[Position[Any]], number: Callable[[Position[Any]], int], who: Who
) -> Graph:
    """The edges of a complete exploration by the rules; actions that the level does not list get numbers too."""
    numbers = {action: place for place, action in enumerate(level.all_actions())}
    offsets, targets, actions, weights = [0], [], [], []
    for position in positions:
        for actor in who:
            for action in position.actions(actor):
                outcomes = list(position.outcomes(action))
                whole = math.lcm(*(outcome.probability.denominator for outcome in outcomes))
                targets += [number(outcome.position) for outcome in outcomes]
                actions += [numbers.setdefault(action, len(numbers))] * len(outcomes)
                weights += [int(outcome.probability * whole) for outcome in outcomes]
        offsets.append(len(targets))
    rows = np.array(offsets, np.int64), np.array(actions, np.int32)
    scaled, whole = _scaled(*rows, np.array(weights, object))
    return Graph(rows[0], np.array(targets, np.int32), rows[1], scaled, whole, tuple(numbers))


def _scaled(offsets: Array, actions: Array, weights: Array) -> tuple[Array, int]:
    """The weights scaled so that those of one action in one position always have the same sum; and that sum."""
    whole = int(common(offsets, actions, weights)) if weights.dtype != object else 0
    if not whole:
        return _scaled_exactly(offsets, actions, weights)
    if whole == 1:
        return _ones(len(weights))
    kind = np.min_scalar_type(whole)
    scaled = weights if weights.dtype == kind else np.empty(len(weights), kind)
    scale(offsets, actions, weights, whole, scaled)
    return scaled, whole


@kernel
def group(actions: Any, weights: Any, begin: Any, row_end: Any) -> Any:
    """Where the edges of the action that begins there end, and what their weights sum to."""
    end, total = begin, np.int64(0)
    while end < row_end and actions[end] == actions[begin]:
        total += np.int64(weights[end])
        end += 1
    return end, total


@kernel
def common(offsets: Any, actions: Any, weights: Any) -> Any:
    """The least common multiple of the sums of weights of all actions in all positions; 0 when it is 2^62 or more."""
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
    """The weights, so that those of one action in one position sum to `whole`; `scaled` may be `weights`."""
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
    """Weights where nothing is left to chance: they take no room."""
    return np.broadcast_to(np.uint8(1), count), 1


def _scaled_exactly(offsets: Array, actions: Array, weights: Array) -> tuple[Array, int]:
    """The same in Python's whole numbers: 64 bits are too few."""
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
