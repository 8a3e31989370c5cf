"""Transcripts of games in lines of text."""

from __future__ import annotations

import io

import pytest
from tests.table.games import TWO_LEVELS, board, null, played

import gridproof as gp
from gridproof.console.plain import PlainPlay
from gridproof.core.session import AlreadySaved, Session
from gridproof.core.text.level_lookup import pack_names
from gridproof.table.prompt import AFTER_LOSS, AFTER_WIN
from gridproof.table.table import Table


def test_plain_play_of_a_whole_game() -> None:
    text, session = played(null("null/first/1"), "left", "right", "right")
    assert text == (
        "Walk to the flag; a hop carries you one cell or two, as chance has it.\n"
        "One step\n"
        "\n.@o\n\nactions 0\n"
        "left, right or hop? left\n"
        "\n@.o\n\nactions 1\n"
        "left, right or hop? right\n"
        "\n.@o\n\nactions 2\n"
        "left, right or hop? right\n"
        "\n..@\n\nactions 3\n"
        "You have won!\n"
        "Good-bye!\n"
    )
    assert session.completed == (0,)


def test_end_of_input_ends_game_with_farewell() -> None:
    text, _ = played(null())
    assert text.endswith("left, right or hop? \nGood-bye!\n")
    output = io.StringIO()
    PlainPlay(Table(Session(null())), io.StringIO("left"), output).run()  # a last line without its end counts
    assert "actions 1" in output.getvalue()
    assert output.getvalue().endswith("Good-bye!\n")


def test_ctrl_c_ends_game_with_farewell() -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: object) -> str:  # type: ignore[override]  # it ends, where a text goes on
            raise KeyboardInterrupt

    output = io.StringIO()
    PlainPlay(Table(Session(null())), Interrupted(), output).run()
    assert output.getvalue().endswith("hop? \nGood-bye!\n")


@pytest.mark.parametrize("word", ["quit", "exit", "q", "bye", "QUIT", "  quit  "])
def test_leave_command_ends_game(word: str) -> None:
    text, _ = played(null(), word, "left")
    assert text.endswith(f"{word}\nGood-bye!\n")


@pytest.mark.parametrize("typed", ["left", "LEFT", "a", "l", "le", "1", "  left "])
def test_action_is_accepted_by_all_its_names(typed: str) -> None:
    _, session = played(null("null/first/3"), typed)
    assert session.position.text() == "..o..@...\n"


def test_first_letters_take_precedence_over_vi_keys() -> None:
    _, session = played(null("null/first/3"), "h")
    assert [str(action) for action in session.trace().actions] == ["hop"]


def test_several_actions_are_accepted_on_a_line() -> None:
    text, session = played(null("null/first/3"), "left, l a; left")
    assert session.completed == (0,)
    assert text.count("\n\nactions") == 2  # the boards on the way are not shown


def test_several_actions_stop_at_first_impossible_one() -> None:
    text, session = played(null("null/first/1"), "left left right")
    assert session.actions_done == 1
    assert "1 of 3 actions done\nleft: it cannot be executed here. Type ? for help.\n" in text


def test_several_actions_stop_at_a_win() -> None:
    text, session = played(gp.read(TWO_LEVELS), "right right right")
    assert session.completed == (0,)
    assert session.actions_done == 0
    assert "Level 2 of 2: second" in text


@pytest.mark.parametrize(
    "typed",
    [
        "foo",
        "99",
        "0",
        "-1",
        "9" * 400,
        "undo 7",
        "undo x",
        "redo",
        "level 5",
        "level",
        "save",
        "(",
        "\x1b[2J",
        "é",
        "x" * 9999,
    ],
)
def test_unknown_input_is_reported_and_changes_nothing(typed: str) -> None:
    text, session = played(null("null/first/3"), "left", typed, "left")
    assert session.position.text() == "..o.@....\n"
    assert "Type ? for help.\n" in text
    refusal = text.rpartition(" Type ? for help.")[0].rpartition("left, right or hop? ")[2].partition("\n")[2]
    assert refusal.isprintable()
    assert len(refusal) < 2200


def test_blank_line_repeats_prompt() -> None:
    text, _ = played(null(), "", "  ")
    assert text.count("left, right or hop? ") == 3


def test_ambiguous_letters_are_refused_with_choices() -> None:
    text, session = played(gp.read("shiftit 2x2\nr g\ng r\n"), "RM", "RM(0,r")
    assert "RM: it may mean RM(0,left) or RM(0,right) or " in text
    assert [str(action) for action in session.trace().actions] == ["RM(0,right)"]


