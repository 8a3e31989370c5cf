from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


@pytest.mark.slow
@pytest.mark.parametrize("others", [True, False])
def test_the_demo_shows_every_game(others: bool, tmp_path: Path) -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    if not others:
        environment["GRIDPROOF_LEVELS"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, str(DEMO)], capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for shown in ("Extended Sokoban", "fewest pushes", "won", "tile 128", "Shift It", "Robots"):
        assert shown in done.stdout
    assert "NOT WON" not in done.stdout
    assert ("GRIDPROOF_LEVELS may say" in " ".join(done.stdout.split())) or others  # lines are wrapped
    assert max(map(len, done.stdout.splitlines())) <= 80
