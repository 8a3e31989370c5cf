"""Afterstates by kernels, held to the rules: what follows an action, without the tile that appears."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.rng import Rng
from gridproof.games.twenty48.kernel.afterstates import INVALID, Afterstates, afterstates_in, afterstates_of
from gridproof.games.twenty48.kernel.packing import exponent_of, prepare
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import Spawned
from gridproof.kernels.batch import Batch
from gridproof.kernels.compile import Hole, kernel

Board = list[int]


def afterstate_by_rules(position: Position, move: Move) -> tuple[Board, int]:
    """Return the exponents after the slide, and its reward: an outcome of the move, less the new tile."""
    if move not in position.actions():
        return [min(exponent_of(tile), 15) for tile in position.cells], INVALID
    outcome = position.outcomes(move)[0]
    cells = list(outcome.position.cells)
    for event in outcome.events:
        if isinstance(event, Spawned):
            cells[position.level.cells.index(event.cell)] = 0
    return [min(exponent_of(tile), 15) for tile in cells], outcome.reward


def boards_of(found: Afterstates, number: int, cells: int) -> list[tuple[Board, int]]:
    """Each direction's exponents, four bits each, and its reward."""
    words = found.boards[number].tolist()
    return [
        ([row[cell // 16] >> 4 * (cell % 16) & 15 for cell in range(cells)], reward)
        for row, reward in zip(words, found.rewards[number].tolist(), strict=True)
    ]


def check_afterstates(positions: Iterable[Position]) -> None:
    for position in positions:
        packing = prepare(position.level)
        assert packing is not None
        found = afterstates_of(position.level, packing.pack(position))
        wanted = [afterstate_by_rules(position, move) for move in Move]
        assert boards_of(found, 0, len(position.cells)) == wanted
        assert found.valid[0].tolist() == [move in position.actions() for move in Move]


@pytest.mark.clause("T6", "T7", "T8", "T17")
@pytest.mark.parametrize("size", [(4, 4), (2, 2), (3, 5), (6, 6)])
def test_afterstates_on_a_random_walk(size: tuple[int, int]) -> None:
    position, rng, walk = Level(*size).start(3), Rng(8), list[Position]()
    while not position.ended and len(walk) < 60:
        walk.append(position)
        position = position.step(rng.choice(position.actions()), rng).position
    check_afterstates([*walk, position])


@pytest.mark.clause("T6", "T7")
@pytest.mark.parametrize("size", [(4, 4), (4, 5)])
def test_large_tiles_are_15_with_their_full_reward(size: tuple[int, int]) -> None:
    height = size[1]
    rows = ((2**15, 2**15, 2**14, 2**14), (2**17, 2**17, 2, 0), *((2, 4, 8, 16),) * (height - 2))
    check_afterstates([Level(*size, board=rows).start()])


def test_afterstates_of_a_batch() -> None:
    levels = [Level(4, 4), Level(5, 4), Level(2, 3, "spec", 8)]
    batch, chosen = Batch(levels, 9, seed=2), np.random.default_rng(4)
    for _ in range(30):
        batch.step(chosen.integers(0, 4, 9))
    found = afterstates_in(batch)
    assert found.boards.shape == (9, 4, 2)
    for game in range(9):
        packing = batch.packings[batch.level[game]]
        position = packing.unpack(batch.plays[game, : packing.words])
        assert isinstance(position, Position)
        wanted = [afterstate_by_rules(position, move) for move in Move]
        assert boards_of(found, game, len(position.cells)) == wanted


afterstates: Any = Hole()


def greedy(data, state, boards, rewards, weights):  # type: ignore[no-untyped-def]  # kernels have no types
    """The direction with the largest sum of reward and the value of one tuple: the first row."""
    afterstates(data, state, boards, rewards)
    best = -1
    for number in range(4):
        rewards[number] += weights[boards[number, 0] & np.uint64(0xFFFF)] if rewards[number] >= 0 else 0
        if rewards[number] >= 0 and (best < 0 or rewards[number] > rewards[best]):
            best = number
    return best


@pytest.mark.slow
def test_greedy_player_takes_weights_as_an_argument() -> None:
    from gridproof.games.twenty48.kernel import afterstates as compiled

    level = Level(4, 4, board=((2, 2, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 8)))
    packing = prepare(level)
    assert packing is not None
    player, state = kernel(greedy, afterstates=compiled.afterstates), packing.pack(level.start())
    room = np.zeros((4, 1), np.uint64), np.zeros(4, np.int64)
    weights = np.zeros(1 << 16, np.int64)
    assert list(Move)[player(packing.data, state, *room, weights)] is Move.LEFT
    weights[0x2000] = 1  # 4 in the right corner
    assert list(Move)[player(packing.data, state, *room, weights)] is Move.RIGHT
    weights[0] = 100  # nothing in the first row
    assert list(Move)[player(packing.data, state, *room, weights)] is Move.DOWN


def test_afterstates_refuse_levels_without_a_kernel() -> None:
    level = Level(2, 2, board=((2**62, 2**62), (2, 4)), target=2**63)
    with pytest.raises(gp.GridproofError, match="2\\^62"):
        afterstates_of(level, np.zeros(1, np.uint64))


def test_afterstates_refuse_other_states_and_games() -> None:
    level, other = Level(4, 4), gp.read("@.o", "null")[0]
    with pytest.raises(gp.GridproofError, match=r"uint64 \(n, \d\) is needed, not int64 \(1, \d\)"):
        afterstates_of(level, np.zeros((1, 2), np.int64))
    with pytest.raises(gp.GridproofError, match="is needed, not uint64"):
        afterstates_of(level, np.zeros((1, 9), np.uint64))
    with pytest.raises(gp.GridproofError, match="afterstates are of levels of 2048"):
        afterstates_in(Batch([other], 3))
