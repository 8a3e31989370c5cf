"""Monitors of conjuncts against the automaton of the whole conjunction."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prove.graphs import STATE_ATOMS, Drawn, graphs, holds_on, ltl, word_of
from tests.prove.test_ctl_star import evaluator
from tests.prove.test_ltl import FAIR, is_fair

import gridproof as gp
from gridproof.core.proposition import value_of
from gridproof.prove import monitors
from gridproof.prove.formula import FALSE, TRUE, Binary, Formula, Unary, negate
from gridproof.prove.monitors import Monitor, split_monitors
from gridproof.prove.parsing import parse

RESPONSES = st.one_of(
    st.builds(lambda p: Unary("F", p), STATE_ATOMS),
    st.builds(lambda p: Unary("G", Unary("F", p)), STATE_ATOMS),
    st.builds(lambda p, q: Unary("G", Binary("->", p, Unary("F", q))), STATE_ATOMS, STATE_ATOMS),
    st.builds(lambda p: negate(Unary("G", p)), STATE_ATOMS),
    st.builds(lambda p: negate(Unary("F", Unary("G", p))), STATE_ATOMS),
)


def conjunction(parts: Sequence[Formula]) -> Formula:
    whole = parts[0]
    for one in parts[1:]:
        whole = Binary("&", whole, one)
    return whole


CONJUNCTIONS = st.builds(
    lambda first, rest: conjunction([*first, *rest]),
    st.lists(RESPONSES, min_size=1, max_size=3),
    st.lists(ltl(past="", most=3), max_size=1),
)


def monitors_and_automaton_agree(drawn: Drawn, path: Formula, fair: tuple[str, ...]) -> None:
    known = evaluator(drawn, fair)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(monitors, "FEWEST", 100)
        assert not split_monitors(path)[1]
        wanted = known.paths(path).positions().tolist()
        patch.setattr(monitors, "FEWEST", 1)
        assert split_monitors(path)[1]
        paths = known.paths(path)
        assert paths.positions().tolist() == wanted
        for start, value in enumerate(wanted):
            found = list(itertools.islice(paths.find_all([start]), 3))
            assert bool(found) is value
            for one in found:
                assert one.start == start
                assert holds_on(path, word_of(one, drawn), drawn)
                assert is_fair(word_of(one, drawn), drawn, fair)


test_monitors_agree_with_the_automaton = given(graphs(5), CONJUNCTIONS, FAIR)(monitors_and_automaton_agree)
test_monitors_agree_with_thousands_of_automata = pytest.mark.long(
    settings(max_examples=2000)(given(graphs(6), CONJUNCTIONS, FAIR)(monitors_and_automaton_agree))
)


@pytest.mark.parametrize(
    ("text", "rest", "found"),
    [
        ("F p & F q & F r", "F p & F q & F r", []),
        ("F p & !(G q -> G r) & !(!G F s | X u)", "G q & !X u",
         [("p", FALSE, True), ("!r", FALSE, True), ("s", "!s", True)]),
        ("G (p -> F q) & G (p -> F X q)", "G (p -> F X q)", [("p", "q", False)]),
        ("!F G p & !!F q", "true", [("!p", "p", True), ("q", FALSE, True)]),
    ],
)  # fmt: skip
def test_conjuncts_get_monitors(
    text: str, rest: str, found: list[tuple[str, str | Formula, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monitors, "FEWEST", 4 if not found else 1)
    expected = [
        Monitor(parse(sets), parse(clears) if isinstance(clears, str) else clears, wanted)
        for sets, clears, wanted in found
    ]
    assert split_monitors(parse(text)) == (parse(rest), expected)


def responses(space: gp.StateSpace, count: int) -> str:
    """Return that so many squares, each time, are followed by a visit to another one."""
    squares = list(dict.fromkeys(position.player for position in space))  # type: ignore[attr-defined]  # of Sokoban
    pairs = itertools.pairwise(squares)
    return " & ".join(
        f"G (at({a},{b}) -> F at({c},{d}))" for (a, b), (c, d) in itertools.islice(pairs, count)
    )


@pytest.mark.long
def test_ten_responses_are_decided() -> None:
    space = gp.explore("sokoban/first-steps/3")
    ten = responses(space, 10)
    some = gp.check(space, ten, paths="some")
    assert some.holds
    assert some.trace is not None
    assert gp.check(space, ten).holds is False
    assumed = gp.check(space, f"({ten}) -> F won")
    assert assumed.holds is False
    assert assumed.trace is not None
    assert gp.check(space, f"E ({ten} & F !home)").holds


@pytest.mark.slow
def test_many_goals_are_visited_on_one_path() -> None:
    level = gp.level("null/first/2")
    goals = " & ".join(f"F at({cell})" for cell in range(6))
    assert gp.check(level, goals, paths="some").holds
    assert gp.check(level, f"{goals} & G !at(0)", paths="some").holds is False
    trace = gp.check(level, f"{goals} & F won", paths="some").trace
    assert trace is not None
    at = [value_of(level.game, "at", (str(cell),)) for cell in range(6)]
    assert all(any(map(visits, trace.positions())) for visits in at)


def test_true_is_the_rest_of_a_conjunction_of_monitors() -> None:
    assert split_monitors(parse("F p & F q & F r & G F s"))[0] == TRUE
