"""Probabilities and expected costs of paths: the engines against slow twins in fractions, and questions about games."""

from __future__ import annotations

import functools
import math
import random
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.prove import processes
from tests.prove.processes import RandomProcess, draw_process
from tests.stops import CountedStop

import gridproof as gp
from gridproof.core import proposition
from gridproof.prove import exact_values, quantity, quantity_solver, step_bounds
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.prove.expected_cost import find_cost_bounds
from gridproof.prove.forced_cost import find_forced_costs
from gridproof.prove.fraction_values import find_fractions
from gridproof.prove.graph_strategy import choose_for_goal, choose_greedily
from gridproof.prove.quantity_solver import SideBounds, _cost_side, find_probability_bounds
from gridproof.prove.stochastic_game import StochasticGame

FEW, MANY = 150, 3000
SEEDS = (pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.long))


def processes_of(count: int) -> Iterator[tuple[int, RandomProcess, np.ndarray]]:
    """Yield processes that have a choice, each with positions to cut: none in every other one."""
    for seed in range(count):
        found = draw_process(seed)
        if any(found.choices):
            hidden = random.Random(-seed - 1)
            cut = [bool(seed % 2) and hidden.random() < 0.3 for _ in found.choices]
            yield seed, found, np.array(cut)


def decision_process(found: RandomProcess, stopped: np.ndarray, cut: np.ndarray) -> DecisionProcess:
    """The process without what follows some positions."""
    known = RandomProcess(
        [[] if hidden else mine for mine, hidden in zip(found.choices, cut, strict=True)],
        found.costs, found.hold, found.reach,
    )  # fmt: skip
    return DecisionProcess(known.graph, stopped, cut)


def assert_contains(
    side: SideBounds, true: Sequence[Fraction | float], is_known: bool, about: object
) -> None:
    """Compare bounds with true values; where everything is known, they are close."""
    for number, value in enumerate(true):
        low, high = side.interval(number)
        assert low <= value <= high, (about, number, value, low, high)
        if is_known and low != high:
            assert float(high - low) <= 1e-9 * max(1.0, float(value)), (about, number, value, low, high)


