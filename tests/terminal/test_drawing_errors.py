"""Pieces that cannot be drawn end the full screen with a message; the menu shows the message."""

from __future__ import annotations

import contextlib
import os
import pty
import shutil
import subprocess
import sys
import termios
import textwrap
from pathlib import Path

import pytest
from tests.terminal.apps import make_app, message_text, until
from textual.pilot import Pilot
from textual.widgets import OptionList

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.look import COLOURS, Piece
from gridproof.terminal.app import GridproofApp

EXAMPLE = Path(__file__).parents[2] / "examples" / "lights_out" / "src" / "gridproof_lights_out"
PINK = Piece("flag", "o", "star", ("pink",))
UNKNOWN = f"has an unknown colour, 'pink'; choose from {', '.join(COLOURS)}, or #rrggbb"


@pytest.fixture
def pink_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the flags of null an unknown colour."""
    monkeypatch.setattr("gridproof.games.null.look.FLAG", PINK)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_app_ends_with_the_error_of_a_piece(pink_flags: None) -> None:
    app = make_app(gp.levels_at("null/first/2"))
    with pytest.raises(GridproofError, match=UNKNOWN):
        async with app.run_test():
            pass
    assert str(app.error) == f"the piece 'flag' {UNKNOWN}"


@pytest.mark.asyncio
async def test_app_ends_with_any_error_of_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(gp.levels_at("null/first/2"))
    monkeypatch.setattr("gridproof.games.null.look._cell", lambda position, x: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        async with app.run_test():
            pass


async def _highlight_lights(pilot: Pilot[None]) -> None:
    menu = pilot.app.screen.query_one("#choices", OptionList)
    menu.highlighted = menu.get_option_index("game:lights_out")
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.asyncio
async def test_preview_shows_error_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    lights = pytest.importorskip("gridproof_lights_out.look")
    monkeypatch.setattr(lights, "DARK", Piece("dark lamp", ".", "light", ("pink",)))
    async with GridproofApp().run_test() as pilot:
        await _highlight_lights(pilot)
        assert message_text(pilot) == f"the piece 'dark lamp' {UNKNOWN}"
        line = pilot.app.screen.query_one("#message")
        await until(
            pilot, lambda: len(textwrap.wrap(message_text(pilot), line.size.width)) <= line.size.height
        )
        await pilot.press("enter")
        await pilot.pause()
        assert message_text(pilot) == f"the piece 'dark lamp' {UNKNOWN}"
        await pilot.press("escape", "up")
        assert "unknown colour" not in message_text(pilot)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_menu_survives_any_error_of_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    lights = pytest.importorskip("gridproof_lights_out.look")
    monkeypatch.setattr(lights, "LIT", None)  # no piece: drawing raises AttributeError
    async with GridproofApp().run_test() as pilot:
        await _highlight_lights(pilot)
        assert "AttributeError" in message_text(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "AttributeError" in message_text(pilot))
        await pilot.press("escape", "up")
        assert message_text(pilot).startswith("Bring a robot home")
        assert pilot.app.error is None  # type: ignore[attr-defined]


def _plug_in(folder: Path) -> None:
    """Write a plug-in with a piece of an unknown colour."""
    copy = shutil.copytree(EXAMPLE, folder / "dim_lights", ignore=shutil.ignore_patterns("__pycache__"))
    for path in copy.glob("*.py"):
        text = path.read_text(encoding="utf-8").replace("gridproof_lights_out", "dim_lights")
        path.write_text(text.replace('name="lights_out"', 'name="dim_lights"').replace('"dark",', '"pink",'))
    about = folder / "dim_lights-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: dim-lights\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[gridproof.games]\ndim_lights = dim_lights:GAME\n")


@pytest.mark.slow
def test_app_ends_with_message_when_plug_in_has_unknown_colour(tmp_path: Path) -> None:
    _plug_in(tmp_path)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "gridproof", "play", "dim_lights/first/1", "--no-keep"]
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(tmp_path), "COLUMNS": "80"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        shown = b""
        with contextlib.suppress(OSError):
            while b"error: " not in shown:
                shown += os.read(ours, 65536)
        assert process.wait(timeout=600) == 2
        assert termios.tcgetattr(theirs) == before
    os.close(theirs)
    with contextlib.suppress(OSError):
        while more := os.read(ours, 65536):
            shown += more
    os.close(ours)
    assert b"\x1b[?1049l" in shown.partition(b"error: ")[0]  # the screen before is back
    assert f"error: the piece 'dark lamp' {UNKNOWN}" in shown.decode()
    assert "Traceback" not in shown.decode()
