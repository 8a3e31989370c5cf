"""Breadth-first search over packed states."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import NATURE, Level, Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing, kernel_of
from gridproof.kernels.states import bits_of, find, hash_of, owner_of, place_of
from gridproof.search.actors import Who
from gridproof.search.cores import Each, available_cores, mapping
from gridproof.search.gathered import Gathered
from gridproof.search.refusal import Refused
from gridproof.search.stored import StateStore, scratch

PLAYERS, EVERYBODY = "players", "all"
"""Who acts, besides `NATURE` alone."""

Acting = str | tuple[str, ...]
"""One of these, or the names of some."""


_SLICE = 1 << 14  # expansions of each core between two looks at the clock
_ROOM = 1 << 18  # words of successors there is room for in a slice
_ALONE = 4096  # outcomes that are not worth a second thread
_FEW = 1 << 15  # outcomes that are not worth the room that several threads gather in, unless it is there
_PARTS = 4  # of a slice and thread: who is done takes the next one

successors: Any = Hole()
is_goal: Any = Hole()


def gather(
    data: Any,
    acting: Any,
    words: Any,
    table: Any,
    first: int,
    last: int,
    part: int,
    begin: int,
    found: Any,
    hashes: Any,
    origins: Any,
    listed: Any,
    numbers: Any,
    out: Any,
    action: Any,
    reward: Any,
    weight: Any,
    arguments: Any,
) -> Any:
    """Expand the states from `first` to `last`, and gather the successors that are not in the table.

    `acting` are the data of those who act. They go into `found` from the place `begin` on, and are
    listed for those who own the parts of the table into which they belong. Nothing is changed that
    other threads see. Ends with the state that has a goal among them. Returns the place behind the last one gathered,
    the transitions, and the place of the first goal or -1.
    """
    count, transitions, goal = np.uint64(begin), 0, np.int64(-1)
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
def gathering(successors: Compiled, is_goal: Compiled) -> Compiled:
    """`gather` with a game's kernels."""
    return kernel(gather, successors=successors, is_goal=is_goal)


@kernel
def no_goal(data: Any, state: Any, arguments: Any) -> Any:
    """The goal of an exploration: none."""
    return False


@kernel
def layer_ends(parents: Any, starts: Any, count: Any, ends: Any) -> Any:
    """Write where each layer ends, after a 0; return how many there are.

    States stand in breadth-first order: a new layer begins where the parent is of the last one.
    """
    layers, begin, ends[1] = 1, 0, starts
    for number in range(starts, count):
        if parents[number] >= begin:
            begin = number
            layers += 1
        ends[layers] = number + 1
    return layers


class _Made(NamedTuple):
    """What has been gathered, until there is room for it."""

    gathered: Gathered
    number: int
    """How many states have been expanded."""
    ends: list[int]
    """Behind the last place of each part."""
    transitions: int
    goal: int
    """The place of the first goal, or -1."""

    @property
    def total(self) -> int:
        """How many states there are; one that two parts have gathered counts twice."""
        return self.gathered.total(self.ends)


