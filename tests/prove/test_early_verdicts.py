"""Early verdicts against verdicts on whole spaces: on prefixes of random graphs, and on random levels of all games."""

from __future__ import annotations

import math
import threading
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prove.graphs import Drawn, Word, ctl, graphs, holds_on, ltl, truth_in
from tests.prove.test_ltl import FAIR, SEEDS, is_fair, paths_of
from tests.prove.twins import (
    LOGICS_WITHOUT_PLAYERS,
    Played,
    likely_formula,
    random_formula,
    small_level,
    truth,
)
from tests.sizes import size

import gridproof as gp
from gridproof.prove import early_verdict, goal_solver
from gridproof.prove.ctl import Evaluator
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import FALSE, Formula, decisive_goal, is_goal, is_temporal
from gridproof.prove.logic import Logic, logic_of, path_question
from gridproof.prove.model import Model
from gridproof.prove.parsing import parse
from gridproof.prove.partial_model import PartialEvaluator, PartialModel
from gridproof.prove.paths import Path, Paths
from gridproof.prove.tableau import automaton_of
from gridproof.search import explore as exploring
from gridproof.search.solve import solve_ahead

PARTS = st.integers(0, 4)


def values_enclose_truth(drawn: Drawn, formula: Formula, part: int, fair: tuple[str, ...]) -> None:
    expanded = min(part, len(drawn))
    model = PartialModel(drawn.prefix(1, expanded))
    assumed = assumptions(fair, model.space.level, model.rows.graph.labels)
    known = PartialEvaluator(model, assumed)
    certain, possible = (set(np.flatnonzero(one)) for one in (known.values(formula), known.possible(formula)))
    wanted = truth_in(formula, drawn)
    if fair:
        wanted = set(np.flatnonzero(Evaluator(Model(drawn.space()), assumed).values(formula)))
    assert certain <= wanted
    assert wanted & set(range(model.states)) <= possible
    if expanded == len(drawn) and not fair:
        assert certain == wanted == possible


test_values_on_a_prefix_enclose_the_truth = settings(max_examples=150)(
    given(graphs(), ctl(3) | ctl(), PARTS, FAIR | st.just(()))(values_enclose_truth)
)
test_values_on_thousands_of_prefixes = pytest.mark.long(
    settings(max_examples=3000)(given(graphs(10), ctl(12), PARTS, FAIR)(values_enclose_truth))
)


def longer_word(path: Path, drawn: Drawn, chance: Random) -> Word:
    """The word of a path; where the rest does not matter, it goes on at random, and in the end in a loop."""
    graph = drawn.space().graph()
    positions, actions = [path.start], list[int | None]()
    for edge in path.edges:
        actions.append(int(graph.actions[edge]))
        positions.append(int(graph.targets[edge]))
    if path.loop is not None:
        return Word(tuple(positions[:-1]), tuple(actions), path.loop)
    stem = len(actions)
    while drawn.edges[positions[-1]]:
        action, target = chance.choice(drawn.edges[positions[-1]])
        actions.append(action)
        if target in positions[stem:]:
            return Word(tuple(positions), tuple(actions), positions.index(target, stem))
        positions.append(target)
    return Word(tuple(positions), (*actions, None), len(actions))


def paths_on_a_prefix_are_right(
    drawn: Drawn, formula: Formula, part: int, fair: tuple[str, ...], seed: int
) -> None:
    model = PartialModel(drawn.prefix(1, min(part, len(drawn))))
    assumed = assumptions(fair, model.space.level, model.rows.graph.labels)
    paths = Paths(model, automaton_of(formula), PartialEvaluator(model).values, assumed)
    path = paths.find([0])
    if path is None:
        assert not paths.is_final or paths_of(drawn, formula, fair).find([0]) is None
        return
    assert paths_of(drawn, formula, fair).find([0]) is not None
    word = longer_word(path, drawn, Random(seed))
    assert holds_on(formula, word, drawn)
    if path.loop is not None:
        assert is_fair(word, drawn, fair)


