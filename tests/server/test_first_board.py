"""Tests of the first board, which the page has in its own answer."""

from __future__ import annotations

import asyncio
import datetime
import re
import time

import pytest
from tests.server.sites import Site

from gridproof.core.errors import GridproofError
from gridproof.core.puzzle import Puzzle, PuzzleId, daily_id, make_puzzle, today
from gridproof.server.static_files import StaticFiles, make_file

LEVEL = "#######\n#@ $ .#\n#######\n"
LARGE = "#" * 30 + "\n" + ("#" + " " * 28 + "#\n") * 14 + "#@ $ ." + " " * 23 + "#\n" + "#" * 30 + "\n"
USE = re.compile(r'<use href="#first-(\d+)" x="(-?[\d.]+)" y="(-?[\d.]+)"/>')


def main(text: str) -> str:
    """The content of the page."""
    found = re.search(r"<main[^>]*>(.*)</main>", text, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.slow
def test_first_board_of_session_has_pieces_of_state(site: Site) -> None:
    for pack in ("sokoban/workshop", "shiftit/boards", "twenty48/standard", "robots/races"):
        name = site.begin(pack=pack)
        with site.page(name) as page:
            if page.now["actions"]:
                page.do(page.now["actions"][0]["text"])
        with site.page(name) as page:
            board, pieces = page.state["board"], page.state["pieces"]
        text = site.client.get(f"/play/{name}").text
        drawings = dict(re.findall(r'<g id="first-(\d+)">(.*?)</g>(?=<g id="first|</defs>)', main(text)))
        drawn = [
            (drawings[number], float(x) / 100, float(y) / 100) for number, x, y in USE.findall(main(text))
        ]
        expected = [
            (pieces[number]["svg"], x, y)
            for y, row in enumerate(board["cells"])
            for x, pile in enumerate(row)
            for number in pile
        ] + [(pieces[number]["svg"], x, board["height"]) for x, number in enumerate(board["beside"])]
        assert sorted(drawn) == sorted(expected)
        assert f'data-first="/play/{name}"' in text


@pytest.mark.slow
def test_first_board_of_start_is_the_featured_level(site: Site) -> None:
    site.store.puzzles.add(make_puzzle(daily_id("shiftit", today())))
    for _ in range(2):
        level = site.client.get("/api/start").json()["featured"]
        text = site.client.get("/").text
        cells = sum(len(pile) for row in level["board"]["cells"] for pile in row)
        assert len(USE.findall(main(text))) == cells + len(level["board"]["beside"])
        assert len(re.findall(r'<g transform="[^"]*"><use', main(text))) == len(level["marks"])
        assert level["verdict"] in main(text)
        assert 'data-first="/"' in text


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/open", "/new", "/edit/sokoban", "/nothing", "/play/nobody"])
def test_page_has_no_first_board_at_other_addresses(site: Site, path: str) -> None:
    text = site.client.get(path).text
    assert main(text) == ""
    assert "data-first" not in text


def test_large_board_is_left_to_the_modules(site: Site) -> None:
    assert main(site.client.get(f"/play/{site.begin(text=LARGE)}").text) == ""
    assert main(site.client.get(f"/play/{site.begin(text=LEVEL)}").text) != ""


def test_first_board_follows_the_session(site: Site) -> None:
    name = site.begin(text=LEVEL)
    before = site.client.get(f"/play/{name}")
    with site.page(name) as page:
        page.do("right")
    after = site.client.get(f"/play/{name}", headers={"if-none-match": before.headers["etag"]})
    assert after.status_code == 200
    assert main(after.text) != main(before.text)


def test_first_board_escapes_words_of_others(site: Site) -> None:
    name = site.begin(text=f"; <script>alert(1)</script>\n{LEVEL}")
    assert "<script>" not in main(site.client.get(f"/play/{name}").text)


def test_page_is_served_while_the_store_cannot_be_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name = site.begin(text=LEVEL)

    async def fail(*_: object) -> None:
        raise GridproofError("the store cannot be read")

    monkeypatch.setattr(site.context.puzzles, "daily", fail)
    monkeypatch.setattr(site.context.registry, "access", fail)
    for path in ("/", f"/play/{name}"):
        answer = site.client.get(path)
        assert answer.status_code == 200
        assert main(answer.text) == ""


def test_page_is_served_while_the_board_cannot_be_drawn(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name = site.begin(text=LEVEL)

    def fail(*_: object) -> None:
        raise ValueError("a fault of a game")

    monkeypatch.setattr("gridproof.server.first_board._svg", fail)
    for path in ("/", f"/play/{name}"):
        answer = site.client.get(path)
        assert (answer.status_code, main(answer.text)) == (200, "")


def test_page_does_not_wait_for_a_long_action(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.server.first_board.PATIENCE", 0.05)
    name = site.begin(text=LEVEL)
    lock, portal = site.context.registry.sessions[name].lock, site.client.portal
    assert portal

    async def act() -> None:
        await lock.acquire()
        asyncio.get_running_loop().call_later(1.0, lock.release)

    portal.call(act)
    assert main(site.client.get(f"/play/{name}").text) == ""
    while lock.locked():
        time.sleep(0.01)
    assert main(site.client.get(f"/play/{name}").text) != ""


def test_store_is_not_read_again_for_each_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    read, daily = list[datetime.date](), site.context.puzzles.daily

    async def count(day: datetime.date) -> list[tuple[PuzzleId, Puzzle | None]]:
        read.append(day)
        return await daily(day)

    monkeypatch.setattr(site.context.puzzles, "daily", count)
    for path in ("/", "/api/start", "/"):
        assert site.client.get(path).status_code == 200
    assert len(read) == 1
    monkeypatch.setattr(
        "gridproof.server.api.start_screen.today", lambda: today() + datetime.timedelta(days=1)
    )
    site.client.get("/")
    assert len(read) == 2


def test_page_with_a_board_is_stored_by_browsers_alone(site: Site) -> None:
    board, empty = (site.client.get(path) for path in (f"/play/{site.begin(text=LEVEL)}", "/open"))
    assert board.headers["cache-control"] == "private, no-cache"
    assert empty.headers["cache-control"] == "no-cache"


def test_files_of_a_folder_alone_are_kept() -> None:
    one, other = StaticFiles(), StaticFiles()
    assert one.files["app.js"] is other.files["app.js"]
    page = one.files["index.html"].content
    assert make_file("index.html", page) is not make_file("index.html", page)  # pages have another cache
