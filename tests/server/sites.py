"""A server and its pages, as tests use them."""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from gridproof.play.web.app import create_app
from gridproof.play.web.limits import Limits
from gridproof.play.web.share import Share
from gridproof.play.worker import DONE, FAILED, TOLD, Inbox, work
from gridproof.play.workers import GONE, Ended, Task
from gridproof.store import GroupedStore

HOST = "http://testserver"


class Page:
    """A page at a session, as the tests play it."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.now: dict[str, Any] = {}
        """How it stands."""
        self.state = self.hear("state")

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of a type; others are passed over."""
        while True:
            message = self.receive()
            if message["type"] == kind:
                return message

    def receive(self) -> dict[str, Any]:
        """The next message, with what it leaves out of `now` because it is as it was."""
        message: dict[str, Any] = self.socket.receive_json()
        told = message.get("state", message)
        if "now" in told:
            self.now = told["now"] = {**self.now, **told["now"]}
        return message

    def say(self, **message: Any) -> dict[str, Any]:
        """Say something, and give the answer to it."""
        self.socket.send_json({**message, "ref": 1})
        while True:
            answer = self.receive()
            if answer.get("ref") == 1:
                return answer

    def do(self, text: str) -> dict[str, Any]:
        return self.say(type="do", text=text)


class Threads:
    """Threads that work as processes do, with what is sent there and back: a process takes longer to begin than most tests."""

    def begin(self, task: Task) -> None:
        inbox = Inbox()
        asked = pickle.loads(pickle.dumps((0, task.work, replace(task.limit, memory=None))))
        inbox._questions.put(asked)

        def stop() -> None:
            inbox._unwanted.add(0)

        task.stop = stop

        def answer(message: tuple[str, Any, bool]) -> None:
            kind, value, _ = pickle.loads(pickle.dumps(message))
            if kind == TOLD:
                task.tell(value)
            elif kind in (DONE, FAILED):
                task.end(Ended(value) if kind == DONE else Ended(error=value))

        threading.Thread(target=lambda: work(inbox, answer), daemon=True).start()

    def cancel(self, task: Task) -> None:
        task.cancelled.set()
        task.stop()


class Waiting:
    """Processes that work as soon as they may, and have no result."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def begin(self, task: Task) -> None:
        self.tasks.append(task)

    def cancel(self, task: Task) -> None:
        task.cancelled.set()
        if task in self.tasks[1:]:  # the first one is under way
            self.tasks.remove(task)
            task.end(GONE)

    def go_on(self) -> None:
        while self.tasks:
            self.tasks.pop(0).end(Ended(("partner", None)))


class Site:
    """A server on a store in a file, as the tests ask it."""

    def __init__(
        self, url: str, limits: Limits | None = None, workers: Any = None, share: Share | None = None
    ) -> None:
        self.store = GroupedStore(url)
        application = create_app(self.store, limits, workers=workers, share=share)
        self.house = application.house
        self.client = TestClient(application, HOST)

    def begin(self, **asked: Any) -> str:
        answer = self.client.post("/api/sessions", json=asked)
        assert answer.status_code == 201, answer.text
        name: str = answer.json()["id"]
        return name

    @contextlib.contextmanager
    def page(self, name: str, query: str = "") -> Iterator[Page]:
        with self.client.websocket_connect(f"/ws/{name}{query}", headers={"origin": HOST}) as socket:
            yield Page(socket)
