"""Tests of the start screen's data: the games in order, the featured level, and pictures of sessions."""

from __future__ import annotations

import datetime
import itertools

import pytest
from tests.server.sites import Site

from gridproof.core.puzzle import daily_id, make_puzzle, today
from gridproof.server.api.catalogue import find_level
from gridproof.server.api.start_screen import docs_address, featured_level

DAY = datetime.date(2026, 11, 25)


def test_games_are_listed_in_the_order_people_know_them(site: Site) -> None:
    games = site.client.get("/api/start").json()["games"]
    names = [game["name"] for game in games]
    assert names[:4] == ["twenty48", "sokoban", "shiftit", "robots"]
    assert all(game["invitation"] for game in games)
    assert games == site.client.get("/api/games").json()["games"]


def test_featured_level_is_proved_winnable_and_begins_a_session(site: Site) -> None:
    level = site.client.get("/api/start").json()["featured"]
    with site.page(site.begin(**level["begin"])) as page:
        assert page.now["key"] == level["key"]
        assert page.state["title"]
    assert level["verdict"].startswith("Winnable in ")
    assert len(level["board"]["cells"]) == level["board"]["height"]


def test_featured_levels_differ_from_day_to_day() -> None:
    days = [featured_level(DAY + datetime.timedelta(days=number)) for number in range(12)]
    assert featured_level(DAY) == days[0]
    assert all(one != other for one, other in itertools.pairwise(days))
    for chosen in days:
        assert chosen is not None
        level = find_level(chosen.game, chosen.pack.partition("/")[2], chosen.number)
        assert level.certificate is not None
        assert len(level.game.actors(level)) == 1


@pytest.mark.parametrize(
    ("given", "found"),
    [("", ""), ("https://example.org/docs/", "https://example.org/docs"), ("javascript:alert(1)", "")],
)
def test_documentation_is_linked_by_web_addresses_alone(
    monkeypatch: pytest.MonkeyPatch, given: str, found: str
) -> None:
    monkeypatch.setenv("GRIDPROOF_DOCS", given)
    assert docs_address() == found


def test_picture_of_session_shows_current_position(site: Site) -> None:
    name = site.begin(pack="sokoban/first-steps")
    address = f"/api/sessions/{name}/picture.svg"
    before = site.client.get(address)
    assert before.headers["content-type"] == "image/svg+xml"
    assert before.headers["cache-control"] == "no-store"
    with site.page(name) as page:
        page.do("down")
    assert site.client.get(address).text != before.text
    assert 'width="90"' in site.client.get(f"{address}?width=90").text
    assert site.client.get("/api/sessions/nobody/picture.svg").status_code == 404


@pytest.mark.slow
def test_puzzle_of_the_day_is_featured_when_it_is_ready(site: Site) -> None:
    puzzle_id = daily_id("shiftit", today())
    site.store.puzzles.add(make_puzzle(puzzle_id))
    level = site.client.get("/api/start").json()["featured"]
    assert level["begin"] == {"puzzle": str(puzzle_id)}
    assert "shift" in level["verdict"]  # as the verdict of the game calls its moves
    assert level["verdict"].startswith("Winnable in ")
    assert level["verdict"].endswith(" at best (proved)")
    assert level["headline"].startswith("Puzzle of the day · ")
    with site.page(site.begin(**level["begin"])) as page:
        assert page.now["key"] == level["key"]
        assert page.state["puzzle"]["daily_title"] == level["title"]


@pytest.mark.slow
def test_featured_puzzle_says_that_its_win_needs_luck(site: Site) -> None:
    site.store.puzzles.add(make_puzzle(daily_id("twenty48", today())))
    assert site.client.get("/api/start").json()["featured"]["verdict"].startswith("Winnable with luck")


@pytest.mark.parametrize(("pack", "has_bombs"), [("first-steps", False), ("bombs", True)])
def test_goal_speaks_of_bombs_on_levels_with_bombs_alone(site: Site, pack: str, has_bombs: bool) -> None:
    with site.page(site.begin(pack=f"sokoban/{pack}")) as page:
        goal = page.state["goal"]
    assert goal.startswith("Push every box onto a depot.")
    assert ("bomb" in goal) == has_bombs
