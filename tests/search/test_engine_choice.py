"""Choice of an engine by name: it answers, or says why it does not take the question."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from tests.extensions import put_extension

import gridproof as gp
from gridproof.core.game import Measure
from gridproof.core.measure import ANY
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move, Position
from gridproof.games.null.kernel import KERNEL as NULL_KERNEL
from gridproof.kernels.compile import kernel
from gridproof.search import solve
from gridproof.search.question import GoalQuestion, build_goal_question, build_question
from gridproof.search.refusal import Refused
from gridproof.search.solve import solver_measures, solvers
from gridproof.search.solver import Solver
from gridproof.search.warm import load_solvers

NULL = gp.game("null")
LARGE = "#" * 70 + "\n#@-$." + "-" * 64 + "#\n" + "#" * 70 + "\nBombs: 1\n"


def level_of(name: str) -> gp.Level:
    return gp.levels_at(name)[0]


def names(game: str) -> list[str]:
    return [engine.name for engine in solvers(gp.game(game))]


def test_engines_of_each_game() -> None:
    shared = ["both-ends", "greedy", "a-star", "breadth-first", "uniform-cost", "rules-both-ends", "rules"]
    assert names("null") == [name for name in shared if name != "uniform-cost"]
    own = ["greedy-pushes", "fewest-pushes", "fewest-pushes-then-moves", "fewest-moves"]
    assert names("sokoban") == [*own, *shared]
    assert names("robots") == ["breadth-first", "rules"]
    assert "both-ends" not in names("twenty48")
    assert names("shiftit") == [
        *("listed-wins", "alike-as-one", "both-ends", "breadth-first", "rules-both-ends", "rules")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "question", "engines"),
    [
        ("sokoban/first-steps/2", {}, ("fewest-moves", "a-star", "breadth-first", "uniform-cost", "rules")),
        ("sokoban/first-steps/2", {"minimise": "pushes"}, ("fewest-pushes", "uniform-cost", "rules")),
        ("shiftit/boards/7", {}, ("listed-wins", "alike-as-one", "breadth-first", "rules")),
        ("null/first/2", {}, ("both-ends", "breadth-first", "rules-both-ends", "rules")),
        ("lights_out/first/2", {}, ("both-ends", "breadth-first", "rules-both-ends", "rules")),
    ],
)
def test_engines_that_take_a_question_agree(
    name: str, question: dict[str, Any], engines: tuple[str, ...]
) -> None:
    level = level_of(name)
    found = [gp.solve(level, **question, solver=engine) for engine in engines]
    assert [answer.engine for answer in found] == [*engines]
    assert {(answer.found, answer.cost, answer.optimal) for answer in found} == {(True, found[0].cost, True)}
    assert {answer.refused for answer in found} == {""}


def test_engine_of_an_answer_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", 1)
    for name in ("sokoban/bombs/1", "twenty48/standard/3", "shiftit/boards/12", "null/first/2"):
        level = level_of(name)
        found = gp.solve(level)
        again = gp.solve(level, solver=found.engine)
        assert (again.cost, again.states, again.engine) == (found.cost, found.states, found.engine)


@pytest.mark.slow
def test_engine_that_is_not_optimal_finds_a_solution() -> None:
    level = level_of("sokoban/workshop/3")
    greedy = gp.solve(level, "pushes", solver="greedy-pushes")
    best = gp.solve(level, "pushes")
    assert (greedy.found, greedy.optimal, best.optimal) == (True, False, True)
    assert greedy.cost is not None
    assert best.cost is not None
    assert greedy.cost >= best.cost
    tiles = gp.read("2048 2x2 target=16\n2 2\n0 2\n")[0]
    assert gp.solve(tiles, solver="greedy").optimal is False
    assert gp.solve(tiles, solver="a-star").optimal is True


@pytest.mark.parametrize(
    ("level", "solver", "question", "reason"),
    [
        ("sokoban/first-steps/2", "a-star", {"minimise": "moves"}, "it minimises actions or any, not moves"),
        (
            "sokoban/first-steps/2",
            "a-star",
            {"goal": "placed = 1"},
            "there is no lower bound on the actions until placed",
        ),
        (
            "sokoban/first-steps/2",
            "a-star",
            {"goal": "!won"},
            "there is no lower bound on the actions until won",
        ),
        (
            "sokoban/first-steps/2",
            "breadth-first",
            {"minimise": "pushes"},
            "it minimises actions or any, not pushes",
        ),
        ("sokoban/first-steps/2", "both-ends", {}, "the positions in which won holds are not listed"),
        ("sokoban/bombs/1", "both-ends", {"goal": "home"}, "the kernel has no predecessors"),
        ("sokoban/bombs/1", "rules-both-ends", {"goal": "home"}, "the rules have no predecessors"),
        ("sokoban/bombs/1", "fewest-moves", {}, "bombs are actions, but free for this solver"),
        ("sokoban/first-steps/2", "fewest-pushes", {}, "it minimises pushes, not actions"),
        ("sokoban/first-steps/2", "fewest-pushes", {"minimise": None}, "it minimises pushes, not any"),
        (
            "sokoban/first-steps/2",
            "fewest-moves",
            {"goal": "lost"},
            "it solves for a win by all players from one position only",
        ),
        (
            "shiftit/boards/1",
            "listed-wins",
            {"goal": "near"},
            "it solves for a win by all players from one position only",
        ),
        ("shiftit/boards/1", "rules-both-ends", {}, "the positions in which won holds are not listed"),
        (LARGE, "breadth-first", {}, "the level is too large for the kernel"),
        (LARGE, "a-star", {}, "the level is too large for the kernel"),
        (LARGE, "uniform-cost", {"minimise": "pushes"}, "the level is too large for the kernel"),
        (LARGE, "both-ends", {"goal": "home"}, "the level is too large for the kernel"),
    ],
)
def test_refusal_of_engine_has_reason(level: str, solver: str, question: dict[str, Any], reason: str) -> None:
    asked_of = gp.read(level)[0] if "\n" in level else level_of(level)
    with pytest.raises(
        gp.GridproofError,
    ) as caught:
        gp.solve(asked_of, **question, solver=solver)
    assert str(caught.value) == f"the solver {solver} cannot solve this: {reason}"


@pytest.mark.parametrize(("solver", "goal"), [("a-star", "at(3)"), ("both-ends", "home")])
def test_engines_for_all_players_refuse_coalitions(
    monkeypatch: pytest.MonkeyPatch, solver: str, goal: str
) -> None:
    monkeypatch.setitem(NULL.__dict__, "actors", lambda level: ("player", "other"))
    with pytest.raises(
        gp.GridproofError,
        match=rf"^the solver {solver} cannot solve this: (it solves|its bound holds) for the actions of all players only$",
    ):
        gp.solve(Level(9, 0, 8), goal=goal, actors=("player",), solver=solver)


@pytest.mark.parametrize("name", ["magic", "", "RULES", 5])
def test_unknown_solver_is_refused_with_choices(name: Any) -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^robots has no solver .*; choose from breadth-first, rules$"
    ):
        gp.solve(level_of("robots/races/1"), solver=name)


@pytest.mark.slow
def test_chosen_engine_runs_to_its_end_or_the_limit() -> None:
    level = level_of("sokoban/workshop/3")
    assert gp.solve(level, solver="breadth-first", limit=gp.Limit(states=50)).stopped_by == "states"
    rules = gp.solve(level, "pushes", solver="rules", limit=gp.Limit(states=20_000))
    assert (rules.found, rules.states, rules.stopped_by) == (None, 20_000, "states")


@pytest.fixture
def two_walk(monkeypatch: pytest.MonkeyPatch) -> Any:
    """null played by two, one of whom steps and the other hops, with an effort to be minimised; the kernel knows it."""

    def owner(self: Level, action: Move) -> str:
        return "hopper" if action is Move.HOP else "walker"

    def own(self: Position, actor: str | None = None) -> tuple[Move, ...]:
        return tuple(move for move in everybodys(self) if actor in (None, owner(self.level, move)))

    @kernel
    def effort(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
        return 5 if action == 2 else 1

    everybodys = Position.actions
    efforts = Measure("effort", "5 a hop", lambda position, action, outcome: 5 if action is Move.HOP else 1)
    module: Any = ModuleType("walked_by_two")
    module.KERNEL = replace(NULL_KERNEL, search=replace(NULL_KERNEL.search, cost=effort))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(Position, "actions", own)
    monkeypatch.setattr(Level, "owner", owner)
    for name, value in {
        "actors": lambda level: ("walker", "hopper"),
        "measures": (efforts,),
        "kernel": module.__name__,
    }.items():
        monkeypatch.setitem(NULL.__dict__, name, value)


@pytest.mark.slow
@pytest.mark.usefixtures("two_walk")
@pytest.mark.parametrize(
    ("actors", "goal", "minimise", "cost"),
    [
        (None, "at(6)", "actions", 2),
        ("walker", "at(6)", "actions", 4),
        ("hopper", "at(6)", "actions", 2),
        ("hopper", "at(1)", "actions", None),
        ("hopper", "at(1)", None, None),
        (None, "at(6)", "effort", 4),
        ("hopper", "at(6)", "effort", 10),
        ("hopper", "at(1)", "effort", None),
        (("hopper", "walker"), "at(1)", "effort", 1),
    ],
)
@pytest.mark.parametrize("solver", ["rules", "uniform-cost"])
def test_chosen_engine_respects_actors(
    actors: Any, goal: str, minimise: str | None, cost: int | None, solver: str
) -> None:
    solution = gp.solve(Level(9, 2, 8), minimise, goal, actors, solver=solver)
    assert (solution.found, solution.cost) == (cost is not None, cost)


# -- a game's own


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[GoalQuestion]:
    """A walker with solvers of its own; what they were asked."""
    own = (
        Solver("slow", "right, step by step", f"{__name__}:slow", ("actions", ANY), optimal=False),
        Solver("picky", "refuses", f"{__name__}:picky"),
        Solver("wrong", "goes nowhere", f"{__name__}:wrong", refuses=lambda position, minimise: _FUSSY[0]),
    )
    put_extension(monkeypatch, NULL, "solvers", own)
    monkeypatch.setattr(solve, "_BY_RULES", 0)
    ASKED.clear()
    _FUSSY[:] = ["it is not in the mood"]
    return ASKED


ASKED: list[GoalQuestion] = []
_FUSSY = [""]


def slow(question: GoalQuestion) -> gp.Solution:
    ASKED.append(question)
    start: Any = question.starts[0]
    steps = [Step(Move.RIGHT)] * (start.level.flag - start.walker)
    return question.solved(Trace(start, tuple(steps)), len(steps) + 1)


def picky(question: GoalQuestion) -> gp.Solution:
    raise Refused("the row is not to its taste")


def wrong(question: GoalQuestion) -> gp.Solution:
    return question.solved(Trace(question.starts[0], ()), 1)


@pytest.mark.slow
def test_first_own_solver_that_takes_the_question_answers(walks: list[GoalQuestion]) -> None:
    level = Level(9, 0, 8)
    some = gp.solve(level, None)
    assert (some.engine, some.cost, some.optimal, some.states) == ("slow", 8, False, 9)
    assert len(walks) == 1
    fewest = gp.solve(level)
    assert (fewest.engine, fewest.cost, fewest.refused) == ("both-ends", 4, "the row is not to its taste")
    assert len(walks) == 1  # it proves nothing, so that it is not asked


def test_own_solver_can_be_chosen(walks: list[GoalQuestion]) -> None:
    level = Level(9, 0, 8)
    chosen = gp.solve(level, solver="slow")
    assert (chosen.engine, chosen.cost, chosen.optimal) == ("slow", 8, False)
    with pytest.raises(
        gp.GridproofError, match=r"^the solver picky cannot solve this: the row is not to its taste$"
    ):
        gp.solve(level, solver="picky")
    with pytest.raises(
        gp.GridproofError, match=r"^the solver wrong cannot solve this: it is not in the mood$"
    ):
        gp.solve(level, solver="wrong")
    with pytest.raises(
        gp.GridproofError,
        match=r"^null has no solver 'fast'; choose from slow, picky, wrong, both-ends, greedy, a-star, breadth-first, rules-both-ends, rules$",
    ):
        gp.solve(level, solver="fast")


@pytest.mark.usefixtures("walks")
def test_answers_of_own_solvers_are_checked() -> None:
    _FUSSY[:] = [""]
    with pytest.raises(
        gp.GridproofError,
        match=r"^the solver wrong of null: a solver and the rules disagree about the goal; please report this level$",
    ):
        gp.solve(Level(9, 0, 8), solver="wrong")


def test_measures_of_each_solver() -> None:
    told = {
        engine.name: solver_measures(engine, gp.game("sokoban")) for engine in solvers(gp.game("sokoban"))
    }
    assert told["rules"] == told["uniform-cost"] == ("actions", "moves", "pushes", "any")
    assert told["fewest-pushes"] == ("pushes",)


# -- a question is one value


def test_level_is_packed_once_for_all_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridproof.search import packed_bfs

    calls: list[Any] = []
    prepare_packing = packed_bfs.prepare_packing

    def record(*of: Any) -> Any:
        calls.append(of)
        return prepare_packing(*of)

    monkeypatch.setattr(packed_bfs, "prepare_packing", record)
    question = build_goal_question(gp.read(LARGE)[0])
    for _ in range(3):
        with pytest.raises(Refused, match=r"^the level is too large for the kernel$"):
            question.load_packing()
    assert len(calls) == 1
    plain = build_question(level_of("null/first/2"))
    assert plain.load_packing() is plain.load_packing()
    assert len(calls) == 2


def test_rules_get_less_time_when_kernels_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_loaded", set())
    monkeypatch.setattr(solve, "_WITH_KERNELS", 0)
    level = gp.read("..@...o\n", "null")[0]
    assert gp.solve(level).engine == "rules"
    assert list(load_solvers(level.game))
    assert gp.solve(level).engine != "rules"


def test_rules_get_less_time_once_an_engine_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_loaded", set())
    monkeypatch.setattr(solve, "_ONE_OF_MANY", 0)
    level = gp.read("..@...o\n", "null")[0]
    assert gp.solve(level).engine == "rules"
    with monkeypatch.context() as few:
        few.setattr(solve, "_BY_RULES", 1)
        assert gp.solve(level).engine != "rules"
    assert gp.solve(level).engine != "rules"
    assert gp.solve(level, minimise=None).engine == "rules"
    assert gp.solve(level, limit=gp.Limit(states=1000)).engine == "rules"


def test_rules_get_less_time_for_one_of_many_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_loaded", set())
    monkeypatch.setattr(solve, "_ONE_OF_MANY", 0)
    question = build_goal_question(gp.read("..@...o\n", "null")[0])
    assert solve.solution_of(question).engine == "rules"
    assert solve.solution_of(question, is_one_of_many=True).engine != "rules"
