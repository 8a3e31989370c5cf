"""Tests of the start screen: a level that is played at once, sessions to continue, and the gallery with packs of other people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
on_desktop = pytest.mark.parametrize("page", ["desktop"], indirect=True)
on_phone = pytest.mark.parametrize("page", ["phone"], indirect=True)
COLLECTION = "Title: Two rooms\nAuthor: Somebody\n\n######\n#@ $.#\n######\nTitle: First\n\n#######\n#@ $ .#\n#######\nTitle: Second\n"


BEGIN_IN_PACK = """async ([pack, level]) => {
  const data = await import("/static/user_data.js");
  const body = JSON.stringify({ pack, level });
  const answer = await fetch("/api/sessions", { method: "POST", headers: { "content-type": "application/json" }, body });
  data.rememberNewSession(await answer.json(), pack);
}"""


def _sessions(page: Any) -> int:
    return int(page.evaluate("(JSON.parse(localStorage.getItem('gridproof.games')) ?? []).length"))


@on_desktop
def test_first_board_needs_one_request_and_no_session(page: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    driver.start_on_fixed_day(page)
    driver.shown(page)
    assert [url.rpartition("/api/")[2] for url in asked if not url.endswith(".svg")][:1] == ["start"]
    assert page.locator(".featured .proved").text_content().startswith("✓ Winnable in ")
    assert page.locator(".featured .main").count() == page.locator("main .main").count() == 1
    assert _sessions(page) == 0


@on_desktop
def test_first_key_begins_the_session_and_is_played(page: Any) -> None:
    driver.start_on_fixed_day(page)
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**/play/*")
    driver.counted(page, 1)
    assert page.locator("h1").inner_text() == "Straight In"
    driver.keys(page, "ArrowRight", moves=2)
    assert _sessions(page) == 1


@on_desktop
def test_arrow_keys_scroll_when_the_board_has_no_focus(page: Any) -> None:
    driver.start_on_fixed_day(page)
    page.locator(".cards.games a").first.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert page.url.endswith("/")
    assert _sessions(page) == 0


@on_phone
def test_first_tap_begins_the_session_and_is_played(page: Any) -> None:
    driver.start_on_fixed_day(page)
    driver.tap(page, 1, 2)
    page.wait_for_url("**/play/*")
    driver.counted(page, 1)


@on_phone
def test_quick_swipe_on_the_first_board_is_one_step(page: Any) -> None:
    driver.start_on_fixed_day(page)
    page.evaluate("performance.now = () => 0")  # however slow the machine is
    driver.swipe(page, (1, 1), (1, 3))
    page.wait_for_url("**/play/*")
    driver.counted(page, 1)


@on_desktop
def test_refused_session_is_reported_and_the_board_stays(page: Any) -> None:
    driver.start_on_fixed_day(page)
    page.route("**/api/sessions", lambda route: route.abort())
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".featured .error", has_text="The server cannot be reached").wait_for()
    driver.shown(page)


@on_desktop
def test_continue_lists_finished_games_on_request(page: Any) -> None:
    driver.begin(page, text="; Untouched\n#####\n#@ .#\n# $ #\n#####")
    driver.begin(page, text="; One\n#####\n#@ .#\n# $ #\n#####")
    driver.keys(page, "ArrowRight", moves=1)
    driver.begin(page, text="; Two\n#####\n#@$.#\n#####")
    page.keyboard.press("ArrowRight")
    page.locator(".overlay").wait_for()
    page.goto("/")
    cards = page.locator(".continue .card")

    def titles() -> list[str]:
        return [text.split("\n")[0] for text in cards.all_inner_texts()]

    driver.until(page, titles, ["One"])
    page.get_by_role("button", name="All 2 saved games").click()
    driver.until(page, titles, ["One", "Two"])
    assert "solved" in cards.last.inner_text()
    assert "solved" not in cards.first.inner_text()


def test_continue_shows_the_current_position(page: Any) -> None:
    session = driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", moves=1)
    with page.expect_response(f"**/api/sessions/{session}/picture.svg*") as picture:
        page.goto("/")
    assert "Straight In" in page.locator(".continue .card").first.inner_text()
    position = page.evaluate(f"fetch('/api/sessions/{session}/position').then((answer) => answer.text())")
    assert position.replace("-", " ").splitlines()[2] in picture.value.text()
    page.locator(".continue .card a").first.click()
    driver.counted(page, 1)


def test_continue_opens_the_level_after_a_win(page: Any) -> None:
    for _ in range(2):
        driver.begin(page, pack="sokoban/first-steps")
        driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
        page.locator(".overlay").wait_for()
        page.evaluate("""() => {
          const games = JSON.parse(localStorage.getItem("gridproof.games"));
          localStorage.setItem("gridproof.games", JSON.stringify(games.map((game) => ({...game, pack: "sokoban/first-steps"}))));
        }""")
    page.goto("/")
    page.get_by_role("link", name="Next: Back Door").click()  # one card for both sessions
    driver.until(page, page.locator("h1").inner_text, "Back Door")
    assert page.locator(".overlay").count() == 0


@on_desktop
def test_continue_leaves_out_levels_that_are_solved_in_a_later_game(page: Any) -> None:
    page.goto("/levels/sokoban/first-steps/1")
    driver.shown(page)
    first = page.url
    driver.keys(page, "ArrowDown", moves=1)
    page.evaluate(BEGIN_IN_PACK, ["sokoban/first-steps", 1])
    page.goto("/")
    page.locator(".continue .card", has_text="Straight In").wait_for()
    later = page.evaluate("JSON.parse(localStorage.getItem('gridproof.games'))[0].id")
    page.goto(f"/play/{later}")
    driver.shown(page)
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.goto("/")
    page.get_by_role("link", name="Next: Back Door").wait_for()
    assert page.locator(".continue .card").count() == 1
    page.goto(first)
    driver.shown(page)
    driver.keys(page, "ArrowRight", moves=2)
    page.goto("/")
    driver.until(page, page.locator(".continue .card").count, 2)


@on_desktop
def test_gallery_shows_progress_and_searches(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.goto("/levels")
    card = page.locator(".pack", has_text="First steps")
    assert "Small levels of one to three boxes" in card.inner_text()
    assert "by gridproof" in card.inner_text()
    assert card.locator("progress").get_attribute("value") == "1"
    page.get_by_label("Search").fill("back door")
    page.locator(".levels .card").wait_for()
    assert page.locator(".pack:visible").count() == 0
    page.get_by_role("link", name="Back Door").click()
    driver.shown(page)
    driver.until(page, page.locator("h1").inner_text, "Back Door")


@on_desktop
def test_cards_show_goals_that_differ_in_a_pack(page: Any) -> None:
    page.goto("/levels/twenty48/standard")
    card = page.locator(".levels .card", has_text="Smallest, always a 2")
    expect(card.get_by_text("Merge equal tiles until you make a 16. Each move adds a 2.")).to_be_visible()
    page.goto("/levels/sokoban/first-steps")
    page.wait_for_selector(".levels .card")
    expect(page.locator(".levels .goal")).to_have_count(0)


def test_card_of_a_level_opens_in_a_new_tab(page: Any) -> None:
    page.goto("/levels/sokoban/first-steps")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="2. Back Door", exact=True).click(modifiers=["Control"])
    driver.until(opened.value, opened.value.locator("h1").inner_text, "Back Door")
    assert page.url.endswith("/levels/sokoban/first-steps")
    assert page.locator("a[href='#']").count() == 0


@on_desktop
def test_collection_is_kept_shared_and_played(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "rooms.xsb"
    file.write_text(COLLECTION, encoding="utf-8")
    page.goto("/levels")
    page.set_input_files("#pack-file", file)
    card = page.locator(".pack", has_text="Two rooms")
    card.wait_for()
    assert "Extended Sokoban · by Somebody" in card.inner_text()
    link = driver.copied(page, "Copy link")
    card.get_by_role("button", name="Remove").click()
    page.locator(".pack", has_text="Two rooms").wait_for(state="detached")
    page.goto("/")
    page.goto(link)
    page.get_by_role("button", name="Keep it").click()
    page.goto("/levels")
    page.get_by_role("link", name="Two rooms").click()
    driver.shown(page)
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.goto("/levels")
    assert page.locator(".pack", has_text="Two rooms").locator("progress").get_attribute("value") == "1"
    page.get_by_label("Search").fill("second somebody")
    page.get_by_role("link", name="Second").click()
    driver.until(page, page.locator("h1").inner_text, "Second")


@on_desktop
def test_wrong_file_is_reported_where_it_was_added(page: Any) -> None:
    page.goto("/levels")
    page.fill("#pack-address", "nothing.xsb")
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("main .error", has_text="file").wait_for()


@pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)
def test_gallery_is_accessible(page: Any) -> None:
    page.goto("/levels")
    page.locator(".pack").first.wait_for()
    assert not driver.violations(page)
    page.get_by_label("Search").fill("door")
    page.locator(".levels .card").first.wait_for()
    assert not driver.violations(page)


def _large_level() -> str:
    rows = [list(f"#{' ' * 58}#") for _ in range(40)]
    rows[0] = rows[-1] = ["#"] * 60
    rows[37][57], rows[3][5], rows[3][8] = "@", "$", "."
    return "\n".join(map("".join, rows)) + "\n"


@pytest.mark.parametrize("page", ["desktop", "phone"], indirect=True)
def test_view_of_large_board_follows_the_player(page: Any) -> None:
    driver.begin(page, text=_large_level())
    assert page.evaluate("document.querySelector('svg.board').getScreenCTM().a * 100") >= 27.9
    for number in range(1, 41):
        page.keyboard.press("ArrowLeft")
        driver.counted(page, number)
    driver.settled(page)
    left, right = page.evaluate(
        "(({left, right}) => [left, right])(document.querySelector('.stage').getBoundingClientRect())"
    )
    driver.until(page, lambda: left < driver.cell(page, 17, 37)[0] < right)


@on_desktop
@pytest.mark.parametrize(
    ("start", "most"), [({"pack": "twenty48/standard", "seed": 5}, 104), ({"pack": "sokoban/bombs"}, 80)]
)
def test_cells_have_a_tenth_of_the_window_at_most_and_those_of_small_boards_more(
    page: Any, start: Any, most: int
) -> None:
    driver.begin(page, **start)
    assert (
        most - 8 < page.evaluate("document.querySelector('svg.board').getScreenCTM().a * 100") <= most + 0.01
    )


@on_phone
def test_phone_says_what_fingers_do_on_the_board_of_the_day(page: Any) -> None:
    driver.start_on_fixed_day(page)
    assert page.locator(".featured .touch").inner_text() == "Or just start: swipe on the board."
    start = page.evaluate("fetch('/api/start').then((answer) => answer.json())")
    featured = {**start["featured"], "keys": {}, "gestures": "Drag a row, or click the arrow at its end."}
    page.add_init_script(f"""const fixed = fetch, changed = {json.dumps({**start, "featured": featured})};
      window.fetch = (...asked) => asked[0] === "/api/start" ? Promise.resolve(Response.json(changed)) : fixed(...asked);""")
    page.goto("/")
    expected = "Or just start: drag a row, or tap the arrow at its end."
    driver.until(page, page.locator(".featured .touch").inner_text, expected)


@on_desktop
def test_lost_game_is_not_offered_to_continue(page: Any) -> None:
    for board in ("4 4\n2 4\n", "4 0\n2 0\n"):
        page.goto("/open")
        page.fill("#level-text", f"2048 2x2 target=16\n{board}")
        page.get_by_role("button", name="Play", exact=True).click()
        driver.shown(page)
        driver.keys(page, "ArrowLeft" if "0" not in board else "ArrowRight", moves=1)
    page.goto("/")
    page.get_by_role("heading", name="Continue").wait_for()
    cards = page.locator(".sessions .card p")
    assert cards.all_inner_texts() == ["2048"]
    page.get_by_role("button", name="All 2 saved games").click()
    page.get_by_role("heading", name="Your games").wait_for()
    assert cards.all_inner_texts() == ["2048", "2048 · over"]
