"""R30: what strategies know, and how they play."""

from __future__ import annotations

import pytest
from tests.games.robots.boards import board
from tests.packs import pack, titled

import gridproof as gp
from gridproof.games.robots import Hint, Response, Rotate, Rule, Walk
from gridproof.games.robots.race import Race
from gridproof.games.robots.race.follower import HintFollower, Map, Pose, Sign
from gridproof.games.robots.race.knowledge import BoardStrategy, Knowledge, pass_turn
from gridproof.games.robots.race.strategies import STRATEGIES, Planner, RandomStrategy, make_strategy

SUCCESS, FAILED = Response.SUCCESS, Response.FAILED
START_A, START_B = Knowledge("a", Rule.A), Knowledge("b", Rule.B)


def with_answer(knowledge: Knowledge, request: Walk | Rotate, response: Response) -> Knowledge:
    return knowledge.with_request(request).with_answer(response)


# -- what a robot knows


def test_pose_turns_within_a_circle() -> None:
    turned = [Pose((0, 0), rotation).after(Rotate("a", 90)).rotation for rotation in (0, 90, 180, 270)]
    assert turned == [90, 180, 270, 0]


@pytest.mark.clause("R13", "R18", "R19", "R30")
def test_hints_are_kept_until_auto_movement() -> None:
    known = START_B.with_request(Walk("b", 1, 0)).with_news(Hint.EAST).with_answer(SUCCESS)
    known = known.with_request(Rotate("b", 90)).with_answer(SUCCESS).with_news(Hint.NORTH)
    assert known.hints == {Hint.EAST, Hint.NORTH}
    assert known.news == (Hint.NORTH,)
    known = known.with_news(SUCCESS)
    assert known.hints == frozenset()
    assert known.news == (Hint.NORTH, SUCCESS)


@pytest.mark.clause("R10", "R11")
def test_knowledge_lists_requests_of_its_rule() -> None:
    walks = ["a:walk(1,0)", "a:walk(0,1)", "a:walk(-1,0)", "a:walk(0,-1)"]
    assert list(map(str, START_A.requests)) == walks
    assert [str(item) for item in START_B.requests if isinstance(item, Walk)] == [
        "b:walk(1,0)",
        "b:walk(2,0)",
        "b:walk(3,0)",
    ]
    assert [item.by for item in START_B.requests if isinstance(item, Rotate)] == [0, 90, 180, 270]


@pytest.mark.clause("R12", "R25")
def test_passing_a_turn_always_fails() -> None:
    position = board("a=A0 b=B270", "a . . A", ". . . .", "B . . b")
    assert {position.respond(pass_turn(robot)) for robot in "ab"} == {FAILED}


# -- random


@pytest.mark.clause("R25", "R30")
@pytest.mark.parametrize("knowledge", [START_A, START_B])
def test_random_strategy_makes_every_request_of_the_rule(knowledge: Knowledge) -> None:
    strategy = RandomStrategy(3)
    assert {strategy.ask(knowledge) for _ in range(200)} == set(knowledge.requests)
    one, other = RandomStrategy(5), RandomStrategy(5)
    assert [one.ask(knowledge) for _ in range(20)] == [other.ask(knowledge) for _ in range(20)]


# -- hint follower


@pytest.mark.clause("R30")
def test_planner_is_the_only_board_strategy() -> None:
    assert [name for name, make in STRATEGIES.items() if isinstance(make(0), BoardStrategy)] == ["planner"]


@pytest.mark.clause("R3", "R13", "R14")
def test_pose_moves_like_the_robot() -> None:
    pose = Pose().after(Rotate("b", 90)).after(Walk("b", 3, 0))
    assert pose == Pose((0, 3), 90)
    assert pose.path(Walk("b", 2, 0)) == [(0, 4), (0, 5)]
    assert Pose((1, 1), 180).after(Walk("a", 0, 1)).cell == (1, 0)


@pytest.mark.clause("R19")
@pytest.mark.parametrize(
    ("hint", "fits", "contradicts"),
    [(Hint.NORTH, (0, -1), (0, 1)), (Hint.SOUTH_EAST, (1, 1), (1, -1)), (Hint.WEST, (-3, 0), (2, 0))],
)
def test_signs_are_read_as_the_robot_faced(
    hint: Hint, fits: tuple[int, int], contradicts: tuple[int, int]
) -> None:
    seen = Map()
    seen.record_hint(hint)
    assert seen.misfit(fits) == 0 < seen.misfit(contradicts)
    turned = Map(Pose((0, 0), 90))
    turned.record_hint(hint)
    x, y = fits
    assert turned.misfit((-y, x)) == 0


