"""A server for each test, on a store of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.play.web.sites import Site, Threads

from gridproof.store import Store


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with its tables: to make them takes longer than most tests."""
    file = tmp_path_factory.mktemp("store") / "empty.sqlite"
    Store(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def url(empty: Path, tmp_path: Path) -> str:
    return f"sqlite:///{shutil.copy(empty, tmp_path / 'store.sqlite')}"


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    opened = Site(url, workers=Threads)
    with opened.client:
        yield opened
