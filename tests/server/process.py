"""`gridproof serve` as a process, or several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import websockets


class Process:
    """`gridproof serve` on a free port.

    Parameters
    ----------
    folder : Path, optional
        Where its store is.
    store : str, optional
        The URL of its store, instead.
    """

    def __init__(
        self, folder: Path | None = None, processes: int = 1, store: str | None = None, port: int = 0
    ) -> None:
        url = store or f"sqlite:///{Path(folder or '') / 'store.sqlite'}"
        environment = {**os.environ, "GRIDPROOF_STORE": url}
        options = ["--port", str(port), "--json", "--processes", str(processes), "--each", "1000"]
        options += ["--names", "play.example.org"]
        command = [sys.executable, "-m", "gridproof", "serve", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout
        self.url = str(json.loads(self.process.stdout.readline())["url"]).rstrip("/")

    def ask(self, path: str, data: Any = None) -> Any:
        """Return the answer to a request; with data it is a POST."""
        return request(self.url + path, data)

    def at(self, name: str) -> Any:
        """A WebSocket at a session."""
        return connect(self.url, name)

    def end(self, number: int) -> int:
        """Send it a signal, and give its exit status."""
        self.process.send_signal(number)
        return self.process.wait(600)

    def close(self) -> None:
        """Kill it, unless it has ended, and close its output."""
        self.process.kill()
        self.process.communicate()


def request(url: str, data: Any = None) -> Any:
    """Return the answer to a request; with data it is a POST."""
    body = None if data is None else json.dumps(data).encode()
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=600) as answer:
        return json.load(answer)


def connect(url: str, name: str) -> Any:
    """Return a WebSocket at a session."""
    return websockets.connect(f"{url.replace('http', 'ws')}/ws/{name}", origin=url)  # type: ignore[arg-type]  # a NewType


async def say(socket: Any, **message: Any) -> Any:
    """The answer to a message."""
    await socket.send(json.dumps({**message, "ref": 1}))
    while (answer := json.loads(await socket.recv())).get("ref") != 1:
        pass
    return answer