@pytest.mark.parametrize("count", SEEDS)
@pytest.mark.parametrize("most_work", [step_bounds._MOST_WORK, -1], ids=["exact", "floating"])
def test_bounded_probabilities_agree_with_twin(
    count: int, most_work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_bounds, "_MOST_WORK", most_work)
    for seed, found, cut in processes_of(count):
        steps, exactly, best = seed % 7, seed % 3 == 0, seed % 5 < 3
        path = Until(np.array(found.hold), np.array(found.reach), steps, exactly)
        process = decision_process(found, path.stopped, cut)
        bounds = SideBounds(*step_bounds.find_step_bounds(process, path, best, gp.Limit().start()))
        true = processes.bounded_value(found, steps, exactly, best)
        assert_contains(bounds, list(true), not process.cut.any(), (seed, steps))
        if most_work > 0 and not process.cut.any():
            assert [bounds.interval(number).low for number in range(len(true))] == true


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_unbounded_probabilities_agree_with_twin(count: int) -> None:
    for seed, found, cut in processes_of(count):
        path = Until(np.array(found.hold), np.array(found.reach))
        process = decision_process(found, path.stopped, cut)
        for best in (True, False):
            true = processes.reach_value(found, best)
            bounds = find_probability_bounds(process, path.reach, best, gp.Limit().start())
            assert_contains(bounds, list(true), not process.cut.any(), (seed, best))
            if not process.cut.any():  # 0 and 1 are exact
                for number, value in enumerate(true):
                    low, high = bounds.interval(number)
                    assert (low == high == value) or 0 < value < 1, (seed, best, number)
            exact_values = find_fractions(process, [Fraction(one) for one in found.reach], best)
            assert exact_values in (None, true), (seed, best)


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
@pytest.mark.parametrize("most", [exact_values.MOST, 0], ids=["fractions", "intervals"])
def test_expected_costs_agree_with_twin(count: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.fraction_values.MOST", most)
    for seed, found, cut in processes_of(count):
        path = Until(np.ones(len(found.hold), bool), np.array(found.reach))
        process = decision_process(found, path.stopped, cut)
        shown = [
            Fraction(cost)
            for mine, hidden, stopped in zip(found.costs, cut, path.stopped, strict=True)
            for cost in mine
            if not hidden and not stopped
        ]
        for largest in (True, False):
            true = processes.cost_value(found, largest)
            bounds = _cost_side(process, path, largest, shown, gp.Limit().start())
            for number, value in enumerate(true):
                low, high = bounds.interval(number)
                assert low <= value <= high, (seed, largest, number, value, low, high)
                if not process.cut.any():
                    assert (low == high == value) or float(high - low) <= 1e-9 * max(1.0, float(value)), (
                        seed, largest, number, value, low, high,
                    )  # fmt: skip


CLASSIC = "2048 2x2 spawn=classic target=16\n"
ROOM = "######\n#@$ .#\n# #  #\n######\n"


def level(text: str) -> gp.Level:
    (found,) = gp.read(text)
    return found


def within(holds: Any, best: bool) -> Any:
    """A function of a position and a number of actions: the probability of reaching something within these, by the rules."""

    @functools.cache
    def visit(position: gp.Position[Any], left: int) -> Fraction:
        if holds(position):
            return Fraction(1)
        if not left:
            return Fraction()
        means = [
            sum(
                (one.probability * visit(one.position, left - 1) for one in position.outcomes(action)),
                Fraction(),
            )
            for action in position.actions()
        ]
        return (max if best else min)(means, default=Fraction())

    return visit


@pytest.mark.slow
@pytest.mark.parametrize("steps", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("start", [None, "2048 2x2 spawn=classic\n2 4\n0 2\n"])
def test_bounded_questions_agree_with_rules(steps: int, start: str | None) -> None:
    asked = level(start or CLASSIC)
    starts = [(one.probability, one.position) for one in asked.starts()]
    for text, holds in (("tile(8)", lambda p: max(p.cells) >= 8), ("lost", lambda p: p.lost)):
        best, worst = (
            sum(chance * visit(position, steps) for chance, position in starts)
            for visit in (within(holds, True), within(holds, False))
        )
        found = gp.value(asked, f"P=? [F<={steps} {text}]")
        assert (found.best, found.worst, found.error) == (best, worst, 0)
        never = gp.value(asked, f"P=? [G<{steps + 1} !{text}]")
        assert (never.best, never.worst) == (1 - worst, 1 - best)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "goal"),
    [("P=? [F won]", "won"), ("P=? [!lost U tile(32)]", "tile(32)"), ('R{"score"}=? [F ended]', "score")],
)
@pytest.mark.parametrize("text", [CLASSIC, "2048 2x3 spawn=spec target=16\n"])
def test_questions_agree_with_goals(text: str, question: str, goal: str) -> None:
    found, known = gp.value(level(text), question), gp.value(level(text), goal)
    assert (found.best_bounds, found.worst_bounds) == (known.best_bounds, known.worst_bounds)
    assert found.engine == known.engine


def test_opposite_questions_agree_with_game_engine() -> None:
    asked = level("2048 2x3 spawn=classic target=64\n")
    won, never = gp.value(asked), gp.value(asked, "P=? [G !won]")
    assert never.engine == won.engine == "backwards by layers, up to symmetry"
    assert abs(1 - float(won.best) - float(never.worst)) <= won.error + never.error
    assert never.best == pytest.approx(1 - won.worst, abs=1e-12)


