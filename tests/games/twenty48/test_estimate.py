"""Estimates of 2048: games played out by the kernel are those of the rules, and exact values those of the prover."""

from __future__ import annotations

import threading
from collections import Counter
from statistics import fmean
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.rng import Rng, derive
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48 import estimate as estimates
from gridproof.games.twenty48.estimate import estimate, part_values
from gridproof.games.twenty48.kernel.cells import NIBBLES
from gridproof.games.twenty48.kernel.packing import data_of, pack_cells
from gridproof.games.twenty48.kernel.rollout import NEVER, network_rollout, play_snake
from gridproof.games.twenty48.kernel.snake import NONE, choose_move
from gridproof.games.twenty48.kernel.sure_win import find_sure_slides
from gridproof.games.twenty48.network_player import NetworkPlayer
from gridproof.games.twenty48.snake import snake_value
from gridproof.games.twenty48.status import STATUS
from gridproof.games.twenty48.tiles import slide
from gridproof.prove.estimate import Estimate
from gridproof.prove.interval import Interval
from gridproof.prove.position_status import Badge, StatusQuery, verdicts
from gridproof.prove.verdict_line import describe_estimate, verdict_detail, verdict_line


def start_of(text: str) -> Position:
    """Return the start of a level."""
    position = gp.read(text)[0].start()
    assert isinstance(position, Position)
    return position


def known_estimate(position: Position) -> Estimate:
    """Return the estimate of the most games, where there is one."""
    found = last_estimate(position)
    assert found is not None
    return found


def last_estimate(position: Position, limit: gp.Limit | None = None) -> Estimate | None:
    """Return the estimate of the most games; None without any."""
    *_, found = (None, *estimate(position, limit or gp.Limit()))
    return found


SIZES = [(4, 4), (3, 3), (4, 3)]
MOVES = [*Move]


@pytest.mark.slow
def test_chance_of_a_tile_for_which_the_board_has_no_room_is_proved_to_be_0() -> None:
    start = start_of("2048 3x3 spawn=spec target=2048\n2 0 0\n0 2 0\n0 0 0\n")
    found = known_estimate(start)
    assert found.is_impossible
    assert describe_estimate(found) == "Chance to reach 2048: 0 %"


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("2048 5x4 target=2048\n2 2 0 0 0\n" + "0 0 0 0 0\n" * 3, "of at most 16 cells"),
        ("2048 2x2 target=65536\n32768 2\n0 0\n", "with tiles up to 16384"),
    ],
)
def test_notes_say_why_a_position_has_no_estimate(board: str, why: str) -> None:
    start = start_of(board)
    assert last_estimate(start) is None
    first = next(iter(STATUS.notes(start, Badge(), gp.Limit())))
    assert first.text == f"no estimate: chances are estimated on boards {why}"


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


def network_move(position: Position) -> Move | None:
    """Return the move of the package's network, by the rules."""
    reasons = NetworkPlayer(position.level.game).reasons(position)
    worths = {move: parts.points + sum(parts.tuples.values()) for move, parts in reasons.items()}
    return max(worths, key=worths.__getitem__, default=None)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "goal"), [*((size, NEVER) for size in SIZES), ((4, 4), 4)])
def test_games_played_out_are_those_of_the_rules(size: tuple[int, int], goal: int) -> None:
    level = Level(*size, spawn="classic")
    start, player = level.start(7), snake_move
    data, play = data_of(level, NIBBLES), play_snake
    values: Any = part_values(*size)
    board = pack_cells(start.cells, NIBBLES)[0]
    if goal != NEVER:
        network, player = NetworkPlayer(level.game).network, network_move
        values, play = network.tables, network_rollout(network.kernels)
    move = next(move for move in MOVES if start.can_move(move))
    most, seed = 40, 11
    exponents, scores = np.full(2, MOVES.index(move)), np.zeros(2, np.int64)
    play(data, values, board, goal, most, np.uint64(seed), (exponents, scores))
    for game in range(2):
        position, chosen, score, own = start, move, 0, derive(seed, game)
        for number in range(1, most + 1):
            outcome = position.step(chosen, Rng(own, number))
            position, score = outcome.position, score + outcome.reward
            following = player(position)
            if following is None or max(position.cells) >= 1 << goal:
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
    position = start_of("2048 2x2 target=64\n2 4\n8 2\n")
    data, values = data_of(position.level, NIBBLES), part_values(2, 2)
    board, room = pack_cells(position.cells, NIBBLES)[0], np.empty((2, 1), np.uint64)
    assert choose_move(data, values, board, room) == NONE
    assert last_estimate(position) is None


@pytest.mark.slow
def test_estimate_is_exact_when_few_positions_follow() -> None:
    start = start_of("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")
    found = known_estimate(start)
    assert (found.exact, found.goal, found.player) == (True, "reach 64", "the best play for each")
    chances, points = gp.value(start, "tile(64)"), gp.value(start, "score")
    assert found.here.chance == pytest.approx(float(chances.best))
    for text, prospect in found.actions:
        move = start.action(text)
        assert prospect.chance == pytest.approx(float(chances.at(start).actions[move]))
        assert prospect.points == pytest.approx(float(points.at(start).actions[move]))


@pytest.mark.slow
def test_estimate_has_the_moves_that_lose_at_once_beside_a_sure_win() -> None:
    found = known_estimate(start_of("2048 2x2 spawn=spec target=16\n8 4\n2 2\n"))
    assert {text: prospect.chance for text, prospect in found.actions} == {"left": 0, "right": 1}


