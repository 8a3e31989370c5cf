"""The application: REST, WebSockets and the page's files, behind the guard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Collection
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response, WebSocket

import gridproof
from gridproof.core.errors import GridproofError
from gridproof.play.web import analysing, api, away, checking, editing
from gridproof.play.web.faults import Fault, add_faults
from gridproof.play.web.guard import Guard, client_of
from gridproof.play.web.house import House, house_of
from gridproof.play.web.limits import Limits
from gridproof.play.web.rooms import Guest, Missing
from gridproof.play.web.share import Share
from gridproof.play.web.socket import Page
from gridproof.play.web.wire import CODES
from gridproof.store import GroupedStore

if TYPE_CHECKING:
    from gridproof.play.workers import Workers

ROUNDS = 5.0
"""Seconds between two looks at what is idle."""


def create_app(
    store: GroupedStore,
    limits: Limits | None = None,
    names: Collection[str] | None = None,
    workers: Callable[[], Workers] | None = None,
    share: Share | None = None,
) -> Guard:
    """The server as an ASGI application.

    Parameters
    ----------
    store : GroupedStore
        Where sessions, scores and traces are kept.
    limits : Limits, optional
        What clients may ask.
    names : collection of str, optional
        The names of hosts that it is reached by; None: any.
    workers : function, optional
        Gives processes for long work, for servers that share them; they are not ended with the server.
    share : Share, optional
        What falls to this process, where several serve together.
    """
    limits = limits or Limits()
    application = FastAPI(
        title="gridproof", version=gridproof.__version__, openapi_url="/api/openapi.json",
        docs_url=None, redoc_url=None, lifespan=_living,
    )  # fmt: skip
    application.state.house = House(store, limits, share or Share(), workers)
    add_faults(application)
    for part in (api, editing, checking, analysing, away):
        application.include_router(part.router)
    application.add_api_websocket_route("/ws/{id}", play)
    application.add_api_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
    return Guard(application, limits, names)


@contextlib.asynccontextmanager
async def _living(application: FastAPI) -> AsyncIterator[None]:
    house: House = application.state.house
    rounds = asyncio.create_task(_go_round(house))
    yield
    rounds.cancel()
    house.close()


async def _go_round(house: House) -> None:
    while True:
        await asyncio.sleep(ROUNDS)
        for end_idle in (house.rooms.forget_idle, house.jobs.end_unasked):
            try:
                end_idle()
            except Exception:  # whatever it is, the next round is to come
                logging.getLogger(__name__).exception("what is idle could not be let go")


async def page(request: Request, path: str) -> Response:
    """The page's files; every address that is no file's is the page itself."""
    files = house_of(request).files
    if path.startswith(("api/", "ws/")):
        raise Fault("missing", "there is nothing at this address")
    name = path.removeprefix("static/")
    file = files.get(name)
    if file is None:
        if path.startswith("static/") or "." in name:
            raise Fault("missing", "there is nothing at this address")
        file = files.get("index.html")
    if file is None:
        raise Fault("missing", "this server has no pages")
    headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.type, headers=headers)


async def play(socket: WebSocket, id: str) -> None:
    """Play a session, or look at it."""
    house, client = house_of(socket), client_of(socket.scope)
    await socket.accept()
    limits, connections = house.limits, house.connections
    if connections[client] >= limits.connections_each or connections.total() >= limits.connections:
        await socket.close(CODES["rate"], "too many connections")
        return
    connections[client] += 1
    try:
        guest = await house.rooms.guest(id)
        await Page(socket, guest, house, client, _view(socket, guest)).run()
    except GridproofError as error:  # a store may come again, what is missing does not
        await socket.close(CODES["missing" if isinstance(error, Missing) else "again"], str(error)[:100])
    finally:
        connections[client] -= 1
        if not connections[client]:
            del connections[client]


def _view(socket: WebSocket, guest: Guest) -> str | None:
    if guest.actor is not None:
        return guest.actor
    view, session = socket.query_params.get("view"), guest.room.session
    actors = session.game.actors(session.levels[session.current])
    return view if view in actors else None