@pytest.mark.slow
def test_questions_are_answered_by_graph_as_by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for question in (
        "P=? [F won]",
        "P=? [G !tile(8)]",
        "P=? [(max_tile < 8) U (tile(8) & empty = 1)]",
        "R=? [F lost]",
    ):
        exactly = gp.value(level(CLASSIC), question)
        with monkeypatch.context() as patch:
            patch.setattr(exact_values, "MOST", 0)
            patch.setattr("gridproof.prove.fraction_values.MOST", 0)
            patch.setattr("gridproof.prove.value_engines._find_by_own_engine", lambda *about: None)
            found = gp.value(level(CLASSIC), question)
        assert found.engine == "graph, from below and above"
        for bounds, true in ((found.best_bounds, exactly.best), (found.worst_bounds, exactly.worst)):
            assert bounds.low <= true <= bounds.high
            assert bounds.error < 1e-11


@pytest.mark.slow
@pytest.mark.parametrize(
    "question", ["P=? [F<=9 tile(16)]", "P=? [!tile(8) U empty = 0]", "R=? [F lost]", 'R{"score"}=? [F won]']
)
def test_bounds_of_questions_hold_at_every_limit(question: str) -> None:
    asked = level(CLASSIC)
    true, before = gp.value(asked, question), None
    for states in (0, 5, 20, 60, 200, 1000):
        found = gp.value(asked, question, limit=gp.Limit(states=states))
        assert found.best_bounds.low <= true.best <= found.best_bounds.high
        assert found.worst_bounds.low <= true.worst <= found.worst_bounds.high
        before = found
    assert before
    assert (before.best, before.worst, before.stopped_by) == (true.best, true.worst, "")


@pytest.mark.slow
def test_bound_of_cost_becomes_no_lower_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.fraction_values.MOST", 0)
    monkeypatch.setattr(
        "gridproof.prove.quantity_solver.round_sizes", lambda: (10 * 4**one for one in range(9))
    )
    before = 0.0
    for asked in range(400, 500, 10):
        limit = gp.Limit(stop=CountedStop(asked))
        now = float(gp.value(level(CLASSIC).start(), "Rmin=? [F lost]", limit=limit).worst_bounds.low)
        assert now >= before
        before = now
    assert before > 3


@pytest.mark.slow
def test_near_steps_are_decided_before_all_positions_are_known() -> None:
    found = gp.value(level("2048 4x4 spawn=spec\n"), "P=? [F<=2 tile(8)]")
    assert (found.best, found.error, found.stopped_by, found.converged) == (0, 0, "", True)


@pytest.mark.parametrize("measure", ["actions", "moves", "pushes"])
def test_least_cost_is_that_of_a_solution(measure: str) -> None:
    found = gp.value(level(ROOM), f'R{{"{measure}"}}=? [F won]')
    assert (found.worst, found.best) == (gp.solve(level(ROOM), measure).cost, math.inf)
    assert str(found).startswith(f'`R{{"{measure}"}}=? [F won]`: infinite at most, {found.worst} at least (')
    start = level(ROOM).start()
    worth = found.at(start)
    assert worth.actions[worth.action] == min(worth.actions.values()) == found.worst


def test_cost_of_what_may_fail_is_infinite() -> None:
    assert gp.value(level(CLASSIC), "R=? [F won]").worst_bounds == (math.inf, math.inf)
    assert gp.value(level("#####\n#@$ #\n#. ##\n#####\n"), "Rmin=? [F won]").worst == math.inf


