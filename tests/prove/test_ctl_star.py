"""CTL* against a slow evaluator on random graphs, with and without fairness; paths that show why."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.prove.graphs import (
    ACTIONS,
    STATE_ATOMS,
    Drawn,
    ctl,
    graphs,
    holds_on,
    ltl,
    word_of,
)
from tests.prove.test_ltl import FAIR, is_fair
from tests.prove.twins import BranchingPaths, components

import gridproof as gp
from gridproof.prove.ctl import Evaluator
from gridproof.prove.ctl_witness import Explainer
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import (
    Binary,
    Formula,
    Next,
    Truth,
    Unary,
    is_ctl_path,
    is_path_formula,
    negate,
    subformulas,
)
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.model import Model
from gridproof.prove.parsing import parse


def evaluator(drawn: Drawn, fair: tuple[str, ...] = ()) -> Evaluator:
    space = drawn.space()
    model = Model(space)
    return Evaluator(model, assumptions(fair, space.level, model.rows.graph.labels))


class FairPaths(BranchingPaths):
    """The positions of a graph from which a fair path satisfies a formula."""

    def __init__(self, path: Formula, drawn: Drawn, fair: tuple[str, ...]) -> None:
        self.drawn, self.fair = drawn, [text.split() for text in fair]
        arcs = [
            (source, ACTIONS[action], target)
            for source, row in enumerate(drawn.edges)
            for action, target in row
        ] + [(source, "", source) for source, row in enumerate(drawn.edges) if not row]
        super().__init__(path, SimpleNamespace(arcs=lambda: arcs), lambda one: truth_of(one, drawn, fair))

    def accepted(self, rows: dict[Any, list[Any]]) -> set[Any]:
        """Return the nodes of components, or of parts of them, that keep their promises and are fair."""
        found = set[Any]()
        for component in components(rows):
            done = {self.arcs[arc][1] for arc, _ in component}
            where = {act: [node for node in component if self._can(node, act)] for _, act in self.fair}
            weak = [act for kind, act in self.fair if kind == "weak" and act not in done]
            if not self.keeps_promises(component) or any(len(where[act]) == len(component) for act in weak):
                continue
            broken = [act for kind, act in self.fair if kind == "strong" and act not in done and where[act]]
            if not broken:
                found.update(component)
                continue
            rest = set(component).difference(*(where[act] for act in broken))
            found |= self.accepted({node: [one for one in rows[node] if one in rest] for node in rest})
        return found

    def _can(self, node: Any, act: str) -> bool:
        return ACTIONS.index(act) in (action for action, _ in self.drawn.edges[self.arcs[node[0]][0]])


def truth_of(formula: Formula, drawn: Drawn, fair: tuple[str, ...] = ()) -> set[int]:
    """The positions in which a formula of CTL* holds."""
    everywhere = set(range(len(drawn)))
    match formula:
        case Truth(value):
            return everywhere if value else set()
        case Unary("!", operand):
            return everywhere - truth_of(operand, drawn, fair)
        case Unary("E", path):
            return FairPaths(path, drawn, fair).positions()
        case Unary("A", path):
            return everywhere - FairPaths(negate(path), drawn, fair).positions()
        case Binary(operator, left, right):
            one, two = truth_of(left, drawn, fair), truth_of(right, drawn, fair)
            joined = {"&": one & two, "|": one | two, "->": (everywhere - one) | two}
            return joined.get(operator, everywhere - (one ^ two))
    return {number for number in everywhere if drawn.holds(formula, number)}


def _larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return (
        st.builds(Unary, st.sampled_from("!XFG"), inner)
        | st.builds(Binary, st.sampled_from(["&", "|", "->", "<->", *"UWR"]), inner, inner)
        | st.builds(Unary, st.sampled_from("AE"), inner)
    )


def star(most: int = 5) -> st.SearchStrategy[Formula]:
    """Formulas of CTL* about positions."""
    paths = st.recursive(STATE_ATOMS | st.just(Next("x")), _larger, max_leaves=most)
    quantified = st.builds(Unary, st.sampled_from("AE"), paths)
    return (quantified | st.builds(Binary, st.sampled_from(["&", "->"]), quantified, quantified)).filter(
        _is_small
    )


def _is_small(formula: Formula) -> bool:
    """Return whether it is allowed, and the slow evaluator's guesses are not too many."""
    temporal = sum(
        getattr(one, "operator", "") in ("X", "F", "G", "U", "W", "R") for one in subformulas(formula)
    )
    after = (one.operand for one in subformulas(formula) if isinstance(one, Unary) and one.operator in "AE")
    return temporal <= 4 and not any(isinstance(one, Next) for one in after)


