"""Helpers for tests: actions of a player on the page."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from tests.browser.conftest import PATIENCE

ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def begin(page: Any, **body: object) -> str:
    """Begin a session and go there; its id."""
    session = str(page.request.post("/api/sessions", data=body).json()["id"])
    page.goto(f"/play/{session}")
    shown(page)
    return session


_POST = """([address, body]) => fetch(address, {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body)}).then((answer) => answer.json())"""
_FIXED_DAY = """const real = fetch, data = DATA;
  window.fetch = (...asked) => asked[0] in data ? Promise.resolve(Response.json(data[asked[0]])) : real(...asked);"""


def start_on_fixed_day(page: Any) -> None:
    """Open the start screen with the same puzzles on every day: a level of Sokoban, whose player goes down and right."""
    page.goto("/")
    answer = page.evaluate("fetch('/api/start').then((answer) => answer.json())")
    text = page.evaluate("fetch('/api/packs/sokoban/first-steps/1.txt').then((answer) => answer.text())")
    words = page.evaluate(_POST, ["/api/vocabularies", {"text": text}])
    level = {
        "game": "sokoban", "game_title": "Extended Sokoban", "title": "Straight In", "key": "none", "marks": [],
        "headline": "Today's level · Extended Sokoban · easy", "begin": {"pack": "sokoban/first-steps", "level": 1}, "goal": "Push the box.",
        "verdict": "Winnable in 3 moves (proved)", "keys": {"down": "down", "right": "right"},
        "board": words["board"], "pieces": words["pieces"],
    }  # fmt: skip
    daily = [
        {"id": game["name"], "game": game["name"], "game_title": game["title"], "address": f"/daily/{game['name']}", "difficulty": "easy", "difficulty_words": "easy", "ready": False}
        for game in answer["games"] if game["puzzles"]
    ]  # fmt: skip
    data = {"/api/start": {**answer, "featured": level}, "/api/daily": {"puzzles": daily}}
    page.add_init_script(_FIXED_DAY.replace("DATA", json.dumps(data)))
    page.goto("/")
    page.wait_for_selector(".card")
    shown(page)


def shown(page: Any) -> None:
    """Wait until a board is shown."""
    page.wait_for_selector(".board .piece")


def settled(page: Any) -> None:
    """Wait until nothing on the board moves any more, of what the page has been told by now."""
    page.wait_for_function("""() => ![...document.querySelectorAll("svg.board .piece")].some(
      (piece) => piece.style.transition || piece.querySelector(".vanish"))""")


def judged(page: Any) -> None:
    """Wait until the verdict has its last word, where one is shown."""
    page.wait_for_function("""() => {
      const verdict = document.querySelector(".play > .verdict");
      return !verdict || verdict.dataset.replay === "yes" || verdict.dataset.complete === "yes"
        || (verdict.dataset.stale === "no" && !verdict.querySelector(".text").textContent);
    }""")


def violations(page: Any) -> str:
    """What axe finds wrong when nothing fades or moves any more, but for what does so for ever; empty where that is nothing."""
    page.wait_for_function("""() => document.getAnimations().every(
      ({ playState, effect }) => playState !== "running" || effect.getComputedTiming().endTime === Infinity)""")
    found = Axe().run(page)
    return str(found.generate_report()) if found.response["violations"] else ""


def until(page: Any, look: Callable[[], object], expected: object = True) -> None:
    """Wait until what is looked at, which a page cannot wait for by itself, is as expected."""
    for _ in range(PATIENCE // 100):
        if look() == expected:
            return
        page.wait_for_timeout(100)
    assert look() == expected


def held(page: Any, address: str) -> list[Any]:
    """Hold all requests to an address back; the list grows with each."""
    found: list[Any] = []
    page.route(address, lambda route: found.append(route))  # noqa: PLW0108  # it takes no built-in
    return found


def answer(page: Any, route: Any) -> None:
    """Let a request through, and wait until the page has the answer."""
    with page.expect_event("requestfinished", lambda request: request == route.request):
        route.continue_()


def count(page: Any, word: str) -> str:
    """What one of the counts says."""
    return str(page.locator(f"[data-count='{word}'] dd").inner_text())


def _count(word: str) -> str:
    """The element of a count; the moves of Robots are called requests."""
    return f":is([data-count='{word}'], [data-count='{'requests' if word == 'moves' else word}'])"


def counted(page: Any, number: int, word: str = "moves") -> None:
    """Wait until one of the counts says so, of all players: not the one that stands there before it is done."""
    page.wait_for_selector(f"{_count(word)} dd:is(:text-is('{number}'), :text(', {number} in all'))")


def keys(page: Any, *names: str, **counts: int) -> None:
    """Press keys one after the other, and wait until that is counted: `keys(page, "ArrowDown", moves=1)`."""
    for name in names:
        page.keyboard.press(name)
    for word, number in counts.items():
        counted(page, number, word)


def set_off_bomb(page: Any) -> None:
    """Press the key of a bomb, which shows the walls that would go, and press it again."""
    page.keyboard.press("b")
    page.locator(".toast", has_text="Once more to confirm: set off a bomb.").wait_for()
    page.locator(".preview rect").first.wait_for()
    assert count(page, "bombs used") == "0"
    page.keyboard.press("b")
    counted(page, 1, "bombs used")


def acted(page: Any, number: int, word: str = "moves") -> bool:
    """Wait until so many actions are counted and shown, or the level has ended; whether it has."""
    page.wait_for_selector(f"{_count(word)} dd:text-is('{number}'), .overlay")
    settled(page)
    return bool(page.locator(".overlay").count())


def press(page: Any, command: str, **counts: int) -> None:
    """Press the button of a command by the keyboard, as `keys` does: held by a slow mouse, some do it again and again."""
    page.locator(f"[data-command={command}]:not(:disabled)").press("Enter")
    keys(page, **counts)


def legal(page: Any) -> list[str]:
    """The actions that the page offers."""
    found: list[str] = page.locator(".actions button").evaluate_all(
        "all => all.map(one => one.dataset.action)"
    )
    return found


def copied(page: Any, button: str) -> str:
    """What a button puts on the clipboard, which the page says only for some seconds."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name=button).click()
    until(page, lambda: page.evaluate("navigator.clipboard.readText()") != "")
    return str(page.evaluate("navigator.clipboard.readText()"))