def test_question_with_costs_counts_from_start() -> None:
    assert gp.value(level(ROOM), "P=? [F (won & cost(pushes) <= 2)]").best == 1
    assert gp.value(level(ROOM), "P=? [F (won & cost(pushes) <= 1)]").best == 0
    assert gp.value(level(ROOM), "P=? [F (won & cost(pushes) <= 2)]").worst == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "holds", "sentence"),
    [
        ("P>=0.9 [F won]", False, "does not hold for every way to act."),
        ("Pmax>=0.9 [F won]", True, "holds for some way to act."),
        ("Pmax>=0.96251125375 [F won]", True, "holds for some way to act."),
        ("Pmax>0.96251125375 [F won]", False, "holds for no way to act."),
        ("P<=0.97 [F won]", True, "holds for every way to act."),
        ("Pmin<=0 [F won]", True, "holds for some way to act."),
        ("P>=1 [F ended]", True, "holds for every way to act."),
        ("R<=12 [F ended]", True, "holds for every way to act."),
        ("R>=4 [F ended]", False, "does not hold for every way to act."),
        ("P>=1 [F ended] & !P>=0.9 [F won]", True, "holds at the start."),
        ("won -> P>=0.9 [F won]", True, "holds at the start."),
        ("forall t in tiles: Pmax>=0.97 [F tile(t)]", False, "does not hold at the start."),
    ],
)
def test_comparisons_are_decided_as_storm_does(formula: str, holds: bool, sentence: str) -> None:
    for subject in (level(CLASSIC), gp.explore(level(CLASSIC))):
        verdict = gp.check(subject, formula)
        assert verdict.holds is holds
        assert verdict.sentence() == f"`{verdict.formula}` {sentence}"
        assert (verdict.trace, verdict.satisfying) == (None, None)


def test_comparison_has_no_answer_where_bounds_do_not_decide() -> None:
    asked = level("2048 2x3 spawn=classic target=64\n")
    verdict = gp.check(asked, "P<=0.5 [F won]", limit=gp.Limit(states=400))
    assert (verdict.holds, verdict.stopped_by) == (None, "states")
    assert verdict.remarks[0].startswith("`P<=0.5 [F won]`: the greatest probability is between ")
    assert verdict.head.startswith(
        "No answer for `P<=0.5 [F won]`. The limit of positions was reached after "
    )
    either = gp.check(asked, "P<=0.5 [F won] | Pmax>=0.1 [X !won]", limit=gp.Limit(states=400))
    assert (either.holds, either.stopped_by) == (True, "")


def test_comparison_refuses_what_it_cannot_answer() -> None:
    for formula, options, message in (
        ("P=? [F won]", {}, r"^P=\? \[F won\] asks for a number, not whether something holds: gridproof.value finds it$"),
        ("P>=1 [F won]", {"fair": "weak *"}, "^fairness applies to CTL and LTL only, not to formulas with P or R$"),
        ("P>=1 [F won]", {"paths": "some"}, "^paths='some' applies to LTL only; in CTL, use A and E$"),
        ('R{"pushes"}<=1 [F won]', {}, "^twenty48 does not count 'pushes': it counts actions, score$"),
        ("P>=1 [F wom]", {}, "^line 1, column 9: twenty48 has no proposition 'wom'"),
    ):  # fmt: skip
        with pytest.raises(gp.GridproofError, match=message):
            gp.check(level(CLASSIC), formula, **options)  # type: ignore[arg-type]  # one of several
    with pytest.raises(gp.GridproofError, match="a value is asked for with ="):
        gp.value(level(CLASSIC), "P>=1 [F won]")


def true_chain(player: Any, start: gp.Position[Any], reach: Any, hold: Any, cost: Any) -> Fraction | float:
    """The probability (or, with `cost`, the expected cost) that a player has by the rules, solved in fractions."""
    numbers, queue, rows, costs = {start: 0}, [start], list[Any](), list[Any]()
    for position in queue:
        if reach(position) or not hold(position) or not position.actions():
            rows.append(None)
            costs.append(Fraction())
            continue
        action = player(position)
        assert action in position.actions()
        row = list[tuple[int, Fraction]]()
        for one in position.outcomes(action):
            if one.position not in numbers:
                numbers[one.position] = len(queue)
                queue.append(one.position)
            row.append((numbers[one.position], one.probability * processes.WHOLE))
        rows.append(row)
        costs.append(quantity.mean_cost(cost, position, action) if cost else Fraction())
    goal = [bool(reach(position)) for position in queue]
    chances = processes.chain_probabilities(rows, goal)
    if cost is None:
        return chances[0]
    return math.inf if chances[0] != 1 else processes.chain_costs(rows, goal, costs)[0]


