"""Numbers, edges and values of state spaces: the same by kernels and by rules."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core import proposition
from gridproof.core.limit import Stopped, use_stop
from gridproof.core.position import Level
from gridproof.search import explore as exploring
from gridproof.search import graph as graph_module
from gridproof.search.explore import explore_by_rules
from gridproof.search.graph import Graph, _scale_weights
from gridproof.search.kernel_space import PackedSpace, RankedSpace
from gridproof.search.space import StateSpace
from gridproof.search.two_bit_bfs import TwoBitStates

ROBOTS = """\
robots 3x2
a: rule=A rotation=90
b: rule=B rotation=180
board:
a ? B
A > b
"""
LEVELS: dict[str, Callable[[], Level]] = {
    "null": lambda: gp.read("@.....o", "null")[0],
    "sokoban": lambda: gp.read("Bombs: 1\n\n######\n#@ $.#\n# #  #\n######\n", "sokoban")[0],
    "2048": lambda: gp.read("2048 2x2 spawn=spec target=16\n", "twenty48")[0],
    "shiftit": lambda: gp.levels_at("shiftit/boards")[0],
    "robots": lambda: gp.read(ROBOTS, "robots")[0],
}
TERMS = {
    "null": ("won", "home", "at(3)", "!at(3)"),
    "sokoban": ("won", "lost", "home", "bombs", "bombs = 0", "placed", "box(3,1)", "!box(3,1)"),
    "2048": ("won", "ended", "lost", "empty", "max_tile", "max_tile >= 8", "tile(4)"),
    "shiftit": ("won", "near", "!near", "home", "ended"),
    "robots": ("won", "won(a)", "at(b,1,1)", "rotation(b)", "rotation(b) = 90"),
}


@pytest.fixture
def by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "_BY_RULES", 0)


def edges(space: StateSpace) -> Counter[Any]:
    """All edges in terms of positions, so that the numbering does not matter."""
    graph, positions = space.graph(), list(space)
    found = Counter[Any]()
    for number, position in enumerate(positions):
        for edge in range(graph.offsets[number], graph.offsets[number + 1]):
            action = str(graph.labels[graph.actions[edge]])
            share = Fraction(int(graph.weights[edge]), graph.whole)
            found[position, action, positions[graph.targets[edge]], share] += 1
    return found


@pytest.mark.usefixtures("by_kernel")
@pytest.mark.parametrize("name", LEVELS)
def test_edges_by_kernel_and_rules_agree(name: str) -> None:
    level = LEVELS[name]()
    space, ruled = gp.explore(level), explore_by_rules(level)
    assert space.engine in ("breadth-first", "ranks")
    assert edges(space) == edges(ruled)
    graph = space.graph()
    assert len(graph) == space.transitions == len(graph.targets) == len(graph.actions) == len(graph.weights)
    assert graph.labels == level.all_actions()
    kinds = graph.offsets.dtype, graph.targets.dtype, graph.actions.dtype
    assert kinds == (np.int64, np.int32, np.int32)


@pytest.mark.long
@pytest.mark.usefixtures("by_kernel")
@pytest.mark.parametrize(
    "actors",
    [pytest.param("all", marks=pytest.mark.slow), "a", ("b",), ("nature",), ("b", "nature", "b")],
)
@pytest.mark.clause("R21")
def test_coalitions_and_nature_by_kernel(actors: Any) -> None:
    level = LEVELS["robots"]()
    space, ruled = gp.explore(level, actors), explore_by_rules(level, actors)
    assert isinstance(space, PackedSpace)
    assert list(space) == list(ruled)
    assert space.by_depth == ruled.by_depth
    assert edges(space) == edges(ruled)


@pytest.mark.slow
@pytest.mark.usefixtures("by_kernel")
@pytest.mark.parametrize("name", LEVELS)
def test_values_by_kernel_and_rules_agree(name: str) -> None:
    level = LEVELS[name]()
    space, ruled = gp.explore(level), explore_by_rules(level)
    for term in TERMS[name]:
        meant = proposition.parse_term(level.game, term)
        wanted = [meant(one) if isinstance(meant, proposition.Goal) else meant.value(one) for one in space]
        for found in (space, ruled):
            values = found.values(term)
            assert values.dtype == (bool if isinstance(meant, proposition.Goal) else np.int64), term
            assert len(values) == found.states
        assert space.values(term).tolist() == wanted, term
        by_number = ruled.values(term)
        assert [by_number[ruled.number(one)] for one in space] == wanted, term


@pytest.mark.parametrize("seconds_kernel", [0, 10**9], ids=["kernel", "rules"])
@pytest.mark.parametrize("name", LEVELS)
def test_numbers_are_places_in_breadth_first_order(
    name: str, seconds_kernel: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "_BY_RULES", seconds_kernel)
    space = gp.explore(LEVELS[name]())
    positions = list(space)
    depths = [space.depth(position) for position in positions]
    assert depths == sorted(depths)
    assert tuple(Counter(depths)[depth] for depth in range(len(space.by_depth))) == space.by_depth
    assert [space.number(position) for position in positions] == list(range(space.states))
    assert [space[number] for number in range(space.states)] == positions
    assert space[-1] == positions[-1]
    assert space[np.int64(0)] == positions[0]


@pytest.mark.slow
@pytest.mark.usefixtures("by_kernel")
def test_graphs_by_ranks_and_packed_states_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    level = LEVELS["shiftit"]()
    by_ranks = gp.explore(level)
    assert isinstance(by_ranks, RankedSpace)
    monkeypatch.setattr(TwoBitStates, "size", lambda ranking: 10**18)
    packed = gp.explore(level)
    assert isinstance(packed, PackedSpace)
    assert edges(by_ranks) == edges(packed)
    assert {by_ranks[i] for i in np.flatnonzero(by_ranks.values("near"))} == {
        packed[i] for i in np.flatnonzero(packed.values("near"))
    }


def test_number_refuses_foreign_positions() -> None:
    space = gp.explore(LEVELS["null"]())
    for wrong in (space.states, -space.states - 1, True, "0", 1.0):
        with pytest.raises(gp.GridproofError):
            space[wrong]  # type: ignore[index]  # what is tried
    for other in (gp.read("@..o", "null")[0].start(), "0", None):
        with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
            space.number(other)  # type: ignore[arg-type]  # what is tried


def test_incomplete_space_has_no_graph() -> None:
    level = gp.read("@" + "." * 70 + "o", "null")[0]
    with pytest.raises(
        gp.GridproofError, match=r"^the space is not complete, stopped by states: it has no graph$"
    ):
        gp.explore(level, limit=gp.Limit(states=5)).graph()


def test_values_refuse_unknown_propositions() -> None:
    space = gp.explore(LEVELS["null"]())
    for wrong in ("at(99)", "nothing", "won = 1", "won &"):
        with pytest.raises(gp.GridproofError):
            space.values(wrong)


@pytest.mark.slow
def test_weights_of_one_action_sum_to_the_same_number() -> None:
    offsets, actions = np.array([0, 3, 3, 6]), np.array([0, 0, 1, 1, 1, 1], np.int32)
    weights, whole = _scale_weights(offsets, actions, np.array([1, 2, 1, 1, 1, 2], np.uint8))
    assert (weights.tolist(), whole) == ([4, 8, 12, 3, 3, 6], 12)
    assert weights.dtype == np.uint8
    exact, whole = _scale_weights(offsets, actions, np.array([1, 2, 1, 1, 1, 2], object))
    assert (exact.tolist(), exact.dtype, whole) == ([4, 8, 12, 3, 3, 6], np.uint8, 12)


def test_weights_beyond_64_bits_are_exact() -> None:
    sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]  # their product has 65 bits
    offsets = np.cumsum([0, *sizes])
    weights, whole = _scale_weights(offsets, np.zeros(sum(sizes), np.int32), np.ones(sum(sizes), np.uint8))
    assert whole.bit_length() == 65
    for first, last in itertools.pairwise(offsets.tolist()):
        assert sum(weights[first:last].tolist()) == whole


def test_deterministic_edges_store_no_weights() -> None:
    ones, whole = _scale_weights(np.arange(4), np.zeros(3, np.int32), np.ones(3, np.uint8))
    assert (ones.tolist(), ones.strides, whole) == ([1, 1, 1], (0,), 1)
    level = LEVELS["shiftit"]()
    graph = gp.explore(level).graph()
    assert graph.whole == 1
    assert graph.weights.strides == (0,)


def test_rules_number_actions_that_a_level_does_not_list(monkeypatch: pytest.MonkeyPatch) -> None:
    level = LEVELS["null"]()
    monkeypatch.setattr(type(level), "all_actions", Level.all_actions)
    space = explore_by_rules(level)
    assert sorted(map(str, space.graph().labels)) == ["hop", "left", "right"]
    assert edges(space)


@pytest.mark.usefixtures("by_kernel")
@pytest.mark.parametrize("name", ["sokoban", "robots", "shiftit"])
def test_action_numbers_are_bytes_until_requested(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    space = gp.explore(LEVELS[name]())
    graph = space.graph()
    rows, weights = 8 * (space.states + 1), 0 if 0 in graph.weights.strides else len(graph)
    assert graph.nbytes == rows + weights + 5 * len(graph)
    actions = graph.actions
    assert actions.dtype == np.int32
    assert graph.actions is actions
    assert graph.nbytes == rows + weights + 8 * len(graph)
    monkeypatch.setattr(graph_module, "_BYTE_VALUES", 1)  # as if there were too many actions
    other = space.graph()
    assert other.nbytes == graph.nbytes
    assert (other.actions == actions).all()
    assert (other.weights == graph.weights).all()


def test_choices_of_a_graph() -> None:
    """Two positions with the same action one after the other, and one without any between them."""
    offsets, actions = np.array([0, 3, 3, 5, 5]), np.array([0, 0, 2, 2, 2])
    graph = Graph(offsets, np.zeros(5, np.int32), actions, np.ones(5), 6, ("a", "b", "c"))
    assert graph.choices().tolist() == [0, 2, 3]
    assert graph.sources().tolist() == [0, 0, 0, 2, 2]
    nothing = Graph(np.zeros(2, np.int64), actions[:0], actions[:0], np.ones(0), 1, ())
    assert (nothing.choices().tolist(), nothing.sources().tolist()) == ([], [])


@pytest.mark.parametrize("name", ["2048", "shiftit", "null"])
def test_graph_is_not_built_when_the_work_is_to_end(name: str) -> None:
    space, stop = gp.explore(LEVELS[name]()), threading.Event()
    stop.set()
    with use_stop(stop), pytest.raises(Stopped):
        space.graph()
    assert len(space.graph()) == space.transitions