test_paths_on_a_prefix = settings(max_examples=100)(
    given(graphs(), ltl(most=4), PARTS, FAIR, SEEDS)(paths_on_a_prefix_are_right)
)
test_paths_on_thousands_of_prefixes = pytest.mark.long(
    settings(max_examples=3000)(
        given(graphs(8), ltl(most=6), PARTS, FAIR, SEEDS)(paths_on_a_prefix_are_right)
    )
)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Judge every prefix, however small."""
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    monkeypatch.setattr(early_verdict, "_SOON", 1.01)
    monkeypatch.setattr(early_verdict, "_LATER", 1.01)
    ask_solvers_at_once(monkeypatch)
    return monkeypatch


def ask_solvers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask solvers for goals before anything is explored, and take any solution."""
    for name, value in (("_FIRST", 0), ("_LATER", 0), ("_GROWTH", 1), ("_SHARE", 100_000)):
        monkeypatch.setattr(goal_solver, name, value)


def compare(seed: int, patch: pytest.MonkeyPatch) -> int:
    """Ask some formulas of a random level, by kernel or rules; how many verdicts have been compared."""
    random = Random(seed)
    level = small_level(random)
    played, count = Played(level), 0
    patch.setattr(exploring, "_BY_RULES", random.choice((0, 1000)))
    for _ in range(10):
        logic = random.choice(LOGICS_WITHOUT_PLAYERS)
        size = random.randint(1, 3 if logic is Logic.LTL else 5)
        formula = random.choice((likely_formula, random_formula))(logic, played, random, size)
        logic = logic_of(formula)
        paths = random.choice(("all", "some")) if logic in (Logic.LTL, Logic.STATE) else "all"
        wanted = truth(formula, logic, paths, played)
        where = f"seed {seed}: {paths} {formula}\n" + "\n".join(map(str, played.positions[: played.starts]))
        whole, stop = gp.explore(level), threading.Event()
        stop.set()
        patch.setattr(goal_solver, "_FIRST", random.choice((0, math.inf)))
        verdict = gp.check(level, formula, paths)
        agrees(verdict, (wanted,), where)
        if verdict.trace and early_verdict.PERHAPS_LONG not in verdict.remarks and whole.by_depth[0] == 1:
            goal, _ = decisive_goal(formula, paths) or (FALSE, False)
            if is_goal(goal):
                assert len(verdict.trace.steps) <= fewest_actions(whole, formula, paths), where
        for limit in (gp.Limit(memory=1), gp.Limit(stop=stop)):
            agrees(gp.check(level, formula, paths, limit=limit), (wanted, None), f"{limit} {where}")
            agrees(gp.check(whole, formula, paths, limit=limit), (wanted, None), f"{limit} {where}")
        for _ in range(3):
            few = gp.Limit(states=random.randint(played.starts, len(played.positions)))
            verdict = gp.check(level, formula, paths, limit=few)
            agrees(verdict, (wanted, None), f"{few} {where}")
            assert (verdict.bound or 0) <= fewest_actions(whole, formula, paths), f"{few} {where}"
            space = gp.explore(level, limit=few)
            agrees(gp.check(space, formula, paths), (wanted, None), f"{few} {where}")
        count += 11
        if logic in (Logic.CTL, Logic.LTL):
            count += compare_with_assumptions(level, formula, paths, random, where)
    return count


def fewest_actions(space: gp.StateSpace, formula: Formula, paths: str) -> float:
    """The fewest actions of a path that decides a formula; infinite where there is none."""
    question = path_question(formula, paths, space.by_depth[0])
    if question:
        decided = gp.check(space, formula, paths, shortest=True)
        if decided.holds is not question[1] or decided.trace is None:
            return math.inf
        return len(decided.trace.steps)
    goal, _ = decisive_goal(formula, paths) or (FALSE, True)
    if is_temporal(goal):
        return math.inf
    depths = np.repeat(np.arange(len(space.by_depth)), space.by_depth)
    return float(min(depths[Evaluator(Model(space)).values(goal)], default=math.inf))


def compare_with_assumptions(level: Any, formula: Formula, paths: str, random: Random, where: str) -> int:
    """Compare with the verdict on the whole space, with fairness and for some of the actors."""
    names = level.start().level.game.actors(level.start().level)
    actors: Any = random.choice((None, "all", (random.choice(names),)))
    fair = random.choice(((), (f"weak {names[0]}",), ("strong *",)))
    space = gp.explore(level, actors, gp.Limit(states=1000))
    if not space.complete:  # nature may lead to millions
        return 0
    wanted = gp.check(space, formula, paths, fair=fair).holds
    agrees(gp.check(level, formula, paths, actors, fair=fair), (wanted,), f"{actors} {fair} {where}")
    few = gp.Limit(states=random.randint(1, 30))
    agrees(
        gp.check(level, formula, paths, actors, few, fair), (wanted, None), f"{few} {actors} {fair} {where}"
    )
    return 2


