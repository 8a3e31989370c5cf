"""Screenshots of the page for README and documentation: `make screens` takes them again, with Chromium."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

FOLDER = Path(__file__).parent / "pictures"
SIZES = {"desktop": (1120, 700), "phone": (360, 720)}


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server with an empty store."""
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "GRIDPROOF_STORE": f"sqlite:///{folder}/games.db"}
        command = [sys.executable, "-m", "gridproof", "serve", "--port", "0", "--json"]
        with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield json.loads(server.stdout.readline())["url"].rstrip("/")
            finally:
                server.terminate()


def begin(page: Any, address: str, pack: str, level: int, keys: str = "") -> None:
    """Begin a level and press keys."""
    page.goto(f"{address}/levels/{pack}")
    page.locator(".levels .card h2 a").nth(level - 1).click()
    page.wait_for_selector(".board .piece")
    for key in keys.split():
        page.keyboard.press(key)
        page.wait_for_timeout(120)


def start(page: Any, address: str) -> None:
    """The first page."""
    page.goto(address)
    page.wait_for_selector(".card")


def robots(page: Any, address: str) -> None:
    """A race with a hint."""
    begin(page, address, "robots/races", 9)
    page.click("[data-command=hint]")
    page.wait_for_selector(".actions .hinted")


def shift_it(page: Any, address: str) -> None:
    """A board with the shift that is hinted at."""
    begin(page, address, "shiftit/boards", 15)
    page.click("[data-command=hint]")
    page.wait_for_selector(".actions .hinted")


def bombs(page: Any, address: str) -> None:
    """What a bomb would do."""
    begin(page, address, "sokoban/bombs", 3)
    page.hover("[data-action=bomb]")
    page.wait_for_selector(".foreseen rect")


def twenty48(page: Any, address: str) -> None:
    """A game of 2048 that is under way."""
    begin(page, address, "twenty48/standard", 2, "ArrowLeft ArrowDown ArrowRight ArrowDown " * 15)
    page.reload()  # without what was refused
    page.wait_for_selector(".board .piece")


def drawing(page: Any, address: str) -> None:
    """A race that is drawn, with a robot on a belt."""
    page.goto(f"{address}/edit/robots")
    page.wait_for_selector(".palette button")
    page.click("[data-tool='belt running right']")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-fault]")


def analysing(page: Any, address: str) -> None:
    """A decisive position of a level."""
    page.goto(f"{address}/analyse/sokoban/first-steps/11")
    page.wait_for_selector(".found section")
    page.get_by_role("button", name="Show it: After").last.click()
    page.wait_for_selector(".side output")


def asking(page: Any, address: str) -> None:
    """A formula with its counterexample."""
    page.goto(f"{address}/formulas")
    page.wait_for_selector(".examples button")
    page.fill("#formula", "AG EF won")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict=no]")


SCREENS: Mapping[str, tuple[Callable[[Any, str], None], str, Literal["light", "dark"]]] = {
    "web-start": (start, "desktop", "light"),
    "web-shiftit": (shift_it, "desktop", "light"),
    "web-robots": (robots, "desktop", "dark"),
    "web-bombs": (bombs, "desktop", "light"),
    "web-drawing": (drawing, "desktop", "light"),
    "web-asking": (asking, "desktop", "light"),
    "web-analysis": (analysing, "desktop", "light"),
    "web-twenty48-phone": (twenty48, "phone", "dark"),
}
"""File -> (what is done, size, colours)."""


def main() -> int:
    """Take all screenshots; 1 where there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no Chromium: `make browser` installs it")
        return 1
    from playwright.sync_api import sync_playwright

    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (show, size, colours) in SCREENS.items():
            width, height = SIZES[size]
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)
            page = context.new_page()
            show(page, address)
            page.wait_for_timeout(800)
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
