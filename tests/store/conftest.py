"""Fixtures: every store is closed."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _closed(close_stores: None) -> None:
    """Close the stores of all tests here."""
