"""Actors that are played by strategies, while the player plays another."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.tables import kinds, refusal, run_jobs, table_of

import gridproof as gp
from gridproof.core.session import Session
from gridproof.games.robots.agents import Partner
from gridproof.games.robots.dialogue import describe_pass
from gridproof.games.robots.race.knowledge import pass_turn
from gridproof.games.robots.requests import Walk
from gridproof.games.robots.rules import Level, Position
from gridproof.table.jobs import JobMessage
from gridproof.table.table import Table

LEVEL = """
robots 11x3
a: rule=A rotation=0
b: rule=B rotation=0
board:
a . . . A . . . . . .
. . . . . . . . . . .
b . . . . . . . . . B
""".strip()


def _table() -> Table:
    table = table_of(gp.read(LEVEL))
    table.do("as a")
    return table


def _doing(table: Table, text: str) -> list[str]:
    """The actions that are done after one of the player's, that one among them."""
    before = len(table.session.trace().actions)
    answer = run_jobs(table, table.do(text))
    while table.job is not None:
        answer += run_jobs(table, [JobMessage(table.job)])
    return [str(action).partition("(")[0] for action in table.session.trace().actions[before:]]


@pytest.mark.clause("R30")
def test_co_player_acts_after_each_action_of_the_player() -> None:
    table = _table()
    (message,) = table.do("let b planner")
    assert message.words() == "b is played by a program that sees all (strong)"
    assert table.state()["partners"] == {"b": "planner"}
    assert _doing(table, "a:walk(1,0)") == ["a:walk", "b:walk"]
    assert _doing(table, "a:walk(1,0)") == ["a:walk", "b:walk"]
    table.do("undo 2")
    assert _doing(table, "a:walk(0,1)") == ["a:walk", "b:walk"]


def test_undo_and_redo_take_what_a_co_player_has_answered() -> None:
    table = _table()
    table.do("let b planner")
    for _ in range(2):
        _doing(table, "a:walk(1,0)")
    for command, done in (("undo", 2), ("undo", 0), ("redo", 2), ("redo 1", 3), ("undo", 2), ("redo", 4)):
        table.do(command)
        assert table.session.actions_done == done, command
    table.do("let b hand")
    table.do("undo")
    assert table.session.actions_done == 3


def test_co_player_that_passes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Partner, "act", lambda *_: None)
    table = _table()
    table.do("let b planner")
    answer = run_jobs(table, table.do("a:walk(1,0)"))
    assert answer[-1].kind == "pass"
    assert [message.words() for message in answer][-1] == "b passes"


def test_pass_of_a_program_says_whether_it_waits_or_was_refused() -> None:
    level = gp.read("robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\nA . . a\n. . b B\n")[0]
    start = level.start()
    assert isinstance(level, Level)
    assert isinstance(start, Position)
    assert describe_pass(start, pass_turn("b")) == "b waits"
    refused = "b passes: its request was refused (it leads off the board)"
    assert describe_pass(start, Walk("b", 2, 0)) == refused

    class Ahead:
        def ask(self, knowledge: object) -> Walk:
            return Walk("b", 2, 0)

    partner = Partner(level, "b", Ahead())
    assert partner.act(start, ()) is None
    assert partner.pass_words == refused


def test_pass_of_a_co_player_is_told_with_its_reason() -> None:
    table = table_of(gp.levels_at("robots/races")[3])
    table.do("as a")
    table.do("let c planner")
    answer = run_jobs(table, table.do("a:walk(1,0)"))
    assert answer[-1].words() == "c waits"


def test_co_player_stops_when_played_by_hand() -> None:
    table = _table()
    table.do("let b planner")
    table.do("let b")
    assert _doing(table, "a:walk(1,0)") == ["a:walk"]


def test_co_player_actions_are_described_in_words() -> None:
    table = _table()
    table.do("let b planner")
    (working,) = [one for one in table.do("a:walk(1,0)") if isinstance(one, JobMessage)]
    assert working.words() == "b thinks ..."
    working.job.run()
    answer = table.finish(working.job)
    assert kinds(answer) == ["action", "position"]
    assert answer[0].words() == "b steps ahead"


def test_next_action_interrupts_thinking_co_player() -> None:
    table = _table()
    table.do("let b planner")
    table.do("a:walk(1,0)")
    first = table.job
    assert first is not None
    assert _doing(table, "a:walk(1,0)") == ["a:walk", "b:walk"]
    assert first.is_cancelled


def test_co_player_round_ends_when_robot_is_home() -> None:
    table = _table()
    table.do("let b planner")
    for _ in range(3):
        _doing(table, "a:walk(1,0)")
    assert _doing(table, "a:walk(1,0)") == ["a:walk"]
    assert table.session.position.won


SHORT = """
robots 5x3
a: rule=A rotation=0
b: rule=B rotation=0
board:
a A . . .
. . . . .
b . . . B
""".strip()


def test_co_players_wait_on_the_level_after_the_players_win() -> None:
    table = table_of(gp.read(f"{SHORT}\n\n{LEVEL}"))
    table.do("as a")
    table.do("let b planner")
    assert _doing(table, "a:walk(1,0)") == []
    assert (table.session.current, table.job, table.session.actions_done) == (1, None, 0)
    assert _doing(table, "a:walk(1,0)") == ["a:walk", "b:walk"]


def test_co_players_and_the_level_stay_after_the_win_of_another() -> None:
    three = LEVEL.replace("b: rule", "c: rule=B rotation=0\nb: rule").replace("b .", "b c", 1)
    level = SHORT.replace("b: rule", "c: rule=B rotation=0\nb: rule").replace("b . . . B", "b . B c C")
    table = table_of(gp.read(f"{level}\n\n{three.replace('. . B', '. C B')}"))
    table.do("as a")
    table.do("let b planner")
    table.do("let c planner")
    assert _doing(table, "a:walk(0,1)") == ["a:walk", "b:walk"]
    assert (table.session.current, table.job, table.session.completed) == (0, None, ())
    table.do("undo")
    assert table.session.actions_done == 0


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("let x planner", "let x: choose from a, b"),
        ("let", "let: choose from a, b"),
        ("let b nobody", "let b nobody: choose from hints, planner, random, hand"),
    ],
)
def test_let_refuses_unknown_actor_or_strategy(typed: str, reason: str) -> None:
    assert refusal(_table().do(typed)) == reason


def test_game_with_one_actor_has_no_co_players() -> None:
    assert (
        refusal(Table(Session(gp.levels_at("sokoban/first-steps"))).do("let a b"))
        == "let: not available here"
    )


@pytest.mark.clause("R19", "R30")
def test_co_player_learns_hints_of_its_own_robot() -> None:
    level: Any = gp.read("robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? A\nb ? B\n")[0]
    asked: list[Any] = []

    class Listener:
        def ask(self, knowledge: object) -> object:
            asked.append(knowledge)
            return position.action("b:walk(1,0)")

    listener: Any = Listener()
    partner = Partner(level, "b", listener)
    position = level.start()
    mine = next(iter(position.outcomes(position.action("a:walk(1,0)"))))
    partner.act(mine.position, [mine])
    own = next(iter(mine.position.outcomes(position.action("b:walk(1,0)"))))
    position = own.position
    partner.act(mine.position, [own])
    assert [len(known.hints) for known in asked] == [0, 1]
