"""Tests of keys: in the actors' own directions, and in directions of the board."""

from __future__ import annotations

import gridproof as gp
from gridproof.core.look import OWN
from gridproof.table.keys import directions, explain_refusal, keys_at, keys_on

TWO = gp.read(
    "robots 5x3\na: rule=A rotation=90\nb: rule=B rotation=0\nboard:\n. ? . . A\na . . . .\nb ? . . B\n"
)
SOKOBAN = gp.read("#######\n#@ $ .#\n#######\n")


def test_arrows_and_their_letters_step_in_directions_of_the_board() -> None:
    keys = keys_at(TWO[0].start(), "a")
    assert [keys[key] for key in ("up", "k", "w")] == ["a:walk(-1,0)"] * 3
    assert [keys[key] for key in ("right", "l", "d")] == ["a:walk(0,-1)"] * 3
    assert keys["x"] == "exchange"


def test_arrows_turn_an_actor_that_cannot_step_that_way() -> None:
    position = TWO[0].start()
    keys = keys_at(position, "b")
    assert [keys[key] for key in ("right", "up", "1", "2", "r")] == [
        "b:walk(1,0)", "b:rotate(270)", "b:walk(1,0)", "b:walk(2,0)", "b:rotate(90)",
    ]  # fmt: skip
    turned = position.outcome("b:rotate(270)", "").position
    assert keys_at(turned, "b")["up"] == "b:walk(1,0)"


def test_arrows_move_the_first_actor_of_a_player_of_all() -> None:
    position = TWO[0].start()
    assert directions(position) == directions(position, "a")
    assert keys_at(position)["2"] == "b:walk(2,0)"


def test_games_in_directions_of_the_board_keep_their_keys() -> None:
    position = SOKOBAN[0].start()
    assert directions(position) == {}
    assert keys_at(position) == keys_on(SOKOBAN[0])


def test_actors_of_other_levels_have_no_directions() -> None:
    assert directions(TWO[0].start(), "z") == {}


def test_refusals_are_answers_to_requests() -> None:
    position = TWO[0].start()
    assert explain_refusal(position, "a:walk(0,1)") == "a: May I step left? No: it leads off the board."
    own = "a: May I step to my right? No: it leads off the board."
    assert explain_refusal(position, "a:walk(0,1)", OWN) == own
    assert explain_refusal(position, "a:walk(0,-1)") == ""
    assert explain_refusal(position, "undo") == ""
    assert explain_refusal(SOKOBAN[0].start(), "up") == ""


def test_refusals_of_actions_without_arrows_are_sentences() -> None:
    locked = gp.level("shiftit/boards/6").start()
    assert explain_refusal(locked, "RM(1,left)") == "Row 1 left: the tile in column 2 is locked."
    assert explain_refusal(SOKOBAN[0].start(), "bomb") == "Set off a bomb: no bomb is left."
