"""Addresses of the page's screens; the pack, level or session that they name must exist."""

from __future__ import annotations

import asyncio
import re

from gridproof.core.errors import GridproofError
from gridproof.core.registry import is_game
from gridproof.server.api.catalogue import find_level, find_pack
from gridproof.server.errors import Unknown
from gridproof.server.live.session_registry import SessionRegistry

_FIXED = {"", "open", "formulas", "edit", "analyse"}
_EDITOR = re.compile(r"edit/([^/]+)")
_PACK = re.compile(r"levels/([^/]+)/([^/]+)")
_ANALYSIS = re.compile(r"analyse/([^/]+)/([^/]+)(?:/(\d{1,9}))?")
_SESSION = re.compile(r"play/([\w-]+)", re.ASCII)


async def is_address(path: str, registry: SessionRegistry) -> bool:
    """Return whether the page has a screen at an address, without its first slash."""
    if path in _FIXED:
        return True
    if match := _EDITOR.fullmatch(path):
        return is_game(match[1])
    if match := _SESSION.fullmatch(path):
        return await _is_session(match[1], registry)
    if match := _PACK.fullmatch(path) or _ANALYSIS.fullmatch(path):
        return await asyncio.to_thread(_is_pack, *match.groups())
    return False


def _is_pack(game: str, name: str, number: str | None = None) -> bool:
    try:
        find_pack(game, name) if number is None else find_level(game, name, int(number))
    except Unknown:
        return False
    return True


async def _is_session(name: str, registry: SessionRegistry) -> bool:
    """Return whether a session exists; true if the store cannot be read, since the page finds out later."""
    try:
        return await registry.has_session(name)
    except GridproofError:
        return True
