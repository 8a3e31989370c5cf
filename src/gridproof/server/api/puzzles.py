"""REST routes for new puzzles and the puzzles of the day."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import DIFFICULTIES, puzzles_of, spoken_difficulty
from gridproof.core.puzzle import Puzzle, PuzzleId, check_series, parse_id, today
from gridproof.core.registry import game as game_named
from gridproof.pictures.picture import svg
from gridproof.prove.verdict_line import optimum_in_words, promise_of_puzzles
from gridproof.server.api import catalogue
from gridproof.server.api.schemas import RequestPuzzle
from gridproof.server.api.sessions import CACHED, Theme, Width
from gridproof.server.context import context_of
from gridproof.server.errors import RequestError
from gridproof.server.middleware import client_of

router = APIRouter(prefix="/api")

IdText = Annotated[str, Path(max_length=200)]


@router.get("/puzzles")
async def kinds() -> Data:
    """List the kinds of new puzzles of each game, and the difficulties."""
    return {"difficulties": list(DIFFICULTIES), "games": await asyncio.to_thread(_games_data)}


def _games_data() -> list[Data]:
    return [
        {
            "name": game.name,
            "title": game.title,
            "meaning": game.meaning,
            "promise": promise_of_puzzles(game),
            "difficulty_words": {word: spoken_difficulty(game, word) for word in DIFFICULTIES},
            "picture": f"/api/packs/{entry['packs'][0]['name']}/1.svg",
            "kinds": [
                {
                    "name": kind.name,
                    "title": kind.title,
                    "meaning": kind.meaning,
                    "special": kind.special,
                    "difficulties": list(kind.difficulties),
                }
                for kind in offered.kinds
            ],
        }
        for entry in catalogue.games_data()
        if (offered := puzzles_of(game := game_named(entry["name"])))
    ]


@router.post("/puzzles", responses={202: {"description": "It is being made: poll the job, then ask again."}})
async def puzzle(request: Request, body: RequestPuzzle) -> Response:
    """Return a puzzle that is ready, by its id or of a kind and a difficulty; else the job that makes it."""
    stock = context_of(request).puzzles
    if body.id is not None:
        puzzle_id = parse_id(body.id)
    elif body.game is None or body.kind is None or body.difficulty is None:
        raise RequestError("input", "give an id, or a game, a kind and a difficulty")
    else:
        check_series(body.game, body.kind, body.difficulty)
        puzzle_id = await stock.next_id(body.game, body.kind, body.difficulty, body.played)
    found = await stock.get(puzzle_id)
    if found is not None:
        return JSONResponse({"ready": True, **_puzzle_data(found)})
    job = stock.request(client_of(request.scope), puzzle_id)
    return JSONResponse({"ready": False, **_id_data(puzzle_id), "job": job}, 202)


@router.get("/puzzles/{text}.svg", response_class=Response)
async def picture(request: Request, text: IdText, theme: Theme = "auto", width: Width = None) -> Response:
    """Return a picture of a puzzle that is ready."""
    found = await context_of(request).puzzles.get(parse_id(text))
    if found is None:
        raise RequestError("missing", f"{text} is not ready; request it first")
    drawn = await asyncio.to_thread(svg, found.level.start(), theme=theme, width=width)
    return Response(drawn, media_type="image/svg+xml", headers=CACHED)


@router.get("/daily")
async def daily(request: Request) -> Data:
    """List the puzzles of the day, the same for all; the date is that of UTC."""
    day = today()
    order = [entry["name"] for entry in await asyncio.to_thread(catalogue.games_data)]
    found = await context_of(request).puzzles.daily(day)
    found.sort(key=lambda pair: order.index(pair[0].game) if pair[0].game in order else len(order))
    return {
        "date": day.isoformat(),
        "puzzles": [
            {
                "date": day.isoformat(),
                "ready": puzzle is not None,
                "address": f"/daily/{puzzle_id.game}",
                **(_id_data(puzzle_id) if puzzle is None else _puzzle_data(puzzle)),
            }
            for puzzle_id, puzzle in found
        ],
    }


def _id_data(puzzle_id: PuzzleId) -> Data:
    return {
        "id": str(puzzle_id),
        "game": puzzle_id.game,
        "game_title": game_named(puzzle_id.game).title,
        "kind": puzzle_id.kind,
        "title": puzzle_id.words(),
        "difficulty": puzzle_id.difficulty,
        "difficulty_words": spoken_difficulty(game_named(puzzle_id.game), puzzle_id.difficulty),
        "optimum": None,
        "optimum_words": "",
        "picture": f"/api/puzzles/{puzzle_id}.svg",
    }


def _puzzle_data(puzzle: Puzzle) -> Data:
    return {
        **_id_data(puzzle.id),
        "title": puzzle.words(),
        "difficulty": puzzle.difficulty,
        "difficulty_words": spoken_difficulty(puzzle.level.game, puzzle.difficulty),
        "optimum": puzzle.optimum,
        "optimum_words": optimum_in_words(puzzle),
        "key": catalogue.key_of(puzzle.level),
    }
