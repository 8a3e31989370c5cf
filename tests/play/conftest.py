"""No high score of another test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})
