"""The solver's answers against a naive search that shares no code with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from gridproof_lights_out import Level as Lights
from tests.extensions import remove_extension

import gridproof as gp
from gridproof.core.game import Measure
from gridproof.core.measure import cost_of
from gridproof.core.position import NATURE, Outcome, Position
from gridproof.core.proposition import parse_goal as goal_of
from gridproof.games.null import Level, Move
from gridproof.games.null import Position as Place
from gridproof.search import solve

NULL = gp.game("null")
EFFORT = Measure(
    "effort",
    "a step left is free, a hop costs 5",
    lambda position, action, outcome: {Move.LEFT: 0, Move.RIGHT: 2, Move.HOP: 5}[action],
)


def naive(level: Any, goal: str, measure: Measure | None = None) -> int | None:
    """The least cost to a goal: all edges are relaxed until nothing changes (Bellman and Ford)."""
    costs = {start.position: 0 for start in level.starts()}
    changed = True
    while changed:
        changed = False
        for position, action, outcome in list(edges(costs)):
            cost = costs[position] + (measure.cost(position, action, outcome) if measure else 1)
            if cost < costs.get(outcome.position, cost + 1):
                costs[outcome.position] = cost
                changed = True
    reached = goal_of(level.game, goal)
    return min((cost for position, cost in costs.items() if reached(position)), default=None)


def edges(positions: dict[Any, int]) -> Iterator[tuple[Position[Any], Any, Outcome[Any]]]:
    for position in positions:
        for action in position.actions():
            for outcome in position.outcomes(action):
                yield position, action, outcome


def agree(level: Any, goal: str = "won", minimise: str = "actions", measure: Measure | None = None) -> bool:
    """Return whether the answers are the same; a trace must lead from a start to the goal at its cost."""
    solution, cost = gp.solve(level, goal=goal, minimise=minimise), naive(level, goal, measure)
    assert (solution.found, solution.cost, solution.optimal) == (cost is not None, cost, True)
    if solution.trace is None:
        return cost is None
    assert goal_of(level.game, goal)(solution.trace.replay())
    assert solution.trace.start in [start.position for start in level.starts()]
    return measure is None or cost_of(solution.trace, measure) == cost


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_solve_agrees_with_naive_search_on_every_row(width: int) -> None:
    for walker, flag in itertools.permutations(range(width), 2):
        level = Level(width, walker, flag)
        assert agree(level)
        for goal in ("ended", "lost", "!home", f"at({width - 1})"):
            assert agree(level, goal)


def test_solve_by_another_measure_agrees_on_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare solvers where actions cost nothing, and where dearer first steps are cheaper in the end."""
    monkeypatch.setitem(NULL.__dict__, "measures", (EFFORT,))
    for walker, flag in itertools.permutations(range(5), 2):
        assert agree(Level(5, walker, flag), "won", "effort", EFFORT)
    assert gp.solve(Level(6, 0, 4), minimise="effort").cost == 8
    assert len(gp.solve(Level(6, 0, 4), minimise="effort").trace.steps) == 4  # type: ignore[union-attr]  # there is one
    assert gp.solve(Level(6, 0, 4), minimise="actions").cost == 2


@pytest.mark.slow
@pytest.mark.parametrize("rows", [("{}{}{}", "{}{}{}"), ("{}{}{}{}{}",), ("{}{}", "{}{}")])
def test_solve_agrees_on_every_board_of_lamps(rows: tuple[str, ...]) -> None:
    cells = sum(row.count("{}") for row in rows)
    answers, presses = [], {}
    for lamps in itertools.product(".O", repeat=cells):
        if "O" in lamps:
            text = "lights:\n" + "\n".join(rows).format(*lamps) + "\n"
            (level,) = gp.read(text)
            assert isinstance(level, Lights)
            assert agree(level)
            answers.append(gp.solve(level).found)
            presses = dict(level.presses)
    assert answers.count(True) == 2 ** rank(presses.values()) - 1


def rank(vectors: Iterable[int]) -> int:
    """The rank of vectors over two elements: so many combinations of presses do different things."""
    basis: list[int] = []
    for vector in vectors:
        rest = vector
        for item in basis:
            rest = min(rest, rest ^ item)
        if rest:
            basis.append(rest)
    return len(basis)


