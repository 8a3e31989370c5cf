"""Tests of how much a player is told: a nudge, the next action, the next few."""

from __future__ import annotations

import pytest
from tests.table.tables import kinds, one, refusal, run_jobs, table_of

import gridproof as gp
from gridproof.core.look import ON_BOARD, OWN
from gridproof.table.messages import Hint, Moved, NextActions, Nudge
from gridproof.table.replay import ReplayMessage
from gridproof.table.table import Table

CORRIDOR = "########\n#@  $ .#\n########\n"
CORRIDOR_OF_TWO = "########\n#@  $ .#\n######*#\n########\n"


def table(text: str) -> Table:
    made = table_of(gp.read(text))
    made.begin()
    return made


def test_nudge_names_the_box_that_is_pushed_first_and_not_the_player() -> None:
    found = table(CORRIDOR_OF_TWO)
    nudge = one(Nudge, run_jobs(found, found.do("nudge")))
    assert nudge.words() == "Look at the box in row 2, column 5."
    assert nudge.data()["cells"] == [[4, 1]]


def test_nudge_to_the_only_box_is_the_next_move() -> None:
    found = table(CORRIDOR)
    assert one(Hint, run_jobs(found, found.do("nudge"))).words() == "go right (4 moves to the win)"


def test_nudge_among_several_boxes_says_nothing_of_their_number() -> None:
    found = table("#######\n#@ $ .#\n#  $ .#\n#######\n")
    assert "only" not in one(Nudge, run_jobs(found, found.do("nudge"))).words()


def test_hint_on_a_position_that_is_proved_dead_says_so_at_once() -> None:
    found = table("######\n#$@ .#\n######\n")
    run_jobs(found, found.do("proof"))
    for command in ("nudge", "hint", "hint 3", "solve"):
        assert refusal(found.do(command)).startswith("It cannot be won from here: the box in row 2, column 2")


def test_nudge_names_the_line_that_moves_by_its_shown_number() -> None:
    found = table("shiftit 2x3\nr g\nr g\ng r\n")
    assert one(Nudge, run_jobs(found, found.do("nudge"))).words() == "Look at row 3."


def test_nudge_names_the_bomb_that_is_set_off_next() -> None:
    found = table("######\n#@#$.#\n######\nBombs: 1\n")
    assert one(Nudge, run_jobs(found, found.do("nudge"))).words() == "Think of the bomb."


def test_nudge_says_when_no_piece_moves_next() -> None:
    found = table("lights: A pair\nO.OO\n")
    assert (
        one(Nudge, run_jobs(found, found.do("nudge"))).words()
        == "No piece moves next: it takes another action."
    )


def test_nudge_names_the_robot_that_turns_next() -> None:
    found = table("robots 3x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\nb . .\n. . .\nB a A\n")
    found.do("as b")
    nudge = one(Nudge, run_jobs(found, found.do("nudge")))
    assert nudge.words() == "Look at robot b in row 1, column 1: it turns."


def test_nudge_to_the_only_robot_of_a_player_that_can_only_step_is_the_next_move() -> None:
    found = table("robots 3x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\nb . .\n. . .\nB a A\n")
    assert (
        one(Nudge, run_jobs(found, found.do("nudge"))).words()
        == "Look at robot a in row 3, column 2: it steps."
    )
    found.do("as a")
    assert one(Hint, run_jobs(found, found.do("nudge"))).words().startswith("a steps ahead")


def test_hint_of_several_actions_lists_them_in_words() -> None:
    found = table(CORRIDOR)
    hint = one(NextActions, run_jobs(found, found.do("hint 3")))
    assert hint.words() == "go right, then go right, then go right (4 moves to the win)"
    assert hint.data()["actions"] == ["right"] * 3
    assert kinds(run_jobs(found, found.do("hint 20"))) == ["next"]


def test_hint_says_that_the_way_to_the_win_needs_luck() -> None:
    lucky = table("2048 2x2 spawn=spec target=16\n4 4\n4 0\n")
    several = one(NextActions, run_jobs(lucky, lucky.do("hint 2")))
    assert several.words().endswith(" moves to the win, with luck)")
    whispered = table_of(gp.levels_at("robots/races/9"))
    whispered.begin()
    hint = one(Hint, run_jobs(whispered, whispered.do("hint")))
    assert hint.words().endswith(" (13 requests to the win)")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("2048 2x2 spawn=spec target=16\n4 4\n4 0\n", "One way to win, with luck"),
        (CORRIDOR, "The way to win"),
    ],
)
def test_replay_of_a_solution_says_if_it_needs_luck(text: str, title: str) -> None:
    found = table(text)
    assert one(ReplayMessage, run_jobs(found, found.do("watch"))).replay.title == title


def test_hints_are_told_in_both_frames() -> None:
    found = table("robots 4x2\na: rule=A rotation=90\nb: rule=B rotation=0\nboard:\na . . A\nb . . B\n")
    found.do("as b")
    (several,) = [one for one in run_jobs(found, found.do("hint 2")) if isinstance(one, NextActions)]
    assert several.words() == "b walks 3 cells ahead (1 request to the win)"
    assert several.words_in(ON_BOARD) == "b walks 3 cells right (1 request to the win)"
    found.do("as a")
    (several,) = [one for one in run_jobs(found, found.do("hint 2")) if isinstance(one, NextActions)]
    assert several.words_in(ON_BOARD).startswith("a steps right, then a steps right (")
    assert several.words_in(OWN) == several.words()
    hint = one(Hint, run_jobs(found, found.do("hint")))
    assert hint.words_in(ON_BOARD).startswith("a steps right (")
    (moved,) = [one for one in found.do("a:walk(0,-1)") if isinstance(one, Moved)]
    assert (moved.words(), moved.words_in(ON_BOARD)) == ("a steps to its left", "a steps right")


@pytest.mark.parametrize("player", ["network", "endgame"])
def test_watch_refuses_a_program_that_cannot_play_the_board(player: str) -> None:
    small = table("2048 3x3 target=64\n")
    assert "this program cannot play this board" in refusal(small.do(f"watch {player}"))
    assert kinds(small.do("watch snake")) == ["replay"]
    assert kinds(table("2048 4x4 target=64\n").do(f"watch {player}")) == ["replay"]


@pytest.mark.parametrize("number", ["0", "21", "x"])
def test_hint_refuses_a_number_out_of_range(number: str) -> None:
    assert refusal(table(CORRIDOR).do(f"hint {number}"))


def test_game_with_an_adviser_offers_no_nudge() -> None:
    found = table_of(gp.levels_at("twenty48/standard/1"))
    found.begin()
    assert "nudge" not in [command.words[0] for command in found.commands]
