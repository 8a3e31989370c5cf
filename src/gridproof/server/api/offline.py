"""REST routes for play without the server: transition tables, and sessions made from a page's own actions."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.play_record import SavedPlay
from gridproof.core.position import Level
from gridproof.core.rng import derive
from gridproof.core.session import Session, SessionStore
from gridproof.server.api.schemas import CopySession
from gridproof.server.context import context_of
from gridproof.server.middleware import client_of
from gridproof.server.offline.reconcile import ACT, OfflineAction, OfflineLine, parse_actions, parse_line
from gridproof.server.ranked_seed import CHOSEN
from gridproof.server.session_memory import check_steps

router = APIRouter(prefix="/api")
FOR_EVER = {"Content-Encoding": "gzip", "Cache-Control": "private, max-age=31536000, immutable"}
"""Headers of a table; its name depends on its content."""


@router.get("/surroundings/{name}", response_class=Response)
async def surroundings(request: Request, name: str = Path(max_length=64)) -> Response:
    """Return a transition table by its name, for play without the server."""
    table = await _until_disconnect(request, context_of(request).tables.get(name))
    return Response(table, media_type="application/json", headers=FOR_EVER)


async def _until_disconnect(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """Return the result of work; cancel it and return b"" if the client disconnects."""
    result, disconnect = asyncio.create_task(work), asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait((result, disconnect), return_when=asyncio.FIRST_COMPLETED)
        return result.result() if result.done() else b""
    finally:
        result.cancel()
        disconnect.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@router.post("/sessions/{id}/copies", status_code=201)
async def copy(request: Request, body: CopySession, id: str = Path(max_length=64)) -> Data:
    """Create a session from a page's own actions, after others have changed the session that it left."""
    context = context_of(request)
    access = await context.registry.access(id)
    access.check_owner()
    line = parse_line(body.line, body.deeds, context.limits)
    actions = [parse_actions([action])[0] for action in body.deeds]
    session = access.live.session
    check_steps(session.position, len(line.steps) + len(actions), context.limits)
    async with access.live.lock:
        start = await asyncio.to_thread(_start_play, session, line.place)
    context.count_session(client_of(request.scope))
    live = await context.registry.adopt(partial(_copy_session, session.levels, start, line, actions))
    return {"id": live.name}


def _start_play(session: Session, place: int) -> SavedPlay:
    """Return the play of a level at its start, with the seed of a session."""
    count = len(session.levels)
    if not 0 <= place < count:
        raise GridproofError(f"choose a level from 1 to {count}")
    saved = session.to_data(place)
    seed = saved.seed if saved else derive(session.seed, place)
    return SavedPlay(seed, (), 0, False, saved.initial_score if saved else 0)


def _copy_session(
    levels: Sequence[Level],
    start: SavedPlay,
    line: OfflineLine,
    actions: Sequence[OfflineAction],
    store: SessionStore,
) -> Session:
    """Create a session of the same levels with a line and actions done; its seed counts as chosen by the client."""
    seed = start.seed % CHOSEN
    session = Session.resume(levels, seed, line.place, {line.place: start})
    texts: list[OfflineAction] = [(ACT, text) for text, _ in line.steps]
    for kind, text in (*texts, *[("undo", "")] * (len(texts) - line.done), *actions):
        session.act(text) if kind == ACT else getattr(session, kind)()
    plays = {place: play for place in range(len(levels)) if (play := session.to_data(place))}
    return Session.resume(levels, seed, session.current, plays, store)
