"""Small graphs in place of a game's, formulas about them, and slow evaluators that are obviously right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gridproof.prove.formula import (
    FALSE,
    TRUE,
    Atom,
    Binary,
    Deadlock,
    Executable,
    Formula,
    Next,
    Truth,
    Unary,
)
from gridproof.prove.paths import Path
from gridproof.search.graph import Graph
from gridproof.search.space import StateSpace

ACTIONS = ("x", "y")
ATOMS = ("p", "q")


@dataclass(frozen=True)
class Drawn:
    """A graph: the edges of each position as (action, target), and where each atom holds."""

    edges: tuple[tuple[tuple[int, int], ...], ...]
    atoms: tuple[tuple[bool, bool], ...]

    def __len__(self) -> int:
        return len(self.edges)

    def after(self, position: int) -> list[int]:
        return [target for _, target in self.edges[position]] or [position]

    def holds(self, atom: Formula, position: int) -> bool:
        if isinstance(atom, Atom):
            return self.atoms[position][ATOMS.index(atom.name)]
        if isinstance(atom, Executable):
            return ACTIONS.index(atom.action) in (action for action, _ in self.edges[position])
        assert isinstance(atom, Deadlock)
        return not self.edges[position]

    def space(self, starts: int = 1) -> StateSpace:
        return Space(self, starts, len(self), len(self))

    def prefix(self, starts: int, expanded: int) -> StateSpace:
        """The space when the first positions are expanded: with these, the starts, and what their edges lead to."""
        targets = [target for row in self.edges[:expanded] for _, target in row]
        return Space(self, starts, max([starts, expanded, *(target + 1 for target in targets)]), expanded)


class Space(StateSpace):
    """A state space that is only its graph, or a prefix of it."""

    def __init__(self, drawn: Drawn, starts: int, known: int, expanded: int) -> None:
        rows = drawn.edges[:expanded]
        flat = [edge for row in rows for edge in row]
        offsets = np.cumsum([0, *map(len, rows)])
        actions, targets = (np.array([edge[i] for edge in flat], np.int32) for i in (0, 1))
        self._made = Graph(offsets, targets, actions, np.ones(len(flat), np.uint8), 1, ACTIONS)
        self._drawn = drawn
        self.states, self.transitions, self.by_depth = known, len(flat), (starts, known - starts)
        self.complete, self.seconds, self.stopped_by, self.engine, self.who = (
            expanded == len(drawn),
            0.0,
            "",
            "",
            (None,),
        )
        self._expanded = expanded

    @property
    def expanded_count(self) -> int:
        return self._expanded

    def _graph(self) -> Graph:
        return self._made

    def graph(self) -> Graph:
        return self._made

    def values(self, term: str, first: int = 0) -> Any:
        return np.array([self._drawn.holds(Atom(term), number) for number in range(first, self.states)])

    @property
    def level(self) -> Any:
        game = SimpleNamespace(actors=lambda level: ("one",))
        return SimpleNamespace(game=game, owner=lambda action: "one")

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    path = _position = _number = _values = None  # type: ignore[assignment]  # it stands in for one


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> Drawn:
    """Graphs in which every position may lead anywhere, or nowhere."""
    count = draw(st.integers(1, most))
    edge = st.tuples(st.integers(0, 1), st.integers(0, count - 1))
    edges = draw(st.lists(st.lists(edge, max_size=3).map(tuple), min_size=count, max_size=count))
    atoms = draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=count, max_size=count))
    return Drawn(tuple(edges), tuple(atoms))


@st.composite
def lassos(draw: st.DrawFn) -> Drawn:
    """Graphs that are one path: a stem and a loop, or a stem that ends."""
    count = draw(st.integers(1, 6))
    actions = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    back = draw(st.integers(0, count))
    targets = [*range(1, count), back]
    edges = [
        ((action, target),) if target < count else () for action, target in zip(actions, targets, strict=True)
    ]
    atoms = draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=count, max_size=count))
    return Drawn(tuple(edges), tuple(atoms))


STATE_ATOMS = st.sampled_from(
    [Atom("p"), Atom("q"), Atom("p"), Atom("q"), TRUE, FALSE, Deadlock(), Executable("x")]
)
_BOOLEAN = ("&", "|", "->", "<->")


def _join(inner: st.SearchStrategy[Formula], unary: str, binary: Sequence[str]) -> st.SearchStrategy[Formula]:
    return st.builds(Unary, st.sampled_from(["!", *unary]), inner) | st.builds(
        Binary, st.sampled_from([*_BOOLEAN, *binary]), inner, inner
    )


def ltl(future: str = "XFG", past: str = "YHO", most: int = 6) -> st.SearchStrategy[Formula]:
    """Formulas of LTL, with past."""
    binary = [*("UWR" if future else ""), *("ST" if past else "")]
    leaves = STATE_ATOMS | st.sampled_from([Next("x"), Next("y")])
    return st.recursive(leaves, lambda inner: _join(inner, future + past, binary), max_leaves=most)


def ctl(most: int = 6) -> st.SearchStrategy[Formula]:
    """Formulas of CTL."""

    def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        temporal = st.builds(Unary, st.sampled_from("XFG"), inner) | st.builds(
            Binary, st.sampled_from("UWR"), inner, inner
        )
        return _join(inner, "", []) | st.builds(Unary, st.sampled_from("AE"), temporal)

    return st.recursive(STATE_ATOMS, larger, max_leaves=most)


def truth_in(formula: Formula, drawn: Drawn) -> set[int]:
    """The positions in which a formula of CTL holds: by its equations, iterated."""
    everywhere = set(range(len(drawn)))
    match formula:
        case Truth(value):
            return everywhere if value else set()
        case Unary("!", operand):
            return everywhere - truth_in(operand, drawn)
        case Binary(("&" | "|" | "->" | "<->") as operator, left, right):
            one, two = truth_in(left, drawn), truth_in(right, drawn)
            joined = {"&": one & two, "|": one | two, "->": (everywhere - one) | two}
            return joined.get(operator, everywhere - (one ^ two))
        case Unary(quantifier, path) if quantifier in "AE":
            return _evaluate_paths(all if quantifier == "A" else any, path, drawn)
    return {number for number in everywhere if drawn.holds(formula, number)}


def _evaluate_paths(which: Any, path: Formula, drawn: Drawn) -> set[int]:
    def next_in(found: set[int]) -> set[int]:
        return {one for one in range(len(drawn)) if which(after in found for after in drawn.after(one))}

    everywhere = set(range(len(drawn)))
    match path:
        case Unary(operator, operand):
            sides = everywhere if operator == "F" else set(), truth_in(operand, drawn)
        case Binary(operator, left, right):
            sides = truth_in(left, drawn), truth_in(right, drawn)
        case _:
            raise TypeError(path)
    one, two = sides
    match operator:
        case "X":
            return next_in(two)
        case "F" | "U":
            return _iterate(set(), lambda found: two | (one & next_in(found)))
        case "G" | "R":
            return _iterate(everywhere, lambda found: two & (one | next_in(found)))
    return _iterate(everywhere, lambda found: two | (one & next_in(found)))  # W


def _iterate(found: set[int], step: Any) -> set[int]:
    while (following := step(found)) != found:
        found = following
    return found


@dataclass(frozen=True)
class Word:
    """A path of a graph as a lasso: positions, the action after each (None where it stays), and where it loops to."""

    positions: tuple[int, ...]
    actions: tuple[int | None, ...]
    loop: int


def word_of(path: Path, drawn: Drawn) -> Word:
    """The word of a path; where what follows does not matter, it goes on with each edge in turn, so that it is fair."""
    graph = drawn.space().graph()
    positions, actions = [path.start], list[int | None]()
    for edge in path.edges:
        assert graph.offsets[positions[-1]] <= edge < graph.offsets[positions[-1] + 1]
        actions.append(int(graph.actions[edge]))
        positions.append(int(graph.targets[edge]))
    if path.loop is None:
        places, turns = dict[tuple[int, ...], int](), [0] * len(drawn)
        while (now := (positions[-1], *turns)) not in places:
            places[now] = len(actions)
            edges = drawn.edges[positions[-1]] or ((None, positions[-1]),)
            action, target = edges[turns[positions[-1]]]
            turns[positions[-1]] = (turns[positions[-1]] + 1) % len(edges)
            actions.append(action)
            positions.append(target)
        return Word(tuple(positions[:-1]), tuple(actions), places[now])
    assert positions[-1] == positions[path.loop]
    return Word(tuple(positions[:-1]), tuple(actions), path.loop)


def words_by_length(drawn: Drawn, most: int, start: int = 0) -> Iterator[Word]:
    """All lassos from a position of at most so many edges, the shortest first."""
    ways: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((start,), ())]
    for _ in range(most + 1):
        for positions, actions in ways:
            if not drawn.edges[positions[-1]]:
                yield Word(positions, (*actions, None), len(actions))
            for place, position in enumerate(positions[:-1]):
                if position == positions[-1]:
                    yield Word(positions[:-1], actions, place)
        ways = [
            ((*positions, target), (*actions, action))
            for positions, actions in ways
            for action, target in sorted(set(drawn.edges[positions[-1]]))
        ]


def only_word(drawn: Drawn) -> Word:
    """The word of a graph that is one path."""
    position, positions, actions = 0, [], []
    while position not in positions:
        positions.append(position)
        actions.append(drawn.edges[position][0][0] if drawn.edges[position] else None)
        position = drawn.after(position)[0]
    return Word(tuple(positions), tuple(actions), positions.index(position))


def holds_on(formula: Formula, word: Word, drawn: Drawn) -> bool:
    """Return whether a formula of LTL holds on a word: on so many rounds of its loop that the past settles."""
    rounds = 2 + str(formula).count("(") + sum(map(str(formula).count, "YHOST"))
    stem, loop = word.positions[: word.loop], word.positions[word.loop :]
    done, again = word.actions[: word.loop], word.actions[word.loop :]
    long = Word(stem + loop * rounds, done + again * rounds, len(stem) + len(loop) * (rounds - 1))
    return _values(formula, long, drawn)[0]


def _values(formula: Formula, word: Word, drawn: Drawn) -> list[bool]:
    count = len(word.positions)
    match formula:
        case Truth(value):
            return [value] * count
        case Next(action):
            return [done is not None and ACTIONS[done] == action for done in word.actions]
        case Unary("!", operand):
            return [not value for value in _values(operand, word, drawn)]
        case Unary(operator, operand):
            two = _values(operand, word, drawn)
            one = [operator in "FO"] * count
        case Binary(operator, left, right):
            one, two = _values(left, word, drawn), _values(right, word, drawn)
        case _:
            return [drawn.holds(formula, position) for position in word.positions]
    match operator:
        case "&" | "|" | "->" | "<->":
            table = {"&": lambda a, b: a and b, "|": lambda a, b: a or b, "->": lambda a, b: b or not a}
            return list(map(table.get(operator, lambda a, b: a is b), one, two))
        case "X":
            return [*two[1:], two[word.loop]]
        case "Y" | "O" | "S" | "H" | "T":
            return _backwards(operator, one, two)
    return _forwards(operator, one, two, word.loop)


def _backwards(operator: str, one: list[bool], two: list[bool]) -> list[bool]:
    if operator == "Y":
        return [False, *two[:-1]]
    values, before = [], operator in "HT"
    for left, right in zip(one, two, strict=True):
        before = right or (left and before) if operator in "OS" else right and (left or before)
        values.append(before)
    return values


def _forwards(operator: str, one: list[bool], two: list[bool], loop: int) -> list[bool]:
    values = [operator in "GRW"] * len(one)
    for _ in range(2 * len(one)):
        for place in reversed(range(len(one))):
            after = values[place + 1] if place + 1 < len(one) else values[loop]
            left, right = one[place], two[place]
            values[place] = right and (left or after) if operator in "GR" else right or (left and after)
    return values
