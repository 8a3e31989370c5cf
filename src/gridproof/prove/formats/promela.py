"""Models for SPIN, in Promela with tables in C beside it; formulas as `ltl` properties and as never claims."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from gridproof.prove.automaton import Automaton, Transition
from gridproof.prove.formats.labelled_graph import LabelledGraph, comment, identifiers, reserve
from gridproof.prove.formats.notation import Notation, refuse_actions, to_linear
from gridproof.prove.formula import Formula, is_path_formula, negate, positional_parts, subformulas
from gridproof.prove.tableau import automaton_of

_CONDITION = Notation("Promela", "true", "false", {"!": "!", "&": "&&", "|": "||"})
_LTL = _CONDITION._replace(
    operators={**_CONDITION.operators, "->": "->", "G": "[]", "F": "<>", "U": "U", "R": "V"}
)
_OPERATORS, _MOST_OPERATORS = frozenset("!&|FGUR") | {"->"}, 5
"""Formulas for SPIN's `ltl`. Its translator takes very long for others, and has no operators of the past."""
_RESERVED = reserve(
    """
    active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step do else empty
    enabled end eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty
    never nfull notrace np_ nr_pr od of pc_value pid print printf printm priority proctype provided return run
    select set_priority short show skip timeout trace true typedef unless unsigned xr xs always eventually until
    weakuntil stronguntil release implies equivalent next U V W X auto case char const continue default double
    enum extern float long register restrict signed sizeof static struct switch union void volatile while now
    position begun first_edge target_of go level wait
    """
)
_ROW = 20  # numbers in a line


class PromelaModel:
    """The model of a level, with formulas of LTL, as text for SPIN."""

    def __init__(self, path: Path, formulas: Sequence[Formula], propositions: Sequence[Formula]) -> None:
        self.files = [path, path.with_suffix(".h")]
        own = {f"property_{number}" for number in range(1, len(formulas) + 1)}
        self._names = identifiers(propositions, _RESERVED | own)
        self._properties = [_property(number, one, self._names) for number, one in enumerate(formulas, 1)]

    def texts(self, graph: LabelledGraph, name: str) -> list[Iterator[str]]:
        """Return the lines of the model, and of its tables: SPIN reads no long text in C."""
        return [self._lines(graph, name), self._tables(graph)]

    def _tables(self, graph: LabelledGraph) -> Iterator[str]:
        yield comment(f"The tables of {self.files[0].name}")
        yield from _table("int first_edge", graph.offsets)
        yield from _table("int target_of", graph.targets)
        for formula, values in graph.values.items():
            yield from _table(f"char is__{self._names[formula]}", values.astype(int))

    def _lines(self, graph: LabelledGraph, name: str) -> Iterator[str]:
        yield from map(comment, graph.heading(name))
        file = self.files[0].name
        yield comment(f"Run: spin -a {file} && gcc -O2 -o pan pan.c && ./pan -a -m1000000 -N property_1")
        yield comment("If it says 'max search depth too small', paths were cut off: choose a larger -m.")
        yield comment("./pan -r -v -N property_1 shows the positions of a counterexample.")
        yield f'c_decl {{\n\\#include "{self.files[1].name}"\n}}'
        yield "int position;"
        yield from (f"bit {self._names[one]}; {comment(str(one))}" for one in graph.values)
        yield "bit begun;"
        yield "c_code {"
        yield "static void go(int to) {"
        yield "  now.position = to; now.begun = 1;"
        yield from (f"  now.{one} = is__{one}[to];" for one in self._names.values())
        yield "}"
        yield "}"
        yield from self._process(graph)
        yield from itertools.chain.from_iterable(self._properties)

    def _process(self, graph: LabelledGraph) -> Iterator[str]:
        yield "active proctype level() {"
        yield "  if"
        yield from (f"  :: d_step {{ true -> c_code {{ go({start}); }} }}" for start in range(graph.starts))
        yield "  fi;"
        yield "  do"
        for place in range(int(np.diff(graph.offsets).max())):
            guard = f"first_edge[now.position] + {place} < first_edge[now.position + 1]"
            step = f"go(target_of[first_edge[now.position] + {place}]);"
            yield f"  :: d_step {{ c_expr {{ {guard} }} -> c_code {{ {step} }} }}"
        yield "  od"
        yield "}"


