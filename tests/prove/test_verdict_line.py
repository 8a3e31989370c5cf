"""Tests of the verdict as one line, and of its reason in sentences."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

import pytest

import gridproof as gp
from gridproof.core.trace import Step
from gridproof.prove.estimate import Estimate, Prospect, format_chance, format_points
from gridproof.prove.position_status import Badge, DeathTime, Note, Standing, StatusQuery, prove, verdicts
from gridproof.prove.verdict_line import YOU, explain_death, spoken_word, verdict_detail, verdict_line

SOKOBAN_LEVEL, SHIFTIT_LEVEL, TWENTY48_LEVEL = (
    gp.levels_at(name)[0] for name in ("sokoban/first-steps", "shiftit/boards", "twenty48/standard")
)
SOKOBAN, TWENTY48 = SOKOBAN_LEVEL.game, TWENTY48_LEVEL.game
STEP = Step(gp.levels_at("sokoban/first-steps")[0].start().actions()[0])


def winnable(count: int, least: int = 0) -> Badge:
    return Badge(Standing.WINNABLE, (STEP,) * count, least)


def dead(since: DeathTime | None = None, **more: object) -> Badge:
    return Badge(Standing.DEAD, since=since, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("badge", "line"),
    [
        (winnable(12, 12), "Winnable in 12 moves at best (proved)"),
        (winnable(1, 1), "Winnable in 1 move at best (proved)"),
        (winnable(30), "Winnable in 30 moves or fewer"),
        (winnable(0), "Won"),
        (Badge(), ""),
        (Badge(complete=True), "Unknown whether it can be won"),
        (dead(), "Dead"),
        (dead(DeathTime(16, 17)), "Dead since move 17"),
        (dead(DeathTime(-1, 0)), "Dead from the start"),
        (dead(DeathTime(-1, 5)), "Dead since move 5 or before"),
        (dead(DeathTime(2, 8)), "Dead since one of the moves 3 to 8"),
    ],
)
def test_verdict_line_has_the_words_that_a_person_says(badge: Badge, line: str) -> None:
    assert verdict_line(badge, SOKOBAN_LEVEL) == line


def test_spoken_word_is_that_of_the_level() -> None:
    levels = SOKOBAN_LEVEL, SHIFTIT_LEVEL, TWENTY48_LEVEL, gp.level("sokoban/bombs/1")
    assert [*map(spoken_word, levels)] == ["moves", "shifts", "moves", "moves"]
    assert verdict_line(winnable(2, 2), SHIFTIT_LEVEL) == "Winnable in 2 shifts at best (proved)"


def test_board_that_is_won_and_over_is_won() -> None:
    start = gp.read("2048 2x2 target=16\n2 4\n8 16\n")[0].start()
    assert verdict_line(prove(start), TWENTY48_LEVEL) == "Won"


def test_estimate_is_called_an_estimate() -> None:
    here = Prospect(0.868, 20_480.4)
    badge = Badge(estimate=Estimate("reach 2048", (("up", here), ("left", here)), 50, "a program"))
    points = "Expected: about 20,000 more points by the end of the game."
    assert verdict_line(badge, TWENTY48_LEVEL) == "Chance to reach 2048: about 85 %"
    assert verdict_detail(badge) == f"{points} From 100 games by a program."
    assert verdict_detail(replace(badge, notes=(Note("tile 8: a chance of 99.99 %"),))) == verdict_detail(
        badge
    )
    exact = Badge(estimate=Estimate("reach 64", (("up", here),), player="the best play"))
    assert verdict_line(exact, TWENTY48_LEVEL) == "Chance to reach 64: 87 %"
    average = points.replace("Expected: about", "On average")
    assert verdict_detail(exact) == f"{average} Exact, with the best play."
    lost = dead(DeathTime(6, 7), estimate=badge.estimate)
    assert verdict_line(lost, TWENTY48_LEVEL) == "The target is out of reach since move 7"
    assert verdict_detail(lost) == ""


@pytest.mark.parametrize(
    ("chance", "games", "text"),
    [
        (0.5, 50, "about 50 %"), (0.56, 50, "about 60 %"), (0.56, 300, "about 55 %"), (0.7, 8, "about 80 %"), (0.52, 200, "about 50 %"), (0.54, 200, "about 55 %"),
        (0.02, 200, "under 5 %"), (0.97, 200, "over 95 %"), (0.0, 50, "under 2 %"), (1.0, 50, "over 98 %"), (0.0, 0, "0 %"), (1.0, 0, "100 %"),
        (0.999999, 0, "99.99 %"), (1e-9, 0, "0.01 %"),
        (0.1, 0, "10 %"), (0.09, 0, "9 %"), (0.0051, 0, "0.51 %"), (0.9951, 0, "99.51 %"),
    ],
)  # fmt: skip
def test_format_chance_never_claims_certainty_without_proof(chance: float, games: int, text: str) -> None:
    assert format_chance(Prospect(chance, 0), games) == text


@pytest.mark.parametrize(
    ("chance", "games", "text"),
    [(1.0, 50, "90 to 100 %"), (0.9, 50, "75 to 100 %"), (0.5, 50, "35 to 65 %"), (0.0, 50, "0 to 10 %"), (0.5, 96, "40 to 60 %")],
)  # fmt: skip
def test_format_chance_of_a_first_estimate_is_a_range(chance: float, games: int, text: str) -> None:
    assert format_chance(Prospect(chance, 0), games, is_first=True) == text
    assert format_chance(Prospect(1.0, 0, is_proved=True), games, is_first=True) == "100 %"


def test_estimate_of_few_games_says_that_it_is_not_settled() -> None:
    likely, sure = Prospect(0.95, 1200), Prospect(1.0, 1200, is_proved=True)
    estimate = Estimate("reach 512", (("up", likely),), 50, "a program", is_first=True)
    badge = Badge(estimate=estimate)
    assert verdict_line(badge, TWENTY48_LEVEL) == "Chance to reach 512: 80 to 100 % so far"
    assert verdict_detail(badge) == (
        "Still being estimated. Expected: about 1,200 more points by the end of the game. From 50 games by a program."
    )
    stopped = replace(badge, complete=True)  # no estimate follows
    assert verdict_line(stopped, TWENTY48_LEVEL) == "Chance to reach 512: 80 to 100 %"
    proved = Badge(estimate=replace(estimate, actions=(("up", sure),)))
    assert verdict_line(proved, TWENTY48_LEVEL) == "Chance to reach 512: 100 %"
    assert verdict_detail(proved).startswith("Expected: about 1,200 more points")
    won = Badge(estimate=replace(estimate, points_lead=True))
    assert verdict_line(won, TWENTY48_LEVEL) == "About 1,200 more points by the end so far"


def test_format_points_has_two_digits() -> None:
    assert [format_points(Prospect(0, points)) for points in (0, 7.6, 68, 1434.2, 35_830.9)] == [
        "0", "8", "68", "1,400", "36,000",
    ]  # fmt: skip


def test_format_points_has_fewer_digits_if_their_error_is_large() -> None:
    assert [format_points(Prospect(0, 35_830.9, points_error=error)) for error in (900, 2200, 6000)] == [
        "36,000", "35,000", "40,000",
    ]  # fmt: skip


def test_random_game_without_an_estimate_is_winnable_with_luck() -> None:
    assert verdict_line(winnable(6), TWENTY48_LEVEL) == ""
    assert verdict_line(replace(winnable(6), complete=True), TWENTY48_LEVEL) == "Winnable with luck"
    assert verdict_line(Badge(complete=True), TWENTY48_LEVEL) == ""


def test_bound_of_a_chance_stands_in_the_line() -> None:
    here = Prospect(0.0, 100)
    badge = Badge(estimate=Estimate("reach 512", (("up", here),), 50, "a program"))
    assert verdict_line(badge, TWENTY48_LEVEL) == "Chance to reach 512: under 2 %"


def test_points_lead_after_the_target() -> None:
    safe, rich = Prospect(0.97, 60_000), Prospect(0.6, 70_000)
    estimate = Estimate("reach 4096", (("up", safe), ("left", rich)), 50, "a program", points_lead=True)
    assert estimate.best == "left"
    assert verdict_line(Badge(estimate=estimate), TWENTY48_LEVEL) == "About 70,000 more points by the end"
    assert (
        verdict_detail(Badge(estimate=estimate))
        == "Chance to reach 4096: about 60 %. From 100 games by a program."
    )


def test_chance_leads_before_the_target() -> None:
    safe, rich = Prospect(0.97, 60_000), Prospect(0.6, 70_000)
    assert Estimate("reach 2048", (("left", rich), ("up", safe)), 300).best == "up"


@pytest.mark.parametrize(("games", "best"), [(300, "right"), (0, "down")])
def test_points_decide_between_chances_that_are_told_alike(games: int, best: str) -> None:
    right, down = Prospect(0.89, 64_000), Prospect(0.897, 35_000)
    estimate = Estimate("reach 2048", (("down", down), ("right", right)), games)
    assert (estimate.best, estimate.here) == (best, {"right": right, "down": down}[best])


def test_explanation_names_stuck_boxes() -> None:
    badge = prove(gp.read("######\n#@   #\n#  . #\n# .$ #\n#   $#\n######")[0].start())
    assert explain_death(badge, SOKOBAN) == (
        "The box in row 5, column 5 can never be moved, and is on no depot."
    )
    assert explain_death(winnable(3), SOKOBAN) == ""


def test_explanation_counts_the_closed_set() -> None:
    badge = dead(reachable=1204)
    assert explain_death(badge, SOKOBAN) == "No win is among the 1,204 positions that can be reached."
    assert explain_death(dead(reachable=1), SOKOBAN) == "Nothing can be reached from here."
    assert explain_death(dead(), SOKOBAN) == "A search of all that can follow has found no win."


def test_dead_position_without_a_reason_counts_what_it_reaches() -> None:
    start = gp.read("########\n#@ $$..#\n########")[0].start()
    *_, badge = verdicts(StatusQuery(start))
    assert badge.dead
    expected = 0 if badge.reason else len(gp.explore(start))
    assert badge.reachable == expected


def test_verdict_line_tells_own_distance_when_others_win() -> None:
    alone = Note("alone, b needs 1 request", alone=(("a", 7), ("b", 1), ("c", 5), ("e", None)))
    badge = Badge(Standing.WINNABLE, (STEP,), least=1, notes=(alone,))
    level = gp.levels_at("robots/races/4")[0]
    line = partial(verdict_line, badge, level, "b", soon="b")
    assert line(own={"a"}) == "b can win with its next request. You need 7."
    assert line(own={"a", "c", "e"}) == "b can win with its next request. You need 5."
    assert line(own={"e"}) == "b can win with its next request. You cannot win alone."
    assert line(own={"b"}) == "You can win in 1 request if the others wait"
    assert line(own=frozenset()) == "b can win with its next request"
    assert verdict_line(badge, level) == "Winnable in 1 request at best (proved)"
    assert line(own={"a"}, short=True) == "b can win next; you need 7"
    assert line(own={"e"}, short=True) == "b can win next; you cannot win alone"


def test_verdict_line_tells_who_else_can_win_with_the_next_action() -> None:
    alone = Note("alone, a or b can win in 1 request", alone=(("a", 1), ("b", 1)))
    badge = Badge(Standing.WINNABLE, (STEP,), least=1, notes=(alone,))
    level = gp.levels_at("robots/races/4")[0]
    line = partial(verdict_line, badge, level, YOU, soon="abc")
    assert line(own={"a"}) == "You can win with your next request; so can b and c"
    assert line(own={"a"}, short=True) == "You can win next; so can b and c"
    assert line(own=frozenset()) == "a, b or c can win with its next request"
    assert verdict_detail(badge) == ""  # the line says it
    assert verdict_line(Badge(), level, own={"d"}, soon="b") == "b can win with its next request"
    assert verdict_line(dead(), level, own={"d"}, soon="b") == "Dead"


def test_verdict_line_counts_own_actions_where_others_must_help() -> None:
    level = gp.levels_at("robots/races/4")[0]
    start = level.start()
    way = tuple(Step(start.action(text), "") for text in ("a:walk(1,0)", "b:rotate(90)", "b:rotate(90)"))
    badge = Badge(Standing.WINNABLE, way, least=3, notes=(Note("x", alone=(("a", None), ("b", None))),))
    help_line = "You can win with help: in 2 of your requests, 3 in all"
    assert verdict_line(badge, level, "You", {"b"}) == help_line
    assert verdict_line(badge, level, "b", {"a"}) == "You cannot win unless others move first"
    assert verdict_line(badge, level, "You", {"b"}, short=True) == "You can win with help: 2 of 3 requests"
    early = replace(badge, notes=())
    assert verdict_line(early, level, "You", {"b"}) == help_line
    assert verdict_line(early, level, "b", {"a"}) == "b can win"
    assert verdict_line(replace(early, way=way[1:]), level, "You", {"b"}) == (
        "You can win in 2 requests if the others wait"
    )


@pytest.mark.parametrize(
    "name", ["robots/races/17", "sokoban/bombs/1", "shiftit/boards/1", "twenty48/standard/1"]
)
def test_short_verdict_lines_fit_a_narrow_screen(name: str) -> None:
    level = gp.level(name)
    names, way = level.game.actors(level), (Step(level.start().actions()[0]),) * 987
    rivals = Note("x", alone=(*((name, 123) for name in names[1:4]), (names[0], None)))
    badges = [
        *(dead(since=DeathTime(*since)) for since in ((-1, 987), (122, 987), (986, 987), (-1, 0))),
        *(Badge(Standing.WINNABLE, way, least=least, last_random_step=3) for least in (1, 987)),
        *(Badge(Standing.WINNABLE, way, notes=notes) for notes in ((rivals,), ())),
        Badge(complete=True),
    ]
    for badge, own in itertools.product(badges, [frozenset(), frozenset(names[:1]), frozenset(names[1:])]):
        others = own if own < {*names} else frozenset()
        for soon in ((), names[1:4], names[:4]):
            line = verdict_line(badge, level, YOU, others, soon if len(names) > 1 else (), short=True)
            assert len(line) <= 46, line


def test_notes_are_a_detail() -> None:
    alone, turns = Note("alone, b needs 2 requests", alone=(("a", 3), ("b", 2))), Note("x", turns=True)
    badge = Badge(Standing.WINNABLE, (STEP,), notes=(alone, Note("1 box stuck", ((1, 1),)), turns))
    assert verdict_detail(badge) == "Alone, b needs 2 requests."
    assert verdict_detail(badge, {"a"}) == ""
