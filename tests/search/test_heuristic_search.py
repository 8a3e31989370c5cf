"""Searches with a direction: A* by a game's bound, and from both ends by its predecessors."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.extensions import remove_extension

import gridproof as gp
from gridproof.core import limit as limits
from gridproof.core.measure import ACTIONS
from gridproof.core.proposition import parse_goal as goal_of
from gridproof.core.rng import Rng
from gridproof.games.null import Level, Position
from gridproof.search import best_first, goals, solve
from gridproof.search.best_first import BestFirstStates
from gridproof.search.bidirectional import BidirectionalStates
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.question import build_goal_question
from gridproof.search.rules_search import BidirectionalRulesSearch, ForwardSearch

NULL = gp.game("null")
ENGINES: tuple[Any, ...] = (
    ForwardSearch,
    BidirectionalRulesSearch,
    PackedStates,
    BestFirstStates,
    BidirectionalStates,
)


def naive(position: Any, goal: str) -> int | None:
    """Breadth-first search that shares no code with the engines."""
    reached, depth = goal_of(position.level.game, goal), 0
    layer, seen = [position], {position}
    while layer:
        if any(map(reached, layer)):
            return depth
        found = {
            outcome.position
            for each in layer
            for action in each.actions()
            for outcome in each.outcomes(action)
            if outcome.position not in seen
        }
        seen |= found
        layer, depth = list(found), depth + 1
    return None


@pytest.fixture(autouse=True)
def engines(monkeypatch: pytest.MonkeyPatch) -> set[type]:
    """Record which engines run, when the rules give up at once."""
    monkeypatch.setattr(solve, "_BY_RULES", 1)
    ran: set[type] = set()
    for engine in ENGINES:
        monkeypatch.setattr(engine, "run", _recorder(engine.run, engine, ran))
    return ran


def _recorder(run: Any, engine: type, ran: set[type]) -> Any:
    def record(self: Any, *arguments: Any) -> Any:
        if type(self) is engine:
            ran.add(engine)
        return run(self, *arguments)

    return record


def without_kernel(monkeypatch: pytest.MonkeyPatch, game: gp.Game) -> None:
    remove_extension(monkeypatch, game, "kernel")


def agree(position: Any, goal: str) -> int | None:
    """The fewest actions, the same as by naive search; the trace leads there."""
    solution, cost = gp.solve(position, goal=goal), naive(position, goal)
    assert (solution.found, solution.cost, solution.optimal) == (cost is not None, cost, True)
    if solution.trace:
        assert goal_of(position.level.game, goal)(solution.trace.replay())
        assert (solution.trace.start, len(solution.trace.steps)) == (position, cost)
    return cost


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [True, False])
def test_a_star_solves_every_row(kernel: bool, monkeypatch: pytest.MonkeyPatch, engines: set[type]) -> None:
    if not kernel:
        without_kernel(monkeypatch, NULL)
    for width in (2, 3, 4):
        for walker, flag in itertools.permutations(range(width), 2):
            if width == 4 and flag < 3:
                continue  # three cells have had all of that
            level = Level(width, walker, flag)
            for place in range(width):
                for goal in ("won", "home", f"at({width - 1})", "at(0)", f"!at({walker})"):
                    agree(Position(level, place), goal)
    both, best_first = (
        (BidirectionalStates, BestFirstStates) if kernel else (BidirectionalRulesSearch, ForwardSearch)
    )
    assert {both, best_first, ForwardSearch} <= engines


def walk(level: Any, seed: int, steps: int) -> Any:
    rng, position = Rng(seed), level.start()
    for _ in range(steps):
        if actions := position.actions():
            position = position.step(rng.choice(actions), rng).position
    return position


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("place", [5, 13, 17])
def test_shifted_tiles_return_home(
    place: int, kernel: bool, monkeypatch: pytest.MonkeyPatch, engines: set[type]
) -> None:
    level = gp.levels_at(f"shiftit/boards/{place}")[0]
    if not kernel:
        without_kernel(monkeypatch, level.game)
    for seed in range(4):
        agree(walk(level, seed, 4), "home")
    assert (BidirectionalStates if kernel else BidirectionalRulesSearch) in engines


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [True, False])
def test_boxes_return_home(kernel: bool, monkeypatch: pytest.MonkeyPatch, engines: set[type]) -> None:
    """Pushes cannot be undone: often there is none."""
    if not kernel:
        without_kernel(monkeypatch, gp.game("sokoban"))
    level = gp.read("######\n#@ $.#\n# $  #\n#  . #\n######\n")[0]
    costs = [agree(walk(level, seed, 6), "home") for seed in range(12)]
    assert None in costs
    assert any(costs)
    assert (BidirectionalStates if kernel else BidirectionalRulesSearch) in engines


def test_states_with_very_many_outcomes_are_expanded_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_first, "_OUTCOMES", 1)
    search = goals.best_first_search(build_goal_question(Level(9, 2, 8), goal="at(7)"))
    assert list(itertools.islice(search.run(), 2)) == [4, 6]


def test_known_goals_work_without_predecessors(engines: set[type]) -> None:
    """A bomb that is used up is gone, so that nothing tells the predecessors."""
    level = gp.levels_at("sokoban/bombs/1")[0]
    assert agree(walk(level, 0, 3), "home") is None
    start = level.start()
    for text in ("up", "up"):
        start = (
            start.step(start.action(text), Rng(0)).position if text in map(str, start.actions()) else start
        )
    assert agree(start, "home") == 1
    assert {PackedStates} <= engines
    assert not {BidirectionalStates, BidirectionalRulesSearch} & engines


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "2048 2x2 spawn=classic target=16\n",
        "2048 2x2 spawn=spec target=8\n",
        "2048 3x2 spawn=spec target=16\n",
    ],
)
def test_a_star_solves_tiles(
    text: str, kernel: bool, monkeypatch: pytest.MonkeyPatch, engines: set[type]
) -> None:
    level = gp.read(text)[0]
    if not kernel:
        without_kernel(monkeypatch, level.game)
    for seed in range(4):
        for goal in ("won", "tile(8)", "tile(32)" if "2x2" in text else "won"):
            agree(walk(level, seed, seed), goal)
    assert (BestFirstStates if kernel else ForwardSearch) in engines


@pytest.mark.slow
def test_a_star_solves_boxes_with_bombs(engines: set[type]) -> None:
    """Fewest actions, of which bombs count: the game's own solver takes them to cost nothing."""
    for place in (1, 2, 3):
        agree(gp.levels_at(f"sokoban/bombs/{place}")[0].start(), "won")
    assert BestFirstStates in engines


