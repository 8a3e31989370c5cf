"""Probabilities with a condition, `P=? [F p || F q]`: slow twins in fractions, games by their rules, refusals."""

from __future__ import annotations

import functools
import itertools
import math
import random
import re
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.prove.processes import WHOLE, RandomProcess, chain_probabilities, draw_process

import gridproof as gp
from gridproof.core.proposition import parse_goal
from gridproof.prove.conditional_probability import (
    RestartGraph,
    find_bounds,
    find_fate,
    find_fate_of_condition,
    unfold_event,
    unfold_graph,
)
from gridproof.prove.decision_process import Until
from gridproof.prove.logic import logic_of
from gridproof.prove.parsing import parse
from gridproof.prove.value_engines import weighted_starts

MOST_STRATEGIES = 600
FEW, MANY = 150, 1500
SEEDS = (pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow))


class Event(NamedTuple):
    """Where `hold` and `reach` of an event hold, and its bound; `negated` if it is the opposite that is meant."""

    hold: list[bool]
    reach: list[bool]
    steps: int | None = None
    exactly: bool = False
    negated: bool = False

    @property
    def until(self) -> Until:
        return Until(np.array(self.hold), np.array(self.reach), self.steps, self.exactly)

    def after(self, before: bool | None, number: int, actions: int) -> bool | None:
        """Whether it has come true in a position after so many actions; None while that is open."""
        if before is not None:
            return before
        is_last = actions == self.steps
        if self.reach[number] and (is_last or not self.exactly):
            return True
        return False if is_last or not self.hold[number] else None


BOUNDS = ((None, False), (None, False), (0, False), (1, False), (2, False), (1, True), (2, True))


def draw_events(seed: int, count: int) -> tuple[Event, Event]:
    """An event and a condition; in half of the draws they have no bounds, and the condition may be negated."""
    choose = random.Random(-seed)
    sides = [[[choose.random() < one for _ in range(count)] for one in (0.85, 0.3)] for _ in range(2)]
    bounds = [choose.choice(BOUNDS) if seed % 2 else BOUNDS[0] for _ in range(2)]
    event, condition = (
        Event(hold, reach, *bound) for (hold, reach), bound in zip(sides, bounds, strict=True)
    )
    return event, condition._replace(negated=seed % 3 == 0)


def ratios(process: RandomProcess, event: Event, condition: Event, start: int) -> set[Fraction] | None:
    """The conditional probabilities of all ways to act that look at what has come true; None when there are too many."""
    steps = max(event.steps or 0, condition.steps or 0)
    states = [(start, event.after(None, start, 0), condition.after(None, start, 0), 0)]
    options: list[list[Any]] = []
    for number, came, given, actions in states:  # it grows meanwhile
        mine: list[Any] = []
        later = min(actions + 1, steps)
        waits = [[(number, WHOLE)]] if actions < steps else []  # what has no action is followed by itself
        for choice in process.choices[number] or waits:
            after = [
                (to, event.after(came, to, later), condition.after(given, to, later), later)
                for to, _ in choice
            ]
            states += [one for one in dict.fromkeys(after) if one not in states]
            mine.append([(states.index(one), weight) for one, (_, weight) in zip(after, choice, strict=True)])
        options.append(mine or [None])
    if math.prod(map(len, options)) > MOST_STRATEGIES:
        return None
    each = ([bool(came) for _, came, _, _ in states], [bool(given) for _, _, given, _ in states])
    both = [one and other for one, other in zip(*each, strict=True)]
    found = set()
    for rows in itertools.product(*options):
        first, second, part = (chain_probabilities(rows, goal)[0] for goal in (*each, both))
        if condition.negated:
            part, second = first - part, 1 - second
        found |= {part / second} if second else set()
    return found


