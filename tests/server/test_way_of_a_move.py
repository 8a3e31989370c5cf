"""A move passes the functions named in docs/way-of-a-move.md, in order."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from tests.server.sites import Site

import gridproof
from gridproof.server import connection as sockets

PAGE = Path(__file__).parents[2] / "docs/way-of-a-move.md"
OURS = str(Path(gridproof.__file__).parent)
MOST = 8


def named_functions(heading: str) -> list[str]:
    """The functions that the page's table below a heading names."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| \d+ \| `([\w.]+)` \|", section, re.MULTILINE)


def code_of(name: str) -> CodeType:
    module, owner, function = name.rsplit(".", 2)
    found: CodeType = getattr(
        getattr(importlib.import_module(f"gridproof.{module}"), owner), function
    ).__code__
    return found


IN, BACK = named_functions("To the rules"), named_functions("Back to the pages")
NAMES = {code_of(name): name for name in (*IN, *BACK)}


class Follower:
    """Notes which of the functions are called, and what of ours stands on the stack then."""

    def __init__(self) -> None:
        self.stacks: dict[str, list[CodeType]] = {}
        """Function -> stack of its first call, in order."""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        name = NAMES.get(frame.f_code) if event == "call" else None
        if name is not None:
            self.stacks.setdefault(name, stack_of(frame))


def stack_of(frame: FrameType | None) -> list[CodeType]:
    found = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(OURS):
            found.append(frame.f_code)
        frame = frame.f_back
    return found[::-1]


class Socket:
    """A socket on which one move is made, and followed."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.told: list[dict[str, Any]] = []
        self.answered = asyncio.Event()
        self.moved = False

    async def receive(self) -> dict[str, Any]:
        if self.moved:
            await asyncio.Event().wait()
        while len(self.told) < 2:  # the state, and who is there
            await asyncio.sleep(0)
        self.moved = True
        sys.setprofile(self.follower)
        return {"type": "websocket.receive", "text": '{"type": "do", "text": "right", "ref": 4}'}

    async def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))
        if self.told[-1].get("ref") == 4:
            sys.setprofile(None)
            self.answered.set()

    async def close(self, code: int) -> None:
        sys.setprofile(None)


@pytest.fixture
def stacks(url: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[CodeType]]:
    """Return the calls of a move, from its text to its answer."""
    monkeypatch.setattr(sockets, "PAUSE", 0.0)
    site, follower = Site(url), Follower()

    async def play() -> None:
        live = await site.context.registry.create(gridproof.read("#######\n#@ $ .#\n#######\n"))
        socket: Any = Socket(follower)
        page = sockets.Connection(socket, await site.context.registry.access(live.name), site.context, "here")
        running = asyncio.create_task(page.run())
        await socket.answered.wait()
        page.disconnect()
        await running

    asyncio.run(play())
    return follower.stacks


def test_page_names_at_most_eight_functions_each_way() -> None:
    assert 0 < len(IN) <= MOST
    assert 0 < len(BACK) <= MOST


def test_move_passes_the_named_functions_in_order(stacks: dict[str, list[CodeType]]) -> None:
    assert [*stacks] == [*IN[1:], *BACK]  # the first one has waited for it


def test_call_stack_at_rules_has_the_named_functions_only(
    stacks: dict[str, list[CodeType]],
) -> None:
    assert [NAMES.get(code, code.co_qualname) for code in stacks[IN[-1]]] == IN


@pytest.mark.slow
def test_call_stack_at_send_has_at_most_eight_functions(stacks: dict[str, list[CodeType]]) -> None:
    heard = stacks["server.connection.Connection.send"]
    assert len(heard) <= MOST, [code.co_qualname for code in heard]
