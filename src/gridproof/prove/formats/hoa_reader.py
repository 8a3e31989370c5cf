"""Reader of automata in the Hanoi Omega-Automata format (HOA, version 1), as properties of levels.

Büchi and generalised Büchi automata are read, deterministic or not, with labels and acceptance on states or transitions,
several start states, aliases and implicit labels.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from lark import Token

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.text import files
from gridproof.core.text.phrases import short_repr
from gridproof.prove.automaton import Transition, drop_common_marks, merge_states
from gridproof.prove.formats.hoa_items import Edge, Header, Items, Label, State, parse_items
from gridproof.prove.formula import (
    TRUE,
    Accepted,
    Atom,
    Binary,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Next,
    Truth,
    Unary,
    negate,
    subformulas,
)
from gridproof.prove.parsing import parse

_DEEPEST = 100  # parentheses and negations in a label
_MOST_STATES, _MOST_TRANSITIONS, _MOST_CUBES = 1 << 12, 1 << 16, 1 << 10
_KNOWN = frozenset({"States:", "Start:", "AP:", "Alias:", "Acceptance:"})
_SEVERAL = frozenset({"Start:", "Alias:"})
_STATEMENTS = Atom | Comparison | Executable | Deadlock | Truth | Unary | Binary
_BOOLEAN = frozenset("!&|") | {"->", "<->"}
_SUPPORTED = "t, Inf(0), or Inf(0) & Inf(1) and so on"
_LARGE_LABEL = f"a label is too large: more than {_MOST_CUBES:,} disjuncts"

Cube = tuple[int, int]
"""Bits of the propositions that hold, and of those that do not."""


def read_violations(path: str | Path) -> Formula:
    """Read an automaton of violations: return the formula that no path is accepted by it, for `gridproof.check`.

    ParseError, with the line, for a text of another form and for automata that are not supported; GridproofError if the
    file cannot be read.
    """
    path = files.to_path(path)
    with files.locate_errors(path):
        return negate(parse_automaton(files.clean(files.read_text(path)), path.name))


def parse_automaton(text: str, name: str) -> Accepted:
    """Parse an automaton in HOA: return the formula that the path is accepted by it. ParseError as of `read_violations`."""
    return _AutomatonBuilder(parse_items(text)).to_accepted(name)


class _AutomatonBuilder:
    """Builder of an automaton from its items."""

    def __init__(self, items: Items) -> None:
        if items.version != "v1":
            raise _error(items.version, f"version {items.version} of HOA is not supported", "v1")
        self._headers = _by_name(items)
        self._states = _by_number(items.states)
        self._propositions = self._read_propositions()
        self._aliases: dict[str, Label] = {}
        self._marks = self._read_acceptance()
        self._count = self._count_states(items)
        for header in self._headers.get("Alias:", ()):
            self._define(*header.values)

    def to_accepted(self, name: str) -> Accepted:
        """Return the formula that the path is accepted; state 0 of its automaton stands for all start states."""
        rows = [[*self._transitions(number)] for number in range(self._count)]
        starts = [self._state(header.values[0]) for header in self._headers.get("Start:", ())]
        shifted = [[one._replace(target=one.target + 1) for one in row] for row in rows]
        first = list(dict.fromkeys(one for start in starts for one in shifted[start]))
        _check_size(self._count, sum(map(len, shifted)) + len(first))
        automaton = drop_common_marks(
            tuple(self._propositions), merge_states([first, *shifted]), len(self._marks)
        )
        named: Formula = TRUE
        for one in self._propositions:
            named = Binary("&", named, one)
        return Accepted(name, automaton, named)

    def _read_propositions(self) -> list[Formula]:
        header = self._one("AP:")
        if header is None:
            return []
        number, texts = header.values
        if int(number) != len(texts):
            raise _error(number, f"{number} propositions are announced, and {len(texts)} follow")
        if len(set(texts)) < len(texts):
            raise _error(number, "two propositions have the same name")
        return [_proposition(text) for text in texts]

    def _read_acceptance(self) -> dict[int, int]:
        """Return the marks of the acceptance sets that must be seen again and again, by their numbers."""
        header = self._one("Acceptance:")
        assert header  # without it, the headers are refused
        number, condition = header.values
        waiting, found = [condition], dict[int, int]()
        while waiting:
            one = waiting.pop()
            if one.kind == "&":
                waiting += reversed(one.operands)
            elif one.kind == "Inf":
                token = one.operands[0]
                _check_number(token, int(number), "acceptance set")
                found.setdefault(int(token), len(found))
            elif one.kind != "t":
                raise _error(
                    header.name, "only Büchi and generalised Büchi acceptance is supported", _SUPPORTED
                )
        return found

    def _one(self, name: str) -> Header | None:
        return next(iter(self._headers.get(name, ())), None)

    def _count_states(self, items: Items) -> int:
        """Return the number of states; without `States:`, as many as are used."""
        header = self._one("States:")
        if header is not None:
            return int(header.values[0])
        edges = (edge.targets for state in items.states for edge in state.edges)
        starts = (header.values[0] for header in self._headers.get("Start:", ()))
        used = [int(one) for targets in (*edges, *starts) for one in targets]
        return max([*used, *self._states], default=-1) + 1

    def _define(self, name: Token, label: Label) -> None:
        if name in self._aliases:
            raise _error(name, f"{name} is defined twice")
        self._cubes(label, True)
        self._aliases[name] = label

    def _state(self, targets: tuple[Token, ...]) -> int:
        """Return the only state of some; ParseError for several, which alternating automata have."""
        if len(targets) > 1:
            raise _error(targets[1], "alternating automata are not supported", "one state")
        _check_number(targets[0], self._count, "state")
        return int(targets[0])

    def _transitions(self, number: int) -> Iterator[Transition]:
        state = self._states.get(number)
        if state is None:
            return
        _check_number(state.number, self._count, "state")
        for edge, label in self._labelled_edges(state):
            marks = sum(1 << self._marks[int(one)] for one in self._sets(state, edge))
            target = self._state(edge.targets)
            for must, not_any in self._cubes(label, True):
                yield Transition(must, not_any, target, marks)

    def _sets(self, state: State, edge: Edge) -> set[str]:
        """Return the sets of an edge that count; those of its state are its own."""
        header = self._one("Acceptance:")
        assert header
        for one in (*state.sets, *edge.sets):
            _check_number(one, int(header.values[0]), "acceptance set")
        return {str(one) for one in (*state.sets, *edge.sets) if int(one) in self._marks}

    def _labelled_edges(self, state: State) -> Iterator[tuple[Edge, Label]]:
        """Yield the edges of a state with their labels; ParseError where some have a label and some have none."""
        labelled = [edge for edge in state.edges if edge.label is not None]
        if state.label is not None and labelled:
            raise _error(state.number, f"state {state.number} has a label, and its edges have labels, too")
        if state.label is None and not labelled and state.edges:
            yield from self._implicit(state)
            return
        for edge in state.edges:
            label = edge.label or state.label
            if label is None:
                raise _error(edge.targets[0], "this edge has no label, and others of its state have one")
            yield edge, label

    def _implicit(self, state: State) -> Iterator[tuple[Edge, Label]]:
        """Yield the edges of a state without labels: there is one for each set of propositions, in their order."""
        propositions = range(len(self._propositions))
        if len(state.edges) != 1 << len(propositions):
            raise _error(
                state.number,
                f"state {state.number} has {len(state.edges)} edges without labels",
                f"{1 << len(propositions)}",
            )
        for letter, edge in enumerate(state.edges):
            held = [Label("proposition", (Token("INT", str(one)),)) for one in propositions]
            signed = (one if letter >> bit & 1 else Label("!", (one,)) for bit, one in enumerate(held))
            yield edge, Label("&", tuple(signed))

    def _cubes(self, label: Label, positive: bool, depth: int = 0) -> list[Cube]:
        """Return a disjunction of cubes that is equal to a label, or to its negation."""
        if depth > _DEEPEST:
            raise GridproofError(f"a label is nested too deeply: more than {_DEEPEST} operators")
        kind, operands = label
        if kind in ("t", "f"):
            return [(0, 0)] if (kind == "t") is positive else []
        if kind == "!":
            return self._cubes(operands[0], not positive, depth + 1)
        if kind == "alias":
            return self._cubes(self._alias(operands[0]), positive, depth + 1)
        if kind == "proposition":
            _check_number(operands[0], len(self._propositions), "proposition")
            bit = 1 << int(operands[0])
            return [(bit, 0) if positive else (0, bit)]
        parts = (self._cubes(one, positive, depth + 1) for one in operands)
        if (kind == "&") is positive:
            return functools.reduce(_conjoin, parts, [(0, 0)])
        return functools.reduce(_disjoin, parts, [])

    def _alias(self, name: Token) -> Label:
        if name not in self._aliases:
            raise _error(name, f"{name} is not defined before", ", ".join(self._aliases))
        return self._aliases[name]


def _conjoin(ones: list[Cube], others: list[Cube]) -> list[Cube]:
    if len(ones) * len(others) > _MOST_TRANSITIONS:
        raise GridproofError(_LARGE_LABEL)
    joined = [(one[0] | two[0], one[1] | two[1]) for one in ones for two in others]
    return _disjoin([(must, not_any) for must, not_any in joined if not must & not_any], [])


def _disjoin(ones: list[Cube], others: list[Cube]) -> list[Cube]:
    """Return the cubes of both without those that others cover."""
    found: list[Cube] = []
    for one in dict.fromkeys((*ones, *others)):
        if not any(_covers(other, one) for other in found):
            found = [*(other for other in found if not _covers(one, other)), one]
        if len(found) > _MOST_CUBES:
            raise GridproofError(_LARGE_LABEL)
    return found


def _covers(one: Cube, other: Cube) -> bool:
    return not one[0] & ~other[0] and not one[1] & ~other[1]


def _by_name(items: Items) -> dict[str, list[Header]]:
    """Return the items of the header that matter, by name; ParseError for unknown, missing and repeated ones."""
    found: dict[str, list[Header]] = {}
    for one in items.headers:
        if one.name not in _KNOWN and one.name[0].isupper():
            raise _error(one.name, f"{one.name} is not supported, and may change what is accepted")
        if one.name in found and one.name in _KNOWN - _SEVERAL:
            raise _error(one.name, f"{one.name} is there twice")
        found.setdefault(str(one.name), []).append(one)
    if "Acceptance:" not in found:
        raise _error(items.version, "the header has no Acceptance:", _SUPPORTED)
    return found


def _by_number(states: Iterable[State]) -> dict[int, State]:
    found: dict[int, State] = {}
    for one in states:
        if int(one.number) in found:
            raise _error(one.number, f"state {one.number} is there twice")
        found[int(one.number)] = one
    return found


def _proposition(text: Token) -> Formula:
    """Return the meaning of a proposition's name: a statement about positions, or `[ACTION]`."""
    named = re.sub(r"\\(.)", r"\1", text[1:-1])
    line, column = text.line or 1, text.column or 1
    formula = parse("\n" * (line - 1) + " " * column + named)
    parts = [] if isinstance(formula, Next) else subformulas(formula)
    if not all(isinstance(one, _STATEMENTS) and getattr(one, "operator", "!") in _BOOLEAN for one in parts):
        expected = "a statement about positions, or [ACTION]"
        raise _error(text, f"{short_repr(named)} is no proposition", expected)
    return formula


def _check_number(token: Token, count: int, what: str) -> None:
    if int(token) >= count:
        raise _error(token, f"there is no {what} {token}: there are {count}")


def _check_size(states: int, transitions: int) -> None:
    if states > _MOST_STATES or transitions > _MOST_TRANSITIONS:
        raise GridproofError(
            f"the automaton is too large: more than {_MOST_STATES:,} states or {_MOST_TRANSITIONS:,} transitions"
        )


def _error(token: Token, reason: str, expected: str = "") -> ParseError:
    return ParseError(reason, line=token.line or 0, column=token.column or 0, expected=expected)
