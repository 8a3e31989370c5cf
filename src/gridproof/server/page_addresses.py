"""Addresses of the page's screens; the pack, level or session that they name must exist."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from gridproof.core.errors import GridproofError
from gridproof.core.puzzle import parse_id, puzzle_games
from gridproof.core.registry import is_game
from gridproof.server.api.catalogue import find_level, find_pack, games_data
from gridproof.server.api.lessons import find_lesson, find_step
from gridproof.server.errors import NotFound
from gridproof.server.live.session_registry import SessionRegistry

_FIXED = {"", "open", "formulas", "edit", "analyse", "new", "levels", "statistics"}
_EDITOR = re.compile(r"edit/([^/]+)")
_PUZZLE = re.compile(r"new/([^/]+)")
_DAILY = re.compile(r"daily/([^/]+)")
_LESSON = re.compile(r"(?:rules|learn)/([^/]+)")
_STEP = re.compile(r"learn/([^/]+)/([1-9]\d{0,3})")
_GAME = re.compile(r"levels/([^/]+)")
_PACK = re.compile(r"(?:levels|analyse)/([^/]+)/([^/]+)(?:/(\d{1,9}))?")
SESSION = re.compile(r"play/([\w-]+)", re.ASCII)


async def is_address(path: str, registry: SessionRegistry) -> bool:
    """Return whether the page has a screen at an address, without its first slash."""
    if path in _FIXED:
        return True
    if match := _EDITOR.fullmatch(path):
        return is_game(match[1])
    if match := _PUZZLE.fullmatch(path):
        return await asyncio.to_thread(_is_puzzle, match[1])
    if match := _DAILY.fullmatch(path):
        return match[1] in await asyncio.to_thread(lambda: [game.name for game in puzzle_games()])
    if match := SESSION.fullmatch(path):
        return await _is_session(match[1], registry)
    if match := _LESSON.fullmatch(path):
        return await asyncio.to_thread(_exists, find_lesson, match[1])
    if match := _STEP.fullmatch(path):
        return await asyncio.to_thread(_exists, find_step, match[1], int(match[2]))
    if match := _GAME.fullmatch(path):
        return await asyncio.to_thread(_has_packs, match[1])
    if match := _PACK.fullmatch(path):
        return await asyncio.to_thread(_is_pack, *match.groups())
    return False


def _has_packs(game: str) -> bool:
    return any(entry["packs"] for entry in games_data() if entry["name"] == game)


def _is_pack(game: str, name: str, number: str | None = None) -> bool:
    if number is None:
        return _exists(find_pack, game, name)
    return _exists(find_level, game, name, int(number))


def _exists(find: Callable[..., object], *names: str | int) -> bool:
    """Return whether a function finds what has these names."""
    try:
        find(*names)
    except NotFound:
        return False
    return True


def _is_puzzle(text: str) -> bool:
    try:
        parse_id(text)
    except GridproofError:
        return False
    return True


async def _is_session(name: str, registry: SessionRegistry) -> bool:
    """Return whether a session exists; true if the store cannot be read, since the page finds out later."""
    try:
        return await registry.has_session(name)
    except GridproofError:
        return True
