"""2048 on packed words, held to the rules: layouts, whole small state spaces, walks on boards of all kinds."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs import late

import gridproof as gp
from gridproof.core.rng import Rng
from gridproof.games.twenty48 import Level, Position
from gridproof.games.twenty48.kernel import KERNEL
from gridproof.games.twenty48.kernel.cells import BYTES, NIBBLES
from gridproof.games.twenty48.kernel.packing import max_exponent, pack_cells, prepare, unpack_cells
from gridproof.games.twenty48.playouts import playouts
from gridproof.games.twenty48.text import position_of
from gridproof.kernels.game import Packing
from gridproof.search.kernel_space import PackedSpace
from gridproof.testing.agreement import check_kernel

SPAWN = ["spec", "classic"]
Rows = tuple[tuple[int, ...], ...]

LARGE: Rows = ((2**17, 2**16, 2**16, 0), (0, 2**40, 2**15, 2**15), (2, 2, 0, 0), (0, 0, 0, 4))
LARGEST: Rows = ((0, 2**61, 0, 2**61), (2**17, 2**16, 0, 0), (2, 2, 0, 0), (0, 0, 0, 4))
TOO_LARGE: Rows = ((2**62, 2**62, 4, 0), (2, 4, 2, 4), (4, 2, 4, 2), (2, 4, 2, 4))


def packing_for(level: Level) -> Packing:
    packing = prepare(level)
    assert packing is not None
    return packing


def reachable(starts: Iterable[Position]) -> set[Position]:
    """All positions of all games, by the rules."""
    found = set(starts)
    queue = list(found)
    for position in queue:
        for action in position.actions():
            after = {outcome.position for outcome in position.outcomes(action)} - found
            found |= after
            queue.extend(after)
    return found


def starts(level: Level) -> list[Position]:
    return [outcome.position for outcome in level.starts()]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engines ask the kernel even where the rules would be quick enough."""
    monkeypatch.setattr("gridproof.search.explore._BY_RULES", 0)
    monkeypatch.setattr("gridproof.search.solve._BY_RULES", 1)


# -- agreement


@pytest.mark.slow
@pytest.mark.clause("T6", "T7", "T8", "T9", "T10", "T11", "T17", "T18")
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize("target", [8, 16])
def test_kernel_agrees_on_all_positions_of_2x2(spawn: str, target: int) -> None:
    level = Level(2, 2, spawn, target)
    everything = reachable(starts(level))
    assert check_kernel(level, whole=10**6, walks=1) >= len(everything)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "spawn"),
    [
        *(((side, side), SPAWN[side % 2]) for side in (3, 4, 5, 6)),
        *((size, SPAWN[0]) for size in ((2, 6), (5, 3), (4, 3))),
        *((size, SPAWN[1]) for size in ((6, 2), (3, 5), (4, 6))),
    ],
)
def test_random_games_of_all_sizes(size: tuple[int, int], spawn: str) -> None:
    assert check_kernel(Level(*size, spawn, 64), seed=3, walks=1, depth=60) > 20


@pytest.mark.slow
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize("size", [(3, 3), (2, 5)])
def test_kernel_agrees_on_first_positions(spawn: str, size: tuple[int, int]) -> None:
    assert check_kernel(Level(*size, spawn, 16), whole=100, walks=0) == 100


@pytest.mark.slow
@pytest.mark.parametrize("board", [LARGE, LARGEST])
@pytest.mark.parametrize("spawn", SPAWN)
def test_tiles_far_beyond_32768(board: Rows, spawn: str) -> None:
    assert check_kernel(Level(4, 4, spawn, 2**255, board), seed=1, walks=2, depth=100) > 50
    assert check_kernel(Level(4, 4, spawn, 2**61, board), seed=2, walks=1, depth=10) > 5


@pytest.mark.parametrize("target", [2**14, 2**15, 2**16])
def test_largest_targets_of_small_boards_are_won(target: int) -> None:
    board = ((target // 2, target // 2, 0, 0), *[(0, 0, 0, 0)] * 3)
    assert check_kernel(Level(4, 4, "classic", target, board), walks=0, whole=10) == 10


def test_tiles_of_32768_merge_where_cells_have_a_byte() -> None:
    row, none = (2**15, 0, 0, 0), (0, 0, 0, 0)
    assert check_kernel(Level(4, 4, "classic", 2**17, (row, none, row, none)), walks=1, depth=3, whole=5) > 5


@pytest.mark.slow
def test_large_tiles_on_six_by_six() -> None:
    row = (32768, 65536, 65536, 131072, 2, 2)
    board = (row, row, (0,) * 6, (2**56, 2**56, 0, 0, 0, 4), row[::-1], (0,) * 6)
    assert check_kernel(Level(6, 6, "classic", 2**57, board), walks=1, depth=60) == 61


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "whole"),
    [(late(Level, 2, 2, "classic", 16), 60), (late(Level, 4, 4), 3), (late(Level, 6, 5, "classic", 64), 2)],
)
def test_plain_functions_agree_with_rules(level: Level, whole: int) -> None:
    assert check_kernel(level, whole=whole, walks=1, depth=20, plain=True) >= whole