def always(position: gp.Position[Any]) -> bool:
    return True


STRATEGIES: list[tuple[str, str, Any, Any]] = [
    (CLASSIC, "won", lambda p: p.won, always),
    (CLASSIC, "P=? [F won]", lambda p: p.won, always),
    (CLASSIC, "P=? [(max_tile < 8) U (tile(8) & empty = 1)]",
     lambda p: max(p.cells) >= 8 and p.cells.count(0) == 1, lambda p: max(p.cells) < 8),
    (ROOM, "won", lambda p: p.won, always),
    (ROOM, "P=? [F won]", lambda p: p.won, always),
    ("null", "P=? [F won]", lambda p: p.won, always),
]  # fmt: skip


def subject(text: str) -> gp.Level:
    return gp.read("@...o", "null")[0] if text == "null" else level(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "goal", "reach", "hold"),
    STRATEGIES,
    ids=[f"{text[:12].strip()}-{goal}" for text, goal, _, _ in STRATEGIES],
)
def test_strategies_reach_their_values_by_rules(text: str, goal: str, reach: Any, hold: Any) -> None:
    asked = subject(text)
    found = gp.value(asked, goal)
    for player, value in ((found.strategy, found.best), (found.worst_strategy, found.worst)):
        reached = sum(
            one.probability * true_chain(player, one.position, reach, hold, None) for one in asked.starts()
        )
        assert reached == value


@pytest.mark.parametrize("measure", ["actions", "moves", "pushes"])
def test_strategy_of_least_cost_has_it_by_rules(measure: str) -> None:
    found = gp.value(level(ROOM), f'R{{"{measure}"}}=? [F won]')
    counted = quantity.measure_of(found.question, level(ROOM)) if found.question else None
    start = level(ROOM).start()
    assert true_chain(found.strategy, start, lambda p: p.won, always, counted) == found.worst


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_choices_of_random_processes_have_their_values(count: int) -> None:
    for seed, found, cut in processes_of(count):
        if cut.any():
            continue
        path = Until(np.array(found.hold), np.array(found.reach))
        process = decision_process(found, path.stopped, cut)
        for best in (True, False):
            true, bounds = (
                processes.reach_value(found, best),
                find_probability_bounds(process, path.reach, best, gp.Limit().start()),
            )
            chosen = (
                choose_for_goal(process, path.reach, bounds.low)
                if best
                else choose_greedily(process, bounds.high, False)
            )
            rows = chosen_rows(found, process, chosen)
            assert processes.chain_probabilities(rows, found.reach) == true, (seed, best)


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_choices_of_least_cost_have_it(count: int) -> None:
    for seed, found, cut in processes_of(count):
        if cut.any():
            continue
        path = Until(np.ones(len(found.hold), bool), np.array(found.reach))
        process = decision_process(found, path.stopped, cut)
        costs = np.array([
            float(cost) for mine, stopped in zip(found.costs, path.stopped, strict=True) for cost in mine if not stopped
        ])  # fmt: skip
        true = processes.cost_value(found, largest=False)
        high = find_cost_bounds(process, path.reach, costs, False, gp.Limit().start()).high
        chosen = choose_for_goal(process, path.reach, high, costs)
        rows, paid = chosen_rows(found, process, chosen), [Fraction()] * len(true)
        for number, choice in enumerate(chosen.tolist()):
            if choice >= 0:
                paid[number] = Fraction(int(costs[choice]))
        assert processes.chain_costs(rows, found.reach, paid) == true, seed


