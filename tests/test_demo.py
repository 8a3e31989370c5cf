from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"
SHARED = Path(__file__).parents[2] / "shared" / "levels"


@pytest.mark.long
@pytest.mark.parametrize("others", [True, False])
def test_demo_shows_every_game(others: bool, tmp_path: Path) -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    if others and SHARED.is_dir():
        environment.setdefault("GRIDPROOF_LEVELS", str(SHARED))
    if not others:
        environment["GRIDPROOF_LEVELS"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, str(DEMO)], capture_output=True, text=True, env=environment, timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for shown in ("Extended Sokoban", "fewest pushes", "won", "tile 128", "Shift It", "Robots"):
        assert shown in done.stdout
    assert "NOT WON" not in done.stdout
    assert ("level files of other people" in done.stdout) == ("GRIDPROOF_LEVELS" in environment)
    assert ("GRIDPROOF_LEVELS may name" in " ".join(done.stdout.split())) or others  # lines are wrapped
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["Games", "Sokoban: our own levels"])
def test_ctrl_c_ends_demo_cleanly(shown: str, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, str(DEMO)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert demo.stdout is not None
    for line in demo.stdout:
        if shown in line:
            break
    demo.send_signal(signal.SIGINT)
    out, err = demo.communicate(timeout=600)
    assert (demo.returncode, err) == (130, "")
    assert out.endswith("\nInterrupted: no report is written.\n")
    assert not (tmp_path / "build").exists()


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.2, 0.5])
def test_ctrl_c_ends_demo_at_once_while_it_loads(delay: float, tmp_path: Path) -> None:
    demo = subprocess.Popen(
        [sys.executable, str(DEMO)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    time.sleep(delay)
    demo.send_signal(signal.SIGINT)
    err = demo.communicate(timeout=600)[1]
    assert demo.returncode in (130, -signal.SIGINT)
    assert err == ""
