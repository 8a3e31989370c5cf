"""Sessions and traces of Robots: hints and exchanges come again as they were."""

from __future__ import annotations

import functools

import pytest
from tests.games.robots.boards import board

import gridproof as gp
from gridproof.games.robots import GAME, Level


@functools.cache
def wide() -> Level:
    return board("a=A0 b=B0", "a ? . .", ". # > .", "b . A B").level


def random_session(level: gp.Level, seed: int, actions: int) -> gp.Session:
    session, rng = gp.Session(level, seed=seed), gp.Rng(seed, 9)
    while session.actions_done < actions and not session.position.ended:
        choices = (*session.position.actions(), *session.position.actions("nature"))
        session.act(rng.choice(choices))
    return session


@pytest.mark.clause("R19", "R21")
@pytest.mark.parametrize("seed", range(4))
def test_trace_with_chance_replays_from_json(seed: int) -> None:
    trace = random_session(wide(), seed, 12).trace()
    again = gp.Trace.from_json(trace.to_json())
    assert again == trace
    assert again.replay() == trace.replay()


@pytest.mark.clause("R21")
def test_same_seed_draws_the_same_exchange() -> None:
    one, other = (gp.Session(wide(), seed=5) for _ in range(2))
    label = one.act("exchange").label
    assert other.act("exchange").label == label
    other.undo()
    assert other.act("exchange").label == label


@pytest.mark.clause("R9")
def test_traces_begin_in_the_middle_of_a_game_too() -> None:
    start = board("a=A0 b=B0", "a> . . A", "b . . B")  # R9 would refuse it
    trace = random_session(start.level, 1, 3).trace()
    assert gp.Trace.from_json(trace.to_json()).start == start


@pytest.mark.clause("R26")
def test_session_ends_with_a_win() -> None:
    session = gp.Session(board("a=A0 b=B0", "a A .", "b . B").level)
    assert session.act("a:walk(1,0)").position.won
    assert session.status is gp.Status.WON
    with pytest.raises(gp.IllegalAction, match="the game is over"):
        session.act("b:walk(1,0)")
    assert not GAME.policy.act_after_win


def test_forged_traces_are_refused() -> None:
    session = gp.Session(wide(), seed=3)
    session.act("exchange")
    text = session.trace().to_json()
    with pytest.raises(gp.GridproofError):
        gp.Trace.from_json(text.replace('"exchange"', '"a:walk(7,7)"'))
    with pytest.raises(gp.GridproofError):
        gp.Trace.from_json(text.replace("<->", "<=>"))
