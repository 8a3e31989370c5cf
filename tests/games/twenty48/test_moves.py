"""Moves of 2048: how tiles slide and combine, and which moves are valid."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.errors import IllegalAction
from gridproof.core.rng import Rng
from gridproof.core.session import Session
from gridproof.games.twenty48 import Level, Merged, Move, Position, Spawned
from gridproof.games.twenty48.tiles import SlideCache

LEFT, RIGHT, UP, DOWN = Move
STEPS = {LEFT: (0, -1), RIGHT: (0, 1), UP: (-1, 0), DOWN: (1, 0)}
Rows = tuple[tuple[int, ...], ...]


def make_position(*rows: list[int]) -> Position:
    return Level(len(rows[0]), len(rows), board=rows).start()


def slide_result(position: Position, move: Move) -> tuple[Rows, int]:
    """Return the board after the slide alone, and its score: an outcome without its new tile."""
    outcome = position.outcomes(move)[0]
    spawned = outcome.events[-1]
    assert isinstance(spawned, Spawned)
    rows = [list(row) for row in outcome.position.rows]
    rows[spawned.cell[0]][spawned.cell[1]] = 0
    return tuple(map(tuple, rows)), outcome.reward


def naive_slide(rows: Rows, move: Move) -> tuple[Rows, int]:
    """The law of T6 a second time: tile by tile and step by step, those nearest the edge first."""
    height, width = len(rows), len(rows[0])
    down, right = STEPS[move]
    board = {(y, x): rows[y][x] for y in range(height) for x in range(width)}
    made, gained = set(), 0
    for y, x in sorted(board, key=lambda cell: -(cell[0] * down + cell[1] * right)):
        tile, place = board[y, x], (y, x)
        if not tile:
            continue
        while board.get(after := (place[0] + down, place[1] + right)) == 0:
            board[place], board[after], place = 0, tile, after
        if board.get(after) == tile and after not in made:
            board[place], board[after] = 0, 2 * tile
            made.add(after)
            gained += 2 * tile
    return tuple(tuple(board[y, x] for x in range(width)) for y in range(height)), gained


sizes = st.integers(2, 6)
tiles = st.integers(0, 5).map(lambda n: 2**n if n else 0)


@st.composite
def boards(draw: st.DrawFn) -> Position:
    """Any board with two tiles."""
    width, height = draw(sizes), draw(sizes)
    rows = draw(
        st.lists(st.lists(tiles, min_size=width, max_size=width), min_size=height, max_size=height).filter(
            lambda rows: sum(map(bool, itertools.chain(*rows))) >= 2
        )
    )
    return make_position(*rows)


# -- T6, T7: moves


@pytest.mark.clause("T6", "T7")
@pytest.mark.parametrize(
    ("line", "after", "gained"),
    [
        ([2, 2, 2, 0], (0, 0, 2, 4), 4),
        ([4, 4, 8, 0], (0, 0, 8, 8), 8),
        ([2, 2, 2, 2], (0, 0, 4, 4), 8),
        ([2, 0, 0, 2], (0, 0, 0, 4), 4),
        ([2, 4, 0, 0], (0, 0, 2, 4), 0),
        ([4, 2, 2, 0], (0, 0, 4, 4), 4),
        ([2, 0, 2, 4], (0, 0, 4, 4), 4),
        ([1024, 1024, 0, 0], (0, 0, 0, 2048), 2048),
    ],
)
def test_line_slides_to_the_right(line: list[int], after: tuple[int, ...], gained: int) -> None:
    rows, reward = slide_result(make_position(line, [2, 0, 0, 0]), RIGHT)
    assert rows == (after, (0, 0, 0, 2))
    assert reward == gained


@pytest.mark.clause("T6")
def test_board_slides_in_each_direction() -> None:
    position = make_position([2, 0, 2], [0, 4, 0], [2, 0, 0])
    assert slide_result(position, LEFT)[0] == ((4, 0, 0), (4, 0, 0), (2, 0, 0))
    assert slide_result(position, RIGHT)[0] == ((0, 0, 4), (0, 0, 4), (0, 0, 2))
    assert slide_result(position, UP)[0] == ((4, 4, 2), (0, 0, 0), (0, 0, 0))
    assert slide_result(position, DOWN)[0] == ((0, 0, 0), (0, 0, 0), (4, 4, 2))


@pytest.mark.clause("T9")
def test_move_that_changes_nothing_is_refused_with_its_reason() -> None:
    position = make_position([2, 4], [0, 0])
    with pytest.raises(
        IllegalAction, match=r"^up: it would change nothing: no tile has room there, and no equal"
    ):
        position.action("up")
    with pytest.raises(IllegalAction, match=r"^jump: no such action; choose from left, right, up, down$"):
        position.action("jump")


@pytest.mark.clause("T6", "T7", "T8", "T9")
@given(boards(), st.sampled_from(Move))
def test_slides_equal_a_naive_twin(position: Position, move: Move) -> None:
    rows, gained = naive_slide(position.rows, move)
    assert (move in position.actions()) == position.can_move(move) == (rows != position.rows)
    if rows == position.rows:
        with pytest.raises(IllegalAction, match="it would change nothing: no tile has room there"):
            position.outcomes(move)
    else:
        assert slide_result(position, move) == (rows, gained)


@pytest.mark.clause("T6", "T7")
def test_combinations_are_events() -> None:
    (outcome, *_) = make_position([2, 2, 4, 4], [0, 0, 0, 8]).outcomes(RIGHT)
    assert outcome.events == (Merged((0, 3), 8), Merged((0, 2), 4), Spawned((0, 0), 2))
    assert outcome.reward == 12
    (outcome, *_) = make_position([2, 8], [0, 8], [2, 0]).outcomes(DOWN)
    assert outcome.events == (Merged((2, 0), 4), Merged((2, 1), 16), Spawned((0, 0), 2))
    assert outcome.reward == 20


def test_slide_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlideCache, "MOST", 3)
    slides = SlideCache()
    for tile in (2, 4, 8, 16, 32):
        assert slides[tile, tile].line == (2 * tile, 0)
        assert len(slides) <= 3


# -- T8, T9: valid moves


@pytest.mark.clause("T8")
def test_valid_moves_in_a_fixed_order() -> None:
    assert make_position([2, 0], [0, 2]).actions() == (LEFT, RIGHT, UP, DOWN)
    assert make_position([2, 4], [0, 0]).actions() == (DOWN,)
    assert make_position([2, 2], [4, 8]).actions("player") == (LEFT, RIGHT)
    assert make_position([2, 2], [4, 8]).actions("nature") == ()
    assert [str(move) for move in Move] == ["left", "right", "up", "down"]


@pytest.mark.clause("T9")
def test_invalid_move_is_refused_everywhere() -> None:
    position = make_position([2, 4], [0, 0])
    for refused in (
        lambda: position.outcomes(UP),
        lambda: position.step(UP, Rng()),
        lambda: position.outcome(UP, "2@(1,1)"),
        lambda: position.action("up"),
        lambda: position.action("sideways"),
        lambda: position.outcomes("up"),  # type: ignore[arg-type]  # a text means the action
        lambda: position.outcomes(3),  # type: ignore[arg-type]  # what is tried
    ):
        with pytest.raises(IllegalAction):
            refused()
    session = Session(position.level, seed=3)
    with pytest.raises(IllegalAction):
        session.act("up")
    assert (session.position, session.score, session.actions_done) == (position, 0, 0)