def test_straight_hint_fits_cells_on_its_line_best() -> None:
    east = Sign((0, 0), (1, 0))
    assert east.misfit((4, 0)) < east.misfit((4, 1)) < east.misfit((0, 0)) < east.misfit((-1, 0))


@pytest.mark.clause("R30")
def test_hint_follower_walks_towards_hint() -> None:
    for seed in range(20):
        follower = HintFollower(seed)
        assert follower.ask(START_A.with_news(Hint.SOUTH)) == Walk("a", 0, 1)
        assert HintFollower(seed).ask(START_B.with_news(Hint.EAST)) == Walk("b", 1, 0)


@pytest.mark.clause("R30")
def test_hint_follower_turns_towards_hint() -> None:
    for seed in range(20):
        assert HintFollower(seed).ask(START_B.with_news(Hint.SOUTH)) == Rotate("b", 90)


@pytest.mark.clause("R30")
def test_hint_follower_does_not_repeat_failed_request() -> None:
    for seed in range(20):
        follower, known = HintFollower(seed), START_A.with_news(Hint.EAST)
        request = follower.ask(known)
        assert request == Walk("a", 1, 0)
        assert follower.ask(with_answer(known, request, FAILED)) != request


@pytest.mark.clause("R30")
def test_auto_movement_makes_its_map_worthless() -> None:
    follower = HintFollower(1)
    first = follower.ask(START_A.with_news(Hint.EAST))
    carried = START_A.with_request(first).with_news(SUCCESS).with_news(Hint.WEST).with_answer(SUCCESS)
    assert {follower.ask(carried), HintFollower(2).ask(carried)} == {Walk("a", -1, 0)}


@pytest.mark.slow
@pytest.mark.clause("R30")
def test_hint_follower_is_faster_than_random_strategy() -> None:
    titles = ("Two lanes", "Whispers", "City block", "Merging traffic")

    def count_requests(strategy: str) -> int:
        levels = [level for level in pack("robots/races") if level.title in titles]
        return sum(Race(level, strategy, seed=seed).run().requests for level in levels for seed in range(3))

    assert 2 * count_requests("hints") < count_requests("random")


@pytest.mark.slow
@pytest.mark.clause("R30")
def test_hint_followers_win_easy_races() -> None:
    certified = [(level, level.certificate) for level in pack("robots/races")]
    easy = [level for level, trace in certified if trace is not None and len(trace.steps) <= 6]
    assert len(easy) >= 8
    for level in easy:
        won = [bool(Race(level, "hints", seed=seed).run().winners) for seed in range(4)]
        assert sum(won) >= 3, level.title


# -- planner


@pytest.mark.clause("R30")
def test_planner_goes_home_by_fewest_requests() -> None:
    position = board("a=A0 b=B0", "a . . > > A", ". # . . . .", "b . . . . B")
    alone = gp.solve(position, goal="won(b)", actors=("b",))
    race = Race(position, {"b": "planner"}, scheduler=["b"] * 10).run()
    assert race.winners == ("b",)
    assert race.requests == alone.cost


@pytest.mark.slow
@pytest.mark.clause("R30")
@pytest.mark.parametrize("title", ["Detour", "Ring road", "Give and take", "The long way"])
def test_planners_agree_where_none_gets_home_alone(title: str) -> None:
    level = titled("robots/races", title)
    alone = [gp.solve(level, goal=f"won({name})", actors=(name,)) for name in level.game.actors(level)[:-1]]
    assert not any(solution.found for solution in alone)
    race = Race(level, "planner").run()
    assert race.winners
    solution = gp.solve(level)
    assert solution.cost is not None
    assert len(race.trace().steps) == solution.cost


@pytest.mark.slow
@pytest.mark.clause("R30")
def test_planner_makes_requests_when_it_cannot_plan() -> None:
    race = Race(
        titled("robots/races", "Detour"), {"a": "planner", "b": "random"}, seed=1, max_requests=60
    ).run()
    assert race.requests == 60 or race.winners
    assert len(race.knowledge_history["a"]) >= 20


def test_planner_refuses_to_choose_without_position() -> None:
    with pytest.raises(gp.GridproofError, match="must see the position"):
        Planner().ask(START_A)


def test_strategies_have_names() -> None:
    assert isinstance(make_strategy("hints", 1), HintFollower)
    with pytest.raises(gp.GridproofError, match="no strategy 'luck'; choose from hints, planner, random"):
        make_strategy("luck")
