"""Tests of the rules page and of lessons, which are played by the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser import driver

from gridproof.core.lesson import lesson_of
from gridproof.core.registry import game

pytestmark = [pytest.mark.slow, pytest.mark.long]
KEYS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "bomb": "b"}


def learn(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".learn .stage .piece")


def test_directions_stand_in_the_same_order_as_in_a_game(page: Any) -> None:
    orders = []
    learn(page, "/learn/sokoban/2")
    orders.append(
        page.locator(".actions button").evaluate_all("all => all.map(({ dataset }) => dataset.action)")
    )
    driver.begin(page, text="#####\n#   #\n# @ #\n#$. #\n#   #\n#####\n")
    orders.append(
        page.locator(".actions button").evaluate_all("all => all.map(({ dataset }) => dataset.action)")
    )
    assert orders[0] == orders[1] == ["left", "right", "up", "down"]


def test_impossible_directions_keep_their_places(page: Any) -> None:
    learn(page, "/learn/sokoban/2")
    listed = page.locator(".actions > *")
    before = listed.all_text_contents()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.locator(".actions .impossible", has_text="go left").wait_for()
    assert listed.all_text_contents() == before


def test_wait_that_changes_nothing_is_listed_last(page: Any) -> None:
    learn(page, "/learn/robots/2")
    assert page.locator(".actions button").last.get_attribute("data-action") == "b:rotate(0)"


RING = "(ring) => ring.style.display === 'none' ? '' : ring.style.transform"


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_key_chooses_one_of_several_robots(page: Any) -> None:
    learn(page, "/learn/robots/7")
    page.locator(".key-actors button[aria-pressed=true]:text-is('a')").wait_for()
    page.keyboard.press("b")
    page.locator(".key-actors button[aria-pressed=true]:text-is('b')").wait_for()
    page.locator(".actions [data-action='b:rotate(0)'] kbd", has_text="0").wait_for()
    page.keyboard.press("0")
    page.wait_for_selector(".learn[data-done='1']")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_first_tap_on_another_robot_chooses_it(page: Any) -> None:
    learn(page, "/learn/robots/7")
    ring, answer = page.locator(".board .own"), page.locator(".answer")
    driver.until(page, lambda: ring.evaluate(RING), "translate(200px, 0px)")
    driver.tap(page, 0, 0)
    driver.until(page, lambda: ring.evaluate(RING), "translate(0px, 0px)")
    assert not answer.inner_text()
    driver.swipe(page, (1, 2), (2, 2))  # on empty floor
    page.wait_for_selector(".learn[data-done='1']")
    driver.until(page, lambda: ring.evaluate(RING), "translate(100px, 0px)")
    driver.tap(page, 1, 0)
    page.wait_for_selector(".learn[data-done='2']")
    page.locator(".actions [data-action='b:walk(1,0)']", has_text="b steps down").wait_for(state="detached")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_tap_on_a_circle_chooses_its_robot(page: Any) -> None:
    learn(page, "/learn/robots/1")
    ring = page.locator(".board .own")
    driver.until(page, lambda: ring.evaluate(RING), "translate(0px, 0px)")
    learn(page, "/learn/robots/7")
    driver.tap(page, 0, 0)
    driver.until(page, lambda: ring.evaluate(RING), "translate(0px, 0px)")
    driver.tap(page, 2, 1)
    page.wait_for_selector(".learn[data-done='1']")
    driver.until(page, lambda: ring.evaluate(RING), "translate(200px, 100px)")


@pytest.mark.parametrize("step", [1, 5])
def test_praise_moves_no_button(page: Any, step: int) -> None:
    learn(page, f"/learn/robots/{step}")
    row = page.locator(".lesson .row")
    before = row.bounding_box()
    page.get_by_role("button", name="Show me").click()
    page.wait_for_selector(".answer.done")
    assert row.bounding_box() == before


@pytest.mark.long
def test_lesson_is_played_to_its_end_by_keyboard(page: Any) -> None:
    lesson = lesson_of(game("sokoban"))
    assert lesson
    learn(page, "/learn/sokoban")
    for number, step in enumerate(lesson.steps, 1):
        page.locator(".lesson h1", has_text=step.task).wait_for()
        page.wait_for_selector(".learn .stage .piece")
        for done, action in enumerate(step.solution, 1):
            for _ in range(1 + (action == "bomb")):  # the first press asks
                page.keyboard.press(KEYS[action])
            page.wait_for_selector(f".learn[data-done='{done}']")
        page.locator(".answer.done", has_text=step.praise.split(" On a keyboard")[0]).wait_for()
        assert page.locator(".lesson-steps .done").count() == number
        page.keyboard.press("Enter")
    page.wait_for_selector(".levels .card")
    page.goto("/rules/sokoban")
    page.get_by_role("link", name="Play the lesson again").first.wait_for()


@pytest.mark.long
def test_wrong_move_is_answered_and_taken_back(page: Any) -> None:
    learn(page, "/learn/sokoban/6")
    for _ in range(2):
        page.keyboard.press("b")
    page.locator(".answer.lost", has_text="Take the move back").wait_for()
    assert not driver.violations(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".learn[data-done='0']")
    page.locator(".stage").focus()
    page.keyboard.press("ArrowUp")
    page.locator(".answer.refused", has_text="A wall is in").wait_for()


def test_address_of_no_step_leads_to_the_next_one(page: Any) -> None:
    learn(page, "/learn/robots/99")
    page.locator(".lesson-steps [aria-current]", has_text="1").wait_for()


@pytest.mark.long
def test_solution_is_shown(page: Any) -> None:
    learn(page, "/learn/robots/2")
    page.get_by_role("button", name="Show me").click()
    page.locator(".answer.done").wait_for()


@pytest.mark.long
def test_other_robots_explode_at_the_end_of_a_step(page: Any) -> None:
    learn(page, "/learn/robots/1")
    page.get_by_role("button", name="Show me").click()
    page.locator(".answer.done").wait_for()
    words = page.locator(".stage .visually-hidden")
    driver.until(page, lambda: "robot b has exploded" in words.inner_text())
    assert "comes here" not in words.inner_text()
    assert not page.locator(".marks > *").count()


@pytest.mark.long
def test_count_on_the_board_leads_to_its_rule_and_back(page: Any) -> None:
    driver.begin(page, pack="sokoban/bombs")
    address = page.url
    page.get_by_role("link", name="bombs left: the rule").click()
    page.wait_for_selector("#bombs.pointed .piece")
    assert not driver.violations(page)
    page.get_by_role("link", name="Back to your game").click()
    driver.shown(page)
    assert page.url == address


def test_rules_pause_and_rest_without_motion(page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/rules/twenty48")
    page.get_by_role("button", name="Play the pictures").click()
    page.locator(".caption", has_text=re.compile("1 of")).first.wait_for()
    page.get_by_role("button", name="Pause the pictures").click()
    page.get_by_role("button", name="Play the pictures").wait_for()


def test_button_and_tap_of_a_bomb_ask_in_a_lesson(page: Any) -> None:
    learn(page, "/learn/sokoban/5")
    bomb = page.locator(".actions [data-action=bomb]")
    driver.keys(page, "ArrowLeft")
    page.locator(".answer.refused", has_text=".").wait_for()
    bomb.click()
    page.locator(".toast", has_text="Once more to confirm: set off a bomb.").wait_for()
    page.locator(".preview rect").first.wait_for()
    assert not page.locator(".answer").inner_text()  # the wall was before
    page.wait_for_selector(".learn[data-done='0']")
    driver.click(page, 0, 5)
    page.wait_for_selector(".learn[data-done='1']")
    page.locator(".toast").wait_for(state="detached", timeout=1000)  # it would go by itself after 4 s
    page.wait_for_selector(".learn .next:disabled")
    driver.keys(page, "ArrowRight", "ArrowRight")
    page.locator(".learn .next:enabled").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("lesson", ["sokoban/1", "twenty48/6"])
def test_board_stays_in_its_place_when_a_step_is_done(page: Any, lesson: str) -> None:
    learn(page, f"/learn/{lesson}")
    top = "document.querySelector('.learn .board').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("This step is done.").wait_for()
    assert page.evaluate(top) == pytest.approx(before, abs=1)


@pytest.mark.parametrize(
    ("lesson", "start", "end"), [("twenty48/1", (1, 1), (0, 1)), ("shiftit/1", (0, 2), (1, 2))]
)
@pytest.mark.parametrize("hold", [0, 0.4], ids=["swipe", "drag"])
@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_swipes_and_drags_play_a_lesson(
    page: Any, lesson: str, start: tuple[int, int], end: tuple[int, int], hold: float
) -> None:
    learn(page, f"/learn/{lesson}")
    driver.swipe(page, start, end, hold)
    page.wait_for_selector(".learn[data-done='1']")


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_phone_shows_the_directions_of_a_lesson_that_says_how_to_move(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    learn(page, "/learn/twenty48/1")
    assert page.locator(".lesson h1").inner_text().endswith(": swipe.")  # fingers press no keys
    box = page.locator(".actions > *").last.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("page", ["phone"], indirect=True)
@pytest.mark.parametrize(("game", "step"), [("sokoban", 5), ("robots", 5), ("shiftit", 1), ("twenty48", 5)])
def test_buttons_of_a_lesson_are_in_sight_on_a_phone_below_the_board(page: Any, game: str, step: int) -> None:
    page.goto(f"/learn/{game}/{step}")
    driver.shown(page)
    actions = page.locator(".actions button").first
    actions.wait_for()
    button, stage = actions.bounding_box(), page.locator(".stage").bounding_box()
    assert stage["y"] + stage["height"] <= button["y"]
    assert button["y"] + button["height"] <= page.viewport_size["height"]


@pytest.mark.parametrize("page", ["phone"], indirect=True)
@pytest.mark.parametrize("step", [5, 6])
@pytest.mark.parametrize("size", [(390, 844), (360, 740), (360, 640)])
def test_bomb_of_a_lesson_is_in_sight_on_a_phone(page: Any, step: int, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/learn/sokoban/{step}")
    driver.shown(page)
    page.locator(".actions button", has_text="set off a bomb").wait_for()
    height = page.locator(".actions").evaluate("actions => [actions.scrollHeight, actions.clientHeight]")
    assert height[0] == height[1]


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_panel_of_a_lesson_stays_in_its_place_between_steps(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    places = set()
    for step in (1, 2):
        learn(page, f"/learn/sokoban/{step}")
        places.add(page.locator(".sidebar").bounding_box()["x"])
    assert len(places) == 1


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_buttons_of_the_last_step_stand_in_one_row_as_before(page: Any) -> None:
    heights = []
    for step in (6, 7):
        learn(page, f"/learn/twenty48/{step}")
        page.locator(f"[aria-current=step]:text-is('{step}')").wait_for()
        box = page.locator(".lesson .row").bounding_box()
        assert box
        heights.append(box["height"])
    assert heights[0] == heights[1]


@pytest.mark.parametrize("page", ["phone"], indirect=True)
@pytest.mark.parametrize("name", ["sokoban", "twenty48", "shiftit", "robots"])
def test_texts_for_fingers_name_no_keys(page: Any, name: str) -> None:
    lesson = lesson_of(game(name))
    assert lesson
    texts = [game(name).look.gestures, *lesson.play, *(one.text for one in lesson.examples)]
    texts += [text for step in lesson.steps for text in (step.task, step.praise, step.lost)]
    page.goto("/")
    words = "texts => import('/static/words.js').then(({ deviceWords }) => texts.map(deviceWords))"
    for text in page.evaluate(words, texts):
        assert not re.search(r"\b(keys?|keyboard|click|arrow keys?|Enter|mouse)\b", text, re.IGNORECASE), text


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_praise_on_a_phone_names_no_key(page: Any) -> None:
    steps = lesson_of(game("sokoban")).steps  # type: ignore[union-attr]  # it has a lesson
    number = next(place for place, step in enumerate(steps, 1) if "keyboard" in step.praise)
    learn(page, f"/learn/sokoban/{number}")
    page.get_by_role("button", name="Show me").click()
    page.locator(".answer.done").wait_for()
    assert "key" not in page.locator(".answer").inner_text()


@pytest.mark.parametrize("page", ["desktop"], indirect=True)
def test_praise_of_three_lines_stands_apart_from_the_buttons(page: Any) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    learn(page, "/learn/sokoban/5")
    page.get_by_role("button", name="Show me").click()
    page.locator(".answer.done").wait_for()
    bottom = page.locator(".answer").evaluate(
        "(one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect().bottom; }"
    )
    assert page.locator(".lesson .next").bounding_box()["y"] - bottom >= 12
