"""What is proved, told to pages: as much as each wants, of the present position alone."""

from __future__ import annotations

from typing import Any

import pytest
from tests.play.test_lookout import EDGE, Proving
from tests.play.web.sites import Page, Site

import gridproof as gp
from gridproof.play.web.badge import SeatBadge


class AtOnce(Proving):
    """In place of processes: what is asked is answered at once."""

    def ask(self, *asked: Any) -> None:
        super().ask(*asked)
        self.answer()

    def close(self) -> None:
        """There is nothing to end."""


@pytest.fixture
def proving(site: Site) -> Site:
    stands_in: Any = AtOnce()
    site.house._prover = stands_in
    return site


def badge(page: Page) -> dict[str, Any]:
    """The last word on a position."""
    while not (told := page.hear("badge")).get("complete"):
        pass
    return told


def test_always(proving: Site) -> None:
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
        assert replay["kind"] == "replay"


def test_on_request_nothing_is_told_until_it_is_asked(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        page.say(type="badge", mode="request")
        page.do("left")
        page.socket.send_json({"type": "badge", "ask": True})
        assert badge(page)["standing"] == "winnable"
        page.socket.send_json({"type": "do", "text": "right"})
        assert page.hear("badge") == {"type": "badge", "text": ""}


def test_each_is_told_as_much_as_wanted(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page, proving.page(name) as other:
        page.socket.send_json({"type": "badge", "mode": "always"})
        other.say(type="badge", mode="dead")
        assert badge(page)["standing"] == "winnable"
        page.socket.send_json({"type": "do", "texts": ["down", "down"]})
        assert badge(other)["standing"] == "dead"  # the first it hears
        assert proving.house.prover() is proving.house._prover


def test_a_mode_that_there_is_not(proving: Site) -> None:
    with proving.page(proving.begin(text=EDGE)) as page:
        for mode in ("loud", 3, None, ["always"]):
            assert "always, dead, request, off" in page.say(type="badge", mode=mode)["text"]


def test_who_has_left_is_not_proved_for(proving: Site) -> None:
    name = proving.begin(text=EDGE)
    with proving.page(name) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        badge(page)
        room = proving.house.rooms.rooms[name]
        (seat,) = room.seats.values()
        assert isinstance(seat.badge, SeatBadge)
        lookout = seat.table.lookout
    assert lookout.mode == "off"


@pytest.mark.slow
def test_a_process_proves_for_the_server(site: Site) -> None:
    with site.page(site.begin(text=EDGE)) as page:
        page.socket.send_json({"type": "badge", "mode": "always"})
        told = badge(page)
        assert told["left"] == gp.solve(gp.read(EDGE)[0]).cost
    site.house.close()