def test_help_lists_actions_in_words_with_numbers_and_commands() -> None:
    text, _ = played(null(), "help")
    assert "   1  left (l, a)\n   2  right (r, d)\n   3  hop (h, space)\n" in text
    assert "  undo [N]: undo the last action, or N actions\n" in text
    assert played(null(), "?")[0].count("save FILE") == 1


def test_help_hangs_below_its_items_on_narrow_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.console.plain.terminal_width", lambda stream: 30)
    text, _ = played(null(), "help")
    assert "  undo [N]: undo the last\n    action, or N actions\n" in text
    assert max(map(len, text.splitlines())) <= 30


def test_help_lists_available_commands_only() -> None:
    one, many = (played(null(pack), "help")[0] for pack in ("null/first/1", "null/first"))
    assert "level N" not in one
    assert "level N" in many
    assert "continue" not in many
    assert "continue" in played(board("2 2\n0 0\n"), "help")[0]


def test_undo_redo_and_restart() -> None:
    text, session = played(null("null/first/3"), "left left left", "undo", "undo 2", "redo", "redo 1")
    assert session.position.text() == "..o.@....\n"
    assert "..o...@..\n\nactions 0" in text
    _, session = played(null("null/first/3"), "left left", "restart")
    assert session.actions_done == 0
    _, session = played(null("null/first/3"), "left left", "restart", "redo 2")
    assert session.actions_done == 2


def test_redo_into_a_win_is_a_win() -> None:
    text, _ = played(null("null/first/3"), "left left left", "undo 3", "redo 3", "left")
    assert text.endswith("You have won!\nGood-bye!\n")
    text, _ = played(board("4 4 0 0\n0 0 0 0\n", 8), "left", "undo", "redo")
    assert text.count("you have won!") == 2


def test_next_level_follows_win_and_farewell_follows_last() -> None:
    text, session = played(gp.read(TWO_LEVELS), "r", "r", "r", "left")
    first, second = text.split("Level 2 of 2: second\n")
    shown, _, said = first.rpartition("moves 1, pushes 1\n")
    assert shown.endswith("#####\n# @*#\n#####\n\n")
    assert said.endswith(gp.game("sokoban").look.won + "\n")
    assert second.endswith(f"All levels are done.\n{session.game.look.farewell}\n")
    assert session.completed == (0, 1)


def test_next_level_follows_win_when_session_stays_on_level() -> None:
    text, session = played(null("null/first"), "right", "hop hop", "hop")
    assert "Level 2 of 3: A walk" in text
    assert session.completed[0] == 0


def test_levels_can_be_listed_and_chosen() -> None:
    text, session = played(gp.read(TWO_LEVELS), "r", "level 1", "levels", "level 2", "r r")
    assert "   1  first, current\n   2  second, to do\n" in text
    assert session.completed == (0, 1)


def test_level_won_at_its_start_is_done_at_once() -> None:
    text, session = played(gp.read("#####\n#@ *#\n#####\n"))
    assert session.completed == (0,)
    assert text.endswith(f"{session.game.look.won}\n{session.game.look.farewell}\n")


def test_lost_level_offers_to_try_again() -> None:
    stuck = "####\n#@##\n##$#\n##.#\n####\n"
    text, _ = played(gp.read(stuck), "quit")
    assert gp.game("sokoban").look.lost in text
    assert f"{AFTER_LOSS} quit" in text


@pytest.mark.clause("T15")
def test_win_of_2048_is_announced_once_and_game_may_continue() -> None:
    text, session = played(board("4 4 0 0\n0 0 0 0\n", 8), "left", "continue", "right", "left")
    assert text.count("you have won!") == 1
    assert text.count(AFTER_WIN) == 1
    assert session.actions_done >= 2
    said = text.partition("you have won!")[2]
    assert said.lstrip().startswith(AFTER_WIN)


@pytest.mark.clause("T15")
def test_action_after_win_continues_and_new_game_restarts() -> None:
    text, session = played(board("4 4 0 0\n0 0 0 0\n", 8), "left", "right")
    assert session.actions_done == 2
    assert text.count(AFTER_WIN) == 1
    text, session = played(board("4 4 0 0\n0 0 0 0\n", 8), "left", "new game")
    assert session.actions_done == 0
    assert "score 0, high score 8" in text