@pytest.mark.parametrize("goal", ["lit = 1", "lit >= 8", "on(0,0)", "lit = 9"])
def test_solve_takes_goals(goal: str) -> None:
    (level,) = gp.read("lights:\n.O.\nO.O\n")
    if goal in ("lit >= 8", "lit = 9"):
        assert gp.solve(level, goal=goal).found is False
    assert agree(level, goal)


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["won", "tile(4)", "empty = 0", "lost", "max_tile >= 8"])
def test_solve_levels_with_random_start(goal: str) -> None:
    """The solver may wish for the start and the tiles; the trace says which."""
    (level,) = gp.read("2048 2x2 spawn=classic target=8\n")
    assert len(list(level.starts())) > 1
    assert agree(level, goal)


# -- what an answer says


def test_solve_starts_from_a_position() -> None:
    solution = gp.solve(Place(Level(9, 0, 8), 7))
    assert (solution.cost, solution.trace and solution.trace.start.text()) == (1, ".......@o\n")
    assert gp.solve(Place(Level(9, 0, 8), 7), goal="home").cost == 7  # there are no hops to the left


def test_solve_returns_empty_trace_when_goal_holds_at_start() -> None:
    solution = gp.solve(Level(4, 1, 3), goal="home")
    assert (solution.found, solution.cost, solution.states) == (True, 0, 1)
    assert solution.trace is not None
    assert solution.trace.steps == ()


def test_solve_for_any_solution() -> None:
    solution = gp.solve(Level(9, 0, 8), minimise=None)
    assert (solution.found, solution.optimal) == (True, False)
    assert solution.trace is not None
    assert solution.cost == len(solution.trace.steps)
    (level,) = gp.read("lights:\nO.\n")
    assert (gp.solve(level, minimise=None).found, gp.solve(level, minimise=None).optimal) == (False, True)


def test_solve_proves_impossible_by_all_positions() -> None:
    (level,) = gp.read("lights:\nO....\n")
    solution = gp.solve(level)
    assert (solution.found, solution.trace, solution.cost, solution.optimal) == (False, None, None, True)
    assert solution.states == 16
    assert solution.seconds > 0


# -- limits are answers


@pytest.mark.parametrize("limit", [gp.Limit(states=0), gp.Limit(seconds=0), gp.Limit(memory=0)])
def test_solve_with_limit_zero_checks_the_start_only(limit: gp.Limit) -> None:
    (level,) = gp.read("lights:\nOOO\nOOO\nOOO\n")
    solution = gp.solve(level, limit=limit)
    assert (solution.found, solution.trace, solution.cost, solution.optimal) == (None, None, None, False)
    assert gp.solve(level, goal="home", limit=limit).found is True