def _table(name: str, numbers: np.ndarray) -> Iterator[str]:
    yield f"static const {name}[] = {{"
    for begin in range(0, len(numbers), _ROW):
        yield f"{','.join(map(str, numbers[begin : begin + _ROW].tolist()))},"
    yield "};"


def _property(number: int, formula: Formula, names: Mapping[Formula, str]) -> list[str]:
    """Return the lines of a property."""
    refuse_actions(formula, _LTL.language)
    linear = to_linear(formula, _LTL.language)
    inside = [getattr(one, "operator", "") for one in subformulas(linear) if is_path_formula(one)]
    is_small = len(inside) <= _MOST_OPERATORS and not {*inside} - _OPERATORS
    return (_ltl if is_small else _claim)(number, linear, names)


def _ltl(number: int, formula: Formula, names: Mapping[Formula, str]) -> list[str]:
    """Return a property that begins when the start is chosen; SPIN wants names for its parts without temporal operators."""
    atoms = {
        one: names.get(one, f"atom__{number}_{place}")
        for place, one in enumerate(dict.fromkeys(positional_parts(formula)), 1)
    }
    defined = [f"#define {atoms[one]} ({_CONDITION.text(one, names)})" for one in atoms if one not in names]
    text = _LTL.text(formula, atoms)
    return [comment(str(formula)), *defined, f"ltl property_{number} {{ !begun U (begun && ({text})) }}"]


def _claim(number: int, formula: Formula, names: Mapping[Formula, str]) -> list[str]:
    """Return the never claim of the paths on which a formula does not hold."""
    violations = automaton_of(negate(formula))
    conditions = [_CONDITION.text(one, names) for one in violations.atoms]
    return [
        comment(f"violations of {formula}"),
        f"never property_{number} {{",
        *_states(violations, conditions),
        "}",
    ]


def _states(automaton: Automaton, conditions: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the states, each with the number of marks seen in order; with all of them it is accepting."""
    yield from _state(
        "wait", ["  :: !begun -> goto wait", *_options(automaton, 0, 0, conditions, "begun && ")]
    )
    seen, waiting = {(0, 0)}, [(0, 0)]
    for state, marks in waiting:
        yield from _state(_label(automaton, state, marks), _options(automaton, state, marks, conditions))
        for one in automaton.transitions[state]:
            after = one.target, _marks_after(automaton, marks, one)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


def _state(label: str, options: Sequence[str]) -> Iterator[str]:
    yield f"{label}:"
    yield from ["  if", *options, "  fi;"] if options else ["  false;"]


def _options(
    automaton: Automaton, state: int, marks: int, conditions: Sequence[str], before: str = ""
) -> list[str]:
    return [
        f"  :: {before}{_condition(one, conditions)} -> goto "
        f"{_label(automaton, one.target, _marks_after(automaton, marks, one))}"
        for one in automaton.transitions[state]
    ]


def _condition(transition: Transition, conditions: Sequence[str]) -> str:
    parts = [f"{'' if holds else '!'}({conditions[number]})" for number, holds in transition.literals()]
    return f"({' && '.join(parts)})" if parts else "true"


def _marks_after(automaton: Automaton, marks: int, transition: Transition) -> int:
    """Return how many marks, in order, are seen after a transition; all of them are followed by none."""
    first = 0 if marks == automaton.marks else marks
    following = (mark for mark in itertools.count(first) if not transition.marks >> mark & 1)
    return next(following)


def _label(automaton: Automaton, state: int, marks: int) -> str:
    return f"{'accept' if marks == automaton.marks else 'state'}__{state}_{marks}"
