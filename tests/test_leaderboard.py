"""The leaderboard: the page shows the submissions, and all their wins replay."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
MODULE = runpy.run_path(str(DOCS / "leaderboard.py"))
FILES = sorted((DOCS / "leaderboard").glob("*.json.gz"))


def test_leaderboard_shows_all_submissions() -> None:
    found = MODULE["submissions"]()
    assert MODULE["table"](found) in (DOCS / "leaderboard.md").read_text(encoding="utf-8")
    assert len({(one.task, one.player) for one in found}) == len(found)
    assert [path.name for path in FILES] == [f"{one.task}.{one.player}.json.gz" for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_submissions_replay(path: Path) -> None:
    MODULE["Submission"].load(path).check()
