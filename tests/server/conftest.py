"""Fixtures: a server with its own store for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.sites import Site, Threads, Waiting


@pytest.fixture(autouse=True)
def _closed(close_stores: None) -> None:
    """Close the stores of all tests here."""


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    opened = Site(url, workers=Threads)
    with opened.client:
        yield opened


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()
