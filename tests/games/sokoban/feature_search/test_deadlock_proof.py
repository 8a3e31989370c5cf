"""Proofs of deadlocks, and the patterns learned from them, against exhaustive search on small boards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level, winnable

from gridproof.games.sokoban.feature_search.deadlock_patterns import Patterns, has_any_pattern
from gridproof.games.sokoban.feature_search.deadlock_proof import (
    DEAD,
    OPEN,
    WON,
    DeadlockProof,
    allocate_proof,
    find_any_pattern,
    prove,
)
from gridproof.games.sokoban.feature_search.fields import forward_field
from gridproof.games.sokoban.feature_search.macro_moves import Options
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board

MOST = 5000


def proof_of(board: Board, most: int = MOST) -> DeadlockProof:
    field = forward_field(board, Options(), np.zeros((len(board.cells), 1), np.uint64))
    return allocate_proof(field, len(board.boxes), most)


def prove_alone(proof: DeadlockProof, boxes: list[int], player: int) -> int:
    return int(prove(proof, np.array(boxes, np.int16), len(boxes), np.int64(player)))


class ExhaustiveSearch:
    """What some boxes alone can reach by single pushes, without any pruning."""

    def __init__(self, board: Board) -> None:
        self._neighbours, self._goals = board.neighbours[0].tolist(), set(board.goals.tolist())

    def _region(self, boxes: frozenset[int], player: int) -> frozenset[int]:
        seen, waiting = {player}, [player]
        while waiting:
            for other in self._neighbours[waiting.pop()]:
                if other >= 0 and other not in boxes and other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return frozenset(seen)

    def wins(self, boxes: list[int], player: int) -> bool:
        """Return whether all boxes can stand on goals."""
        first = frozenset(boxes)
        start = first, self._region(first, player)
        seen, waiting = {start}, [start]
        while waiting:
            now, region = waiting.pop()
            if now <= self._goals:
                return True
            for box in now:
                for direction in range(4):
                    target, stand = self._neighbours[box][direction], self._neighbours[box][direction ^ 1]
                    if target >= 0 and target not in now and stand in region:
                        moved = now - {box} | {target}
                        following = moved, self._region(moved, box)
                        if following not in seen:
                            seen.add(following)
                            waiting.append(following)
        return False


def boards(level: Level) -> list[Board]:
    board = Board(level.start())
    return [board] if board.possible and board.boxes else []


def check_proofs(numbers: range) -> list[int]:
    """Compare the proof for each group of boxes of random levels with exhaustive search; return the verdicts."""
    verdicts = list[int]()
    for board in (
        board for seed in numbers for make in (random_level, winnable) for board in boards(make(seed))
    ):
        proof, exhaustive = proof_of(board), ExhaustiveSearch(board)
        boxes = list(board.boxes)
        for group in (boxes, *([other for other in boxes if other != box] for box in boxes)):
            if group:
                verdicts.append(prove_alone(proof, group, board.player))
                wins = exhaustive.wins(group, board.player)
                assert verdicts[-1] == (WON if wins else DEAD), board.cells
    return verdicts


def learn_patterns(board: Board, chance: random.Random) -> DeadlockProof:
    """Learn patterns from the start of a board, and from random positions."""
    proof, boxes, squares = proof_of(board), np.array(board.boxes, np.int16), range(len(board.cells))
    player = board.player
    for _ in range(10):
        find_any_pattern(proof, boxes, player)
        player, *boxes[:] = chance.sample(squares, len(boxes) + 1)
    return proof


def check_pattern(patterns: Patterns, number: int, exhaustive: ExhaustiveSearch) -> int:
    """Check that a pattern is lost for the right squares of the player, not with a box less; return its size."""
    group = [box for box in patterns.boxes[number].tolist() if box >= 0]
    lost = set(np.flatnonzero(patterns.players[number]).tolist())
    for player in set(range(patterns.players.shape[1])) - set(group):
        assert (player in lost) == (not exhaustive.wins(group, player))
    assert lost
    for box in group:
        rest = [other for other in group if other != box]
        assert not rest or any(exhaustive.wins(rest, player) for player in lost)
    return len(group)


def count_refused(proof: DeadlockProof, exhaustive: ExhaustiveSearch, chance: random.Random) -> int:
    """Check that no random position with a pattern can be won; return how many there are."""
    squares, refused = len(proof.others), 0
    for _ in range(30):
        player, *boxes = chance.sample(range(squares), proof.groups.shape[1] + 1)
        occupied = np.zeros(squares, np.uint8)
        occupied[boxes] = 1
        if has_any_pattern(proof.patterns, occupied, np.array(boxes, np.int16), np.int64(player)):
            assert not exhaustive.wins(boxes, player)
            refused += 1
    return refused


def check_patterns(numbers: range) -> tuple[list[int], int]:
    """Prove all patterns of random levels again; return their sizes, and the number of random positions that have one."""
    sizes, refused = list[int](), 0
    for seed in numbers:
        for board in boards(random_level(seed)):
            chance, exhaustive = random.Random(seed), ExhaustiveSearch(board)
            proof = learn_patterns(board, chance)
            for number in range(int(proof.patterns.count[0])):
                sizes.append(check_pattern(proof.patterns, number, exhaustive))
            refused += count_refused(proof, exhaustive, chance)
    return sizes, refused


@pytest.mark.slow
def test_proof_agrees_with_exhaustive_search() -> None:
    verdicts = check_proofs(range(40))
    assert verdicts.count(DEAD) > 30
    assert verdicts.count(WON) > 30


@pytest.mark.slow
def test_patterns_are_deadlocks_of_fewest_boxes_with_the_right_squares_of_the_player() -> None:
    sizes, refused = check_patterns(range(12))
    assert all(sizes.count(size) > 3 for size in (1, 2))
    assert refused > 20


@pytest.mark.long
def test_proof_and_patterns_agree_with_exhaustive_search_on_more() -> None:
    assert len(check_proofs(range(40, 400))) > 1000
    sizes, refused = check_patterns(range(12, 150))
    assert all(sizes.count(size) > 3 for size in (1, 2, 3))
    assert refused > 300


def test_proof_is_open_at_its_limit_of_nodes() -> None:
    (board,) = boards(winnable(6001))
    boxes, player = np.array(board.boxes, np.int16), board.player
    assert prove_alone(proof_of(board), list(board.boxes), board.player) == WON
    proof = proof_of(board, 1)
    assert prove_alone(proof, list(board.boxes), board.player) == OPEN
    assert not find_any_pattern(proof, boxes, player)
    assert proof.patterns.count[0] == 0
