"""Limits count the time of searching, not that of compiling or loading kernels."""

from __future__ import annotations

import pytest
from tests.measurement import Clock

import gridproof as gp
from gridproof.search import solve as solving
from gridproof.search.packed_bfs import PackedStates


def test_time_while_paused_is_not_counted(clock: Clock) -> None:
    meter = gp.Limit(seconds=20).start()
    with meter.pause():
        clock.now += 30
    assert meter.seconds == 0

    def fail() -> None:
        with meter.pause():
            clock.now += 30
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not meter.is_reached(1)
    clock.now += 21
    assert meter.is_reached(1)


def test_slow_preparation_leaves_the_search_its_time(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(solving, "_BY_RULES", 1)
    prepare = PackedStates.prepare

    def slowly(self: PackedStates) -> None:
        prepare(self)
        clock.now += 1000

    monkeypatch.setattr(PackedStates, "prepare", slowly)
    level = gp.read("@......................o", "null")[0]
    assert gp.solve(level, limit=gp.Limit(seconds=20)).found


def test_gp_games_has_name_of_package() -> None:
    assert gp.games.__name__ == "gridproof.games"
    assert "games" in dir(gp)
