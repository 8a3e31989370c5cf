"""Planes against a slow twin, and observations in the user's own buffers."""

from __future__ import annotations

import copy
import math
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs.observation import KINDS, LANES

NAMES = ("Twenty48", "Sokoban", "ShiftIt", "Robots")


def make_vec(name: str, count: int, **options: Any) -> Any:
    return gymnasium.make_vec(f"gridproof/{name}-v0", count, **options)


def slow_planes(symbols: Any, most: int) -> Any:
    """Return one plane for each symbol, by numpy alone."""
    flat = symbols.reshape(*symbols.shape[:3], -1) if symbols.ndim > 2 else symbols[:, None, :, None]
    planes = np.eye(most, dtype=np.uint8)[flat]
    return np.moveaxis(planes.reshape(*planes.shape[:3], -1), -1, 1)


@pytest.mark.parametrize("name", NAMES)
def test_planes_mark_each_symbol(name: str) -> None:
    envs, planes = (make_vec(name, 5, observation=kind) for kind in ("symbols", "planes"))
    symbols, marks = envs.reset(seed=1)[0], planes.reset(seed=1)[0]
    for _ in range(20):
        assert marks.dtype == np.uint8
        np.testing.assert_array_equal(marks, slow_planes(symbols, envs.games.symbols))
        actions = envs.sample_legal()
        symbols, marks = envs.step(actions)[0], planes.step(actions)[0]


@pytest.mark.slow
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    ("kind", "dtype"), [("symbols", "uint8"), *(("planes", one) for one in ("uint8", "float16", "float32"))]
)
@pytest.mark.parametrize("name", ["Sokoban", "ShiftIt"])
def test_observations_are_written_into_buffer(name: str, kind: str, dtype: str, masked: bool) -> None:
    options = {"observation": kind, "mask_in_observation": masked, "autoreset_mode": "SameStep"}
    envs, other = (make_vec(name, 4, max_episode_steps=3, **options) for _ in range(2))
    seen = other.reset(seed=1)[0]
    buffer = np.full((seen["observation"] if masked else seen).shape, 7, dtype)
    envs.set_output(buffer)
    results = envs.reset(seed=1)
    for _ in range(7):
        written = results[0]["observation"] if masked else results[0]
        assert written is buffer
        np.testing.assert_array_equal(buffer, seen["observation"] if masked else seen)
        results = envs.step(envs.sample_legal())
        same = other.step(other.sample_legal())
        seen = same[0]
        np.testing.assert_equal([*results[4].get("final_obs", ())], [*same[4].get("final_obs", ())])
    twin = copy.deepcopy(envs)
    twin.step(twin.sample_legal())
    np.testing.assert_array_equal(buffer, seen["observation"] if masked else seen)
    envs.set_output(None)
    assert envs.reset()[0] is not buffer


class Exporter:
    """Array that only DLPack gives."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32"])
@pytest.mark.parametrize("games", [1, 2, LANES // 4, 2 * LANES + 1])
@pytest.mark.parametrize("size", ["2x2", "2x3", "5x5"])
def test_planes_stay_within_buffer(size: str, games: int, dtype: str) -> None:
    """Planes of one game are written beyond their ends, but not those of the last games."""
    level = gp.read(f"2048 {size} spawn=classic target=8")
    symbols, planes = (make_vec("Twenty48", games, levels=level, observation=kind) for kind in KINDS[:2])
    shape = (games, *planes.single_observation_space.shape)
    around = np.full(math.prod(shape) + 2 * LANES, 7, dtype)
    planes.set_output(around[LANES:-LANES].reshape(shape))
    seen, marks = symbols.reset(seed=1)[0], planes.reset(seed=1)[0]
    for _ in range(5):
        np.testing.assert_array_equal(marks, slow_planes(seen, shape[1]))
        actions = symbols.sample_legal()
        seen, marks = symbols.step(actions)[0], planes.step(actions)[0]
    np.testing.assert_array_equal(np.concatenate([around[:LANES], around[-LANES:]]), 7)


def test_buffer_may_come_by_dlpack() -> None:
    envs = make_vec("Twenty48", 2)
    board = np.zeros((2, 4, 4), np.uint8)
    envs.set_output(Exporter(board))
    envs.reset(seed=1)
    assert board.any()


@pytest.mark.parametrize(
    ("kind", "buffer", "message"),
    [
        (
            "symbols",
            np.zeros((2, 4, 5), np.uint8),
            r"an array of \(2, 4, 4\) and uint8 is needed, not \(2, 4, 5\)",
        ),
        ("symbols", np.zeros((2, 4, 4), np.float16), "and uint8 is needed, not .* and float16"),
        ("planes", np.zeros((2, 17, 4, 4), np.int64), "and uint8 or float16 or float32 is needed"),
        ("symbols", np.zeros((2, 4, 4), np.uint8, order="F"), "the array must be contiguous and writable"),
        ("text", np.zeros((2, 4, 4), np.uint8), "texts cannot be written into an array"),
    ],
)
def test_buffer_that_does_not_fit_is_refused(kind: str, buffer: Any, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        make_vec("Twenty48", 2, observation=kind).set_output(buffer)
