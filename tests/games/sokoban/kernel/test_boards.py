"""The kernel on boards against the rules, and where it is used."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from tests.sizes import size

import gridproof as gp
from gridproof.core.text.level_lookup import pack_names
from gridproof.envs import GridVectorEnv, Reward
from gridproof.games.sokoban.kernel import KERNEL
from gridproof.games.sokoban.kernel.boards import BOARDS, prepare
from gridproof.kernels.game import LOST, PLAYING, WON, packing_of

STATUS = {"PLAYING": PLAYING, "WON": WON, "LOST": LOST}


def packing_on(level: Any, wider: int = 0, higher: int = 0) -> Any:
    found = packing_of(level)
    assert found is not None
    height, width = found[1].observed
    return prepare(found[1], (height + higher, width + wider))


def without_bombs(level: Any) -> Any:
    return dataclasses.replace(level, bombs=0, certificate=None)


LEVELS = [
    without_bombs(level)
    for pack in pack_names(gp.game("sokoban"))
    for level in gp.levels_at(f"sokoban/{pack}")
]


def seen_by_rules(position: Any, shape: tuple[int, int]) -> Any:
    """Return the symbols of a position, a slow twin of `observe`."""
    level, (height, width) = position.level, shape
    board = np.full(shape, 2, np.uint8)
    for y in range(min(height, level.size[1])):
        for x in range(min(width, level.size[0])):
            cell = (x, y)
            if cell not in position.walls:
                board[y, x] = (cell in level.depots) + 3 * (cell in position.boxes)
                board[y, x] += 5 * (cell == position.player)
    return board.ravel()


@pytest.mark.slow
@pytest.mark.plain
def test_boards_agree_with_rules_in_random_games() -> None:
    rng = gp.Rng(3)
    played = 0
    while played < size("steps", 3000):
        level = rng.choice(LEVELS)
        packing = packing_on(level, rng.below(3), rng.below(3))
        if packing is None:
            continue
        position, data, state = level.start(), packing.data, packing.pack(level.start())
        seen, mask = np.zeros(int(np.prod(packing.observed)), np.uint8), np.zeros(5, np.uint8)
        BOARDS.env.observe(data, state, 0, seen)
        BOARDS.mask(data, state, mask)
        for _ in range(60):
            np.testing.assert_array_equal(seen, seen_by_rules(position, packing.observed))
            legal = {str(action): action for action in position.actions()}
            assert [str(packing.actions[one]) for one in np.flatnonzero(mask)] == list(legal)
            assert packing.unpack(state) == position
            np.testing.assert_array_equal(packing.pack(position), state)
            assert BOARDS.status(data, state) == STATUS[position.status.name]
            placed = BOARDS.propositions["placed", 0](data, state, np.zeros(1, np.int64))
            assert placed == len(position.boxes & level.depots)
            again, allowed = seen.copy(), mask.copy()
            BOARDS.env.observe(data, state, 0, again)
            BOARDS.mask(data, state, allowed)
            assert (again.tolist(), allowed.tolist()) == (seen.tolist(), mask.tolist())
            if not legal:
                break
            number = int(rng.choice(np.flatnonzero(mask).tolist()))
            position = position.step(legal[str(packing.actions[number])], rng).position
            room, random = np.empty_like(state), np.zeros(1, np.uint64)
            gained, status = BOARDS.env.update(data, state, number, random, room, seen, mask)
            assert (gained, status) == (0, STATUS[position.status.name])
            played += 1


def test_boards_agree_with_kernel_along_solutions() -> None:
    levels: Any = gp.levels_at("sokoban/first-steps")
    for level in levels:
        packing = packing_on(level)
        if level.bombs or packing is None:
            continue
        data, state = packing.data, packing.pack(level.start())
        seen, mask = np.zeros(int(np.prod(packing.observed)), np.uint8), np.zeros(5, np.uint8)
        BOARDS.env.observe(data, state, 0, seen)
        status = PLAYING
        for step in level.certificate.steps:
            number = packing.actions.index(step.action)
            _, status = BOARDS.env.update(data, state, number, state, state.copy(), seen, mask)
        assert status == WON
        assert not mask.any()
        assert packing.unpack(state).won


@pytest.mark.parametrize(
    ("text", "on_board"),
    [
        ("#####\n#@$.#\n#####", True),
        ("#####\n#@$.\n#####", False),
        (" ####\n#@$.#\n#####", True),
        ("#####\n#@$.#\n#####\nBombs: 1", False),
        ("#$.##\n#@$.#\n#####", False),
    ],
)
def test_boards_are_used_if_the_border_cannot_be_reached(text: str, on_board: bool) -> None:
    (level,) = gp.read(text, "sokoban")
    assert (packing_on(level) is not None) is on_board
    envs = GridVectorEnv("sokoban", 2, [level])
    assert (envs.games.kernel is BOARDS) is on_board
    assert (envs.games.kernel is KERNEL) is not on_board


def test_boards_are_used_for_rewards_that_they_measure() -> None:
    for measure, kernel in (("placed", BOARDS), ("bombs", KERNEL), ("", BOARDS)):
        envs = GridVectorEnv("sokoban", 2, "sokoban-easy", reward=Reward(measure=measure, measured=1.0))
        assert envs.games.kernel is kernel
    mixed = [*gp.levels_at("sokoban/first-steps/1"), *gp.read("####\n.$@#\n####", "sokoban")]
    assert GridVectorEnv("sokoban", 2, mixed).games.kernel is KERNEL


@pytest.mark.slow
@pytest.mark.plain
def test_both_kernels_play_the_same_games() -> None:
    pack: Any = gp.levels_at("sokoban/first-steps")
    levels = [level for level in pack if level.bombs == 0]
    options: dict[str, Any] = {"max_episode_steps": 30, "autoreset_mode": "SameStep", "reward": "boxes"}
    one = GridVectorEnv("sokoban", 16, levels, **options)
    other = GridVectorEnv("sokoban", 16, levels, **{**options, "reward": Reward(-0.1, 10, measure="valid")})
    assert (one.games.kernel is BOARDS, other.games.kernel is KERNEL) == (True, True)
    np.testing.assert_equal(one.reset(seed=5), other.reset(seed=5))
    for _ in range(100):
        actions = one.sample_legal()
        first, second = one.step(actions), other.step(actions)
        for place in (0, 2, 3):
            np.testing.assert_equal(first[place], second[place])
        for name in ("action_mask", "illegal", "won", "level"):
            np.testing.assert_equal(first[4][name], second[4][name])
        assert [one.position(number) for number in range(16)] == [
            other.position(number) for number in range(16)
        ]
