"""Tests of tables: inputs as data, and their answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.measurement import lines_run
from tests.table.games import TWO_LEVELS, board, null
from tests.table.tables import follow_hints, kinds, one, refusal, run_jobs, table_of

import gridproof as gp
from gridproof.core.look import ON_BOARD
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session
from gridproof.store import Store
from gridproof.table.commands import COMMANDS
from gridproof.table.menu import games_to_play
from gridproof.table.messages import (
    AllDone,
    Best,
    Board,
    Choice,
    Entered,
    Games,
    Help,
    Hint,
    Levels,
    Lost,
    Moved,
    Over,
    Refused,
    SeedMessage,
    Solved,
    Won,
)
from gridproof.table.prompt import AFTER_LOSS, AFTER_WIN, Prompt
from gridproof.table.table import Table

GAMES = {
    "sokoban": TWO_LEVELS,
    "shiftit": "shiftit 2x2\nr g\ng r\n",
    "robots": None,
    "twenty48": "2048 2x2 spawn=spec target=8\n4 4\n0 0\n",
    "lights_out": "lights: A pair\nO.OO\n",
    "null": "..@o\n",
}
"""Game -> levels that are played to the end; None for its first built-in level."""


def levels_of(name: str) -> gp.Pack:
    text = GAMES[name]
    return gp.read(text, name) if text else gp.levels_at(f"{name}/{gp.game(name).first_pack or 'races'}/1")


@pytest.mark.parametrize("name", GAMES)
def test_table_plays_every_game_to_its_end(name: str) -> None:
    table = table_of(levels_of(name))
    begun = table.begin()
    assert kinds(begun)[0] == "welcome"
    assert kinds(begun)[-2:] == ["level", "position"]
    start = table.session.position
    first = one(Hint, run_jobs(table, table.do("hint")))
    moved = list(table.do(str(first.action)))
    assert moved[0].data()["before"] == start.text()
    first_board = next(message for message in moved if isinstance(message, Board))
    assert one(Moved, moved).change.after == first_board.position
    if not table.session.position.won and table.session.current == 0:
        assert kinds(table.do("undo")) == ["action", "position"]
        assert table.session.position == start
        assert kinds(table.do("redo")) == ["action", "position"]
        assert kinds(table.do("restart 3")) == ["action", "position"]
        moved = follow_hints(table)
    assert "won" in kinds(moved)
    won = next(message for message in moved if isinstance(message, Board))
    assert won.position.won
    while table.going and not table.session.game.policy.act_after_win:
        follow_hints(table)
    assert table.session.incomplete == ()
    for message in (*begun, *moved, table.farewell):
        assert json.loads(json.dumps(message.data()))["kind"] == message.kind
    assert json.loads(json.dumps(table.state()))["game"] == name


def test_refusal_gives_reason_and_changes_nothing() -> None:
    table = table_of(null("null/first/3"))
    for said in (
        table.do("right right"),
        table.do("no such thing"),
        table.do("undo"),
        table.do("undo x"),
        table.do("level 9"),
        table.do("continue"),
        table.do("as a"),
        table.do("watch nobody"),
        table.do("games"),
        table.do("open"),
        table.do("open -"),
        table.do("open no/such/file"),
        table.typed("open \0"),
        table.paste("?"),
        table.race(),
        table.point(0, 0, (1, 0)),
        table.point(99, -7),
    ):
        (refused,) = said
        assert isinstance(refused, Refused)
        assert refused.reason
    assert table.session.actions_done == 0
    assert table.key("f13") == ()
    assert table.typed("   ") == ()


def test_next_level_is_entered_and_listed_after_a_win() -> None:
    table = table_of(gp.read(TWO_LEVELS))
    answer = table.do("right")
    assert kinds(answer) == ["action", "position", "won", "level", "position"]
    assert [message.place for message in answer if isinstance(message, Board)] == [0, 1]
    assert one(Entered, answer).words() == "Level 2 of 2: second"
    assert one(Levels, table.do("levels")).words() == "   1  first, done\n   2  second, current"
    assert kinds(table.do("level 1")) == ["action", "level", "position"]
    assert kinds(table.do("next")) == ["action", "level", "position"]
    assert table.session.current == 1
    assert "all other levels are solved" in refusal(table.do("next"))
    table.do("right")
    last = table.do("right")
    assert kinds(last) == ["action", "position", "won", "message"]
    assert not table.going


def test_level_stays_after_win_until_the_player_continues() -> None:
    table = table_of(null("null/first"))
    answer = table.do("right")
    assert kinds(answer) == ["action", "position", "won", "action", "level", "position"]
    assert table.session.current == 1
    table.do("level 1")
    table.do("right")
    table.do("level 1")
    assert kinds(table.do("right")) == ["action", "position", "won", "action", "level", "position"]


def test_levels_won_at_their_start_are_skipped() -> None:
    boards = ("b r\nr b", "b b\nr r", "r r\nb b", "b r\nr b")
    table = table_of(gp.read("\n\n".join(f"shiftit 2x2\n{board}" for board in boards)))
    assert kinds(table.do("RM(0,left)")) == ["action", "position", "won", "action", "level", "position"]
    assert (table.session.current, table.session.completed) == (3, (0, 1, 2))
    last = table_of(gp.read("\n\n".join(f"shiftit 2x2\n{board}" for board in boards[:3])))
    assert one(AllDone, last.do("RM(0,left)")).words() == "All levels are done."
    assert not last.going


def test_prompt_names_possible_answers() -> None:
    table = table_of(board("4 4 0 0\n0 0 0 0\n", 8))
    assert table.question == Prompt("left, right, up or down?")
    table.do("left")
    assert table.question == Prompt(AFTER_WIN, ("continue", "new", "quit"))
    assert kinds(table.do("continue")) == ["position"]
    assert table.question.commands == ()
    lost = table_of(board("2 4\n8 16\n"))
    assert "lost" in kinds(lost.begin())
    assert lost.question == Prompt(AFTER_LOSS, ("new", "quit"))
    lost.do("quit")
    assert not lost.going


def test_commands_each_have_a_method_of_the_table() -> None:
    assert {f"do_{command.words[0]}" for command in COMMANDS} == {
        name for name in dir(Table) if name.startswith("do_")
    }


def test_help_lists_actions_and_commands_of_the_level() -> None:
    table = table_of(null("null/first/3"), files=False)
    actions, commands = (one(Help, table.do("help")).actions, dict(one(Help, table.do("help")).commands))
    assert actions[0] == ("left", ("l", "a"))
    assert "hint [N]" in commands
    assert not {"save FILE", "open FILE|PACK", "as [NAME]", "level N", "games", "continue"} & commands.keys()
    assert "save FILE" in dict(one(Help, table_of(null()).do("help")).commands)


def test_table_without_files_opens_no_file(tmp_path: Path) -> None:
    table, path = table_of(null(), files=False), tmp_path / "trace.json"
    level = tmp_path / "level.null"
    level.write_text("@.o\n")
    for line in (f"save {path}", f"open {level}", f"sav {path}", f"op {level}"):
        assert kinds(table.typed(line)) == ["refusal"]
    assert not path.exists()
    assert [kept.name for kept in tmp_path.iterdir()] == ["level.null"]


# -- keys and pointing


def test_keys_of_game_precede_letters_for_arrows_and_commands() -> None:
    table = table_of(gp.read(TWO_LEVELS))
    assert (table.keys["w"], table.keys["l"], table.keys["up"]) == ("up", "right", "up")
    assert (table.keys["u"], table.keys["ctrl+z"], table.keys["?"]) == ("undo", "undo", "help")
    shiftit = table_of(gp.read("shiftit 2x2\nr g\ng r\n"))
    assert shiftit.keys["f"] == "RM(1,left)"  # the top row
    assert kinds(table.key("l"))[:3] == ["action", "position", "won"]


def test_keys_set_by_the_player_come_first() -> None:
    table = table_of(null("null/first/3"), keys={"left": "undo", "n": "left"})
    table.key("n")
    assert table.session.actions_done == 1
    assert kinds(table.key("left")) == ["action", "position"]
    assert table.session.actions_done == 0


def test_pointed_cell_means_an_action() -> None:
    lamps = table_of(gp.read("lights: A pair\nO.OO\n"))
    lamps.point(0, 0)
    assert [str(action) for action in lamps.session.trace().actions] == ["press(0,0)"]
    walk = table_of(gp.read("######\n#@   #\n# $. #\n######\n"))
    walk.point(4, 2)
    assert walk.session.actions_done == 4
    assert "Nothing can be done there" in refusal(walk.point(0, 0))


@pytest.mark.parametrize(
    ("cell", "to", "why"),
    [
        ((3, 2), None, "Drag the box to where it should go"),
        ((3, 2), (0, 0), "A wall is there"),
        ((6, 1), None, "No way leads there"),
        ((1, 1), None, "Nothing can be done there"),
    ],
)
def test_cell_pointed_to_in_vain_says_why(
    cell: tuple[int, int], to: tuple[int, int] | None, why: str
) -> None:
    table = table_of(gp.read("########\n#@   # #\n#  $.# #\n########\n"))
    assert why in refusal(table.point(*cell, to))
    assert table.session.actions_done == 0


def test_point_offers_a_choice_when_several_actions_lead_to_the_cell() -> None:
    table = table_of(gp.levels_at("robots/races"))
    table.do("level 18")
    offered = one(Choice, table.point(1, 1))
    assert offered.details()["actions"] == ["a:walk(0,1)", "c:walk(-1,0)"]
    assert offered.words() == "Choose one: a steps to its right, c steps back."
    assert offered.words_in(ON_BOARD) == "Choose one: a steps down, c steps up."
    table.point(3, 4)  # the belt takes two walks of c to the same end
    assert [str(action) for action in table.session.trace().actions] == ["c:walk(1,0)"]
    table.do("undo")
    table.do("as a")
    table.point(1, 1)
    assert [str(action) for action in table.session.trace().actions] == ["a:walk(0,1)"]


# -- several actors


def test_keys_belong_to_the_played_robot() -> None:
    table = table_of(gp.levels_at("robots/races/1"))
    names = table.actors
    assert len(names) > 1
    assert table.actor is None
    for name in (*names, names[0]):
        assert kinds(table.key("tab")) == ["position"]
        assert table.actor == name
        assert table.keys["up"].startswith(f"{name}:")
    table.do(f"as {names[1]}")
    assert table.actor == names[1]
    assert "choose from a, b" in refusal(table.do("as zebra"))
    assert table.state()["actor"] == names[1]


# -- what is kept


def test_saved_games_are_resumed_with_best_counts(url: str) -> None:
    store = Store(url)
    first = Table(Session(gp.read(TWO_LEVELS), 3, store), store)
    answer = first.do("right")
    assert one(Best, answer).values == {"actions": 1, "moves": 1, "pushes": 1}
    first.do("right")
    second = Table(Session(null("null/first/3"), 4, store), store)
    assert one(Games, second.do("games")).words() == "   1  sokoban: second"
    second.do("left")
    assert second.saved_games()[0].game == "sokoban"
    answer = second.do("resume")
    assert kinds(answer) == ["welcome", "level", "position"]
    assert (second.session.current, second.session.actions_done, second.session.completed) == (1, 1, (0,))
    assert "choose a game from 1 to 1" in refusal(second.do("resume 2"))
    assert second.state()["best"] == {}
    first_level, second_level = one(Levels, second.do("levels")).entries
    assert (first_level.done, dict(first_level.best)) == (True, {"actions": 1, "moves": 1, "pushes": 1})
    assert first_level.words() == "first, done (actions 1, moves 1, pushes 1)"
    assert (second_level.done, second_level.current, dict(second_level.best)) == (False, True, {})
    second.do("resume")
    assert second.session.game.name == "null"
    store.close()


def test_game_continues_when_the_store_fails() -> None:
    class Broken:
        def high_score(self, key: str) -> int:
            return 0

        def keep(self, *_: object) -> None:
            pass

        def best(self, level: gp.Level) -> dict[str, Best]:
            raise gp.GridproofError("the disk is gone")

    table = table_of(gp.read(TWO_LEVELS), store=Broken())
    assert kinds(table.do("right")) == ["action", "position", "won", "refusal", "level", "position"]


def test_open_and_paste_replace_the_levels(tmp_path: Path) -> None:
    table = table_of(null("null/first/3"))
    answer = table.do("open sokoban/first-steps/1")
    assert kinds(answer) == ["welcome", "level", "position"]
    assert table.session.game.name == "sokoban"
    answer = table.paste("2048 2x2 spawn=spec target=8\n2 2\n0 0\n")
    assert one(SeedMessage, answer).seed == table.session.seed
    path = tmp_path / "some.xsb"
    path.write_text(TWO_LEVELS + "\n; third\n####\n#@.#\n####\n", encoding="utf-8")
    answer = table.do(f"open {path}")
    assert "Level 3 is skipped" in answer[0].words()
    assert len(table.session.levels) == 2
    assert kinds(table.paste(TWO_LEVELS)) == ["level", "position"]


def test_open_accepts_pack_and_level() -> None:
    table = table_of(null("null/first/3"), files=False)
    for game in games_to_play():
        assert game.packs
    (sokoban,) = [game for game in games_to_play() if game.name == "sokoban"]
    assert sokoban.packs[0] == f"sokoban/{gp.game('sokoban').first_pack}"
    answer = table.choose(sokoban.packs[0], 3)
    assert kinds(answer) == ["welcome", "level", "position"]
    assert (table.session.current, table.session.completed) == (2, ())
    assert table.entries()[2].current
    assert table.entries()[0].difficulty.isdigit()
    for pack, number in (
        ("sokoban/first-steps", 0),
        ("sokoban/first-steps", 999),
        ("sokoban/none", 1),
        ("/etc/passwd", 1),
    ):
        assert kinds(table.choose(pack, number)) == ["refusal"]
    assert table.session.current == 2


def test_opened_game_has_no_observers_of_the_former() -> None:
    table = table_of(null("null/first/3"))
    before = table.session
    table.do("open sokoban/first-steps/1")
    before.act("left")
    assert table.session.actions_done == 0
    assert kinds(table.do("undo")) == ["refusal"]


# -- hints and solutions


def test_cached_solution_is_shown_and_watched() -> None:
    table = table_of(gp.levels_at("sokoban/first-steps/1"))
    solved = one(Solved, run_jobs(table, table.do("solve")))
    assert solved.trace.replay().won
    watching = run_jobs(table, table.do("watch"))[-1]
    assert watching.kind == "replay"
    assert not table.session.actions_done


def test_solution_is_searched_once_and_cached() -> None:
    table = table_of(gp.read(TWO_LEVELS)[1])
    first = table.do("solve")
    assert kinds(first) == ["working"]
    solved = one(Solved, run_jobs(table, first))
    assert (solved.fewest, solved.words()) == (True, "2 moves, the fewest possible: rR")
    assert one(Solved, table.do("solve")).fewest
    assert one(Hint, table.do("hint")).words() == "go right (2 moves to the win)"
    table.do("right")
    assert kinds(table.do("hint")) == ["hint"]


def test_hint_reports_position_that_cannot_be_won() -> None:
    table = table_of(gp.read("######\n#@$. #\n#.$  #\n######\n", "sokoban"))
    table.do("down")
    answer = run_jobs(table, table.do("hint"))
    assert refusal(answer).startswith("It cannot be won from here")
    over = table_of(gp.read("#####\n#@ *#\n#####\n"))
    assert refusal(over.do("hint")) == "hint: the level is already won"
    stuck = table_of(gp.read("####\n#@##\n##$#\n##.#\n####\n"))
    assert refusal(stuck.do("watch")) == "watch: no action is possible"


def test_hint_reports_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.table.hints.SOLUTION_LIMIT", gp.Limit(seconds=0))
    table = table_of(gp.read(TWO_LEVELS)[1])  # which brings no certificate
    answer = run_jobs(table, table.do("solve"))
    assert refusal(answer) == "No solution found in time"


@pytest.mark.slow
def test_adviser_gives_hints_when_game_is_too_long_to_solve() -> None:
    table = table_of(gp.levels_at("twenty48/standard/1"))
    hint = one(Hint, run_jobs(table, table.do("hint")))
    position = table.session.position
    assert hint.left is None
    assert hint.action in position.actions()
    assert hint.words().endswith(f"({hint.chance})")
    assert {part.split()[0] for part in hint.chance.split("; ")} == {
        str(action) for action in position.actions()
    }


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (7, "No move is left: you have lost."),
        (9, "This level is won already, and nothing is left to do."),
    ],
)
def test_level_that_is_over_from_the_start_is_not_completed(number: int, text: str) -> None:
    table = table_of(gp.levels_at("twenty48/positions"))
    answer = table.do(f"level {number}")
    assert one(Lost, answer).words() == text
    assert table.end == Lost(text)
    assert table.session.completed == ()


def test_end_of_a_game_that_goes_on_after_its_win_is_no_loss() -> None:
    table = table_of(gp.read("2048 2x2 spawn=spec target=16\n8 8\n0 0\n"))
    won = one(Won, table.do("left"))
    assert won.words() == "You have made 16, the target tile: you have won!"
    while actions := table.session.position.actions():
        answer = table.do(str(actions[0]))
    text = "You made 16 and won; no move is left."
    assert one(Lost, answer).words() == text
    assert table.end == Over(text)


def test_board_is_shown_once_after_many_actions() -> None:
    def table(actions: int) -> Table:
        steps = (("right", ""), ("left", "")) * (actions // 2)
        session = Session.resume(gp.read("@...o\n", "null"), 0, 0, {0: SavedPlay(0, steps, actions, False)})
        table = Table(session)
        table.do("right")
        return table

    few, many = table(20), table(2_000)
    for typed in ("left", "undo", "right"):
        assert lines_run(lambda typed=typed: few.do(typed)) == lines_run(lambda typed=typed: many.do(typed))  # type: ignore[misc]  # bound at once
    assert dict(many.board.counts) == {"actions": "2002"}


def test_first_actor_is_played_when_level_lacks_the_chosen_one() -> None:
    robots = "a: rule=A rotation=0\nb: rule=B rotation=0\n"
    two = gp.read(f"robots 3x2\n{robots}board:\na . A\nb . B\n")
    three = gp.read(f"robots 3x3\n{robots}c: rule=A rotation=0\nboard:\na . A\nb . B\nc . C\n")
    table = table_of([*three, *two])
    table.do("as c")
    assert kinds(table.do("level 2")) == ["action", "level", "position"]
    assert table.actor == "a"
    assert "up" in table.keys


@pytest.mark.parametrize("pack", ["sokoban/first-steps", "shiftit/boards"])
def test_win_leads_to_the_next_unsolved_level_and_around_the_end(pack: str) -> None:
    table = table_of(gp.levels_at(pack)[:3])
    visited = []
    table.do("level 2")
    while table.going:
        visited.append(table.session.current)
        follow_hints(table)
    assert visited == [1, 2, 0]


def test_blocked_action_is_marked_in_refusal() -> None:
    table = table_of(board("2 4 0 0\n" + "0 0 0 0\n" * 3))
    assert one(Refused, table.do("left")).blocked == "left"
    assert one(Refused, table.do("left")).data()["blocked"] == "left"
    assert one(Refused, table.do("left")).data()["silent"] is True  # it would change nothing
    wall = one(Refused, table_of(gp.read("######\n#@$ .#\n######")).do("up")).data()
    assert wall["blocked"] == "up"
    assert "silent" not in wall  # a wall is worth a word
    for text in ("undo 7", "nonsense", "level 9"):
        assert one(Refused, table.do(text)).blocked == ""
        assert "blocked" not in one(Refused, table.do(text)).data()


def test_new_table_of_a_session_reports_its_end() -> None:
    session = Session(board("2 4\n8 16\n"))
    assert Table(session).end == Table(session).end
    assert [end.kind if (end := Table(one).end) else None for one in (session, Session(null()))] == [
        "lost",
        None,
    ]
    won = Session(board("4 4\n0 0\n", target=8))
    Table(won).do("left")
    again = Table(won)
    assert again.end is not None
    assert (again.end.kind, again.just_won, again.question.text) == ("won", True, AFTER_WIN)
    again.do("continue")
    assert again.end is None
