"""Breadth-first search over packed states."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import NATURE, Level, Position
from gridproof.kernels.compile import Hole, borrowing, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing, kernel_of
from gridproof.kernels.states import Buffer, States, bits_of, find, hash_of, owner_of, place_of
from gridproof.search.actors import Who
from gridproof.search.refusal import Refused
from gridproof.search.state_store import InsertBuffer, Outcomes, StateStore, scratch
from gridproof.search.thread_pool import Each, available_cores, thread_map

PLAYERS, EVERYBODY = "players", "all"
"""The actors, besides `NATURE` alone."""

Acting = str | tuple[str, ...]
"""`PLAYERS`, `NATURE` or `EVERYBODY`, or the names of some actors."""


_SLICE = 1 << 14  # expansions of each core between two checks of the clock
_ROOM = 1 << 18  # words of room for successors in a slice
_ALONE = 4096  # outcomes that are not worth a second thread
_FEW = 1 << 15  # outcomes that are not worth the memory of several threads, unless they have it
_PARTS = 4  # of a slice and thread: the next free thread takes the next one

successors: Any = Hole()
is_goal: Any = Hole()


class Problem(NamedTuple):
    """Arguments of a search's kernels."""

    data: Any
    """The level's data, for the goal."""
    acting: Any
    """The actors' data, for the successors."""
    arguments: Any
    """The goal's arguments."""