def chosen_rows(found: RandomProcess, process: DecisionProcess, chosen: np.ndarray) -> list[Any]:
    """The outcomes of the choices of a strategy; None where there is none."""
    rows = list[Any]()
    for number, choice in enumerate(chosen.tolist()):
        action = int(process.graph.actions[process.begins[choice]]) if choice >= 0 else None
        rows.append(None if action is None else found.choices[number][action])
    return rows


def test_strategy_is_refused_where_there_is_none() -> None:
    asked = level(CLASSIC)
    over = level("2048 2x2\n16 2\n4 2\n").start()
    with pytest.raises(gp.GridproofError, match="nothing is left to decide"):
        gp.value(over, "tile(16)").strategy(over)
    with pytest.raises(gp.GridproofError, match="the position was not reached"):
        gp.value(asked).strategy(over)
    with pytest.raises(gp.GridproofError, match="values at the start only"):
        _ = gp.value(level(ROOM), "won & cost(pushes) <= 2").strategy
    with pytest.raises(gp.GridproofError, match="was not asked for"):
        _ = gp.value(level(ROOM), "Pmax=? [F won]").worst_strategy


@pytest.mark.parametrize("count", SEEDS)
def test_games_agree_with_twin(count: int) -> None:
    """Compare with the best of all strategies of one side against all of the other side."""
    for seed, found, cut in processes_of(count):
        if cut.any():
            continue
        path = Until(np.array(found.hold), np.array(found.reach))
        process = decision_process(found, path.stopped, cut)
        chooser = random.Random(seed)
        maximal = [chooser.random() < 0.5 for _ in found.hold]
        low, high = StochasticGame(process, np.array(maximal), path.reach).find_bounds(gp.Limit().start())
        true = processes.game_value(found, maximal)
        assert_contains(SideBounds(low, high), list(true), True, seed)
        for number, value in enumerate(true):
            assert (low[number] == high[number] == value) or 0 < value < 1, (seed, number)


@pytest.mark.slow
@pytest.mark.parametrize("count", SEEDS)
def test_games_with_costs_agree_with_twin(count: int) -> None:
    """Compare with the best of all strategies of one side against all of the other side."""
    for seed, found, cut in processes_of(count):
        if cut.any():
            continue
        reach = np.array(found.reach)
        process = decision_process(found, reach, cut)
        if not len(process.begins):
            continue
        chooser = random.Random(seed)
        minimal = [chooser.random() < 0.5 for _ in found.reach]
        costs = [cost for row, ends in zip(found.costs, found.reach, strict=True) if not ends for cost in row]
        numbers = np.array(costs, float)
        bounds = find_forced_costs(process, np.array(minimal), reach, numbers, gp.Limit().start())
        assert_contains(SideBounds(*bounds), processes.game_cost(found, minimal), True, seed)


DUELS = (
    "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n",
    "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\na > B\nA ? b\n",
)


@pytest.mark.parametrize("text", DUELS)
@pytest.mark.parametrize("names", ["", "a", "b", "a,b"])
def test_coalitions_force_without_chance_what_they_force_with_probability_1(text: str, names: str) -> None:
    space = gp.explore(level(text))
    for path in ("F won(a)", "G !won(b)", "F (won(a) | won(b))", "G !won"):
        surely = gp.check(space, f"<<{names}>> {path}").holds
        assert gp.check(space, f"<<{names}>> P>=1 [{path}]").holds is surely
        assert gp.check(space, f"<<{names}>> P>0 [{path}]").holds is surely
        others = ",".join({"a", "b"} - set(names.split(",")))
        assert gp.check(space, f"<<{others}>> P<=0 [{path}]").holds is not surely
    for path, weak in (("!won(b) U won(a)", "!won(b) W won(a)"), ("true U won(a)", "won(b) R !won(a)")):
        for one in (path, weak):
            surely = gp.check(space, f"<<{names}>> [{one}]").holds
            assert gp.check(space, f"<<{names}>> P>=1 [{one}]").holds is surely


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "same"),
    [
        ("<<player>> Rmin=? [F ended]", "Rmin=? [F ended]"),
        ('<<player>> R{"score"}min=? [F ended]', 'R{"score"}min=? [F ended]'),
        ("<<>> Rmax=? [F ended]", "Rmin=? [F ended]"),
    ],
)
def test_player_alone_forces_least_cost(question: str, same: str) -> None:
    found, wanted = gp.value(level(CLASSIC), question), gp.value(level(CLASSIC), same).worst
    assert [*found.answers] == ["forced"]
    assert found.best_bounds.low <= wanted <= found.best_bounds.high
    assert found.converged


