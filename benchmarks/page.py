"""The page of `gridproof serve` for one player: time until the server is ready and the page is painted, its size, and the time of a move.

Everything is warm: each server starts on bytecode and a store that are there; each page is loaded in a new profile of
Chromium, which has nothing kept. First paint is the browser's own entry of the first content, from the beginning of the
navigation; the board is alive when its pieces can be moved; the bytes are those of all answers until the network rests, as
they are sent (compressed). Once each answer comes at once, once 600 ms late, as on a slow line: that is measured with the
modules as they are, and with their bundle if there is one (`make bundle`).
A move is measured in the page, from the message to the answer, which comes when the move is kept; and from a key to the first
change of the board, which the browser shows with its next frame.

python benchmarks/page.py
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

from gridproof.server.static_files import APP, StaticFiles

STARTS, LOADS, MOVES, PICTURES = 7, 7, 200, 40
LATENCY = 600
"""Milliseconds of a slow line before each answer."""
READY_MOST, PAINT_MOST, BYTES_MOST, MOVE_MOST = 2.0, 1.0, 300_000, 0.020
PACKS = ("robots/races", "shiftit/boards", "sokoban/workshop", "twenty48/standard")

PLAIN = "import gridproof.server.bundle as bundle; bundle.MANIFEST = 'none'; from gridproof.cli import main; main()"
"""The program without the bundle, even if there is one."""

MOVE = """async ([address, moves]) => {
  const socket = new WebSocket(address.replace("http", "ws"));
  const heard = () => new Promise((done) => socket.addEventListener("message", (event) => done(JSON.parse(event.data)), { once: true }));
  let now = (await heard()).now;
  const times = [];
  for (let ref = 1; ref <= moves; ref += 1) {
    const texts = now.actions.map(({ text }) => text);
    const text = texts.length ? texts[ref % texts.length] : "restart";
    const begin = performance.now();
    socket.send(JSON.stringify({ type: "do", text, ref }));
    let answer = await heard();
    while (answer.ref !== ref) answer = await heard();
    times.push(performance.now() - begin);
    now = { ...now, ...answer.now };
  }
  socket.close();
  return times;
}"""


PICTURE = """async (moves) => {
  const board = document.querySelector("svg.board");
  const times = [];
  for (let number = 0; number < moves; number += 1) {
    const changed = new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done(performance.now());
      });
      observer.observe(board, { attributes: true, childList: true, subtree: true });
    });
    const begin = performance.now();
    const key = ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"][number % 4];
    document.querySelector(".stage").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const end = await Promise.race([changed, new Promise((done) => setTimeout(done, 1000))]);
    if (end) times.push(end - begin); // otherwise something is in the way
    await new Promise((done) => setTimeout(done, 400)); // until nothing moves any more
  }
  return times;
}"""


@contextlib.contextmanager
def serve(folder: str, bundled: bool = True) -> Iterator[tuple[str, float]]:
    """A server on a store in a folder: its address, and the seconds until it answered."""
    environment = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder}/games.db"}
    begin = time.perf_counter()
    program = ["-m", "gridproof"] if bundled else ["-c", PLAIN]
    command = [sys.executable, *program, "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["url"].rstrip("/")
            with urllib.request.urlopen(f"{address}/api/health", timeout=30):
                yield address, time.perf_counter() - begin
        finally:
            server.terminate()


class Load(NamedTuple):
    """A page in a new profile."""

    paint: float
    """Seconds until the first paint."""
    alive: float
    """Seconds until the board can be played."""
    size: int
    """Bytes of all answers."""


def load(browser: Any, address: str, latency: int) -> Load:
    """Load a page with a latency in milliseconds."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    network, sizes = context.new_cdp_session(page), list[int]()
    network.send("Network.enable")
    line = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", line)
    network.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".board .piece", state="attached")
    alive = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return Load(paint / 1000, alive / 1000, sum(sizes))


def measure_loads(browser: Any, address: str, way: str) -> None:
    """Print how soon the start screen and a game are painted and alive."""
    for name, path in {"start": "/", "game": f"/play/{begin(address, PACKS[2])}"}.items():
        loads = [load(browser, address + path, 0) for _ in range(LOADS)]
        slow = [load(browser, address + path, LATENCY) for _ in range(LOADS)]
        what = f"{name}, {way}:"
        print(f"first paint, {what:29} {middle([each.paint for each in loads], PAINT_MOST)}")
        print(f"bytes, {what:35} {max(each.size for each in loads):,} ({BYTES_MOST:,} wished)")
        print(
            f"{LATENCY} ms late, first paint, {what:17} {middle([each.paint for each in slow], PAINT_MOST)}"
        )
        print(f"{LATENCY} ms late, alive, {what:23} {middle([each.alive for each in slow])}")


def measure_moves(browser: Any, address: str) -> None:
    """Print how soon moves are answered."""
    page = browser.new_page()
    page.goto(address)
    for pack in PACKS:
        there = f"{address}/ws/{begin(address, pack)}"
        times = [each / 1000 for each in page.evaluate(MOVE, [there, MOVES])]
        print(f"a move of {pack + ':':32} {middle(times, MOVE_MOST)}")
    for pack in PACKS[2:]:
        page.goto(f"{address}/play/{begin(address, pack)}")
        page.wait_for_selector(".board .piece")
        times = [each / 1000 for each in page.evaluate(PICTURE, PICTURES)]
        print(f"a key to its picture, {pack + ':':20} {middle(times, MOVE_MOST)}")


def begin(address: str, pack: str) -> str:
    """A new session's id."""
    body = json.dumps({"pack": pack}).encode()
    request = urllib.request.Request(f"{address}/api/sessions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(json.load(answer)["id"])


def middle(times: list[float], most: float | None = None) -> str:
    """Median and worst of some times in milliseconds, with what is wished for."""
    wish = "" if most is None else f"   ({1000 * most:.0f} ms wished)"
    return f"median {1000 * statistics.median(times):7.1f} ms   worst {1000 * max(times):7.1f} ms{wish}"


def main() -> int:
    """Print the figures; 1 where there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no Chromium: `make browser` installs it")
        return 1
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        with serve(folder):
            pass  # bytecode and store are there from now on
        ready = []
        for _ in range(STARTS):
            with serve(folder) as (_, seconds):
                ready.append(seconds)
        print(f"the server answers:                        {middle(ready, READY_MOST)}")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            ways = {"modules": False} | ({"bundle": True} if StaticFiles().app != APP else {})
            for way, bundled in ways.items():
                with serve(folder, bundled) as (address, _):
                    measure_loads(browser, address, way)
            with serve(folder) as (address, _):
                measure_moves(browser, address)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
