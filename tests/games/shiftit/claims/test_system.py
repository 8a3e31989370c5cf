"""S25: the transition system, its events and their guards, and what is asked of it."""

from __future__ import annotations

from typing import cast

import pytest
from tests.games.shiftit.boards import level, unwinnable_board

import gridproof as gp
from gridproof.games.shiftit import Level
from gridproof.games.shiftit.claims.transition_system import PROPERTIES, properties, properties_of

THEOREMS = {
    "guards",
    "deadlock",
    "won-has-ended",
    "ended-is-won",
    "win-stays",
    "way-back",
    "won-next",
    "ended-for-ever",
}
"""The properties of every board."""


def properties_that_hold(board: Level) -> set[str]:
    return {name for name, verdict in properties(board).items() if verdict.holds}


@pytest.mark.clause("S25")
@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("b r\nr b", {"winnable", "always-winnable", "near-win", "ends", "wins"}),
        ("b b\nb b", {"winnable", "always-winnable", "near-win", "ends", "wins"}),
        ("b* r\nr b*", {"ends"}),
        ("b r b*", set()),
        ("brrb rryy\nggrr roor", {"winnable", "always-winnable"}),
    ],
)
def test_properties_are_answered(text: str, more: set[str]) -> None:
    board = level(text)
    assert properties_that_hold(board) == THEOREMS | more
    claims = gp.claims(board, 24)  # behind the depth of all placements
    assert (claims[0].holds, claims[4].holds) == ("winnable" in more, "near-win" in more)


@pytest.mark.clause("S25")
def test_endless_play_is_a_loop() -> None:
    verdict = properties(unwinnable_board(2, 2))["ends"]
    assert verdict.holds is False
    assert verdict.trace is not None
    assert verdict.trace.loop is not None


@pytest.mark.clause("S25")
def test_guards_of_events_are_those_of_their_lines() -> None:
    board = level("b* r\nr b")
    assert "!e(RM(1,left)) & !e(RM(1,right))" in properties_of(board)["guards"].formula
    assert "(e(CM(1,up)) <-> !ended)" in properties_of(board)["guards"].formula
    assert {one.kind for one in PROPERTIES.values()} == {"invariant", "CTL", "LTL"}


@pytest.mark.clause("S25")
def test_open_property_at_a_limit_is_none() -> None:
    (board,) = gp.levels_at("shiftit/boards/23")
    answers = properties(cast("Level", board), gp.Limit(states=50))
    assert answers["always-winnable"].holds is None
    assert answers["always-winnable"].stopped_by == "states"
