"""What every request meets first: headers of safety, the host's name, the page's origin, sizes and rates."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.types import Message, Receive, Scope, Send

from gridproof.play.web.house import House
from gridproof.play.web.limits import Buckets, Limits

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
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
ASKED = ("/api", "/ws")
"""Where requests are limited: the page's own files cost little, and a class may load them at once."""
LARGEST_BODY = 2 * 1024 * 1024
MOST_PASSED_OVER = 32 * LARGEST_BODY
"""Bytes of a body that is refused which are waited for: who still sends hears no answer."""
PATIENCE = 10.0
"""Seconds for which such a body is waited for."""
OWN_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """An application behind these checks.

    Parameters
    ----------
    names : collection of str, optional
        The names of hosts that are served: a page elsewhere that lets its own name lead here (DNS rebinding)
        is refused. None: any.
    """

    def __init__(self, application: FastAPI, limits: Limits, names: Collection[str] | None) -> None:
        self._application = application
        self.house: House = application.state.house
        self._names = None if names is None else frozenset(_names_in(names))
        self._requests = Buckets(limits.requests_each_second, limits.requests_at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve what passes."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif fault := self._fault(scope):
            if fault[1] == "large" and _length(scope) <= MOST_PASSED_OVER:
                await _pass_over(receive)
            await _refuse(scope, receive, send, *fault)
        elif scope["type"] == "websocket":
            await self._application(scope, receive, send)
        else:
            await self._application(scope, _bounded(receive), _with_headers(send))

    def _fault(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = _headers(scope)
        host = headers.get("host", "")
        if self._names is not None and _name_of(host) not in self._names:
            return 403, "forbidden", "this name is not served here"
        if not _is_own(headers, host, needed=scope["type"] == "websocket"):
            return 403, "forbidden", "only pages of this server may ask that"
        if scope["path"].startswith(ASKED) and not self._requests.take(client_of(scope)):
            return 429, "rate", "too many requests: wait a moment"
        if scope["type"] == "http" and _length(scope) > LARGEST_BODY:
            return 413, "large", f"at most {LARGEST_BODY} bytes are taken"
        return None


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _length(scope: Scope) -> float:
    """How long a body is said to be; infinite where that is no number."""
    said = _headers(scope).get("content-length", "0")
    return int(said) if said.isdigit() and len(said) < 20 else math.inf


def client_of(scope: Scope) -> str:
    """The address that a request comes from."""
    return scope["client"][0] if scope.get("client") else ""


def _is_own(headers: Mapping[str, str], host: str, needed: bool) -> bool:
    """Whether a request comes from a page of this server; without an origin it is no page's."""
    origin = headers.get("origin")
    if origin is None:
        return not needed
    try:
        return urlsplit(origin).netloc == host and bool(host)
    except ValueError:
        return False


def _name_of(host: str) -> str:
    """The name in a header `Host`, in small letters; "" where there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _names_in(names: Collection[str]) -> Iterator[str]:
    """Names as they are compared: one or several in each text."""
    for text in names:
        yield from (name.removesuffix(".") for name in text.lower().replace(",", " ").split())


async def _pass_over(receive: Receive) -> None:
    """Take a body that is too large, and keep nothing of it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while (await receive()).get("more_body"):
                pass


def _bounded(receive: Receive) -> Receive:
    """No more than the largest body, also of those that do not say how large they are."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > LARGEST_BODY else message

    return bounded


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
        await send(message)

    return sent


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send(
            {"type": "websocket.close", "code": 1008, "reason": text}
        )  # before it is accepted: status 403
        return
    body = json.dumps({"error": {"code": code, "text": text}}).encode()
    headers = [(b"content-type", b"application/json"), *HEADERS]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
