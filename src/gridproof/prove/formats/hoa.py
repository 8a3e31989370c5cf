"""Automata in the Hanoi Omega-Automata format (HOA, version 1): of levels, and of formulas of LTL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gridproof.core.text import files
from gridproof.prove.automaton import Automaton, Transition
from gridproof.prove.formats.labelled_graph import VERSION, LabelledGraph, comment, propositions_of
from gridproof.prove.formats.notation import Notation, to_linear
from gridproof.prove.formula import Formula, Next, negate
from gridproof.prove.model import rows_of
from gridproof.prove.tableau import automaton_of

_NOTATION = Notation("HOA", "t", "f", {"!": "!", "&": "&", "|": "|"})


class HoaModel:
    """A level as an automaton of its paths, and for each formula one of the paths on which it does not hold."""

    def __init__(self, path: Path, formulas: Sequence[Formula], propositions: Sequence[Formula]) -> None:
        never = path.with_suffix(f".never{path.suffix}")
        numbered = [files.add_number(never, number) for number in range(1, len(formulas) + 1)]
        self.files = [path, *(numbered if len(formulas) > 1 else [never] * len(formulas))]
        self._propositions = propositions
        self._claims = [violations(one) for one in formulas]

    def texts(self, graph: LabelledGraph, name: str) -> list[Iterator[str]]:
        """Return the lines of the automaton of the level, and of those of the formulas."""
        return [self._level(graph, name), *map(iter, self._claims)]

    def _level(self, graph: LabelledGraph, name: str) -> Iterator[str]:
        first, *rest = graph.heading(name)
        yield from _head(first, graph.positions, range(graph.starts), self._propositions)
        yield from _acceptance(0)
        yield from map(comment, rest)
        never = self.files[1].name if self._claims else "FILE.never.hoa"
        yield comment(
            f"Run: autfilt -c --intersect={self.files[0].name} {never} prints 0 if the property holds"
        )
        yield "--BODY--"
        actions = [one for one in self._propositions if isinstance(one, Next)]
        yield from self._labelled_edges(graph) if actions else self._labelled_states(graph)
        yield "--END--"

    def _labelled_states(self, graph: LabelledGraph) -> Iterator[str]:
        """Yield the positions, each with its propositions, and the positions that follow."""
        for position in range(graph.positions):
            yield f"State: [{self._label(graph, position, ())}] {position}"
            yield " ".join(map(str, graph.successors(position)))

    def _labelled_edges(self, graph: LabelledGraph) -> Iterator[str]:
        """Yield the positions, and their edges with the propositions that hold and the action that is done."""
        edges = rows_of(graph.space).graph
        for position in range(graph.positions):
            yield f"State: {position}"
            first, last = edges.offsets[position], edges.offsets[position + 1]
            pairs = zip(edges.actions[first:last].tolist(), edges.targets[first:last].tolist(), strict=True)
            done = [(str(edges.labels[action]), target) for action, target in pairs] or [("", position)]
            lines = (f"[{self._label(graph, position, (action,))}] {target}" for action, target in done)
            yield from dict.fromkeys(lines)

    def _label(self, graph: LabelledGraph, position: int, actions: Sequence[str]) -> str:
        truths = (
            one.action in actions if isinstance(one, Next) else graph.values[one][position]
            for one in self._propositions
        )
        return "&".join(f"{'' if truth else '!'}{number}" for number, truth in enumerate(truths))


def violations(formula: Formula) -> list[str]:
    """Return the lines of the automaton of the paths on which a formula of LTL does not hold."""
    return automaton_lines(automaton_of(negate(to_linear(formula, "HOA"))), f"violations of {formula}")


def automaton_lines(automaton: Automaton, name: str) -> list[str]:
    """Return the lines of an automaton; its propositions are those in the atoms of the automaton."""
    propositions = propositions_of(automaton.atoms)
    numbers = {one: str(number) for number, one in enumerate(propositions)}
    conditions = [_NOTATION.text(one, numbers) for one in automaton.atoms]
    return [
        *_head(name, len(automaton.transitions), [0], propositions),
        *_acceptance(automaton.marks),
        "--BODY--",
        *_states(automaton, conditions),
        "--END--",
    ]


def _head(name: str, states: int, starts: Iterable[int], propositions: Sequence[Formula]) -> Iterator[str]:
    yield "HOA: v1"
    yield f"tool: {_quote('gridproof')} {_quote(VERSION)}"
    yield f"name: {_quote(name)}"
    yield f"States: {states}"
    yield from (f"Start: {start}" for start in starts)
    yield " ".join([f"AP: {len(propositions)}", *(_quote(str(one)) for one in propositions)])


def _acceptance(marks: int) -> Iterator[str]:
    named = "all" if not marks else "Buchi" if marks == 1 else f"generalized-Buchi {marks}"
    yield f"acc-name: {named}"
    yield f"Acceptance: {marks} {'&'.join(f'Inf({mark})' for mark in range(marks)) or 't'}"


def _states(automaton: Automaton, conditions: Sequence[str]) -> Iterator[str]:
    for state, row in enumerate(automaton.transitions):
        yield f"State: {state}"
        for one in row:
            marks = " ".join(str(mark) for mark in range(automaton.marks) if one.marks >> mark & 1)
            yield f"[{_condition(one, conditions)}] {one.target}{f' {{{marks}}}' if marks else ''}"


def _condition(transition: Transition, conditions: Sequence[str]) -> str:
    inside = [one if one.isdigit() else f"({one})" for one in conditions]
    return (
        "&".join(f"{'' if holds else '!'}{inside[number]}" for number, holds in transition.literals()) or "t"
    )


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
