"""REST routes of the gallery: all packs, a search over their levels, and collections of other people."""

from __future__ import annotations

import asyncio
import functools
import os
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import unquote, urlsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse

from gridproof.analysis.json_data import Data, board_size
from gridproof.core.difficulty import DIFFICULTIES, difficulty_word
from gridproof.core.position import Level
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.server.api import catalogue
from gridproof.server.api.schemas import ReadCollection
from gridproof.server.context import context_of
from gridproof.server.errors import RequestError
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import TooLarge, check_boards
from gridproof.table.messages import broken_level_notes

router = APIRouter(prefix="/api")
FOLDER = "GRIDPROOF_LEVELS"
"""Variable with the folder whose files may be opened by their address."""
MOST_FOUND = 60
"""Levels that a search lists."""
MOST_GROWTH = 4
"""Times the length that a text may have, up to which the texts of its levels are sent."""


# -- the built-in packs, and their levels


@router.get("/packs")
async def packs() -> Data:
    """List the built-in packs: author, licence, difficulty, and the keys of their levels."""
    return {"packs": await asyncio.to_thread(_packs_data)}


@functools.cache
def _packs_data() -> list[Data]:
    return [
        {
            "name": line["name"],
            "game": entry["name"],
            "game_title": entry["title"],
            **_collection_data(catalogue.find_pack(*line["name"].split("/")), line["title"]),
            "picture": f"/api/packs/{line['name']}/1.svg",
        }
        for entry in catalogue.games_data()
        for line in entry["packs"]
    ]


def _collection_data(levels: Pack, title: str) -> Data:
    return {
        "title": title,
        "author": levels.author or _common_author(levels),
        "licence": catalogue.licence_of(levels),
        "description": catalogue.description_of(levels),
        "difficulty": _difficulties(levels),
        "keys": [catalogue.key_of(level) for level in levels],
    }


def _difficulties(levels: Pack) -> str:
    """Return the range of difficulty in words, such as "easy to hard"; "" if it is unknown."""
    words = {difficulty_word(level) for level in levels}
    known = [word for word in DIFFICULTIES if word in words]
    return " to ".join(dict.fromkeys([known[0], known[-1]])) if known else ""


def _common_author(levels: Pack) -> str:
    """Return the author of all levels, if there is only one."""
    authors = {level.author for level in levels}
    return authors.pop() if len(authors) == 1 else ""


class IndexedLevel(NamedTuple):
    """A level that a search can find."""

    words: str
    """Titles of level, pack and game, and the authors, in lower case."""
    data: Data


@router.get("/levels")
async def search(query: Annotated[str, Query(max_length=200)] = "") -> Data:
    """Search the levels of all built-in packs: each word of the query is in a title or an author's name."""
    return await asyncio.to_thread(find_levels, query)


def find_levels(query: str) -> Data:
    """Return the levels that match a query, at most MOST_FOUND of them, and how many match."""
    words = query.lower().split()
    found = [level.data for level in _index() if all(word in level.words for word in words)]
    return {"count": len(found), "levels": found[:MOST_FOUND]}


@functools.cache
def _index() -> list[IndexedLevel]:
    return [
        _index_level(pack, number, level)
        for pack in _packs_data()
        for number, level in enumerate(catalogue.find_pack(*pack["name"].split("/")), 1)
    ]


def _index_level(pack: Data, number: int, level: Level) -> IndexedLevel:
    data = {
        "pack": pack["name"],
        "pack_title": pack["title"],
        "game": pack["game"],
        "game_title": pack["game_title"],
        "number": number,
        "title": level.title,
        "difficulty": difficulty_word(level),
        "key": pack["keys"][number - 1],
        "picture": f"/api/packs/{pack['name']}/{number}.svg",
    }
    texts = (level.title, level.author, pack["title"], pack["author"], pack["game_title"], pack["name"])
    return IndexedLevel("\n".join(texts).lower(), data)


# -- collections of other people


@router.post("/collections")
async def collection(request: Request, body: ReadCollection) -> Data:
    """Read a collection of levels, of any format: its title, author, licence, and levels with their own texts.

    The texts are empty if they are much longer than the collection may be.
    """
    context = context_of(request)
    return await context.read_checked(body.text, _read_collection, body, context.limits)


def _read_collection(body: ReadCollection, limits: Limits) -> Data:
    levels = recognition.read(body.text, body.game, lenient=True)
    if len(levels) > limits.levels:
        raise TooLarge(f"At most {limits.levels} levels are accepted at once.")
    check_boards(levels, limits)
    game, texts = levels.game, [level.text() for level in levels]
    sends_texts = sum(map(len, texts)) <= MOST_GROWTH * limits.text
    return {
        "game": game.name,
        "game_title": game.title,
        **_collection_data(levels, levels.title or (levels[0].title if len(levels) == 1 else "")),
        "levels": [
            {
                "number": number,
                "in_text": in_text,
                "title": level.title,
                "size": board_size(level.start()),
                "text": text if sends_texts else "",
            }
            for number, (in_text, level, text) in enumerate(
                zip(levels.numbers, levels, texts, strict=True), 1
            )
        ],
        "notices": [*broken_level_notes(levels), *levels.notices.values()],
    }


@router.get("/files", response_class=PlainTextResponse)
async def file(
    request: Request, address: Annotated[str, Query(min_length=1, max_length=2000)]
) -> PlainTextResponse:
    """Return a file of the folder GRIDPROOF_LEVELS on the server, by its address or its path in the folder."""
    most = context_of(request).limits.text
    return PlainTextResponse(await asyncio.to_thread(read_file, address, os.environ.get(FOLDER, ""), most))


def read_file(address: str, folder: str, most: int) -> str:
    """Return the text of a file in a folder.

    Raises
    ------
    RequestError
        If there is no folder, the file is not in it, or it is too large.
    """
    if not folder:
        raise RequestError(
            "missing",
            f"This server opens no files by address: choose the file, or set {FOLDER} to its folder for the server.",
        )
    try:
        path = _path_in(Path(folder).resolve(), address)
        size = -1 if path is None else path.stat().st_size
        text = path.read_text(encoding="utf-8", errors="replace") if path and size <= most else ""
    except (OSError, ValueError):
        raise RequestError("missing", "This file cannot be read.") from None
    if path is None:
        raise RequestError("missing", f"There is no such file in the folder {FOLDER} of the server.")
    if size > most:
        raise RequestError("large", f"at most {most} characters are accepted")
    return text


def _path_in(root: Path, address: str) -> Path | None:
    """Return the path of a file in a folder; None for any other file."""
    parts = urlsplit(address)
    path = (root / (unquote(parts.path) if parts.scheme == "file" else address)).resolve()
    return path if path.is_relative_to(root) and path.is_file() else None
