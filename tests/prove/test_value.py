"""Probabilities and points: exact, by a game's own engine, and by intervals on graphs; all engines alike."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core import proposition
from gridproof.core.limit import Meter
from gridproof.core.text.level_lookup import levels_at
from gridproof.games.twenty48.values import Layers
from gridproof.prove import exact_values, value_engines
from gridproof.prove.exact_values import ExactValues
from gridproof.prove.interval import Interval
from gridproof.prove.interval_iteration import Choices, iterate_bounds, values
from gridproof.prove.value import Value
from gridproof.search.engine import ask_one
from gridproof.search.explore import KernelExplorationUntilGoal, RulesExploration
from gridproof.search.graph import Graph
from gridproof.search.question import GoalQuestion


def level(text: str) -> gp.Level:
    (found,) = gp.read(text)
    return found


CLASSIC = "2048 2x2 spawn=classic target=16\n"


@pytest.mark.slow
def test_value_of_smallest_board_is_exact() -> None:
    won = gp.value(level(CLASSIC))
    assert won.best == Fraction(770009003, 800000000)
    assert (won.worst, won.error, won.engine) == (0, 0, "rules, exactly")
    points = gp.value(level(CLASSIC), "score")
    assert isinstance(points.best, Fraction)
    assert float(points.best) == pytest.approx(66.964149457, abs=1e-9)


def test_value_when_every_tile_is_two() -> None:
    spec = level("2048 2x2 spawn=spec target=16\n")
    assert (gp.value(spec).best, gp.value(spec, "tile(32)").best) == (1, 0)


@pytest.mark.parametrize(
    "text", ["2048 2x2\n2 2\n4 0\n", "2048 2x3 spawn=classic target=64\n2 32\n4 2\n16 8\n"]
)
@pytest.mark.parametrize("goal", ["tile(16)", "tile(64)", "score"])
def test_positions_and_actions_have_values(text: str, goal: str) -> None:
    start = level(text).start()
    found = gp.value(start, goal)
    worth = found.at(start)
    assert (worth.best, worth.worst) == (found.best, found.worst)
    if worth.actions:
        assert worth.actions.keys() == set(start.actions())
        assert worth.actions[worth.action] == pytest.approx(float(worth.best), abs=1e-12)
        for outcome in start.outcomes(worth.action):
            assert found.at(outcome.position).best >= found.at(outcome.position).worst
    with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
        found.at(level("2048 2x2\n2 2\n0 0\n").start())
    with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
        found.at(None)  # type: ignore[arg-type]  # what is tried


def test_value_is_1_where_goal_holds() -> None:
    start = level("2048 2x2\n16 2\n4 2\n").start()
    found = gp.value(start, "tile(16)")
    assert (found.best, found.at(start).actions, found.at(start).action) == (1, {}, None)


def test_value_of_deterministic_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_values, "MOST", 5)
    for text, best, worst in (
        ("######\n#@$ .#\n######\n", 1, 0),
        ("#####\n#@$.#\n#####\n", 1, 1),
        ("#####\n#$@.#\n#   #\n#####\n", 0, 0),
    ):
        found = gp.value(level(text))
        assert (found.best, found.worst, found.error) == (best, worst, 0), text


def test_value_refuses_invalid_input() -> None:
    sokoban = level("#####\n#@$.#\n#####\n")
    for goal, message in (
        ("score", "sokoban keeps no score"),
        (
            "never",
            "sokoban has no proposition 'never': it has won, lost, ended, home, bombs, placed, at, box, valid",
        ),
        ("at(9,9)", "at(9,9): x is from 0 to 4 and y from 0 to 2"),
        ("bombs", "line 1, column 1: bombs in 'bombs' (expected a comparison, such as = 0)"),
    ):
        with pytest.raises(gp.GridproofError) as caught:
            gp.value(sokoban, goal)
        assert str(caught.value) == message
    with pytest.raises(gp.GridproofError):
        gp.value(sokoban, actors="nobody")
    with pytest.raises(gp.GridproofError):
        gp.value(3)  # type: ignore[arg-type]  # what is tried


def true_values(start: gp.Position[Any], goal: str) -> dict[gp.Position[Any], tuple[Fraction, Fraction]]:
    """The best and the worst value of all that follows from a position, by the rules alone, in fractions."""
    return true_values_from([start], goal)


def true_values_from(
    starts: Iterable[gp.Position[Any]], goal: str
) -> dict[gp.Position[Any], tuple[Fraction, Fraction]]:
    """The best and the worst value of all that follows from positions of one level."""
    first, *others = starts
    holds = None if goal == "score" else proposition.parse_goal(first.level.game, goal)
    found: dict[gp.Position[Any], tuple[Fraction, Fraction]] = {}

    def mean(position: gp.Position[Any], action: Any, which: int) -> Fraction:
        return sum((
            outcome.probability * (visit(outcome.position)[which] + (0 if holds else outcome.reward))
            for outcome in position.outcomes(action)
        ), Fraction())  # fmt: skip

    def visit(position: gp.Position[Any]) -> tuple[Fraction, Fraction]:
        if position not in found:
            actions = position.actions()
            if holds and holds(position):
                found[position] = Fraction(1), Fraction(1)
            else:
                found[position] = (
                    max((mean(position, action, 0) for action in actions), default=Fraction()),
                    min((mean(position, action, 1) for action in actions), default=Fraction()),
                )
        return found[position]

    for start in (first, *others):
        visit(start)
    return found


@functools.cache
def true_values_of(text: str, goal: str) -> Mapping[gp.Position[Any], tuple[Fraction, Fraction]]:
    """The best and the worst value of all positions of a level, once for all tests."""
    return MappingProxyType(true_values_from((start.position for start in level(text).starts()), goal))


def assert_bounds_hold(found: Value, true: Mapping[gp.Position[Any], tuple[Fraction, Fraction]]) -> int:
    """Compare all reached positions and their actions; return how many there are."""
    count, slack = 0, Fraction(1, 10**11)
    for position, both in true.items():
        if found.values.of(position) is None:
            continue
        worth = found.at(position)
        for bounds, value in zip((worth.best_bounds, worth.worst_bounds), both, strict=True):
            assert bounds.low - slack <= value <= bounds.high + slack, (position, bounds, value)
        for action, bounds in worth.action_bounds.items():
            value = sum((
                one.probability * (true[one.position][0] + (one.reward if found.goal == "score" else 0))
                for one in position.outcomes(action)
            ), Fraction())  # fmt: skip
            assert bounds.low - slack <= value <= bounds.high + slack, (position, action)
        count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["own", "graph"])
@pytest.mark.parametrize("text", [CLASSIC, "2048 2x2\n", "2048 2x3 spawn=classic\n2 32\n4 2\n8 16\n"])
@pytest.mark.parametrize("goal", ["tile(16)", "tile(32)", "lost", "score"])
def test_value_bounds_hold_at_every_limit(
    text: str, goal: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get better with every position, until they are the values."""
    if engine == "graph":
        if goal == "score":
            return
        monkeypatch.setattr(value_engines, "_find_by_own_engine", lambda *about: None)
    asked = level(text)
    starts = [(start.probability, start.position) for start in asked.starts()]
    true = true_values_of(text, goal)
    best, worst = (sum(chance * true[start][which] for chance, start in starts) for which in (0, 1))
    monkeypatch.setattr(exact_values, "MOST", 0)
    before, reached = gp.value(asked, goal, limit=gp.Limit(states=0)), 0
    for states in (3, 9, 20, 40, 75, len(true)):
        found = gp.value(asked, goal, limit=gp.Limit(states=states))
        assert found.states <= max(states, len(starts))
        assert found.best_bounds.low <= best <= found.best_bounds.high
        assert found.worst_bounds.low <= worst <= found.worst_bounds.high
        assert abs(float(best) - float(found.best)) <= found.error + 1e-12
        for now, last in ((found.best_bounds, before.best_bounds), (found.worst_bounds, before.worst_bounds)):
            assert now.low >= last.low - 1e-11
            assert now.high <= last.high + 1e-11
        reached += assert_bounds_hold(found, true)
        before = found
    assert (found.converged, found.stopped_by, reached > 5) == (True, "", True)


