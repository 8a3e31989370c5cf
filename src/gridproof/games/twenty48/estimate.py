"""Estimates of 2048: the chance of the target and the expected points, exact on small boards, else by games played out."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.rng import derive
from gridproof.games.twenty48.network_player import NetworkPlayer
from gridproof.games.twenty48.propositions import (
    has_room_for,
    max_tile,
    min_moves_to_tile,
    next_target,
)
from gridproof.games.twenty48.rules import Move, Position
from gridproof.games.twenty48.snake import snake_weights
from gridproof.prove.estimate import Estimate, Prospect
from gridproof.prove.interval import ANYTHING, Interval

GAMES = (50, 300)
"""Games played out for each move by the first estimate, and by the second one."""
_BATCH = 10
"""Games of each move between two looks at `stop`."""
_MOST_CELLS = 16
_LARGEST = 1 << 14
"""The largest tile on a board whose games are played out; the kernel has 4 bits a cell."""
_MOST_SUM = 1 << 16
"""No board with a smaller sum of tiles has two tiles 32768."""
_STATES = 100_000
_NEAR = 24
"""The most moves to the goal for which exact values are tried."""
_MOST_SURE = 8
"""The most moves of a win that is sure whatever tiles appear."""
_SURE_NODES = 200_000
"""The most boards on which such wins are looked for."""
_EXACT = 1e-9
"""The largest error of a chance that counts as exact."""
_DIGITS = 12
"""Decimal digits of a chance that rounding leaves."""

Array = np.ndarray[Any, Any]


class _Player(NamedTuple):
    """Player of the games that are played out."""

    name: str
    play: Any
    """A kernel of `kernel.rollout`."""
    values: Any
    """Worth of boards, in the form that the kernel takes."""
    points: Mapping[str, float] | None = None
    """The points that it expects after each move; None if its games are played to the end to count them."""


def estimate(position: Position, limit: Limit) -> Iterator[Estimate]:
    """Yield estimates of the chance of the target, once it is reached of the next tile, and of the expected points.

    A won game goes on for points where the next tile is out of reach, too.

    Where the goal is near, chances are proved first: the games would say something else for a moment. Otherwise the
    first estimate is of few games and takes some milliseconds.
    """
    moves = [move for move in Move if position.can_move(move)]
    if not moves or explain_no_estimate(position):
        return
    if limit.stop is not None and limit.stop.is_set():
        return
    goal = next_target(position)
    bounds: dict[str, Interval] = {}
    player = _choose_player(position)
    for games, reached, points in _played(position, goal, moves, player, limit):
        if games == GAMES[0]:
            bounds = _sure_moves(position, goal) or _bound_chances(position, goal, limit)
            exact = _exact(position, goal, bounds, limit)
            if exact is not None:
                yield exact
                return
        yield _summarise(position, games, bounds, (reached, points), player)


def explain_no_estimate(position: Position) -> str:
    """Return why no games are played out from a board; "" where they are."""
    if len(position.cells) > _MOST_CELLS:
        return f"no estimate: chances are estimated on boards of at most {_MOST_CELLS} cells"
    if max_tile(position) > _LARGEST:
        return f"no estimate: chances are estimated on boards with tiles up to {_LARGEST}"
    return ""


def _choose_player(position: Position) -> _Player:
    """Return the strongest player that is quick enough: the network of the package on boards of 4 x 4, else the snake player."""
    from gridproof.games.twenty48.kernel.rollout import network_rollout, play_snake

    level = position.level
    if (level.width, level.height) != (4, 4):
        return _Player("a simple program", play_snake, part_values(level.width, level.height))
    player = NetworkPlayer(level.game, downgrade=False)  # points of the board itself
    points = {
        str(move): parts.points + max(sum(parts.tuples.values()), 0.0)
        for move, parts in player.reasons(position).items()
    }
    network = player.network
    return _Player("a strong program", network_rollout(network.kernels), network.tables, points)


def _sure_moves(position: Position, goal: int) -> dict[str, Interval]:
    """Return the certain chance of the moves that surely make the goal fastest, whatever tiles appear; none if it is far."""
    from gridproof.games.twenty48.kernel.cells import NIBBLES
    from gridproof.games.twenty48.kernel.packing import data_of, pack_cells
    from gridproof.games.twenty48.kernel.sure_win import find_sure_slides

    if goal > _LARGEST or min_moves_to_tile(position, goal) > _MOST_SURE:
        return {}
    (board,), found = pack_cells(position.cells, NIBBLES), np.zeros(len(Move), np.bool_)
    exponent = goal.bit_length() - 1
    find_sure_slides(data_of(position.level, NIBBLES), exponent, board, _MOST_SURE, _SURE_NODES, found)
    return {str(move): Interval(1.0, 1.0) for move, sure in zip(Move, found, strict=True) if sure}


def _bound_chances(position: Position, goal: int, limit: Limit) -> dict[str, Interval]:
    """Return proved bounds of the chance after each move, by the best play; none if the goal is far, but the board has room for it."""
    from gridproof.prove.value import value

    if not has_room_for(position, goal):
        return {str(move): Interval(0.0, 0.0) for move in Move if position.can_move(move)}
    if min_moves_to_tile(position, goal) > _NEAR:
        return {}
    found = value(position, f"tile({goal})", limit=replace(limit, states=_STATES))
    try:
        bounds = found.at(position).action_bounds
    except GridproofError:  # the limit came first
        return {}
    return {str(move): interval for move, interval in bounds.items()}


def _known_chance(bounds: Interval) -> float | None:
    """Return a chance that is known but for rounding."""
    if bounds.error > _EXACT:
        return None
    return round(float(bounds.middle), _DIGITS)


def _exact(position: Position, goal: int, bounds: dict[str, Interval], limit: Limit) -> Estimate | None:
    """Return exact values, if few positions follow."""
    from gridproof.prove.value import value

    chances = {move: _known_chance(interval) for move, interval in bounds.items()}
    if not chances or None in chances.values() or min_moves_to_tile(position, goal) > _NEAR:
        return None
    points = value(position, "score", limit=replace(limit, states=_STATES))
    if not points.converged:
        return None
    gained = points.at(position).actions
    if chances.keys() != {str(move) for move in gained}:  # only sure wins are known
        bounds = _bound_chances(position, goal, limit)
        chances = {move: _known_chance(interval) for move, interval in bounds.items()}
        if not chances or None in chances.values():
            return None
    actions = tuple((move, Prospect(chances[move] or 0.0, float(gained[Move(move)]))) for move in chances)
    return Estimate(f"reach {goal}", actions, player="the best play for each", points_lead=position.won)


def _played(
    position: Position, goal: int, moves: list[Move], player: _Player, limit: Limit
) -> Iterator[tuple[int, dict[str, Array], dict[str, Array]]]:
    """Yield numbers of games of a player after each move, by move whether each reached the goal, and its points."""
    from gridproof.games.twenty48.kernel.cells import NIBBLES
    from gridproof.games.twenty48.kernel.packing import data_of, pack_cells
    from gridproof.games.twenty48.kernel.rollout import NEVER

    level, (board,) = position.level, pack_cells(position.cells, NIBBLES)
    data, end = data_of(level, NIBBLES), NEVER if player.points is None else goal.bit_length() - 1
    most, seed = (_MOST_SUM - sum(position.cells)) // 4, _seed_of(position)
    numbers = np.repeat([[*Move].index(move) for move in moves], _BATCH)
    largest, scores = (np.zeros((GAMES[-1] // _BATCH, len(numbers)), np.int64) for _ in range(2))
    for batch in range(len(scores)):
        if limit.stop is not None and limit.stop.is_set():
            return
        largest[batch] = numbers
        results, chance = (largest[batch], scores[batch]), np.uint64(derive(seed, batch))
        player.play(data, player.values, board, end, most, chance, results)
        games = (batch + 1) * _BATCH
        if games in GAMES:
            reached = largest[: batch + 1] >= goal.bit_length() - 1
            yield games, _by_move(reached, moves), _by_move(scores[: batch + 1], moves)


def _by_move(array: Array, moves: list[Move]) -> dict[str, Array]:
    """Return the games of each move, of an array of batches of games."""
    games = array.reshape(len(array), len(moves), _BATCH)
    return {str(move): games[:, place].ravel() for place, move in enumerate(moves)}


def _summarise(
    position: Position,
    games: int,
    bounds: dict[str, Interval],
    results: tuple[dict[str, Array], dict[str, Array]],
    player: _Player,
) -> Estimate:
    """Return the estimate by some games of each move: whether they reached the goal, and their points."""
    reached, points = results
    actions = []
    for move, own in reached.items():
        gained, error = float(points[move].mean()), float(points[move].std() / np.sqrt(games))
        if player.points is not None:
            gained, error = player.points[move], 0.0
        chance, is_proved = _within(bounds.get(move, ANYTHING), float(own.mean()))
        actions.append((move, Prospect(chance, gained, is_proved, error)))
    goal = f"reach {next_target(position)}"
    is_first = games < GAMES[-1]
    return Estimate(goal, tuple(actions), games, player.name, points_lead=position.won, is_first=is_first)


def _within(bounds: Interval, chance: float) -> tuple[float, bool]:
    """Return the proved chance, or that of games within its bounds, and whether it is proved."""
    known = _known_chance(bounds)
    nearest = min(max(chance, float(bounds.low)), float(bounds.high))
    return (round(nearest, _DIGITS), False) if known is None else (known, True)


def _seed_of(position: Position) -> int:
    """Return the seed of a position's games: the same position has the same ones."""
    return int.from_bytes(hashlib.sha256(repr(position.cells).encode()).digest()[:8], "little")


@functools.lru_cache(maxsize=8)
def part_values(width: int, height: int) -> Array:
    """Return the values of each four cells of a board by their 16 bits: float64 (4, 65536)."""
    exponents = np.arange(1 << 16)
    values = np.zeros((4, 1 << 16))
    for cell, weight in enumerate(snake_weights(width, height)):
        exponent = (exponents >> 4 * (cell % 4)) & 15
        values[cell // 4] += np.where(exponent > 0, weight * (1 << exponent), 0.0)
    return values


ESTIMATE: Callable[[Position, Limit], Iterator[Estimate]] = estimate