@pytest.mark.slow
def test_kernel_agrees_without_compilation() -> None:
    code = (
        "from gridproof.games.twenty48 import Level\n"
        "from gridproof.games.twenty48.playouts import playouts\n"
        "from gridproof.testing.agreement import check_kernel\n"
        "assert check_kernel(Level(2, 2, 'classic', 8), whole=300) > 300\n"
        "print(*playouts(Level(3, 3), 5, seed=9).scores)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert list(map(int, done.stdout.split())) == playouts(Level(3, 3), 5, seed=9).scores.tolist()


# -- layouts


@pytest.mark.clause("T1")
@pytest.mark.parametrize(
    ("level", "words", "bits"),
    [
        (late(Level, 2, 2), 1, NIBBLES),
        (late(Level, 3, 3, "classic"), 1, NIBBLES),
        (late(Level, 2, 6, "classic"), 1, NIBBLES),
        (late(Level, 3, 5, "spec"), 1, NIBBLES),
        (late(Level, 3, 5, "classic"), 2, BYTES),  # 65536 can be made
        (late(Level, 4, 4), 2, BYTES),
        (late(Level, 5, 5), 4, BYTES),
        (late(Level, 6, 6), 5, BYTES),
        (late(Level, 2, 2, board=((2**13, 2), (0, 0))), 1, NIBBLES),
        (late(Level, 2, 2, board=((2**15, 2**15), (0, 0))), 1, BYTES),
    ],
)
def test_layout_of_a_level(level: Level, words: int, bits: int) -> None:
    packing = packing_for(level)
    assert packing.words == words == len(packing.pack(level.start()))
    assert packing.data[1] == bits


def test_packed_state_has_expected_words() -> None:
    level = Level(3, 2, "classic", board=((2, 4, 8), (0, 16, 2)))
    packing = packing_for(level)
    assert [hex(word) for word in packing.pack(level.start())] == ["0x140321"]
    large = Level(3, 3, board=((2, 2**40, 0), (0, 0, 0), (0, 4, 8)))
    assert [hex(word) for word in packing_for(large).pack(large.start())] == ["0x200000000002801", "0x3"]


@given(
    st.lists(st.sampled_from([0, *(1 << exponent for exponent in range(1, 16))]), min_size=4, max_size=36),
    st.sampled_from([NIBBLES, BYTES]),
)
def test_cells_come_back(cells: list[int], layout: int) -> None:
    assert unpack_cells(pack_cells(cells, layout), layout, len(cells)) == tuple(cells)


def test_types_are_the_same_for_all_levels() -> None:
    kinds = {
        (packing_for(level).data.dtype, packing_for(level).data.ndim)
        for level in (Level(2, 2), Level(), Level(6, 6, "classic", 2**255), Level(4, 4, board=LARGEST))
    }
    assert len(kinds) == 1


# -- how far tiles can grow


@pytest.mark.parametrize(
    ("size", "spawn", "tile"),
    [
        ((2, 2), "spec", 16),
        ((2, 2), "classic", 32),
        ((2, 3), "spec", 64),
        pytest.param((2, 3), "classic", 128, marks=pytest.mark.slow),
    ],
)
def test_max_exponent_is_the_largest_reachable_tile(size: tuple[int, int], spawn: str, tile: int) -> None:
    level = Level(*size, spawn)
    found = gp.explore(level, limit=gp.Limit(states=300_000))
    assert found.complete
    made = max(max(position.cells) for position in found if isinstance(position, Position))
    assert made == tile == 2 ** max_exponent(level, level.start().cells)


@pytest.mark.parametrize(("spawn", "exponent"), [("spec", 16), ("classic", 17)])
def test_max_exponent_of_the_standard_game(spawn: str, exponent: int) -> None:
    level = Level(spawn=spawn)
    assert {max_exponent(level, position.cells) for position in starts(level)} == {exponent}


def largest_sum(total: int, cells: int, spawn: str) -> int:
    """The largest sum of a board that can come to be, if tiles could combine wherever they lie."""
    found, queue = {total}, [total]
    for number in queue:
        if number.bit_count() < cells:
            more = {number + tile for tile in ((2,) if spawn == "spec" else (2, 4))} - found
            found |= more
            queue.extend(more)
    return max(found)


@given(
    st.lists(st.sampled_from([0, 2, 4, 8, 16, 32, 64, 128]), min_size=4, max_size=4), st.sampled_from(SPAWN)
)
def test_max_exponent_bounds_every_sum(cells: list[int], spawn: str) -> None:
    level = Level(2, 2, spawn)
    bound = max_exponent(level, cells)
    assert largest_sum(sum(cells), 4, spawn) < 2 ** (bound + 1)


@pytest.mark.parametrize("spawn", SPAWN)
def test_max_exponent_stays_the_same_in_a_game(spawn: str) -> None:
    level = Level(4, 4, spawn, board=LARGE)
    position, rng = level.start(), Rng(4)
    bounds = set()
    for _ in range(100):
        bounds.add(max_exponent(level, position.cells))
        if not (actions := position.actions()):
            break
        position = position.step(rng.choice(actions), rng).position
    assert len(bounds) == 1


# -- what the kernel leaves to the rules


@pytest.mark.usefixtures("at_once")
def test_levels_whose_tiles_could_outgrow_the_words() -> None:
    assert prepare(Level(board=LARGEST)) is not None
    assert prepare(Level(board=TOO_LARGE)) is None
    assert check_kernel(Level(board=TOO_LARGE)) == 0
    level = Level(2, 2, "spec", 2**201, board=((2**200, 2**200), (0, 0)))
    assert prepare(level) is None
    solution = gp.solve(level)
    assert (solution.found, solution.cost) == (True, 1)
    assert gp.explore(level).states == len(reachable([level.start()]))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("spawn", SPAWN)
def test_positions_that_do_not_fit_their_level(spawn: str) -> None:
    level = Level(2, 2, spawn, 16)
    position = position_of(level, f"{2**40} {2**40}\n0 2\n")
    assert not packing_for(level).fits(position)
    assert set(gp.explore(position)) == reachable([position])
    assert gp.solve(position, goal=f"max_tile = {2**41}").cost == 1
    found = gp.explore(level)
    assert position not in found
    assert level.start() in found


# -- the engines over it


@pytest.mark.clause("T17")
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("target", [8, 16, 32])
def test_published_numbers_of_positions(target: int) -> None:
    published = {8: 70, 16: 198, 32: 350}[target]
    live = [p for p in gp.explore(Level(2, 2, "classic", target)) if p.status is gp.Status.PLAYING]
    assert len(live) + 1 + 1 == published  # counted with one lost and one won position


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("spawn", SPAWN)
def test_exploration_agrees_with_the_rules(spawn: str) -> None:
    level = Level(2, 2, spawn)
    found = gp.explore(level)
    assert isinstance(found, PackedSpace)
    assert found.complete
    assert len(found) == found.states
    assert set(found) == reachable(starts(level))
    trace = found.trace_to(max(found, key=found.depth))
    assert trace.replay().ended


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("spawn", SPAWN)
@pytest.mark.parametrize(
    "goal", ["won", "lost", "ended", "tile(16)", "max_tile >= 8", "max_tile = 32", "empty = 0", "!tile(4)"]
)
def test_goals_are_reached_as_quickly_as_by_the_rules(spawn: str, goal: str) -> None:
    level = Level(2, 2, spawn, 8)
    solution = gp.solve(level, goal=goal)
    assert (solution.found, solution.cost) == solve_by_rules(level, goal)
    if solution.trace is not None:
        assert gp.solve(solution.trace.replay(), goal=goal).cost == 0


def solve_by_rules(level: Level, goal: str) -> tuple[bool, int | None]:
    from gridproof.core.proposition import parse_goal as meant

    reached = meant(level.game, goal)
    found = set(starts(level))
    layer = list(found)
    for depth in itertools.count():
        if any(map(reached, layer)):
            return True, depth
        following = {
            outcome.position
            for position in layer
            for action in position.actions()
            for outcome in position.outcomes(action)
        }
        layer = list(following - found)
        found |= following
        if not layer:
            return False, None
    raise AssertionError


def test_tile_proposition_refuses_other_numbers() -> None:
    for text in ("tile(3)", "tile(x)", "tile(0)"):
        with pytest.raises(gp.GridproofError, match="a tile is a power of two"):
            gp.solve(Level(2, 2), goal=text)
    assert set(KERNEL.propositions) == {
        ("empty", 0), ("max_tile", 0), ("tile", 1), ("lost", 0), ("ended", 0), ("valid", 0)
    }  # fmt: skip
