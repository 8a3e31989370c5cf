"""Estimates of 2048: games played out by the kernel are those of the rules, and exact values those of the prover."""

from __future__ import annotations

import threading
from collections import Counter
from statistics import fmean

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.rng import Rng, derive
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48 import estimate as estimates
from gridproof.games.twenty48.estimate import estimate, part_values
from gridproof.games.twenty48.kernel.cells import NIBBLES
from gridproof.games.twenty48.kernel.packing import data_of, pack_cells
from gridproof.games.twenty48.kernel.snake import NONE, choose_move, play_snake
from gridproof.games.twenty48.snake import snake_value
from gridproof.games.twenty48.tiles import slide
from gridproof.prove.estimate import Estimate
from gridproof.prove.interval import Interval
from gridproof.prove.position_status import Badge, StatusQuery, verdicts
from gridproof.prove.verdict_line import verdict_detail, verdict_line


def last_estimate(position: Position, limit: gp.Limit | None = None) -> Estimate | None:
    """Return the estimate of the most games; None without any."""
    *_, found = (None, *estimate(position, limit or gp.Limit()))
    return found


SIZES = [(4, 4), (3, 3), (4, 3)]
MOVES = [*Move]


def slid(position: Position, move: Move) -> Position:
    """Return the board after a slide, before a tile appears."""
    cells = list(position.cells)
    for line, _ in position.level.lines[move]:
        cells[line] = slide(tuple(cells[line]))[0]
    return Position(position.level, tuple(cells))


def snake_move(position: Position) -> Move | None:
    """Return the move of the quick snake player, by the rules."""
    (tile, _), *_ = Counter(position.level.rule.tile).most_common()

    def best(after: Position) -> float:
        return max((snake_value(slid(after, move)) for move in Move if after.can_move(move)), default=-1.0)

    def worth(move: Move) -> float:
        after = slid(position, move).cells
        empty = [place for place, value in enumerate(after) if not value]
        return fmean(
            best(Position(position.level, (*after[:place], tile, *after[place + 1 :]))) for place in empty
        )

    return max((move for move in Move if position.can_move(move)), key=worth, default=None)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_games_played_out_are_those_of_the_rules(size: tuple[int, int]) -> None:
    level = Level(*size, spawn="classic")
    start = level.start(7)
    data, values, board = data_of(level, NIBBLES), part_values(*size), pack_cells(start.cells, NIBBLES)[0]
    move = next(move for move in MOVES if start.can_move(move))
    most, seed = 40, 11
    exponents, scores = np.full(2, MOVES.index(move)), np.zeros(2, np.int64)
    play_snake(data, values, board, most, np.uint64(seed), (exponents, scores))
    for game in range(2):
        position, chosen, score, own = start, move, 0, derive(seed, game)
        for number in range(1, most + 1):
            outcome = position.step(chosen, Rng(own, number))
            position, score = outcome.position, score + outcome.reward
            following = snake_move(position)
            if following is None:
                break
            chosen = following
        assert (1 << int(exponents[game]), scores[game]) == (max(position.cells), score)


@pytest.mark.parametrize("size", SIZES)
def test_first_move_is_that_of_the_rules(size: tuple[int, int]) -> None:
    level = Level(*size)
    data, values = data_of(level, NIBBLES), part_values(*size)
    for seed in range(3):
        position = level.start(seed)
        found = choose_move(data, values, pack_cells(position.cells, NIBBLES)[0], np.empty((2, 1), np.uint64))
        assert MOVES[found] == snake_move(position)


def test_lost_board_has_no_first_move_and_no_estimate() -> None:
    position = gp.read("2048 2x2 target=64\n2 4\n8 2\n")[0].start()
    assert isinstance(position, Position)
    data, values = data_of(position.level, NIBBLES), part_values(2, 2)
    board, room = pack_cells(position.cells, NIBBLES)[0], np.empty((2, 1), np.uint64)
    assert choose_move(data, values, board, room) == NONE
    assert last_estimate(position) is None


