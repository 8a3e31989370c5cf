"""R21 and R22: the exchange of two tiles."""

from __future__ import annotations

import functools
from collections import Counter
from fractions import Fraction

import pytest
from tests.games.robots.boards import board, rows_of

import gridproof as gp
from gridproof.core.position import Outcome
from gridproof.games.robots import EXCHANGE, Carried, Exchanged, Position, Response


def exchanges(position: Position) -> dict[str, Outcome[Position]]:
    return {outcome.label: outcome for outcome in position.outcomes(EXCHANGE)}


@pytest.mark.clause("R21")
def test_exchanges_list_each_pair_and_new_rotation_once() -> None:
    position = board("a=A0 b=B0", "a ? A", "> ? B", "b ? ?")
    found = exchanges(position)
    assert set(found) == {
        "(0,0)<->(0,2)",
        *(f"(0,0)<->(0,1) {rotation}" for rotation in (0, 90, 180, 270)),
        *(f"(0,1)<->(0,2) {rotation}" for rotation in (0, 90, 180, 270)),
    }
    assert {outcome.probability for outcome in found.values()} == {Fraction(1, 9)}
    assert rows_of(found["(0,0)<->(0,2)"].position)[0] == "b ? A"


@pytest.mark.clause("R21")
def test_exchange_of_two_conveyors_has_15_rotations_that_change_the_board() -> None:
    position = board("a=A0 b=B0", "a ? A", "> ? B", "b < ?")
    turned = [label for label in exchanges(position) if label.startswith("(0,1)<->(1,2)")]
    assert len(turned) == 15
    assert "(0,1)<->(1,2) 0 180" not in turned  # 180 goes to 0 and 0 to 180: nothing would differ
    assert "(0,1)<->(1,2) 180 0" in turned


@pytest.mark.clause("R21")
def test_tiles_that_look_alike_are_not_exchanged() -> None:
    position = board("a=A0 b=B0", "a . A #", "# . B #", "b . ? #")
    labels = list(exchanges(position))
    assert not any(label in labels for label in ("(1,0)<->(1,1)", "(0,1)<->(3,2)"))
    assert "(0,0)<->(1,0)" in labels


@pytest.mark.clause("R21")
def test_homes_and_hints_stay_where_they_are_with_who_stands_on_them() -> None:
    position = board("a=A0 b=B0", "a? . A", "? > B", "? b ?")
    found = exchanges(position).values()
    assert found
    for outcome in found:
        event = outcome.events[0]
        assert isinstance(event, Exchanged)
        assert {event.first, event.second} <= {(1, 0), (1, 1), (1, 2)}


@pytest.mark.clause("R21")
def test_robots_ride_along_with_their_tiles() -> None:
    position = board("a=A0 b=B0", "a . A", "# . B", "b . .")
    found = exchanges(position)
    assert found["(0,0)<->(2,2)"].position.cell("a") == (2, 2)
    assert found["(0,0)<->(0,2)"].position.cell("a") == (0, 2)
    assert found["(0,0)<->(0,2)"].position.cell("b") == (0, 0)
    assert rows_of(found["(0,0)<->(0,1)"].position)[:2] == ["# . A", "a . B"]


@pytest.mark.clause("R21", "R3")
def test_exchange_turns_robot_against_its_conveyor() -> None:
    position = board("a=A0 b=B90", "a ? A ?", "? b> # ?", ". ? ? B")
    outcome = exchanges(position)["(1,1)<->(0,2) 270"]  # from 180: it grows by 90
    assert outcome.position.rotation("b") == 0
    assert exchanges(position)["(1,1)<->(0,2) 0"].position.rotation("b") == 270
    assert exchanges(position)["(1,1)<->(0,2) 180"].position.rotation("b") == 90
    assert exchanges(position)["(0,0)<->(0,2)"].position.rotation("b") == 90


@pytest.mark.clause("R21", "R8")
def test_r8_must_hold_afterwards() -> None:
    position = board("a=A0 b=B0", "a . A", "# # ?", "b . B")
    labels = list(exchanges(position))
    assert "(1,0)<->(0,1)" not in labels  # it would shut a in
    assert "(1,0)<->(1,2)" not in labels  # two empty normal tiles
    assert "(0,0)<->(1,0)" in labels


@pytest.mark.clause("R21")
def test_exchange_is_refused_when_no_tiles_can_be_exchanged() -> None:
    position = board("a=A0 b=B0", "a? A", "b? B")
    assert position.actions("nature") == ()
    with pytest.raises(gp.IllegalAction, match="no two tiles can be exchanged"):
        position.outcomes(EXCHANGE)
    with pytest.raises(gp.IllegalAction, match="no two tiles can be exchanged"):
        position.step(EXCHANGE, gp.Rng(1))
    with pytest.raises(gp.IllegalAction):
        position.action("exchange")


