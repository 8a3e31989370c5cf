"""What coalitions can force with some probability: against the definitions, by the rules, on random levels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.prove import processes
from tests.prove.test_quantity import SEEDS, assert_contains, decision_process, processes_of
from tests.prove.test_quantity_certificates import ATOMS
from tests.prove.twins import Played, small_level
from tests.stops import CountedStop

import gridproof as gp
from gridproof.core import proposition
from gridproof.core.limit import Stopped
from gridproof.core.measure import measures
from gridproof.prove import step_bounds
from gridproof.prove.decision_process import Until
from gridproof.prove.quantity_solver import SideBounds
from gridproof.prove.stochastic_game import StochasticGame

CLASSIC = "2048 2x2 spawn=classic target=16\n"
Test = Callable[[Any], bool]
PATHS = (
    "X",
    "F",
    "G",
    "U",
    "W",
    "R",
    "F<={0}",
    "G<={0}",
    "U<={0}",
    "W<={0}",
    "R<={0}",
    "F={0}",
    "F<{0}",
    "G F",
    "F G",
)
_SWEEPS = 2000


class Twin:
    """The value of a path in the game of turns, by the definition of its operator.

    A path ends with 1 or 0 where it is decided, and with `rest` where its steps are over.
    """

    def __init__(self, level: Any, names: tuple[str, ...], wants_more: bool, operator: str, left: Test, right: Test) -> None:  # fmt: skip
        self.order = [one for one in level.game.actors(level) if one != "nature"]
        self._best = [max if (one in names) is wants_more else min for one in self.order]
        self._operator, self._left, self._right = operator, left, right

    def decided(self, position: Any, may_end: bool) -> int | None:
        left, right = self._left(position), self._right(position)
        match self._operator:
            case "F" if right and may_end:
                return 1
            case "G" if not right:
                return 0
            case "U":
                return 1 if right and may_end else None if left else 0
            case "W":
                return 1 if right else None if left else 0
            case "R":
                return 0 if not right else 1 if left else None
        return None

    def bounded(self, position: Any, steps: int, exactly: bool) -> Fraction:
        """The value within some turns, or after exactly as many."""
        known: dict[tuple[Any, int, int], Fraction] = {}

        def value(position: Any, place: int, left: int) -> Fraction:
            key = position, place, left
            if key not in known:
                ends = self.decided(position, not exactly or not left)
                if ends is None and not left:
                    ends = int(self._operator in "GWR")
                known[key] = (
                    self._choose(position, place, lambda one, to: value(one, to, left - 1)) if ends is None else Fraction(ends)
                )  # fmt: skip
            return known[key]

        return value(position, 0, steps)

    def _choose(self, position: Any, place: int, value: Callable[[Any, int], Any]) -> Any:
        after = (place + 1) % len(self.order)
        means = [value(position, after)]
        means += [
            sum(one.probability * value(one.position, after) for one in position.outcomes(action))
            for action in position.actions(self.order[place])
        ]
        return self._best[place](means)

    def unbounded(self, positions: list[Any]) -> dict[Any, float]:
        """The values at the first turn: the equations, iterated from 0, or from 1 for what may last for ever."""
        rest = float(self._operator in "GWR")
        found = {(one, place): rest for one in positions for place in range(len(self.order))}
        for _ in range(_SWEEPS):
            before, found = found, {
                (one, place): self._after(one, place, found) for one, place in found
            }  # fmt: skip
            if all(abs(found[one] - before[one]) < 1e-13 for one in found):
                break
        return {one: found[one, 0] for one in positions}

    def recurrent(self, positions: list[Any], lasts: bool) -> dict[Any, float]:
        """The values of what comes again and again, or `lasts` from some point on: nested fixpoints of their equations.

        L. de Alfaro and R. Majumdar, "Quantitative solution of omega-regular games" (2004).
        """
        turns = [(one, place) for one in positions for place in range(len(self.order))]
        outer = dict.fromkeys(turns, 1.0 - lasts)
        while True:
            inner = self._inner_fixpoint(outer, lasts)
            if all(abs(inner[one] - outer[one]) < 1e-12 for one in turns):
                return {one: inner[one, 0] for one in positions}
            outer = inner

    def _inner_fixpoint(self, outer: dict[Any, float], lasts: bool) -> dict[Any, float]:
        found = dict.fromkeys(outer, float(lasts))
        while True:
            before = found
            found = {
                turn: self._before(turn, before if self._right(turn[0]) is lasts else outer)
                for turn in before
            }
            if all(abs(found[one] - before[one]) < 1e-13 for one in found):
                return found

    def _before(self, turn: tuple[Any, int], values: dict[Any, float]) -> float:
        return float(self._choose(*turn, lambda one, to: values[one, to]))

    def _after(self, position: Any, place: int, found: dict[tuple[Any, int], float]) -> float:
        ends = self.decided(position, True)
        if ends is not None:
            return float(ends)
        return self._before((position, place), found)


class BadLuckTwin(Twin):
    """Whether the coalition forces a path with the worst luck, as the number 1 or 0."""

    def _choose(self, position: Any, place: int, value: Callable[[Any, int], Any]) -> Any:
        after = (place + 1) % len(self.order)
        worst = [value(position, after)]
        worst += [
            min(value(one.position, after) for one in position.outcomes(action))
            for action in position.actions(self.order[place])
        ]
        return self._best[place](worst)


@dataclass(frozen=True)
class Counted:
    """A position and what was spent on the way to it, at most `cap`."""

    inner: Any
    measure: Any
    cap: int
    spent: int = 0

    def actions(self, player: str) -> Any:
        return self.inner.actions(player)

    def outcomes(self, action: Any) -> list[Any]:
        return [
            one._replace(
                position=replace(
                    self,
                    inner=one.position,
                    spent=min(self.spent + self.measure.cost(self.inner, action, one), self.cap),
                )
            )
            for one in self.inner.outcomes(action)
        ]

    def reachable(self, players: list[str]) -> list[Counted]:
        found = [self]
        known = {self}
        for one in found:
            for action in (action for player in players for action in one.actions(player)):
                new = [after.position for after in one.outcomes(action) if after.position not in known]
                known.update(new)
                found += dict.fromkeys(new)
        return found


def check_costs(seed: int) -> None:
    """Compare a formula with costs with the definitions."""
    random = Random(seed)
    level: Any = Played(small_level(random)).positions[0].level
    start = next(iter(Played(level).positions))
    names = [one for one in level.game.actors(level) if one != "nature"]
    coalition = tuple(random.sample(names, random.randint(0, len(names))))
    (left, left_test), (right, right_test) = (_draw_atom(random, level) for _ in range(2))
    name, most = random.choice([*measures(level.game)]), random.randint(0, 3)
    paid, operator = f"cost({name}) <= {most}", random.choice("FGUWR")
    whole = f"(({right}) & {paid})" if random.random() < 0.5 else f"(({right}) | !{paid})"
    text = f"{operator} {whole}" if operator in "FG" else f"[({left}) {operator} {whole}]"

    def reach(one: Counted) -> bool:
        return (
            right_test(one.inner) and one.spent <= most
            if "&" in whole
            else right_test(one.inner) or one.spent > most
        )

    has_luck = random.random() < 0.5
    twin = (Twin if has_luck else BadLuckTwin)(
        level, coalition, True, operator, lambda one: left_test(one.inner), reach
    )
    counted = Counted(start, measures(level.game)[name], most + 1)
    true = twin.unbounded(counted.reachable(names))[counted]
    if has_luck:
        bounds = gp.value(start, f"<<{','.join(coalition)}>> P=? [{text.strip('[]')}]").best_bounds
        assert bounds.low - 1e-6 <= true <= bounds.high + 1e-6, (seed, text)
        return
    verdict = gp.check(start, f"<<{','.join(coalition)}>> {text}")
    assert verdict.holds is (true == 1), (seed, text)
    if verdict.strategy:
        verdict.strategy.verify()


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(50, id="few"), pytest.param(1500, id="many", marks=pytest.mark.long)]
)
def test_coalitions_force_costs_as_definitions_say(count: int) -> None:
    """Compare formulas with costs, with and without probabilities, with the definitions."""
    for seed in range(count):
        check_costs(seed)


def draw_question(random: Random, level: Any) -> tuple[str, Callable[[list[Any], list[Any]], list[float]]]:
    """Draw a question about a level, and its slow answer at some positions."""
    names = [one for one in level.game.actors(level) if one != "nature"]
    coalition = tuple(random.sample(names, random.randint(0, len(names))))
    (left, left_test), (right, right_test) = (_draw_atom(random, level) for _ in range(2))
    path, steps = random.choice(PATHS), random.randint(1, 5)
    operator, exactly, side = path[0], "=" in path[:2] or path == "X", random.choice(("", "min"))
    text = (
        f"{path.format(steps)} ({right})" if operator in "XFG" else f"({left}) {path.format(steps)} ({right})"
    )
    if operator == "X":
        operator, steps = "F", 1
    elif path == "F<{0}":
        steps -= 1
    twin = Twin(level, coalition, not side, operator, left_test, right_test)

    def answers(starts: list[Any], positions: list[Any]) -> list[float]:
        if " " in path:
            values = twin.recurrent(positions, path == "F G")
            return [values[one] for one in starts]
        if len(path) == 1 and path != "X":
            values = twin.unbounded(positions)
            return [values[one] for one in starts]
        return [float(twin.bounded(one, steps, exactly)) for one in starts]

    return f"<<{','.join(coalition)}>> P{side}=? [{text}]", answers


def _draw_atom(random: Random, level: Any) -> tuple[str, Test]:
    text = random.choice(ATOMS[level.game.name])
    test = proposition.parse_goal(level.game, text)
    return (f"!({text})", lambda one: not test(one)) if random.random() < 0.3 else (text, test)


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(60, id="few"), pytest.param(1500, id="many", marks=pytest.mark.long)]
)
def test_forced_values_agree_with_rules(count: int) -> None:
    """Compare with the definitions, with and without limits, on levels with several starts."""
    for seed in range(count):
        random = Random(seed)
        level = small_level(random)
        played = Played(level)
        question, answers = draw_question(random, played.level)
        starts = played.positions[: played.starts]
        true = sum(answers(starts, played.positions)) / len(starts)
        limit = gp.Limit(states=random.randint(1, len(played.positions))) if seed % 2 else None
        found = gp.value(level, question, limit=limit)
        assert found.best_bounds.low - 1e-6 <= true <= found.best_bounds.high + 1e-6, (seed, question)
        assert limit or found.converged, (seed, question)


@pytest.mark.parametrize("count", SEEDS)
@pytest.mark.parametrize("most_work", [step_bounds._MOST_WORK, -1], ids=["exact", "floating"])
def test_games_with_unknown_rest_agree_with_twin(
    count: int, most_work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_bounds, "_MOST_WORK", most_work)
    for seed, found, cut in processes_of(count):
        chooser = Random(seed)
        maximal = np.array([chooser.random() < 0.5 for _ in found.hold])
        steps, exactly = seed % 7, seed % 3 == 0
        path = Until(np.array(found.hold), np.array(found.reach), steps, exactly)
        process = decision_process(found, path.stopped, cut)
        within = SideBounds(*step_bounds.find_step_bounds(process, path, maximal, gp.Limit().start()))
        true = processes.bounded_value(found, steps, exactly, maximal.tolist())
        assert_contains(within, list(true), not process.cut.any(), (seed, steps))
        path = Until(path.hold, path.reach)
        process = decision_process(found, path.stopped, cut)
        ever = StochasticGame(process, maximal, path.reach).find_bounds(gp.Limit().start())
        assert_contains(SideBounds(*ever), list(processes.game_value(found, maximal.tolist())), False, seed)


@pytest.mark.parametrize("count", SEEDS)
def test_games_end_at_a_stop_with_bounds_that_hold(count: int) -> None:
    """At a stop there are no bounds, or bounds that hold; nothing goes on much longer."""
    kinds = set()
    for seed, found, cut in processes_of(count):
        chooser = Random(seed)
        maximal = np.array([chooser.random() < 0.5 for _ in found.hold])
        path = Until(np.array(found.hold), np.array(found.reach))
        process, stop = decision_process(found, path.stopped, cut), CountedStop(chooser.randrange(30))
        try:
            ever = StochasticGame(process, maximal, path.reach).find_bounds(gp.Limit(stop=stop).start())
        except Stopped:
            kinds.add("none")
        else:
            kinds.add("some")
            true = list(processes.game_value(found, maximal.tolist()))
            assert_contains(SideBounds(*ever), true, False, seed)
        assert stop.left > -4
    assert kinds == {"none", "some"}


@pytest.mark.parametrize("steps", [None, 3])
def test_game_ends_at_a_stop_before_it_knows_anything(steps: int | None) -> None:
    _, found, cut = next(iter(processes_of(1)))
    path = Until(np.array(found.hold), np.array(found.reach), steps)
    process, everybody = decision_process(found, path.stopped, cut), np.ones(len(found.hold), bool)
    find = (
        StochasticGame(process, everybody, path.reach).find_bounds
        if steps is None
        else partial(step_bounds.find_step_bounds, process, path, everybody)
    )
    with pytest.raises(Stopped):
        find(gp.Limit(stop=CountedStop(0)).start())


def test_near_goal_of_player_alone_has_its_value_by_layers() -> None:
    verdict = gp.check(
        gp.read("2048 3x3\n", "twenty48")[0], "<<player>> P>=0.9 [F tile(8)]", limit=gp.Limit(seconds=20)
    )
    assert verdict.holds


@pytest.mark.slow
def test_forced_values_have_bounds_at_every_limit() -> None:
    (level,) = gp.read("robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n")
    for question in ("<<a>> P=? [F won(a)]", "<<a>> P=? [F<=6 won(a)]", "<<a>> Rmin=? [F won(a)]", "<<b>> Rmax=? [F won]"):  # fmt: skip
        true = gp.value(level, question).best
        for states in (1, 3, 10, 40, 150):
            found = gp.value(level, question, limit=gp.Limit(states=states)).best_bounds
            assert found.low <= true <= found.high, (question, states)


@pytest.mark.slow
def test_recurrence_is_forced_as_without_chance() -> None:
    """Without chance, it is forced with a positive probability exactly if it is forced surely."""
    truths = list[bool]()
    for seed in range(60):
        random = Random(seed)
        level: Any = Played(small_level(random)).positions[0].level
        names = [one for one in level.game.actors(level) if one != "nature"]
        if level.game.name == "twenty48":
            continue
        start = Played(level).positions[0]
        coalition = ",".join(random.sample(names, random.randint(0, len(names))))
        path = f"{random.choice(('G F', 'F G'))} ({_draw_atom(random, level)[0]})"
        surely = gp.check(start, f"<<{coalition}>> {path}").holds
        for sign in (">=1", ">0"):
            assert gp.check(start, f"<<{coalition}>> P{sign} [{path}]").holds is surely, (seed, path)
        truths.append(bool(surely))
    assert len(set(truths)) == 2
