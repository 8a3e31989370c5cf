"""Shortest lassos that an automaton accepts, as long as the search for them is cheap.

The effect of a word on an automaton maps each state to the states after it, with the marks of all runs together. A
loop is repeated for ever, so its effect tells the states that accept it. A breadth-first search over positions
and effects finds loops that are shortest in the model, even where a run of the automaton comes back to its state
only after several rounds, which a search of the product would make longer (V. Schuppan and A. Biere, TACAS 2005).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.core.limit import Stopped
from gridproof.prove.automaton import Automaton
from gridproof.search.graph import Array

_WORK = 1 << 14  # followed edges, and entries of effects


class _Effect(NamedTuple):
    """Effect of a word on the states of the automaton, and on fairness."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    """The states after the word for each state before it, in order, with marks."""
    met: int = 0
    """The assumptions of fairness that it meets when it is repeated."""
    possible: int = 0
    """The acts of strong fairness that are possible in it."""

    def then(self, other: _Effect) -> _Effect:
        """Return the effect of one word after another."""
        rows = []
        for row in self.rows:
            after: dict[int, int] = {}
            for middle, first in row:
                for state, second in other.rows[middle]:
                    after[state] = after.get(state, 0) | first | second
            rows.append(tuple(sorted(after.items())))
        return _Effect(tuple(rows), self.met | other.met, self.possible | other.possible)

    def repeat(self) -> _Effect:
        """Return the effect of one round or more, of all their runs together."""
        twice = self.then(self).rows
        rows = tuple(_unite(*both) for both in zip(self.rows, twice, strict=True))
        return self if rows == self.rows else self._replace(rows=rows).repeat()


def _unite(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    united = dict(one)
    for state, marks in other:
        united[state] = united.get(state, 0) | marks
    return tuple(sorted(united.items()))


class _Visit(NamedTuple):
    """A node of a search: a position, and a state of the automaton or the number of an effect."""

    position: int
    inner: int
    before: _Visit | None = None
    edge: int = -1
    """The edge to it; -1 where the position is followed by itself."""
    steps: int = 0

    def edges(self) -> tuple[int, tuple[int, ...]]:
        """Return the start of the path to it, and its edges."""
        edges, visit = [], self
        while visit.before is not None:
            edges.append(visit.edge)
            visit = visit.before
        return visit.position, tuple(edge for edge in reversed(edges) if edge >= 0)


class Lasso(NamedTuple):
    """The edges to a loop and the edges of the loop; there are none if a position is followed by itself."""

    start: int
    stem: tuple[int, ...]
    loop: tuple[int, ...]


@dataclass
class Shortening:
    """A search for lassos that are shorter than the first one."""

    is_exhaustive: bool = False
    """True if it goes on until the shortest is found, even if that is not cheap."""
    is_cut: bool = False
    """True if it ended before it knew that nothing is shorter."""


class Lassos:
    """Fair lassos of a graph that an automaton accepts.

    `places` is the graph with its words, as in `emptiness.Product`, `fair` the marks of weak fairness and of strong.
    `check_limit` is called now and then, and raises Stopped at a limit. Otherwise the search ends when it is no longer
    cheap, unless it is exhaustive.
    """

    def __init__(
        self,
        places: tuple[Array, ...],
        automaton: Automaton,
        fair: tuple[int, int],
        check_limit: Callable[[], None],
        is_exhaustive: bool = False,
    ) -> None:
        self._places, self._automaton, self._fair, self._check_limit = places, automaton, fair, check_limit
        self._work_left, self._is_exhaustive = _WORK, is_exhaustive
        self._effects: list[_Effect] = []
        self._numbers: dict[_Effect, int] = {}
        self._nothing = self._number(
            _Effect(tuple(((state, 0),) for state in range(len(automaton.transitions))))
        )
        self._letter = functools.cache(self._letter_of)
        self._edges = functools.cache(self._edges_of)
        self._join_effects = functools.cache(self._effect_of_both)
        self._repeating_states = functools.cache(self._find_repeating_states)

    def shorter_lassos(self, starts: Sequence[int], length: int) -> Iterator[Lasso]:
        """Yield ever shorter lassos from some positions, of fewer edges than `length`; in the end, the last is a shortest.

        Stopped at a limit, or when the search is no longer cheap.
        """
        least, most, found = -1, 0, False
        while least < length - 1 and not found:
            most = min(most, length - 1)
            for lasso in self._lassos_within(starts, most):
                found = True
                yield lasso
            least, most = most, 2 * most + 1

    def _lassos_within(self, starts: Sequence[int], most: int) -> Iterator[Lasso]:
        """Yield shorter and shorter lassos of at most `most` edges."""
        heads: dict[int, dict[int, _Visit]] = {}
        for visit in self._visits([(start, 0) for start in starts], most, self._states_after):
            heads.setdefault(visit.position, {}).setdefault(visit.inner, visit)
        for head, stems in heads.items():
            fewest = min(stem.steps for stem in stems.values())
            follow = functools.partial(self._effects_after, tuple(stems))
            for visit in self._visits([(head, self._nothing)], most - fewest, follow):
                if visit.steps + fewest > most:
                    break
                ends = [stems[state] for state in self._ends(visit, head) if state in stems]
                stem = min(ends, key=lambda one: one.steps, default=None)
                if stem is not None and stem.steps + visit.steps <= most:
                    most = stem.steps + visit.steps - 1
                    yield Lasso(*stem.edges(), visit.edges()[1])

    def _ends(self, visit: _Visit, head: int) -> frozenset[int]:
        """Return the states that accept the loop to a visit, if it is one."""
        if visit.before is None or visit.position != head:
            return frozenset()
        return self._repeating_states(visit.inner)

    def _visits(
        self, starts: list[tuple[int, int]], most: int, follow: Callable[[int, int], Iterable[int]]
    ) -> Iterator[_Visit]:
        """Yield the visits of a breadth-first search of at most `most` steps, its starts first."""
        self._spend(len(starts))
        self._check_limit()
        queue, seen = [_Visit(*start) for start in starts], set()
        for visit in queue:
            yield visit
            if not (edges := self._edges(visit.position)):
                continue
            steps = visit.steps + (edges[0][0] >= 0)
            if steps > most:
                continue
            self._spend(len(edges))
            for edge, target, letter in edges:
                for inner in follow(visit.inner, letter):
                    if (target, inner) not in seen:
                        seen.add((target, inner))
                        queue.append(_Visit(target, inner, visit, edge, steps))

    def _states_after(self, state: int, letter: int) -> Iterable[int]:
        return (after for after, _ in self._effects[letter].rows[state])

    def _effects_after(self, states: tuple[int, ...], effect: int, letter: int) -> Iterable[int]:
        """Return the effect with one letter more, if some run from the states is left."""
        after = self._join_effects(effect, letter)
        return (after,) if any(self._effects[after].rows[state] for state in states) else ()

    def _edges_of(self, position: int) -> list[tuple[int, int, int]]:
        """Return the edges of a position, each with its target and the effect of its letter; none at a frontier."""
        offsets, targets, actions, words, done = self._places
        first, last, word = int(offsets[position]), int(offsets[position + 1]), int(words[position])
        if first == last:
            return [(-1, position, self._letter(word, 0))]
        ways = zip(targets[first:last].tolist(), done[actions[first:last]].tolist(), strict=True)
        return [
            (edge, target, self._letter(word, act))
            for edge, (target, act) in enumerate(ways, first)
            if target >= 0
        ]

    def _letter_of(self, word: int, act: int) -> int:
        (weak, strong), letter, rows = self._fair, word | act, []
        for transitions in self._automaton.transitions:
            self._spend(len(transitions))
            after: dict[int, int] = {}
            for one in transitions:
                if not (one.must & ~letter or one.not_any & letter):
                    after[one.target] = after.get(one.target, 0) | one.marks
            rows.append(tuple(sorted(after.items())))
        met = act & (weak | strong) | ~word & weak
        return self._number(_Effect(tuple(rows), met, word & strong))

    def _effect_of_both(self, one: int, other: int) -> int:
        self._spend(sum(map(len, self._effects[one].rows)))
        return self._number(self._effects[one].then(self._effects[other]))

    def _number(self, effect: _Effect) -> int:
        if effect not in self._numbers:
            self._numbers[effect] = len(self._effects)
            self._effects.append(effect)
        return self._numbers[effect]

    def _find_repeating_states(self, number: int) -> frozenset[int]:
        """Return the states that accept a word with this effect when it is repeated for ever."""
        effect = self._effects[number]
        if self._fair[0] & ~effect.met or effect.possible & ~effect.met:
            return frozenset()
        self._spend(sum(map(len, effect.rows)) * len(effect.rows))
        every, rows = (1 << self._automaton.marks) - 1, effect.repeat().rows
        around = {state for state, row in enumerate(rows) if (state, every) in row}
        return frozenset(state for state, row in enumerate(rows) if any(after in around for after, _ in row))

    def _spend(self, work: int) -> None:
        self._work_left -= work
        if self._work_left < 0:
            if not self._is_exhaustive:
                raise Stopped
            self._work_left = _WORK
            self._check_limit()
