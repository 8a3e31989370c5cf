"""Tests of robots on the page: requests, hints, and players."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser import driver

pytestmark = [pytest.mark.slow, pytest.mark.long]
TWO = "robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . . A\nb ? . . B\n"
_INVITE = """async ([id, actor]) => {
  const body = JSON.stringify({ actor, plays: true });
  const headers = { "content-type": "application/json" };
  return (await (await fetch(`/api/sessions/${id}/invitations`, { method: "POST", headers, body })).json()).id;
}"""
ASKED = ".requests .request"


def _act(page: Any, action: str, requests: int) -> None:
    page.click(f".actions [data-action='{action}']")
    page.locator(ASKED).nth(requests - 1).wait_for()  # or more: strategies ask as soon as they can


@pytest.mark.clause("R19")
def test_request_log_shows_hints_of_own_robot_only(page: Any) -> None:
    driver.begin(page, text=TWO)
    assert page.locator(".requests").is_hidden()
    _act(page, "a:walk(1,0)", 1)
    _act(page, "b:walk(1,0)", 2)
    asked = page.locator(ASKED)
    asks = [f"{robot}: May I step right?\n\nYes." for robot in "ab"]
    both = [
        f"{words}\n\n{robot} is told: home is to the right" for robot, words in zip("ab", asks, strict=True)
    ]
    driver.until(page, asked.all_inner_texts, both)
    page.locator(".viewpoint button", has_text="b").click()
    page.wait_for_selector(".viewpoint button[aria-pressed=true]:text-is('b')")
    driver.until(page, asked.all_inner_texts, [asks[0], both[1]])
    page.reload()
    driver.shown(page)
    driver.press(page, "undo")
    driver.until(page, asked.count, 1)


def test_robot_is_given_to_strategy_and_taken_back(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator(".players summary").click()
    page.select_option(".players [data-actor=b]", "random")
    page.locator(".players summary", has_text="b is played by a random player").wait_for()
    _act(page, "a:walk(1,0)", 1)
    driver.until(page, page.locator(ASKED).count, 2)
    page.select_option(".players [data-actor=b]", "hand")
    page.locator(".players summary", has_text="Let a program play").wait_for()
    _act(page, "a:walk(1,0)", 3)


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_programs_of_a_phone_have_a_line_for_their_words(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator(".players summary").click()
    field = page.locator(".players .field").first.bounding_box()
    select = page.locator(".players select").first.bounding_box()
    assert select["width"] == pytest.approx(field["width"], abs=1)


def test_programs_play_the_others_until_the_player_chooses(page: Any) -> None:
    page.goto("/levels/robots/races/2")
    driver.shown(page)
    own = page.locator(".viewpoint [aria-pressed=true]")
    summary = page.locator(".players summary")
    driver.until(page, own.inner_text, "b")  # the certificate is its win
    summary.get_by_text("a is played by a blind program (weak)").wait_for()
    page.locator(".actions button").first.click()
    page.locator(ASKED).first.wait_for()  # the program may have moved, too
    driver.press(page, "undo", moves=0)
    page.locator(".viewpoint button", has_text="a").last.click()
    summary.get_by_text("b is played by a blind program (weak)").wait_for()
    page.goto("/")
    page.locator(".continue a").first.click()
    driver.shown(page)
    driver.until(page, own.inner_text, "a")
    summary.click()
    page.select_option(".players [data-actor=b]", "planner")
    page.reload()
    summary.get_by_text("b is played by a program that sees all (strong)").wait_for()
    page.get_by_role("button", name="Levels").click()
    page.locator("dialog button", has_text="20.").first.click()
    summary.get_by_text("c is played by a blind program (weak)").wait_for()
    page.locator(".viewpoint button", has_text="all").click()
    summary.get_by_text("Let a program play").wait_for()


def test_robots_change_with_the_level(page: Any) -> None:
    driver.begin(page, pack="robots/duels", level=3)
    names = page.locator(".viewpoint button")
    driver.until(page, names.all_inner_texts, ["all", "a", "b"])
    page.get_by_role("button", name="Levels").click()
    page.locator("dialog button", has_text="2.").first.click()
    driver.until(page, names.all_inner_texts, ["all", "a", "b", "c"])


def test_arrows_move_on_the_board_until_own_directions_are_chosen(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator(".viewpoint button", has_text="b").click()
    page.wait_for_selector(".viewpoint button[aria-pressed=true]:text-is('b')")
    ring = page.locator(".board .own")
    place = "element => element.style.transform"
    driver.until(page, lambda: ring.evaluate(place), "translate(0px, 100px)")
    page.locator(".stage").focus()
    page.keyboard.press("ArrowDown")
    asked = page.locator(ASKED)
    driver.until(page, asked.all_inner_texts, ["b: May I turn to face down?\n\nYes."])
    page.keyboard.press("ArrowDown")
    page.locator(
        ".latest, .toast", has_text="b: May I step down? No: it leads off the board."
    ).first.wait_for()
    page.keyboard.press("ArrowRight")
    driver.until(page, asked.count, 2)
    page.keyboard.press("ArrowRight")
    driver.until(page, lambda: ring.evaluate(place), "translate(100px, 100px)")
    page.locator(".actions button", has_text="b walks 2 cells right").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Directions").select_option("own")
    page.keyboard.press("Escape")
    page.locator(".actions button", has_text="b walks 2 cells ahead").wait_for()
    page.locator(ASKED, has_text="b: May I turn to my right?").wait_for()


def test_moves_of_a_race_are_not_counted_against_the_fewest_of_all(page: Any) -> None:
    driver.begin(page, text=TWO)
    driver.judged(page)
    page.click(".actions [data-action='b:rotate(90)']")
    page.locator(".move-list .cost").wait_for()
    page.locator(".viewpoint button", has_text="b").last.click()
    page.locator(".move-list .cost").wait_for(state="detached")


def test_loser_is_told_on_the_own_page(page: Any) -> None:
    driver.begin(page, text=TWO)
    other = _join(page)
    other.get_by_text("There are no turns: each robot may ask at any time.").wait_for()
    page.bring_to_front()
    for number in range(1, 4):
        _act(page, "a:walk(1,0)", number)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_text("a is home first: b has lost.").wait_for()
    other.bring_to_front()
    other.get_by_role("heading", name="You have lost: the winner is a.").wait_for()
    assert "home first" not in other.locator(".overlay").inner_text()  # the heading says it


def test_end_of_a_level_says_nothing_of_the_robots_of_the_next_one(page: Any) -> None:
    three = "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nc: rule=A rotation=0\nboard:\na . . . A\nb . . . B\nc . . . C\n"
    driver.begin(
        page,
        text=f"robots 5x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A . . .\nb . . . B\n\n{three}",
    )
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".players summary", has_text="Nobody plays b: choose who").wait_for()
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="The winner is a.").wait_for()
    assert page.locator(".players summary").inner_text() == "Nobody plays b: choose who"
    assert page.locator(".act").is_hidden()
    page.reload()
    page.get_by_role("heading", name="The winner is a.").wait_for()
    driver.until(page, page.locator(".players summary").inner_text, "Nobody plays b: choose who")
    assert page.locator(".viewpoint button").all_inner_texts() == ["all", "a", "b"]
    assert "c" not in page.locator(".goal").inner_text().split()
    page.get_by_role("button", name="Next level").click()
    page.locator(".goal", has_text="Robots a and c step").wait_for()
    page.locator(".players summary", has_text="Let a program play").wait_for()


PROGRAM_FIRST = (
    "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . . A\n. . . . .\nb . B . .\n"
)
SHORT_WAY = (
    "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A . . .\n. . . . .\nb . . . B\n"
)

DESKTOP = pytest.mark.parametrize("page", ["desktop"], indirect=True)
_CREDIT = "Object.keys(JSON.parse(localStorage['gridproof.solved'] ?? '{}')).length"


def _play_against_program(page: Any) -> None:
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".players summary", has_text="Nobody plays b").click()
    page.select_option(".players [data-actor=b]", "planner")
    page.locator(".players", has_text="b is played by a program that sees all").wait_for()


def test_race_that_a_program_wins_is_lost_and_counts_nothing(page: Any) -> None:
    driver.begin(page, text=f"{PROGRAM_FIRST}\n{SHORT_WAY}")
    _play_against_program(page)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()
    for _ in range(2):
        assert not page.locator(".sparks, .stars").count()
        assert page.evaluate(_CREDIT) == 0
        assert "Won" not in page.locator(".verdict").inner_text()
        assert "0 solved" in page.locator(".title").inner_text()
        assert page.get_by_role("button", name="Next level").count()
        page.reload()
        driver.shown(page)
        page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()


def test_undo_after_a_lost_race_takes_back_the_own_last_request(page: Any) -> None:
    driver.begin(page, text=f"{PROGRAM_FIRST}\n{SHORT_WAY}")
    _play_against_program(page)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()
    driver.press(page, "undo", moves=0)
    driver.counted(page, 0, "requests")
    page.locator(".title", has_text="Level 1 of 2").wait_for()


def test_loser_is_offered_another_race_and_replay_names_winner(page: Any) -> None:
    driver.begin(page, text=f"{PROGRAM_FIRST}\n{SHORT_WAY}")
    _play_against_program(page)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()
    assert page.locator(".overlay .main").all_inner_texts() == ["Race again"]
    page.locator(".overlay").get_by_role("button", name="Replay").click()
    page.locator("section", has=page.locator(".player")).get_by_text("The winner is b.").wait_for()
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".overlay").get_by_role("button", name="Race again").click()
    driver.counted(page, 0, "requests")
    page.locator(".title", has_text="Level 1 of 2").wait_for()


def test_board_of_a_win_stays_until_the_player_goes_on(page: Any) -> None:
    driver.begin(page, text=f"{SHORT_WAY}\n{PROGRAM_FIRST}")
    _play_against_program(page)
    other = page.context.new_page()
    other.goto(page.url)
    driver.shown(other)
    page.bring_to_front()
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have won!").wait_for()
    other.bring_to_front()
    other.get_by_role("button", name="Next level").click()
    other.click(".actions [data-action='a:walk(0,1)']")
    other.locator(ASKED).first.wait_for()
    page.bring_to_front()
    assert (
        page.locator(".board .fireworks").count()
        or "fireworks" in page.locator(".stage p").first.inner_text()
    )
    page.get_by_role("button", name="Next level").click()
    driver.until(page, lambda: page.locator(ASKED).first.inner_text().startswith("a: May I step down?"))


def test_click_on_a_cell_of_several_actions_asks_which(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=18)
    menu = page.get_by_role("menu", name="Which action?")
    driver.click(page, 1, 1)
    menu.wait_for()
    assert menu.get_by_role("menuitem").all_inner_texts() == ["a steps down", "c steps up"]
    assert driver.violations(page) == ""
    page.keyboard.press("Escape")
    menu.wait_for(state="detached")
    driver.click(page, 1, 1)
    menu.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    menu.wait_for(state="detached")
    driver.until(
        page, page.locator(ASKED).all_inner_texts, ["c: May I step up?\n\nYes, and a belt carries you on."]
    )


def test_robots_that_nobody_plays_are_named(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.locator(".players summary", has_text="Let a program play").wait_for()
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".players summary", has_text="Nobody plays b: choose who").click()
    page.select_option(".players [data-actor=b]", "random")
    page.locator(".players summary", has_text="b is played by a random player").wait_for()


def test_race_is_of_programs_alone(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.get_by_role("button", name="Race", exact=True).click()
    page.get_by_text("Programs play all from the start of the level, and you watch.").wait_for()
    for actor in "ab":
        options = page.locator(f"dialog [data-actor={actor}] option")
        assert "hand" not in options.evaluate_all("all => all.map(({ value }) => value)")


@DESKTOP
def test_race_of_programs_counts_nothing_for_the_player(page: Any) -> None:
    driver.begin(page, text=f"{PROGRAM_FIRST}\n{SHORT_WAY}")
    page.locator(".viewpoint button", has_text="b").last.click()
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=b]", "planner")
    page.locator("dialog").get_by_role("button", name="Start the race").click()
    for _ in range(2):
        page.get_by_role("heading", name="Fireworks! The winner is b.").wait_for()
        assert "of yours" not in page.locator(".sidebar").inner_text()
        assert not page.locator(".stars").count()
        assert not page.get_by_role("button", name="High scores").count()
        assert page.evaluate(_CREDIT) == 0
        assert "0 solved" in page.locator(".title").inner_text()
        page.reload()
        driver.shown(page)
    page.get_by_role("button", name="Play it yourself").click()
    page.locator(".title", has_text="Level 1 of 2").wait_for()


@DESKTOP
def test_last_request_of_a_win_is_counted_beside_the_board(page: Any) -> None:
    driver.begin(page, text=f"{SHORT_WAY.replace('a A .', 'a . A')}\n{PROGRAM_FIRST}")
    page.locator(".viewpoint button", has_text="a").last.click()
    page.locator(".players summary", has_text="Nobody plays b").click()
    page.select_option(".players [data-actor=b]", "planner")
    page.locator(".verdict", has_text="You can win in 2 requests if the others wait").wait_for()
    driver.judged(page)
    _act(page, "a:walk(1,0)", 2)
    page.click(".actions [data-action='a:walk(1,0)']")
    for _ in range(2):
        page.locator(".overlay .score", has_text="2 requests of yours, 3 in all").wait_for()
        assert driver.count(page, "requests") == "2 of yours, 3 in all"
        page.reload()
        driver.shown(page)
    page.goto("/statistics")
    row = page.locator("tbody tr", has_text="Robots")
    row.wait_for()
    assert row.locator("td").nth(3).inner_text() == "0"  # compared with the fewest of a alone


def _places(page: Any) -> list[Any]:
    return [
        page.locator(one).evaluate("(one) => one.getBoundingClientRect().top")
        for one in (".goal", ".viewpoint", ".tools", ".act")
    ]


@DESKTOP
def test_race_says_who_plays_and_moves_no_button(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/levels/robots/races/2")
    driver.shown(page)
    page.get_by_text("You play b, as this level suggests. No request yet.").wait_for()
    driver.judged(page)
    before = _places(page)
    assert (
        page.evaluate(
            "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.actions'))"
        )
        <= 1
    )
    _act(page, "b:walk(1,0)", 1)
    driver.until(
        page, lambda: "passes" in page.locator(".latest").inner_text() or page.locator(ASKED).count() > 1
    )
    assert _places(page) == before
    driver.press(page, "undo", moves=0)
    assert _places(page) == before
    page.get_by_role("button", name="Race", exact=True).click()
    page.select_option("dialog [data-actor=a]", "planner")
    page.select_option("dialog [data-actor=b]", "random")
    page.get_by_role("button", name="Start the race").click()
    race = "Race: a is played by a program that sees all (strong), b is played by a random player (weakest)"
    page.locator(".players summary", has_text=race).wait_for()
    page.get_by_role("heading", name="Fireworks!").wait_for()
    page.locator(".players summary", has_text=race).wait_for()


def test_default_robot_changes_with_the_level_until_the_player_chooses(page: Any) -> None:
    page.goto("/levels/robots/races/2")
    driver.shown(page)
    own, summary = page.locator(".viewpoint [aria-pressed=true]"), page.locator(".players summary")

    def choose(level: int) -> None:
        page.get_by_role("button", name="Levels").click()
        page.locator("dialog button", has_text=f"{level}.").first.click()

    driver.until(page, own.inner_text, "b")
    choose(4)
    driver.until(page, own.inner_text, "a")  # which wins by the certificate of this level
    summary.get_by_text("b and c are played by a blind program (weak)").wait_for()
    page.reload()
    driver.shown(page)
    driver.until(page, own.inner_text, "a")
    page.locator(".viewpoint button", has_text="b").click()
    summary.get_by_text("a and c are played by a blind program (weak)").wait_for()
    choose(1)
    page.locator(".title", has_text="Level 1 of").wait_for()
    summary.get_by_text("a is played by a blind program (weak)").wait_for()
    assert own.inner_text() == "b"


def test_default_robot_of_the_next_level_waits_for_the_end_of_the_won_one(page: Any) -> None:
    page.goto("/levels/robots/races/1")
    driver.shown(page)
    summary = page.locator(".players summary", has_text="b is played by a blind program (weak)")
    summary.wait_for()
    _act(page, "a:walk(1,0)", 2)
    page.click(".actions [data-action='a:walk(0,1)']")
    page.get_by_role("heading", name="You have won!").wait_for()
    assert page.locator(".viewpoint [aria-pressed=true]").inner_text() == "a"
    page.reload()
    page.get_by_role("heading", name="You have won!").wait_for()
    page.get_by_role("button", name="Next level").click()
    page.wait_for_selector(".viewpoint button[aria-pressed=true]:text-is('b')")
    page.locator(".players summary", has_text="a is played by a blind program (weak)").wait_for()


def test_robot_of_another_tab_is_not_given_to_a_program(page: Any) -> None:
    page.goto("/levels/robots/races/2")
    driver.shown(page)
    driver.until(page, page.locator(".viewpoint [aria-pressed=true]").inner_text, "b")
    other = page.context.new_page()
    other.goto(page.url)
    driver.shown(other)
    other.locator(".viewpoint button", has_text="a").last.click()
    for tab in (other, page):
        tab.bring_to_front()
        tab.locator(".players summary", has_text="Let a program play").wait_for()
        assert not tab.locator(".toast").count()
    page.locator(".players summary").click()
    page.select_option(".players [data-actor=a]", "random")
    page.locator(".toast", has_text="a is played on another page.").wait_for()
    assert page.locator(".players [data-actor=a]").input_value() == "hand"


def test_refused_request_is_kept_beside_the_board(page: Any) -> None:
    driver.begin(page, text=TWO)
    page.get_by_text("No request yet.").wait_for()
    page.locator(".stage").focus()
    page.keyboard.press("ArrowUp")
    page.locator(".latest", has_text="a: May I step up? No: it leads off the board.").wait_for()
    page.locator(".requests .refused-request .answer", has_text="No: it leads off the board.").wait_for()
    _act(page, "a:walk(1,0)", 1)
    page.locator(".latest", has_text="a: May I step right? Yes. a is told: home is to the right").wait_for()


def test_latest_answer_is_shown_once_on_a_wide_screen(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    driver.begin(page, text=TWO)
    page.get_by_text("No request yet.").wait_for()
    page.locator(".stage").focus()
    page.keyboard.press("ArrowUp")
    page.locator(".requests .answer", has_text="No: it leads off the board.").wait_for()
    assert not page.locator(".latest").is_visible()
    assert not page.locator(".toast").count()


@DESKTOP
def test_first_request_moves_no_button_on_a_wide_screen(page: Any) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    driver.begin(page, text=TWO)
    page.get_by_text("No request yet.").wait_for()
    before = _places(page)
    _act(page, "b:walk(1,0)", 1)
    assert _places(page) == before


@DESKTOP
def test_button_that_appears_under_the_mouse_previews_nothing_before_it_moves(page: Any) -> None:
    driver.begin(page, text=TWO)
    button, hinted = page.locator(".actions [data-action='a:walk(1,0)']"), page.locator(".marks.hinted")
    button.dispatch_event("pointerenter")
    assert not hinted.count()
    button.dispatch_event("pointermove")
    assert hinted.count() == 1
    button.dispatch_event("pointerleave")
    assert not hinted.count()


def test_keys_move_the_chosen_robot(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=18)
    driver.click(page, 3, 3)
    page.locator(".key-actors button[aria-pressed=true]:text-is('c')").wait_for(state="attached")
    assert not page.locator(".toast, .log .refusal").count()
    page.locator(".stage").focus()
    page.keyboard.press("ArrowLeft")
    driver.until(page, lambda: page.locator(ASKED).all_inner_texts()[:1] != [])
    assert page.locator(ASKED).first.inner_text().startswith("c: May I step left?")
    place = "element => element.style.transform"
    driver.until(page, lambda: page.locator(".board .own").evaluate(place), "translate(200px, 300px)")
    page.keyboard.press("b")
    page.locator(".key-actors button[aria-pressed=true]:text-is('b')").wait_for(state="attached")
    page.get_by_role("button", name="Help").click()
    rows = page.locator("dialog table th[scope=row]").all_inner_texts()
    assert {"b turns to face right", "b turns to face up", "a steps left"} & {*rows}
    assert not any("to its" in row or "ahead" in row or "back" in row for row in rows if row[1:2] == " ")


def test_ring_shows_whom_keys_and_swipes_move_before_a_choice(page: Any) -> None:
    driver.begin(page, text=TWO)
    ring = page.locator(".board .own")
    place = "(ring) => ring.style.display === 'none' ? '' : ring.style.transform"
    driver.until(page, lambda: ring.evaluate(place), "translate(0px, 0px)")
    _act(page, "b:walk(1,0)", 1)
    driver.until(page, lambda: ring.evaluate(place), "translate(0px, 0px)")
    _act(page, "a:walk(1,0)", 2)
    driver.until(page, lambda: ring.evaluate(place), "translate(100px, 0px)")


def test_click_beside_the_chosen_robot_turns_it(page: Any) -> None:
    driver.begin(page, pack="robots/races", level=5)
    driver.click(page, 4, 0)  # chooses b, which looks up
    driver.click(page, 5, 0)
    page.locator(".latest", has_text="b: May I turn to face right? Yes.").wait_for()
    driver.click(page, 5, 0)
    page.locator(".latest", has_text="b: May I step right? Yes.").wait_for()


def test_robot_moved_on_the_board_gets_the_keys(page: Any) -> None:
    driver.begin(page, text=THREE)
    driver.click(page, 1, 1)
    page.locator(".latest", has_text="b: May I step right? Yes.").wait_for()
    page.locator(".key-actors button[aria-pressed=true]:text-is('b')").wait_for(state="attached")
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    driver.until(page, page.locator(ASKED).count, 2)
    assert page.locator(ASKED).last.inner_text().startswith("b: May I step right?")


def test_lost_race_of_the_last_level_is_played_again(page: Any) -> None:
    driver.begin(page, text=PROGRAM_FIRST)
    _play_against_program(page)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()
    page.locator(".verdict", has_text="Lost").wait_for()
    page.get_by_role("button", name="Race again").click()
    driver.counted(page, 0)


THREE = "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nc: rule=A rotation=0\nboard:\na . . . A\nb . . . B\nc . . . C\n"


def _join(page: Any, actor: str = "b") -> Any:
    """Return the page of a guest who plays an actor."""
    address = page.evaluate(_INVITE, [page.url.rpartition("/")[2], actor])
    guest = page.context.new_page()
    guest.goto(f"/play/{address}")
    driver.shown(guest)
    return guest


def test_robot_of_a_guest_is_offered_to_the_guest_alone(page: Any) -> None:
    driver.begin(page, text=THREE)
    own = page.locator(".actions [data-action^='b:']")
    assert own.count()
    guest = _join(page)
    page.bring_to_front()
    page.locator(".players summary", has_text="Another person plays b").wait_for()
    driver.until(page, page.locator(".viewpoint button").all_inner_texts, ["all", "a", "c"])
    assert not own.count()
    assert not page.get_by_role("button", name="Race", exact=True).count()  # a guest plays for itself
    guest.bring_to_front()
    guest.locator(".players", has_text="Another person plays a and c").wait_for()
    _act(guest, "b:walk(1,0)", 1)
    page.bring_to_front()
    page.locator(".viewpoint button", has_text="a").last.click()
    guest.bring_to_front()
    guest.locator(".players", has_text="Another person plays a, nobody plays c").wait_for()
    guest.close()
    page.bring_to_front()
    driver.until(page, page.locator(".viewpoint button").all_inner_texts, ["all", "a", "b", "c"])


def test_guest_who_leaves_leaves_the_player_the_own_robot(page: Any) -> None:
    page.goto("/levels/robots/races/4")
    driver.shown(page)
    page.locator(".viewpoint [aria-pressed=true]:text-is('a')").wait_for()
    guest = _join(page, "a")
    page.bring_to_front()
    page.locator(".viewpoint [aria-pressed=true]:text-is('b')").wait_for()
    page.locator(".players", has_text="Another person plays a").wait_for()
    guest.close()
    page.locator(".toast", has_text="The person who played a has left. Nobody plays a now").wait_for()
    page.locator(".players", has_text="obody plays a").wait_for()
    assert page.locator(".viewpoint [aria-pressed=true]").inner_text() == "b"
    _join(page, "a")
    page.bring_to_front()
    page.locator(".toast", has_text="Another person plays a now.").wait_for()
    assert page.locator(".viewpoint [aria-pressed=true]").inner_text() == "b"


def test_undo_leaves_the_last_request_of_a_guest(page: Any) -> None:
    driver.begin(page, text=f"{TWO}\n{TWO}")
    guest = _join(page)
    _act(guest, "b:walk(1,0)", 1)
    page.bring_to_front()
    page.locator(
        "[data-command=undo][title='Another person plays b, who has acted since.']:disabled"
    ).wait_for()


@DESKTOP
def test_guest_is_told_who_can_undo(page: Any) -> None:
    driver.begin(page, text=f"{TWO}\n{TWO}")
    guest = _join(page)
    _act(guest, "b:walk(1,0)", 1)
    guest.get_by_text("Only the owner of the game can undo.").wait_for()
    assert not page.get_by_text("Only the owner of the game can undo.").count()


def test_guest_hears_of_an_undo_and_the_owner_of_the_next_level(page: Any) -> None:
    driver.begin(page, text=f"{TWO}\n{TWO}")
    guest = _join(page)
    page.bring_to_front()
    _act(page, "a:walk(1,0)", 1)
    page.get_by_role("button", name="Undo").click()
    page.locator(".toast", has_text="a has taken the last move back.").wait_for()
    guest.bring_to_front()
    guest.locator(".toast", has_text="a has taken the last move back.").wait_for()
    guest.click(".actions [data-action='b:walk(3,0)']")
    guest.click(".actions [data-action='b:walk(1,0)']")
    guest.get_by_role("heading", name="You have won!").wait_for()
    page.bring_to_front()
    page.get_by_role("heading", name="You have lost: the winner is b.").wait_for()
    guest.bring_to_front()
    guest.get_by_role("button", name="Next level").click()
    page.bring_to_front()
    page.locator(".result .notice", has_text="b has gone on to level 2.").wait_for()
    page.get_by_role("button", name="Next level").click()
    driver.counted(page, 0)


def test_turn_is_drawn_among_the_next_three_moves(page: Any) -> None:
    page.goto("/levels/robots/races/3")
    driver.shown(page)
    driver.spoil(page, "The next three moves")
    page.mouse.move(0, 0)
    numbers = page.locator(".preview .step text")
    driver.until(page, lambda: sorted(numbers.all_text_contents()), ["1", "2", "3"])
    assert page.locator(".preview .piece").count() == 1  # the robot as it looks after the turn


@DESKTOP
def test_end_of_a_race_is_the_same_after_a_reload_and_can_be_begun_again(page: Any) -> None:
    driver.begin(page, text=f"{SHORT_WAY.replace('a A .', 'a . A')}\n{PROGRAM_FIRST}")
    _play_against_program(page)
    page.locator(".verdict", has_text="You can win in 2 requests").wait_for()
    driver.judged(page)
    page.click(".actions [data-action='a:walk(1,0)']")
    page.locator(ASKED).nth(1).wait_for()
    page.click(".actions [data-action='a:walk(1,0)']")
    page.get_by_role("heading", name="You have won!").wait_for()
    page.locator(".score", has_text="the fewest alone is").wait_for()
    shown = [page.locator(one).inner_text() for one in (".score", ".goal", ".viewpoint", ".players summary")]
    page.reload()
    driver.shown(page)
    page.get_by_role("heading", name="You have won!").wait_for()
    again = [page.locator(one).inner_text() for one in (".score", ".goal", ".viewpoint", ".players summary")]
    assert again == shown
    assert page.locator(".score .stars .won").count() == 3
    page.click("[data-command=restart]")
    driver.counted(page, 0, "requests")
    page.locator(".title", has_text="Level 1 of 2").wait_for()


@DESKTOP
def test_preview_of_a_win_frames_no_loser(page: Any) -> None:
    driver.begin(
        page, text="robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb B . .\n"
    )
    page.mouse.move(*driver.cell(page, 1, 1))
    page.locator(".preview circle").first.wait_for()
    assert not page.locator(".preview rect").count()


def test_request_waits_while_a_program_thinks(page: Any) -> None:
    held: list[Any] = []

    def hold(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: held.append(text) if '"news","job"' in text else socket.send(text))
        page.let_go = lambda: socket.send(held.pop(0))

    page.route_web_socket("**", hold)
    driver.begin(page, text=TWO)
    page.locator(".players summary").click()
    page.select_option(".players [data-actor=b]", "random")
    page.locator(".players summary", has_text="b is played by a random player").wait_for()
    _act(page, "a:walk(1,0)", 1)
    page.locator(".co-players .latest", has_text="b thinks …").wait_for()
    page.click(".actions [data-action='a:walk(1,0)']")
    page.locator(".toast", has_text="b thinks. Your latest request follows.").wait_for()
    driver.until(page, lambda: len(held))
    assert page.locator(ASKED).count() == 1
    page.let_go()
    page.locator(ASKED).nth(2).wait_for()
    assert page.locator(ASKED, has_text="a: May I step right?").count() == 2


def test_sheet_of_a_win_is_wholly_in_sight_in_a_low_window(page: Any) -> None:
    page.set_viewport_size({"width": 1024, "height": 600})
    driver.begin(page, text=f"{TWO}\n{TWO}")
    page.click(".actions [data-action='b:walk(3,0)']")
    page.click(".actions [data-action='b:walk(1,0)']")
    page.locator(".overlay .main").wait_for()
    sheet, column = (
        page.locator(one).evaluate("(part) => part.getBoundingClientRect().bottom")
        for one in (".overlay", ".sidebar")
    )
    assert sheet <= column + 24  # the sheet rises by so much


def test_message_of_a_level_covers_buttons_for_a_while_only(page: Any) -> None:
    page.clock.install()
    page.set_viewport_size({"width": 1024, "height": 700})
    driver.begin(page, text=f"{TWO}\n{TWO}")
    page.click(".actions [data-action='b:walk(3,0)']")
    page.click(".actions [data-action='b:walk(1,0)']")
    page.get_by_role("button", name="Next level").click()
    messages = page.locator(".panel.messages", has_text="Level 2 of 2")
    position = "(panel) => getComputedStyle(panel).position"
    driver.until(page, lambda: messages.evaluate(position), "sticky")
    page.clock.fast_forward(10_000)
    driver.until(page, lambda: messages.evaluate(position), "static")