def hinted(page: Any) -> str:
    """Ask for the next move; the action that is hinted at."""
    more = page.get_by_role("button", name="More hints")
    if more.count():
        more.click()
        page.locator(".menu").get_by_role("button", name="The next move").dispatch_event("click")
    else:
        page.click("[data-command=hint]")
    return str(page.locator(".actions .hinted").get_attribute("data-action"))


def spoil(page: Any, words: str) -> None:
    """Choose how much of a solution to be told."""
    page.get_by_role("button", name="More hints").click()
    page.locator(".menu").get_by_role("button", name=words).click()


def proved(page: Any) -> None:
    """Wait until the fewest moves of a won level stand in the sheet below it."""
    page.locator(".score", has_text="(proved)").wait_for()


def cell(page: Any, x: float, y: float) -> tuple[float, float]:
    """The middle of a cell of the board, in pixels of the window."""
    place = "([x, y]) => { const svg = document.querySelector('svg.board'); const p = new DOMPoint(100 * x + 50, 100 * y + 50)"
    here = page.evaluate(f"{place}.matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }}", [x, y])
    return here[0], here[1]


def click(page: Any, x: int, y: int) -> None:
    """Click a cell."""
    page.mouse.click(*cell(page, x, y))


def tap(page: Any, x: int, y: int) -> None:
    """Touch a cell."""
    page.touchscreen.tap(*cell(page, x, y))