@pytest.mark.slow
def test_estimate_is_exact_when_few_positions_follow() -> None:
    start = gp.read("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")[0].start()
    assert isinstance(start, Position)
    found = last_estimate(start)
    assert found is not None
    assert (found.exact, found.goal, found.player) == (True, "reach 64", "the best play")
    chances, points = gp.value(start, "tile(64)"), gp.value(start, "score")
    assert found.here[:2] == pytest.approx((float(chances.best), float(points.best)))
    for text, prospect in found.actions:
        move = start.action(text)
        assert prospect.chance == pytest.approx(float(chances.at(start).actions[move]))
        assert prospect.points == pytest.approx(float(points.at(start).actions[move]))


@pytest.mark.slow
def test_chance_is_proved_where_the_next_move_surely_wins() -> None:
    start = gp.read("2048 4x4 target=2048\n1024 1024 8 2\n16 32 4 0\n2 4 0 0\n0 0 0 0\n")[0].start()
    assert isinstance(start, Position)
    found = last_estimate(start)
    assert found is not None
    assert (found.games, found.here.is_proved) == (estimates.GAMES[-1], True)
    assert {text: prospect.chance for text, prospect in found.actions} == {"left": 1, "right": 1, "down": 1}
    badge = Badge(estimate=found, complete=True)
    assert verdict_line(badge, start.level).startswith("Chance to reach 2048: 100 %; more points: about ")
    assert verdict_detail(badge).startswith(
        "The chance is proved for the best play, the points are an estimate: "
    )


@pytest.mark.slow
def test_estimate_stays_within_proved_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    start = gp.read("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")[0].start()
    assert isinstance(start, Position)
    bounds = {"left": Interval(0.9, 1.0), "right": Interval(0.0, 0.01), "up": Interval(0.25, 0.25)}
    monkeypatch.setattr(estimates, "_bound_chances", lambda position, goal, limit: bounds)
    found = last_estimate(start)
    assert found is not None
    chances = dict(found.actions)
    assert (chances["left"].chance >= 0.9, chances["right"].chance <= 0.01) == (True, True)
    assert (chances["up"].chance, chances["up"].is_proved, chances["left"].is_proved) == (0.25, True, False)


@pytest.mark.slow
def test_estimate_is_the_same_for_the_same_position() -> None:
    start = Level(3, 3, spawn="classic", target=256).start(1)
    found = last_estimate(start)
    assert found == last_estimate(start)
    assert found is not None
    assert (found.games, found.player) == (estimates.GAMES[-1], "a program")
    assert [text for text, _ in found.actions] == [str(move) for move in Move if start.can_move(move)]
    assert found.here == max(prospect for _, prospect in found.actions)
    assert found.best in [text for text, prospect in found.actions if prospect == found.here]
    assert all(0 <= prospect.chance <= 1 for _, prospect in found.actions)


@pytest.mark.slow
def test_estimate_of_more_games_follows_the_first_one() -> None:
    start = Level(3, 3, spawn="classic", target=256).start(1)
    first, second = estimate(start, gp.Limit())
    assert (first.games, second.games) == estimates.GAMES
    assert 0 < second.here.points_error < first.here.points_error


@pytest.mark.slow
def test_estimate_of_few_games_does_not_precede_exact_values() -> None:
    start = gp.read("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")[0].start()
    assert isinstance(start, Position)
    assert [one.exact for one in estimate(start, gp.Limit())] == [True]
    badges = list(verdicts(StatusQuery(start, Badge())))
    assert badges[-1].estimate is not None
    assert badges[-1].estimate.exact


def test_estimate_after_the_win_is_of_the_next_tile() -> None:
    won = gp.read("2048 2x2 target=16\n16 2\n2 0\n")[0].start()
    assert isinstance(won, Position)
    found = last_estimate(won)
    assert found is not None
    assert found.goal == "reach 32"


def test_large_boards_and_stopped_searches_have_no_estimate() -> None:
    assert last_estimate(Level(5, 5, target=8192).start()) is None
    stop = threading.Event()
    stop.set()
    assert last_estimate(Level(4, 4).start(), gp.Limit(stop=stop)) is None
