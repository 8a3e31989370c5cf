"""Searches over ranks: numbering and its inverse, counts that are known, shortest ways, several cores."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from tests.packs import late

import gridproof as gp
from gridproof.games.shiftit import Level, Position, Tile
from gridproof.games.shiftit.kernel.ranks import COUNT, ranking
from gridproof.kernels.game import GameKernel, Ranking, kernel_of
from gridproof.search import explore
from gridproof.search.kernel_space import PackedSpace
from gridproof.search.thread_pool import available_cores
from gridproof.search.two_bit_bfs import TwoBitStates


def board(width: int, height: int, locked: Iterable[tuple[int, int]] = (), won: bool = False) -> Level:
    """A board of sides of two colours; a third one on two upper sides can never join."""
    draw, locked = random.Random(width * height), set(locked)
    places = [(x, y) for y in range(height) for x in range(width)]

    def sides(n: int) -> list[str]:
        first = "blue" if n < 2 and not won else draw.choice(["red", "green"])
        return [first, *(draw.choice(["red", "green"]) for _ in range(3))]

    return Level(Tile(f"t{x}_{y}", x, y, sides(n), (x, y) in locked) for n, (x, y) in enumerate(places))


def ranks(level: Level) -> tuple[GameKernel, Ranking]:
    kernel = kernel_of(level.game)
    assert kernel is not None
    assert kernel.ranked.ranking is not None
    found = kernel.ranked.ranking(level)
    assert found is not None
    return kernel, found


def is_even(level: Level) -> bool:
    """Return whether all lines that move are of odd length, so that only even permutations are reached."""
    lines = [len(level.line(move)) for move in level.valid_moves]
    return bool(lines) and all(length % 2 for length in lines)


def search(level: Level, cores: int = 1) -> TwoBitStates:
    found = TwoBitStates(*ranks(level), [level.start()], cores)
    for _ in found.run():
        pass
    return found


def test_two_bit_bfs_starts_from_given_positions() -> None:
    kernel, numbered = ranks(board(3, 3))
    found = TwoBitStates(kernel, numbered, [numbered.unrank(1000)], 1)
    next(found.run())
    assert 1000 in found
    assert 0 not in found
    assert 1000 >> 7 not in found


BOARDS = {
    "2x2": late(board, 2, 2),
    "3x3": late(board, 3, 3),
    "4x3": late(board, 4, 3),
    "3x3, one lock": late(board, 3, 3, [(1, 1)]),
    "4x3, one lock": late(board, 4, 3, [(0, 0)]),
    "4x4, the border alone moves": late(board, 4, 4, [(1, 1), (2, 2)]),
    "3x4, a move of five turns": late(board, 3, 4, [(0, 0), (2, 1)]),
    "3x3, all but a line locked": late(board, 3, 3, [(x, y) for x in range(3) for y in range(2)]),
    "2x2, all locked": late(board, 2, 2, [(0, 0), (1, 1)]),
    "4x4, three locks": late(board, 4, 4, [(0, 0), (1, 0), (2, 0)]),
    "5x3, two locks": late(board, 5, 3, [(0, 0), (1, 0)]),
    "3x1": late(board, 3, 1),
}


@pytest.mark.parametrize("level", BOARDS.values(), ids=BOARDS)
def test_ranks_round_trip_to_placements(level: Level) -> None:
    _, found = ranks(level)
    movable = sorted({place for move in level.valid_moves for place in level.line(move)})
    assert found.size == math.factorial(len(movable)) // (1 + is_even(level))
    draw = random.Random(5)
    for rank in [0, found.size - 1, *(draw.randrange(found.size) for _ in range(50))]:
        position = found.unrank(rank)
        assert isinstance(position, Position)
        assert sorted(position.tiles) == list(range(len(level.tiles)))
        assert all(tile == place for place, tile in enumerate(position.tiles) if place not in movable)
        assert found.rank(position) == rank
    assert found.rank(level.start()) == 0


def test_ranks_are_in_order_of_permutations() -> None:
    _, found = ranks(board(2, 2))
    assert [found.unrank(rank) for rank in range(24)] == [
        Position(board(2, 2), tiles) for tiles in itertools.permutations(range(4))
    ]


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("level", BOARDS.values(), ids=BOARDS)
def test_successors_agree_with_rules(level: Level) -> None:
    kernel, found = ranks(level)
    states = TwoBitStates(kernel, found, [level.start()], 1)
    draw, position = random.Random(3), level.start()
    for _ in range(30):
        actions = position.actions()
        after = [outcome.position for action in actions for outcome in position.outcomes(action)]
        assert states._neighbours(found.rank(position), through=False) == [found.rank(one) for one in after]
        if not after:
            break
        position = draw.choice(after)


@pytest.mark.slow
@pytest.mark.plain
def test_odd_placements_have_no_rank_where_lines_are_odd(monkeypatch: pytest.MonkeyPatch) -> None:
    level = board(3, 1)
    found = ranks(level)[1]
    placements = [Position(level, tiles) for tiles in itertools.permutations(range(3))]
    assert [found.has(position) for position in placements] == [True, False, False, True, True, False]
    assert not found.has(Position(board(1, 3), (0, 1, 2)))
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    space, odd = gp.explore(level), gp.explore(placements[1])
    assert (set(space), space.engine) == ({placements[i] for i in (0, 3, 4)}, "ranks")
    assert (set(odd), odd.engine) == ({placements[i] for i in (1, 2, 5)}, "breadth-first")
    assert placements[1] not in space


@pytest.mark.parametrize("level", BOARDS.values(), ids=BOARDS)
def test_ranks_of_positions_reached_are_their_numbers(level: Level) -> None:
    """Multiplications by inverses are exact at both ends of each digit."""
    _, found = ranks(level)
    factorials, size = [], found.size
    for places in range(found.data[COUNT], 0, -1):
        size = size // places if size >= places else 1
        factorials.append(size)
    edges = {number for factorial in factorials for number in range(0, found.size, factorial)[:20]}
    edges |= {found.size - 1 - number for number in edges}
    for rank in {near for edge in edges for near in (edge - 1, edge) if near >= 0}:
        assert found.rank(found.unrank(rank)) == rank


def test_boards_without_ranking() -> None:
    assert ranking(board(5, 3)) is None  # 15 movable places
    assert ranking(board(17, 1, [(16, 0)])) is None
    torn = board(8, 2, [(x, 0) for x in range(8) if x % 2 == 0])
    assert ranking(torn) is None or ranking(torn).size <= math.factorial(12)  # type: ignore[union-attr]  # there is one


COUNTS = [
    ("2x2", late(board, 2, 2), 24),
    ("3x2", late(board, 3, 2), 720),
    ("4x2", late(board, 4, 2), 40_320),
    ("3x3 with a lock", late(board, 3, 3, [(0, 0)]), 20_160),
]


@pytest.mark.parametrize(("level", "count"), [item[1:] for item in COUNTS], ids=[item[0] for item in COUNTS])
def test_known_counts(level: Level, count: int) -> None:
    for cores in (1, 3):
        found = search(level, cores)
        assert found.count == sum(found.by_depth) == count
        assert found.transitions == count * len(level.valid_moves)


@pytest.mark.slow
def test_two_bit_bfs_counts_all_placements_of_3x3() -> None:
    found = search(board(3, 3), 2)
    assert (found.count, len(found.by_depth), found.by_depth[:3]) == (181_440, 9, [1, 12, 96])


@pytest.mark.parametrize(
    "level", [late(board, 3, 2), late(board, 3, 2, won=True), late(board, 2, 3, [(0, 0)])]
)
def test_layers_and_shortest_solutions_agree_with_rules(
    level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 10**9)
    by_rules = gp.explore(level)
    found = search(level)
    assert tuple(found.by_depth) == by_rules.by_depth
    assert (found.count, found.transitions) == (by_rules.states, by_rules.transitions)
    assert {found.ranking.unrank(rank) for rank in found} == set(by_rules)
    for position in list(by_rules)[::7]:
        path = found.path(found.ranking.rank(position))
        assert len(path) - 1 == by_rules.depth(position)


def test_path_to_a_won_position_is_shortest_although_deeper_positions_lead_to_it_too() -> None:
    space = gp.explore("shiftit/boards/5")
    assert space.engine == "ranks"
    ends = np.cumsum(space.by_depth)
    for number in np.flatnonzero(space.values("won"))[:40].tolist():
        assert space.depth(space[number]) == np.searchsorted(ends, number, side="right")


def test_space_has_no_numbers_outside_the_ranks() -> None:
    found = search(board(2, 2))
    assert -1 not in found
    assert 24 not in found
    assert 23 in found


@pytest.mark.slow
@pytest.mark.plain
def test_space_has_no_impossible_placements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    level = board(3, 3, [(0, 0)])
    found = gp.explore(level)
    assert found.states == 20_160
    assert Position(level, (1, 0, *range(2, 9))) not in found  # the locked tile has left
    assert found.trace_to(list(found)[-1]).replay() == list(found)[-1]


def test_packed_bfs_is_used_when_ranks_do_not_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    monkeypatch.setattr(TwoBitStates, "size", lambda ranking: 10**18)
    found = gp.explore(board(3, 2))
    assert isinstance(found, PackedSpace)
    assert (found.states, found.complete, found.stopped_by) == (720, True, "")


def test_available_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)), raising=False)
    assert available_cores() == 8
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert available_cores() == 1


def test_requested_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(4)), raising=False)
    for asked, used in (("", 4), ("3", 3), ("9", 4)):
        monkeypatch.setenv("GRIDPROOF_CORES", asked)
        assert available_cores() == used
    for wrong in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv("GRIDPROOF_CORES", wrong)
        with pytest.raises(
            gp.GridproofError, match=r"^GRIDPROOF_CORES=.*: it must be a whole number from 1 on$"
        ):
            available_cores()


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("is_quick", [True, False])
def test_kept_states_are_those_of_the_ranks_part_by_part(
    is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.search.two_bit_bfs._PART", 1)
    level = board(3, 2, won=True)
    kernel, found = ranks(level)
    packing = kernel.prepare(level)
    assert packing
    if not is_quick:
        kernel = replace(kernel, ranked=replace(kernel.ranked, expand=None))
    for cores in (1, 3):
        plain, kept = search(level, cores), TwoBitStates(kernel, found, [level.start()], cores)
        kept.keep_states(packing)
        numbered: list[int] = []
        for _ in kept.run():
            if (part := kept.part) is None:
                continue
            assert part.first == len(numbered)
            numbered += kept.ranks_of(part).tolist()
            assert part.last == len(numbered)
            positions = [found.unrank(rank) for rank in numbered[part.first :]]
            assert list(map(packing.unpack, part.states)) == positions
            assert part.has_successors.tolist() == [bool(position.actions()) for position in positions]
        assert (numbered, kept.transitions) == (list(plain), plain.transitions)
