"""Parts of formulas without an effect on the verdict."""

from __future__ import annotations

import pytest

import gridproof as gp


@pytest.mark.parametrize(
    ("text", "holds", "unused"),
    [
        ("AG (lost | at(0) | !at(0))", True, ["lost"]),
        ("AG (lost -> AX won)", True, ["AX won"]),
        ("EF won | EF lost", True, ["EF lost"]),
        ("EF (won & EF at(5))", False, []),
        ("AG EF won & AG !won", False, ["AG EF won"]),
        ("G (won -> X won)", True, []),
        ("F lost & G !won", False, ["F lost", "G !won"]),
        ("(won <-> lost) & home", True, []),
        ("(won <-> ended) | home", True, ["won <-> ended", "home"]),
        ("!(lost & F won)", True, ["F won"]),
        ("A (G F at(0) -> F AG won)", False, []),
        ("E (F won & (G !lost | F at(5)))", True, ["G !lost", "F at(5)"]),
        ("<<player>> F (won & !lost)", True, []),
        ("<<player>> [true U won]", True, []),
        ("won", False, []),
    ],
)  # fmt: skip
def test_unused_parts_are_found(text: str, holds: bool, unused: list[str]) -> None:
    found = gp.coverage("null/first/2", text)
    assert found.verdict.holds is holds
    assert found.unused is not None
    assert [*map(str, found.unused)] == unused


def test_unused_parts_leave_the_verdict_as_it_is() -> None:
    space = gp.explore("null/first/2")
    found = gp.coverage(space, "forall m in actions: AG (e(m) -> EX true) | EF lost")
    assert found.verdict.holds is True
    assert str(found.verdict.formula) == "forall m in actions: AG (e(m) -> EX true) | EF lost"
    assert [*map(str, found.unused or ())] == ["e(m)", "EF lost"]


def test_coverage_has_no_answer_at_a_limit() -> None:
    found = gp.coverage("null/first/2", "AG EF won", limit=gp.Limit(states=2))
    assert (found.verdict.holds, found.unused) == (None, None)
    assert str(found) == "unknown which parts have an effect on the verdict"


def test_coverage_of_large_formulas_is_refused() -> None:
    with pytest.raises(gp.GridproofError, match=r"^the formula has more than 200 parts$"):
        gp.coverage("null/first/2", " & ".join(["won"] * 101))