def restart_graph(
    process: RandomProcess, cut: list[bool], events: tuple[Event, Event], best: bool
) -> tuple[RestartGraph, bool]:
    """The graph, and whether the condition is impossible."""
    event, condition = events
    steps = max(event.steps or 0, condition.steps or 0)
    graph, hidden = unfold_graph(process.graph, np.array(cut), steps), np.tile(cut, steps + 1)
    came = find_fate(graph, hidden, unfold_event(event.until, steps))
    given = find_fate_of_condition(graph, hidden, unfold_event(condition.until, steps), condition.negated)
    return RestartGraph(graph, hidden, [(Fraction(1), 0)], came, given, best), bool(given.missed[0])


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_conditional_probability_agrees_with_all_strategies(count: int) -> None:
    kinds: set[tuple[bool, bool]] = set()
    compared = set()
    for seed in range(count):
        process = draw_process(seed)
        size = len(process.choices)
        events = draw_events(seed, size)
        true = ratios(process, *events, 0)
        if true is None:
            continue
        for best in (True, False):
            graph, is_impossible = restart_graph(process, [False] * size, events, best)
            assert is_impossible is not bool(true), seed
            if true:
                bounds = find_bounds(graph, gp.Limit().start())
                value = max(true) if best else 1 - min(true)
                assert bounds.low <= value <= bounds.high, (seed, best, bounds, value)
                assert float(bounds.high - bounds.low) <= 1e-9, (seed, best, bounds, value)
                kinds.add((bounds.low == bounds.high, 0 < value < 1))
                compared.add((*(one.steps is not None for one in events), events[1].negated, len(true) > 1))
    assert kinds == {(True, True), (True, False), (False, True)}  # 0 and 1 are exact always
    assert len(compared) >= (15 if count == MANY else 10)


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_bounds_hold_where_a_part_is_unknown(count: int) -> None:
    compared = 0
    for seed in range(count):
        process = draw_process(seed)
        size, choose = len(process.choices), random.Random(seed)
        events = draw_events(seed, size)
        true = ratios(process, *events, 0)
        if not true:
            continue
        cut = [choose.random() < 0.3 for _ in range(size)]
        known = RandomProcess(
            [[] if hidden else mine for mine, hidden in zip(process.choices, cut, strict=True)],
            process.costs, process.hold, process.reach,
        )  # fmt: skip
        for best in (True, False):
            graph, is_impossible = restart_graph(known, cut, events, best)
            bounds = find_bounds(graph, gp.Limit().start())
            value = max(true) if best else 1 - min(true)
            assert not is_impossible
            assert bounds.low <= value <= bounds.high, (seed, best, bounds, value)
            compared += 1
    assert compared > count // 2


BOARDS = {
    "2x2": "2048 2x2 spawn=classic target=16\n",
    "spec": "2048 2x2 spawn=spec target=8\n",
    "position": "2048 2x2 spawn=classic target=16\n2 2\n4 0\n",
}


def surplus(level: gp.Level, paths: tuple[str, str], ratio: Fraction) -> Fraction:
    """The greatest P(event and condition) - ratio P(condition), by the rules; 0 if the ratio is the greatest.

    Paths are `F p`, `F<=k p` and `G !p`, on boards that cannot be played for ever.
    """
    goals = [parse_goal(level.game, re.split("F |G !|F<=. ", one)[1]) for one in paths]
    bounds = [int(one[3]) if one.startswith("F<=") else math.inf for one in paths]
    negated = [one.startswith("G") for one in paths]

    @functools.cache
    def best(position: Any, before: tuple[bool, ...], actions: int) -> Fraction:
        came = tuple(
            one or (goal(position) and actions <= bound)
            for one, goal, bound in zip(before, goals, bounds, strict=True)
        )
        event, given = (one is not opposite for one, opposite in zip(came, negated, strict=True))
        means = (
            sum(
                (
                    one.probability * best(one.position, came, actions + 1)
                    for one in position.outcomes(action)
                ),
                Fraction(),
            )
            for action in position.actions()
        )
        return max(means, default=(event - ratio) * given)

    starts = weighted_starts(level)
    return sum((chance * best(start, (False, False), 0) for chance, start in starts), Fraction())


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("event", "condition"),
    [
        ("F tile(8)", "F lost"),
        ("F tile(16)", "F tile(8)"),
        ("F max_tile = 4", "F max_tile = 8"),
        ("F<=4 tile(8)", "F max_tile = 4"),
        ("F tile(8)", "F<=3 max_tile = 4"),
        ("F<=5 tile(8)", "F<=3 max_tile = 4"),
        ("F max_tile = 4", "G !tile(16)"),
        ("F<=5 tile(8)", "G !tile(16)"),
        ("G !max_tile = 4", "G !tile(16)"),
    ],
)
def test_greatest_conditional_probability_leaves_no_surplus(board: str, event: str, condition: str) -> None:
    (level,) = gp.read(BOARDS[board])
    bounds = gp.value(level, f"P=? [{event} || {condition}]").best_bounds
    assert surplus(level, (event, condition), Fraction(bounds.low)) >= 0
    assert surplus(level, (event, condition), Fraction(bounds.high)) <= 0
    assert bounds.error < 1e-9


