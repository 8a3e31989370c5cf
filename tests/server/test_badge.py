"""Tests of badges: each page receives the status of the current position in its own mode."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.server.sites import Page, Site
from tests.table.test_status import EDGE, FIFTY_PERCENT, Proving

import gridproof as gp
from gridproof.prove.position_status import Badge, Note
from gridproof.server.live.badge import ViewerBadge


class AtOnce(Proving):
    """Prover that answers at once."""

    def ask(self, *asked: Any) -> None:
        super().ask(*asked)
        self.answer()

    def close(self) -> None:
        """There is nothing to end."""


@pytest.fixture
def proving(site: Site) -> Site:
    stands_in: Any = AtOnce()
    site.context._prover = stands_in
    return site


def badge(page: Page) -> dict[str, Any]:
    """The last word on a position."""
    while not (told := page.wait_for("badge")).get("complete"):
        pass
    return told


def test_badge_is_sent_after_each_action_in_mode_always(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        told = badge(page)
        assert (told["text"], told["standing"]) == ("still winnable, shortest: 5 actions", "winnable")
        assert (told["left"], told["fewest"], told["since"]) == (5, True, None)
        page.socket.send_json({"type": "do", "texts": ["down", "down"]})
        told = badge(page)
        assert told["text"].startswith("dead since action 2, go down: ")
        assert (told["standing"], told["cells"]) == ("dead", [[3, 4]])
        assert told["since"] == {"winnable": 1, "dead": 2}
        replay = page.do("mistake")["told"][0]
        assert (replay["kind"], replay["at"], replay["length"]) == ("replay", 1, 2)
        assert dict(replay["now"]["counts"])["moves"] == "0"  # its board is that of the start
        steps = page.say(type="steps", replay=replay["replay"], **{"from": 0}, count=9)["told"][0]["steps"]
        assert [dict(step["now"]["counts"])["moves"] for step in steps] == ["1", "2"]


@pytest.mark.parametrize(("move", "cause"), [("up", "chance"), ("right", "move")])
def test_badge_says_if_bad_luck_lost_the_win(proving: Site, move: str, cause: str) -> None:
    with proving.page(proving.begin(text=FIFTY_PERCENT, seed=0)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        assert badge(page)["fatal"] is None
        page.socket.send_json({"type": "do", "texts": [move]})
        while not (told := badge(page))["since"]:
            pass
        assert told["fatal"] == {"move": 1, "cause": cause}


class Noting(AtOnce):
    """Prover that has nothing to tell but a note."""

    def __init__(self, is_complete: bool) -> None:
        super().__init__()
        self.is_complete = is_complete

    def answer(self) -> None:
        for _, report in [*self.waiting.values()]:
            report(Badge(complete=self.is_complete, notes=(Note("no program plays here"),)))


@pytest.mark.parametrize("is_complete", [False, True])
def test_badge_tells_a_note_that_is_all_that_is_known_once(site: Site, is_complete: bool) -> None:
    stands_in: Any = Noting(is_complete)
    site.context._prover = stands_in
    with site.page(site.begin(text="2048 2x2 target=16\n2 4\n0 0\n")) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        while not (told := page.wait_for("badge")).get("line"):
            pass
        assert (told["line"], told["detail"]) == ("No program plays here.", "")


class Silent(AtOnce):
    """Prover that never answers."""

    def answer(self) -> None:
        """Not yet."""


@pytest.mark.parametrize("mode", ["always", "dead", "request"])
def test_badge_shows_running_search(site: Site, mode: str) -> None:
    stands_in: Any = Silent()
    site.context._prover = stands_in
    with site.page(site.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": mode, "ask": mode == "request"})
        assert page.wait_for("badge") == {
            "type": "badge",
            "text": "",
            "standing": "unknown",
            "complete": False,
        }


def test_badge_on_request_is_silent_until_asked(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        page.say(type="badge", mode="request")
        page.do("left")
        page.socket.send_json({"type": "badge", "ask": True})
        assert badge(page)["standing"] == "winnable"
        page.socket.send_json({"type": "do", "text": "right"})
        assert page.wait_for("badge") == {"type": "badge", "text": ""}


def test_badge_follows_mode_of_each_viewer(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page, proving.page(name) as other:
        page.socket.send_json({"type": "badge", "mode": "always"})
        other.say(type="badge", mode="dead")
        assert badge(page)["standing"] == "winnable"
        page.socket.send_json({"type": "do", "texts": ["down", "down"]})
        assert badge(other)["standing"] == "dead"  # the first it hears
        assert proving.context.prover() is proving.context._prover


def test_badge_refuses_unknown_mode(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        for mode in ("loud", 3, None, ["always"]):
            assert "always, dead, request, off" in page.say(type="badge", mode=mode)["text"]


def test_badge_search_stops_when_viewer_leaves(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        badge(page)
        live = proving.context.registry.sessions[name]
        (view,) = live.views.values()
        assert isinstance(view.badge, ViewerBadge)
        status = view.table.status
    assert status.mode == "off"


@pytest.mark.slow
def test_badge_is_proved_in_worker_process(site: Site) -> None:
    with site.page(site.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        told = badge(page)
        assert told["left"] == gp.solve(gp.read(EDGE)[0]).cost
    site.context.close()


def test_badge_has_a_line_for_players_and_says_why(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        assert (page.state["word"], page.state["distances"]) == ("moves", True)
        page.socket.send_json({"type": "badge", "mode": "always"})
        told = badge(page)
        assert (told["line"], told["why"], told["worth"]) == (
            "Winnable in 5 moves at best (proved)",
            "",
            {},
        )
        page.socket.send_json({"type": "do", "texts": ["down", "down"]})
        told = badge(page)
        assert told["line"] == "Dead since move 2"
        assert told["why"] == "The box in row 5, column 4 can reach no depot."


@pytest.mark.slow
def test_badge_shows_the_worth_of_each_direction(proving: Site) -> None:
    text = "2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n"
    with proving.page(proving.begin(text=text)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        told = badge(page)
        chances = gp.value(gp.read(text)[0].start(), "tile(64)")
        assert told["line"] == f"Chance to reach 64: {100 * float(chances.best):.0f} %"
        assert told["worth"].keys() == {action["text"] for action in page.now["actions"]}
        assert told["worth"]["up"]["words"].startswith(f"chance to reach 64: {told['worth']['up']['text']}")


def test_badge_reports_progress_of_a_long_search(site: Site) -> None:
    stands_in: Any = Silent()
    site.context._prover = stands_in
    with site.page(site.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        page.wait_for("badge")
        ((query, report),) = stands_in.waiting.values()
        report(replace(query.badge, searched=12_000, least=9))
        assert page.wait_for("badge") == {
            "type": "badge",
            "text": "",
            "standing": "unknown",
            "complete": False,
            "searched": 12_000,
            "detail": "No win in fewer than 9 moves so far",
        }


def test_known_position_needs_no_prover(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        badge(page)
        page.do("left")
        badge(page)
        silent: Any = Silent()
        proving.context._prover = silent
        page.socket.send_json({"type": "do", "text": "undo"})
        assert badge(page)["line"] == "Winnable in 5 moves at best (proved)"
        assert not silent.waiting


@pytest.mark.slow
def test_game_continues_from_a_place_of_the_solution(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        badge(page)
        replay = page.do("watch")["told"][0]
        assert (replay["kind"], replay["ahead"]) == ("replay", True)
        trace = proving.client.get(f"/api/sessions/{page.state['id']}/trace").json()
        assert page.say(type="open", trace=trace)["told"][0]["ahead"]
        page.do("left")
        assert "ahead" not in page.say(type="open", trace=trace)["told"][0]
        replay = page.do("watch")["told"][0]
        assert ["moves", "1"] in replay["now"]["counts"]
        steps = page.say(type="steps", replay=replay["replay"])["told"][0]["steps"]
        assert len(steps) == replay["total"]
        assert ["moves", str(replay["total"] + 1)] in steps[-1]["now"]["counts"]


def test_distances_of_a_game_are_measured(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page:
        for text in ("left", "right", "down", "down"):
            page.do(text)
        job = proving.client.post(f"/api/sessions/{name}/distances").json()
        while not job["done"]:
            assert len(job.get("part", [])) in (0, 5)
            job = proving.client.get(f"/api/jobs/{job['id']}").json()
        found = job["result"]["distances"]
        assert [one["left"] for one in found[:4]] == [5, 6, 5, 4]
        assert found[4] == {"left": None, "fewest": False, "dead": True}


def test_distances_are_missing_when_there_are_none(proving: Site) -> None:
    for asked in ({"text": EDGE}, {"pack": "twenty48/standard"}):
        name = proving.begin(**asked)
        answer = proving.client.post(f"/api/sessions/{name}/distances")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "missing")
    assert proving.client.post(f"/api/sessions/{name}/distances?level=2").status_code != 202


def test_equal_badge_is_sent_again_after_an_action(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        badge(page)
        page.socket.send_json({"type": "do", "texts": ["down", "down"]})
        dead = badge(page)
        page.socket.send_json({"type": "do", "text": "up"})
        assert badge(page) == dead


RACE = "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . B .\n"


def test_line_says_whether_the_player_of_one_robot_can_win(proving: Site) -> None:
    with proving.page(proving.begin(text=RACE), "?view=a") as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        shown = badge(page)
        assert (shown["line"], shown["rival"]) == ("b can win with its next request. You need 3.", True)
        assert ("took turns" in shown["text"], shown["detail"]) == (True, "")
    with proving.page(proving.begin(text=RACE), "?view=b") as page:
        page.do("let a planner")
        page.socket.send_json({"type": "badge", "mode": "always"})
        shown = badge(page)
        assert shown["line"] == "You can win in 1 request if the others wait"
        assert "needs" not in shown["detail"]


def test_line_says_that_another_robot_can_win_next_also_where_the_player_can(proving: Site) -> None:
    text = RACE.replace("a . . A", ". . a A")
    expected = {
        "?view=a": "You can win with your next request; so can b",
        "": "a or b can win with its next request",
    }
    for view, line in expected.items():
        with proving.page(proving.begin(text=text), view) as page:
            page.socket.send_json({"type": "badge", "mode": "always"})
            shown = badge(page)
        assert (shown["line"], shown["rival"], shown["detail"]) == (line, bool(view), "")


def test_line_counts_the_own_requests_where_another_robot_is_nearer(proving: Site) -> None:
    with proving.page(proving.begin(pack="robots/races"), "?view=b") as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        shown = badge(page)
    assert (shown["line"], shown["rival"]) == ("a can win in 2 requests. You need 4.", True)
    assert (shown["left"], shown["own_left"]) == (2, 4)


def test_standing_of_a_level_that_a_program_has_won_is_dead(proving: Site) -> None:
    with proving.page(proving.begin(text=RACE.replace("a . . A", ". . a A"))) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        page.do("let b planner")
        page.do("a:walk(-1,0)")
        while (shown := badge(page))["line"] != "Lost":
            pass
    assert (shown["standing"], shown["complete"]) == ("dead", True)