@pytest.mark.slow
def test_passes_cost_infinitely_much() -> None:
    assert gp.value(level(CLASSIC), "<<player>> Rmax=? [F ended]").best == math.inf
    assert gp.value(level(CLASSIC), "<<>> Rmin=? [F ended]").best == math.inf
    assert gp.check(level(CLASSIC), "<<player>> R<=4 [F ended] & !(<<player>> R<3 [F ended])").holds
    cut = gp.value(level(CLASSIC), "<<player>> Rmin=? [F ended]", limit=gp.Limit(states=50))
    assert cut.best_bounds.low < 4 < cut.best_bounds.high == math.inf
    assert cut.stopped_by == "states"


@pytest.mark.slow
def test_player_alone_forces_best_value() -> None:
    for formula, holds in (
        ("<<player>> P>=0.9625 [F won]", True),
        ("<<player>> P>=0.9626 [F won]", False),
        ("<<player>> P<=0 [F won]", True),
        ("<<>> P<=0.9625 [F won]", False),
        ("<<>> P<=0.9626 [F won]", True),
        ("<<>> P>0 [F won]", False),
        ("<<player>> P>=1 [F won] | won", False),
    ):
        assert gp.check(level(CLASSIC), formula).holds is holds, formula
    verdict = gp.check(level(CLASSIC), "<<player>> P>=0.9625 [F won]")
    assert verdict.sentence() == "`<<player>> P>=0.9625 [F won]` holds at the start."
    (remark,) = verdict.remarks
    assert remark.startswith(
        "`<<player>> P>=0.9625 [F won]`: the greatest probability that they can force is 0.962511"
    )
    cut = gp.check(level(CLASSIC), "<<player>> P>=0.9625 [F won]", limit=gp.Limit(states=5))
    assert (cut.holds, cut.stopped_by) == (None, "states")


@pytest.mark.parametrize(
    ("question", "forced"),
    [
        ("<<player>> P=? [F won]", "0.96251125375"),
        ("<<player>> Pmin=? [F won]", "0"),
        ("<<>> Pmax=? [F won]", "0"),
        ("<<>> Pmin=? [F won]", "0.96251125375"),
        ("<<player>> P=? [G !won]", "1"),
    ],
)
def test_value_is_what_coalition_forces(question: str, forced: str) -> None:
    found = gp.value(level(CLASSIC), question)
    assert [*found.answers] == ["forced"]
    assert found.best_bounds == found.worst_bounds
    assert found.best_bounds.low <= Fraction(forced) <= found.best_bounds.high
    assert found.converged
    with pytest.raises(gp.GridproofError, match=r"^what a coalition can force has values at the start only$"):
        found.at(level(CLASSIC).start())


def test_value_of_coalition_is_compared_by_check() -> None:
    asked = level(DUELS[0])
    for path in ("F won(a)", "G !won(b)"):
        forced = gp.value(asked, f"<<a>> P=? [{path}]").best
        assert gp.check(asked, f"<<a>> P>={Fraction(forced)} [{path}]").holds


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("<<player>> P>=1 [F won]", "a comparison is checked"),
        ("<<player>> R=? [F won]", "a coalition wants the least cost"),
        ("<<nobody>> P=? [F won]", "takes no turn"),
        ("<<player>> P=? [F wom]", "did you mean won"),
        ("<<player>> F won", "no goal"),
    ],
)
def test_value_of_coalition_refuses_other_questions(question: str, reason: str) -> None:
    with pytest.raises(gp.GridproofError, match=reason):
        gp.value(level(CLASSIC), question)


