"""Shared fixtures of the conformance kit's tests."""

from __future__ import annotations

import dataclasses

import pytest
from tests.extensions import put_extension
from tests.testing.mutations import NULL, Change

from gridproof.games.null import Level, Position

OWNERS = {"Position": Position, "Level": Level}


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Return a function that changes a field of the game, of its look ("look.keys") or own format
    ("format.split_actions"), an extension ("SOLVERS") or a method ("Position.text")."""

    def apply(name: str, value: object) -> None:
        where, _, attribute = name.rpartition(".")
        if where in OWNERS:
            monkeypatch.setattr(OWNERS[where], attribute, value)
        elif name.isupper():
            put_extension(monkeypatch, NULL, name.lower(), value)
        elif where == "format":
            own = dataclasses.replace(NULL.own_format, **{attribute: value})  # type: ignore[arg-type]  # what is tried
            monkeypatch.setitem(NULL.__dict__, "formats", (own,))
        else:
            monkeypatch.setitem((NULL.look if where == "look" else NULL).__dict__, attribute, value)

    return apply


@pytest.fixture
def no_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return null without its packs: tests choose the levels."""
    monkeypatch.setattr("gridproof.testing.conformance.pack_names", lambda game: ())
