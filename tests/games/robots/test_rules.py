"""R10-R18 and R20: requests, walks and their order."""

from __future__ import annotations

import functools
import itertools
import pickle

import pytest
from tests.games.robots.boards import after, ask, board, only, rows_of

import gridproof as gp
from gridproof.core.lesson import lesson_of
from gridproof.games.robots import (
    EXCHANGE,
    Carried,
    Position,
    Response,
    Rotate,
    Rotated,
    Rule,
    Walk,
    Walked,
    parse_request,
    text,
)
from gridproof.games.robots import board as board_module
from gridproof.games.robots.belts import finish_walk
from gridproof.games.robots.board import Layout

FAILED, SUCCESS, WIN = Response.FAILED, Response.SUCCESS, Response.WIN


@functools.cache
def open_board() -> Position:
    return board("a=A0 b=B0", ". . . . .", ". a . . .", ". . . A .", "b . . B .")


# -- requests


@pytest.mark.clause("R10")
def test_rule_a_steps_to_its_four_neighbours_and_does_not_turn() -> None:
    assert set(Rule.A.moves) == {(1, 0), (0, 1), (-1, 0), (0, -1)}
    assert Rule.A.rotations == ()
    assert [str(action) for action in open_board().actions("a")] == [
        "a:walk(1,0)", "a:walk(0,1)", "a:walk(-1,0)", "a:walk(0,-1)",
    ]  # fmt: skip
    assert ask(open_board(), "a:walk(2,-1)") is FAILED  # |x + y| = 1, but it would be a jump
    assert ask(open_board(), "a:rotate(0)") is FAILED


@pytest.mark.clause("R11")
def test_rule_b_walks_one_to_three_ahead_over_every_cell_between() -> None:
    assert Rule.B.moves == {
        (1, 0): ((1, 0),),
        (2, 0): ((1, 0), (2, 0)),
        (3, 0): ((1, 0), (2, 0), (3, 0)),
    }
    assert Rule.B.rotations == (0, 90, 180, 270)
    assert [str(action) for action in open_board().actions("b")][:3] == [
        "b:walk(1,0)",
        "b:walk(2,0)",
        "b:walk(3,0)",
    ]
    assert ask(open_board(), "b:walk(4,0)") is FAILED
    assert ask(open_board(), "b:walk(0,1)") is FAILED


@pytest.mark.clause("R12")
@pytest.mark.parametrize(
    "text", ["a:walk(0,0)", "b:walk(0,0)", "b:rotate(45)", "b:rotate(-90)", "a:walk(99,0)"]
)
def test_request_outside_the_rule_fails_and_changes_nothing(text: str) -> None:
    assert ask(open_board(), text) is FAILED
    with pytest.raises(gp.IllegalAction, match=r"no such action; choose from a:walk\(1,0\), .*, \.\.\.$"):
        open_board().action(text)
    with pytest.raises(gp.IllegalAction, match="it cannot be executed here"):
        open_board().outcomes(parse_request(text))


@pytest.mark.clause("R14")
def test_walk_off_the_board_is_refused_with_its_reason_wherever_it_leads() -> None:
    position = board("a=A270 b=B90", "A . . #", ". . . .", ". B . a", ". . b .")
    off_the_board = ["b:walk(2,0)", "b:walk(0,2)", "b:walk(-2,0)", "b:walk(0,-2)", "b:walk(1,1)"]
    reasons = set()
    for walk in off_the_board:
        try:
            position.action(walk)
        except gp.IllegalAction as error:
            reasons.add(error.reason)
    assert any("leads off the board" in reason for reason in reasons)


@pytest.mark.clause("R12")
@pytest.mark.parametrize(
    "text", ["a:", "a:walk(1,0)rotate(90)", "a:walk()", "a:walk(1)", "walk(1,0)", "v:walk(1,0)"]
)
def test_request_text_is_exactly_one_walk_or_one_rotation(text: str) -> None:
    with pytest.raises(gp.ParseError, match="no request"):
        parse_request(text)
    with pytest.raises(gp.IllegalAction, match=r"no such action; choose from a:walk\(1,0\), "):
        open_board().action(text)


@pytest.mark.clause("R12")
def test_request_is_an_error_when_the_game_is_over() -> None:
    won = board("a=A0 b=B0", "aA . .", "b . B")
    assert won.status is gp.Status.WON
    assert won.actions() == won.actions("a") == won.actions("nature") == ()
    for asked in ("a:walk(1,0)", "b:rotate(90)", "b:walk(0,0)"):
        with pytest.raises(gp.IllegalAction, match="the game is over"):
            ask(won, asked)
        with pytest.raises(gp.IllegalAction):
            won.action(asked)
    with pytest.raises(gp.IllegalAction, match="the game is over"):
        won.outcomes(Walk("b", 1, 0))


