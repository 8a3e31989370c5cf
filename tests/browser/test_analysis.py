"""Levels and packs are analysed in the browser: counts, and claims that are shown on the board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser import driver
from tests.browser.test_editor import draw

import gridproof as gp

pytestmark = [pytest.mark.slow, pytest.mark.long]

LINK = "text => import('/static/share.js').then(({ createLink }) => createLink({ text }, '/analyse'))"
DECISIVE = "########\n# *@$ .#\n########\n"


def shown(page: Any, title: str) -> None:
    page.get_by_role("button", name=f"Show it: {title}").first.click()
    page.wait_for_selector(f".side h2:has-text('{title}')")


@pytest.mark.long
def test_claims_are_shown_on_the_board(page: Any) -> None:
    page.goto("/")
    page.goto(page.evaluate(LINK, DECISIVE))
    driver.analysed(page)
    shown(page, "After 0 moves: go right")
    page.wait_for_selector(".side output:text-is('0 of 2')")
    page.get_by_role("button", name="One step on").click()
    page.wait_for_selector("output:has-text('1 of 2')")
    shown(page, "The shortest way to lose the win")
    page.wait_for_selector(".side output:has-text('1 of 1')")
    page.get_by_role("button", name="Back to the level").click()
    page.wait_for_selector(".side .panel", state="hidden")
    assert page.locator(".plots svg").count() == 2


def test_impossibility_is_saved_as_certificate(page: Any, tmp_path: Path) -> None:
    page.goto("/analyse/sokoban/first-steps/2")
    driver.analysed(page)
    button = page.get_by_role("button", name="Certificate: The shortest way to lose the win")
    button.focus()
    with page.expect_download() as saved:
        button.press("Enter")
    assert saved.value.suggested_filename == "The-shortest-way-to-lose-the-win.gz"
    saved.value.save_as(tmp_path / "dead.gz")
    assert gp.verify(tmp_path / "dead.gz").holds
    driver.until(page, lambda: button.evaluate("one => one === document.activeElement"))


def test_pack_analysis_links_to_levels(page: Any) -> None:
    page.goto("/levels/robots/duels")
    page.get_by_role("link", name="Analyse", exact=True).click()
    driver.pack_analysed(page)
    page.locator(".report tbody a").nth(1).click()
    page.wait_for_selector(".side .stage")
    assert page.url.endswith("/analyse/robots/duels/2")
    assert page.input_value("#analysis-level") == "2"
    driver.analysed(page)


def test_draft_is_analysed_and_linked(page: Any) -> None:
    draw(page, "sokoban")
    page.get_by_role("button", name="Analyse").click()
    driver.analysed(page)
    link = driver.copied(page, "Share")
    page.goto("/")
    page.goto(link)
    driver.analysed(page)


def test_analysis_is_stopped_and_restarted(page: Any) -> None:
    page.goto("/analyse/shiftit/boards/29")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".job p:has-text('Stopped')")
    page.get_by_role("button", name="Analyse again").click()
    page.wait_for_selector(".job p:has-text('Analysing')")
    page.get_by_role("button", name="Stop").click()


def test_analysis_reports_unreadable_text(page: Any) -> None:
    page.goto("/analyse#broken")
    page.wait_for_selector(".empty h1")


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_job_ends_with_page_and_restarts_on_return(page: Any) -> None:
    with page.expect_request("**/api/jobs/*") as asked:  # by now the page knows its job
        page.goto("/analyse/twenty48/standard")  # which lasts for minutes
    job = asked.value.url.rpartition("/")[2]

    def status() -> int:
        return int(page.request.get(f"/api/jobs/{job}").status)

    assert status() == 200
    page.goto("/api/health")
    driver.until(page, status, 404)
    with page.expect_request(lambda request: "/api/jobs/" in request.url and job not in request.url):
        page.go_back()
    page.get_by_role("button", name="Stop").click()


_READABLE = """() => {
  const fits = [...document.querySelectorAll(".report .scroll-x")].every((one) => one.scrollWidth <= one.clientWidth + 1);
  const heights = [...document.querySelectorAll(".plots text")].map((one) => one.getBoundingClientRect().height);
  return [fits, heights.length > 0 && Math.min(...heights) >= 10];
}"""


@pytest.mark.parametrize("page", ["phone"], indirect=True)
@pytest.mark.parametrize("width", [320, 390])
def test_plots_and_pieces_are_readable_on_a_phone(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/analyse/sokoban/bombs/2")
    driver.analysed(page)
    page.get_by_role("table").filter(has_text="without the bomb").wait_for()
    assert page.evaluate(_READABLE) == [True, True]
