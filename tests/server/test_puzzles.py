"""Tests of new puzzles and of the puzzles of the day: requests, jobs, sessions, and the stock in the store."""

from __future__ import annotations

import asyncio
import datetime
import time
from typing import Any

import pytest
from tests.server.sites import Site, Threads, Waiting

from gridproof.core.puzzle import PuzzleId, daily_id, make_puzzle, parse_id, puzzle_games, series, today
from gridproof.games.twenty48.puzzles import PUZZLES
from gridproof.server import puzzle_stock
from gridproof.server.puzzle_stock import PuzzleStock
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore
from gridproof.store.first_puzzles import first_puzzles

KIND = {"game": "twenty48", "kind": "small", "difficulty": "easy"}
FIRST, SECOND, THIRD = series(**KIND, count=3)


@pytest.fixture(autouse=True)
def no_first_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the puzzles that come with the package, but for tests of these."""
    monkeypatch.setattr("gridproof.store.puzzles.first_puzzles", dict)


def request(site: Site, **asked: Any) -> dict[str, Any]:
    """Request a puzzle until it is ready."""
    answer = site.client.post("/api/puzzles", json=asked)
    if answer.status_code == 202:
        job = answer.json()["job"]
        while not job["done"]:
            time.sleep(0.05)
            job = site.client.get(f"/api/jobs/{job['id']}").json()
        assert job["result"] == {"id": answer.json()["id"]}
        answer = site.client.post("/api/puzzles", json=asked)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def test_kinds_of_puzzles_are_listed(site: Site) -> None:
    data = site.client.get("/api/puzzles").json()
    assert {game["name"] for game in data["games"]} == {game.name for game in puzzle_games()}
    for game in data["games"]:
        assert site.client.get(game["picture"]).status_code == 200
        for kind in game["kinds"]:
            assert kind["difficulties"] == data["difficulties"]


def test_puzzles_of_chance_can_be_won_with_luck(site: Site) -> None:
    games = site.client.get("/api/puzzles").json()["games"]
    with_luck = {game["name"] for game in games if "with luck" in game["promise"]}
    assert with_luck == {"twenty48"}
    sokoban = next(game for game in games if game["name"] == "sokoban")
    assert sokoban["promise"] == "Each is proved to be winnable before you see it."
    twenty48 = next(game for game in games if game["name"] == "twenty48")
    assert twenty48["promise"].endswith("Careful moves miss it far less often.")
    words = [game["difficulty_words"]["expert"] for game in (sokoban, twenty48)]
    assert words == ["expert", "very hard"]


@pytest.mark.slow
def test_puzzle_is_made_and_played(site: Site) -> None:
    puzzle = request(site, **KIND)
    assert (puzzle["id"], puzzle["title"], puzzle["difficulty"]) == (
        str(FIRST), "Small size, easy", "easy",
    )  # fmt: skip
    assert site.client.get(puzzle["picture"]).headers["content-type"] == "image/svg+xml"
    name = site.begin(puzzle=puzzle["id"])
    with site.page(name) as page:
        about = page.state["puzzle"]
        assert about == {
            "id": str(FIRST),
            **KIND,
            "of_the_day": False,
            "daily_title": "",
            "meaning": PUZZLES.meaning,
        }
        assert page.state["difficulty"] == "easy"
        assert page.now["key"] == puzzle["key"]


@pytest.mark.slow
def test_chance_of_a_puzzle_is_the_same_for_all(site: Site) -> None:
    request(site, id=str(FIRST))
    boards = []
    for _ in range(2):
        with site.page(site.begin(puzzle=str(FIRST))) as page:
            page.do(page.now["actions"][0]["text"])
            boards.append(site.client.get(f"/api/sessions/{page.state['id']}/position").text)
    assert boards[0] == boards[1]


@pytest.mark.slow
def test_player_gets_a_puzzle_that_is_ready_and_not_played(site: Site) -> None:
    for puzzle_id in (FIRST, THIRD):
        site.store.puzzles.add(make_puzzle(puzzle_id))
    assert request(site, **KIND)["id"] == str(FIRST)
    assert request(site, **KIND, played=[str(FIRST)])["id"] == str(THIRD)  # the second one is not ready
    answer = site.client.post("/api/puzzles", json={**KIND, "played": [str(FIRST), str(THIRD)]})
    assert (answer.status_code, answer.json()["id"]) == (202, str(SECOND))


@pytest.mark.slow
def test_stock_survives_a_restart(url: str) -> None:
    before = Site(url, workers=Threads)
    with before.client:
        request(before, **KIND)
        while before.store.puzzles.get(FIRST) is None:
            time.sleep(0.05)
    after = Site(url, workers=Threads)
    with after.client:
        answer = after.client.post("/api/puzzles", json=KIND)
        assert (answer.status_code, answer.json()["id"]) == (200, str(FIRST))
        found = after.store.puzzles.get(FIRST)
        assert found == make_puzzle(FIRST)
        assert found is not None
        assert found.level.certificate is not None


@pytest.mark.slow
def test_first_puzzle_of_each_series_is_ready_on_a_new_server(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.store.puzzles.first_puzzles", first_puzzles)
    for game in site.client.get("/api/puzzles").json()["games"]:
        for kind in game["kinds"]:
            for difficulty in kind["difficulties"]:
                asked = {"game": game["name"], "kind": kind["name"], "difficulty": difficulty}
                answer = site.client.post("/api/puzzles", json=asked)
                assert answer.status_code == 200
                assert site.begin(puzzle=answer.json()["id"])
    assert site.store.puzzles.count() == 0


def test_clients_that_wait_for_the_same_puzzle_share_its_job(url: str, waiting: Waiting) -> None:
    site = Site(url, workers=lambda: waiting)
    with site.client:
        asked = [site.client.post("/api/puzzles", json={"id": str(SECOND)}) for _ in range(4)]
        assert len({answer.json()["job"]["id"] for answer in asked}) == len(waiting.tasks) == 1


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"id": "x"}, "'x' is no id of a puzzle"),
        ({"id": "sokoban-huge-easy-1"}, "sokoban has no puzzles of the kind 'huge'"),
        ({"game": "sokoban"}, "give an id, or a game, a kind and a difficulty"),
        ({**KIND, "difficulty": "awful"}, "no difficulty 'awful'"),
        ({**KIND, "game": "chess"}, "no puzzles of 'chess' can be made"),
    ],
)
def test_wrong_request_is_refused_in_words(site: Site, asked: dict[str, str], reason: str) -> None:
    answer = site.client.post("/api/puzzles", json=asked)
    assert answer.status_code == 400
    assert reason in answer.json()["error"]["text"]


def test_session_of_a_puzzle_that_is_not_ready_is_refused(site: Site) -> None:
    answer = site.client.post("/api/sessions", json={"puzzle": str(SECOND)})
    assert (answer.status_code, answer.json()["error"]["text"]) == (
        404, f"{SECOND} is not ready; request it first",
    )  # fmt: skip


@pytest.mark.slow
def test_puzzles_of_the_day_are_listed(site: Site) -> None:
    daily = daily_id("twenty48", today())
    site.store.puzzles.add(make_puzzle(daily))
    data = site.client.get("/api/daily").json()
    assert data["date"] == today().isoformat()
    assert [parse_id(one["id"]) for one in data["puzzles"]] == [
        daily_id(one["game"], today()) for one in data["puzzles"]
    ]
    assert {one["game"]: one["ready"] for one in data["puzzles"]} == {
        game.name: game.name == "twenty48" for game in puzzle_games()
    }
    assert site.client.get(next(one["picture"] for one in data["puzzles"] if one["ready"])).status_code == 200


@pytest.mark.slow
def test_level_of_the_day_is_written_with_its_title(site: Site) -> None:
    daily = daily_id("twenty48", today())
    site.store.puzzles.add(make_puzzle(daily))
    name = site.begin(puzzle=str(daily))
    with site.page(name) as page:
        title = page.state["puzzle"]["daily_title"]
    text = site.client.get(f"/api/sessions/{name}/level").text
    assert title.startswith("2048, ")
    drawn = site.client.post("/api/drafts", json={"game": "twenty48", "text": text}).json()
    assert drawn["draft"]["title"] == title
    grown = site.client.post(
        "/api/drafts", json={"game": "twenty48", "draft": drawn["draft"], "edits": [{"grow": "right"}]}
    )
    assert grown.json()["draft"]["title"] == "My level"  # it is another one


@pytest.fixture
def stock(url: str, monkeypatch: pytest.MonkeyPatch) -> PuzzleStock:
    """A stock that makes two puzzles ahead, of one kind and of each day."""
    for name in ("FIRST_PAUSE", "PAUSE"):
        monkeypatch.setattr(puzzle_stock, name, 0.0)
    monkeypatch.setattr(puzzle_stock, "_all_series", lambda: [("twenty48", "small", "easy")])
    monkeypatch.setattr(
        puzzle_stock, "_daily_ids", lambda day: [PuzzleId("twenty48", "small", "easy", day.day)]
    )
    monkeypatch.setattr("gridproof.jobs.worker_pool.WorkerPool", lambda *_, **__: ThreadPool())
    return Site(url, Limits(puzzles_ahead=2), workers=Threads).context.puzzles


class ThreadPool(Threads):
    """Pool that can be closed."""

    def close(self) -> None:
        """Do nothing."""


def wanted(stock: PuzzleStock) -> list[PuzzleId]:
    """Return the puzzles that the stock makes ahead, in order."""
    return list(dict.fromkeys(stock._wanted_ids()))


def test_stock_makes_today_then_what_players_took_then_tomorrow(stock: PuzzleStock) -> None:
    days = [PuzzleId("twenty48", "small", "easy", (today() + datetime.timedelta(n)).day) for n in range(2)]
    assert wanted(stock) == [*days, FIRST, SECOND]

    async def take() -> None:
        await stock.next_id(**KIND, played=())

    asyncio.run(take())
    assert wanted(stock) == [days[0], FIRST, SECOND, THIRD, days[1]]


@pytest.mark.slow
def test_stock_fills_in_the_background(stock: PuzzleStock) -> None:
    store: GroupedStore = stock._store

    async def fill() -> None:
        stock.open()
        while store.puzzles.count() < 4:
            await asyncio.sleep(0.05)
        stock.close()

    asyncio.run(asyncio.wait_for(fill(), 60))
    assert store.puzzles.find_made([FIRST, SECOND, THIRD]) == {FIRST, SECOND}


def test_stock_gives_way_to_jobs_of_clients(stock: PuzzleStock) -> None:
    begun: list[str] = []

    async def fill() -> None:
        stock.open()
        while stock._job is None:
            await asyncio.sleep(0)
        job = stock._job
        begun.append(stock.request("somebody", THIRD)["id"])
        assert job.is_cancelled
        while stock._jobs.is_busy:
            await asyncio.sleep(0.01)
        stock.close()

    asyncio.run(asyncio.wait_for(fill(), 60))
    assert begun


@pytest.mark.slow
def test_two_servers_do_not_make_the_same_puzzle(url: str) -> None:
    one, other = Site(url).store.puzzles, Site(url).store.puzzles
    assert one.claim(FIRST)
    assert not other.claim(FIRST)
    one.release(FIRST)
    assert other.claim(FIRST)
    other.add(make_puzzle(FIRST))
    assert not one.claim(FIRST)
    assert one.get(FIRST) == make_puzzle(FIRST)