@pytest.mark.clause("R12", "R21")
def test_exchange_is_refused_after_a_win() -> None:
    won = board("a=A0 b=B0", "aA . .", "b > B")
    with pytest.raises(gp.IllegalAction, match="the game is over"):
        won.outcomes(EXCHANGE)


@pytest.mark.clause("R22", "R20")
def test_riders_are_told_then_belts_start_again() -> None:
    position = board("a=A0 b=B0", "a> # A ?", "? . ? ?", "b ? B ?")
    outcome = exchanges(position)["(1,0)<->(1,1)"]
    assert outcome.events == (
        Exchanged((1, 0), (1, 1), ()),
        Carried("a", (0, 0), (1, 0), Response.SUCCESS),
    )
    told = exchanges(position)["(0,0)<->(0,2) 270"].events[0]
    assert isinstance(told, Exchanged)
    assert told.riders == ("a", "b")
    assert told.rotations == (270,)


@pytest.mark.clause("R22", "R20")
def test_exchange_can_carry_robot_home() -> None:
    position = board("a=A0 b=B0", "a< A >", "? ? ?", "b ? B")
    winning = {label for label, outcome in exchanges(position).items() if outcome.position.won}
    assert winning == {f"(0,0)<->(2,0) 0 {rotation}" for rotation in (0, 90, 180, 270)}


@functools.cache
def large() -> Position:
    return board(
        "a=A0 b=B270 c=B0",
        "a . > > v A . . .",
        ". # . ? v . . . #",
        "B . # . . b . # .",
        ". . ^ < < . . . .",
        ". ? . # . . # . .",
        "c . # . > > > v C",
    )


@pytest.mark.clause("R21")
def test_thousands_of_outcomes_are_told_apart_and_sum_to_1() -> None:
    outcomes = list(large().outcomes(EXCHANGE))
    assert len(outcomes) == len({outcome.label for outcome in outcomes}) > 2000
    assert sum(outcome.probability for outcome in outcomes) == 1


@pytest.mark.clause("R21")
def test_drawn_exchange_is_a_listed_outcome() -> None:
    listed = exchanges(large())
    rng = gp.Rng(3)
    for _ in range(30):
        drawn = large().step(EXCHANGE, rng)
        assert listed[drawn.label] == drawn


@pytest.mark.clause("R21")
def test_drawing_is_uniform_over_the_outcomes() -> None:
    position = board("a=A0 b=B0", "a ? A", "> ? B", "b ? ?")
    rng = gp.Rng(12)
    counts = Counter(position.step(EXCHANGE, rng).label for _ in range(1800))
    assert set(counts) == set(exchanges(position))
    chi_square = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert chi_square < 26.1  # 8 degrees of freedom: one in a thousand is above


class Fixed(gp.Rng):
    """Generator of always the same number, below an expected bound."""

    def __init__(self, number: int, bound: int) -> None:
        super().__init__()
        self.number, self.bound = number, bound

    def below(self, bound: int) -> int:
        assert bound == self.bound
        return self.number


@pytest.mark.clause("R21")
def test_drawing_numbers_the_outcomes_in_their_order() -> None:
    position = board("a=A0 b=B0", "a > A", "> . B", "b # .")

    listed = list(position.outcomes(EXCHANGE))
    for number, outcome in enumerate(listed):
        assert position.step(EXCHANGE, Fixed(number, len(listed))) == outcome
        assert position.outcome(EXCHANGE, outcome.label) == outcome


@pytest.mark.parametrize(
    "label", ["", "(0,0)<->(1,0)x", "(9,9)<->(0,0)", "(0,0)<->(0,1) 45", "(0,1)<->(0,0) 0"]
)
def test_labels_of_no_exchange_are_refused(label: str) -> None:
    position = board("a=A0 b=B0", "a . A", "> . B", "b # .")
    with pytest.raises(gp.IllegalAction, match="it has no outcome"):
        position.outcome(EXCHANGE, label)


def test_single_exchange_draws_no_number() -> None:
    position = board("a=A0 b=B0", "a ? A", "b ? B")
    (outcome,) = position.outcomes(EXCHANGE)

    class Empty(gp.Rng):
        def below(self, bound: int) -> int:
            raise AssertionError("a number was drawn")

    assert position.step(EXCHANGE, Empty()) == outcome
    assert outcome.probability == 1
