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
SIZES = {"desktop": (1120, 700), "small": (960, 600), "phone": (360, 720)}


@contextlib.contextmanager
def serve() -> Iterator[str]:
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
    """The first page, with the puzzles of the day, which the server has to make first."""
    page.goto(address)
    for _ in range(60):
        page.wait_for_selector(".card")
        page.wait_for_timeout(1000)
        if page.locator(".daily .card").count() == page.locator(".daily img").count():
            break
        page.reload()


def hint(page: Any) -> None:
    """Ask for the next move."""
    page.get_by_role("button", name="More hints").click()
    page.locator(".menu").get_by_role("button", name="The next move").click()
    page.wait_for_selector(".actions .hinted")


def robots(page: Any, address: str) -> None:
    """A race with a hint."""
    begin(page, address, "robots/races", 9)
    hint(page)


def shift_it(page: Any, address: str) -> None:
    """A board with the shift that is hinted at."""
    begin(page, address, "shiftit/boards", 15)
    hint(page)


def bombs(page: Any, address: str) -> None:
    """What a bomb would do."""
    begin(page, address, "sokoban/bombs", 3)
    page.hover("[data-action=bomb]")
    page.wait_for_selector(".preview rect")


def twenty48(page: Any, address: str) -> None:
    """A game of 2048 that is under way."""
    begin(page, address, "twenty48/standard", 2, "ArrowLeft ArrowDown ArrowRight ArrowDown " * 15)
    page.reload()  # without what was refused
    page.wait_for_selector(".board .piece")


def verdict(page: Any, address: str) -> None:
    """A dead position, with the reason."""
    begin(page, address, "sokoban/bombs", 1, "ArrowUp b ArrowDown ArrowRight")
    page.locator(".verdict[data-standing=dead]").wait_for()
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".dead-cells rect")


def new_puzzle(page: Any, address: str) -> None:
    """The choice of a new puzzle."""
    page.goto(f"{address}/new")
    page.locator(".tile", has_text="Sokoban").click()
    page.locator(".difficulties .tile").nth(2).click()
    page.evaluate("scrollTo(0, 0)")


def draw_race(page: Any, address: str) -> None:
    """A race that is drawn, with a robot on a belt."""
    page.goto(f"{address}/edit/robots")
    page.wait_for_selector(".palette button")
    page.click("[data-tool='belt running right']")
    page.focus(".stage")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-fault]")


def show_analysis(page: Any, address: str) -> None:
    """A decisive position of a level."""
    page.goto(f"{address}/analyse/sokoban/first-steps/11")
    page.wait_for_selector(".report section")
    page.get_by_role("button", name="Show it: After").last.click()
    page.wait_for_selector(".side output")


def show_formula(page: Any, address: str) -> None:
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
    "web-verdict": (verdict, "small", "light"),
    "web-new": (new_puzzle, "desktop", "light"),
    "web-drawing": (draw_race, "desktop", "light"),
    "web-asking": (show_formula, "desktop", "light"),
    "web-analysis": (show_analysis, "desktop", "light"),
    "web-twenty48-phone": (twenty48, "phone", "dark"),
}
"""File -> (what is done, size, colours)."""


def main() -> int:
    """Take the screenshots that are named as arguments, or all; 1 where there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no Chromium: `make browser` installs it")
        return 1
    from playwright.sync_api import sync_playwright

    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in sys.argv[1:] or SCREENS:
            show, size, colours = SCREENS[name]
            width, height = SIZES[size]
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)
            context.set_default_timeout(120_000)  # milliseconds: an analysis may be slow
            page = context.new_page()
            show(page, address)
            page.wait_for_timeout(800)
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
