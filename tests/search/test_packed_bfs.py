"""Searches over packed states: growth, its limits, goals, and the way back."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.games.robots.boards import board

import gridproof as gp
from gridproof.core import limit as limits
from gridproof.games.null import Position
from gridproof.kernels.game import packing_of
from gridproof.search import explore, packed_bfs, solve, state_store
from gridproof.search.kernel_space import PackedSpace
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.rules_space import RulesSpace

LONG = gp.read("@" + "." * 9_000 + "o", "null")[0]
WON = Position(LONG, 9_001)  # type: ignore[arg-type]  # null's


@pytest.fixture(autouse=True)
def by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    monkeypatch.setattr(solve, "_BY_RULES", 1)


def search(level: Any) -> PackedStates:
    found = packing_of(level)
    assert found is not None
    states = PackedStates(*found, [level.start()])
    for _ in states.run():
        pass
    return states


def test_grown_state_store_keeps_its_states() -> None:
    states = search(LONG)
    assert states.count == 9_002
    assert len(states.words) > state_store._FIRST
    for number in range(0, states.count, 997):
        position = states.position(number)
        assert states.number(position) == number
        assert len(states.path(number)) - 1 == (position.walker + 1) // 2  # type: ignore[attr-defined]  # null's


@pytest.mark.slow
@pytest.mark.parametrize("room", [state_store._FIRST, 5000, 9_000])
def test_state_store_is_limited_by_its_numbers(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_store, "MOST_STATES", room)
    found = gp.explore(LONG)
    assert (found.complete, found.stopped_by) == (False, "states")
    assert room - 8 < found.states <= room
    assert sum(found.by_depth) == found.states


@pytest.mark.slow
def test_state_store_does_not_grow_beyond_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_in_use", lambda: 1000)
    found = gp.explore(LONG, limit=gp.Limit(memory=100_000))
    assert (found.complete, found.stopped_by) == (False, "memory")
    assert found.states <= state_store._FIRST
    assert found.trace_to(list(found)[-1]).replay() == list(found)[-1]
    assert gp.explore(LONG, limit=gp.Limit(memory=3_000_000)).complete


@pytest.mark.parametrize("goal", ["won", "lost"])
def test_solver_names_reached_limit(goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "memory_in_use", lambda: 1000)
    answer = gp.solve(LONG, goal=goal, limit=gp.Limit(memory=100_000))
    assert (answer.found, answer.trace, answer.stopped_by) == (None, None, "memory")


def test_search_without_memory_returns_partial_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: PackedStates, *given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(PackedStates, "grow", fail)
    found = gp.explore(LONG)
    assert (found.complete, found.stopped_by) == (False, "memory")
    assert LONG.start() in found


def test_full_state_store_can_be_complete() -> None:
    level = gp.read("@" + "." * (state_store._FIRST - 5) + "o", "null")[0]
    found = gp.explore(level, limit=gp.Limit(memory=1 << 40))
    assert found.complete


GOALS = ["won", "!won", "lost", "ended", "!ended", "at(3)", "!at(0)", "home", "at(9999)"]


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_goals_by_kernel_and_rules_agree(goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.read("@........o", "null")[0]

    def answer() -> object:
        try:
            found = gp.solve(level, goal=goal)
        except gp.GridproofError as error:
            return str(error)
        return found.found, found.cost, found.optimal

    by_kernel = answer()
    monkeypatch.setattr(solve, "_BY_RULES", 10**9)
    assert by_kernel == answer()


@pytest.mark.parametrize("goal", ["nonsense", "at(1", "at()", "won = 3", "at(x)"])
def test_goals_without_meaning_are_refused(goal: str) -> None:
    with pytest.raises(gp.GridproofError):
        gp.solve(LONG, goal=goal)


# -- several cores


def share_all(monkeypatch: pytest.MonkeyPatch, slices: int) -> None:
    """Let all threads work on everything, however little it is."""
    monkeypatch.setattr(packed_bfs, "_ALONE", 1)
    monkeypatch.setattr(packed_bfs, "_FEW", 1)
    monkeypatch.setattr(packed_bfs, "_SLICE", slices)


@pytest.mark.parametrize(("few", "rooms"), [(packed_bfs._FEW, {1}), (1, {1, 2})])
def test_several_threads_get_room_when_there_is_much_to_do(
    few: int, rooms: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_bfs, "_FEW", few)
    ready = packing_of(gp.levels_at("shiftit/boards/25")[0])
    assert ready is not None
    states = PackedStates(*ready, [ready[1].level.start()], threads=2)
    states.prepare()
    assert states._rooms.keys() == {1}
    for _ in states.run(end=1000):
        pass
    assert states._rooms.keys() == rooms


def test_gather_kernel_is_compiled_once_for_a_game() -> None:
    ready = packing_of(LONG)
    assert ready is not None
    PackedStates(*ready, [LONG.start()])
    made = packed_bfs.gather_kernel.cache_info().misses
    PackedStates(*ready, [LONG.start()])
    assert packed_bfs.gather_kernel.cache_info().misses == made


@pytest.mark.parametrize(
    "level", ["sokoban/first-steps/9", "robots/yards/3", "shiftit/boards/1", "twenty48/standard/3"]
)
def test_states_do_not_depend_on_the_number_of_cores(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, slices=7)
    ready = packing_of(gp.levels_at(level)[0])
    assert ready is not None
    starts = list(dict.fromkeys(outcome.position for outcome in ready[1].level.starts()))
    one, three = (PackedStates(*ready, starts, threads=threads) for threads in (1, 3))
    for states in (one, three):
        states.most = 20_000
        for _ in states.run():
            pass
    assert (one.count, one.has_overflow) == (three.count, three.has_overflow)
    assert (one.words[: one.count] == three.words[: one.count]).all()
    assert (one.parents[: one.count] == three.parents[: one.count]).all()
    assert one.transitions == three.transitions


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["won", "bombs = 0", "placed = 2", "at(2,2)", "lost"])
def test_goals_do_not_depend_on_the_number_of_cores(goal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, slices=5)
    level = gp.levels_at("sokoban/bombs/3")[0]
    answers = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(packed_bfs, "available_cores", lambda threads=threads: threads)
        answers.append(gp.solve(level, goal=goal, limit=gp.Limit(states=5_000)))
    first, *others = answers
    for other in others:
        assert (other.found, other.cost, other.trace) == (first.found, first.cost, first.trace)
        assert (other.states, other.stopped_by) == (first.states, first.stopped_by)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by_rules", "most"), [*((0, most) for most in (1, 2, 4095, 4096, 4097, 9_000)), (10**9, 1), (10**9, 100)]
)
def test_search_respects_limit_of_states(most: int, by_rules: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", by_rules)
    found = gp.explore(LONG, limit=gp.Limit(states=most))
    assert (found.states, found.complete, found.stopped_by) == (most, False, "states")
    assert sum(found.by_depth) == most


@pytest.mark.slow
def test_limit_equal_to_number_of_states_is_complete() -> None:
    assert gp.explore(LONG, limit=gp.Limit(states=9_002)).complete
    assert not gp.explore(LONG, limit=gp.Limit(states=9_001)).complete


@pytest.mark.slow
def test_nature_alone_acts_by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.levels_at("robots/races/1")[0]
    limit = gp.Limit(states=400)
    by_kernel = gp.explore(level, "nature", limit)
    monkeypatch.setattr(explore, "_BY_RULES", 10**9)
    by_rules = gp.explore(level, "nature", limit)
    assert isinstance(by_kernel, PackedSpace)
    assert isinstance(by_rules, RulesSpace)
    assert by_kernel.by_depth == by_rules.by_depth
    assert set(by_kernel) == set(by_rules)
    for space_by in (by_kernel, by_rules):
        for position in list(space_by)[1:40]:
            trace = space_by.trace_to(position)
            assert all(str(action) == "exchange" for action in trace.actions)


@pytest.mark.slow
def test_progress_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 3000)
    told: list[int] = []
    gp.explore(LONG, progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 3000


@pytest.mark.slow
@pytest.mark.parametrize("by_rules", [1, 10**9])
def test_actors_are_respected(by_rules: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", by_rules)
    level = board("a=A90 b=B180", "a ? B", "A > b").level
    solution = gp.solve(level, goal="at(b,0,0)", actors="nature")
    assert solution.trace is not None
    assert {str(action) for action in solution.trace.actions} == {"exchange"}


def test_explore_is_equal_when_all_players_are_named() -> None:
    level = gp.levels_at("robots/races/1")[0]
    players = tuple(name for name in level.game.actors(level) if name != "nature")
    assert gp.explore(level, players).engine == gp.explore(level).engine == "breadth-first"
    assert gp.explore(level, players[::-1]).by_depth == gp.explore(level).by_depth


def test_level_without_actions() -> None:
    ready = packing_of(LONG)
    assert ready is not None
    game, packing = ready
    states = PackedStates(game, dataclasses.replace(packing, most=0), [packing.unpack(packing.pack(WON))])
    assert [*states.run()] == [1]
    assert (states.count, states.transitions) == (1, 0)