@pytest.mark.long
@given(st.data())
@examples(15)
def test_value_bounds_hold_on_random_boards(data: st.DataObject) -> None:
    width, height = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    tiles = st.sampled_from([0, 2, 4, 8] if width * height == 4 else [2, 4, 8, 16, 32, 64])
    cells = data.draw(
        st.lists(tiles, min_size=width * height, max_size=width * height).filter(
            lambda cells: sum(map(bool, cells)) > 1
        )
    )
    rows = "".join(" ".join(map(str, cells[row * width :][:width])) + "\n" for row in range(height))
    start = level(f"2048 {width}x{height} spawn={data.draw(st.sampled_from(['spec', 'classic']))}\n{rows}")
    goal = data.draw(st.sampled_from(["tile(16)", "tile(64)", "lost", "empty = 0", "max_tile > 8", "score"]))
    if len(gp.explore(start, limit=gp.Limit(states=800))) == 800:
        return
    true = true_values(start.start(), goal)
    states = data.draw(st.integers(1, len(true)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_values, "MOST", 0)
        assert_bounds_hold(gp.value(start, goal, limit=gp.Limit(states=states)), true)
        if goal != "score":
            patch.setattr(value_engines, "_find_by_own_engine", lambda *about: None)
            assert_bounds_hold(gp.value(start, goal, limit=gp.Limit(states=states)), true)


def test_value_answers_when_no_time_is_left() -> None:
    for text in (CLASSIC, "2048 4x4\n", "2048 5x5\n", "######\n#@$ .#\n######\n"):
        found = gp.value(level(text), limit=gp.Limit(seconds=0))
        assert (found.best_bounds, found.worst_bounds) == ((0, 1), (0, 1))
        assert (found.best, found.error, found.stopped_by, found.converged) == (0.5, 0.5, "seconds", False)
        assert "between 0 and 1 at best" in repr(found)


@pytest.mark.slow
def test_value_answers_when_it_is_stopped() -> None:
    """While the bounds of many positions are being computed, and before a kernel is there."""
    stop = threading.Event()
    found = gp.value(
        level("2048 4x4\n"),
        "tile(16)",
        limit=gp.Limit(stop=stop),
        progress=lambda count: stop.set() if count > 20_000 else None,
    )
    assert (found.stopped_by, found.best_bounds.low >= 0, found.states > 0) == ("stop", True, True)
    again = gp.value(level("2048 4x4\n"), limit=gp.Limit(stop=stop))
    assert (again.best_bounds, again.stopped_by) == ((0, 1), "stop")


@pytest.mark.slow
def test_value_bounds_get_better_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of time they are computed for more and more positions, and the last ones stand."""
    sizes: list[int] = []
    original = Layers._value_all

    def value_all(self: Layers, meter: Meter) -> None:
        sizes.append(self.states)
        original(self, meter)

    monkeypatch.setattr(Layers, "_value_all", value_all)
    found = gp.value(level("2048 3x3 spawn=classic\n"), "tile(32)", limit=gp.Limit(seconds=600))
    assert (len(sizes) > 1, sizes == sorted(sizes), found.converged) == (True, True, True)
    exactly = gp.value(level("2048 3x3 spawn=classic\n"), "tile(32)")
    assert (found.best_bounds, found.worst_bounds) == (exactly.best_bounds, exactly.worst_bounds)


@pytest.mark.slow
def test_value_on_four_by_four_stops_at_its_goal() -> None:
    """All positions of the classic game to 8, up to symmetry; also with a tile that needs more than four bits after it."""
    found = gp.value(level("2048 4x4 spawn=classic\n"), "tile(8)")
    assert (found.states, found.converged) == (84_660, True)
    assert float(found.best) == pytest.approx(1, abs=1e-12)
    assert float(found.worst) == pytest.approx(0.99711941990026, abs=1e-12)
    near = level("2048 4x4\n16384 16384 2 4\n8 16 32 64\n2 4 8 16\n32 64 128 256\n")
    assert gp.value(near, "tile(32768)").best == 1


def test_value_leaves_tiles_that_do_not_fit_to_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_values, "MOST", 0)
    near = level("2048 4x4\n32768 32768 2 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n")
    found = gp.value(near, "tile(131072)", limit=gp.Limit(states=30))
    assert (found.engine, found.stopped_by) == ("graph, from below and above", "states")
    assert gp.value(near, "tile(65536)", limit=gp.Limit(states=100)).best_bounds.low > 1 - 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sokoban/first-steps/1", "twenty48/positions/12", "robots/duels/1"])
def test_exploration_until_a_goal_is_the_same_by_kernel_and_by_rules(name: str) -> None:
    """Compare the edges as well, where a limit is reached."""
    (asked,) = levels_at(name)
    starts = [start.position for start in asked.starts()]
    goal = proposition.parse_goal(asked.game, "won")
    for states in (len(starts), 37, 150):
        if states < len(starts):
            continue
        meters = [gp.Limit(states=states).start() for _ in range(2)]
        ruled, packed = (
            ask_one(GoalQuestion(starts=starts, goal=goal, meter=meter), engine).answer
            for meter, engine in zip(
                meters, (RulesExploration(goal), KernelExplorationUntilGoal()), strict=True
            )
        )
        assert list(ruled) == list(packed)
        both = min(ruled.expanded_count, packed.expanded_count)
        assert both >= 1 or states == len(starts)
        one, other = ruled.partial_graph(), packed.partial_graph()
        end = one.offsets[both]
        assert (one.offsets[: both + 1] == other.offsets[: both + 1]).all()
        assert (one.targets[:end] == other.targets[:end]).all()
        assert all(
            not goal(position) or one.offsets[i] == one.offsets[i + 1] for i, position in enumerate(ruled)
        )


@pytest.mark.slow
def test_interval_values_agree_with_exact_ones() -> None:
    start = level("2048 2x2 spawn=classic\n2 2\n4 0\n").start()
    for goal in ("tile(16)", "tile(32)", "lost", "empty = 0"):
        true = ExactValues([start], proposition.parse_goal(start.level.game, goal), (None,))
        assert true.run(gp.Limit().start())
        found = values(gp.explore(start), goal, gp.Limit().start())
        assert found.error < 1e-12
        for position in true._values:
            known, worth = true.of(position), found.of(position)
            assert known is not None
            assert worth is not None
            for bounds, (value, _) in zip(worth, known, strict=True):
                assert bounds.high - bounds.low < 1e-12
                assert bounds.low - found.error <= value <= bounds.high + found.error


Model = tuple[list[list[list[tuple[int, int]]]], list[bool]]


@st.composite
def decisions(draw: st.DrawFn) -> Model:
    """Draw the actions of each position, the outcomes of each action with weights of sum 4, and the goals."""
    count = draw(st.integers(1, 5))
    places = st.integers(0, count - 1)
    weights = st.sampled_from([(4,), (1, 3), (2, 2), (1, 1, 2)])
    action = weights.flatmap(
        lambda parts: st.tuples(*(st.tuples(places, st.just(part)) for part in parts)).map(list)
    )
    actions = st.lists(action, max_size=2)
    return draw(st.lists(actions, min_size=count, max_size=count)), draw(
        st.lists(st.booleans(), min_size=count, max_size=count)
    )


def graph_of(actions: list[list[list[tuple[int, int]]]]) -> Graph:
    edges = [
        [(target, number, weight) for number, action in enumerate(choices) for target, weight in action]
        for choices in actions
    ]
    offsets = np.cumsum([0, *map(len, edges)]).astype(np.int64)
    flat = np.array([edge for row in edges for edge in row], np.int32).reshape(-1, 3)
    return Graph(offsets, flat[:, 0], flat[:, 1], flat[:, 2].astype(np.uint8), 4, (0, 1, 2))


def solve_exactly(actions: list[list[list[tuple[int, int]]]], goal: list[bool], best: bool) -> list[Fraction]:
    """All choices of one action in each position tried, each solved in fractions."""
    chosen = (
        solve_chain(rows, goal) for rows in itertools.product(*(choices or [[]] for choices in actions))
    )
    return [(max if best else min)(values) for values in zip(*chosen, strict=True)]


def solve_chain(rows: Sequence[list[tuple[int, int]]], goal: list[bool]) -> list[Fraction]:
    """Solve the linear equations of the probabilities where nothing is chosen (Gauss and Jordan)."""
    able = set(itertools.compress(range(len(rows)), goal))
    while more := {i for i, row in enumerate(rows) if i not in able and any(to in able for to, _ in row)}:
        able |= more
    open_ = [i for i in sorted(able) if not goal[i]]
    table = {
        i: [Fraction(i == j) - sum((Fraction(w, 4) for to, w in rows[i] if to == j), Fraction()) for j in open_]
        + [sum((Fraction(w, 4) for to, w in rows[i] if goal[to]), Fraction())]
        for i in open_
    }  # fmt: skip
    for column, i in enumerate(open_):
        pivot = next(j for j in open_[column:] if table[j][column])
        table[pivot], table[i] = table[i], [one / table[pivot][column] for one in table[pivot]]
        for j in open_:
            if j != i and (factor := table[j][column]):
                table[j] = [one - factor * other for one, other in zip(table[j], table[i], strict=True)]
    return [Fraction(1) if goal[i] else table[i][-1] if i in table else Fraction() for i in range(len(rows))]


@given(decisions(), st.booleans())
@examples(30)
@example(([[[(0, 4)], [(1, 2), (2, 2)]], [], []], [False, True, False]), True)
@example(([[[(1, 4)]], [[(0, 4)], [(2, 1), (3, 3)]], [], []], [False, False, True, False]), True)
def test_values_agree_with_brute_force(chosen: Model, best: bool) -> None:
    """Compare values where one can stay for ever without the goal."""
    actions, goal = chosen
    if not any(actions):
        return
    low, high, error = iterate_bounds(Choices(graph_of(actions)), np.array(goal), best, gp.Limit().start())
    assert error < 1e-9
    for true, *bounds in zip(solve_exactly(actions, goal, best), low, high, strict=True):
        assert all(
            abs(Fraction(float(bound)) - true) <= Fraction(error) + Fraction(1, 10**9) for bound in bounds
        )


@given(decisions(), st.booleans(), st.data())
@examples(60)
def test_values_are_bounded_when_space_is_incomplete(chosen: Model, best: bool, data: st.DataObject) -> None:
    actions, goal = chosen
    cut = data.draw(st.lists(st.booleans(), min_size=len(goal), max_size=len(goal)))
    left = [[] if out else choices for choices, out in zip(actions, cut, strict=True)]
    if not any(left):
        return
    found = iterate_bounds(
        Choices(graph_of(left)), np.array(goal), best, gp.Limit().start(), np.array(cut) & ~np.array(goal)
    )
    for low, true, high in zip(found.low, solve_exactly(actions, goal, best), found.high, strict=True):
        assert (
            Fraction(float(low)) - Fraction(found.error)
            <= true
            <= Fraction(float(high)) + Fraction(found.error)
        )


def test_value_with_random_cycles() -> None:
    """The gambler's ruin: from 1 of 3, with even chances, a third."""
    graph = graph_of([[], [[(0, 2), (2, 2)]], [[(1, 2), (3, 2)]], []])
    found = iterate_bounds(Choices(graph), np.array([False, False, False, True]), True, gp.Limit().start())
    assert found.low[1] == pytest.approx(1 / 3, abs=1e-11)
    assert found.high[1] == pytest.approx(1 / 3, abs=1e-11)
    assert found.error < 1e-11


def test_interval_iteration_ends_when_error_stops_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gambler's ruin on a line, and one who may stay away from it for ever."""
    line = [[[(place - 1, 2), (place + 1, 2)]] for place in range(1, 10)]
    graph, meter, looks = graph_of([[], *line, [], [[(11, 4)], [(1, 4)]]]), gp.Limit().start(), []
    monkeypatch.setattr(type(meter), "is_interrupted", lambda _: looks.append(1))
    found = iterate_bounds(Choices(graph), np.array([False] * 10 + [True, False]), True, meter)
    assert found.low[[1, 11]] == pytest.approx([1 / 10] * 2, abs=1e-11)
    assert found.error < 1e-11
    assert len(looks) < 680  # until nothing moves at all it takes 697


class Bounds:
    """The same bounds of the best and of the worst value everywhere."""

    complete, unknown = False, Interval(0, 1)

    def __init__(self, best: Interval, worst: Interval) -> None:
        self._bounds = best, worst

    def of(self, position: object) -> tuple[Interval, Interval]:
        return self._bounds


def test_closer_bounds_of_both_values_are_kept() -> None:
    close, wide = Bounds(Interval(0, 0.5), Interval(0, 0.5)), Bounds(Interval(0, 0.25), Interval(0, 1))
    start = gp.read("2048 2x2 spawn=spec target=16\n")[0].start(1)
    widths = [value_engines._width(found, [start, start]) for found in (close, wide)]  # type: ignore[arg-type]  # what is used of values
    assert widths == [1.0, 1.25]