def test_solve_stops_at_limit_of_states() -> None:
    (level,) = gp.read("lights:\nOOO\nOOO\nOOO\n")
    enough = gp.solve(level).states
    stopped = gp.solve(level, limit=gp.Limit(states=enough // 2))
    assert stopped.found is None
    assert enough // 2 <= stopped.states <= enough
    assert gp.solve(level, limit=gp.Limit(states=enough)).found is True


@pytest.mark.slow
def test_solve_reports_progress() -> None:
    told: list[int] = []
    (level,) = gp.read("lights:\nO..O\n....\n...O\n")
    solution = gp.solve(level, goal="lit = 13", progress=told.append)
    assert (solution.found, solution.states) == (False, 4096)
    assert told
    assert told == sorted(told)


# -- who acts


def test_solve_takes_nature_as_actor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walker who only walks to the right, and a wind that blows to the left."""

    def actions(self: Place, actor: str | None = None) -> tuple[Move, ...]:
        if self.won:
            return ()
        if actor == NATURE:
            return (Move.LEFT,) if self.walker else ()
        return (Move.RIGHT,) if self.walker + 1 < self.level.width and actor in (None, "player") else ()

    def outcomes(self: Place, action: Move) -> tuple[Outcome[Place], ...]:
        return (Outcome(Place(self.level, self.walker + (1 if action is Move.RIGHT else -1)), Fraction(1)),)

    monkeypatch.setattr(Place, "actions", actions)
    monkeypatch.setattr(Place, "outcomes", outcomes)
    monkeypatch.setitem(NULL.__dict__, "actors", lambda level: ("player", NATURE))
    remove_extension(monkeypatch, NULL, "kernel")
    level = Level(5, 2, 0)
    assert gp.solve(level).found is False
    assert gp.solve(level, actors="player").found is False
    assert gp.solve(level, actors=("player",)).found is False
    for actors in ("all", NATURE, (NATURE, "player")):
        assert gp.solve(level, actors=actors).cost == 2
    with pytest.raises(gp.GridproofError, match=r"^no actor 'b': the level has player, nature$"):
        gp.solve(level, actors="b")


# -- wrong questions


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"goal": "near"}, "null has no proposition 'near': it has won, lost, ended, home, at"),
        ({"goal": "won &"}, "line 1, column 1: no goal: 'won &' (expected one proposition, not a formula)"),
        ({"goal": "at(9)"}, "at(9): the cells are 0 to 3"),
        ({"minimise": "pushes"}, "null cannot minimise 'pushes'; choose from actions"),
        ({"minimise": ""}, "null cannot minimise ''; choose from actions"),
        ({"actors": "a"}, "no actor 'a': the level has player"),
        ({"actors": ("player", "a")}, "no actor 'a': the level has player"),
    ],
)
def test_solve_refuses_unknown_names(question: dict[str, Any], message: str) -> None:
    with pytest.raises(
        gp.GridproofError,
    ) as caught:
        gp.solve(Level(4, 1, 3), **question)
    assert str(caught.value) == message


@pytest.mark.parametrize("what", [3, None, [Level(4, 1, 3)]])
def test_solve_refuses_other_types(what: Any) -> None:
    with pytest.raises(
        gp.GridproofError, match=rf"^a level or a position is needed, not {type(what).__name__}$"
    ):
        gp.solve(what)


def test_solve_prefers_start_where_goal_holds() -> None:
    """Solve random starts with two fours or twos: some already have what others need an action for."""
    level = gp.read("2048 2x2 spawn=classic target=16\n")[0]
    solution = gp.solve(level, goal="max_tile >= 4")
    assert (solution.found, solution.cost, solution.optimal) == (True, 0, True)


@pytest.mark.slow
def test_breadth_first_search_counts_positions_equally_by_rules_and_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solve, "_WITH_KERNELS", 10**9)
    for number in (7, 8, 10):
        start = gp.levels_at(f"shiftit/boards/{number}")[0].start()
        monkeypatch.setattr(solve, "_BY_RULES", 10**9)
        by_rules = solve.breadth_first(start)
        monkeypatch.setattr(solve, "_BY_RULES", 0)
        by_kernel = solve.breadth_first(start)
        assert (by_rules.engine, by_kernel.engine) == ("rules", "breadth-first")
        assert (by_rules.cost, by_rules.states) == (by_kernel.cost, by_kernel.states)
        with monkeypatch.context() as patch:
            remove_extension(patch, start.level.game, "kernel")
            refused = solve.breadth_first(start)
        assert (refused.engine, refused.refused) == ("rules", "the game has no kernel")
        assert refused.states == by_kernel.states


@pytest.mark.slow
def test_breadth_first_search_finds_the_same_trace_by_rules_and_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Generated levels do not depend on the engine."""
    sizes: dict[str, dict[str, Any]] = {
        "shiftit": {"width": 3, "height": 2},
        "robots": {"width": 5, "height": 4, "robots": 2},
    }
    monkeypatch.setattr(solve, "_WITH_KERNELS", 10**9)
    for name, parameters in sizes.items():
        for seed in range(12):
            start, answers = gp.generate(name, seed, **parameters).start(), list[gp.Solution]()
            for most in (10**9, 0):
                monkeypatch.setattr(solve, "_BY_RULES", most)
                answers.append(solve.breadth_first(start))
            by_rules, by_kernel = answers
            assert (by_rules.engine, by_kernel.engine) == ("rules", "breadth-first")
            assert (by_rules.states, by_rules.trace) == (by_kernel.states, by_kernel.trace)


def test_first_attempt_of_breadth_first_search_is_shorter_when_kernel_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = gp.levels_at("shiftit/boards/7")[0].start()
    monkeypatch.setattr(solve, "_searched", set())
    monkeypatch.setattr(solve, "_WITH_KERNELS", 0)
    monkeypatch.setattr(solve, "_BY_RULES", 10**9)
    assert solve.breadth_first(start).engine == "rules"
    monkeypatch.setattr(solve, "_BY_RULES", 1)
    assert solve.breadth_first(start).engine == "breadth-first"
    monkeypatch.setattr(solve, "_BY_RULES", 10**9)
    assert solve.breadth_first(start).engine == "breadth-first"


def test_solution_prints_boards() -> None:
    solved = gp.solve(Level(4, 1, 3))
    told = str(solved)
    assert told.startswith(f"solved at cost {solved.cost}, the least possible ({solved.states} positions, ")
    assert told.endswith(f"\n\n{solved.trace}\n\n...@")
    assert "\n\n.@.o\n\n" in told
    assert "frozenset" not in told
    stuck = gp.solve(gp.read("#####\n##$ #\n# @.#\n#####\n")[0])
    assert str(stuck).startswith("impossible (")
    none = gp.solve(Level(40, 1, 39), limit=gp.Limit(states=2))
    assert str(none).startswith("no answer, the limit of positions was reached (")
