"""Every game is played to its end in a real browser, by keyboard, by mouse and by touch, on a desktop and on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver, offline

import gridproof as gp

pytestmark = [pytest.mark.slow, pytest.mark.long]
by_touch = pytest.mark.parametrize("page", ["phone"], indirect=True)


def test_sokoban_by_keyboard(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    veil = page.locator(".overlay")
    veil.wait_for()
    assert "Every box stands on a depot" in veil.inner_text()
    page.keyboard.press("Enter")
    driver.until(page, page.locator("h1").inner_text, "Back Door")
    veil.wait_for(state="detached")


def test_sokoban_by_dragging_the_box(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.drag(page, (2, 2), (4, 2))
    page.locator(".overlay").wait_for()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_dragged_box_follows_the_mouse(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=3)
    box, places = page.locator(".board .piece[data-rest]"), "all => all.map(one => one.style.transform)"

    def pull(*cell: int) -> list[str]:
        page.mouse.move(*driver.cell(page, *cell), steps=8)
        return [place for place in box.evaluate_all(places) if place == "translate(500px, 400px)"]

    page.mouse.move(*driver.cell(page, 2, 2))
    page.mouse.down()
    pull(3, 2)
    driver.until(page, lambda: bool(pull(5, 3) + pull(5, 4)))
    page.mouse.up()
    driver.counted(page, 9, "pushes")


@by_touch
def test_sokoban_by_touching_where_to_go(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.tap(page, 1, 3)
    driver.counted(page, 2)


@by_touch
def test_sokoban_by_swiping(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    for moves, (start, end) in enumerate([((3, 3), (3, 4)), ((1, 2), (2, 2)), ((0, 0), (1, 0))], 1):
        driver.swipe(page, start, end)
        driver.acted(page, moves)
    page.locator(".overlay").wait_for()


@by_touch
def test_sokoban_box_is_dragged_by_a_finger_that_rests_first(page: Any) -> None:
    driver.begin(page, text="########\n#@     #\n#  $   #\n#     .#\n########\n")
    driver.swipe(page, (3, 2), (5, 2), hold=0.4)
    driver.counted(page, 4)
    driver.press(page, "undo", moves=0)  # the drag as a whole
    driver.press(page, "redo", moves=4)
    driver.press(page, "undo", moves=0)
    driver.swipe(page, (3, 2), (4, 2))  # a step of the player, who is elsewhere
    driver.counted(page, 1)
    assert "Row 3: wall, 2 times floor, box" in page.locator(".stage > .visually-hidden").text_content()


@by_touch
def test_plug_in_by_touch(page: Any) -> None:
    driver.begin(page, pack="lights_out/first")
    driver.tap(page, 1, 1)
    assert "All lamps are dark" in page.locator(".overlay h2").inner_text()


@by_touch
def test_robots_by_dragging_one_home(page: Any) -> None:
    driver.begin(page, pack="robots/races")
    driver.swipe(page, (1, 0), (1, 1))  # a belt carries it on
    driver.acted(page, 1)
    driver.swipe(page, (2, 3), (0, 3))
    assert "Fireworks" in page.locator(".overlay h2").inner_text()


@by_touch
def test_robots_turn_by_swiping_where_they_do_not_look(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=2)
    driver.tap(page, 0, 2)  # from now on, swipes are for robot b
    driver.swipe(page, (3, 2), (3, 1))
    page.locator(".request", has_text="b: May I turn to face up?").wait_for()
    driver.swipe(page, (0, 2), (1, 2))
    page.locator(".request", has_text="b: May I turn to face right?").wait_for()
    driver.swipe(page, (0, 0), (1, 0))  # a swipe of another robot
    page.locator(".request", has_text="a: May I step right?").wait_for()


def test_shift_it_by_dragging_lines(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    for number in range(1, 13):
        driver.drag(page, *driver.line(page, driver.hinted(page)))
        if driver.acted(page, number, "actions"):
            return
    raise AssertionError("twelve hints have not won")


@by_touch
def test_shift_it_by_swiping(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    driver.swipe(page, *driver.line(page, driver.hinted(page)))
    driver.acted(page, 1, "actions")


def test_twenty48_by_keyboard_to_its_end(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", level=3, seed=5)
    for number in range(300):
        if not (texts := driver.legal(page)):
            break
        page.keyboard.press(driver.ARROWS[texts[number % len(texts)]])
        if driver.acted(page, number + 1):
            break
    page.locator(".overlay").wait_for()


def test_enter_after_a_loss_tries_again(page: Any) -> None:
    driver.begin(page, text="2048 2x2\n16 8\n0 32\n")
    page.keyboard.press("ArrowLeft")
    page.locator(".overlay").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Try again"


@by_touch
def test_twenty48_by_swiping(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", seed=5)
    for number in range(4):
        texts = driver.legal(page)
        right, down = driver.WAYS[texts[number % len(texts)]]
        driver.swipe(page, (1, 1), (1 + right, 1 + down))
        driver.acted(page, number + 1)


def test_robots_by_hints_and_what_they_mark(page: Any) -> None:
    driver.begin(page, pack="robots/races")
    for number in range(20):
        driver.hinted(page)
        page.click(".actions .hinted")
        if driver.acted(page, number + 1):
            break
    assert "Fireworks" in page.locator(".overlay").inner_text()


def test_undo_redo_restart_and_holding(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", moves=4)
    driver.press(page, "undo", moves=3)
    driver.press(page, "redo", moves=4)
    page.hover("[data-command=undo]")
    page.mouse.down()
    driver.counted(page, 0)
    page.mouse.up()
    assert page.is_disabled("[data-command=undo]")
    driver.keys(page, "ArrowDown", moves=1)
    driver.press(page, "undo", moves=0)  # the button of what a mouse has held before


def test_reload_in_mid_game_loses_nothing(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", moves=1)
    page.reload()
    driver.shown(page)
    assert driver.count(page, "moves") == "1"
    driver.press(page, "undo", moves=0)


def test_two_tabs_show_the_same(page: Any) -> None:
    session = driver.begin(page, pack="sokoban/first-steps")
    other = page.context.new_page()
    other.goto(f"/play/{session}")
    driver.shown(other)
    page.bring_to_front()
    page.keyboard.press("ArrowDown")
    driver.counted(other, 1)


def test_link_contains_level_or_trace(page: Any) -> None:
    driver.begin(page, text="; Mine\n######\n#@ $.#\n######\n")
    driver.keys(page, "ArrowRight", moves=1)
    links = []
    for words in ("to this level", "to what was played"):
        page.get_by_role("button", name="Share").click()
        links.append(driver.copied(page, f"Link {words}"))
        page.keyboard.press("Escape")
    for link, moves in zip(links, ("0", "1"), strict=True):
        page.goto("/")
        page.goto(link)
        page.wait_for_url("**/play/*")
        driver.shown(page)
        assert page.locator("h1").inner_text() == "Mine"
        assert driver.count(page, "moves") == moves


def test_link_to_a_solution_is_watched_and_then_tried(page: Any) -> None:
    driver.begin(page, text="; Mine\n######\n#@ $.#\n######\n")
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator(".overlay").get_by_role("button", name="Share").click()
    link = driver.copied(page, "Link to what was played")
    page.goto("/")
    page.goto(link)
    for _ in range(2):
        page.locator(".sidebar p", has_text="Won in 2 moves. Try it yourself.").wait_for()
        page.wait_for_selector("output:text-is('2 of 2')")
        page.reload()
    page.get_by_role("button", name="Try it yourself").click()
    driver.counted(page, 0)
    assert "#" not in page.url
    driver.keys(page, "ArrowRight", moves=1)


def test_position_that_is_copied_at_a_win_is_the_won_one(page: Any) -> None:
    driver.begin(page, text="; One\n#####\n#@$.#\n#####\n\n; Two\n######\n#@ $.#\n######\n")
    page.keyboard.press("ArrowRight")
    page.locator(".overlay").get_by_role("button", name="Share").click()
    assert driver.copied(page, "Copy the position").startswith("#####\n#-@*#\n#####\n")


def test_link_of_random_game_has_all_digits_of_seed(page: Any) -> None:
    session = driver.begin(page, pack="twenty48/standard", level=2)
    for number in (1, 2):
        page.keyboard.press(driver.ARROWS[driver.legal(page)[0]])
        driver.acted(page, number)
    text = page.evaluate(f"fetch('/api/sessions/{session}/trace').then(answer => answer.text())")
    assert (gp.Trace.from_json(text).seed or 0) > 1 << 53
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Link to what was played")
    page.goto("/")
    page.goto(link)
    page.wait_for_url("**/play/*")
    driver.shown(page)
    name = page.url.rpartition("/")[2]
    assert page.evaluate(f"fetch('/api/sessions/{name}/trace').then(answer => answer.text())") == text


@pytest.mark.service_worker
def test_page_opens_offline_and_names_what_needs_server(page: Any) -> None:
    unseen = page.request.post("/api/sessions", data={"pack": "sokoban/first-steps"}).json()["id"]
    driver.begin(page, pack="sokoban/first-steps")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto("/levels/sokoban/first-steps")
    page.wait_for_selector(".levels .card")
    page.context.set_offline(True)
    page.goto("/")
    page.locator("#main .offline", has_text="You are offline").wait_for()
    page.goto("/levels/sokoban/first-steps")
    page.wait_for_selector(".levels .card")
    page.locator(".levels .card a").first.click()
    page.locator("#main", has_text="The server cannot be reached").wait_for()
    page.goto(f"/play/{unseen}")
    page.locator("#main", has_text="You are offline").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    driver.shown(page)


def test_damaged_link_is_reported(page: Any) -> None:
    page.goto("/open#nonsense")
    page.locator("#main").get_by_text("This link is damaged").wait_for()


def test_broken_text_is_reported_at_its_input(page: Any) -> None:
    page.goto("/open")
    page.fill("#level-text", "####\n#@@#\n####\n")
    page.get_by_role("button", name="Play").click()
    page.locator(".error", has_text="At (2, 1): another player; the first is at (1, 1)").wait_for()


def test_solution_replay_has_any_speed(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    driver.spoil(page, "The whole solution")
    page.wait_for_selector("output:has-text('of 15')")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector("output:text-is('0 of 15')")
    page.get_by_label("Steps a second").select_option("0.25")  # or it ends before a slow hand has paused it
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector("output:text-is('0 of 15')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("output:has-text('1 of 15')")
    page.get_by_role("button", name="Back to the game").click()
    driver.counted(page, 0)


def test_replay_says_whose_counts_are_shown_and_covers_no_button(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    driver.judged(page)
    driver.hinted(page)
    driver.spoil(page, "The whole solution")
    page.wait_for_selector("output:text-is('0 of 15')")  # it waits for the player
    page.locator(".log", has_text="15 moves, the fewest possible: ").wait_for()
    driver.until(page, page.locator(".title .muted").first.inner_text, "A replay: your game waits")
    assert page.locator(".replay h2").inner_text() == "From here on"
    page.get_by_role("button", name="Continue from here").click(trial=True)
    page.get_by_role("button", name="Back to the game").click()
    driver.counted(page, 0)
    driver.until(page, lambda: page.locator(".title .muted").first.inner_text().split(" ·")[0], "Beginner")


@pytest.mark.parametrize("pack", ["sokoban/first-steps", "robots/races"])
@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_phone_shows_the_buttons_of_a_replay_near_the_board(page: Any, pack: str) -> None:
    driver.begin(page, pack=pack, level=2)
    driver.hinted(page)
    driver.spoil(page, "The whole solution")
    page.wait_for_selector(".replay output:has-text(' of ')")
    assert not page.locator(".toast").count()
    for name in (re.compile("Pause|Play"), "Back to the game"):
        box = page.locator(".replay").get_by_role("button", name=name).bounding_box()
        assert box["y"] + box["height"] < page.viewport_size["height"]


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_board_without_an_action_says_so_and_offers_no_hint(page: Any) -> None:
    driver.begin(page, text="shiftit 2x2\nr* b\nb r*\n")
    page.get_by_role("button", name="Why?").click()
    page.locator(
        ".explanation", has_text="Every row and every column is held by a tile with screws."
    ).wait_for()
    assert page.locator(".asking").inner_text().strip() == "Nothing can be done"
    assert page.get_by_role("button", name="More hints").is_disabled()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_escape_closes_a_menu_and_nothing_else(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps", level=2)
    page.evaluate(
        "window.keys = []; document.addEventListener('keydown', (event) => window.keys.push([event.key, event.defaultPrevented]))"
    )
    page.keyboard.press("ArrowDown")  # the cursor, or a step
    page.get_by_role("button", name="More hints").click()
    page.keyboard.press("Escape")
    page.locator(".menu:popover-open").wait_for(state="detached")
    assert page.evaluate("window.keys.at(-1)") == ["Escape", False]


_LATE = """const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) { setTimeout(() => send.call(this, text), window.late ?? 0); };"""


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_late_preview_is_not_shown_after_the_mouse_has_left(page: Any) -> None:
    page.add_init_script(_LATE)
    driver.begin(page, text="#######\n#@    #\n#  $. #\n#######\n")
    shown = page.locator(".preview > *")
    page.mouse.move(*driver.cell(page, 4, 1))
    shown.first.wait_for(state="attached")
    page.mouse.move(1, 1)
    assert not shown.count()
    page.evaluate("window.late = 600")
    page.mouse.move(*driver.cell(page, 5, 1))
    page.wait_for_timeout(300)
    page.mouse.move(1, 1)
    page.wait_for_timeout(1000)
    assert not shown.count()


def test_preview_of_a_bomb_frames_the_walls_that_go(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs", level=3)
    start: Any = gp.levels_at("sokoban/bombs/3")[0].start()
    (after,) = start.outcomes(start.action("bomb"))
    page.hover("[data-action=bomb]")
    page.locator(".preview rect").first.wait_for()
    assert _framed(page) == start.walls - after.position.walls
    page.mouse.move(1, 1)
    driver.set_off_bomb(page)
    driver.until(page, page.locator(".preview rect").count, 0)


def _framed(page: Any) -> set[tuple[int, int]]:
    """The cells with frames of a preview."""
    places = "all => all.map((one) => [one.getAttribute('x'), one.getAttribute('y')].map((at) => Math.floor(at / 100)))"
    return {(x, y) for x, y in page.locator(".preview rect").evaluate_all(places)}


def test_bomb_beside_the_board_explodes_at_the_second_tap(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs", level=3)
    start: Any = gp.levels_at("sokoban/bombs/3")[0].start()
    driver.click(page, *start.player)
    page.locator(".log .refusal, .toast", has_text="Nothing can be done there").first.wait_for()
    icon = 0, start.level.size[1]
    driver.click(page, *icon)
    confirmation = page.locator(".toast", has_text="Once more to confirm: set off a bomb.")
    confirmation.wait_for()
    box, (left, middle) = confirmation.bounding_box(), driver.cell(page, *icon)
    assert left < box["x"]  # beside the bomb
    assert box["y"] < middle < box["y"] + box["height"]
    assert box["y"] + box["height"] <= page.locator(".play > .verdict .text").bounding_box()["y"]
    page.locator(".preview rect").first.wait_for()
    assert driver.count(page, "bombs used") == "0"
    driver.click(page, *icon)
    driver.counted(page, 1, "bombs used")


def test_button_of_a_bomb_asks_as_a_tap_does(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs", level=3)
    bomb = page.locator(".actions [data-action=bomb]")
    bomb.click()
    page.locator(".toast", has_text="Once more to confirm: set off a bomb.").wait_for()
    page.locator(".preview rect").first.wait_for()
    assert driver.count(page, "bombs used") == "0"
    bomb.click()
    driver.counted(page, 1, "bombs used")


@pytest.mark.slow
@pytest.mark.service_worker
def test_bomb_beside_the_board_needs_confirmation_offline(page: Any) -> None:
    session = driver.begin(page, text="######\n#@*$.#\n##$###\n#  . #\n######\nBombs: 1\n")
    offline.leave(page, session)
    driver.click(page, 0, 5)
    page.locator(".toast", has_text="Once more to confirm: set off a bomb.").wait_for()
    assert driver.count(page, "bombs used") == "0"
    driver.click(page, 0, 5)
    driver.counted(page, 1, "bombs used")


@pytest.mark.parametrize("page", ["desktop"], indirect=True)  # fingers press no keys
def test_keys_can_be_changed(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.get_by_role("button", name="Help").click()
    page.get_by_role("button", name="Another key for go down").click()
    page.keyboard.press("x")
    page.keyboard.press("Escape")
    page.reload()
    driver.shown(page)
    driver.keys(page, "x", moves=1)


def test_capital_letters_are_separate_keys(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards", level=2)
    keys = page.locator(".actions button[data-action='RM(0,right)'] kbd")
    page.keyboard.press(f"Shift+{keys.text_content()}")
    driver.counted(page, 1, "actions")
    trace = f"fetch('/api/sessions/{page.url.rpartition('/')[2]}/trace').then(answer => answer.json())"
    assert [step["action"] for step in page.evaluate(trace)["steps"]] == ["RM(0,right)"]


def test_random_player_is_watched(page: Any) -> None:
    driver.begin(page, pack="twenty48/standard", seed=3)
    driver.spoil(page, "Watch a program play")
    page.get_by_role("button", name="a random player").click()
    page.locator("output", has_text=re.compile("^[1-9]")).wait_for()


def test_solution_is_watched_without_a_further_question(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.spoil(page, "Watch it")
    page.locator(".player, .replay", has_text="The way to win").first.wait_for()
    assert not page.locator("dialog[open]").count()


def test_actions_by_tab_key(page: Any) -> None:
    driver.begin(page, pack="shiftit/boards")
    page.focus("[data-action='RM(0,left)']")
    page.keyboard.press("Enter")
    driver.acted(page, 1, "actions")


def test_race_is_watched_by_others(page: Any, another_browser: Any) -> None:
    driver.begin(page, pack="robots/races")
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Invite viewers")
    page.keyboard.press("Escape")
    viewer = another_browser.new_page()
    viewer.goto(link)
    driver.shown(viewer)
    assert "You watch" in viewer.locator(".sidebar").inner_text()
    page.bring_to_front()
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "hints")
    page.get_by_role("button", name="Start the race").click()
    page.locator(".overlay").wait_for()
    viewer.locator(".overlay", has_text="Fireworks").wait_for()


def test_robot_is_played_by_hand_against_a_strategy(page: Any) -> None:
    driver.begin(page, pack="robots/races")
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".players summary", has_text="Nobody plays b").click()
    page.select_option(".players [data-actor=b]", "hints")
    page.locator(".players summary", has_text="b is played by").wait_for()
    page.locator(".actions button[data-action^='a:']").first.click()
    driver.counted(page, 2)


def test_two_people_play_two_robots(page: Any, another_browser: Any) -> None:
    driver.begin(page, pack="robots/races")
    page.get_by_role("button", name="Share").click()
    link = driver.copied(page, "Invite someone to play b")
    page.keyboard.press("Escape")
    other = another_browser.new_page()
    other.goto(link)
    driver.shown(other)
    texts = driver.legal(other)
    assert texts
    assert not [text for text in texts if text.startswith("a:")]
    other.locator(f"[data-action='{texts[0]}']").click()
    driver.counted(page, 1)
    page.locator(".actions button[data-action^='a:']").first.click()
    driver.counted(other, 2)
    driver.settled(other)
    theirs = driver.board_text(other, marked=False)
    driver.until(page, lambda: driver.board_text(page, marked=False), theirs)


def test_best_counts_include_replayed_solution(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    driver.keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    page.locator(".overlay").wait_for()
    page.get_by_role("button", name="High scores").click()
    page.fill("#score-name", "Ada")
    page.get_by_role("button", name="Add my score").click()
    page.locator("dialog th", has_text="Ada").first.wait_for()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_hinted_action_is_scrolled_into_sight_in_a_list_that_shows_there_is_more(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    driver.begin(page, text="shiftit 4x4\n" + "r g r g\n" * 4)
    actions = page.locator(".actions")
    page.wait_for_selector(".actions.more-below")
    room, row = (
        page.evaluate(f"document.querySelector('.actions{inner}').clientHeight")
        for inner in ("", " > button")
    )
    assert 0.25 < (room - 3) / (row + 8) % 1 < 0.9  # a row is cut
    text = driver.hinted(page)
    edge = actions.bounding_box()
    own = page.locator(f"[data-action='{text}']").bounding_box()
    assert edge["y"] <= own["y"]
    assert own["y"] + own["height"] <= edge["y"] + edge["height"]
    actions.evaluate("list => list.scrollTo(0, list.scrollHeight)")
    page.wait_for_selector(".actions.more-above:not(.more-below)")


def test_help_says_tap_on_a_touch_screen(page: Any) -> None:
    driver.begin(page, pack="sokoban/first-steps")
    page.get_by_role("button", name="Help").click()
    word = "Tap" if page.evaluate("matchMedia('(hover: none)').matches") else "Click"
    page.locator(
        "dialog p", has_text=f"{word} where to go, drag a box to its place, or swipe to go a step."
    ).wait_for()


@by_touch
def test_hint_goes_with_its_board(page: Any) -> None:
    driver.begin(page, text="2048 2x2 spawn=spec target=8\n4 4\n0 0\n")
    page.click("[data-command=hint]")
    page.locator(".toast").wait_for()
    page.locator("#breadcrumbs a").first.click()
    page.locator(".card").first.wait_for()
    assert not page.locator(".toast").count()
