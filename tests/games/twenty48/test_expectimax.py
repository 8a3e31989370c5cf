"""The player that looks ahead does what the rules and brute force say."""

from __future__ import annotations

import itertools
import random
from operator import mul
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.rng import Rng
from gridproof.games.twenty48 import Level, Move, Position, expectimax
from gridproof.games.twenty48.expectimax import ExpectimaxPlayer, line_worths
from gridproof.games.twenty48.snake import SNAKE
from gridproof.games.twenty48.tiles import slide

GAME = gp.game("twenty48")
SPAWNS = ["spec", "classic"]


def exponents(tiles: list[int]) -> list[int]:
    return [tile.bit_length() - 1 if tile else 0 for tile in tiles]


def worth_of_line(tiles: list[int]) -> float:
    """The worth of a row or column, from its definition."""
    cells = exponents(tiles)
    runs = [len([*same]) for cell, same in itertools.groupby(cell for cell in cells if cell)]
    equal = sum(length for length in runs if length > 1)
    powers = [float(cell) ** expectimax._SLOPE_POWER for cell in cells]
    steps = [after - before for before, after in itertools.pairwise(powers)]
    slope = min(sum(step for step in steps if step > 0), -sum(step for step in steps if step < 0))
    weights = expectimax._EMPTY, expectimax._EQUAL, -expectimax._SLOPE, -expectimax._SUM
    parts = cells.count(0), equal, slope, sum(float(cell) ** expectimax._SUM_POWER for cell in cells)
    return float(sum(map(mul, weights, parts)))


def worth(cells: tuple[int, ...]) -> float:
    rows = [list(cells[4 * row : 4 * row + 4]) for row in range(4)]
    columns = [list(cells[column::4]) for column in range(4)]
    return sum(map(worth_of_line, rows + columns))


def slid(position: Position, move: Move) -> tuple[int, ...]:
    cells = list(position.cells)
    for line, _ in position.level.lines[move]:
        cells[line] = slide(tuple(cells[line]))[0]
    return tuple(cells)


def value(position: Position, move: Move, plies: int) -> float:
    """The value of a move by brute force over the rules."""
    if plies == 1:
        return worth(slid(position, move))
    return sum(
        float(outcome.probability)
        * max(
            (value(outcome.position, then, plies - 1) for then in Move if outcome.position.can_move(then)),
            default=expectimax._LOST,
        )
        for outcome in position.outcomes(move)
    )


def random_position(luck: random.Random, spawn: str, empty: int) -> Position:
    """A board with so many empty cells, which can be moved."""
    while True:
        cells = [0] * empty + [1 << luck.randrange(1, 12) for _ in range(16 - empty)]
        luck.shuffle(cells)
        rows = [cells[row : row + 4] for row in range(0, 16, 4)]
        position = Level(spawn=spawn, target=4096, board=rows).start()
        if any(map(position.can_move, Move)):
            return position


def test_worths_of_lines_are_those_of_their_definition() -> None:
    luck = random.Random(3)
    for number in [*luck.sample(range(1 << 16), 400), 0, 0xFFFF, 0x1101, 0x2220]:
        tiles = [1 << cell if (cell := number >> 4 * place & 15) else 0 for place in range(4)]
        assert line_worths()[number] == pytest.approx(worth_of_line(tiles))


@pytest.mark.slow
@pytest.mark.parametrize("spawn", SPAWNS)
@pytest.mark.parametrize(("plies", "empty"), [(1, 9), (1, 0), (2, 9), (2, 1), (3, 1)])
def test_values_are_those_of_brute_force(
    spawn: str, plies: int, empty: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expectimax, "_LEAST_CHANCE", 0.0)
    luck, player = random.Random(plies), gp.player(GAME, "expectimax", plies=plies)
    for _ in range(4):
        position = random_position(luck, spawn, empty)
        moves = [move for move in Move if position.can_move(move)]
        expected = {move: value(position, move, plies) for move in moves}
        assert player.values(position) == pytest.approx(expected)


def test_reasons_are_the_parts_of_the_value_one_slide_ahead() -> None:
    luck, player = random.Random(8), ExpectimaxPlayer(GAME, plies=1)
    for empty in (9, 3, 0):
        position = random_position(luck, "classic", empty)
        reasons = player.reasons(position)
        sums = {move: sum(parts.values()) for move, parts in reasons.items()}
        assert sums == pytest.approx(player.values(position))
        for move, parts in reasons.items():
            assert [*parts] == [*expectimax.FEATURES]
            assert parts["empty cells"] == 2 * expectimax._EMPTY * slid(position, move).count(0)
    small = Level(3, 3).start()
    assert player.reasons(small) == SNAKE.reasons(small)


def test_same_position_has_same_values_whatever_was_asked_before() -> None:
    luck, player = random.Random(5), gp.player(GAME, "expectimax", plies=4)
    positions = [random_position(luck, "classic", 5) for _ in range(6)]
    first = [player.values(position) for position in positions]
    assert [player.values(position) for position in reversed(positions)] == first[::-1]
    assert [gp.player(GAME, "expectimax", plies=4).values(one) for one in positions] == first


@pytest.mark.parametrize(
    "level",
    [
        Level(3, 3),
        Level(5, 4, spawn="classic"),
        Level(board=[[32768, 16384, 16384, 0], [2, 4, 2, 4], [0] * 4, [0] * 4], target=131072),
    ],
    ids=["small", "large", "sum"],
)
def test_other_boards_are_played_as_the_snake_does(level: Level) -> None:
    position = level.start(2)
    assert gp.player(GAME, "expectimax").values(position) == SNAKE.values(position)


def test_time_limit_ends_deeper_searches() -> None:
    position = random_position(random.Random(1), "classic", 6)
    shallow = gp.player(GAME, "expectimax", plies=1).values(position)
    assert gp.player(GAME, "expectimax", seconds=1e-9).values(position) == shallow
    deep = gp.player(GAME, "expectimax", plies=2).values(position)
    assert gp.player(GAME, "expectimax", plies=2, seconds=60).values(position) == deep != shallow


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"plies": 0}, "plies 0: it must be a whole number from 1 to 12"),
        ({"plies": 13}, "plies 13: it must be a whole number from 1 to 12"),
        ({"plies": True}, "plies True: it must be a whole number from 1 to 12"),
        ({"seconds": 0}, "seconds 0: it must be a number above 0"),
        ({"seconds": "1"}, "seconds '1': it must be a number above 0"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gp.GridproofError, match=f"^{message}$"):
        ExpectimaxPlayer(GAME, **options)


@pytest.mark.slow
def test_player_reaches_2048_on_a_classic_board() -> None:
    player, level = ExpectimaxPlayer(GAME), Level(spawn="classic")
    for seed in range(3):
        position, number = level.start(seed), 0
        while not position.won:
            number += 1
            position = position.step(player(position), Rng(seed, number)).position
            assert not position.lost or position.won
