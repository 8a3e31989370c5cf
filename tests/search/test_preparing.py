"""Limits count the time of searching, not that of compiling or loading kernels."""

from __future__ import annotations

import time

import pytest

import gridproof as gp
from gridproof.search import solve as solving
from gridproof.search.packed import PackedStates


def test_time_while_paused_is_not_counted() -> None:
    meter = gp.Limit(seconds=0.05).start()
    with meter.paused():
        time.sleep(0.1)
    assert meter.seconds < 0.05
    assert not meter.reached(1)
    with pytest.raises(ZeroDivisionError), meter.paused():
        raise ZeroDivisionError
    time.sleep(0.06)
    assert meter.reached(1)


def test_slow_preparation_leaves_the_search_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "_BY_RULES", 1)
    prepare = PackedStates.prepare

    def slowly(self: PackedStates) -> None:
        prepare(self)
        time.sleep(0.4)

    monkeypatch.setattr(PackedStates, "prepare", slowly)
    level = gp.read("@......................o", "null")[0]
    assert gp.solve(level, limit=gp.Limit(seconds=0.35)).found


def test_the_package_of_games_has_a_name() -> None:
    assert gp.games.__name__ == "gridproof.games"
    assert "games" in dir(gp)
