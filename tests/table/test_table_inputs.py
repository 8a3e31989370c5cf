"""Random inputs of a player: each gets an answer and no exception, and every message is JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.table.games import TWO_LEVELS, null
from tests.table.tables import kinds, refusal, run_jobs, table_of

import gridproof as gp
from gridproof.table.messages import Message
from gridproof.table.replay import ReplayMessage
from gridproof.table.table import Table

LEVELS: dict[str, Callable[[], Any]] = {
    "sokoban": lambda: gp.levels_at("sokoban/first-steps"),
    "shiftit": lambda: gp.levels_at("shiftit/boards/1"),
    "robots": lambda: gp.levels_at("robots/races/1"),
    "twenty48": lambda: gp.read("2048 3x2 spawn=classic target=16\n"),
    "lights_out": lambda: gp.read("lights: A pair\nO.OO\n"),
}
WORDS = (
    *(
        "",
        "?",
        "left",
        "right right",
        "RM(0,left)",
        "a:walk(1,0)",
        "exchange",
        "press(0,0)",
        "RM(",
        "(",
        "a;b;;",
    ),
    *(
        "é\x1b[2J",
        "\ud800",
        "9" * 30,
        "undo",
        "redo 2",
        "undo x",
        "level 2",
        "lev",
        "as",
        "as b",
        "as nobody",
        "new",
    ),
    *(
        "watch random",
        "watch nobody",
        "continue",
        "restart",
        "hint",
        "games",
        "resume",
        "next",
        "levels",
        "save",
    ),
    *("save /no/such/folder/x", "open \x00", "open null/first", "help", "!", "bomb"),
)


def some_input(table: Table, rng: random.Random) -> tuple[Message, ...]:
    match rng.randrange(5):
        case 0:
            return table.typed(rng.choice(WORDS))
        case 1:
            return table.do(rng.choice(WORDS))
        case 2:
            key = rng.choice([*table.keys, "f13"])
            return () if table.keys.get(key) in ("quit", "solve", "watch", "hint") else table.key(key)
        case 3:
            to = rng.choice([None, (rng.randrange(-1, 9), rng.randrange(-1, 9))])
            return table.point(rng.randrange(-2, 9), rng.randrange(-2, 9), to)
        case _:
            return table.do(str(rng.choice([*table.session.position.actions(), "undo"])))


@pytest.mark.parametrize("name", LEVELS)
def test_random_inputs_raise_no_exception(name: str) -> None:
    rng, table = random.Random(name), table_of(LEVELS[name]())
    for _ in range(80):
        for message in run_jobs(table, some_input(table, rng)):
            assert json.loads(json.dumps(message.data()))["kind"] == message.kind
            if isinstance(message, ReplayMessage):
                message.replay.go(3)
                json.dumps(message.replay.board.data())
        json.dumps(table.state())
    assert table.session.game.name in (name, "null")


def test_actions_after_a_win_are_not_done_on_the_next_level() -> None:
    table = table_of(gp.read(TWO_LEVELS))
    table.typed("right right right")
    assert (table.session.current, table.session.actions_done) == (1, 0)


def test_inputs_of_wrong_type_are_refused() -> None:
    table, race = table_of(null("null/first/3")), table_of(gp.levels_at("robots/races/1"))
    wrong: Any = table
    for said, words in (
        (wrong.typed(None), "what is typed is a text, not NoneType"),
        (wrong.do(3), "an action or a command is a text, not int"),
        (wrong.point("0", 0), "a cell is two whole numbers, x and y"),
        (wrong.point(0, 0, 3), "a cell is two whole numbers, x and y"),
        (wrong.paste(None), "what is pasted is a text, not NoneType"),
        (wrong.paste("x", 3), "a game or its name is needed, not int"),
        (wrong.choose(None, 1), "the name of a pack is a text, not NoneType"),
        (wrong.choose("sokoban/bombs", "3"), "the number of a level is a whole number, not str"),
        (wrong.choose("sokoban/bombs", 1.5), "the number of a level is a whole number, not float"),
        (wrong.choose("sokoban/bombs", True), "the number of a level is a whole number, not bool"),
        (race.race(foo=3), "a race has no option foo: it has strategies, "),
        (race.race(strategies=3), "strategies is of type str, not int"),
        (race.race(exchange_every="2"), "exchange_every is of type int, not str"),
    ):
        assert words in refusal(said)
    assert wrong.key(None) == wrong.key([]) == ()
    assert table.session.actions_done == 0


def test_paste_skips_and_reports_broken_levels() -> None:
    table = table_of(null("null/first/3"))
    answer = table.paste("#####\n#@$.#\n#####\n\n####\n#@ #\n####\n")
    assert answer[0].words().startswith("Level 2 is skipped: ")
    assert table.session.game.name == "sokoban"
    assert len(table.session.levels) == 1
    assert refusal(table.paste("####\n#@ #\n####\n"))  # nothing is left to play


def test_inputs_are_refused_after_leaving() -> None:
    table = table_of(null("null/first/3"))
    table.typed("quit")
    for said in (table.typed("right"), table.do("right"), table.key("right"), table.typed("new")):
        assert "you left the game" in refusal(said)
    assert table.session.actions_done == 0
    assert not table.going
    table.choose("null/first", 2)
    assert table.going
    assert kinds(table.do("right"))[0] == "action"


def test_refusal_of_number_names_its_range() -> None:
    table = table_of(null("null/first"))
    table.do("level 3")
    table.do("left")
    for typed, words in (
        ("undo 99999999999999999999", "choose a number of actions from 0 to 1"),
        ("undo -1", "the number must be 0 or more"),
        ("redo 99999999999999999999", "nothing to redo"),
        ("level -1", "choose a level from 1 to"),
        ("level 99999999999999999999", "choose a level from 1 to"),
        ("undo 1.5", "must be a whole number"),
        ("undo " + "9" * 5000, "must be a whole number"),
    ):
        assert words in refusal(table.typed(typed))
    assert table.session.actions_done == 1


def test_goto_goes_back_and_on_and_keeps_what_follows() -> None:
    table = table_of(gp.read("#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"))
    session = table.session
    for text in ("left", "right", "up", "left"):
        table.do(text)
    assert session.actions_done == 3  # nobody goes up into the wall
    positions = session.history[::-1]
    for number in (1, 3, 0, 2):
        table.do(f"goto {number}")
        assert (session.actions_done, session.actions_undone) == (number, 3 - number)
        assert session.position == positions[number]
    assert kinds(table.do("goto 2")) == []
    for wrong in ("4", "-1", "here", ""):
        assert "goto" in refusal(table.do(f"goto {wrong}".strip()))
    assert session.actions_done == 2


def test_goto_is_not_abbreviated_without_a_number() -> None:
    table = table_of(gp.levels_at("sokoban/first-steps/1"))
    assert "no such action" in refusal(table.typed("go down"))