def gather(
    problem: Problem, states: States, buffer: Buffer, room: Outcomes, part: int, first: int, last: int
) -> Any:
    """Expand the states from `first` to `last`, and gather the successors that are not in the table.

    They go into a part of the buffer, and are listed for the owners of their parts of the table.
    Nothing changes that other threads see. Ends after a state with a goal among its successors. Returns the place behind
    the last one gathered, the transitions, and the place of the first goal or -1.
    """
    (data, acting, arguments), (words, _, table) = problem, states
    (found, hashes, origins, _, listed, numbers), (out, action, reward, weight) = buffer, room
    count, transitions, goal = np.uint64(part * (found.shape[0] // numbers.shape[0])), 0, np.int64(-1)
    owners, bits = listed.shape[1], bits_of(table)
    for owner in range(owners):
        numbers[part, owner] = 0
    for head in range(first, last):
        number = successors(acting, words[head], out, action, reward, weight)
        transitions += number
        for i in range(number):
            value = hash_of(out[i])
            if place_of(words, table, out[i], value) >= 0:
                continue
            for word in range(words.shape[1]):
                found[count, word] = out[i, word]
            hashes[count], origins[count] = value, head
            if owners > 1:
                owner = owner_of(value, bits, owners)
                listed[part, owner, numbers[part, owner]] = count
                numbers[part, owner] += 1
            if goal < 0 and is_goal(data, out[i], arguments):
                goal = np.int64(count)
            count += np.uint64(1)
        if goal >= 0:
            break
    return np.int64(count), transitions, goal


@functools.cache  # what it reaches is digested once: on small boards that takes as long as the search
def gather_kernel(successors: Compiled, is_goal: Compiled) -> Compiled:
    """Return `gather` with a game's kernels."""
    return borrowing(gather, successors=successors, is_goal=is_goal)


@kernel
def no_goal(data: Any, state: Any, arguments: Any) -> Any:
    """Return False: an exploration has no goal."""
    return False


@kernel
def layer_ends(parents: Any, starts: Any, count: Any, ends: Any) -> Any:
    """Write the end of each layer, after a 0; return the number of layers.

    States stand in breadth-first order: the first one with a parent in the last layer begins a new layer.
    """
    layers, begin, ends[1] = 1, 0, starts
    for number in range(starts, count):
        if parents[number] >= begin:
            begin = number
            layers += 1
        ends[layers] = number + 1
    return layers


class Expansion(NamedTuple):
    """A way to expand states."""

    successors: Compiled
    data: Any
    """The first argument of `successors`."""
    most: int
    """The most outcomes of a state."""


class _Batch(NamedTuple):
    """Gathered states that wait for room in the store."""

    gathered: InsertBuffer
    number: int
    """The number of expanded states."""
    ends: list[int]
    """The place after the last one of each part."""
    transitions: int
    goal: int
    """The place of the first goal, or -1."""

    @property
    def total(self) -> int:
        """The number of states; one that two parts have gathered counts twice."""
        return self.gathered.total(self.ends)


class PackedStates(StateStore):
    """Found states in breadth-first order, with parent links, by all cores.

    Each core gathers the successors of a part of the open states; then each finds the new ones for its part of the
    table; then each writes the new ones that it has gathered. The order of the states does not depend on the number
    of cores.

    Parameters
    ----------
    game, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    goal : compiled (data, state, arguments) -> bool
    arguments : int64 array
        The goal's arguments.
    who : str, tuple of str or Expansion
        The actors: "players", "nature", "all", or the names of some; or a way to expand states.
    threads : int, optional
        The number of threads; as many as cores by default.
    """

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Compiled = no_goal,
        arguments: Any = None,
        who: Acting | Expansion = PLAYERS,
        threads: int | None = None,
    ) -> None:
        self.game = game
        expansion = who if isinstance(who, Expansion) else build_expansion(game, packing, who)
        self.successors, self.acting, most = expansion
        super().__init__(packing, starts, most)
        self._head = 0  # states before it have been expanded
        self._layer_end = self.count  # of the deepest layer that may not be expanded yet
        self.lower_bound = 0
        """A lower bound of the cost of every goal, while none is found: a layer more than are expanded."""
        self.transitions = 0
        self.arguments = np.zeros(0, np.int64) if arguments is None else arguments
        """The goal's arguments."""
        self._gather = gather_kernel(self.successors, goal)
        self._expansions = max(1, min(_SLICE, _ROOM // (most * packing.words)))
        self._threads = threads or available_cores()
        self._rooms: dict[int, tuple[InsertBuffer, list[Outcomes]]] = {}
        """A buffer and the room of each part for an expansion, by the number of threads."""
        self._pending: _Batch | None = None
        numbers = range(self.count)
        self.goal = next((n for n in numbers if goal(packing.data, self.words[n], self.arguments)), None)
        """The number of the first goal found."""

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        gathered, rooms = self._room(1)
        self._expand(0, 0, 0, gathered, rooms[0])
        for little in (gathered, InsertBuffer(1, 1, self.packing.words, self._threads)):
            little.add(self, [0], map)

    @property
    def is_full(self) -> bool:
        """True if the store has no room for the gathered states."""
        more = self._pending.total if self._pending else 0
        return not self.has_full_capacity and self.count + more > len(self.words)

    @property
    def frontier_size(self) -> int:
        """The number of states that wait for expansion."""
        return self.count - self._head

    @property
    def expanded_count(self) -> int:
        """The number of states, counted from the first, whose successors are all kept."""
        return min(self._head, int(self.parents[self.count - 1])) if self.has_overflow else self._head

    def can_continue(self, meter: Meter) -> bool:
        """Return whether all states are expanded, or there is room to expand more."""
        return not self.frontier_size or super().can_continue(meter)

    def run(self, end: int | None = None) -> Iterator[int]:
        """Expand the first `end` states, or all, or until a goal is found; yield the number of states now and then."""
        with thread_map(self._threads) as each:
            while self.goal is None and not self.has_overflow:
                last = self.count if end is None else end
                if self._head >= last:
                    return
                if self.is_full:
                    self.grow(each, self._threads)
                self._pending = self._pending or self._gather_states(last, each)
                if not self.is_full:
                    self._settle(self._pending, each)
                    self._pending = None
                yield self.count

    def by_depth(self) -> tuple[int, ...]:
        """Return how many states are first reached after 0, 1, 2, ... actions."""
        ends = np.zeros(self.count + 1, np.int64)
        count = layer_ends(self.parents, self._starts, self.count, ends)
        return tuple(np.diff(ends[: count + 1]).tolist())

    def _gather_states(self, end: int, each: Each) -> _Batch:
        """Expand as many states before `end` as the buffer holds."""
        few = _ALONE if self._threads in self._rooms else _FEW
        outcomes = 1 + self.transitions // max(self._head, 1)  # of a state, about
        threads = self._threads if (end - self._head) * outcomes > few else 1
        gathered, rooms = self._room(threads)
        number = min(end - self._head, gathered.parts * self._expansions)
        edges = [self._head + number * i // gathered.parts for i in range(gathered.parts + 1)]
        parts = range(gathered.parts), [gathered] * gathered.parts, rooms
        made = list((each if threads > 1 else map)(self._expand, edges, edges[1:], *parts))
        goals = (i for i, (_, _, goal) in enumerate(made) if goal >= 0)
        used = made[: next(goals, len(made)) + 1]
        return _Batch(gathered, number, [one[0] for one in used], sum(one[1] for one in used), used[-1][2])

    def _settle(self, made: _Batch, each: Each) -> None:
        """Add gathered states to the store."""
        self.has_overflow = not made.gathered.add(self, made.ends, each)
        if made.goal >= 0:
            place = int(find(*self.index, made.gathered.arrays.words[made.goal]))
            self.goal = place if place >= 0 else None
        if self.has_overflow:
            self.transitions += self._outcomes(self._head, int(self.parents[self.count - 1]) + 1)
        else:
            self.transitions += made.transitions
        self._head += made.number
        if self._head >= self._layer_end and not self.has_overflow:
            self._layer_end = self.count  # or an earlier state, if this has begun the next layer
            self.lower_bound = max(self.lower_bound, 1) + 1

    def _outcomes(self, first: int, last: int) -> int:
        """Count the outcomes of the states that an incomplete expansion kept."""
        begins = range(first, last, self._expansions)
        parts = ((begin, min(last, begin + self._expansions)) for begin in begins)
        gathered, rooms = self._room(1)
        return sum(self._expand(*part, 0, gathered, rooms[0])[1] for part in parts)

    def _room(self, threads: int) -> tuple[InsertBuffer, list[Outcomes]]:
        """Return the buffer for so many threads, and the room of each part for an expansion."""
        if threads not in self._rooms:
            most, words = self.most_outcomes, self.packing.words
            parts = _PARTS * threads if threads > 1 else 1
            gathered = InsertBuffer(parts, self._expansions * most, words, threads)
            self._rooms[threads] = gathered, [scratch(most, words) for _ in range(parts)]
        return self._rooms[threads]

    def _expand(
        self, first: int, last: int, part: int, gathered: InsertBuffer, room: Outcomes
    ) -> tuple[int, int, int]:
        problem = Problem(self.packing.data, self.acting, self.arguments)
        found: tuple[int, int, int] = self._gather(
            problem, self.arrays, gathered.arrays, room, part, first, last
        )
        return found


def prepare_packing(starts: list[Position[Any]], who: Who) -> tuple[GameKernel, Packing, Acting]:
    """Return the kernel, the packing of the starts' level, and the actors; Refused when the rules must do."""
    level = starts[0].level
    game = kernel_of(level.game)
    if game is None:
        raise Refused("the game has no kernel")
    packing = game.prepare(level)
    if packing is None:
        raise Refused("the level is too large for the kernel")
    if NATURE in who and not packing.most_of_nature:
        raise Refused("nature has too many actions on this level for the kernel")
    if not all(map(packing.fits, starts)):
        raise Refused("the kernel cannot represent the start or all its successors")
    return game, packing, _acting_mode(level, who)


def _acting_mode(level: Level, who: Who) -> Acting:
    if who == (None,):
        return PLAYERS
    everybody = who == level.game.actors(level)
    return NATURE if who == (NATURE,) else EVERYBODY if everybody else tuple(filter(None, who))


def build_expansion(game: GameKernel, packing: Packing, who: Acting) -> Expansion:
    """Return the expansion by some actors, with room for at least one outcome."""
    if who == PLAYERS:
        return Expansion(game.successors, packing.data, max(packing.most, 1))
    if who == NATURE:
        return Expansion(game.nature, packing.data, packing.most_of_nature)
    if isinstance(who, str):
        function = kernel(all_successors, players=game.successors, nature=game.nature)
        return Expansion(function, packing.data, packing.most + packing.most_of_nature)
    level = packing.level
    whole = build_expansion(game, packing, EVERYBODY if NATURE in who else PLAYERS)
    allowed = np.array([level.owner(action) in who for action in level.all_actions()], np.uint8)
    return Expansion(
        kernel(allowed_successors, everybody=whole.successors), (packing.data, allowed), whole.most
    )


players: Any = Hole()
nature: Any = Hole()


def all_successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the outcomes of the players' actions, then those of nature's."""
    count = players(data, state, out, action, reward, weight)
    more = nature(data, state, out[count:], action[count:], reward[count:], weight[count:])
    return count + more


everybody: Any = Hole()


def allowed_successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the outcomes of the allowed actions."""
    allowed = data[1]
    count = 0
    for i in range(everybody(data[0], state, out, action, reward, weight)):
        if not allowed[action[i]]:
            continue
        if count < i:
            for word in range(out.shape[1]):
                out[count, word] = out[i, word]
            action[count], reward[count], weight[count] = action[i], reward[i], weight[i]
        count += 1
    return count


def until_goal(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the outcomes in a state without the goal; a state with it has none.

    The data are those of the successors, those of the level, and the goal's arguments.
    """
    if is_goal(data[1], state, data[2]):
        return 0
    return successors(data[0], state, out, action, reward, weight)


def expansion_until(before: Expansion, packing: Packing, goal: Compiled, arguments: Any) -> Expansion:
    """Return the same expansion without that of states with the goal."""
    function = kernel(until_goal, successors=before.successors, is_goal=goal)
    return before._replace(successors=function, data=(before.data, packing.data, arguments))
