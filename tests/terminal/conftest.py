"""Fixtures: a terminal with all colours, whatever terminal runs the tests; and a store."""

from __future__ import annotations

import pytest

from gridproof.store import Store


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def store(url: str, close_stores: None) -> Store:
    """A store of the test's own."""
    return Store(url)
