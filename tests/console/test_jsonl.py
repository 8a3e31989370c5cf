"""Games in lines of JSON, for programs."""

from __future__ import annotations

import io
import json

from tests.table.games import board, null

import gridproof as gp
from gridproof.console.jsonl import JsonPlay
from gridproof.core.session import Session
from gridproof.table.table import Table


def test_json_lines_of_a_game() -> None:
    output = io.StringIO()
    session = Session(null("null/first"))
    JsonPlay(Table(session), io.StringIO("left\nnonsense\nright\nright\n"), output).run()
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds[:4] == ["welcome", "level", "position", "question"]
    assert kinds[-1] == "farewell"
    assert kinds.count("refusal") == kinds.count("won") == 1
    refused = lines[kinds.index("refusal")]["text"]
    assert refused == "nonsense: no such action; choose from left, right, hop"  # what to type is for people
    position = lines[2]
    assert position["actions"] == ["left", "right"]
    assert (position["level"], position["levels"], position["text"]) == (1, 3, ".@o\n")
    assert "score" not in position


def test_json_lines_have_score_when_game_keeps_one() -> None:
    output = io.StringIO()
    JsonPlay(Table(Session(board("2 2\n0 0\n"))), io.StringIO("left\n"), output).run()
    positions = [
        line for line in map(json.loads, output.getvalue().splitlines()) if line["kind"] == "position"
    ]
    assert [(line["score"], line["high_score"]) for line in positions] == [(0, 0), (4, 4)]


def test_json_lines_name_level_just_won() -> None:
    levels = gp.read("#####\n#@$.#\n#####\n\n######\n#@$ .#\n######\n")
    output = io.StringIO()
    JsonPlay(Table(gp.Session(levels)), io.StringIO("right\n"), output).run()
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    shown = [(line["level"], line["status"]) for line in lines if line["kind"] == "position"]
    assert shown == [(1, "PLAYING"), (1, "WON"), (2, "PLAYING")]


def test_json_lines_have_each_action_and_replay() -> None:
    output = io.StringIO()
    table = Table(Session(gp.read("#####\n#@$.#\n#####\n")))
    JsonPlay(table, io.StringIO("solve\nwatch\nright\n"), output).run()
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    kinds = [line["kind"] for line in lines if line["kind"] != "question"]
    assert kinds == [
        "welcome", "position", "working", "solution", "replay", "step", "action", "position", "won", "farewell",
    ]  # fmt: skip
    step, moved = (next(line for line in lines if line["kind"] == kind) for kind in ("step", "action"))
    assert step["events"] == moved["steps"][0]["events"] == [{"type": "Pushed", "box": [2, 1], "to": [3, 1]}]
    assert gp.Trace.from_json(next(line["trace"] for line in lines if "trace" in line)).replay().won


def test_json_lines_show_the_last_winnable_position_before_the_mistake() -> None:
    output = io.StringIO()
    typed = io.StringIO("right\ndown\nproof\nmistake\n")
    JsonPlay(Table(Session(gp.levels_at("sokoban/first-steps/1"))), typed, output).run()
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    place = [line["kind"] for line in lines].index("replay")
    after = lines[place + 1 : place + 3]
    assert [line["kind"] for line in after] == ["position", "step"]
    assert after[0]["text"].startswith("####--\n#-@###\n#-$-.#\n")
