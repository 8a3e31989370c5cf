"""What the tests of the conformance kit share."""

from __future__ import annotations

import pytest
from tests.testing.breaking import NULL, Change

from gridproof.games.null import Level, Position

OWNERS = {"Position": Position, "Level": Level}


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Changes a field of the game, of its look ("look.keys"), or a method ("Position.text")."""

    def apply(name: str, value: object) -> None:
        where, _, attribute = name.rpartition(".")
        if where in OWNERS:
            monkeypatch.setattr(OWNERS[where], attribute, value)
        else:
            monkeypatch.setitem((NULL.look if where == "look" else NULL).__dict__, attribute, value)

    return apply


@pytest.fixture
def no_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Null without its packs: tests say which levels are checked."""
    monkeypatch.setattr("gridproof.testing.conformance.pack_names", lambda game: ())
