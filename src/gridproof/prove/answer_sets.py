"""Proofs of `AG p` by induction with clingo: plays as answer sets of a game's theory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Position
from gridproof.prove.formula import Atom, Binary, Comparison, Deadlock, Executable, Formula, Truth, Unary
from gridproof.prove.induction import (
    BASE,
    CLINGO,
    IMPLICATION,
    STEP,
    InductionVerdict,
    Obligation,
    induction_verdict,
)
from gridproof.prove.logic import property_of
from gridproof.prove.theory import PlayTheory, theory_of
from gridproof.prove.verdict import Verdict
from gridproof.search.question import Question
from gridproof.search.space import trace_through

if TYPE_CHECKING:
    import clingo

_WAIT = 0.1  # seconds between two looks at the clock
_LARGEST = (1 << 31) - 1  # clingo's numbers are 32 bits
_LONGEST = 100  # actions: the step compares each two positions of a play
_GIVEN = "{ chosen(I) : given(I,_) } = 1. first(F) :- chosen(I), given(I,F)."
"""Plays begin at one of some given positions."""
_SIMPLE = """
differ(T,U) :- state(T,F), not state(U,F), time(T), time(U), T < U.
:- time(T), time(U), T < U, not differ(T,U).
"""
"""No position comes twice."""


def iterate_models(control: clingo.Control, meter: Meter) -> Iterator[clingo.Model]:
    """Yield the answer sets of a program, each valid until the next one; Stopped at a limit."""
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            _check_limit(meter)
            handle.resume()
            while not handle.wait(_WAIT):
                _check_limit(meter)
            model = handle.model()
            if model is None:
                return
            yield model


def _check_limit(meter: Meter) -> None:
    if meter.is_reached(0):
        raise Stopped


def ignore_message(code: object, message: str) -> None:
    """Ignore messages about symbols without facts, such as locks."""


def plain_arguments(arguments: Sequence[str]) -> list[str]:
    """Return arguments, with numbers as clingo reads them."""
    return [str(int(one)) if one.removeprefix("-").isdecimal() else one for one in arguments]


class Condition(NamedTuple):
    """Condition of a play: a formula holds, or does not hold, at a time."""

    formula: Formula
    time: int
    holds: bool = True


class _Rules:
    """Rules that define `holds(N,T)` for formulas by number."""

    def __init__(self, theory: PlayTheory) -> None:
        self._theory = theory
        self._numbers: dict[Formula, int] = {}
        self.lines: list[str] = []

    def number(self, formula: Formula) -> int:
        """Return the number of a formula, with rules for it and its parts."""
        if formula not in self._numbers:
            bodies = self._bodies(formula)
            self._numbers[formula] = len(self._numbers)
            head = f"holds({self._numbers[formula]},T)"
            self.lines += [f"{head} :- time(T), {body}." for body in bodies]
        return self._numbers[formula]

    def _bodies(self, formula: Formula) -> list[str]:
        """Return the bodies of the rules of a formula."""
        match formula:
            case Truth(value):
                return ["time(T)"] if value else []
            case Atom(name, arguments):
                return [self._require(self._theory.proposition(name, plain_arguments(arguments)), formula)]
            case Comparison():
                return [self._comparison(formula)]
            case Executable(action):
                return [f"executable(T,{self._theory.action(action)})"]
            case Deadlock():
                return ["over(T)"]
            case Unary(_, operand):
                return [f"not {self._literal(operand)}"]
            case Binary(operator, left, right):
                return self._join(operator, self._literal(left), self._literal(right))
        raise GridproofError(f"the theory has no {formula}")

    def _literal(self, formula: Formula) -> str:
        return f"holds({self.number(formula)},T)"

    def _join(self, operator: str, one: str, two: str) -> list[str]:
        return {
            "&": [f"{one}, {two}"],
            "|": [one, two],
            "->": [f"not {one}", two],
            "<->": [f"{one}, {two}", f"not {one}, not {two}"],
        }[operator]

    def _comparison(self, formula: Comparison) -> str:
        bodies, sides = [], []
        for side, name in ((formula.left, "L"), (formula.right, "R")):
            if isinstance(side, Atom):
                body = self._require(self._theory.number(side.name, plain_arguments(side.arguments)), side)
                bodies.append(body.replace("N)", f"{name})"))
                sides.append(name)
            elif abs(side) > _LARGEST:
                raise GridproofError(
                    f"clingo has no numbers as large as in {formula}: use the engine explicit"
                )
            else:
                sides.append(str(side))
        return ", ".join([*bodies, f"{sides[0]} {formula.sign} {sides[1]}"])

    def _require(self, body: str | None, formula: Formula) -> str:
        if body is None:
            raise GridproofError(f"the theory has no {formula}: use the engine explicit")
        return body


class _Plays:
    """Plays of a level that meet conditions, found by clingo."""

    def __init__(self, question: Question) -> None:
        if not question.is_by_players:
            raise GridproofError("clingo proves what all players can do: leave out actors")
        self._theory, self._question = theory_of(question.level.game), question

    def find(
        self, conditions: Sequence[Condition], anywhere: bool = False, simple: bool = False
    ) -> list[Position[Any]]:
        """Return the positions of a play that meets all conditions, up to the last time; [] if there is none.

        It begins at a start, or `anywhere` in the level; no position comes twice if it is `simple`.
        """
        meter, level = self._question.meter, self._question.level
        with meter.pause():
            control = load("clingo").Control([], logger=ignore_message)
        control.load(str(self._theory.program))
        control.add("base", [], self._program(conditions, simple))
        if not anywhere:
            control.add("given", [], _GIVEN)
        _check_limit(meter)
        control.ground([("base", []), ("anywhere" if anywhere else "given", [])])
        for model in iterate_models(control, meter):
            states = sorted(
                (atom.arguments[0].number, atom.arguments[1])
                for atom in model.symbols(atoms=True)
                if atom.name == "state"
            )
            return [
                self._theory.position(level, [term for _, term in group])
                for _, group in groupby(states, key=lambda state: state[0])
            ]
        return []

    def _program(self, conditions: Sequence[Condition], simple: bool) -> str:
        """Return the facts of the level and the starts, and the conditions."""
        rules = _Rules(self._theory)
        horizon = max(one.time for one in conditions)
        facts = [f"{fact}." for fact in self._theory.facts(self._question.level, horizon)]
        given = [
            f"given({number},{term})."
            for number, start in enumerate(self._question.starts)
            for term in self._theory.terms(start)
        ]
        constraints = [
            f":- {'not ' if one.holds else ''}holds({rules.number(one.formula)},{one.time})."
            for one in conditions
        ]
        return "\n".join([*facts, *given, *rules.lines, *constraints, _SIMPLE if simple else ""])


def prove_by_invariant(open_verdict: Verdict, question: Question, invariant: Formula) -> InductionVerdict:
    """Return the verdict on `AG p` by an invariant, as `gridproof.prove.induction` does."""
    plays, wanted = _Plays(question), property_of(open_verdict.formula, open_verdict.paths)
    outside = Condition(invariant, 0, holds=False)
    inside = Condition(invariant, 0)
    questions: dict[str, Callable[[], list[Position[Any]]]] = {
        BASE: lambda: plays.find([outside]),
        STEP: lambda: plays.find([inside, Condition(invariant, 1, holds=False)], anywhere=True),
        IMPLICATION: lambda: plays.find([inside, Condition(wanted, 0, holds=False)], anywhere=True),
    }
    obligations = {name: Obligation(name, None) for name in questions}
    stopped_by, refutation = "", list[Position[Any]]()
    try:
        refutation = plays.find([Condition(wanted, 0, holds=False)])
        for name, ask in questions.items():
            obligations[name] = _obligation(name, ask())
    except (Stopped, MemoryError):
        stopped_by = question.meter.reason
    shown = trace_through(refutation) if refutation else None
    verdict = induction_verdict(open_verdict, question, tuple(obligations.values()), stopped_by, shown)
    return replace(verdict, invariant=invariant, engine=CLINGO)


def prove_by_depth(open_verdict: Verdict, question: Question, depth: int) -> InductionVerdict:
    """Return the verdict on `AG p` by k-induction.

    The step is about all paths with k positions with p, without repetition, that lead to one without p.
    """
    plays, wanted = _Plays(question), property_of(open_verdict.formula, open_verdict.paths)
    if depth > _LONGEST:
        raise GridproofError(f"clingo takes k up to {_LONGEST}, not {depth:,}: use the engine explicit")
    base, step, bound, stopped_by = Obligation(BASE, None), Obligation(STEP, None), 0, ""
    try:
        while bound < depth and base.holds is None:
            if path := plays.find([Condition(wanted, bound, holds=False)]):
                base = _obligation(BASE, path)
            else:
                bound += 1
        if base.holds is None:
            base = Obligation(BASE, True)
            conditions = [Condition(wanted, time, time < depth) for time in range(depth + 1)]
            step = _obligation(STEP, plays.find(conditions, anywhere=True, simple=True))
    except (Stopped, MemoryError):
        stopped_by = question.meter.reason
    verdict = induction_verdict(open_verdict, question, (base, step), stopped_by, base.trace)
    return replace(verdict, depth=depth, bound=bound if verdict.holds is None else None, engine=CLINGO)


def _obligation(name: str, path: list[Position[Any]]) -> Obligation:
    """Return an obligation that fails if there is a path, which is replayed by the rules."""
    return Obligation(name, not path, trace_through(path) if path else None)
