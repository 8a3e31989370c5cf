"""ASGI application: REST, WebSockets and static files behind the request guard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response, WebSocket

import gridproof
from gridproof.core.errors import GridproofError
from gridproof.core.text.display import printable
from gridproof.server.api import (
    analysis,
    editor,
    explanations,
    formulas,
    gallery,
    jobs,
    lessons,
    offline,
    puzzles,
    sessions,
    start_screen,
    trials,
)
from gridproof.server.connection import CODES, Connection
from gridproof.server.context import ServerContext, context_of
from gridproof.server.errors import RequestError, SessionNotFound, add_error_handlers
from gridproof.server.fair_executor import ServerShutdown
from gridproof.server.first_board import first_board
from gridproof.server.live.session_registry import Access
from gridproof.server.middleware import RequestGuard, client_of
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.page_addresses import SESSION, is_address
from gridproof.server.page_document import PAGE, page_document
from gridproof.server.rate_limits import Limits
from gridproof.server.static_files import StaticFile
from gridproof.store import GroupedStore

if TYPE_CHECKING:
    from gridproof.jobs.worker_pool import WorkerPool

EVICTION_INTERVAL = 5.0
"""Seconds between two evictions of idle sessions and jobs."""


def create_app(
    store: GroupedStore,
    limits: Limits | None = None,
    names: Collection[str] | None = None,
    workers: Callable[[], WorkerPool] | None = None,
    shard: Shard | None = None,
) -> RequestGuard:
    """Create the server as an ASGI application.

    Parameters
    ----------
    store : GroupedStore
        Store of sessions, scores and traces.
    limits : Limits, optional
        Limits of clients.
    names : collection of str, optional
        Accepted host names; None accepts any.
    workers : function, optional
        Returns a worker pool that several servers share; the server does not close it.
    shard : Shard, optional
        The shard of this process, if several processes serve.
    """
    limits = limits or Limits()
    application = FastAPI(
        title="gridproof", version=gridproof.__version__, openapi_url="/api/openapi.json",
        docs_url=None, redoc_url=None, lifespan=_lifespan,
    )  # fmt: skip
    application.state.context = ServerContext(store, limits, shard or Shard(), workers)
    add_error_handlers(application)
    for part in (
        start_screen,
        gallery,
        sessions,
        jobs,
        puzzles,
        editor,
        trials,
        formulas,
        explanations,
        lessons,
        analysis,
        offline,
    ):
        application.include_router(part.router)
    application.add_api_websocket_route("/ws/{id}", play)
    application.add_api_route("/{path:path}", page, methods=["GET", "HEAD"], include_in_schema=False)
    return RequestGuard(application, names)


@contextlib.asynccontextmanager
async def _lifespan(application: FastAPI) -> AsyncIterator[None]:
    context: ServerContext = application.state.context
    asyncio.get_running_loop().set_default_executor(context.executor)
    eviction = asyncio.create_task(_evict_regularly(context))
    context.puzzles.open()
    yield
    eviction.cancel()
    context.close()


async def _evict_regularly(context: ServerContext) -> None:
    """Evict idle sessions and jobs until the server ends."""
    while True:
        await asyncio.sleep(EVICTION_INTERVAL)
        try:
            context.jobs.stop_idle()
            context.registry.evict_idle()
            await context.registry.drop_stale()
        except ServerShutdown:
            return
        except Exception:  # the next eviction must run after any error
            logging.getLogger(__name__).exception("could not evict idle sessions")


async def page(request: Request, path: str) -> Response:
    """Serve a static file, or the page itself at every other address."""
    context, status = context_of(request), 200
    if path.startswith(("api/", "ws/")):
        raise RequestError("missing", "nothing at this address")
    name = path.removeprefix("static/")
    file, headers = context.files.get(name), {}
    if file is None or name == PAGE:
        name = "" if name == PAGE else name
        if path.startswith("static/") or "." in name:
            raise RequestError("missing", "nothing at this address")
        address, board = None, None
        if SESSION.fullmatch(name) and not context.requests.take(client_of(request.scope)):
            status, headers = 429, {"Retry-After": "1"}  # the page without a board, and without its session
        elif await is_address(name, context.registry):
            address, board = name, await first_board(name, context)
        else:
            status = 404
        document = page_document(context.files, address, board)
        if document is None:
            raise RequestError("missing", "this server has no pages")
        file, headers = document.file, {**headers, "Content-Security-Policy": document.policy}
        if board is not None:
            headers["Cache-Control"] = "private, no-cache"
    return _file_response(request, file, status, headers)


def _file_response(request: Request, file: StaticFile, status: int, headers: Mapping[str, str]) -> Response:
    """Return a file, compressed if the client reads that, or that the client has it."""
    lifetime = "public, max-age=31536000, immutable" if file.immutable else "no-cache"
    headers = {"Cache-Control": lifetime, **headers, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if status == 200 and request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.gzipped and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzipped, status, {**headers, "Content-Encoding": "gzip"}, file.type)
    return Response(file.content, status, headers, file.type)


async def play(socket: WebSocket, id: str) -> None:
    """Play or watch a session over a WebSocket."""
    context, client = context_of(socket), client_of(socket.scope)
    await socket.accept()
    limits, connections = context.limits, context.connections
    if connections[client] >= limits.connections_each or connections.total() >= limits.connections:
        await socket.close(CODES["rate"], "too many connections")
        return
    connections[client] += 1
    try:
        access = await context.registry.access(id)
        await Connection(socket, access, context, client, _actor_of(socket, access)).run()
    except GridproofError as error:  # a store may recover, a missing session does not
        await socket.close(
            CODES["missing" if isinstance(error, SessionNotFound) else "again"], _reason(error)
        )
    finally:
        connections[client] -= 1
        if not connections[client]:
            del connections[client]


def _reason(error: GridproofError) -> str:
    """Return the reason for closing a connection, cut to the allowed length."""
    return printable(str(error)).encode()[:100].decode(errors="ignore")


def _actor_of(socket: WebSocket, access: Access) -> str | None:
    if access.actor is not None:
        return access.actor
    view, session = socket.query_params.get("view"), access.live.session
    actors = session.game.actors(session.levels[session.current])
    return view if view in actors else None
