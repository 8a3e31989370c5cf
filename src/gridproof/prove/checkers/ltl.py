"""Checker of the kind "ltl": no path satisfies a formula, since each stays where a mark never comes.

Each line is `[TEXT, [BITS, COMPONENT, ...], ...]`: a position with nodes of the product with the tableau. All nodes that
follow are listed. The component never grows, so that each path stays in one in the end; and in that one, some mark of
the tableau or of weak fairness never occurs. Where none is missing, strong fairness is: nodes where acts are possible
that are never done inside have no second component, since a fair path leaves them; the others have, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from gridproof.core.position import Position
from gridproof.prove import evaluate
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.fairness import Act, acts_of
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.tableau import Tableau, truths_of
from gridproof.prove.checkers.trace import excluded_formula
from gridproof.prove.evaluate import test_of

Node = tuple[int, ...]
"""The components of a node."""


@dataclass
class Component:
    """Steps inside a component: their marks, the strong acts done, and those possible where a node has no further one."""

    marks: int = 0
    done: int = 0
    left: set[int] = field(default_factory=set)

    def has_no_fair_path(self, every: int) -> bool:
        """Return whether no fair path with all marks stays for ever among the nodes without a further component."""
        return self.marks & every != every or all(acts & ~self.done for acts in self.left)


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    formula = excluded_formula(said)
    if formula is None:
        raise Defect(1, f"it is not about all paths: {said.claim}")
    with locate_defect(1):
        checker = ComponentChecker(said, Tableau(formula), PositionList(said, listed))
        tests = [test_of(atom, said.level, said.who) for atom in checker.tableau.atoms]
    listed.read_texts(positions, checker.store)
    for start in said.starts:
        if checker.tableau.first not in checker.nodes(checker.positions.find(start)):
            raise Defect(1, f"a start has no first node:\n{start.text()}")
    for line, position in checker.positions:
        with locate_defect(line):
            checker.check_moment(checker.moment(line, position, truths_of(test(position) for test in tests)))
    checker.check_components()


def read_nodes(nodes: Any) -> dict[int, Node] | None:
    """Return nodes by their bits; None if they are not lists of numbers, or not different."""
    if not _are_lists_of_numbers(nodes) or not all(nodes):
        return None
    found = {node[0]: tuple(node[1:]) for node in nodes}
    return found if len(found) == len(nodes) else None


def _are_lists_of_numbers(nodes: Any) -> bool:
    return (
        type(nodes) is list
        and {list}.issuperset(map(type, nodes))
        and {int}.issuperset(map(type, chain(*nodes)))
    )


class Moment(NamedTuple):
    """A position with what the formula and fairness ask of it."""

    line: int
    position: Position[Any]
    truths: int
    """The truths of the formula's parts about positions."""
    steps: Mapping[tuple[int, int, int], list[int]]
    """The lines that follow, by the true `[ACTION]`, the weak acts done or impossible and the fair formulas true, and the strong acts done."""
    possible: int
    """The strong acts that are possible."""