@pytest.mark.slow
@pytest.mark.parametrize("tile", [16, 32])
def test_a_star_needs_fewer_positions_than_breadth_first_search(tile: int) -> None:
    level = gp.read("2048 3x2 spawn=classic target=64\n")[0]
    question = build_goal_question(level.start(), goal=f"tile({tile})")
    best_first, breadth_first = goals.best_first_search(question, 1), goals.breadth_first_search(question)
    for search in (best_first, breadth_first):
        for _ in search.run():
            pass
    assert best_first.goal is not None
    assert breadth_first.goal is not None
    assert len(best_first.path(best_first.goal)) == len(breadth_first.path(breadth_first.goal))
    assert best_first.count < breadth_first.count / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spawn", "appears", "merges"), [("classic", 4, 9), pytest.param("spec", 2, 10, marks=pytest.mark.slow)]
)
def test_fewest_moves_to_a_tile(spawn: str, appears: int, merges: int) -> None:
    """No move adds more than one tile of that size, and the last of them has to combine so often."""
    start = gp.read(f"2048 4x4 spawn={spawn} target=2048\n")[0].start()
    solution = gp.solve(start)
    missing = 2048 - sum(start.cells)  # type: ignore[attr-defined]  # 2048's
    assert (solution.found, solution.optimal) == (True, True)
    assert solution.cost == -(-missing // appears) + merges


# -- limits


@pytest.mark.parametrize(
    ("text", "goal"),
    [("2048 4x4 spawn=spec target=2048\n", "won"), ("2048 4x4 spawn=classic target=65536\n", "tile(65536)")],
)
@pytest.mark.parametrize("name", ["states", "memory"])
def test_limits_of_a_star(
    text: str, goal: str, name: str, monkeypatch: pytest.MonkeyPatch, engines: set[type]
) -> None:
    monkeypatch.setattr(limits, "memory_in_use", lambda: 1000)
    limit = gp.Limit(states=20_000) if name == "states" else gp.Limit(memory=1_000_000)
    answer = gp.solve(gp.read(text)[0].start(), goal=goal, limit=limit)
    assert (answer.found, answer.trace, answer.stopped_by) == (None, None, name)
    assert BestFirstStates in engines


@pytest.mark.slow
@pytest.mark.parametrize("name", ["states", "memory"])
def test_limits_of_bidirectional_search(
    name: str, monkeypatch: pytest.MonkeyPatch, engines: set[type]
) -> None:
    monkeypatch.setattr(limits, "memory_in_use", lambda: 1000)
    limit = gp.Limit(states=5000) if name == "states" else gp.Limit(memory=50_000)
    level = gp.levels_at("shiftit/boards/8")[0]
    answer = gp.solve(walk(level, 3, 40), goal="home", limit=limit)
    assert (answer.found, answer.trace, answer.stopped_by) == (None, None, name)
    assert answer.states <= 5000 or name != "states"
    assert BidirectionalStates in engines


@pytest.mark.parametrize("most", [100, 1000, 5000])
@pytest.mark.parametrize("kernel", [True, False])
def test_bidirectional_search_respects_limit_of_states(
    most: int, kernel: bool, monkeypatch: pytest.MonkeyPatch, engines: set[type]
) -> None:
    lights = "lights:\n" + ".......\n" * 6 + "......O\n"
    level = gp.read(lights)[0]
    if not kernel:
        without_kernel(monkeypatch, level.game)
    answer = gp.solve(level, limit=gp.Limit(states=most))
    assert (answer.found, answer.stopped_by) == (None, "states")
    assert answer.states <= most
    assert (BidirectionalStates if kernel else BidirectionalRulesSearch) in engines


@pytest.mark.slow
def test_search_checks_the_clock_when_nothing_new_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 4 x 4 lamps many presses lead to what is known."""
    level = gp.read("lights:\nOO..\n.O..\n....\n...O\n")[0]
    seen = 0

    def count(positions: Any) -> Any:
        nonlocal seen
        for position in positions:
            seen += 1
            yield position

    predecessors = level.game.predecessors
    assert predecessors is not None
    dark = list(goal_of(level.game, "won").where(level) or ())
    search = BidirectionalRulesSearch([level.start()], dark, lambda position: count(predecessors(position)))
    looks = list(itertools.takewhile(lambda looked: looked < 10_000, (seen for _ in search.run())))
    assert search.goal is None
    assert seen >= 10_000
    assert max(after - before for before, after in itertools.pairwise(looks)) <= 256


def test_search_does_not_grow_where_that_lasts_longer_than_the_limit() -> None:
    level = gp.read("2048 3x2 spawn=classic target=64\n")[0]
    search = goals.best_first_search(build_goal_question(level.start(), goal="tile(16)"), 1)
    meter = gp.Limit(seconds=100).start()
    assert search.is_full
    assert search.can_continue(meter)
    search._growth_seconds = 60.0
    assert not search.can_continue(meter)
    assert meter.stopped_by == "seconds"


def test_forward_search_by_rules_can_be_continued() -> None:
    start = Level(9, 0, 8).start()
    search = ForwardSearch([start], goal_of(NULL, "won"), ACTIONS, (None,))
    meter = gp.Limit().start()
    for _ in search.run(meter, 3):
        pass
    assert (search.goal, search.is_exhausted, search.cost) == (None, False, None)
    for _ in search.run(meter):
        pass
    assert (search.cost, search.is_exhausted) == (4, False)
