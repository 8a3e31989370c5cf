"""Groups of boxes against the definition of their excess, and against the fewest pushes of all boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level, winnable

from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver import group_table
from gridproof.games.sokoban.solver.board import FAR, Array, Board
from gridproof.games.sokoban.solver.group_table import GroupTable, choose_groups, decode, group_bound
from gridproof.games.sokoban.solver.matching import HOPELESS, PRICE, empty_assignment, match_boxes
from gridproof.games.sokoban.solver.pair_table import DEADLOCK, PairTable
from gridproof.games.sokoban.solver.pull_search import PullSearch

State = tuple[tuple[int, ...], int]
"""The squares of boxes in order, and that of the player."""


def possible_boards(seeds: range, boxes: int) -> list[Board]:
    boards = [Board(random_level(seed).start()) for seed in seeds]
    return [board for board in boards if board.possible and len(board.goals) >= boxes]


def build_tables(board: Board, prices: Array, size: int) -> tuple[PairTable, GroupTable]:
    pairs, groups = PairTable(board), GroupTable(board, prices)
    assert [*pairs.build()]
    while groups.next_work and groups.size < size:
        assert [*groups.build(pairs.excess)]
    return pairs, groups


def fewest_pushes(board: Board, goals: tuple[int, ...]) -> dict[State, int]:
    """The fewest pushes of boxes to as many goals, by pulls square by square."""
    around = board.neighbours[0].tolist()
    depths, layer, depth = dict[State, int](), [(goals, player) for player in range(len(around))], 0
    while layer:
        following, walks = list[State](), layer
        for boxes, player in walks:
            if player < 0 or player in boxes or (boxes, player) in depths:
                continue
            depths[boxes, player] = depth
            walks += [(boxes, other) for other in around[player]]
            for box, direction in itertools.product(boxes, range(4)):
                behind = around[player][direction]
                if around[box][direction] == player and behind >= 0 and behind not in boxes:
                    following.append((tuple(sorted({*boxes, player} - {box})), behind))
        layer, depth = following, depth + 1
    return depths


def defined_excess(board: Board, prices: Array, size: int) -> dict[State, int]:
    """The excess of all groups of a size that are no deadlock."""
    least = dict[State, int]()
    for numbers in itertools.combinations(range(len(board.goals)), size):
        goals = tuple(board.goals[list(numbers)].tolist())
        for state, pushes in fewest_pushes(board, goals).items():
            total = pushes - int(prices[list(numbers)].sum())
            least[state] = min(least.get(state, FAR), total)
    cheapest = np.where(board.distances[0] < FAR, board.distances[0] - prices, FAR).min(axis=2)
    return {
        (boxes, player): total - sum(int(cheapest[box, board.sides[0][box, player]]) for box in boxes)
        for (boxes, player), total in least.items()
    }


def check_excess(board: Board, prices: Array, size: int) -> int:
    """Compare all groups of a size with the definition; return how many are deadlocks or need more pushes."""
    pairs, groups = build_tables(board, prices, size)
    tables, live = groups.tables, np.flatnonzero(board.dead[0] == 0).tolist()
    table = (tables.triples, tables.triple_rows) if size == 3 else (tables.fours, tables.four_rows)
    defined = {n: defined_excess(board, prices, n) for n in range(3, size + 1)}
    found = 0
    for numbers in itertools.combinations(range(len(live)), size):
        boxes = tuple(live[number] for number in numbers)
        group = sum(int(tables.choose[i + 1, number]) for i, number in enumerate(numbers))
        for player in set(range(len(board.cells))) - {*boxes}:
            within = [int(pairs.excess[player, a, b]) for a, b in itertools.combinations(numbers, 2)]
            if size == 4:
                within += [
                    defined[3].get((three, player), DEADLOCK) for three in itertools.combinations(boxes, 3)
                ]
            expected = defined[size].get((boxes, player), DEADLOCK)
            excess = int(decode(*table, group, player))
            assert excess == (expected if expected > max(within) else 0)
            found += excess > 0
            if excess and size == 3:
                assert tables.pair_leads[tables.choose[2, numbers[2]] + numbers[1]]
            elif excess:
                lead = sum(int(tables.choose[i + 1, number]) for i, number in enumerate(numbers[1:]))
                assert tables.triple_leads[lead]
                assert tables.pair_leads[tables.choose[2, numbers[3]] + numbers[2]]
    return found


def check_boards(boards: list[Board], size: int) -> int:
    prices = [
        -np.random.default_rng(seed).integers(0, 6, len(board.goals)) for seed, board in enumerate(boards)
    ]
    return sum(check_excess(*case, size) for case in zip(boards, prices, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("size", [3, 4])
def test_group_table_is_as_defined(size: int) -> None:
    assert check_boards(possible_boards(range(60), size)[:3], size) > 100


@pytest.mark.long
@pytest.mark.parametrize("size", [3, 4])
def test_group_table_is_as_defined_on_more_boards(size: int) -> None:
    assert check_boards(possible_boards(range(60, 400), size)[:30], size) > 5000


def check_bounds(level: Level, most: int) -> int:
    """Check that no bound of the positions nearest to the goal is too large; return how often it exceeds the matching."""
    board = Board(level.start())
    if len(board.goals) < 3:
        return 0
    pulls, goals = PullSearch(board, most), len(board.goals)
    assignment, chosen = empty_assignment(len(board.cells), goals), np.zeros(goals, np.int16)
    tables: tuple[PairTable, GroupTable] | None = None
    raised = 0
    for number in range(pulls.states)[::-1]:
        listed, player = pulls.arrangement(number)
        boxes, occupied = np.array(listed, np.int16), np.zeros(len(board.cells), np.uint8)
        occupied[boxes] = 1
        bound = match_boxes(board.distances[0], board.sides[0], boxes, occupied, player, 0, assignment)
        if tables is None:
            tables = build_tables(board, assignment[PRICE, :goals].copy(), 4)
        pairs, groups = tables
        more = group_bound(groups.tables, pairs.tables, board.sides[0], boxes, player, chosen)
        assert more <= pulls.tables[2][number], level.text()
        raised += more > bound
    return raised


@pytest.mark.slow
def test_bounds_by_groups_are_never_too_much() -> None:
    assert sum(check_bounds(level, 1 << 8) for level in map(winnable, range(60))) > 100


@pytest.mark.long
def test_bounds_by_groups_are_never_too_much_on_more_boards() -> None:
    assert sum(check_bounds(level, 1 << 13) for level in map(winnable, range(60, 600))) > 3000


@pytest.mark.slow
def test_bounds_are_never_too_much_when_few_groups_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_table, "_MOST_LISTED", 1)
    assert sum(check_bounds(level, 1 << 8) for level in map(winnable, range(60))) > 50


@pytest.mark.slow
def test_group_of_a_deadlock_is_hopeless() -> None:
    """Some group that is dead for every square of the player: then any state with it is."""
    for board in possible_boards(range(60), 3):
        pairs, groups = build_tables(board, np.zeros(len(board.goals), np.int64), 3)
        live, boxes = np.flatnonzero(board.dead[0] == 0), board.boxes
        if np.isin(boxes, live).all() and is_dead_triple(groups, pairs, boxes[:3], board.player):
            chosen = np.zeros(len(boxes), np.int16)
            listed = np.array(boxes, np.int16)
            assert (
                group_bound(groups.tables, pairs.tables, board.sides[0], listed, board.player, chosen)
                == HOPELESS
            )
            return
    pytest.fail("no board has a dead triple")


def is_dead_triple(groups: GroupTable, pairs: PairTable, boxes: tuple[int, ...], player: int) -> bool:
    tables = groups.tables
    number = sum(int(tables.choose[i + 1, pairs.live[box]]) for i, box in enumerate(boxes))
    return int(decode(tables.triples, tables.triple_rows, number, player)) == DEADLOCK


@pytest.mark.parametrize(("by_size", "count", "total"), [(False, 4, 8 + 2), (True, 5, 3 + 4 + 4)])
def test_chosen_groups_have_no_common_box(by_size: bool, count: int, total: int) -> None:
    places = [(1, 0, 0, 0, 3), (3, 2, 2, 2, 4), (5, 4, 4, 4, 2), (3, 2, 1, 0, 8), (5, 4, 4, 4, 4)]
    listed, chosen = np.array(places, np.int64), np.zeros(6, np.int16)
    assert choose_groups(listed, count, by_size, chosen) == total
    assert not chosen.any()