@pytest.mark.clause("R12")
def test_requests_of_nobody_are_errors() -> None:
    with pytest.raises(gp.IllegalAction, match="no robot 'z'"):
        ask(open_board(), "z:walk(1,0)")
    with pytest.raises(gp.IllegalAction):
        open_board().action("z:walk(1,0)")
    with pytest.raises(gp.IllegalAction, match="a walk or a rotation"):
        open_board().respond("a:walk(1,0)")  # type: ignore[arg-type]  # what is tried
    assert open_board().actions("z") == ()


@pytest.mark.parametrize("text", ["a:walk(-1,0)", "b:rotate(270)", "z:walk(-12,34)", "c:rotate(-45)"])
def test_requests_round_trip_through_text(text: str) -> None:
    assert str(parse_request(text)) == text


def test_actions_come_in_the_order_of_the_robots() -> None:
    assert open_board().actions() == open_board().actions("a") + open_board().actions("b")
    for action in (*open_board().actions(), *open_board().actions("nature")):
        assert open_board().action(str(action)) == action


# -- rotations


@pytest.mark.clause("R13", "R3")
def test_rotation_is_added_clockwise_modulo_360() -> None:
    position = after(open_board(), "b:rotate(90)")
    assert position.rotation("b") == 90
    assert after(position, "b:rotate(270)") == open_board()
    assert only(open_board(), "b:rotate(180)").events == (Rotated("b", 180, SUCCESS),)
    assert ask(open_board(), "a:rotate(90)") is FAILED


@pytest.mark.clause("R13")
def test_rotating_by_nothing_succeeds_and_changes_nothing() -> None:
    assert ask(open_board(), "b:rotate(0)") is SUCCESS
    assert only(open_board(), "b:rotate(0)").position == open_board()


@pytest.mark.clause("R20")
def test_belts_do_not_move_after_rotation_or_reading() -> None:
    position = board("a=A0 b=B0", "a> . . A", "b . . B")
    assert position.cell("a") == (0, 0)
    turned = only(position, "b:rotate(90)")
    assert turned.position.cell("a") == (0, 0)
    assert only(position, "b:walk(1,0)").events[1:] == (Carried("a", (0, 0), (1, 0), SUCCESS),)


# -- walks


@pytest.mark.clause("R14", "R3")
@pytest.mark.parametrize(("rotation", "to"), [(0, (2, 1)), (90, (1, 2)), (180, (0, 1)), (270, (1, 0))])
def test_walk_goes_where_the_robot_faces(rotation: int, to: tuple[int, int]) -> None:
    position = board(f"a=A{rotation} b=B0", ". . .", ". a .", ". . .", "b A B")
    assert after(position, "a:walk(1,0)").cell("a") == to


@pytest.mark.clause("R14", "R3")
def test_local_y_is_to_the_right_of_the_robot() -> None:
    position = board("a=A90 b=B0", ". . .", ". a .", ". . .", "b A B")
    assert after(position, "a:walk(0,1)").cell("a") == (0, 1)
    assert after(position, "a:walk(0,-1)").cell("a") == (2, 1)
    assert after(position, "a:walk(-1,0)").cell("a") == (1, 0)


@pytest.mark.clause("R14")
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_walks_off_the_board_fail(rotation: int) -> None:
    position = board(f"b=B{rotation} a=A0", "a A b B") if rotation != 180 else board("b=B180 a=A0", "b B a A")
    room = {0: 1, 90: 0, 180: 0, 270: 0}[rotation]
    assert [ask(position, f"b:walk({far},0)") for far in (1, 2, 3)] == [WIN] * room + [FAILED] * (3 - room)


@pytest.mark.clause("R14")
def test_walk_fails_off_the_board_even_beyond_conveyor() -> None:
    position = board("b=B0 a=A0", "b v .", ". . a", "A . B")
    assert ask(position, "b:walk(2,0)") is SUCCESS
    assert ask(position, "b:walk(3,0)") is FAILED


@pytest.mark.clause("R15", "R4")
@pytest.mark.parametrize("block", ["a", "#"])
def test_walk_fails_when_occupied_cell_comes_first(block: str) -> None:
    rest = {"a": ".", "#": "a"}[block]
    position = board("b=B0 a=A0", f"b . {block} > {rest}", ". . . . .", "A . . . B")
    assert [ask(position, f"b:walk({far},0)") for far in (1, 2, 3)] == [SUCCESS, FAILED, FAILED]


