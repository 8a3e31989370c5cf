"""The two directions of a WebSocket: what a page is told, in order and once it is kept, and what it says."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from gridproof.play.data import Data
from gridproof.play.web.room import Kept, json_text

MOST_WAITING = 2000
"""Texts that wait for a page that does not read; then it is cut off."""
CODES = {"input": 4400, "forbidden": 4403, "missing": 4404, "rate": 4429, "again": 1012}


class Wire:
    """A page's WebSocket."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._waiting: deque[tuple[str, Kept | None]] = deque()
        self._more = asyncio.Event()
        self.end: int | None = None
        """The code that it is to be closed with."""
        self._listening: asyncio.Task[Any] | None = None
        """What waits for what it says next."""

    def hear(self, text: str, kept: Kept | None = None) -> None:
        """Send a text, as soon as what it tells is kept."""
        if self.end is not None:
            return
        self._waiting.append((text, kept))
        if kept is None:
            self._more.set()
        else:
            kept.add_done_callback(self._some_kept)
        if len(self._waiting) > MOST_WAITING:
            self._go("rate")

    def _some_kept(self, kept: Kept) -> None:
        self._more.set()

    def cut(self) -> None:
        """Go: the session is to be opened again."""
        self._go("again")

    def _go(self, code: str) -> None:
        """Tell nothing more, and hear nothing more: a page that does not read does not say that it goes."""
        if self.end is not None:
            return
        self.end = CODES[code]
        self._waiting.clear()
        self._more.set()
        if self._listening is not None:
            self._listening.cancel()

    async def write(self) -> None:
        """Send what is to be heard, in order, until the page has gone."""
        while self.end is None:
            await self._more.wait()
            self._more.clear()
            while self._waiting and self.end is None and _is_kept(self._waiting[0][1]):
                await self._write(*self._waiting.popleft())
        await self.socket.close(self.end)

    async def _write(self, text: str, kept: Kept | None) -> None:
        failure = None if kept is None else self.unkept(kept)
        await self.socket.send_text(text if failure is None else fault_text("store", str(failure)))

    def unkept(self, kept: Kept) -> Exception | None:
        """Why what a text tells could not be kept, if so."""
        raise NotImplementedError

    async def said(self) -> str:
        """What it says next; what is no text is no message."""
        self._listening = asyncio.current_task()
        try:
            message = await self.socket.receive()
        except asyncio.CancelledError:
            if self.end is None or self._listening is None:
                raise
            self._listening.uncancel()
            raise WebSocketDisconnect(self.end) from None
        finally:
            self._listening = None
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        return message.get("text") or ""


def fault_text(code: str, text: str, ref: object = None) -> str:
    """What is wrong with a message, as it is told."""
    data: Data = {"type": "error", "code": code, "text": text}
    return json_text(data if ref is None else {**data, "ref": ref})


def _is_kept(kept: Kept | None) -> bool:
    return kept is None or kept.done()
