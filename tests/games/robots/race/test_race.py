"""R23, R25, R26: races, their schedulers, and the clock of exchanges."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import pytest
from tests.games.robots.boards import board
from tests.packs import pack, titled

import gridproof as gp
from gridproof.games.robots import EXCHANGE, Carried, HintGiven, Position, Response, Rotate, Walk
from gridproof.games.robots.agents import AGENTS
from gridproof.games.robots.race import Race, random_order, round_robin
from gridproof.games.robots.race.knowledge import Knowledge, pass_turn

SUCCESS, FAILED, WIN = Response.SUCCESS, Response.FAILED, Response.WIN


@functools.cache
def open_board() -> Position:
    return board("a=A0 b=B0", "a . . . A", ". . ? . .", "b . . . B")


class Passing:
    """Passes every turn, and remembers what it was told."""

    def ask(self, knowledge: Knowledge) -> Walk:
        return pass_turn(knowledge.robot)


class Ahead:
    """Strategy that always walks one step ahead."""

    def ask(self, knowledge: Knowledge) -> Walk:
        return Walk(knowledge.robot, 1, 0)


def race_of_passers(position: Any = None, **rules: Any) -> Race:
    position = position or open_board()
    return Race(position, {name: Passing() for name in position.level.names}, **rules)


# -- schedulers


@pytest.mark.clause("R25")
def test_round_robin_serves_in_order() -> None:
    assert list(itertools.islice(round_robin(("a", "b", "c")), 7)) == ["a", "b", "c", "a", "b", "c", "a"]


@pytest.mark.clause("R25")
def test_random_order_is_seeded_and_serves_all_robots() -> None:
    def draw(seed: int) -> list[str]:
        return list(itertools.islice(random_order(("a", "b", "c"), seed), 60))

    assert draw(1) == draw(1) != draw(2)
    assert set(draw(1)) == {"a", "b", "c"}
    assert list(itertools.islice(random_order(("a", "b", "c")), 60)) == draw(0)


@pytest.mark.clause("R25")
def test_default_scheduler_is_round_robin() -> None:
    race = race_of_passers(max_requests=7).run()
    assert {name: len(diary) for name, diary in race.knowledge_history.items()} == {"a": 4, "b": 3}


@pytest.mark.clause("R25")
def test_driven_from_outside_by_names() -> None:
    race = race_of_passers(scheduler=list("bbab")).run()
    assert race.requests == 4
    assert not race.over
    assert len(race.knowledge_history["b"]) == 3
    assert race.serve("a") is FAILED
    assert race.requests == 5


@pytest.mark.clause("R12", "R25")
def test_driven_from_outside_by_requests() -> None:
    race = Race(open_board())
    assert race.serve("b", Rotate("b", 45)) is FAILED
    assert race.serve("b", Rotate("b", 270)) is SUCCESS
    assert race.position.rotation("b") == 270
    assert race.knowledge["b"].last_request == Rotate("b", 270)
    assert race.knowledge["b"].answer is SUCCESS


@pytest.mark.clause("R25")
def test_failed_requests_count_and_leave_no_trace() -> None:
    race = race_of_passers(max_requests=9).run()
    assert race.requests == 9
    assert race.truncated
    assert race.trace().steps == ()
    assert race.position == open_board()


# -- the clock of exchanges


@pytest.mark.clause("R23")
@pytest.mark.parametrize(("every", "exchanges"), [(0, 0), (1, 10), (3, 3), (4, 2), (11, 0)])
def test_exchanges_come_every_so_many_requests(every: int, exchanges: int) -> None:
    race = race_of_passers(exchange_every=every, max_requests=10, seed=2).run()
    assert race.trace().actions == (EXCHANGE,) * exchanges
    assert race.requests == 10


@pytest.mark.clause("R21", "R23")
def test_race_makes_exchange_for_its_caller() -> None:
    race = Race(open_board())
    assert race.exchange() is SUCCESS
    assert race.position != open_board()
    assert race.requests == 0


@pytest.mark.clause("R21", "R23")
def test_impossible_exchange_changes_nothing() -> None:
    position = board("a=A0 b=B0", "a? A", "b? B")
    race = race_of_passers(position, exchange_every=1, max_requests=3)
    assert race.exchange() is FAILED
    assert race.run().requests == 3
    assert race.trace().steps == ()


# -- chance, traces, knowledge


@pytest.mark.clause("R25")
@pytest.mark.parametrize("scheduler", ["round-robin", "random"])
@pytest.mark.parametrize("seed", range(6))
def test_races_replay(seed: int, scheduler: str) -> None:
    race = Race(
        pack("robots/races")[seed], "hints", scheduler, exchange_every=7, seed=seed, max_requests=200
    ).run()
    trace = race.trace()
    assert gp.Trace.from_json(trace.to_json()).replay() == race.position
    assert EXCHANGE in trace.actions or race.requests < 7


@pytest.mark.clause("R23", "R25")
def test_race_draws_like_session_with_same_seed() -> None:
    race = Race(
        titled("robots/races", "Whispers"), "random", exchange_every=5, seed=11, max_requests=100
    ).run()
    session = gp.Session(titled("robots/races", "Whispers"), seed=11)
    for action in race.trace().actions:
        session.act(action)
    assert session.position == race.position
    assert session.trace().steps == race.trace().steps


def test_race_is_repeated_by_its_seed() -> None:
    def run(seed: int) -> tuple[int, object]:
        race = Race(
            titled("robots/races", "Merging traffic"), {"a": "hints", "b": "random"}, "random", 6, seed, 300
        ).run()
        return race.requests, race.trace().steps

    assert run(1) == run(1)
    assert len({run(seed) for seed in range(5)}) > 1


@pytest.mark.clause("R19", "R30")
def test_robots_know_what_they_were_told() -> None:
    race = Race(board("a=A90 b=B0", "a ? . A", "? # . .", "b . . B"))
    race.serve("a", Walk("a", 1, 0))
    given = [event for event in next(race.trace().outcomes()).events if isinstance(event, HintGiven)]
    assert [event.robot for event in given] == ["a"]
    assert race.knowledge["a"].hints == {given[0].hint}
    assert race.knowledge["a"].news == (given[0].hint,)
    assert race.knowledge["b"] == Knowledge("b", race.level.robots[1].rule)
    assert race.knowledge_history["a"][0].hints == frozenset()
    assert race.report()["actors"]["a"]["hints"] == [str(given[0].hint)]


@pytest.mark.clause("R18", "R20")
def test_carried_robot_is_notified_when_another_walks() -> None:
    race = Race(board("a=A0 b=B0 c=A0", "A . . B", "a> b . .", ". . . ?", ". c . C"))
    race.serve("b", Walk("b", 1, 0))
    (carried,) = (event for event in next(race.trace().outcomes()).events if isinstance(event, Carried))
    assert carried.robot == "a"
    assert race.knowledge["a"].news == (SUCCESS,)
    assert race.knowledge["b"].news == ()


# -- the end


@pytest.mark.clause("R17", "R25", "R26")
def test_win_ends_the_race() -> None:
    race = Race(open_board(), {"a": Ahead(), "b": Passing()}).run()
    assert race.winners == ("a",)
    assert race.over
    assert not race.truncated
    assert race.requests == 7
    assert race.knowledge["a"].answer is WIN
    with pytest.raises(gp.GridproofError, match="the race is over: some robot is home"):
        race.serve("b")
    with pytest.raises(gp.GridproofError, match="the race is over: some robot is home"):
        race.exchange()
    assert list(race.steps()) == []


def test_truncated_race_is_over() -> None:
    race = race_of_passers(max_requests=0)
    assert race.run().truncated
    with pytest.raises(gp.GridproofError, match="it ended after 0 requests"):
        race.serve("a")


@pytest.mark.clause("R20", "R26")
def test_win_of_carried_robot_ends_the_race() -> None:
    race = Race(board("a=A0 b=B90", "a> b> A", ". . .", "B . ."))
    assert race.serve("b", Walk("b", 1, 0)) is SUCCESS
    assert race.winners == ("a",)
    assert race.over
    assert race.knowledge["a"].news == (WIN,)


def test_races_to_be_watched() -> None:
    for show in AGENTS.demos.values():
        assert list(itertools.islice(show(pack("robots/races")[0], 1), 2))


# -- wrong use


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"strategies": "luck"}, "no strategy 'luck'"),
        ({"strategies": {"z": "hints"}}, "no robot 'z'"),
        ({"scheduler": "fair"}, "no scheduler 'fair'; choose from round-robin, random"),
        ({"exchange_every": -1}, "exchange_every -1"),
        ({"max_requests": True}, "max_requests True"),
        ({"seed": -3}, "seed -3"),
    ],
)
def test_wrong_rules_are_errors(rules: dict[str, Any], words: str) -> None:
    with pytest.raises(gp.GridproofError, match=words):
        Race(open_board(), **rules)


def test_race_refuses_levels_of_other_games() -> None:
    with pytest.raises(gp.GridproofError, match="a race needs a level or a position of robots"):
        Race(pack("null/first")[0])


@pytest.mark.clause("R12")
def test_race_refuses_wrong_robots_and_requests() -> None:
    race = Race(open_board())
    with pytest.raises(gp.GridproofError, match="a is served, and has asked for b:walk"):
        race.serve("a", Walk("b", 1, 0))
    with pytest.raises(gp.IllegalAction, match="a walk or a rotation"):
        race.serve("a", EXCHANGE)  # type: ignore[arg-type]  # what is tried
    with pytest.raises(gp.GridproofError, match="no robot 'z'"):
        race.serve("z")
    assert race.requests == 0
    assert race.knowledge_history["a"] == []