@pytest.mark.slow
def test_coalition_with_probability_refuses_unknown_players() -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^c in <<c>> P>=1 \[F won\] takes no turn: a, b do, in this order$"
    ):
        gp.check(level(DUELS[0]), "<<c>> P>=1 [F won]")
    with pytest.raises(gp.GridproofError, match=r"takes no turn: only player does$"):
        gp.check(level(ROOM), "<<c>> P>=1 [F won]")
    with pytest.raises(gp.GridproofError, match=r"^nature takes no turn; remove it from the actors$"):
        gp.check(level(DUELS[0]), "<<a>> P>=1 [F won]", actors="all")


@pytest.mark.parametrize(
    "question", ["P=? [F<=9 tile(64)]", "P=? [!tile(8) U empty = 0]", 'R{"score"}=? [F won]']
)
def test_questions_have_bounds_when_no_time_is_left(question: str) -> None:
    stop = threading.Event()
    stop.set()
    for limit, why in ((gp.Limit(seconds=0), "seconds"), (gp.Limit(stop=stop), "stop")):
        for text in (CLASSIC, "2048 4x4\n"):
            found = gp.value(level(text), question, limit=limit)
            assert found.stopped_by == why
            assert found.best_bounds.low == 0
            assert found.best_bounds.high in (0, 1, math.inf)
    coalition = gp.check(level("2048 4x4\n"), "<<player>> P>=0.5 [F won]", limit=gp.Limit(seconds=0))
    assert (coalition.holds, coalition.stopped_by) == (None, "seconds")


@pytest.mark.slow
def test_questions_about_part_of_a_space_have_bounds() -> None:
    space = gp.explore(level("2048 2x3 spawn=classic target=64\n"), limit=gp.Limit(states=3000))
    for formula in ("P<=0.5 [F won]", "P<=0.5 [F<=30 won]", "R<=9 [F lost]"):
        verdict = gp.check(space, formula)
        assert (verdict.holds, verdict.stopped_by) == (None, "states")
    assert gp.check(space, "P<=0.5 [F<=2 won]").holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("P>=0.9 [F<=20 tile(64)]", False),
        ("Pmax<=0.001 [F<=20 tile(64)]", True),
        ("P>=0.9 [F<=10 tile(64)]", False),
        ("P>=0.999 [G<=20 !tile(64)]", True),
        ("<<player>> P>=0.9 [F<=20 tile(64)]", False),
        ("<<player>> P>=0.9 [F tile(8)]", True),
        ("R>=2 [F tile(8)]", True),
    ],
)
def test_comparison_ends_search_when_bounds_decide_it(formula: str, holds: bool) -> None:
    verdict = gp.check(level("2048 4x4 spawn=classic\n"), formula, limit=gp.Limit(states=100_000))
    assert (verdict.holds, verdict.stopped_by) == (holds, "")
    assert verdict.states <= 84_660


@pytest.mark.slow
@pytest.mark.parametrize("text", [CLASSIC, "2048 2x2\n", "2048 2x3 spawn=classic\n2 4\n4 8\n2 0\n"])
def test_chance_of_tile_within_moves_is_upper_bound(text: str) -> None:
    asked = level(text)
    for tile in (2, 4, 8, 16, 32):
        goal = proposition.parse_goal(asked.game, f"tile({tile})")
        for steps in range(8):
            most = sum(one.probability * goal.chance_within(one.position, steps) for one in asked.starts())
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(quantity_solver, "chance_in_time", lambda *about: Fraction(1))
                assert gp.value(asked, f"P=? [F<={steps} tile({tile})]").best <= most
