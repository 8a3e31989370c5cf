"""REST route of the start screen: the games, and a level that is played at once."""

from __future__ import annotations

import asyncio
import datetime
import functools
import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Request

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import difficulty_word, spoken_difficulty
from gridproof.core.position import Action, Level, Position
from gridproof.core.puzzle import Puzzle, daily_title, today
from gridproof.core.text.phrases import format_count
from gridproof.prove.verdict_line import needs_luck, optimum_in_words, spoken_word
from gridproof.server.api import catalogue
from gridproof.server.context import RecentStart, ServerContext, context_of
from gridproof.server.live.board_delta import BoardSnapshot
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.serializers import Actions
from gridproof.table.keys import keys_on

router = APIRouter(prefix="/api")
FEWEST_STEPS = 4
"""Steps of a featured level's certificate: fewer are no puzzle."""
MOST_CELLS = 150
"""Cells of a featured board: more would be small on a phone."""
START_LIFETIME = 5.0
"""Seconds for which what the start screen shows is kept."""


class FeaturedLevel(NamedTuple):
    """A built-in level that can be featured."""

    game: str
    pack: str
    number: int


@router.get("/start")
async def start(request: Request) -> Data:
    """List the games, with a level to play at once: the same for all on a day of UTC, for one player, proved winnable."""
    return await current_start(context_of(request))


async def current_start(context: ServerContext) -> Data:
    """Return the games and what is featured today, as of the last few seconds: the store is not read for each page."""
    day, recent = today(), context.recent_start
    if recent is not None and recent.day == day and time.monotonic() < recent.until:
        return recent.data
    puzzles = [puzzle for _, puzzle in await context.puzzles.daily(day) if puzzle is not None]
    data = await asyncio.to_thread(start_data, day, puzzles)
    context.recent_start = RecentStart(data, day, time.monotonic() + START_LIFETIME)
    return data


def start_data(day: datetime.date, puzzles: Sequence[Puzzle]) -> Data:
    """Return the games and what is featured on a day: one of the puzzles of the day if any is suitable, else a built-in level."""
    ready = [puzzle for puzzle in puzzles if _is_for_one(puzzle.level)]
    level = None if ready else featured_level(day)
    chosen = _puzzle_data(ready[day.toordinal() % len(ready)], day) if ready else level and _level_data(level)
    return {"games": catalogue.games_data(), "featured": chosen, "docs": docs_address()}


def docs_address() -> str:
    """Return the address of the documentation that the page links to; "" if GRIDPROOF_DOCS gives none."""
    address = os.environ.get("GRIDPROOF_DOCS", "")
    return address.rstrip("/") if address.startswith(("https://", "http://")) else ""


def featured_level(day: datetime.date) -> FeaturedLevel | None:
    """Return the featured level of a day: each day another game, and its levels one after the other; None without any."""
    by_game = list(_levels_to_feature().values())
    if not by_game:
        return None
    round_, turn = divmod(day.toordinal(), len(by_game))
    return by_game[turn][round_ % len(by_game[turn])]


@functools.cache
def _levels_to_feature() -> dict[str, list[FeaturedLevel]]:
    """Return the levels of a moderate size for one player that a certificate proves winnable, by game."""
    found: dict[str, list[FeaturedLevel]] = {}
    for entry in catalogue.games_data():
        for line in entry["packs"]:
            levels = catalogue.find_pack(*line["name"].split("/"))
            for number, level in enumerate(levels, 1):
                if _is_suitable(level):
                    found.setdefault(entry["name"], []).append(
                        FeaturedLevel(entry["name"], line["name"], number)
                    )
    return found


def _is_suitable(level: Level) -> bool:
    certificate = level.certificate
    return certificate is not None and len(certificate.steps) >= FEWEST_STEPS and _is_for_one(level)


def _is_for_one(level: Level) -> bool:
    """Return whether a level is for one player, and not too large."""
    board = level.game.look.board(level.start())
    return len(level.game.actors(level)) == 1 and len(board) * len(board[0]) <= MOST_CELLS


@functools.lru_cache(maxsize=64)
def _level_data(chosen: FeaturedLevel) -> Data:
    game, _, name = chosen.pack.partition("/")
    level = catalogue.find_level(game, name, chosen.number)
    steps = len(level.certificate.steps) if level.certificate else 0
    return {
        **_board_data(level),
        "title": level.title or f"{catalogue.find_pack(game, name).title} {chosen.number}",
        "headline": _headline(
            "Today's level", level.game.title, spoken_difficulty(level.game, difficulty_word(level))
        ),
        "begin": {"pack": chosen.pack, "level": chosen.number},
        "verdict": f"Winnable{_luck(level)} in {format_count(steps, spoken_word(level))} or fewer (proved)",
    }


@functools.lru_cache(maxsize=64)
def _puzzle_data(puzzle: Puzzle, day: datetime.date) -> Data:
    optimum, winnable = optimum_in_words(puzzle), f"Winnable{_luck(puzzle.level)}"
    return {
        **_board_data(puzzle.level),
        "title": daily_title(puzzle.id.game, day),
        "headline": _headline(
            "Puzzle of the day",
            puzzle.id.kind_words.lower(),
            spoken_difficulty(puzzle.level.game, puzzle.difficulty),
        ),
        "begin": {"puzzle": str(puzzle.id)},
        "verdict": f"{winnable} in {optimum} at best (proved)" if optimum else f"{winnable} (proved)",
    }


def _headline(*words: str) -> str:
    """Return the line above the title."""
    return " · ".join(filter(None, words))


def _luck(level: Level) -> str:
    """Return the words for a level whose certified solution has random outcomes."""
    return " with luck" if needs_luck(level.certificate) else ""


def _board_data(level: Level) -> Data:
    """Return what is shown of a level without a session."""
    look = level.game.look
    return {
        "game": level.game.name,
        "game_title": level.game.title,
        "key": catalogue.key_of(level),
        "goal": look.goal(level) or look.welcome,
        "gestures": look.gestures,
        "keys": dict(keys_on(level)),
        **position_data(level.start()),
    }


def position_data(position: Position[Any]) -> Data:
    """Return the board of a position without a session, with the marks of its actions."""
    table = PieceTable()
    actions, board = Actions(table), BoardSnapshot(position).data(table)
    marks = [mark for action in position.all_actions() for mark in _marks(actions, position, action)]
    return {"board": board, "marks": marks, "pieces": table.pieces}


def _marks(actions: Actions, position: Position[Any], action: Action) -> list[Any]:
    return [*actions.action_data(position, action, several=False).get("marks", ())]
