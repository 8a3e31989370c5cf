"""The search depth-first for accepted paths: on random graphs, against the meaning of formulas and the search of whole spaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prove.graphs import ACTIONS, ATOMS, Drawn, Word, ctl, graphs, holds_on, ltl, truth_in
from tests.prove.test_ltl import paths_of

import gridproof as gp
from gridproof.core.game import Proposition
from gridproof.core.limit import Stopped
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.prove import early_verdict
from gridproof.prove.formula import Formula
from gridproof.prove.logic import path_question
from gridproof.prove.on_the_fly import OnTheFly
from gridproof.prove.parsing import parse
from gridproof.prove.tableau import automaton_of

_ALL = 1_000_000


@dataclass(frozen=True, kw_only=True)
class GraphLevel(Level):
    """A level whose positions are those of a graph."""

    drawn: Drawn

    @property
    def game(self) -> Any:
        listed = tuple(
            Proposition(
                name, (), name, lambda position, place=place: self.drawn.atoms[position.number][place]
            )
            for place, name in enumerate(ATOMS)
        )
        return replace(gp.game("null"), propositions=listed, predecessors=None, package="", kernel="")

    def starts(self) -> Iterator[Outcome[Any]]:
        yield Outcome(GraphPosition(self, 0), Fraction(1))

    def text(self) -> str:
        return str(self.drawn)


@dataclass(frozen=True)
class GraphPosition(Position[str]):
    """A position of a graph."""

    level: GraphLevel = field(compare=False)
    number: int

    def actions(self, actor: str | None = None) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ACTIONS[action] for action, _ in self.level.drawn.edges[self.number]))

    def outcomes(self, action: str) -> Iterable[Outcome[Any]]:
        targets = [one for name, one in self.level.drawn.edges[self.number] if ACTIONS[name] == action]
        for target in dict.fromkeys(targets):
            yield Outcome(GraphPosition(self.level, target), Fraction(1, len(targets)), label=str(target))

    def text(self) -> str:
        return str(self.number)

    def __str__(self) -> str:
        return self.text()

    @property
    def won(self) -> bool:
        return False


def words_of(trace: Trace, drawn: Drawn) -> list[Word]:
    """The word of a trace; where the rest does not matter, some words that begin with it."""
    numbers = [int(trace.start.text()), *(int(step.label) for step in trace.steps)]
    done: list[int | None] = [ACTIONS.index(step.action) for step in trace.steps]
    if trace.loop is not None:
        assert numbers[-1] == numbers[trace.loop]
        return [Word(tuple(numbers[:-1]), tuple(done), trace.loop)]
    if not drawn.edges[numbers[-1]]:
        return [Word(tuple(numbers), (*done, None), len(done))]
    longer = []
    for choice in (0, -1):
        positions, actions = list(numbers), list(done)
        while drawn.edges[positions[-1]] and positions[-1] not in positions[len(numbers) - 1 : -1]:
            action, target = drawn.edges[positions[-1]][choice]
            actions.append(action)
            positions.append(target)
        if drawn.edges[positions[-1]]:
            loop = positions.index(positions[-1], len(numbers) - 1)
            longer.append(Word(tuple(positions[:-1]), tuple(actions), loop))
        else:
            longer.append(Word(tuple(positions), (*actions, None), len(actions)))
    return longer


def agrees_with_the_whole_space(drawn: Drawn, formula: Formula, part: int) -> None:
    start = GraphPosition(GraphLevel(drawn=drawn), 0)
    search = OnTheFly(automaton_of(formula), [start], (None,))
    trace = search.search(part) or search.search(_ALL)
    wanted = paths_of(drawn, formula, ()).find([0])
    assert (trace is None) is (wanted is None)
    if trace is None:
        assert search.is_complete
        return
    for word in words_of(trace, drawn):
        assert holds_on(formula, word, drawn)


test_search_agrees_with_that_of_the_whole_space = settings(max_examples=200)(
    given(graphs(), ltl(most=4), st.integers(0, 20))(agrees_with_the_whole_space)
)
test_search_agrees_on_thousands_of_graphs = pytest.mark.long(
    settings(max_examples=3000)(
        given(graphs(10), ltl(most=6), st.integers(0, 20))(agrees_with_the_whole_space)
    )
)


def test_search_expands_no_position_beyond_the_automaton() -> None:
    (row,) = gp.read("@" + "." * 30 + "o", "null")
    search = OnTheFly(automaton_of(parse("G !at(4)")), [row.start()], (None,))
    trace = search.search(_ALL)
    assert trace is not None
    assert trace.loop is not None
    never = OnTheFly(automaton_of(parse("X (at(1) & X at(20))")), [row.start()], (None,))
    assert never.search(_ALL) is None
    assert never.is_complete


def test_search_keeps_its_limits() -> None:
    (row,) = gp.read("@" + "." * 30 + "o", "null")
    formula = automaton_of(parse("F at(29)"))
    few = OnTheFly(formula, [row.start()], (None,))
    assert few.search(_ALL, most=3) is None
    assert not few.is_complete
    with pytest.raises(Stopped):
        few.search(_ALL, check=_stop)


def _stop() -> None:
    raise Stopped


def test_deep_counterexample_of_a_large_space_is_found() -> None:
    (board,) = gp.read("2048 4x4\n", "twenty48")
    for formula in ("F won", "AG (tile(8) -> AF won)"):
        verdict = gp.check(board, formula)
        assert (verdict.holds, verdict.complete) == (False, False)
        assert verdict.states < 100_000
        assert verdict.trace is not None
        assert not verdict.trace.replay().actions()
        assert verdict.more() is None


@pytest.mark.slow
def test_long_path_is_taken_only_when_no_shorter_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    board, formula = gp.level("shiftit/boards/12"), "G (near -> X !near)"
    monkeypatch.setattr(early_verdict, "_FIRST_ARCS", 10_000)  # which are enough to find a path of it
    limit = gp.Limit(states=20_000)  # fewer than there are, or the path would be shortened on the whole graph
    verdict = gp.check(board, formula, limit=limit)
    assert verdict.trace is not None
    assert (verdict.holds, len(verdict.trace.steps) < 20) == (False, True)
    monkeypatch.setattr(early_verdict, "_PATIENCE", 0)
    at_once = gp.check(board, formula, limit=limit)
    assert at_once.trace is not None
    assert len(at_once.trace.steps) > 1000
    monkeypatch.setattr(early_verdict, "_PATIENCE", 1_000_000)
    assert gp.check(gp.read("2048 4x4\n")[0], "F won", limit=limit).holds is False


@pytest.mark.parametrize(
    ("formula", "question"),
    [
        ("AG AF won", ("F !F won", False)),
        ("AG (lost -> AF won)", ("F (lost & !F won)", False)),
        ("E[won U EG lost]", ("won U G lost", True)),
        ("E[won W EX lost]", ("won W X lost", True)),
        ("AX AX won", ("X !X won", False)),
        ("!AF won", ("!F won", True)),
        ("EF (won | EX lost)", ("F (won | X lost)", True)),
        ("EF (won & EF lost)", ("F (won & F lost)", True)),
        ("AG EF won", None),
        ("AF AG won", None),
        ("EX won & EX lost", None),
        ("AG (won <-> AF lost)", None),
        ("EF (EG won & EG lost)", None),
        ("won", None),
    ],
)
def test_formula_that_one_path_decides_is_found(formula: str, question: Any) -> None:
    found = path_question(parse(formula), "all")
    assert (found and (str(found[0]), found[1])) == question
    assert path_question(parse(formula), "all", starts=2) == (found if found and not found[1] else None)


def path_decides_as_the_equations_do(drawn: Drawn, formula: Formula) -> None:
    found = path_question(formula, "all")
    if found is not None:
        path = paths_of(drawn, found[0], ()).find([0])
        assert (0 in truth_in(formula, drawn)) is (found[1] is (path is not None))


test_path_decides_formulas_of_ctl = settings(max_examples=300)(
    given(graphs(), ctl(6))(path_decides_as_the_equations_do)
)