def drag(page: Any, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Drag from a cell to another with the mouse."""
    page.mouse.move(*cell(page, *start))
    page.mouse.down()
    (x, y), (to_x, to_y) = cell(page, *start), cell(page, *end)
    for part in range(1, 9):
        page.mouse.move(x + part * (to_x - x) / 8, y + part * (to_y - y) / 8)
    page.mouse.up()


def swipe(page: Any, start: tuple[int, int], end: tuple[int, int], hold: float = 0) -> None:
    """Swipe from a cell to another with a finger in a tenth of a second, however slow the machine is; it may rest for some seconds first, and drags then."""
    (x, y), (to_x, to_y) = cell(page, *start), cell(page, *end)
    client = page.context.new_cdp_session(page)
    pressed = time.time() - hold

    def touch(kind: str, seconds: float, *points: tuple[float, float]) -> None:
        places = [{"x": right, "y": down} for right, down in points]
        client.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": places, "timestamp": pressed + seconds}
        )

    touch("touchStart", 0, (x, y))
    for part in range(1, 7):
        touch("touchMove", hold + part / 70, (x + part * (to_x - x) / 6, y + part * (to_y - y) / 6))
    touch("touchEnd", hold + 0.1)


def numbered(page: Any, what: str) -> list[str]:
    """The numbers of the rows, from the top one on, or of the columns, as they stand at the board's edge."""
    found: list[str] = page.locator(f".board .numbers .{what}").all_text_contents()
    return found


def line(page: Any, action: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """A cell of the line that a shift moves, and the one beside it in its way."""
    kind, number, way = re.fullmatch(r"(RM|CM)\((\d+),(\w+)\)", action).groups()  # type: ignore[union-attr]
    right, down = WAYS[way]
    place = len(numbered(page, "row")) - 1 - int(number) if kind == "RM" else int(number)
    start = (int(right < 0), place) if kind == "RM" else (place, int(down < 0))
    return start, (start[0] + right, start[1] + down)


_DRAWN = """() => {
  const board = document.querySelector("svg.board");
  const shape = (element) => {
    const { fill, stroke } = getComputedStyle(element);
    const own = [...element.attributes].filter(({ name }) => !["class", "style", "fill", "stroke"].includes(name));
    const text = element.childElementCount ? "" : element.textContent;
    return [element.tagName, ...own.map(({ name, value }) => `${name}=${value}`), fill, stroke, text].join(" ").trim();
  };
  const shapes = (element) => [...element.querySelectorAll("*")].map(shape);
  const here = [...board.querySelectorAll(".piece")].filter((piece) => !piece.closest(".marks, .preview"));
  const pieces = here.map((piece) => [
    piece.style.transform.match(/-?[0-9]+/g).map((pixels) => Number(pixels) / 100),
    shapes(board.querySelector(piece.querySelector("use").getAttribute("href"))),
  ]);
  return [board.getAttribute("viewBox"), pieces, shapes(board.querySelector(".marks"))];
}"""


def board_text(page: Any, marked: bool = True) -> str:
    """What is drawn on the board, in words: which shapes in which colours are in which cell, and what is marked."""
    view, pieces, marks = page.evaluate(_DRAWN)
    names: dict[str, str] = {}
    cells: dict[tuple[float, ...], list[str]] = {}
    for place, shapes in sorted(pieces, key=lambda piece: (piece[0][1], piece[0][0])):
        name = names.setdefault("; ".join(shapes), f"piece {len(names) + 1}")
        cells.setdefault(tuple(place), []).append(name)
    lines = [f"view {view}", *(f"{name}: {drawn}" for drawn, name in names.items())]
    lines += [f"{x:g},{y:g}: {', '.join(there)}" for (x, y), there in cells.items()]
    return "\n".join([*lines, *(f"mark: {mark}" for mark in marks if marked)])


def analysed(page: Any) -> None:
    """Wait for an analysis; kernels may have to be compiled for the first time."""
    page.wait_for_selector(".report section")


def pack_analysed(page: Any) -> None:
    """Wait until all levels of a pack are analysed: the report shows those that are done before."""
    page.get_by_role("region").get_by_text("The analysis is done.").wait_for()
