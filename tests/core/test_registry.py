"""Names to games: built-in ones, plug-ins, and plug-ins that are broken."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.core import registry
from gridproof.core.errors import GridproofError
from gridproof.core.text import recognition

NULL = registry.game("null")


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Let installed packages provide values under names of entry points; exceptions are raised."""
    found: dict[str, object] = {}

    class Point:
        def __init__(self, name: str) -> None:
            self.name = name

        def load(self) -> object:
            value = found[self.name]
            if isinstance(value, Exception):
                raise value
            return value

    def entry_points(*, group: str) -> list[Point]:
        assert group == "gridproof.games"
        return [Point(name) for name in found]

    def forget() -> None:
        registry._loaders.cache_clear()
        registry.game.cache_clear()

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    forget()
    yield found
    monkeypatch.undo()
    forget()


def test_built_in_games_are_found_without_a_list(points: dict[str, object]) -> None:
    names = registry.game_names()
    assert list(names) == sorted(names)
    assert "twenty48" in names
    assert "null" not in names
    assert all(registry.game(name).name == name for name in names)
    assert registry.is_game("null")
    assert registry.games() == tuple(registry.game(name) for name in names)


def test_plug_in_is_found_like_a_built_in_game(points: dict[str, object]) -> None:
    points["zero"] = dataclasses.replace(NULL, name="zero")
    assert "zero" in registry.game_names()
    assert registry.game("zero") is points["zero"]
    assert registry.games()[-1] is points["zero"]


def test_plug_in_never_hides_a_built_in_game(points: dict[str, object]) -> None:
    points["null"] = dataclasses.replace(NULL, title="False")
    assert registry.game("null").title == "Null"


@pytest.mark.parametrize("name", ["chess", "", "Null", "null ", "gridproof.games.null"])
def test_unknown_game_is_refused(name: str) -> None:
    assert not registry.is_game(name)
    with pytest.raises(GridproofError, match=r"no game .*; choose from .*twenty48"):
        registry.game(name)


BROKEN: list[tuple[object, str]] = [
    (ImportError("No module named 'x'"), "cannot be loaded: ImportError: No module named 'x'"),
    (AttributeError("module 'x' has no attribute 'GAME'"), "cannot be loaded: AttributeError"),
    (ZeroDivisionError("division by zero"), "cannot be loaded: ZeroDivisionError"),
    (GridproofError("a broken pack"), "a broken pack"),
    (None, "is no game of that name"),
    ("a text", "is no game of that name"),
    (dataclasses.replace(NULL, name="other"), "is no game of that name"),
]


@pytest.mark.parametrize(("value", "message"), BROKEN)
def test_broken_plug_in_is_reported_without_effect_on_others(
    points: dict[str, object], value: object, message: str
) -> None:
    points["broken"] = value
    assert "broken" in registry.game_names()
    with pytest.raises(GridproofError, match=message):
        registry.game("broken")
    assert "broken" not in [game.name for game in registry.games()]
    assert re.search(message, registry.load_errors()["broken"])
    with pytest.raises(gp.ParseError, match=message):
        recognition.read("no level at all")
    assert recognition.read(".@o\n", "null")


def test_game_repr_can_be_typed() -> None:
    assert repr(NULL) == "gridproof.game('null')"
    assert gp.game("null") is NULL


def test_gp_games_is_the_package() -> None:
    code = "import gridproof as gp; print(gp.games.__name__)"
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        == "gridproof.games\n"
    )
