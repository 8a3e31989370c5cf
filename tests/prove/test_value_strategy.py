"""Strategies of values: played by the rules, each reaches the value that was found."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.prove.test_forced_values import draw_question
from tests.prove.test_quantity_certificates import ATOMS
from tests.prove.twins import Played, small_level

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.prove import forced_values, quantity_solver, step_bounds
from gridproof.prove.value_strategy import ForcedStrategy

CLASSIC = "2048 2x2 spawn=classic target=16\n"
PATHS = ("X {0}", "F {0}", "G {0}", "({0}) U ({1})", "({0}) W ({1})", "({0}) R ({1})", "F<={2} {0}", "G<={2} {0}",
         "({0}) U<={2} ({1})", "({0}) W<={2} ({1})", "({0}) R<{2} ({1})", "F={2} {0}")  # fmt: skip


def assert_reached(strategy: Any, bounds: Any, wants_more: bool, is_known: bool, about: object) -> None:
    """Compare what a strategy reaches with the bounds of the value: the proved one is reached."""
    reached = strategy.verify()
    if math.inf in (bounds.low, reached):
        assert (reached == bounds.high) or not is_known, about
        return
    if wants_more:
        assert reached >= bounds.low - 1e-9, (about, reached, bounds)
    else:
        assert reached <= bounds.high + 1e-9, (about, reached, bounds)
    if is_known:
        assert bounds.low - 1e-9 <= reached <= bounds.high + 1e-9, (about, reached, bounds)


def know_found_positions_only(patch: pytest.MonkeyPatch) -> None:
    """Leave out bounds that are known without a search: a strategy does not know what to do where nothing was found."""
    for module in (quantity_solver, forced_values):
        patch.setattr(module, "chance_in_time", lambda *about: Fraction(1))
        patch.setattr(module, "fewest_actions", lambda *about: 0)


def draw_plain(random: Random, level: Any) -> str:
    atoms = [f"({random.choice(ATOMS[level.game.name])})" for _ in range(2)]
    if random.random() < 0.2:
        return f"Rmin=? [F {atoms[0]}]"
    return f"P=? [{random.choice(PATHS).format(*atoms, random.randint(1, 5))}]"


@pytest.mark.slow
@pytest.mark.parametrize("most_work", [step_bounds._MOST_WORK, -1], ids=["exact", "floating"])
@pytest.mark.parametrize(
    "count", [pytest.param(40, id="few"), pytest.param(1000, id="many", marks=pytest.mark.long)]
)
def test_strategies_reach_values_on_random_levels(
    count: int, most_work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_bounds, "_MOST_WORK", most_work)
    know_found_positions_only(monkeypatch)
    for seed in range(count):
        random = Random(seed)
        level = small_level(random)
        played = Played(level)
        question = draw_plain(random, played.level)
        limit = gp.Limit(states=random.randint(1, len(played.positions))) if seed % 3 == 0 else None
        found = gp.value(level, question, limit=limit)
        if limit and not found.states:
            continue
        about = seed, question
        if question[0] == "R":
            if found.worst_bounds.high < math.inf:
                assert_reached(found.strategy, found.worst_bounds, False, limit is None, about)
            continue
        assert_reached(found.strategy, found.best_bounds, True, limit is None, about)
        assert_reached(found.worst_strategy, found.worst_bounds, False, limit is None, about)


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(60, id="few"), pytest.param(1500, id="many", marks=pytest.mark.long)]
)
def test_strategies_of_coalitions_reach_values_on_random_levels(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_found_positions_only(monkeypatch)
    for seed in range(count):
        random = Random(seed)
        level = small_level(random)
        played = Played(level)
        question, _ = draw_question(random, played.level)
        limit = gp.Limit(states=random.randint(1, len(played.positions))) if seed % 3 == 0 else None
        found = gp.value(level, question, limit=limit)
        if limit and not found.states:
            continue
        wants_more = "min" not in question.split("[")[0]
        for strategy, wants in ((found.strategy, wants_more), (found.worst_strategy, not wants_more)):
            assert_reached(strategy, found.best_bounds, wants, limit is None, (seed, question))


def test_strategy_with_bound_depends_on_actions_left() -> None:
    (level,) = gp.read(CLASSIC)
    found = gp.value(level, "P=? [F<=7 won]")
    assert found.strategy.verify() == found.best
    assert found.worst_strategy.verify() == found.worst
    player, session = found.strategy, gp.Session([level], seed=3)
    for left in range(7, 0, -1):
        if not session.position.actions():
            break
        session.act(player(session.position, left))
    with pytest.raises(gp.GridproofError, match=r"^from 1 to 7 may be left, not 8$"):
        player(level.start(), 8)


@pytest.mark.parametrize("goal", ["won", "tile(8)", "score", "empty = 1"])
def test_strategy_of_goal_reaches_its_value(goal: str) -> None:
    (level,) = gp.read(CLASSIC)
    found = gp.value(level, goal)
    assert float(found.strategy.verify()) == pytest.approx(float(found.best), abs=1e-12)
    assert float(found.worst_strategy.verify()) == pytest.approx(float(found.worst), abs=1e-12)


def test_strategy_of_coalition_is_asked_for_its_players() -> None:
    (level,) = gp.read("robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n")
    found = gp.value(level, "<<a>> P=? [F<=9 won(a)]")
    mine, others = found.strategy, found.worst_strategy
    assert isinstance(mine, ForcedStrategy)
    assert isinstance(others, ForcedStrategy)
    assert (mine.players, others.players) == (("a",), ("b",))
    assert mine.verify() == others.verify() == found.best
    with pytest.raises(gp.GridproofError, match=r"^'b' is not a player of this strategy: a is$"):
        found.strategy(level.start(), "b", 9)
    with pytest.raises(gp.GridproofError, match=r"^no strategy is known of those who force a high cost$"):
        _ = gp.value(level, "<<a>> Rmin=? [F won(a)]").worst_strategy


@pytest.mark.parametrize(
    ("formula", "reached"),
    [
        ("Pmax>=0.9 [F won]", "0.96251125375"),
        ("P>=0.9 [F won]", "0"),
        ("!P<=0.1 [F<=7 won]", "0.16598125"),
        ("<<player>> P>=0.9 [F won]", "0.96251125375"),
        ("<<>> P<=0.9 [F won]", "0.96251125375"),
        ("P<=0.97 [F won]", None),
        ("<<player>> R<=12 [F ended]", "3.81482"),
        ("<<player>> R<=3 [F ended]", None),
        ("Pmax>=0.9 [F<=20 won]", "0.962511"),
        ("P>=1 [F ended] & Pmax>=0.9 [F won]", None),
    ],
)
def test_comparison_has_strategy_that_shows_it(formula: str, reached: str | None) -> None:
    strategy: Any = gp.check(gp.read(CLASSIC)[0], formula).strategy
    assert (strategy is None) is (reached is None)
    if reached:
        assert float(strategy.verify()) == pytest.approx(float(reached), abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(80, id="few"), pytest.param(1500, id="many", marks=pytest.mark.long)]
)
def test_strategies_of_conditional_probabilities_reach_them(count: int) -> None:
    reached = 0
    for seed in range(count):
        random = Random(seed)
        level = small_level(random)
        name = Played(level).level.game.name
        event, condition = (
            random.choice(PATHS).format(
                *(f"({random.choice(ATOMS[name])})" for _ in range(2)), random.randint(1, 3)
            )
            for _ in range(2)
        )
        try:
            found = gp.value(level, f"P=? [{event} || {condition}]")
        except gp.GridproofError:  # the condition never comes true
            continue
        reached += 1
        assert_reached(found.strategy, found.best_bounds, True, True, (seed, event, condition))
        assert_reached(found.worst_strategy, found.worst_bounds, False, True, (seed, event, condition))
    assert reached > count / 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(80, id="few"), pytest.param(1500, id="many", marks=pytest.mark.long)]
)
def test_strategies_of_coalitions_have_their_costs(count: int) -> None:
    finite = 0
    for seed in range(count):
        random = Random(seed)
        level = small_level(random)
        played = Played(level)
        names = [one for one in played.level.game.actors(played.level) if one != "nature"]
        coalition = ",".join(random.sample(names, random.randint(0, len(names))))
        measure, goal = (
            random.choice([*measures(played.level.game)]),
            random.choice(ATOMS[played.level.game.name]),
        )
        limit = gp.Limit(states=random.randint(1, len(played.positions))) if seed % 3 == 0 else None
        side = random.choice(("min", "max"))
        question = f'<<{coalition}>> R{{"{measure}"}}{side}=? [F ({goal})]'
        found = gp.value(level, question, limit=limit)
        if found.best_bounds.high == math.inf or not found.states:
            continue
        finite += 1
        strategy = found.strategy if side == "min" else found.worst_strategy
        reached = float(strategy.verify())
        assert reached <= found.best_bounds.high + 1e-9, (seed, question)
        assert limit or reached >= found.best_bounds.low - 1e-9, (seed, question)
    assert finite > count / 5