class PackedStates(StateStore):
    """Found states in breadth-first order, with parent links, by all cores.

    Each core gathers what follows from a part of the open states; then each finds out what is new of that which
    belongs into its part of the table; then each writes down what is new of what it has gathered. Numbers are given in
    order: they do not depend on how many cores there are.

    Parameters
    ----------
    game, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    goal : compiled (data, state, arguments) -> bool
    arguments : int64 array
        The goal's.
    who : str or tuple of str
        Who acts: "players", "nature", "all", or the names of some.
    threads : int, optional
        How many there are to work; as many as cores by default.
    """

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Compiled = no_goal,
        arguments: Any = None,
        who: Acting = PLAYERS,
        threads: int | None = None,
    ) -> None:
        self.game = game
        self.successors, self.acting, most = acting_kernel(game, packing, who)
        super().__init__(packing, starts, most)
        self._head = 0  # states before it have been expanded
        self.transitions = 0
        self.arguments = np.zeros(0, np.int64) if arguments is None else arguments
        """The goal's."""
        self._gather = gathering(self.successors, goal)
        self._expansions = max(1, min(_SLICE, _ROOM // (most * packing.words)))
        self._threads = threads or available_cores()
        self._rooms: dict[int, tuple[Gathered, list[Any]]] = {}
        """By the number of threads: what they gather into, and the room of each part for an expansion."""
        self._made: _Made | None = None
        numbers = range(self.count)
        self.goal = next((n for n in numbers if goal(packing.data, self.words[n], self.arguments)), None)
        """The number of the first goal found."""

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        gathered, rooms = self._room(1)
        self._expand(0, 0, 0, gathered, rooms[0])
        for little in (gathered, Gathered(1, 1, self.packing.words, self._threads)):
            little.add(self, [0], map)

    @property
    def full(self) -> bool:
        """Whether there is no room for what has been gathered."""
        more = self._made.total if self._made else 0
        return not self.last_room and self.count + more > len(self.words)

    @property
    def frontier(self) -> int:
        """How many states have not been expanded."""
        return self.count - self._head

    def can_go_on(self, meter: Meter) -> bool:
        """Whether all states are expanded, or there is room to expand more."""
        return not self.frontier or super().can_go_on(meter)

    def run(self, end: int | None = None) -> Iterator[int]:
        """Expand the first `end` states, or all, or until a goal is found; now and then their number."""
        with mapping(self._threads) as each:
            while self.goal is None and not self.refused:
                last = self.count if end is None else end
                if self._head >= last:
                    return
                if self.full:
                    self.grow(each, self._threads)
                self._made = self._made or self._gathered(last, each)
                if not self.full:
                    self._settle(self._made, each)
                    self._made = None
                yield self.count

    def by_depth(self) -> tuple[int, ...]:
        """How many states are first reached after 0, 1, 2, ... actions."""
        ends = np.zeros(self.count + 1, np.int64)
        count = layer_ends(self.parents, self._starts, self.count, ends)
        return tuple(np.diff(ends[: count + 1]).tolist())

    def _gathered(self, end: int, each: Each) -> _Made:
        """Expand states before `end`, as many as there is room for."""
        few = _ALONE if self._threads in self._rooms else _FEW
        threads = self._threads if (end - self._head) * self._each_has > few else 1
        gathered, rooms = self._room(threads)
        number = min(end - self._head, gathered.parts * self._expansions)
        edges = [self._head + number * i // gathered.parts for i in range(gathered.parts + 1)]
        parts = range(gathered.parts), [gathered] * gathered.parts, rooms
        made = list((each if threads > 1 else map)(self._expand, edges, edges[1:], *parts))
        goals = (i for i, (_, _, goal) in enumerate(made) if goal >= 0)
        used = made[: next(goals, len(made)) + 1]
        return _Made(gathered, number, [one[0] for one in used], sum(one[1] for one in used), used[-1][2])

    @property
    def _each_has(self) -> int:
        """How many outcomes a state has, more or less."""
        return 1 + self.transitions // max(self._head, 1)

    def _settle(self, made: _Made, each: Each) -> None:
        """Add what has been gathered."""
        self.refused = not made.gathered.add(self, made.ends, each)
        if made.goal >= 0:
            place = int(find(*self.found, made.gathered.words[made.goal]))
            self.goal = place if place >= 0 else None
        if self.refused:
            self.transitions += self._outcomes(self._head, int(self.parents[self.count - 1]) + 1)
        else:
            self.transitions += made.transitions
        self._head += made.number

    def _outcomes(self, first: int, last: int) -> int:
        """How many outcomes the kept states of an incomplete expansion have."""
        begins = range(first, last, self._expansions)
        parts = ((begin, min(last, begin + self._expansions)) for begin in begins)
        gathered, rooms = self._room(1)
        return sum(self._expand(*part, 0, gathered, rooms[0])[1] for part in parts)

    def _room(self, threads: int) -> tuple[Gathered, list[Any]]:
        """Where so many threads gather what follows, and the room for an expansion of each part."""
        if threads not in self._rooms:
            most, words, parts = (
                self.most_outcomes,
                self.packing.words,
                _PARTS * threads if threads > 1 else 1,
            )
            gathered = Gathered(parts, self._expansions * most, words, threads)
            self._rooms[threads] = gathered, [scratch(most, words) for _ in range(parts)]
        return self._rooms[threads]

    def _expand(
        self, first: int, last: int, part: int, gathered: Gathered, room: Any
    ) -> tuple[int, int, int]:
        found: tuple[int, int, int] = self._gather(
            self.packing.data,
            self.acting,
            *self.found,
            first,
            last,
            *gathered.part(part),
            *room,
            self.arguments,
        )
        return found


def packed_for(starts: list[Position[Any]], who: Who) -> tuple[GameKernel, Packing, Acting]:
    """The kernel, the packing of the starts' level, and who acts.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    level = starts[0].level
    game = kernel_of(level.game)
    if game is None:
        raise Refused("the game has no kernel")
    packing = game.prepare(level)
    if packing is None:
        raise Refused("the level is too large for the kernel")
    if NATURE in who and not packing.most_of_nature:
        raise Refused("nature can do too much on this level for the kernel")
    if not all(map(packing.fits, starts)):
        raise Refused("the kernel does not hold the start, or not all that can follow from it")
    return game, packing, _acting(level, who)


def _acting(level: Level, who: Who) -> Acting:
    if who == (None,):
        return PLAYERS
    everybody = who == level.game.actors(level)
    return NATURE if who == (NATURE,) else EVERYBODY if everybody else tuple(filter(None, who))


def acting_kernel(game: GameKernel, packing: Packing, who: Acting) -> tuple[Compiled, Any, int]:
    """The successor function for those who act, its data, and the most outcomes of a state: at least one."""
    if who == PLAYERS:
        return game.successors, packing.data, max(packing.most, 1)
    if who == NATURE:
        return game.nature, packing.data, packing.most_of_nature
    if isinstance(who, str):
        function = kernel(both, players=game.successors, nature=game.nature)
        return function, packing.data, packing.most + packing.most_of_nature
    level = packing.level
    whole = acting_kernel(game, packing, EVERYBODY if NATURE in who else PLAYERS)
    allowed = np.array([level.owner(action) in who for action in level.all_actions()], np.uint8)
    return kernel(chosen, everybody=whole[0]), (packing.data, allowed), whole[2]


players: Any = Hole()
nature: Any = Hole()


def both(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """The outcomes of the players' actions, then those of nature's."""
    count = players(data, state, out, action, reward, weight)
    more = nature(data, state, out[count:], action[count:], reward[count:], weight[count:])
    return count + more


everybody: Any = Hole()


def chosen(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """The outcomes of the actions that are allowed, by their numbers."""
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
