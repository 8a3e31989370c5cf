"""Snapshots of the full screen. `pytest --snapshot-update` draws them again; look at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.terminal.apps import make_app
from tests.terminal.test_badge import app_with
from textual.pilot import Pilot

import gridproof as gp
from gridproof.terminal.app import GridproofApp

Compare = Callable[..., bool]

pytestmark = pytest.mark.slow


async def _wait_until_stable(pilot: Pilot[Any]) -> None:
    """Wait until the screen has stayed the same for half a second: tables find their widths when nothing else is to do."""
    shown: list[str] = []
    while len(shown) < 10 or len(set(shown[-10:])) > 1:
        await pilot.pause(0.05)
        shown.append(pilot.app.export_screenshot())


@pytest.mark.parametrize(
    ("reference", "size", "keys"),
    [
        ("sokoban/first-steps/2", (80, 24), ["right"]),
        ("sokoban/first-steps/1", (40, 20), []),
        ("robots/races/14", (80, 24), []),
        ("shiftit/boards/12", (80, 24), ["i", "i"]),
        ("twenty48/positions/4", (160, 50), []),
        ("lights_out/first/2", (40, 20), ["up"]),
        ("null/first/2", (80, 24), ["question_mark"]),
    ],
    ids=["sokoban", "narrow", "robots", "hint", "large", "cursor", "help"],
)
def test_game_matches_snapshot(
    snap_compare: Compare, reference: str, size: tuple[int, int], keys: list[str]
) -> None:
    app = make_app(gp.levels_at(reference))
    assert snap_compare(app, press=keys, terminal_size=size, run_before=_wait_until_stable)


def test_verdict_matches_snapshot(snap_compare: Compare) -> None:
    app, proving = app_with("always")

    async def prove(pilot: Pilot[Any]) -> None:
        await pilot.press("down", "down")
        proving.answer()
        await _wait_until_stable(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=prove)


def test_win_matches_snapshot(snap_compare: Compare) -> None:
    app = make_app(gp.read("#####\n#@$.#\n#####"))
    assert snap_compare(app, press=["right"], terminal_size=(80, 24), run_before=_wait_until_stable)


def test_menu_matches_snapshot(snap_compare: Compare) -> None:
    app = GridproofApp()
    app.settings.motion = False
    assert snap_compare(app, press=["down", "down"], terminal_size=(80, 24), run_before=_wait_until_stable)


def test_game_without_colours_matches_snapshot(
    snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(gp.levels_at("sokoban/first-steps/2"))
    assert snap_compare(app, terminal_size=(80, 24), run_before=_wait_until_stable)


def test_game_in_16_colours_matches_snapshot(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM")
    app = make_app(gp.levels_at("robots/races/14"))
    assert snap_compare(app, terminal_size=(80, 24), run_before=_wait_until_stable)