class ComponentChecker:
    """The nodes of the listed positions, and what occurs inside components."""

    def __init__(self, said: FormulaStatement, tableau: Tableau, positions: PositionList) -> None:
        self._said, self.tableau, self.positions = said, tableau, positions
        acts = acts_of(said.level, said.fair)
        self.weak = [act for act in acts if not act.strong]
        self.strong = [act for act in acts if act.strong]
        self._meanings: dict[str | None, tuple[int, int, int]] = {}
        self._sets: list[dict[int, Node]] = [{}]
        self._numbers: dict[tuple[Node, ...], int] = {}
        self._lines = [0, 0]
        """The number of the set of nodes of each line: many positions have the same, and none is what is not listed."""
        self._components: dict[Node, Component] = {}
        self._checked = set[Any]()
        """The nodes, truths and steps that were checked: other positions with the same need no check."""

    def store(self, nodes: list[Any]) -> bool:
        """Store the nodes of a line; return whether all are numbers, and different."""
        if not _are_lists_of_numbers(nodes):
            return False
        key = tuple(map(tuple, nodes))
        if key not in self._numbers:
            found = read_nodes(nodes)
            if found is None or not all(found.values()):
                return False
            self._numbers[key] = len(self._sets)
            self._sets.append(found)
        self._lines.append(self._numbers[key])
        return True

    def nodes(self, line: int) -> dict[int, Node]:
        """Return the nodes of a line by their bits; none for what is not listed."""
        return self._sets[self._lines[line]]

    def moment(self, line: int, position: Position[Any], truths: int) -> Moment:
        """Return what follows from a position with these truths."""
        if not self.tableau.nexts and not self.weak and not self.strong:
            return Moment(line, position, truths, {(0, 0, 0): self.positions.after(position) or [line]}, 0)
        found: dict[tuple[int, int, int], list[int]] = {}
        texts = set[str | None]()
        for actor in self._said.who:
            for action in position.actions(actor):
                texts.add(text := str(action))
                targets = found.setdefault(self._meaning(text), [])
                targets += (self.positions.line_of(outcome.position) for outcome in position.outcomes(action))
        idle = sum(
            1 << place
            for place, act in enumerate(self.weak)
            if (
                evaluate.holds(act.formula, position, self._said.who)
                if act.formula
                else act.actions.isdisjoint(texts)
            )
        )
        steps = (found or {self._meaning(None): [line]}).items()
        kept = {(letter, idle | weak, done): lines for (letter, weak, done), lines in steps}
        return Moment(line, position, truths, kept, _bits(self.strong, texts))

    def check_moment(self, moment: Moment) -> None:
        """Check that all that follows from the nodes of a position is listed, and note what occurs inside components."""
        steps = [
            (*step, frozenset(map(self._lines.__getitem__, lines))) for step, lines in moment.steps.items()
        ]
        same = self._lines[moment.line], moment.truths, moment.possible, *steps
        if same in self._checked:
            return
        self._checked.add(same)
        for bits, node in self.nodes(moment.line).items():
            for letter, weak, done, targets in steps:
                for after, marks in self.tableau.follow(moment.truths, letter, bits):
                    for number in targets:
                        other = self._sets[number].get(after)
                        if other is None:
                            text = moment.position.text()
                            raise Defect(
                                moment.line, f"node {after} follows from {bits} and is not listed:\n{text}"
                            )
                        if other[0] >= node[0]:
                            every = marks | weak << self.tableau.marks
                            self._note_step(moment.line, (node, other), every, (done, moment.possible))

    def check_components(self) -> None:
        """Check that no fair path stays in a component; Defect if one may."""
        every = (1 << self.tableau.marks + len(self.weak)) - 1
        for node, component in self._components.items():
            if not component.has_no_fair_path(every):
                raise Defect(1, f"in the component {list(node)} no mark is missing: a path may stay there")

    def _meaning(self, text: str | None) -> tuple[int, int, int]:
        """Return which `[ACTION]` are true of an action, and the weak and strong acts that it does."""
        if text not in self._meanings:
            weak, strong = (_bits(acts, {text}) for acts in (self.weak, self.strong))
            self._meanings[text] = self.tableau.letter(text), weak, strong
        return self._meanings[text]

    def _note_step(self, line: int, nodes: tuple[Node, Node], marks: int, acts: tuple[int, int]) -> None:
        """Note a step in each component that both nodes are in; Defect if one grows."""
        node, other = nodes
        for depth, (one, two) in enumerate(zip(node, other, strict=False), 1):
            if two > one:
                raise Defect(line, f"the component {list(node)} grows to {list(other)}")
            if two < one:
                return
            inside = self._components.setdefault(node[:depth], Component())
            inside.marks |= marks
            inside.done |= acts[0]
            if depth == len(node):
                inside.left.add(acts[1])


def _bits(acts: list[Act], actions: set[str | None]) -> int:
    return sum(1 << place for place, act in enumerate(acts) if not act.actions.isdisjoint(actions))
