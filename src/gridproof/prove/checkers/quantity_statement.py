"""Statement about a quantity: bounds of a probability of paths or of an expected cost, and what a comparison makes of them."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.proposition import COMPARE
from gridproof.prove.certificate import describe_actors
from gridproof.prove.checkers.goal_statements import (
    Ends,
    bounds_text,
    ends_to_data,
    opposite_ends,
    read_ends,
    start_chances,
)
from gridproof.prove.checkers.memory_formula import remember
from gridproof.prove.checkers.statements import ExactStatement, Header, Setting, check_names
from gridproof.prove.formula import TRUE, Formula, Quantity, negate
from gridproof.prove.limit_deterministic import LimitDeterministic, atoms_of, automaton_of
from gridproof.prove.logic import logic_of
from gridproof.prove.quantity import Task, measure_of, tasks_of

QUANTITY, CONDITIONAL, PATH_QUANTITY = "quantity", "conditional", "path-quantity"
"""The kinds of certificates of one question: the second with a condition, the third about a formula of LTL."""


@dataclass(frozen=True)
class QuantityStatement(ExactStatement):
    """Statement about bounds of a probability or an expected cost, or that a comparison with it holds or not."""

    question: Quantity
    best: Ends
    worst: Ends

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The path that the listed bounds are about; with a condition, event and condition."""
        return tasks_of(self.question)

    @property
    def task(self) -> Task:
        """The path that the listed bounds are about, or the event."""
        return self.tasks[0]

    @property
    def measure(self) -> Measure | None:
        """The cost; None for a probability."""
        return measure_of(self.question, self.level) if self.question.measure else None

    @property
    def in_memory(self) -> QuantityStatement:
        """The same statement about positions with the memory that the question needs."""
        found = remember(self.question, self.starts, self.who)
        if found is None:
            return self
        list(start_chances(self))  # refuses starts whose chances are not known
        level, question = found
        assert isinstance(question, Quantity)
        return replace(self, level=level, starts=tuple(map(level.wrap, self.starts)), question=question)

    @property
    def holds(self) -> bool | None:
        """The truth of a comparison; None where the bounds do not decide it."""
        low, high = self.worst if self.question.is_least else self.best
        ends = low, math.inf if high is None else high
        truths = {COMPARE[self.question.sign](end, self.question.bound) for end in ends}
        return truths.pop() if len(truths) == 1 else None

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        who = describe_actors(self.who)
        if self.question.bound is None:
            return f"`{self.question}` is {bounds_text(*self.best)} at best and {bounds_text(*self.worst)} at worst{who}"
        side, ends = ("least", self.worst) if self.question.is_least else ("greatest", self.best)
        answer = "holds" if self.holds else "does not hold"
        return f"`{self.question}` {answer}, as the {side} value is {bounds_text(*ends)}{who}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        listed = {"best": ends_to_data(self.best), "worst": ends_to_data(self.worst)}
        return {"question": str(self.question), **listed}

    def inner(self, play: int) -> Ends:
        """Return the claimed bounds of the path that the lines are about."""
        if not self.task.negated:
            return (self.best, self.worst)[play]
        return opposite_ends((self.worst, self.best)[play])


@dataclass(frozen=True)
class PathQuantityStatement(QuantityStatement):
    """Statement about bounds of the probability of a formula of LTL."""

    letters: tuple[int, ...] = ()
    """The sets of propositions that are true in a listed position, as bits."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The propositions of the formula, as tasks."""
        return tuple(Task(TRUE, atom) for atom in atoms_of(self.question.operand))

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        return {**super().facts, "letters": list(self.letters)}

    @functools.cached_property
    def automata(self) -> tuple[LimitDeterministic, LimitDeterministic]:
        """The automata of the formula and of its negation; GridproofError if they would be too large."""
        path = self.question.operand
        atoms = atoms_of(path)
        letters = [
            frozenset(atom for bit, atom in enumerate(atoms) if one >> bit & 1) for one in self.letters
        ]
        return automaton_of(path, letters), automaton_of(negate(path), letters)


QUANTITY_KEYS = {"question": "str", "best": "list", "worst": "list"}
PATH_QUANTITY_KEYS = QUANTITY_KEYS | {"letters": "list"}
_MOST_STEPS = 1000


def kind_of(question: Quantity) -> str:
    """Return the kind of certificates of a question."""
    return PATH_QUANTITY if question.is_linear_time else CONDITIONAL if question.is_conditional else QUANTITY


def read_quantity(header: Header, setting: Setting) -> QuantityStatement:
    """Read a statement about a quantity; GridproofError if it means nothing on the level, or decides no comparison."""
    from gridproof.prove.parsing import parse  # which brings lark: goals need none

    found = parse(header["question"])
    if isinstance(found, Quantity) and kind_of(found) != setting.kind:
        raise GridproofError(f"the kind {setting.kind} cannot have {found}")
    said = read_bounds(found, header, setting)
    if said.question.bound is not None and said.holds is None:
        raise GridproofError(f"the bounds do not decide {said.question}")
    return said


def read_bounds(found: Formula, header: Header, setting: Setting) -> QuantityStatement:
    """Read the bounds of a question; GridproofError if it means nothing on the level."""
    check_quantity(found)
    pairs = []
    for name in ("best", "worst"):
        listed = header[name]
        ends = read_ends(*listed) if len(listed) == 2 else None
        if ends is None:
            raise GridproofError(
                "bounds are two texts of fractions, or null in place of the second or of both"
            )
        pairs.append(ends)
    assert isinstance(found, Quantity)
    said = QuantityStatement(*setting, found, *pairs)
    if found.is_linear_time:
        said = _with_letters(said, header["letters"])
    inside = said.in_memory
    if isinstance(inside, PathQuantityStatement):
        inside.automata  # noqa: B018  # it refuses large ones
    for task in inside.tasks:
        for part in (task.hold, task.reach):
            check_names(part, Setting(inside.level, inside.starts, inside.who, inside.kind))
    if said.measure is None and None in (said.best[1], said.worst[1]):
        raise GridproofError("a probability has an upper bound")
    return said


def _with_letters(said: QuantityStatement, letters: list[object]) -> PathQuantityStatement:
    """Return a statement with its letters; GridproofError unless they are different sets of propositions, in order."""
    propositions = len(atoms_of(said.in_memory.question.operand))
    rising = sorted({one for one in letters if type(one) is int and 0 <= one < 1 << propositions})
    if not rising or letters != rising:
        raise GridproofError(f"letters is a list of rising numbers below 2**{propositions}")
    return PathQuantityStatement(**vars(said), letters=tuple(rising))


def check_quantity(found: object) -> None:
    """Raise GridproofError unless it is a question or a comparison that certificates can be about."""
    if not isinstance(found, Quantity):
        raise GridproofError(f"no certificate can have P or R inside {found}")
    logic_of(found)  # refuses temporal operators where they mean nothing
    tasks = () if found.is_linear_time else tasks_of(found)
    if max((one.steps or 0 for one in tasks), default=0) > _MOST_STEPS:
        raise GridproofError(f"no certificate can have more than {_MOST_STEPS} actions, as {found} has")
