"""Probabilities and points: exact, by a game's own engine, and by intervals on graphs; all engines alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.work import examples

import gridproof as gp
from gridproof.core import proposition
from gridproof.prove import exact
from gridproof.prove.exact import ExactValues
from gridproof.prove.iterated import Choices, _bounded, values
from gridproof.search.graph import Graph


def level(text: str) -> gp.Level:
    (found,) = gp.read(text)
    return found


CLASSIC = "2048 2x2 spawn=classic target=16\n"


def test_the_smallest_board_is_known_in_fractions() -> None:
    won = gp.value(level(CLASSIC))
    assert won.best == Fraction(770009003, 800000000)
    assert (won.worst, won.error, won.engine) == (0, 0, "rules, exactly")
    points = gp.value(level(CLASSIC), "score")
    assert isinstance(points.best, Fraction)
    assert float(points.best) == pytest.approx(66.964149457, abs=1e-9)


def test_always_a_two() -> None:
    spec = level("2048 2x2 spawn=spec target=16\n")
    assert (gp.value(spec).best, gp.value(spec, "tile(32)").best) == (1, 0)


@pytest.mark.parametrize(
    "text", ["2048 2x2\n2 2\n4 0\n", "2048 2x3 spawn=classic target=64\n2 32\n4 2\n16 8\n"]
)
@pytest.mark.parametrize("goal", ["tile(16)", "tile(64)", "score"])
def test_every_position_and_action_has_a_value(text: str, goal: str) -> None:
    start = level(text).start()
    found = gp.value(start, goal)
    worth = found.at(start)
    assert (worth.best, worth.worst) == (found.best, found.worst)
    if worth.actions:
        assert worth.actions.keys() == set(start.actions())
        assert worth.actions[worth.action] == pytest.approx(float(worth.best), abs=1e-12)
        for outcome in start.outcomes(worth.action):
            assert found.at(outcome.position).best >= found.at(outcome.position).worst
    with pytest.raises(gp.GridproofError, match="not reached"):
        found.at(level("2048 2x2\n2 2\n0 0\n").start())
    with pytest.raises(gp.GridproofError, match="not reached"):
        found.at(None)  # type: ignore[arg-type]  # what is tried


def test_where_the_goal_holds_no_action_counts() -> None:
    start = level("2048 2x2\n16 2\n4 2\n").start()
    found = gp.value(start, "tile(16)")
    assert (found.best, found.at(start).actions, found.at(start).action) == (1, {}, None)


def test_games_without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST", 5)
    for text, best, worst in (
        ("######\n#@$ .#\n######\n", 1, 0),
        ("#####\n#@$.#\n#####\n", 1, 1),
        ("#####\n#$@.#\n#   #\n#####\n", 0, 0),
    ):
        found = gp.value(level(text))
        assert (found.best, found.worst, found.error) == (best, worst, 0), text


def test_what_cannot_be_asked() -> None:
    sokoban = level("#####\n#@$.#\n#####\n")
    for goal, told in (
        ("score", "keeps no score"),
        ("never", "no proposition"),
        ("at(9,9)", "at"),
        ("bombs", "bombs"),
    ):
        with pytest.raises(gp.GridproofError, match=told):
            gp.value(sokoban, goal)
    with pytest.raises(gp.GridproofError):
        gp.value(sokoban, actors="nobody")
    with pytest.raises(gp.GridproofError):
        gp.value(3)  # type: ignore[arg-type]  # what is tried


@pytest.mark.parametrize(
    "text", [CLASSIC, "2048 2x3\n", "##########\n#@       #\n# $  $   #\n#    ..  #\n##########\n"]
)
def test_limits_are_answers(text: str) -> None:
    found = gp.value(level(text), limit=gp.Limit(states=40))
    assert (found.best, found.worst, found.stopped_by) == (None, None, "states")
    with pytest.raises(gp.GridproofError, match="limit"):
        found.at(level(text).start())


def test_the_graph_says_what_fractions_say() -> None:
    start = level("2048 2x2 spawn=classic\n2 2\n4 0\n").start()
    for goal in ("tile(16)", "tile(32)", "lost", "empty = 0"):
        true = ExactValues([start], proposition.goal(start.level.game, goal), (None,))
        assert true.run(gp.Limit().start())
        found = values(gp.explore(start), goal, gp.Limit().start())
        assert found is not None
        assert found.error < 1e-12
        for position in true._worth:
            known, worth = true.of(position), found.of(position)
            assert known is not None
            assert worth is not None
            assert all(abs(Fraction(a) - b) <= found.error for a, b in zip(worth, known, strict=True))


Model = tuple[list[list[list[tuple[int, int]]]], list[bool]]


@st.composite
def decisions(draw: st.DrawFn) -> Model:
    """Of each position its actions, of each action what it may lead to, with weights of sum 4; and the goals."""
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


def solved(actions: list[list[list[tuple[int, int]]]], goal: list[bool], best: bool) -> list[Fraction]:
    """All choices of one action in each position tried, each solved in fractions."""
    chosen = (reached_by(rows, goal) for rows in itertools.product(*(choices or [[]] for choices in actions)))
    return [(max if best else min)(values) for values in zip(*chosen, strict=True)]


def reached_by(rows: Sequence[list[tuple[int, int]]], goal: list[bool]) -> list[Fraction]:
    """How likely the goals are where nothing is chosen: the linear equations, eliminated (Gauss and Jordan)."""
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
def test_values_are_those_of_the_best_and_the_worst_of_all_choices(chosen: Model, best: bool) -> None:
    """Also where one can stay for ever without the goal."""
    actions, goal = chosen
    if not any(actions):
        return
    found = _bounded(Choices(graph_of(actions)), np.array(goal), best, gp.Limit().start())
    assert found is not None
    low, error = found
    assert error < 1e-9
    for true, bound in zip(solved(actions, goal, best), low, strict=True):
        assert abs(Fraction(float(bound)) - true) <= Fraction(error)


def test_going_back_and_forth_with_chance() -> None:
    """The gambler's ruin: from 1 of 3, with even chances, a third."""
    graph = graph_of([[], [[(0, 2), (2, 2)]], [[(1, 2), (3, 2)]], []])
    found = _bounded(Choices(graph), np.array([False, False, False, True]), True, gp.Limit().start())
    assert found is not None
    assert found[0][1] == pytest.approx(1 / 3, abs=1e-11)
    assert found[1] < 1e-11


def test_it_ends_when_the_proved_error_no_longer_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gambler's ruin on a line, and one who may stay away from it for ever."""
    line = [[[(place - 1, 2), (place + 1, 2)]] for place in range(1, 10)]
    graph, meter, looks = graph_of([[], *line, [], [[(11, 4)], [(1, 4)]]]), gp.Limit().start(), []
    monkeypatch.setattr(type(meter), "reached", lambda _, states: looks.append(states))
    found = _bounded(Choices(graph), np.array([False] * 10 + [True, False]), True, meter)
    assert found is not None
    assert found[0][[1, 11]] == pytest.approx([1 / 10] * 2, abs=1e-11)
    assert found[1] < 1e-11
    assert len(looks) < 680  # until nothing moves at all it takes 697
