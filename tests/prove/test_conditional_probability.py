"""Probabilities with a condition, `P=? [F p || F q]`: slow twins in fractions, games by their rules, refusals."""

from __future__ import annotations

import functools
import itertools
import math
import random
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.prove.processes import RandomProcess, chain_probabilities, draw_process

import gridproof as gp
from gridproof.core.proposition import parse_goal
from gridproof.prove.conditional_probability import RestartGraph, find_bounds, find_fate
from gridproof.prove.decision_process import Until
from gridproof.prove.logic import logic_of
from gridproof.prove.parsing import parse
from gridproof.prove.value import weighted_starts

MOST_STRATEGIES = 600
FEW, MANY = 150, 1500
SEEDS = (pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow))


class Event(NamedTuple):
    """Where `hold` and `reach` of an event hold."""

    hold: list[bool]
    reach: list[bool]

    @property
    def until(self) -> Until:
        return Until(np.array(self.hold), np.array(self.reach))

    def after(self, before: bool | None, number: int) -> bool | None:
        """Whether it has come true after a position; None while that is open."""
        if before is not None:
            return before
        return True if self.reach[number] else None if self.hold[number] else False


def draw_events(seed: int, count: int) -> tuple[Event, Event]:
    choose = random.Random(-seed)
    found = [
        Event(*([choose.random() < chance for _ in range(count)] for chance in (0.85, 0.3))) for _ in range(2)
    ]
    return found[0], found[1]


def ratios(process: RandomProcess, event: Event, condition: Event, start: int) -> set[Fraction] | None:
    """The conditional probabilities of all ways to act that look at what has come true; None when there are too many."""
    states = [(start, event.after(None, start), condition.after(None, start))]
    options: list[list[Any]] = []
    for number, came, given in states:  # it grows meanwhile
        mine: list[Any] = []
        for choice in process.choices[number]:
            after = [(to, event.after(came, to), condition.after(given, to)) for to, _ in choice]
            states += [one for one in dict.fromkeys(after) if one not in states]
            mine.append([(states.index(one), weight) for one, (_, weight) in zip(after, choice, strict=True)])
        options.append(mine or [None])
    if math.prod(map(len, options)) > MOST_STRATEGIES:
        return None
    both, given_alone = [
        [bool(came and given) for _, came, given in states],
        [bool(one) for *_, one in states],
    ]
    found = set()
    for rows in itertools.product(*options):
        part, whole = (chain_probabilities(rows, goal)[0] for goal in (both, given_alone))
        found |= {part / whole} if whole else set()
    return found


@pytest.mark.parametrize("count", SEEDS)
def test_conditional_probability_agrees_with_all_strategies(count: int) -> None:
    kinds: set[tuple[bool, bool]] = set()
    for seed in range(count):
        process = draw_process(seed)
        size = len(process.choices)
        event, condition = draw_events(seed, size)
        true = ratios(process, event, condition, 0)
        if true is None:
            continue
        for best in (True, False):
            cut = np.zeros(size, bool)
            came, given = (find_fate(process.graph, cut, one.until) for one in (event, condition))
            graph = RestartGraph(process.graph, cut, [(Fraction(1), 0)], came, given, best)
            assert bool(given.missed[0]) is not bool(true), seed
            if true:
                bounds = find_bounds(graph, gp.Limit().start())
                value = max(true) if best else 1 - min(true)
                assert bounds.low <= value <= bounds.high, (seed, best, bounds, value)
                assert float(bounds.high - bounds.low) <= 1e-9, (seed, best, bounds, value)
                kinds.add((bounds.low == bounds.high, 0 < value < 1))
    assert kinds == {(True, True), (True, False), (False, True)}  # 0 and 1 are exact always


@pytest.mark.parametrize("count", SEEDS)
def test_bounds_hold_where_a_part_is_unknown(count: int) -> None:
    compared = 0
    for seed in range(count):
        process = draw_process(seed)
        size, choose = len(process.choices), random.Random(seed)
        event, condition = draw_events(seed, size)
        true = ratios(process, event, condition, 0)
        if not true:
            continue
        cut = [choose.random() < 0.3 for _ in range(size)]
        known = RandomProcess(
            [[] if hidden else mine for mine, hidden in zip(process.choices, cut, strict=True)],
            process.costs, process.hold, process.reach,
        )  # fmt: skip
        for best in (True, False):
            came, given = (find_fate(known.graph, np.array(cut), one.until) for one in (event, condition))
            graph = RestartGraph(known.graph, np.array(cut), [(Fraction(1), 0)], came, given, best)
            bounds = find_bounds(graph, gp.Limit().start())
            value = max(true) if best else 1 - min(true)
            assert not given.missed[0]
            assert bounds.low <= value <= bounds.high, (seed, best, bounds, value)
            compared += 1
    assert compared > count // 2