def agrees(verdict: gp.Verdict, wanted: tuple[bool | None, ...], where: str) -> None:
    assert verdict.holds in wanted, where
    if verdict.trace is not None:
        verdict.trace.replay()


@pytest.mark.slow
def test_shortest_lasso_waits_for_the_positions_that_may_shorten_it(at_once: pytest.MonkeyPatch) -> None:
    for seed in range(40):
        random = Random(seed)
        level = small_level(random)
        formula = random_formula(Logic.LTL, Played(level), random, 2)
        early, late = (
            gp.check(level, formula, shortest=True),
            gp.check(gp.explore(level), formula, shortest=True),
        )
        assert (early.holds, early.remarks) == (late.holds, late.remarks)
        if early.trace and late.trace:
            assert len(early.trace.steps) <= len(late.trace.steps), f"seed {seed}: {formula}"


@pytest.mark.slow
def test_verdict_waits_for_all_positions_where_no_part_is_certain(at_once: pytest.MonkeyPatch) -> None:
    few = gp.Limit(states=4)
    for formula, fair in (
        ("E (G F at(1) & G F at(2))", ()),
        ("EF at(2)", ("G F false",)),
        ("F at(3)", ("G F false",)),
    ):
        assert gp.check("null/first/2", formula, limit=few, fair=fair).holds is None
        verdict = gp.check("null/first/2", formula, fair=fair)
        assert (verdict.holds, verdict.complete) == (
            gp.check(gp.explore("null/first/2"), formula, fair=fair).holds,
            True,
        )
    responses = " & ".join(f"G F at({cell})" for cell in (0, 1, 2, 3))
    assert gp.check("null/first/2", responses, paths="some", limit=few).holds is True  # found depth-first
    at_once.setattr(early_verdict, "_FIRST_ARCS", 0)
    at_once.setattr(early_verdict, "_ARCS", 0)
    assert gp.check("null/first/2", responses, paths="some", limit=few).holds is None
    assert gp.check("null/first/2", responses, paths="some").holds is True


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shiftit/boards/5", "shiftit/boards/7", "sokoban/drawn-lots/3"])
def test_early_trace_is_as_short_as_that_of_the_whole_space(name: str) -> None:
    whole = gp.check(gp.explore(name), "AG !won")
    assert whole.trace is not None
    for formula, paths in (("AG !won", "all"), ("EF won", "all"), ("G !won", "all"), ("F won", "some")):
        verdict = gp.check(name, formula, paths)
        assert verdict.holds is (formula in ("EF won", "F won"))
        assert verdict.trace is not None
        assert verdict.trace.replay().won
        assert len(verdict.trace.steps) == len(whole.trace.steps)


def test_bound_counts_the_layers_without_a_counterexample() -> None:
    (row,) = gp.read("@" + "." * 30 + "o", "null")
    verdict = gp.check(row, "AG !won", limit=gp.Limit(states=21))
    assert (verdict.holds, verdict.states, verdict.complete, verdict.bound) == (None, 21, False, 11)
    assert verdict.work.endswith(" s). No counterexample has fewer than 11 actions.")
    assert gp.check(row, "EF won", limit=gp.Limit(states=22)).work.endswith(
        " No witness has fewer than 11 actions."
    )
    assert gp.check(row, "AG EF won", limit=gp.Limit(states=21)).bound is None
    assert gp.check(row, "AG !at(21)", limit=gp.Limit(states=22)).bound is None
    assert gp.check(row, "AG !lost").bound is None


def test_bound_of_a_loop_counts_the_layers_that_were_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = gp.read("@" + "." * 30 + "o", "null")
    monkeypatch.setattr(early_verdict, "_FIRST_ARCS", 0)
    for formula, paths in (("F at(1)", "all"), ("AF at(1)", "all"), ("G !won", "some"), ("EG !won", "all")):
        assert gp.check(row, formula, paths).bound is None
    responses = "G (at(25) -> F won)"
    verdict = gp.check(row, responses, limit=gp.Limit(states=21))
    assert (verdict.holds, verdict.bound) == (None, 10)
    assert verdict.work.endswith(" No counterexample has fewer than 10 actions.")
    assert gp.check(row, f"E (!{responses})", limit=gp.Limit(states=21)).bound is None


