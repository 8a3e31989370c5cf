"""Catalogue of games, packs and levels as JSON, read once."""

from __future__ import annotations

import functools
import importlib.metadata
import inspect
import itertools
from typing import Any

from gridproof.agents.demos import demos
from gridproof.analysis.json_data import Data, board_size
from gridproof.core.difficulty import puzzles_of
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function, module_of
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.proposition import parse_goal
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.text.level_lookup import builtin_pack, title_of
from gridproof.core.text.pack import Pack
from gridproof.prove.verdict_line import spoken_word
from gridproof.server.errors import NotFound
from gridproof.store import digest
from gridproof.table.game_store import GameStore
from gridproof.table.menu import entries, games_to_play


@functools.cache
def find_pack(game: str, name: str) -> Pack:
    """Return a built-in pack.

    Raises
    ------
    NotFound
        When there is none.
    """
    if not is_game(game):
        raise NotFound(f"there is no game {game!r}")
    try:
        return builtin_pack(game_named(game), name)
    except GridproofError as error:
        raise NotFound(str(error)) from None


def find_level(game: str, name: str, number: int) -> Level:
    """Return a level of a pack, by its number from 1; errors as of `pack_named`."""
    levels = find_pack(game, name)
    if not 1 <= number <= len(levels):
        raise NotFound(f"choose a level from 1 to {len(levels)}")
    return levels[number - 1]


@functools.cache
def key_of(level: Level) -> str:
    """Return the key of a level's scores."""
    return digest(level)


@functools.cache
def games_data() -> list[Data]:
    """Return the games and their packs as JSON."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "meaning": entry.meaning,
            "invitation": entry.invitation,
            "packs": [_pack_line(pack) for pack in entry.packs],
            "players": [*demos(game_named(entry.name))],
            "puzzles": puzzles_of(game_named(entry.name)) is not None,
            "rules": bool(module_of(game_named(entry.name), "lesson")),
            "edits": bool(module_of(game_named(entry.name), "editor")),
            "next_level_after_win": game_named(entry.name).policy.next_level_after_win,
            **_races(game_named(entry.name)),
        }
        for entry in games_to_play()
    ]


def pack_data(game: str, name: str, store: GameStore) -> Data:
    """Return a pack with its levels and the best counts as JSON."""
    levels = find_pack(game, name)
    listed = entries(levels, store)
    return {
        "pack": f"{game}/{name}",
        "game": game,
        "title": levels.title or title_of(name),
        "author": levels.author,
        "licence": licence_of(levels),
        "description": description_of(levels),
        "levels": [
            {
                **_level_data(game, name, place, level),
                "difficulty": entry.difficulty,
                "difficulty_word": entry.difficulty_word,
                "best": dict(entry.best),
            }
            for place, (level, entry) in enumerate(zip(levels, listed, strict=True))
        ],
    }


def licence_of(levels: Pack) -> str:
    """Return the licence of a pack, as its text says; of gridproof's own packs that of gridproof; "" if it is unknown."""
    said = {name.lower(): value for name, value in levels.keys.items()}
    for name in ("licence", "license", "copyright"):
        if name in said:
            return said[name]
    return _own_licence() if levels and levels[0].game.package.startswith("gridproof.games.") else ""


def description_of(levels: Pack) -> str:
    """Return what the text of a pack says about it, in its comment or its first note; "" for nothing."""
    said = {name.lower(): value for name, value in levels.keys.items()}
    return said.get("comment", "") or next(iter(levels.notes), "")


@functools.cache
def _own_licence() -> str:
    found = importlib.metadata.metadata("gridproof").get_all("License-Expression") or [""]
    return str(found[0])


def _pack_line(reference: str) -> Data:
    game, _, name = reference.partition("/")
    levels = find_pack(game, name)
    return {"name": reference, "title": levels.title or title_of(name), "levels": len(levels)}


@functools.cache
def _level_data(game: str, name: str, place: int, level: Level) -> Data:
    data: Data = {
        "number": place + 1,
        "title": level.title,
        "note": study_note(level),
        "goal": level.game.look.goal(level),
        "author": level.author,
        "size": board_size(level.start()),
        "key": key_of(level),
        "word": spoken_word(level),
        "picture": f"/api/packs/{game}/{name}/{place + 1}.svg",
        "random": len([*itertools.islice(level.starts(), 2)]) > 1,
    }
    return data if level.certificate is None else {**data, "fewest": len(level.certificate.steps)}


def study_note(level: Level) -> str:
    """Say why a level is only for study: by its own key `study`, or because it is won, over or lost from the start.

    "" for any other level.
    """
    start = level.start()
    if start.won:
        return "won already"
    if not start.all_actions():
        return "over from the start"
    if parse_goal(level.game, "won").explain_never(start):
        return "cannot be won"
    return level.keys.get("study", "")


def _races(game: Game) -> Data:
    make = find_function(game, "commands", "watch")
    if make is None:
        return {"races": False}
    options: dict[str, Any] = {
        name: item.default for name, item in list(inspect.signature(make).parameters.items())[2:]
    }
    return {"races": True, "options": options}