@pytest.mark.clause("R15")
def test_walk_is_carried_by_first_free_conveyor_before_occupied_cell() -> None:
    position = board("b=B0 a=A0", "b v # a", ". v . .", ". . . .", "A . B .")
    for far in (1, 2, 3):
        outcome = only(position, f"b:walk({far},0)")
        assert outcome.events == (Walked("b", (1, 2), True, SUCCESS),)
        assert outcome.position.cell("b") == (1, 2)


@pytest.mark.clause("R15")
def test_walk_fails_at_occupied_conveyor() -> None:
    position = board("b=B0 a=A0", "b a> # .", ". . . .", "A . B .")
    assert ask(position, "b:walk(1,0)") is FAILED


@pytest.mark.clause("R15", "R7")
def test_walking_robot_still_blocks_its_own_cell() -> None:
    position = board("b=B0 a=A0", "b < . .", ". . a .", "A . B .")
    outcome = only(position, "b:walk(2,0)")
    # the conveyor points at b's own cell, so b is put on the conveyor; then the cell is free
    assert outcome.events == (Walked("b", (1, 0), True, SUCCESS), Carried("b", (1, 0), (0, 0), SUCCESS))
    assert outcome.position == position


@pytest.mark.clause("R15")
def test_blocked_conveyor_is_its_own_destination_with_auto_movement() -> None:
    position = board("b=B0 a=A0", "b > # .", ". . a .", "A . B .")
    outcome = only(position, "b:walk(1,0)")
    assert outcome.events == (Walked("b", (1, 0), True, SUCCESS),)
    assert rows_of(outcome.position)[0] == ". b> # ."


@pytest.mark.clause("R15", "R7")
def test_walk_ends_on_loop_as_on_normal_tile() -> None:
    position = board("b=B0 a=A0", "b > v .", ". ^ < .", "a . . .", "A . B .")
    assert only(position, "b:walk(1,0)").events == (Walked("b", (1, 0), False, SUCCESS),)
    assert only(position, "b:walk(3,0)").events == (Walked("b", (3, 0), False, SUCCESS),)
    on_loop = after(position, "b:walk(2,0)")
    assert rows_of(on_loop)[0] == ". > bv ."
    assert after(on_loop, "a:walk(1,0)").cell("b") == (2, 0)


@pytest.mark.clause("R15", "R7")
def test_walk_path_continues_after_a_loop() -> None:
    blocked = board("b=B0 a=A0", "b > < #", ". . . a", "A . B .")
    assert ask(blocked, "b:walk(2,0)") is SUCCESS
    assert ask(blocked, "b:walk(3,0)") is FAILED
    belt = board("b=B0 a=A0", "b > < v", ". . . .", "A a B .")
    assert only(belt, "b:walk(3,0)").events == (Walked("b", (3, 1), True, SUCCESS),)


@pytest.mark.clause("R16", "R8")
def test_resting_on_the_home_of_another_fails() -> None:
    position = board("b=B0 a=A0", "b A .", ". . .", "a . B")
    assert ask(position, "b:walk(1,0)") is FAILED
    assert ask(position, "b:walk(2,0)") is SUCCESS  # it only passes over


@pytest.mark.clause("R16", "R8")
def test_closing_the_last_way_of_another_fails() -> None:
    position = board("a=A0 b=B0", ". a . .", "# # . #", "b . . #", ". A B #")
    assert ask(position, "a:walk(1,0)") is SUCCESS
    corridor = board("a=A0 b=B0", "b . . B", "# a # #", "# A # #")
    assert ask(corridor, "a:walk(0,-1)") is FAILED


@pytest.mark.clause("R16")
def test_walk_fails_without_trying_end_of_path() -> None:
    position = board("b=B0 a=A0", "b v . .", ". A . .", "a . B .")
    assert ask(position, "b:walk(2,0)") is FAILED  # the belt leads to A; (2,0) would do, but is not asked
    assert ask(position, "b:walk(1,0)") is FAILED


@pytest.mark.clause("R16")
def test_winning_walk_must_be_valid() -> None:
    position = board("a=A0 b=B0", "b A . B", "# a # #")
    assert ask(position, "a:walk(0,-1)") is FAILED


@pytest.mark.clause("R17")
def test_walk_home_wins_on_foot_and_by_belt() -> None:
    position = board("a=A0 b=B90", ". a A b", ". . . v", ". . . B")
    outcome = only(position, "a:walk(1,0)")
    assert ask(position, "a:walk(1,0)") is WIN
    assert outcome.events == (Walked("a", (2, 0), False, WIN),)
    assert outcome.position.won
    assert outcome.position.ended
    assert outcome.position.winners == ("a",)
    assert only(position, "b:walk(1,0)").events == (Walked("b", (3, 2), True, WIN),)


