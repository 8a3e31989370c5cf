"""Breadth-first search over packed states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import NATURE, Level, Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing, kernel_of
from gridproof.kernels.states import add_new, find, hash_of, place_of
from gridproof.search.actors import Who
from gridproof.search.cores import Each, available_cores, mapping
from gridproof.search.refusal import Refused
from gridproof.search.stored import StateStore, scratch

PLAYERS, EVERYBODY = "players", "all"
"""Who acts, besides `NATURE` alone."""

Acting = str | tuple[str, ...]
"""One of these, or the names of some."""


_SLICE = 1 << 14  # expansions of each core between two looks at the clock
_ROOM = 1 << 18  # words of successors there is room for in a slice
_ALONE = 4096  # outcomes that are not worth a second thread

successors: Any = Hole()
is_goal: Any = Hole()


def gather(
    data: Any,
    acting: Any,
    words: Any,
    table: Any,
    first: int,
    last: int,
    found: Any,
    hashes: Any,
    origins: Any,
    out: Any,
    action: Any,
    reward: Any,
    weight: Any,
    arguments: Any,
) -> Any:
    """Expand the states from `first` to `last`, and gather the successors that are not in the table.

    `acting` are the data of those who act. Nothing is changed that other threads see. Ends with the state that has a goal among them. Returns how
    many were gathered, the transitions, and the place of the first goal or -1.
    """
    count, transitions, goal = np.uint64(0), 0, np.int64(-1)
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
            if goal < 0 and is_goal(data, out[i], arguments):
                goal = np.int64(count)
            count += np.uint64(1)
        if goal >= 0:
            break
    return np.int64(count), transitions, goal


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


class _Slice:
    """The room of one core."""

    def __init__(self, expansions: int, most: int, words: int) -> None:
        room = expansions * most
        self.found = np.zeros((room, words), np.uint64), np.zeros(room, np.uint64), np.zeros(room, np.uint32)
        self.scratch = scratch(most, words)


class PackedStates(StateStore):
    """Found states in breadth-first order, with parent links, by all cores.

    Each core gathers what follows from a part of the open states; then what is new is added in order, so
    that the numbers of the states do not depend on how many cores there are.

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
        self._gather = kernel(gather, successors=self.successors, is_goal=goal)
        self._expansions = max(1, min(_SLICE, _ROOM // (most * packing.words)))
        self._threads = threads or available_cores()
        self._slices = [_Slice(self._expansions, most, packing.words)]
        numbers = range(self.count)
        self.goal = next((n for n in numbers if goal(packing.data, self.words[n], self.arguments)), None)
        """The number of the first goal found."""

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._gathered(0, 0, self._slices[0])
        self._settled(0, self._slices[0])

    @property
    def frontier(self) -> int:
        """How many states have not been expanded."""
        return self.count - self._head

    def can_go_on(self, meter: Meter) -> bool:
        """Whether nothing is left, or there is room for it."""
        return not self.frontier or super().can_go_on(meter)

    def run(self, end: int | None = None) -> Iterator[int]:
        """Expand the first `end` states, or all, or until a goal is found; now and then their number."""
        with mapping(self._threads) as each:
            while self.goal is None and not self.refused:
                last = self.count if end is None else end
                if self._head >= last:
                    return
                if self.full:
                    self.grow()
                self._advance(last, each)
                yield self.count

    def by_depth(self) -> tuple[int, ...]:
        """How many states are first reached after 0, 1, 2, ... actions."""
        ends = np.zeros(self.count + 1, np.int64)
        count = layer_ends(self.parents, self._starts, self.count, ends)
        return tuple(np.diff(ends[: count + 1]).tolist())

    def _advance(self, end: int, each: Each) -> None:
        """Expand as many of the states before `end` as there is room for."""
        number = min(end - self._head, self._threads * self._expansions)
        if not self.last_room:
            number = min(number, (len(self.words) - self.count) // self.most_outcomes)
        each_has = 1 + self.transitions // max(self._head, 1)
        threads = self._threads if number * each_has > _ALONE else 1
        number = min(number, threads * self._expansions)
        while len(self._slices) < threads:
            self._slices.append(_Slice(self._expansions, self.most_outcomes, self.packing.words))
        edges = [self._head + number * i // threads for i in range(threads + 1)]
        gathered = (each if threads > 1 else map)(self._gathered, edges, edges[1:], self._slices)
        before = self.transitions
        for room, (count, transitions, goal) in zip(self._slices, list(gathered), strict=False):
            self.transitions += transitions
            self._settled(count, room)
            if goal >= 0:
                place = int(find(*self.found, room.found[0][goal]))
                self.goal = place if place >= 0 else None
            if goal >= 0 or self.refused:
                break
        if self.refused:
            self.transitions = before + self._outcomes(self._head, int(self.parents[self.count - 1]) + 1)
        self._head += number

    def _outcomes(self, first: int, last: int) -> int:
        """How many outcomes these states have: of those that are kept though others are left out."""
        begins = range(first, last, self._expansions)
        parts = ((begin, min(last, begin + self._expansions)) for begin in begins)
        return sum(self._gathered(*part, self._slices[0])[1] for part in parts)

    def _gathered(self, first: int, last: int, room: _Slice) -> tuple[int, int, int]:
        found: tuple[int, int, int] = self._gather(
            self.packing.data,
            self.acting,
            *self.found,
            first,
            last,
            *room.found,
            *room.scratch,
            self.arguments,
        )
        return found

    def _settled(self, count: int, room: _Slice) -> None:
        """Add what one core has gathered."""
        most = min(self.most, len(self.words))
        total = int(add_new(self.words, self.parents, self.table, self.count, most, *room.found, count))
        self.refused = total < 0
        self.count = -1 - total if self.refused else total


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
    """What makes the successors when these act, its data, and how many there are at most: at least one."""
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
