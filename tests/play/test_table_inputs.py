"""Whatever a player types, presses or points at: an answer, never an exception, and JSON for every message."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.play.tables import table_of, told

import gridproof as gp
from gridproof.play.messages import Message, Watching
from gridproof.play.table import Table

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
def test_nothing_that_a_player_does_is_an_exception(name: str) -> None:
    rng, table = random.Random(name), table_of(LEVELS[name]())
    for _ in range(80):
        for message in told(table, some_input(table, rng)):
            assert json.loads(json.dumps(message.data()))["kind"] == message.kind
            if isinstance(message, Watching):
                message.replay.go(3)
                json.dumps(message.replay.board.data())
        json.dumps(table.state())
    assert table.session.game.name in (name, "null")
