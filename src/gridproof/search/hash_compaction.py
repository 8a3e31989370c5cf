"""Breadth-first search that keeps 64 bits of each position: hash compaction.

Positions with the same bits count as one, so some may be left out (P. Wolper and D. Leroy, "Reliable hashing without
collision detection", CAV 1993). Whole positions are kept of two layers only. A path is found by searching again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Term
from gridproof.core.trace import Trace
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.states import ONE, mix
from gridproof.search.orbits import pack_orbits
from gridproof.search.packed_bfs import build_expansion
from gridproof.search.question import Question
from gridproof.search.refusal import Refused
from gridproof.search.space import StateSpace, trace_through
from gridproof.search.state_store import scratch
from gridproof.search.values import values_of_words

Array = np.ndarray[Any, Any]

BITS = 64
"""Bits of a hash."""
_EMPTY = np.uint64(0)
_FIRST = 1 << 12  # slots of the first table
_SLICE = 1 << 14  # expansions between two checks of the clock

successors: Any = Hole()


class NextLayer(NamedTuple):
    """Room for the positions of the next layer."""

    words: Array
    """uint64 (room, words)"""
    origins: Array
    """uint32 (room,): the places of their predecessors in the layer before."""


class Span(NamedTuple):
    """Part of a layer to expand."""

    first: int
    last: int
    found: int
    """Positions of the next layer found before."""
    used: int
    """Hashes in the table."""
    repeats: int
    """Outcomes whose hash was in the table."""


@kernel
def hash_words(state: Any, mask: Any) -> Any:
    """Return some bits of a hash of a state, never 0; each word is mixed on its own."""
    value = ONE
    for i in range(state.shape[0]):
        value = mix(value ^ state[i]) + ONE
    return max(value & mask, ONE)


@kernel
def add_hash(table: Any, value: Any) -> Any:
    """Add a hash to a table, whose length is a power of two; return whether it is new."""
    mask = np.uint64(table.shape[0] - 1)
    slot = value & mask
    while table[slot] != _EMPTY:
        if table[slot] == value:
            return False
        slot = (slot + ONE) & mask
    table[slot] = value
    return True


@kernel
def move_hashes(table: Any, larger: Any) -> None:
    """Add the hashes of a table to a larger one."""
    for value in table:
        if value != _EMPTY:
            add_hash(larger, value)


def expand_span(acting: Any, words: Any, span: Any, found: Any, table: Any, mask: Any, room: Any) -> Any:
    """Expand a part of a layer, as long as there is room; return the next part, of which the end stays."""
    (first, last, count, used, repeats), (out, action, reward, weight) = span, room
    after, origins = found
    most = out.shape[0]
    while first < last and count + most <= after.shape[0] and 4 * (used + most) <= 3 * table.shape[0]:
        for i in range(successors(acting, words[first], out, action, reward, weight)):
            if add_hash(table, hash_words(out[i], mask)):
                for word in range(after.shape[1]):
                    after[count, word] = out[i, word]
                origins[count] = first
                count += 1
                used += 1
            else:
                repeats += 1
        first += 1
    return first, count, used, repeats


class Layer(StateSpace):
    """The positions that are first found after some number of actions."""

    transitions, seconds, stopped_by, complete = 0, 0.0, "", False

    def __init__(self, search: HashSearch, words: Array, origins: Array) -> None:
        self._search, self.words, self.origins = search, words, origins
        self.states, self.by_depth, self.who = len(words), (len(words),), search.question.who

    @property
    def level(self) -> Level:
        return self._search.question.level

    def __iter__(self) -> Iterator[Position[Any]]:
        return map(self._search.packing.unpack, self.words)

    def path(self, position: Position[Any]) -> NoReturn:
        raise NotImplementedError

    def _position(self, number: int) -> Position[Any]:
        return self._search.packing.unpack(self.words[number])

    def _number(self, position: Position[Any]) -> int | None:
        packing = self._search.packing
        if not packing.fits(position):
            return None
        places = np.flatnonzero((self.words == packing.pack(position)).all(axis=1))
        return int(places[0]) if len(places) else None

    def _graph(self) -> NoReturn:
        raise NotImplementedError

    def _values(self, term: Term, first: int) -> Array:
        known = self._search.game, self._search.packing
        return values_of_words(term, self.level, known, self.words[first:], self._number)


class HashSearch:
    """Search from the starts of a question; GridproofError when the rules must do.

    Parameters
    ----------
    question : Question
    names : frozenset of str
        Propositions and numbers that are evaluated. If symmetry preserves them, one position of each orbit is kept.
    bits : int
        Bits of a hash that count: fewer than 64 leave out more positions.
    """

    def __init__(
        self, question: Question, names: frozenset[str] = frozenset({"home"}), bits: int = BITS
    ) -> None:
        try:
            self.game, self.packing, who = question.load_packing()
        except Refused as reason:
            raise GridproofError(f"hash compaction needs a kernel: {reason}") from None
        self.question, self.states, self._repeats = question, 0, 0
        """States are those found by the last search."""
        symmetry = self.game.search.symmetry.data(self.packing) if question.is_by_players else None
        self.is_reduced = symmetry is not None and names <= self.game.search.symmetry.invariant
        """True if one position stands for all that are equal up to symmetry."""
        if self.is_reduced:
            self.packing, expansion = pack_orbits(self.game, self.packing, symmetry)  # type: ignore[arg-type]  # there is one
        else:
            expansion = build_expansion(self.game, self.packing, who)
        self._starts = {self.packing.pack(start).tobytes(): start for start in reversed(question.starts)}
        self._acting, self._most = expansion.data, expansion.most
        self._expand = kernel(expand_span, successors=expansion.successors)
        self._mask = np.uint64((1 << bits) - 1)
        with question.meter.pause():
            self._prepare()

    def _prepare(self) -> None:
        """Load or compile the kernels."""
        table, room = np.zeros(8, np.uint64), scratch(self._most, self.packing.words)
        move_hashes(table, table)
        words = next(self.layers()).words
        self._expand(self._acting, words, Span(0, 0, 0, 0, 0), _make_room(1, words), table, self._mask, room)

    def _pack_starts(self) -> Array:
        return np.array([*map(self.packing.pack, self._starts.values())], np.uint64)

    def layers(self) -> Iterator[Layer]:
        """Yield the layers, from the starts on; Stopped at a limit. Each search finds the same."""
        words, meter = self._pack_starts(), self.question.meter
        table = np.zeros(1 << (max(_FIRST, 4 * len(words)) - 1).bit_length(), np.uint64)
        for state in words:
            add_hash(table, np.uint64(hash_words(state, self._mask)))
        self.states, self._repeats, origins = len(words), 0, np.zeros(len(words), np.uint32)
        while len(words):
            yield Layer(self, words, origins)
            words, origins, table = self._next_layer(words, table, meter)

    def _next_layer(self, words: Array, table: Array, meter: Meter) -> tuple[Array, Array, Array]:
        """Return the words and origins of the next layer, and the table."""
        found, room = _make_room(2 * (len(words) + self._most), words), scratch(self._most, words.shape[1])
        first = count = 0
        while first < len(words):
            if meter.is_reached(self.states):
                raise Stopped
            if self.question.progress:
                self.question.progress(self.states)
            span = Span(first, min(len(words), first + _SLICE), count, self.states, self._repeats)
            first, count, self.states, self._repeats = self._expand(
                self._acting, words, span, found, table, self._mask, room
            )
            if count + self._most > len(found.words):
                found = _enlarge(found, count, meter)
            if 4 * (self.states + self._most) > 3 * len(table):
                table = _double(table, meter)
        return found.words[:count], found.origins[:count], table

    def trace(self, depth: int, place: int) -> Trace:
        """Return a shortest trace to the position at a place of the layer of this depth; Stopped at a limit."""
        origins = [layer.origins for layer in itertools.islice(self.layers(), depth + 1)]
        places = [place]
        for before in reversed(origins[1:]):
            places.append(int(before[places[-1]]))
        first, *path = (layer[place] for layer, place in zip(self.layers(), reversed(places), strict=False))
        start = self._starts[self.packing.pack(first).tobytes()]
        return trace_through([start, *path], self.question.who, self._is_same)

    def _is_same(self, one: Position[Any], other: Position[Any]) -> bool:
        return bool(np.array_equal(self.packing.pack(one), self.packing.pack(other)))

    @property
    def omission_probability(self) -> float:
        """The probability that an outcome taken for a known position was a new one, if hashes are random; as TLC estimates it."""
        return min(1.0, self.states * self._repeats / (int(self._mask) + 1))


def _make_room(positions: int, like: Array) -> NextLayer:
    return NextLayer(np.empty((positions, like.shape[1]), np.uint64), np.empty(positions, np.uint32))


def _check_room(size: int, meter: Meter) -> None:
    if not meter.has_room(size):
        raise Stopped


def _enlarge(found: NextLayer, count: int, meter: Meter) -> NextLayer:
    """Return room for twice as many positions."""
    _check_room(2 * (found.words.nbytes + found.origins.nbytes), meter)
    larger = _make_room(2 * len(found.words), found.words)
    for one, other in zip(larger, found, strict=True):
        one[:count] = other[:count]
    return larger


def _double(table: Array, meter: Meter) -> Array:
    """Return a table of twice the length, with the same hashes."""
    _check_room(2 * table.nbytes, meter)
    larger = np.zeros(2 * len(table), np.uint64)
    move_hashes(table, larger)
    return larger