def same_as_the_slow_evaluator(drawn: Drawn, formula: Formula, fair: tuple[str, ...]) -> None:
    values = evaluator(drawn, fair).values(formula)
    assert values.dtype == bool
    assert set(np.flatnonzero(values).tolist()) == truth_of(formula, drawn, fair)


test_random_formulas_on_random_graphs = given(graphs(4), star(), FAIR)(same_as_the_slow_evaluator)
test_thousands_of_formulas_and_graphs = pytest.mark.long(
    settings(max_examples=3000)(given(graphs(5), star(8), FAIR)(same_as_the_slow_evaluator))
)


@given(graphs(), ctl(), FAIR)
def test_automata_agree_with_fixpoints(drawn: Drawn, formula: Formula, fair: tuple[str, ...]) -> None:
    known = evaluator(drawn, fair)
    for one in subformulas(formula):
        if isinstance(one, Unary) and one.operator == "E" and is_ctl_path(one.operand):
            assert known.paths(one.operand).positions().tolist() == known.values(one).tolist()


@pytest.mark.slow
@given(graphs(), st.sampled_from("XFG"), ltl(past="", most=3), STATE_ATOMS, FAIR)
def test_fairness_of_a_formula_is_an_assumption(
    drawn: Drawn, operator: str, inner: Formula, often: Formula, fair: tuple[str, ...]
) -> None:
    path, again = Unary(operator, inner), Unary("G", Unary("F", often))
    assumed = Unary("E", Binary("&", again, path))
    found = evaluator(drawn, (*fair, str(again))).values(Unary("E", path))
    assert found.tolist() == evaluator(drawn, fair).values(assumed).tolist()


@given(graphs(), ltl(past=""), FAIR)
def test_linear_formulas_hold_where_all_paths_satisfy_them(
    drawn: Drawn, path: Formula, fair: tuple[str, ...]
) -> None:
    assume(not isinstance(path, Next))
    known = evaluator(drawn, fair)
    values = known.values(Unary("A", path)).tolist()
    against = known.paths(negate(path))
    assert values == [against.find([start]) is None for start in range(len(drawn))]


@pytest.mark.slow
@given(graphs(4), ltl(past="", most=4), FAIR)
def test_paths_show_why(drawn: Drawn, path: Formula, fair: tuple[str, ...]) -> None:
    assume(
        is_path_formula(path) and not any(map(is_ctl_path, (path, negate(path))))
    )  # the end may not be fair
    known = evaluator(drawn, fair)
    for formula, shown, truth in ((Unary("E", path), path, True), (Unary("A", path), negate(path), False)):
        for start, value in enumerate(known.values(formula).tolist()):
            found = list(itertools.islice(Explainer(known).paths(formula, start, value), 3))
            assert bool(found) is (value is truth)
            for one in found:
                assert one.start == start
                assert holds_on(shown, word_of(one, drawn), drawn)
                assert is_fair(word_of(one, drawn), drawn, fair)


@pytest.mark.parametrize(
    ("text", "logic"),
    [
        ("E (G F won & F at(2))", Logic.CTL_STAR),
        ("A (G F won -> F AG won)", Logic.CTL_STAR),
        ("AG F won", Logic.CTL_STAR),
        ("EF won & G lost", Logic.CTL_STAR),
        ("G EF won", Logic.CTL_STAR),
        ("E won", Logic.CTL_STAR),
        ("AG [left]", Logic.CTL_STAR),
        ("E (won U lost)", Logic.CTL),
        ("!EF AX won", Logic.CTL),
    ],
)
def test_logic_of_branching_formulas(text: str, logic: Logic) -> None:
    formula = parse(text)
    assert logic_of(formula) is logic
    assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "holds", "satisfying", "actions"),
    [
        ("E (G F at(1) & G F at(2))", True, 6, ["right", "left"]),
        ("A (F won -> F at(5))", False, 1, None),
        ("G EF home", False, None, None),
        ("A (G !won | F won)", True, 7, None),
        ("E (F won & F at(0))", True, None, None),
        ("A (G F home -> EF won)", True, 7, None),
        ("EF won & G !at(3)", False, None, None),
    ],
)
def test_check_answers_in_ctl_star(
    text: str, holds: bool, satisfying: int | None, actions: list[str] | None
) -> None:
    verdict = gp.check("null/first/2", text)
    assert (verdict.holds, verdict.logic) == (holds, Logic.CTL_STAR)
    assert verdict.sentence() == f"`{text}` {verdict.answer} at the start."
    if satisfying is not None:
        assert verdict.satisfying == satisfying
    if actions is not None:
        assert verdict.trace is not None
        assert list(map(str, verdict.trace.actions)) == actions
    with pytest.raises(gp.GridproofError, match=r"^paths='some' applies to LTL only; in CTL\*, use A and E$"):
        gp.check("null/first/2", text, paths="some")
