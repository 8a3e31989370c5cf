"""Helpers for tests: offline actions of a player, and the states of page and server."""

from __future__ import annotations

from typing import Any

from tests.browser import driver

LONG = "; Long\n#########\n#@ $   .#\n#########\n"
KEPT = """async (name) => {
  const game = await (await caches.open("gridproof-away")).match(`/away/games/${name}`);
  return Boolean(game && navigator.serviceWorker.controller);
}"""


def ready(page: Any, session: str) -> None:
    """Wait until the page has all that it needs to go on without the server."""
    driver.until(page, lambda: page.evaluate(KEPT, session))


def leave(page: Any, session: str, said: str = "you can play on") -> None:
    """Take the server away from a page that can go on without it, and wait until it says how."""
    ready(page, session)
    page.context.set_offline(True)
    waits(page, said)


def come_back(page: Any) -> None:
    """Give it back, and wait until nothing waits for it any more."""
    page.context.set_offline(False)
    at_the_server(page)


def forget(page: Any) -> None:
    """What was taken along is gone, so that `ready` waits for it anew."""
    page.evaluate("caches.delete('gridproof-away')")


def waits(page: Any, text: str) -> None:
    """Wait until the page says this of the server that is away."""
    page.locator(".connection", has_text=text).wait_for()


def right(page: Any, times: int, said: str = "") -> None:
    """Go right, and wait until all of it waits for the server, or this is said."""
    driver.keys(page, *["ArrowRight"] * times)
    waits(page, said or ("1 move waits" if times == 1 else f"{times} moves wait"))


def kept(page: Any, session: str) -> dict[str, Any]:
    """How the server says that a session stands."""
    found: dict[str, Any] = page.evaluate(f"fetch('/api/sessions/{session}').then(answer => answer.json())")
    return found


def actions(page: Any, session: str) -> list[str]:
    """What the server has kept of the current level."""
    steps = page.evaluate(f"fetch('/api/sessions/{session}/trace').then(answer => answer.json())")["steps"]
    return [step["action"] for step in steps]


def at_the_server(page: Any) -> None:
    """Wait until nothing waits for the server any more."""
    page.locator(".sidebar .connection").wait_for(state="hidden")
