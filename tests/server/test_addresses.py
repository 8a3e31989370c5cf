"""Tests of the page's addresses: screens, and unknown ones."""

from __future__ import annotations

import pytest
from tests.server.sites import Site

HERE = [
    "/", "/open", "/formulas", "/edit", "/edit/sokoban", "/analyse", "/analyse/sokoban/first-steps",
    "/analyse/sokoban/first-steps/2", "/levels/sokoban", "/levels/sokoban/first-steps", "/levels/sokoban/first-steps/2", "/new", "/new/sokoban-small-easy-1f3k9",
    "/daily/sokoban",
    "/rules/sokoban", "/learn/robots", "/learn/robots/2",
]  # fmt: skip
NOWHERE = [
    "/nothing", "/open/more", "/edit/chess", "/levels/chess", "/levels/null", "/levels/sokoban/none", "/levels/chess/first",
    "/analyse/sokoban/none", "/analyse/sokoban/first-steps/0", "/analyse/sokoban/first-steps/99", "/levels/sokoban/first-steps/99",
    "/new/x", "/new/sokoban-huge-easy-1", "/daily", "/daily/chess",
    "/rules", "/rules/chess", "/rules/null", "/learn/robots/0", "/learn/robots/99",
    "/play", "/play/nobody", "/play/%00", "/play/a/b",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("address", HERE)
def test_page_answers_200_at_addresses_of_its_screens(site: Site, address: str) -> None:
    answer = site.client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize("address", NOWHERE)
def test_page_answers_404_at_unknown_addresses(site: Site, address: str) -> None:
    page = site.client.get("/open")  # without a board
    answer = site.client.get(address, headers={"if-none-match": page.headers["etag"]})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert answer.text == page.text  # which says that there is nothing


def test_page_answers_200_at_sessions_and_404_when_they_are_removed(site: Site) -> None:
    name = site.begin(text="####\n#@ #\n# $#\n# .#\n####")
    assert site.client.get(f"/play/{name}").status_code == 200
    site.client.delete(f"/api/sessions/{name}")
    assert site.client.get(f"/play/{name}").status_code == 404


def test_page_has_one_name(site: Site) -> None:
    for path, status in (("/index.html", 200), ("/editindex.html", 404), ("/openindex.html", 404)):
        assert site.client.get(path).status_code == status