BOARDS = {
    "2x2": "2048 2x2 spawn=classic target=16\n",
    "spec": "2048 2x2 spawn=spec target=8\n",
    "position": "2048 2x2 spawn=classic target=16\n2 2\n4 0\n",
}


def surplus(level: gp.Level, event: Any, condition: Any, ratio: Fraction) -> Fraction:
    """The greatest P(event and condition) - ratio P(condition), by the rules; 0 if the ratio is the greatest."""

    @functools.cache
    def best(position: Any, came: bool, given: bool) -> Fraction:
        came, given = came or event(position), given or condition(position)
        if came and given:
            return 1 - ratio
        means = (
            sum(
                (one.probability * best(one.position, came, given) for one in position.outcomes(action)),
                Fraction(),
            )
            for action in position.actions()
        )
        return max(means, default=-ratio if given else Fraction())

    return sum((chance * best(start, False, False) for chance, start in weighted_starts(level)), Fraction())


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("event", "condition"), [("tile(8)", "lost"), ("tile(16)", "tile(8)"), ("max_tile = 4", "max_tile = 8")]
)
def test_greatest_conditional_probability_leaves_no_surplus(board: str, event: str, condition: str) -> None:
    (level,) = gp.read(BOARDS[board])
    bounds = gp.value(level, f"P=? [F {event} || F {condition}]").best_bounds
    goals = [parse_goal(level.game, text) for text in (event, condition)]
    assert surplus(level, goals[0], goals[1], Fraction(bounds.low)) >= 0
    assert surplus(level, goals[0], goals[1], Fraction(bounds.high)) <= 0
    assert bounds.error < 1e-9


def test_least_and_opposite_probabilities_belong_together() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    reached, missed = (gp.value(level, f"P=? [{path} || F lost]") for path in ("F tile(16)", "G !tile(16)"))
    for one, other in (
        (reached.best_bounds, missed.worst_bounds),
        (reached.worst_bounds, missed.best_bounds),
    ):
        assert float(one.middle + other.middle) == pytest.approx(1)
    assert gp.value(level, "Pmax=? [F tile(16) || F lost]").best == reached.best


def test_condition_that_always_comes_true_changes_nothing() -> None:
    (level,) = gp.read(BOARDS["spec"])
    plain, given = (gp.value(level, f"P=? [F tile(8){end}]") for end in ("", " || F ended"))
    assert float(given.best) == pytest.approx(float(plain.best))
    assert float(given.worst) == pytest.approx(float(plain.worst))


def test_conditional_comparison_is_checked() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    assert gp.check(level, "P>0 [F tile(8) || F tile(16)]").holds
    assert gp.check(level, "P<0.97 [F tile(16) || F tile(8)]").holds
    assert gp.check(level, "P<0.96 [F tile(16) || F tile(8)]").holds is False
    assert gp.check(gp.explore(level), "P<0.97 [F tile(16) || F tile(8)]").holds


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
        "P=? [F won || G won]",
        "P=? [F won || X won]",
        "P=? [X won || F won]",
        "P=? [F<=3 won || F won]",
        "P=? [F won || F<=3 won]",
        "P=? [F won || F won || F won]",
        "P=? [(F won || F lost) & won]",
        'R{"actions"}=? [F won || F lost]',
        "<<a>> P>=0.5 [F won || F lost]",
        "F won || F lost",
        "P=? [won || F lost]",
    ],
)
def test_conditions_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(gp.GridproofError, match=r"\|\||cannot stand|temporal operator"):
        logic_of(parse(text))


def test_refusal_names_the_whole_question() -> None:
    with pytest.raises(gp.GridproofError, match=r"^'P=\? \[won \|\| F lost\]': .* left of \|\| stands F"):
        gp.value("twenty48/standard/4", "P=? [won || F lost]")


def test_impossible_condition_is_refused() -> None:
    (level,) = gp.read(BOARDS["2x2"])
    with pytest.raises(
        gp.GridproofError, match=r"^the condition F tile\(1024\) has probability 0, whatever is done$"
    ):
        gp.value(level, "P=? [F won || F tile(1024)]")


def test_conditional_value_has_no_strategy_and_no_value_elsewhere() -> None:
    (level,) = gp.read(BOARDS["position"])
    found = gp.value(level, "P=? [F tile(16) || F tile(8)]")
    reason = "^a probability with a condition has values at the start only$"
    with pytest.raises(gp.GridproofError, match=reason):
        found.at(next(iter(level.starts())).position)
    with pytest.raises(gp.GridproofError, match=reason):
        _ = found.strategy
