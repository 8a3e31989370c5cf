"""Tests of limits: valid values, and when they are reached."""

from __future__ import annotations

import math

import pytest
from tests.measurement import Clock

from gridproof.core import limit as limits
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.memory import available_memory, memory_in_use


@pytest.mark.parametrize("name", ["seconds", "states", "memory"])
@pytest.mark.parametrize("value", [-1, -0.5, math.nan, "3", True, [1]])
def test_limit_refuses_invalid_values(name: str, value: object) -> None:
    with pytest.raises(GridproofError, match=f"limit {name}="):
        Limit(**{name: value})  # type: ignore[arg-type]  # what is tried


@pytest.mark.parametrize("name", ["seconds", "states", "memory"])
@pytest.mark.parametrize("value", [None, 0, 1, 2**70, math.inf])
def test_limit_accepts_valid_values(name: str, value: float | None) -> None:
    assert getattr(Limit(**{name: value}), name) == value  # type: ignore[arg-type]  # what is tried


def test_limit_of_states_is_reached() -> None:
    meter = Limit(states=10).start()
    assert not meter.is_reached(10)
    assert meter.is_reached(11)


def test_limit_of_seconds_is_reached(clock: Clock) -> None:
    clock.now = 5
    meter = Limit(seconds=20).start()
    clock.now += 20
    assert not meter.is_reached(10**9)
    clock.now += 1
    assert meter.is_reached(0)
    assert (meter.stopped_by, meter.seconds) == ("seconds", 21)


def test_limit_of_seconds_leaves_time_for_steps(clock: Clock) -> None:
    meter = Limit(seconds=20).start()
    clock.now += 19
    assert (meter.has_time(1.5), meter.stopped_by) == (True, "")
    assert (meter.has_time(1.75), meter.stopped_by) == (False, "seconds")
    assert Limit().start().has_time(10**9)


def test_limit_of_memory_is_reached() -> None:
    assert Limit(memory=0).start().is_reached(0)
    assert not Limit(memory=2**60).start().is_reached(0)
    assert memory_in_use() > 1_000_000


def test_limit_of_memory_is_looked_at_now_and_then(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([1000, 1001])
    monkeypatch.setattr(limits, "memory_in_use", lambda: next(sizes))
    meter = Limit(memory=1000).start()
    assert not any(meter.is_reached(0) for _ in range(10))
    clock.now += 1
    assert meter.is_reached(0)


def test_default_memory_limit_is_half_of_available(monkeypatch: pytest.MonkeyPatch) -> None:
    half = available_memory() // 2
    meter = Limit().start()
    assert meter.memory == half
    monkeypatch.setattr(limits, "memory_in_use", lambda: half + 1)
    assert meter.is_reached(0)
