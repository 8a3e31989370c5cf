"""Middleware for every request: security headers, host name, origin, sizes and rates."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send

from gridproof.server.context import ServerContext
from gridproof.server.fair_executor import CLIENT

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Policy of all answers but the page, which allows its own inline style and script, too."""
HEADERS = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }.items()
)
LIMITED_PREFIXES = ("/api", "/ws")
"""Paths that are refused above a rate: they use sessions. Static files cost little, and a class may load them at once."""
LARGEST_BODY = 2 * 1024 * 1024
SECONDS_A_BYTE = 4e-6
"""Estimated processor seconds for a byte of a body."""
MOST_DISCARDED = 32 * LARGEST_BODY
"""Bytes of a refused body that are still received: a client that still sends reads no answer."""
PATIENCE = 10.0
"""Seconds for receiving a refused body."""
OWN_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class RequestGuard:
    """ASGI middleware that checks each request before the application.

    Parameters
    ----------
    names : collection of str, optional
        Accepted host names, against DNS rebinding; None accepts any.
    """

    def __init__(self, application: FastAPI, names: Collection[str] | None) -> None:
        self._application = application
        self.context: ServerContext = application.state.context
        self._names = None if names is None else frozenset(_names_in(names))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        CLIENT.set(client_of(scope))
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif fault := self._fault(scope):
            if fault[1] == "large" and _length(scope) <= MOST_DISCARDED:
                await _discard_body(receive)
            await _refuse(scope, receive, send, *fault)
        elif scope["type"] == "websocket":
            await self._application(scope, receive, send)
        else:
            await self._application(scope, self._limit_body(scope, receive), _with_headers(send))

    def _fault(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = _headers(scope)
        host = headers.get("host", "")
        if self._names is not None and _name_of(host) not in self._names:
            return 403, "forbidden", "unknown host name"
        if not _is_own(headers, host, needed=scope["type"] == "websocket"):
            return 403, "forbidden", "requests from other sites are not allowed"
        if scope["path"].startswith(LIMITED_PREFIXES) and not self.context.requests.take(client_of(scope)):
            return 429, "rate", "too many requests; wait a moment"
        if scope["type"] == "http" and _length(scope) > LARGEST_BODY:
            return 413, "large", f"at most {LARGEST_BODY} bytes are accepted"
        if _length(scope) and not self.context.bytes.take(client_of(scope), 0):
            return 429, "rate", "You have sent too much. Wait a moment."
        return None

    def _limit_body(self, scope: Scope, receive: Receive) -> Receive:
        """Count the bytes of a body and stop it at the limit, whatever length it declares."""
        total = 0

        async def receive_part() -> Message:
            nonlocal total
            message = await receive()
            length = len(message.get("body", b""))
            total += length
            self.context.bytes.take(client_of(scope), length)
            self.context.use.charge(client_of(scope), length * SECONDS_A_BYTE)
            return {"type": "http.disconnect"} if total > LARGEST_BODY else message

        return receive_part


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _length(scope: Scope) -> float:
    """Return the declared length of a body; infinity if it is not a number."""
    length = _headers(scope).get("content-length", "0")
    return int(length) if length.isdigit() and len(length) < 20 else math.inf


def client_of(scope: Scope) -> str:
    """Return the address of the client."""
    return scope["client"][0] if scope.get("client") else ""


def _is_own(headers: Mapping[str, str], host: str, needed: bool) -> bool:
    """Return whether a request comes from a page of this server; without an origin, unless one is needed."""
    origin = headers.get("origin")
    if origin is None:
        return not needed
    try:
        return urlsplit(origin).netloc == host and bool(host)
    except ValueError:
        return False


def _name_of(host: str) -> str:
    """Return the host name of a `Host` header in lower case; "" if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _names_in(names: Collection[str]) -> Iterator[str]:
    """Split texts with one or several host names each, for comparison."""
    for text in names:
        yield from (name.removesuffix(".") for name in text.lower().replace(",", " ").split())


async def _discard_body(receive: Receive) -> None:
    """Discard a body that is too large."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while (await receive()).get("more_body"):
                pass


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = message.get("headers", ())
            names = {name for name, _ in given}
            message = {**message, "headers": [*given, *(pair for pair in HEADERS if pair[0] not in names)]}
        await send(message)

    return send_with_headers


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send(
            {"type": "websocket.close", "code": 1008, "reason": text}
        )  # before acceptance, this is status 403
        return
    body = json.dumps({"error": {"code": code, "text": text}}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
