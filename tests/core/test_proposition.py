"""Statements and numbers about positions, named by texts."""

from __future__ import annotations

import pytest
from tests.measurement import stopped_if_it_hangs

import gridproof as gp
from gridproof.core.game import Proposition
from gridproof.core.position import Position
from gridproof.core.proposition import COMMON, parse_goal, propositions, value_of
from gridproof.games.null import Level
from gridproof.games.null import Position as Place

NULL = gp.game("null")
LEVEL = Level(5, 1, 4)


@pytest.fixture(autouse=True)
def walker_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Null with a number as well."""
    number = Proposition("walker", (), "the walker's cell", lambda p: p.walker, number=True)
    sum_ = Proposition("sum", ("a", "b"), "a sum", lambda p, a, b: p.walker + a + b, number=True)
    monkeypatch.setitem(NULL.__dict__, "propositions", (*NULL.propositions, number, sum_))


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("won", {4}),
        ("!won", {0, 1, 2, 3}),
        ("ended", {4}),
        ("lost", set()),
        ("home", {1}),
        (" ! home ", {0, 2, 3, 4}),
        ("at(2)", {2}),
        ("! at( 2 )", {0, 1, 3, 4}),
        ("walker = 3", {3}),
        ("walker=3", {3}),
        ("walker != 3", {0, 1, 2, 4}),
        ("walker < 2", {0, 1}),
        ("walker <= 2", {0, 1, 2}),
        ("walker > 2", {3, 4}),
        ("walker >= 2", {2, 3, 4}),
        ("!walker >= 2", {0, 1}),
        ("walker > -1", {0, 1, 2, 3, 4}),
        ("sum(1, -2) = 0", {1}),
        ("sum( 1 ,1)>4", {3, 4}),
        ("won()", {4}),
    ],
)
def test_parse_goal(text: str, cells: set[int]) -> None:
    reached = parse_goal(NULL, text)
    assert {cell for cell in range(5) if reached(Place(LEVEL, cell))} == cells


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "no goal: ''"),
        ("!", 1, 1, "no goal"),
        ("!!won", 1, 1, "no goal"),
        ("won & lost", 1, 1, "no goal"),
        ("at(2", 1, 1, "no goal"),
        ("at(2)x", 1, 1, "no goal"),
        ("at((2))", 1, 1, "no goal"),
        ("2", 1, 1, "no goal"),
        ("walker = ", 1, 1, "no goal"),
        ("walker = x", 1, 1, "no goal"),
        ("walker == 3", 1, 1, "no goal"),
        ("walker = " + "9" * 5000, 1, 1, "no goal"),
        (" walker", 1, 2, "expected a comparison, such as = 0"),
        ("!won = 1", 1, 2, "expected no comparison"),
    ],
)
def test_parse_goal_refuses_invalid_text(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        parse_goal(NULL, text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("near", "null has no proposition 'near': it has won, lost, ended, home, at, walker, sum"),
        ("at", r"at with 0 arguments: it is written at\(x\)"),
        ("at()", r"at with 0 arguments: it is written at\(x\)"),
        ("at(1,2)", r"at with 2 arguments: it is written at\(x\)"),
        ("won(1)", "won with 1 argument: it is written won$"),
    ],
)
def test_unknown_propositions_are_refused(text: str, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        parse_goal(NULL, text)


@pytest.mark.parametrize("argument", ["x", "5", "-1", "1.5", "9" * 5000])
def test_arguments_without_meaning_on_the_level_are_refused(argument: str) -> None:
    with pytest.raises(gp.GridproofError, match="the cells are 0 to 4"):
        parse_goal(NULL, f"at({argument})")(LEVEL.start())


def test_values_of_propositions() -> None:
    start: Position[object] = LEVEL.start()
    assert value_of(NULL, "walker", ())(start) == 1
    assert value_of(NULL, "sum", ("2", "3"))(start) == 6
    assert value_of(NULL, "at", ("1",))(start) is True


def test_game_may_redefine_common_proposition(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Proposition("lost", (), "on the first cell", lambda p: p.walker == 0)
    monkeypatch.setitem(NULL.__dict__, "propositions", (lost,))
    assert propositions(NULL)["lost"] is lost
    assert list(propositions(NULL)) == [item.name for item in COMMON]
    assert parse_goal(NULL, "lost")(Place(LEVEL, 0))


@pytest.mark.parametrize("text", ["won{}x", "{}x{}?", "at{}({}1{}){}x", "won{}={}x", "!{}won{}!"])
def test_goal_with_much_white_space_is_refused_at_once(text: str) -> None:
    with stopped_if_it_hangs(), pytest.raises(gp.ParseError, match="no goal"):
        parse_goal(NULL, text.format(*[" " * 100_000] * 4))
