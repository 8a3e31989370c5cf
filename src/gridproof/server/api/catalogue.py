"""What there is to play, as pages list it: read once, since it comes with the program."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.shelf import shipped
from gridproof.play.data import Data, board_size
from gridproof.play.library import Library
from gridproof.play.menu import entries, games_to_play
from gridproof.play.shows import shows
from gridproof.store import digest


class Unknown(GridproofError):
    """There is no such game, pack or level."""


@functools.cache
def pack_named(game: str, name: str) -> Pack:
    """A pack that comes with a game.

    Raises
    ------
    Unknown
        When there is none.
    """
    if not is_game(game):
        raise Unknown(f"there is no game {game!r}")
    try:
        return shipped(game_named(game), name)
    except GridproofError as error:
        raise Unknown(str(error)) from None


def level_named(game: str, name: str, number: int) -> Level:
    """A level of a pack, by its number from 1; errors as of `pack_named`."""
    levels = pack_named(game, name)
    if not 1 <= number <= len(levels):
        raise Unknown(f"the levels are numbered from 1 to {len(levels)}")
    return levels[number - 1]


@functools.cache
def key_of(level: Level) -> str:
    """What a level's scores are kept under."""
    return digest(level)


@functools.cache
def games_data() -> list[Data]:
    """The games and their packs."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "meaning": entry.meaning,
            "packs": [_pack_line(pack) for pack in entry.packs],
            "players": [*shows(game_named(entry.name))],
            "edits": bool(game_named(entry.name).editor),
            **_races(game_named(entry.name)),
        }
        for entry in games_to_play()
    ]


def pack_data(game: str, name: str, library: Library) -> Data:
    """A pack with its levels and what has been reached on them."""
    levels = pack_named(game, name)
    listed = entries(levels, library)
    return {
        "pack": f"{game}/{name}",
        "game": game,
        "title": levels.title or title_of(name),
        "author": levels.author,
        "levels": [
            {
                **_level_data(game, name, place, level),
                "difficulty": entry.difficulty,
                "best": dict(entry.best),
            }
            for place, (level, entry) in enumerate(zip(levels, listed, strict=True))
        ],
    }


def title_of(name: str) -> str:
    """A pack's name as a title, where it says none of its own."""
    return name.replace("-", " ").capitalize()


def _pack_line(reference: str) -> Data:
    game, _, name = reference.partition("/")
    levels = pack_named(game, name)
    return {"name": reference, "title": levels.title or title_of(name), "levels": len(levels)}


@functools.cache
def _level_data(game: str, name: str, place: int, level: Level) -> Data:
    data: Data = {
        "number": place + 1,
        "title": level.title,
        "author": level.author,
        "size": board_size(level.start()),
        "key": key_of(level),
        "picture": f"/api/packs/{game}/{name}/{place + 1}.svg",
    }
    return data if level.certificate is None else {**data, "fewest": len(level.certificate.steps)}


def _races(game: Game) -> Data:
    make = game.added("watch")
    if make is None:
        return {"races": False}
    options: dict[str, Any] = {
        name: item.default for name, item in list(inspect.signature(make).parameters.items())[2:]
    }
    return {"races": True, "options": options}
