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
    folder : Path
        Where its store is.
    """

    def __init__(self, folder: Path, processes: int = 1) -> None:
        environment = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder / 'store.sqlite'}"}
        options = ["--port", "0", "--json", "--processes", str(processes)]
        command = [sys.executable, "-m", "gridproof", "serve", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout
        self.url = str(json.loads(self.process.stdout.readline())["url"]).rstrip("/")

    def ask(self, path: str, data: Any = None) -> Any:
        """Return the answer to a request; with data it is a POST."""
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=600) as answer:
            return json.load(answer)

    def at(self, name: str) -> Any:
        """A WebSocket at a session."""
        address = f"{self.url.replace('http', 'ws')}/ws/{name}"
        return websockets.connect(address, origin=self.url)  # type: ignore[arg-type]

    def end(self, number: int) -> int:
        """Send it a signal, and give its exit status."""
        self.process.send_signal(number)
        return self.process.wait(600)

    def close(self) -> None:
        """Kill it, unless it has ended, and close its output."""
        self.process.kill()
        self.process.communicate()


async def say(socket: Any, **message: Any) -> Any:
    """The answer to a message."""
    await socket.send(json.dumps({**message, "ref": 1}))
    while (answer := json.loads(await socket.recv())).get("ref") != 1:
        pass
    return answer
