"""The document's own interface: BoardT and View."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.games.twenty48 import Level, rules, text, tiles
from gridproof.games.twenty48.document import BoardT, View

EMPTY = [0, 0, 0, 0]
DEAD = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]
NAMES = {
    "get_board": "getBoard", "get_score": "getScore", "get_high_score": "getHighScore", "empty_cells": "emptyCells",
    "is_game_won": "isGameWon", "is_game_lost": "isGameLost", "set_board": "setBoard", "reset_board": "resetBoard",
    "is_valid_move_right": "isValidMoveRight", "is_valid_move_left": "isValidMoveLeft",
    "is_valid_move_up": "isValidMoveUp", "is_valid_move_down": "isValidMoveDown",
    "move_right": "moveRight", "move_left": "moveLeft", "move_up": "moveUp", "move_down": "moveDown",
}  # fmt: skip
VIEW_NAMES = {
    "print_welcome_message": "printWelcomeMessage", "print_board": "printBoard", "print_move_prompt": "printMovePrompt",
    "print_score": "printScore", "print_high_score": "printHighScore", "print_losing_message": "printLosingMessage",
    "print_winning_message": "printWinningMessage", "print_farewell_message": "printFarewellMessage",
}  # fmt: skip


def make_board(*rows: list[int], level: Level | None = None, seed: int = 1) -> BoardT:
    board = BoardT(level, seed=seed)
    board.set_board(list(rows))
    return board


def state(board: BoardT) -> tuple[object, ...]:
    return (
        board.get_board(), board.get_score(), board.get_high_score(), board.empty_cells(),
        board.is_game_won(), board.is_game_lost(),
    )  # fmt: skip


def moves(board: BoardT) -> list[Callable[[], bool]]:
    return [board.move_right, board.move_left, board.move_up, board.move_down]


@pytest.mark.clause("T1", "T2", "T5")
def test_new_board_has_two_tiles_and_no_score() -> None:
    for seed in range(20):
        board = BoardT(seed=seed)
        rows = board.get_board()
        assert [len(row) for row in rows] == [4] * 4
        assert sorted(filter(None, itertools.chain(*rows))) in ([2, 2], [2, 4])
        assert board.get_score() == 0
        assert (board.is_game_won(), board.is_game_lost()) == (False, False)
        assert board.empty_cells() == {(y, x) for y in range(4) for x in range(4) if not rows[y][x]}


@pytest.mark.clause("T18")
def test_board_starts_by_seed_or_by_chance() -> None:
    assert BoardT(seed=3).get_board() == BoardT(seed=3).get_board()
    assert len({str(BoardT().get_board()) for _ in range(20)}) > 1
    with pytest.raises(GridproofError, match="seed"):
        BoardT(seed=2**64)


@pytest.mark.clause("T2")
def test_get_board_returns_a_copy() -> None:
    board = make_board([2, 2, 0, 0], EMPTY, EMPTY, EMPTY)
    board.get_board()[0][0] = 1024
    board.empty_cells().clear()
    assert board.get_board()[0] == [2, 2, 0, 0]
    assert len(board.empty_cells()) == 14


@pytest.mark.clause("T3", "T7")
@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 5), max_size=40))
def test_invariants_hold_after_every_operation(seed: int, operations: list[int]) -> None:
    board = BoardT(Level(3, 3), seed=seed)
    for operation in operations:
        before = board.get_high_score()
        if operation < 4:
            moves(board)[operation]()
        elif operation == 4:
            board.reset_board()
        else:
            board.set_board([[2, 2, 4], [4, 8, 8], [0, 0, 0]])
        assert 0 <= len(board.empty_cells()) <= 7
        assert 0 <= board.get_score() <= board.get_high_score()
        assert board.get_high_score() == max(before, board.get_score())


@pytest.mark.clause("T4", "T14")
def test_boards_share_nothing_but_the_high_score() -> None:
    first, second, other = (
        BoardT(Level(5, 2), seed=1),
        BoardT(Level(5, 2), seed=2),
        BoardT(Level(2, 5), seed=3),
    )
    before = state(second)
    first.set_board([[1024, 1024, 0, 0, 0], [0] * 5])
    first.move_left()
    assert first.get_score() == first.get_high_score() == second.get_high_score() == 2048
    assert state(second)[:2] + state(second)[3:] == before[:2] + before[3:]
    assert other.get_high_score() < 2048
    first.reset_board()
    assert (first.get_score(), first.get_high_score()) == (0, 2048)


@pytest.mark.clause("T6", "T7")
def test_moves() -> None:
    board = make_board([2, 2, 2, 0], [4, 4, 8, 0], [2, 2, 2, 2], EMPTY)
    assert board.move_right()
    after = board.get_board()
    assert [after[0][2:], after[1][2:], after[2][2:]] == [[2, 4], [8, 8], [4, 4]]
    assert board.get_score() == 4 + 8 + 8
    for move, place in [("left", (1, 0)), ("right", (1, 3)), ("up", (0, 1)), ("down", (3, 1))]:
        board = make_board(EMPTY, [0, 16, 0, 0], [2, 0, 0, 0], EMPTY)
        assert getattr(board, f"is_valid_move_{move}")()
        assert getattr(board, f"move_{move}")()
        assert board.get_board()[place[0]][place[1]] == 16


@pytest.mark.clause("T8", "T9")
def test_invalid_move_does_nothing() -> None:
    board = make_board([2, 4, 0, 0], EMPTY, EMPTY, EMPTY)
    before = state(board)
    assert [board.is_valid_move_left(), board.is_valid_move_up()] == [False, False]
    assert [board.is_valid_move_right(), board.is_valid_move_down()] == [True, True]
    assert board.move_left() is False
    assert board.move_up() is False
    assert state(board) == before
    same = make_board([2, 4, 0, 0], EMPTY, EMPTY, EMPTY)
    assert board.move_down() is same.move_down() is True
    assert board.get_board() == same.get_board()  # the refused moves have used no chance


@pytest.mark.clause("T11")
def test_won_and_lost() -> None:
    board = make_board([1024, 1024, 0, 0], EMPTY, EMPTY, EMPTY)
    assert not board.is_game_won()
    board.move_left()
    assert board.is_game_won()
    for _ in range(8):
        any(move() for move in moves(board))
        assert board.is_game_won()
    board.reset_board()
    assert not board.is_game_won()
    dead = make_board(*DEAD)
    assert (dead.is_game_won(), dead.is_game_lost()) == (False, True)
    assert not any(move() for move in moves(dead))


@pytest.mark.clause("T11")
def test_won_and_lost_at_once() -> None:
    board = make_board([8, 8], [2, 4], level=Level(2, 2, target=16))
    assert board.move_left()
    assert (board.is_game_won(), board.is_game_lost()) == (True, True)


@pytest.mark.clause("T12")
def test_set_board_keeps_the_scores_and_recomputes_the_rest() -> None:
    board = make_board([1024, 1024, 0, 0], EMPTY, EMPTY, EMPTY)
    board.move_left()
    score, high_score = board.get_score(), board.get_high_score()
    board.set_board(DEAD)
    assert state(board) == (DEAD, score, high_score, set(), False, True)
    board.set_board([[4096, 2, 2, 0], EMPTY, EMPTY, EMPTY])
    assert (board.is_game_won(), board.is_game_lost(), board.get_score()) == (True, False, score)
    assert len(board.empty_cells()) == 13
    board.move_left()
    assert board.get_score() == score + 4
    assert board.get_high_score() >= score + 4


@pytest.mark.clause("T12")
@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        (None, ["T12-form"]),
        ("2222", ["T12-form"]),
        (2, ["T12-form"]),
        ({}, ["T12-form"]),
        ([2, 2, 0, 0], ["T12-form"]),
        (["2200", "0000", "0000", "0000"], ["T12-form"]),
        (((2, 2, 0, 0),) * 4, ["T12-form"]),
        ([], ["T12-size", "T3-two-tiles"]),
        ([[]] * 4, ["T12-size", "T3-two-tiles"]),
        ([[2, 2, 0, 0]] * 3, ["T12-size"]),
        ([[2, 2, 0, 0]] * 5, ["T12-size"]),
        ([[2, 2, 0]] * 4, ["T12-size"]),
        ([[2, 2, 0, 0], EMPTY, EMPTY, [0]], ["T12-size"]),
        ([[2, 0, 0, 0], EMPTY, EMPTY, EMPTY], ["T3-two-tiles"]),
        ([EMPTY] * 4, ["T3-two-tiles"]),
        *(([[2, 2, bad, 0], EMPTY, EMPTY, EMPTY], ["T12-value"]) for bad in (
            None, "2", 2.5, 2.0, True, False, 1, 3, 6, -2, float("nan"), float("inf"), [2], 2j, b"2",
        )),
        ([[2, 2, 2**300, 0], EMPTY, EMPTY, EMPTY], ["T1-large"]),
    ],
)  # fmt: skip
def test_set_board_refuses(rows: list[list[int]], codes: list[str]) -> None:
    board = make_board([2, 4, 0, 0], EMPTY, EMPTY, EMPTY)
    before = state(board)
    with pytest.raises(ValueError, match="T") as caught:
        board.set_board(rows)
    assert isinstance(caught.value, InvalidLevel)
    assert [problem.code for problem in caught.value.problems] == codes
    assert state(board) == before


@pytest.mark.clause("T12")
def test_set_board_takes_the_boards_own_size() -> None:
    board = make_board([2, 0, 4], [0, 0, 0], level=Level(3, 2))
    assert board.get_board() == [[2, 0, 4], [0, 0, 0]]
    with pytest.raises(ValueError, match="T12-size: the board has not 2 rows of 3 cells"):
        board.set_board([[2, 2, 0, 0]] * 4)


@pytest.mark.clause("T13", "T18")
def test_reset_starts_anew_with_a_derived_seed() -> None:
    board, twin = BoardT(seed=77), BoardT(seed=77)
    starts = [board.get_board()]
    for _ in range(5):
        board.move_left()
        board.set_board([[2, 2, 2, 2]] * 4)
        board.reset_board()
        twin.reset_board()
        assert board.get_board() == twin.get_board()
        assert board.get_score() == 0
        assert len(board.empty_cells()) == 14
        assert (board.is_game_won(), board.is_game_lost()) == (False, False)
        starts.append(board.get_board())
    assert len({str(start) for start in starts}) > 3


# -- the view


@pytest.mark.clause("T15")
def test_view_output(capsys: pytest.CaptureFixture[str]) -> None:
    board = make_board([2, 0, 0, 16], EMPTY, [0, 4, 0, 0], EMPTY)
    View.print_board(board)
    assert (
        capsys.readouterr().out
        == "   2    .    .   16\n   .    .    .    .\n   .    4    .    .\n   .    .    .    .\n"
    )
    View.print_score(board)
    View.print_high_score(board)
    assert capsys.readouterr().out == f"Score: 0\nHigh score: {board.get_high_score()}\n"
    View.print_winning_message()
    assert capsys.readouterr().out.endswith("you have won!\nContinue, new game or exit?\n")
    View.print_losing_message()
    losing = capsys.readouterr().out
    assert losing.endswith("you have lost.\nTry again or exit?\n")
    assert "ontinue" not in losing
    View.print_move_prompt()
    assert capsys.readouterr().out == "Your move (left, right, up or down):\n"
    View.print_welcome_message()
    View.print_farewell_message()
    assert capsys.readouterr().out.startswith("Slide the tiles: ")


@pytest.mark.clause("T16")
def test_routines_also_have_the_spelling_of_the_document() -> None:
    for library, names in ((BoardT, NAMES), (View, VIEW_NAMES)):
        assert {name for name in vars(library) if not name.startswith("_")} == {*names, *names.values()}
        for name, alias in names.items():
            assert getattr(library, alias) is getattr(library, name)
            assert inspect.getdoc(getattr(library, name))


class Stub:
    """A model that has nothing but access routines."""

    def get_board(self) -> list[list[int]]:
        return [[2, 0], [0, 4]]

    def get_score(self) -> int:
        return 5

    def get_high_score(self) -> int:
        return 6


@pytest.mark.clause("T16")
def test_view_uses_only_access_routines_and_keeps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = dict(vars(View))
    for show in (View.print_board, View.print_score, View.print_high_score):
        show(Stub())  # type: ignore[arg-type]  # it stands in for a position
    assert capsys.readouterr().out == "   2    .\n   .    4\nScore: 5\nHigh score: 6\n"
    assert dict(vars(View)) == before


@pytest.mark.clause("T16")
def test_model_does_not_know_the_view() -> None:
    assert "View" not in inspect.getsource(BoardT)
    assert "print" not in inspect.getsource(BoardT)
    for module in (rules, tiles, text):
        assert not {"look", "document", "LOOK", "View"} & set(vars(module))
