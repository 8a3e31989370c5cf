"""Tests of badges: each page receives the status of the current position in its own mode."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.sites import Page, Site
from tests.table.test_status import EDGE, Proving

import gridproof as gp
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
