"""R19, and what robots remember (R13, R18, R20, R22)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.games.robots.boards import board, only

import gridproof as gp
from gridproof.games.robots import Carried, Exchanged, Hint, HintGiven, Response, Rotated, Walked
from gridproof.games.robots.hints import HINT_MAPPING, collect_hints, possible_hints, rotate_hint

N, NE, E, SE, S, SW, W, NW = Hint
SUCCESS = Response.SUCCESS


@pytest.mark.clause("R19")
@pytest.mark.parametrize(
    ("dx", "dy", "hints"),
    [
        (-3, -2, {NW, N, W}),
        (-1, 0, {W}),
        (-2, 5, {SW, S, W}),
        (0, -4, {N}),
        (0, 1, {S}),
        (7, -1, {NE, N, E}),
        (2, 0, {E}),
        (1, 1, {SE, S, E}),
    ],
)
def test_hints_by_the_signs_of_home_minus_robot(dx: int, dy: int, hints: set[Hint]) -> None:
    assert set(possible_hints(dx, dy, 0)) == hints


@pytest.mark.clause("R19")
def test_hints_turn_counter_clockwise_with_the_robot() -> None:
    assert [rotate_hint(hint, 90) for hint in (N, W, S, E)] == [W, S, E, N]
    assert [rotate_hint(hint, 90) for hint in (NE, NW, SW, SE)] == [NW, SW, SE, NE]
    assert all(rotate_hint(hint, 0) is hint for hint in Hint)


@pytest.mark.clause("R19", "R3")
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_east_always_means_straight_ahead(rotation: int) -> None:
    ahead = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[rotation]
    assert possible_hints(*ahead, rotation) == (E,)


@pytest.mark.clause("R19")
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_possible_hints_are_true_as_the_robot_sees_them(rotation: int) -> None:
    vectors = dict(
        zip(Hint, [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)], strict=True)
    )
    for (dx, dy), hints in HINT_MAPPING.items():
        seen = possible_hints(dx, dy, rotation)
        assert len(seen) == len(set(seen)) == len(hints)
        for hint in seen:
            x, y = vectors[hint]
            for _ in range(rotation // 90):
                x, y = -y, x  # as rotatePath turns local coordinates (R3)
            assert x in (0, dx)
            assert y in (0, dy)


@pytest.mark.clause("R19", "R18")
def test_walk_onto_hint_tile_gives_each_hint_with_equal_probability() -> None:
    position = board("a=A90 b=B0", "a . . .", "? . . A", "# . . .", "b . . B")
    outcomes = list(position.outcomes(position.action("a:walk(1,0)")))
    assert [outcome.label for outcome in outcomes] == [""]
    assert outcomes[0].events[1] == HintGiven("a", N)  # straight east of one that faces south
    far = board("a=A90 b=B0", "a . . .", "? . . .", "# . . A", "b . . B")
    outcomes = list(far.outcomes(far.action("a:walk(1,0)")))
    assert [outcome.label for outcome in outcomes] == ["NORTH_EAST", "EAST", "NORTH"]
    assert {outcome.probability for outcome in outcomes} == {Fraction(1, 3)}
    assert len({outcome.position for outcome in outcomes}) == 1  # what a robot knows is no part of it
    assert [outcome.events[1] for outcome in outcomes] == [HintGiven("a", hint) for hint in (NE, E, N)]


@pytest.mark.clause("R19", "R18")
def test_auto_movement_of_ones_own_walk_onto_a_hint_tile_brings_one() -> None:
    position = board("a=A0 b=B0", "a > ? .", ". . . A", "b . . B")
    events = [outcome.events for outcome in position.outcomes(position.action("a:walk(1,0)"))]
    assert [type(event) for event in events[0]] == [Walked, HintGiven]
    assert len(events) == 3


@pytest.mark.clause("R20", "R19")
def test_carried_robot_gets_no_hint() -> None:
    position = board("a=A0 b=B90", "a> b? . .", ". . . A", ". . . B")
    outcome = only(position, "b:walk(1,0)")
    assert outcome.position.cell("a") == (1, 0)
    assert [type(event) for event in outcome.events] == [Walked, Carried]


@pytest.mark.clause("R19")
def test_hints_are_drawn_uniformly() -> None:
    position = board("a=A0 b=B0", "a ? . .", ". . . .", "b . A B")
    action = position.action("a:walk(1,0)")
    rng = gp.Rng(7)
    drawn = [position.step(action, rng).label for _ in range(900)]
    assert {drawn.count(label) // 100 for label in ("SOUTH_EAST", "SOUTH", "EAST")} <= {2, 3}


@pytest.mark.clause("R13", "R18", "R19")
def test_robots_add_hints_and_keep_them_when_they_turn() -> None:
    events = [HintGiven("a", N), HintGiven("a", E), HintGiven("b", S), Rotated("b", 90)]
    assert collect_hints(events) == {"a": frozenset({N, E}), "b": frozenset({S})}
    assert collect_hints([*events, Walked("b", (0, 0), False, SUCCESS)]) == collect_hints(events)


@pytest.mark.clause("R18", "R20", "R22")
@pytest.mark.parametrize(
    "event",
    [
        Walked("a", (0, 0), True, SUCCESS),
        Carried("a", (0, 0), (1, 0), SUCCESS),
        Exchanged((0, 0), (1, 0), (), ("c", "a")),
    ],
)
def test_auto_movement_makes_a_robot_forget(event: object) -> None:
    before = [HintGiven("a", N), HintGiven("b", S)]
    assert collect_hints([*before, event]) == {"b": frozenset({S})}
    assert collect_hints([*before, event, HintGiven("a", W)])["a"] == {W}


def test_collect_hints_ignores_other_values() -> None:
    assert collect_hints([None, 3]) == {}