@pytest.mark.clause("R17", "R20")
def test_response_to_walk_ignores_carried_robots() -> None:
    position = board("a=A0 b=B90", "a> b> A", ". . .", ". . B")
    assert ask(position, "b:walk(1,0)") is SUCCESS  # though a is then carried home, and told of it
    walked, carried = only(position, "b:walk(1,0)").events
    assert isinstance(walked, Walked)
    assert isinstance(carried, Carried)
    assert (walked.response, carried.response) == (SUCCESS, WIN)


# -- order


@pytest.mark.clause("R18", "R19", "R20")
def test_put_down_then_a_hint_then_blocked_robots_are_carried_on() -> None:
    position = board("a=A0 b=B90", "a> b . .", ". ? . .", ". B . A")
    outcome = only(position, "b:walk(1,0)")
    assert [type(event).__name__ for event in outcome.events] == ["Walked", "HintGiven", "Carried"]
    assert outcome.position.cell("a") == (1, 0)


@pytest.mark.clause("R25")
def test_robots_may_act_in_any_order() -> None:
    one = after(open_board(), "a:walk(1,0)", "a:walk(1,0)", "b:walk(1,0)")
    other = after(open_board(), "b:walk(1,0)", "a:walk(1,0)", "a:walk(1,0)")
    assert one == other


def test_positions_are_values() -> None:
    position = after(open_board(), "a:walk(1,0)", "a:walk(-1,0)")
    assert position == open_board()
    assert hash(position) == hash(open_board())
    assert after(open_board(), "b:rotate(90)") != open_board()
    assert gp.position(open_board().text()) == open_board()
    assert Rotate("b", 90) in open_board().actions()


def test_labels_of_what_is_no_outcome_are_refused() -> None:
    action = open_board().action("a:walk(1,0)")
    assert open_board().outcome(action, "").position.cell("a") == (2, 1)
    with pytest.raises(gp.IllegalAction, match="it has no outcome 'NORTH' here"):
        open_board().outcome(action, "NORTH")


def test_walks_and_rows_are_found_once_however_the_other_robots_face() -> None:
    start = open_board()
    texts = [start.at(after).text() for after in start.successors("a")]
    known = finish_walk.cache_info().misses, text._board_rows.cache_info().misses
    for by in (90, 180, 270):
        turned = start.at((start.layout.codes, start.cells, (0, by)))
        texts += [turned.at(after).text() for after in turned.successors("a")]
    assert (finish_walk.cache_info().misses, text._board_rows.cache_info().misses) == known
    assert len(set(texts)) == 4 * 4


@pytest.mark.clause("R14")
def test_walk_routes_are_computed_once_per_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiles alone decide it, wherever the other robots are."""
    position = board("a=A0 b=B0", "a . > A", ". . . B", "b . . .")
    known = position.actions("a")
    moved = only(position, "b:walk(1,0)").position
    monkeypatch.setattr(Layout, "_find_route", None)
    assert moved.actions("a") == known


def test_route_cache_has_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each exchange makes another layout, and a player may ask for thousands."""
    monkeypatch.setattr(board_module, "MAX_ROUTES", 5)
    position = board("a=A0 b=B0", "a . > A", ". . . B", "b . . .")
    for outcome in itertools.islice(position.outcomes(EXCHANGE), 20):
        assert outcome.position.actions()
        assert 0 < len(position.level.grid.route_cache) <= 5


def test_pickled_position_contains_no_caches() -> None:
    position = board("a=A0 b=B0", "a . > A", ". . . B", "b . . .")
    sent = pickle.dumps(position)
    for outcome in itertools.islice(position.outcomes(EXCHANGE), 20):
        assert outcome.position.successors()
    assert pickle.dumps(position) == sent
    assert pickle.loads(sent).actions() == position.actions()


@pytest.mark.clause("R16")
def test_walk_that_leaves_only_a_belt_that_carries_back_is_granted_as_the_rules_page_says() -> None:
    start = board("a=B180 b=A0", "b < . B .", ". . . a A")
    assert gp.solve(start, goal="won(b)", actors=("b",)).found is True
    end = after(start, "a:walk(1,0)")
    assert gp.solve(end, goal="won(b)", actors=("b",)).found is False
    lesson = lesson_of(start.level.game)
    assert lesson
    (wrecks,) = (one.text for one in lesson.examples if one.name == "wrecks")
    assert "a robot may still be stuck" in wrecks