@pytest.mark.slow
def test_won_board_has_points_where_the_next_tile_is_out_of_reach() -> None:
    won = start_of("2048 2x2 target=16\n16 2\n2 0\n")
    *_, badge = verdicts(StatusQuery(won, Badge()))
    assert verdict_line(badge, won.level) == "On average 20 more points by the end"
    assert verdict_detail(badge).startswith("Chance to reach 32: 0 %. Exact")


@pytest.mark.slow
def test_points_lead_once_the_target_is_made() -> None:
    found = {
        tile: known_estimate(start_of(f"2048 3x2 spawn=classic target=16\n{tile} 8 2\n4 2 0\n"))
        for tile in (8, 16)
    }
    assert {tile: one.points_lead for tile, one in found.items()} == {8: False, 16: True}


@pytest.mark.slow
def test_chance_is_proved_where_the_next_move_surely_wins() -> None:
    start = start_of("2048 4x4 target=2048\n1024 1024 8 2\n16 32 4 0\n2 4 0 0\n0 0 0 0\n")
    found = known_estimate(start)
    assert (found.games, found.here.is_proved) == (estimates.GAMES[-1], True)
    proved = {text: prospect.chance for text, prospect in found.actions if prospect.is_proved}
    assert proved == {"left": 1, "right": 1}
    badge = Badge(estimate=found, complete=True)
    assert verdict_line(badge, start.level) == "Chance to reach 2048: 100 %"
    assert " Chance proved; points from " in verdict_detail(badge)


@pytest.mark.slow
def test_chance_is_proved_where_a_few_moves_surely_win() -> None:
    start = start_of("2048 4x4 target=2048\n2 0 0 0\n0 0 0 0\n64 64 32 4\n128 256 512 1024\n")
    found = known_estimate(start)
    assert (found.here.chance, found.here.is_proved, found.best) == (1, True, "left")


def can_force(position: Position, goal: int, slides: int) -> bool:
    """Return whether a tile is surely made in so many slides, by the rules."""
    if max(position.cells) >= goal or slides == 0:
        return max(position.cells) >= goal
    return any(surely_makes(position, move, goal, slides) for move in position.actions())


def surely_makes(position: Position, move: Move, goal: int, slides: int) -> bool:
    """Return whether a tile is surely made in so many slides with a given first one, by the rules."""
    return all(can_force(outcome.position, goal, slides - 1) for outcome in position.outcomes(move))


@pytest.mark.slow
def test_sure_slides_are_those_of_the_rules() -> None:
    numbers, most, counts = np.random.default_rng(5), 3, Counter[int]()
    for _ in range(150):
        width, target = int(numbers.integers(2, 4)), int(numbers.choice([16, 32]))
        level = Level(width, 3, target=target)
        cells = tuple(int(tile) for tile in numbers.choice([0, 2, 4, 8, target // 2], width * 3))
        position, found = Position(level, cells), np.zeros(4, np.bool_)
        if max(cells) < 4:
            continue
        exponent, board = target.bit_length() - 1, pack_cells(cells, NIBBLES)[0]
        slides = find_sure_slides(data_of(level, NIBBLES), exponent, board, most, 100_000, found)
        sure = [move for move, is_sure in zip(MOVES, found, strict=True) if is_sure]
        by_rules = {
            number: [move for move in position.actions() if surely_makes(position, move, target, number)]
            for number in range(1, (slides or most) + 1)
        }
        assert (slides, sure) == next(((n, one) for n, one in by_rules.items() if one), (0, []))
        counts[slides] += 1
    assert len(counts) == most + 1


@pytest.mark.slow
def test_estimate_stays_within_proved_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")
    bounds = {"left": Interval(0.9, 1.0), "right": Interval(0.0, 0.01), "up": Interval(0.25, 0.25)}
    monkeypatch.setattr(estimates, "_bound_chances", lambda position, goal, limit: bounds)
    found = known_estimate(start)
    chances = dict(found.actions)
    assert (chances["left"].chance >= 0.9, chances["right"].chance <= 0.01) == (True, True)
    assert (chances["up"].chance, chances["up"].is_proved, chances["left"].is_proved) == (0.25, True, False)


@pytest.mark.slow
def test_estimate_is_the_same_for_the_same_position() -> None:
    start = Level(3, 3, spawn="classic", target=256).start(1)
    found = last_estimate(start)
    assert found == last_estimate(start)
    assert found is not None
    assert (found.games, found.player) == (estimates.GAMES[-1], "a simple program")
    assert [text for text, _ in found.actions] == [str(move) for move in Move if start.can_move(move)]
    assert dict(found.actions)[found.best] == found.here
    assert all(0 <= prospect.chance <= 1 for _, prospect in found.actions)


@pytest.mark.slow
def test_estimate_of_more_games_follows_the_first_one() -> None:
    start = Level(3, 3, spawn="classic", target=256).start(1)
    first, second = estimate(start, gp.Limit())
    assert (first.games, second.games) == estimates.GAMES
    assert (first.is_first, second.is_first) == (True, False)
    assert 0 < second.here.points_error < first.here.points_error


@pytest.mark.slow
def test_estimate_of_few_games_does_not_precede_exact_values() -> None:
    start = start_of("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")
    assert [one.exact for one in estimate(start, gp.Limit())] == [True]
    badges = list(verdicts(StatusQuery(start, Badge())))
    assert badges[-1].estimate is not None
    assert badges[-1].estimate.exact


def test_estimate_after_the_win_is_of_the_next_tile() -> None:
    won = start_of("2048 3x2 target=16\n16 2 0\n2 0 0\n")
    found = known_estimate(won)
    assert found.goal == "reach 32"


def test_large_boards_and_stopped_searches_have_no_estimate() -> None:
    assert last_estimate(Level(5, 5, target=8192).start()) is None
    stop = threading.Event()
    stop.set()
    assert last_estimate(Level(4, 4).start(), gp.Limit(stop=stop)) is None
