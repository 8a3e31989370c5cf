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

successors: Any = Hole()


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """What leads from which position to which: the edges of position i stand from `offsets[i]` to `offsets[i + 1]`.

    Each outcome of each action is an edge, in the order of the rules: several may join the same two positions.

    Attributes
    ----------
    offsets : int64 (n + 1,)
    targets : int32 (m,)
        The numbers of the positions that the edges lead to.
    actions : int32 (m,)
        The numbers of the edges' actions.
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
    actions: Array
    weights: Array
    whole: int
    labels: tuple[Any, ...]

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self.targets)


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
    """The edges of the states `first` to `last`: where those of each end, and the largest weight."""
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

    def __init__(self, positions: int, transitions: int) -> None:
        if positions > _LARGEST:
            raise GridproofError(f"a graph has at most {_LARGEST} positions, not {positions}")
        self.offsets = np.zeros(positions + 1, np.int64)
        self.targets, self.actions = np.empty(transitions, np.int32), np.empty(transitions, np.int32)
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
        """Itself, with so many positions."""
        self.ends = self._ends[:positions]
        return self


Edges = Callable[[int, int, _Part], int]
"""Makes the edges of the positions from one number to another; the largest weight."""


def _filled(positions: int, transitions: int, most: int, work: Callable[[], Edges]) -> _Rows:
    """All rows, by all cores: each has its own `work`."""
    rows, cores = _Rows(positions, transitions), available_cores()
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
    return rows


def graph_of_states(found: PackedStates) -> Graph:
    """The edges of a complete exploration over packed states."""
    make = kernel(edges, successors=found.successors)
    words = found.words[: found.count]

    def work() -> Edges:
        room = scratch(found.most_outcomes, found.packing.words)

        def made(first: int, last: int, part: _Part) -> int:
            return int(make(found.acting, words, found.table, first, last, *room, part.ends, *part.edges))

        return made

    rows = _filled(found.count, found.transitions, found.most_outcomes, work)
    return rows.graph(found.packing.level.all_actions())


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

    rows = _filled(found.count, found.transitions, ranking.most, work)
    return rows.graph(ranking.level.all_actions())


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
    """Weights of which those of one action in one position have one sum, the same for all; and that sum."""
    count = len(weights)
    begins = np.ones(count, bool)
    begins[1:] = actions[1:] != actions[:-1]
    begins[offsets[:-1][offsets[:-1] < count]] = True
    if begins.all():
        return np.broadcast_to(np.uint8(1), count), 1
    firsts = np.flatnonzero(begins)
    if weights.dtype != object:
        weights = weights.astype(np.int64)
    sums = np.add.reduceat(weights, firsts)
    different = np.unique(sums)
    whole = math.lcm(*map(int, different))
    fits = whole < 1 << 63
    factors = np.array([whole // int(one) for one in different], np.int64 if fits else object)
    factor = np.repeat(np.searchsorted(different, sums), np.diff(np.append(firsts, count)))
    return (weights * factors[factor]).astype(np.min_scalar_type(whole) if fits else object), whole
