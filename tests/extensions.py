"""Replacement of a game's extensions during a test."""

from __future__ import annotations

import sys
import types

import pytest

from gridproof.core import extension
from gridproof.core.game import Game
from gridproof.core.lazy_import import is_module

FIELDS = {"kernel": "kernel", "generator": "generate"}
"""The extensions whose modules are also fields of a game."""


def put_extension(patch: pytest.MonkeyPatch, game: Game, name: str, value: object) -> None:
    """Let a game have an extension with this object."""
    module = types.ModuleType(f"{game.package}.{name}")
    setattr(module, name.upper(), value)
    patch.setitem(sys.modules, module.__name__, module)
    if name in FIELDS:
        patch.setitem(game.__dict__, FIELDS[name], module.__name__)


def remove_extension(patch: pytest.MonkeyPatch, game: Game, name: str) -> None:
    """Let a game not have an extension."""
    if name in FIELDS:
        patch.setitem(game.__dict__, FIELDS[name], "")
    there = is_module
    patch.setattr(extension, "is_module", lambda module: module != f"{game.package}.{name}" and there(module))