@pytest.mark.clause("T15")
def test_loss_in_winning_move_reports_both_without_continue() -> None:
    text, session = played(board("4 4\n2 4\n", 8), "left")
    won, lost = text.find(session.game.look.win_text(session.position)), text.find(session.game.look.lost)
    assert session.position.lost  # type: ignore[attr-defined]  # 2048's
    assert 0 < won < lost
    assert AFTER_WIN not in text
    assert text.partition(session.game.look.lost)[2].lstrip().startswith(AFTER_LOSS)


@pytest.mark.clause("T15")
def test_lost_game_can_be_tried_again() -> None:
    full = "2 4\n8 16\n"
    text, session = played(board(full), "left", "again", "undo", "exit")
    assert text.count(AFTER_LOSS) == 4
    assert "left: " in text
    assert text.endswith(f"{session.game.look.farewell}\n")


@pytest.mark.clause("T15", "T7")
def test_score_and_high_score_are_shown() -> None:
    text, _ = played(board("4 4 2 2\n0 0 0 0\n"), "left", "undo")
    assert "left, 12 points\n" in text
    assert "score 12, high score 12" in text
    assert "score 0, high score 12" in text


@pytest.mark.clause("T15")
def test_invalid_direction_is_reported_and_prompt_repeated() -> None:
    text, session = played(board("2 0\n4 0\n"), "left")
    assert session.actions_done == 0
    assert (
        "left: it would change nothing: no tile has room there, and no equal tiles meet. Type ? for help.\n"
        in text
    )
    assert text.count(session.game.look.prompt) == 2


def test_action_takes_precedence_over_command_of_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridproof.games.null.rules import Move

    levels = null("null/first/3")
    monkeypatch.setattr(Move, "__str__", lambda move: {"left": "undo"}.get(move.value, move.value))
    _, session = played(levels, "undo", "undo")
    assert session.actions_done == 2


@pytest.mark.slow
def test_plain_play_works_in_every_game() -> None:
    for name in (*gp.game_names(), "null"):
        for pack in pack_names(gp.game(name)):
            text, session = played(gp.levels_at(f"{name}/{pack}"), "?", "1", "undo", "levels", "left")
            assert text.startswith(session.game.look.welcome.split()[0])
            assert text.endswith(f"{session.game.look.farewell}\n")
            assert "   1  " in text


def test_arrow_keys_are_accepted_and_shown_by_name() -> None:
    text, session = played(gp.read(TWO_LEVELS)[1], "\x1b[C\x1b[D", "\x1bOC")
    assert [str(action) for action in session.trace().actions] == ["right", "left", "right"]
    assert "bomb? right left\n" in text
    assert "\x1b" not in text


def test_command_prefix_is_accepted_when_no_action_has_it() -> None:
    text, session = played(null("null/first/2"), "right", "und", "rest", "redo", "und 1", "re", "ri")
    assert (session.actions_done, session.actions_undone) == (1, 0)
    assert "re: no such action" in text  # redo and restart begin so


def test_board_is_shown_when_action_was_saved_after_all() -> None:
    session = Session(null("null/first/2"))
    kept = session.copy()
    kept.act("right")

    class MemoryStore:
        def high_score(self, key: str) -> int:
            return 0

        def keep(self, *_: object) -> None:
            raise AlreadySaved(kept)

    session._store = MemoryStore()
    output = io.StringIO()
    PlainPlay(Table(session), io.StringIO("left\n"), output).run()
    assert "saved after all, so nothing else was done. Type ? for help.\n\n.." in output.getvalue()
    assert output.getvalue().count("actions 1") == 1


def test_hint_and_solution_are_printed_and_game_continues() -> None:
    text, session = played(gp.read(TWO_LEVELS)[1], "hint", "solve", "right", "right")
    assert "? hint\nSearching for a solution ...\ngo right (2 moves to the win)\n" in text
    assert "? solve\n2 moves, the fewest possible: rR\n" in text
    assert session.completed == (0,)


def test_ctrl_c_cancels_job_and_game_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gridproof.table.hints.find_solution", interrupt)
    text, session = played(gp.read(TWO_LEVELS)[1], "solve", "right")
    assert "? solve\nSearching for a solution ...\n\nStopped.\n" in text
    assert session.actions_done == 1


@pytest.mark.clause("S5")
def test_board_numbers_rows_and_columns_from_1_at_the_upper_left() -> None:
    written, session = played(gp.read("shiftit 2x3\nr g\ny y\nr g*\n"), "RM(2,left)")
    assert "    1  2\n1   r  g\n2   y  y\n3   r g*\n" in written
    assert "    1  2\n1   g  r\n2   y  y\n3   r g*\n" in written
    assert session.actions_done == 1
