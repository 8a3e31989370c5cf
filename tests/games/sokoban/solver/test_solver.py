"""The solver against plain search through the rules, and against known lengths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.boards import winnable
from tests.measurement import examples
from tests.packs import titled

import gridproof as gp
from gridproof.core import limit as limits
from gridproof.core.generate import measure_difficulty
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.solver import board, expand, pull_search
from gridproof.games.sokoban.solver import search as forwards
from gridproof.search import solve as search
from gridproof.search.refusal import Declined

SOLVERS = {"pushes": "fewest-pushes", "moves": "fewest-moves", "actions": "fewest-moves"}
MEASURES = tuple(SOLVERS)


def by_rules(position: Position, measure: str) -> int | None:
    """Uniform-cost search through the rules, whatever the size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_BY_RULES", 10**9)
        return gp.solve(position, minimise=measure).cost


def by_solver(position: Position, measure: str) -> int | None:
    solution = gp.solve(position, measure, solver=SOLVERS[measure])
    assert solution.engine == SOLVERS[measure]
    assert solution.found is (solution.cost is not None)
    assert solution.optimal
    if solution.trace is not None:
        assert solution.trace.replay().won
    return solution.cost


@st.composite
def small_levels(draw: st.DrawFn, bombs: int = 0) -> Level:
    less = bool(bombs)  # they make many more positions, all of which the rules go through
    width, height = draw(st.integers(3, 6 - less)), draw(st.integers(3, 5 - less))
    cells = [(x, y) for x in range(width) for y in range(height)]
    player, *rest = draw(st.permutations(cells))
    boxes = draw(st.integers(1, 2))
    walls = rest[2 * boxes :][: draw(st.integers(0, len(cells) // 2 if bombs else len(cells) // 3))]
    return Level(player, bombs, rest[:boxes], rest[boxes : 2 * boxes], walls, (width, height))


@pytest.mark.slow
@pytest.mark.plain
@given(small_levels(), st.sampled_from(MEASURES))
@examples(80)
def test_random_levels_as_by_the_rules(level: Level, measure: str) -> None:
    assert by_solver(level.start(), measure) == by_rules(level.start(), measure)


@pytest.fixture
def soon_backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search backwards begin at once, and know little for long."""
    monkeypatch.setattr(forwards, "_MANY", 0)
    monkeypatch.setattr(forwards, "_CHUNK", 1)  # 16 expansions
    monkeypatch.setattr(pull_search, "_FIRST", 64)


def check_winnable(seeds: range) -> None:
    for level in map(winnable, seeds):
        if len(level.boxes) < 4 and level.size[0] * level.size[1] < 36:
            assert by_solver(level.start(), "pushes") == by_rules(level.start(), "pushes"), level.text()


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.usefixtures("soon_backwards")
def test_backwards_as_well_as_by_the_rules() -> None:
    check_winnable(range(2000, 2015))


@pytest.mark.slow
@pytest.mark.usefixtures("soon_backwards")
def test_backwards_as_well_as_by_the_rules_on_more() -> None:
    check_winnable(range(2015, 2100))


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.usefixtures("soon_backwards")
def test_backwards_as_the_pack_says() -> None:
    for level in builtin_pack(gp.game("sokoban"), "drawn-lots")[:14]:
        assert by_solver(level.start(), "pushes") == int(level.keys["Pushes"])  # type: ignore[arg-type]  # Sokoban's


def check_efforts(seeds: range, share: float) -> None:
    """Check for the pushes of the plain search, and at most this share of its states."""
    efforts = {True: 0, False: 0}
    for level in map(winnable, seeds):
        costs = set()
        for plain in efforts:
            search = forwards.PushSearch(board.Board(level.start()), by_moves=False, plain=plain)
            assert [*search.run()]
            assert search.goal is not None
            costs.add(int(search.figures[search.goal, expand.COST]))
            efforts[plain] += search.forward_states
        assert len(costs) == 1, level.text()
    assert efforts[False] < share * efforts[True]


def test_corrals_find_as_few_pushes_in_fewer_states() -> None:
    check_efforts(range(3000, 3025), 0.95)


@pytest.mark.slow
@pytest.mark.usefixtures("soon_backwards")
def test_backwards_as_few_pushes_as_the_plain_search() -> None:
    check_efforts(range(3100, 4500), 0.95)


@pytest.mark.slow
@pytest.mark.plain
@given(st.integers(1, 2).flatmap(small_levels), st.sampled_from(("pushes", "moves")))
@examples(60)
@pytest.mark.clause("K7", "K8", "K10")
def test_random_levels_with_bombs_as_by_the_rules(level: Level, measure: str) -> None:
    assert by_solver(level.start(), measure) == by_rules(level.start(), measure)


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("measure", ["pushes", "moves"])
@pytest.mark.parametrize("places", [slice(0, 2), pytest.param(slice(2, 6), marks=pytest.mark.slow)], ids=str)
def test_bombs_of_the_pack_as_by_the_rules(places: slice, measure: str) -> None:
    for level in builtin_pack(gp.game("sokoban"), "bombs")[places]:
        start = level.start()
        assert isinstance(start, Position)
        assert by_solver(start, measure) == by_rules(start, measure), level.title


@pytest.mark.parametrize("measure", MEASURES)
def test_pack_levels_as_by_the_rules(measure: str) -> None:
    quick = [level for level in builtin_pack(gp.game("sokoban"), "first-steps") if isinstance(level, Level)][
        :5
    ]
    assert quick
    for level in quick:
        assert by_solver(level.start(), measure) == by_rules(level.start(), measure), level.title


def test_boxes_that_nobody_reaches_must_be_in_their_places() -> None:
    rows = "#######\n#@$.#{}#\n#######\n"
    assert by_solver(gp.read(rows.format("*"))[0].start(), "pushes") == 1  # type: ignore[arg-type]  # Sokoban's
    apart = gp.read("########\n#@$.#$.#\n########\n")[0].start()
    assert by_solver(apart, "pushes") is None  # type: ignore[arg-type]  # Sokoban's


@pytest.mark.slow
@pytest.mark.plain
def test_any_win_with_bombs_is_replayed() -> None:
    for level in builtin_pack(gp.game("sokoban"), "bombs"):
        solution = gp.solve(level, None, solver="greedy-pushes")
        assert solution.trace is not None
        assert solution.cost == len(solution.trace.steps)
        assert not solution.optimal


def test_solvers_decline_other_questions() -> None:
    level = gp.read("#####\n#@$.#\n#####\nBombs: 1\n")[0]
    with pytest.raises(
        Declined, match="fewest-moves cannot solve this: bombs are actions, but free for this solver"
    ):
        gp.solve(level, solver="fewest-moves")
    with pytest.raises(Declined, match="fewest-pushes cannot solve this: it minimises pushes, not any"):
        gp.solve(level, None, solver="fewest-pushes")
    with pytest.raises(Declined, match="it solves for a win by all players from one position only"):
        gp.solve(level, "pushes", "box(1,1)", solver="fewest-pushes")
    for bombs in (0, 1):
        wide = Level((0, 0), bombs, [(2, 2)], [(3, 3)], [], (100, 100))
        with pytest.raises(Declined, match="too large"):
            gp.solve(wide, "pushes", solver="fewest-pushes")


@pytest.mark.slow
@pytest.mark.plain
def test_solver_declines_when_wall_patterns_exceed_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    start = titled("sokoban/bombs", "Six Cells").start()
    assert by_solver(start, "pushes") == (cost := by_rules(start, "pushes")) is not None
    monkeypatch.setattr(limits, "memory_in_use", lambda: 1000)
    with pytest.raises(Declined, match="more wall patterns than the game's solver has memory for"):
        gp.solve(start, "pushes", limit=gp.Limit(memory=30_000), solver="fewest-pushes")
    monkeypatch.setattr(search, "_BY_RULES", 1)
    another = gp.solve(start, minimise="pushes", limit=gp.Limit(memory=1 << 24))
    assert another.engine == "fewest-pushes"
    monkeypatch.setattr(board.Board, "growth", 1 << 30)
    another = gp.solve(start, minimise="pushes", limit=gp.Limit(memory=1 << 24))
    assert (another.cost, another.optimal, another.stopped_by) == (cost, True, "")
    assert another.engine == "uniform-cost"
    assert another.refused.startswith("the bombs allow more wall patterns")


def test_bombs_that_are_not_needed_cost_nothing() -> None:
    """Tables of the walls that bombs leave are made when a position with them is looked at."""
    edge = [(x, y) for x in range(20) for y in range(20) if {x, y} & {0, 19}]
    level = Level((3, 3), 2, [(5, 5), (9, 7)], [(5, 8), (12, 7)], edge, (20, 20))
    made = forwards.PushSearch(board.Board(level.start()), by_moves=False)
    assert [*made.run()]
    assert made.goal is not None
    assert made.figures[made.goal, expand.COST] == 6
    assert made.board.table_count < 10 < made.board.stage_count
    assert made.most == np.iinfo(made.figures.dtype).max + 1  # as many as have numbers


@pytest.mark.slow
@pytest.mark.plain
def test_drawn_state_changes_places_with_the_first() -> None:
    entries = np.array([(5, -1), (6, 0), (7, 1), (8, 2)], np.int32)  # a bucket of states 8, 7, 6 and 5
    figures = np.zeros((9, 4), np.int32)
    figures[6, expand.NOTES] = expand.CLOSED
    drawn = set()
    for chance in range(100):
        after = entries.copy()
        expand.draw_state(after, figures, 3, np.uint64(chance))
        assert sorted(after[:, 0]) == [5, 6, 7, 8]
        assert (after[:, 1] == entries[:, 1]).all()
        drawn.add(int(after[3, 0]))
    assert drawn == {5, 7, 8}


@pytest.mark.parametrize("by_moves", [False, True])
def test_promises_beyond_the_last_bucket(by_moves: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many states share the last bucket, and yet the least comes first."""
    levels = [*map(winnable, range(7000, 7012)), titled("sokoban/bombs", "Niche")]
    costs = []
    for buckets in (1 << 18, 2, 3):
        monkeypatch.setattr(forwards, "_BUCKETS", buckets)
        for level in levels:
            search = forwards.PushSearch(board.Board(level.start()), by_moves)
            assert [*search.run()]
            assert search.goal is not None
            costs.append(int(search.figures[search.goal, expand.COST]))
    assert costs == 3 * costs[: len(levels)]


def test_limits_end_a_search() -> None:
    level = gp.read("##########\n#        #\n# $$ $$  #\n# ..  .. #\n#  $ .   #\n#  @     #\n##########\n")[0]
    solution = gp.solve(level, "moves", limit=gp.Limit(states=100), solver="fewest-moves")
    assert solution is not None
    assert (solution.found, solution.trace, solution.optimal) == (None, None, False)
    assert (solution.states, solution.stopped_by) == (100, "states")


def test_search_ends_when_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(forwards, "enlarge", refuse)
    level = gp.read("##########\n#        #\n# $$ $$  #\n# ..  .. #\n#  $ .   #\n#  @     #\n##########\n")[0]
    solution = gp.solve(level, "moves", solver="fewest-moves")
    assert solution is not None
    assert (solution.found, solution.stopped_by) == (None, "memory")


@pytest.mark.slow
def test_known_lengths(shared_levels: Path) -> None:
    rows = [line.split("\t") for line in (shared_levels / "optimal_pushes.tsv").read_text().splitlines()]
    known = {
        int(number): int(pushes)
        for name, number, pushes, kind in rows[2:]
        if (name, kind) == ("Microban_155", "optimal")
    }
    levels = gp.read(shared_levels / "Microban_155.xsb")
    checked = 0
    for number, pushes in known.items():
        solution = gp.solve(levels[number - 1], minimise="pushes", limit=gp.Limit(states=1_000_000))
        if solution.found:
            assert solution.cost == pushes, number
            checked += 1
    assert checked >= 0.9 * len(known)


SHUT_OFF = "#######\n#@$#  #\n#  #. #\n#######\n"
WIDE = "#" * 70 + "\n#@$" + " " * 65 + ".#\n" + ("#" + " " * 68 + "#\n") * 62 + "#" * 70 + "\n"


@pytest.mark.parametrize("text", [SHUT_OFF, WIDE])
def test_impossible_or_too_large_board_is_not_searched(text: str) -> None:
    """The compiled search would read beyond the tables."""
    (level,) = gp.read(text)
    assert measure_difficulty(level) is None
    for plain in (False, True):
        with pytest.raises(ValueError, match="is not search"):
            forwards.PushSearch(board.Board(level.start()), by_moves=False, plain=plain)  # type: ignore[arg-type]  # Sokoban's
