"""Server and pages for tests."""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from gridproof.jobs.worker import DONE, FAILED, PROGRESS, Inbox, work
from gridproof.jobs.worker_pool import STOPPED, PoolTask, TaskResult
from gridproof.server.app import create_app
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore

HOST = "http://testserver"


class Page:
    """Page of a session."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.now: dict[str, Any] = {}
        """State of the current level."""
        self.state = self.wait_for("state")

    def wait_for(self, kind: str) -> dict[str, Any]:
        """Return the next message of a type, skipping others."""
        while True:
            message = self.receive()
            if message["type"] == kind:
                return message

    def receive(self) -> dict[str, Any]:
        """Receive the next message, with the unchanged fields of `now` filled in."""
        message: dict[str, Any] = self.socket.receive_json()
        told = message.get("state", message)
        if "now" in told:
            self.now = told["now"] = {**self.now, **told["now"]}
        return message

    def say(self, **message: Any) -> dict[str, Any]:
        """Send a message and return its answer."""
        self.socket.send_json({**message, "ref": 1})
        while True:
            answer = self.receive()
            if answer.get("ref") == 1:
                return answer

    def do(self, text: str) -> dict[str, Any]:
        return self.say(type="do", text=text)


class Threads:
    """Worker pool of threads that pickles tasks and results; a process starts slower than most tests run."""

    def submit(self, task: PoolTask) -> None:
        inbox = Inbox()
        asked = pickle.loads(pickle.dumps((0, task.work, replace(task.limit, memory=None))))
        inbox._tasks.put(asked)

        def stop() -> None:
            inbox._cancelled.add(0)

        task.stop = stop

        def answer(message: tuple[str, Any, bool]) -> None:
            kind, value, _ = pickle.loads(pickle.dumps(message))
            if kind == PROGRESS:
                task.report(value)
            elif kind in (DONE, FAILED):
                task.finish(TaskResult(value) if kind == DONE else TaskResult(error=value))

        threading.Thread(target=lambda: work(inbox, answer), daemon=True).start()

    def cancel(self, task: PoolTask) -> None:
        task.cancelled.set()
        task.stop()


class Waiting:
    """Worker pool whose tasks wait for the test, and have no result."""

    def __init__(self) -> None:
        self.tasks: list[PoolTask] = []

    def submit(self, task: PoolTask) -> None:
        self.tasks.append(task)

    def cancel(self, task: PoolTask) -> None:
        task.cancelled.set()
        if task in self.tasks[1:]:  # the first one is running
            self.tasks.remove(task)
            task.finish(STOPPED)

    def go_on(self) -> None:
        while self.tasks:
            self.tasks.pop(0).finish(TaskResult(("partner", None)))


class Site:
    """Server on a store in a file, with a client."""

    def __init__(
        self, url: str, limits: Limits | None = None, workers: Any = None, shard: Shard | None = None
    ) -> None:
        self.store = GroupedStore(url)
        limits = limits or Limits(puzzles_ahead=0)
        application = create_app(self.store, limits, workers=workers, shard=shard)
        self.context = application.context
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