@pytest.mark.slow
def test_least_and_opposite_probabilities_belong_together() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    reached, missed = (gp.value(level, f"P=? [{path} || F lost]") for path in ("F tile(16)", "G !tile(16)"))
    for one, other in (
        (reached.best_bounds, missed.worst_bounds),
        (reached.worst_bounds, missed.best_bounds),
    ):
        assert float(one.middle + other.middle) == pytest.approx(1)
    assert gp.value(level, "Pmax=? [F tile(16) || F lost]").best == reached.best


@pytest.mark.slow
def test_condition_that_always_comes_true_changes_nothing() -> None:
    (level,) = gp.read(BOARDS["spec"])
    plain, given = (gp.value(level, f"P=? [F tile(8){end}]") for end in ("", " || F ended"))
    assert float(given.best) == pytest.approx(float(plain.best))
    assert float(given.worst) == pytest.approx(float(plain.worst))


@pytest.mark.slow
def test_conditional_comparison_is_checked() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    assert gp.check(level, "P>0 [F tile(8) || F tile(16)]").holds
    assert gp.check(level, "P<0.97 [F tile(16) || F tile(8)]").holds
    assert gp.check(level, "P<0.96 [F tile(16) || F tile(8)]").holds is False
    assert gp.check(gp.explore(level), "P<0.97 [F tile(16) || F tile(8)]").holds


@pytest.mark.slow
def test_conditional_probability_has_bounds_at_a_limit() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    true = gp.value(level, "P=? [F tile(16) || F tile(8)]")
    for states in (1, 30, 200):
        found = gp.value(level, "P=? [F tile(16) || F tile(8)]", limit=gp.Limit(states=states))
        assert (found.stopped_by, found.converged) == ("states", False)
        assert (
            found.best_bounds.low <= true.best_bounds.low <= true.best_bounds.high <= found.best_bounds.high
        )
        assert found.worst_bounds.low <= true.worst_bounds.low <= found.worst_bounds.high


def test_conditional_question_is_written_as_it_is_read() -> None:
    for text in ("P=? [F won || F lost]", "Pmin=? [(p | q) U r || F (p & q)]", "P>=0.5 [G p || p U q]"):
        formula = parse(text)
        assert str(formula) == text
        assert parse(str(formula)) == formula
        assert logic_of(formula).value == "PCTL"


@pytest.mark.parametrize(
    "text",
    [
        "P=? [F won || X<=3 won]",
        "P=? [F won || F F won]",
        "P=? [F won || F won || F won]",
        "P=? [(F won || F lost) & won]",
        'R{"actions"}=? [F won || F lost]',
        "<<a>> P>=0.5 [F won || F lost]",
        "F won || F lost",
        "P=? [won || F lost]",
    ],
)
def test_conditions_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(gp.GridproofError, match=r"\|\||cannot stand|temporal operator|X takes one action"):
        logic_of(parse(text))


def test_refusal_names_the_whole_question() -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^'P=\? \[won \|\| F lost\]': .* on both sides of \|\| stands X"
    ):
        gp.value("twenty48/standard/4", "P=? [won || F lost]")


def test_impossible_condition_is_refused() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    with pytest.raises(
        gp.GridproofError, match=r"^the condition F tile\(1024\) has probability 0, whatever is done$"
    ):
        gp.value(level, "P=? [F won || F tile(1024)]")


def test_conditional_value_is_about_the_start() -> None:
    (level,) = gp.read(BOARDS["position"])
    found = gp.value(level, "P=? [F tile(16) || F tile(8)]")
    reason = "^a probability with a condition has values at the start only$"
    with pytest.raises(gp.GridproofError, match=reason):
        found.at(next(iter(level.starts())).position)