@pytest.mark.slow
def test_verdict_counts_positions_of_small_spaces_and_ends_early_in_large_ones() -> None:
    small = gp.check("shiftit/boards/9", "AG !won")
    assert (small.holds, small.complete, small.satisfying is None) == (False, True, False)
    (board,) = gp.read("2048 4x4\n", "twenty48")
    large = gp.check(board, "AG max_tile < 8")
    assert (large.holds, large.complete, large.satisfying, large.stopped_by) == (False, False, None, "")
    assert large.states < 100_000
    assert large.trace is not None
    assert len(large.trace.steps) == 3
    assert f" The answer was known after {large.states:,} positions (" in large.head
    assert large.more() is not None


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 12), marks=pytest.mark.slow)])
def test_early_verdicts_agree_with_slow_twins(seeds: range, at_once: pytest.MonkeyPatch) -> None:
    assert sum(compare(seed, at_once) for seed in seeds) > 60 * len(seeds)


@pytest.mark.long
def test_many_early_verdicts_agree_with_slow_twins(at_once: pytest.MonkeyPatch) -> None:
    wanted, seed, count = size("verdicts", 5000), 1000, 0
    while count < wanted:
        count += compare(seed, at_once)
        seed += 1


@pytest.mark.parametrize(
    ("name", "formula"), [("sokoban/first-steps/4", "AG !won"), ("shiftit/boards/6", "EF won")]
)
def test_solver_shows_a_shortest_way_to_a_far_goal(
    monkeypatch: pytest.MonkeyPatch, name: str, formula: str
) -> None:
    ask_solvers_at_once(monkeypatch)
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    for shortest in (False, True):
        verdict = gp.check(name, formula, shortest=shortest)
        assert (verdict.holds, verdict.complete, verdict.remarks) == (formula == "EF won", False, ())
        assert verdict.trace is not None
        assert len(verdict.trace.steps) == fewest_actions(gp.explore(name), parse(formula), "all")
    assert verdict.trace is not None
    other = verdict.more()
    wins = sum(position.status is gp.Status.WON for position in gp.explore(name))
    assert (other is None) == (wins == 1)
    if other is not None:
        assert other.trace is not None
        assert other.trace.replay() != verdict.trace.replay()


def test_solver_proves_that_a_goal_is_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_solvers_at_once(monkeypatch)
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    (level,) = gp.read("######\n#@   #\n# $  #\n#$   #\n# ..##\n######\n")
    verdict = gp.check(level, "EF won")
    assert (verdict.holds, verdict.complete, verdict.trace, verdict.more()) == (False, False, None, None)
    assert gp.check(gp.explore(level), "AG !won").holds


def test_greedy_solution_says_that_it_may_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    (board,) = gp.read("2048 2x3 spawn=spec target=32\n")
    ask_solvers_at_once(monkeypatch)
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    monkeypatch.setattr(
        goal_solver, "solve_ahead", lambda asked: solve_ahead(asked) if asked.greedy else None
    )
    verdict = gp.check(board, "AG !won")
    assert (verdict.holds, verdict.remarks) == (False, (early_verdict.PERHAPS_LONG,))
    assert verdict.trace is not None
    assert verdict.trace.replay().status.name == "WON"
    assert early_verdict.PERHAPS_LONG not in gp.check(board, "AG !won", shortest=True).remarks


@pytest.mark.slow
def test_far_goal_is_found_by_a_solver_at_once() -> None:
    level = gp.level("twenty48/positions/1")
    verdict = gp.check(level, "AG !won")
    assert verdict.holds is False
    assert verdict.trace is not None
    assert (len(verdict.trace.steps) > 1000, verdict.states < 50_000) == (True, True)
    assert early_verdict.PERHAPS_LONG in verdict.remarks


@pytest.mark.slow
def test_goal_near_each_start_of_a_large_given_space_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    space = gp.explore("twenty48/standard/1", limit=gp.Limit(states=50_000))
    monkeypatch.setattr("gridproof.prove.early_verdict._MANY", 40_000)
    monkeypatch.setattr("gridproof.prove.prover.answer", None)
    verdict = gp.check(space, "EF tile(4)")
    assert verdict.holds
    assert verdict.trace is not None
