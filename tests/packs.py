"""Levels of the built-in packs, created when a test runs and not during collection, so that a broken rule fails a test."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.text.level_lookup import CERTIFICATES, pack_text, read_certificates


@dataclass(frozen=True)
class Late:
    """A parameter of a test that is made by a function when the test begins."""

    make: Callable[[], Any]


def late(function: Callable[..., Any], *arguments: Any, **named: Any) -> Late:
    """What the function makes of these arguments, later."""
    return Late(lambda: function(*arguments, **named))


@functools.cache
def pack(name: str) -> Any:
    """A pack that comes with a game, such as "sokoban/bombs"."""
    return gp.levels_at(name)


def titled(name: str, title: str) -> Any:
    """The level of a pack with this title: places change when a pack grows or is measured anew."""
    (level,) = (level for level in pack(name) if level.title == title)
    return level


def each(*names: str, step: int = 1) -> list[Any]:
    """A parameter for every level of these packs, or for every third, and so on."""
    return [
        pytest.param(Late(functools.partial(_level, name, number)), id=f"{name}/{number}")
        for name in names
        for number in range(1, _count(name) + 1, step)
    ]


def _level(name: str, number: int) -> Any:
    return pack(name)[number - 1]


def _count(name: str) -> int:
    """How many levels a pack has, found out without its game's rules: each has a certificate, or a title."""
    game, _, own = name.partition("/")
    certified = read_certificates(files(gp.game(game).package) / "levels" / f"{own}{CERTIFICATES}")
    return len(certified) or pack_text(gp.game(game), own).count("\ntitle: ")
