"""The page of `gridproof serve` for one player: time until the server is ready and the page is painted, its size, and the time of a move.

Everything is warm: each server starts on bytecode and a store that are there; each page is loaded in a new profile of
Chromium, which has nothing kept. First paint is the browser's own entry of the first content, from the beginning of the
navigation; the bytes are those of all answers until the network rests, as they are in the files (nothing is compressed).
A move is measured in the page, from the message to the answer, which comes when the move is kept.

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
from typing import Any

STARTS, LOADS, MOVES = 7, 7, 200
READY_MOST, PAINT_MOST, BYTES_MOST, MOVE_MOST = 2.0, 1.0, 300_000, 0.020
PACKS = ("robots/races", "shiftit/boards", "sokoban/workshop", "twenty48/standard")

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


@contextlib.contextmanager
def serving(folder: str) -> Iterator[tuple[str, float]]:
    """A server on a store in a folder: its address, and the seconds until it answered."""
    environment = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder}/games.db"}
    begin = time.perf_counter()
    command = [sys.executable, "-m", "gridproof", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["url"].rstrip("/")
            with urllib.request.urlopen(f"{address}/api/health", timeout=30):
                yield address, time.perf_counter() - begin
        finally:
            server.terminate()


def loaded(browser: Any, address: str, shown: str) -> tuple[float, int]:
    """A page in a new profile: seconds until the first paint, and the bytes of all answers."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())))
    page.goto(address)
    page.wait_for_selector(shown)
    page.wait_for_load_state("networkidle")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return paint / 1000, sum(sizes)


def begin(address: str, pack: str) -> str:
    """A new session's id."""
    body = json.dumps({"pack": pack}).encode()
    request = urllib.request.Request(f"{address}/api/sessions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(json.load(answer)["id"])


def middle(times: list[float], most: float) -> str:
    """Median and worst of some times in milliseconds, with what is wished for."""
    return f"median {1000 * statistics.median(times):7.1f} ms   worst {1000 * max(times):7.1f} ms   ({1000 * most:.0f} ms wished)"


def main() -> int:
    """Print the figures; 1 where there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no Chromium: `make browser` installs it")
        return 1
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        with serving(folder):
            pass  # bytecode and store are there from now on
        ready = []
        for _ in range(STARTS):
            with serving(folder) as (_, seconds):
                ready.append(seconds)
        print(f"the server answers:            {middle(ready, READY_MOST)}")
        with serving(folder) as (address, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            places = {
                "first page": ("/", ".card"),
                "a game": (f"/play/{begin(address, PACKS[2])}", ".board .piece"),
            }
            for name, (path, shown) in places.items():
                loads = [loaded(browser, address + path, shown) for _ in range(LOADS)]
                print(f"first paint, {name + ':':17} {middle([paint for paint, _ in loads], PAINT_MOST)}")
                print(f"bytes, {name + ':':23} {max(size for _, size in loads):,} ({BYTES_MOST:,} wished)")
            page = browser.new_page()
            page.goto(address)
            for pack in PACKS:
                there = f"{address}/ws/{begin(address, pack)}"
                times = [each / 1000 for each in page.evaluate(MOVE, [there, MOVES])]
                print(f"a move of {pack + ':':20} {middle(times, MOVE_MOST)}")
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
