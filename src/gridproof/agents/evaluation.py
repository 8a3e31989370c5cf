"""How well players play: many games from a seed, and what is to be said of them together."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.rng import Rng, derive
from gridproof.play.players import player as player_named
from gridproof.play.shows import race_of

MOST_ACTIONS = 500
"""Actions after which a game that keeps no score is broken off, unless one says otherwise."""
_95 = 1.96


@dataclass(frozen=True, slots=True)
class Played:
    """One game, or race, to its end."""

    won: bool
    actions: int
    score: int
    tile: int | None
    """The largest tile at the end, in a game that has such a number."""
    winners: tuple[str, ...]
    """In a race: who was home."""
    seconds: float
    """Of processor time."""


def most_actions(game: Game, given: int | None) -> int | None:
    """How many actions a game may have: as many as it takes, where a score is kept."""
    return given if given is not None else None if game.policy.keeps_score else MOST_ACTIONS


def play(level: Level, name: str, seed: int, most: int | None) -> Played:
    """A game on a level by the player of that name; a race where the game has them, by that strategy.

    Raises
    ------
    GridproofError
        When there is no such player.
    """
    return _race(level, name, seed, most) if level.game.added("watch") else _game(level, name, seed, most)


def _game(level: Level, name: str, seed: int, most: int | None) -> Played:
    begin = time.process_time()
    known = {} if name not in ("random", "greedy") else {"seed": derive(seed, 1)}
    chooses = player_named(level.game, name, **known)
    position, actions, score = level.start(seed), 0, 0
    while not position.ended and (most is None or actions < most):
        actions += 1
        outcome = position.step(chooses(position), Rng(seed, actions))
        position, score = outcome.position, score + outcome.reward
    tiles = (item.value for item in level.game.propositions if item.name == "max_tile")
    tile = next((int(value(position)) for value in tiles), None)
    return Played(position.won, actions, score, tile, (), time.process_time() - begin)


def _race(level: Level, name: str, seed: int, most: int | None) -> Played:
    begin = time.process_time()
    options = {"strategies": name, **({} if most is None else {"max_requests": most})}
    race = race_of(level, seed, options)
    for _ in race.steps():
        pass
    seconds = time.process_time() - begin
    return Played(bool(race.winners), race.requests, 0, None, tuple(race.winners), seconds)


def summary(game: Game, name: str, played: Sequence[Played]) -> dict[str, Any]:
    """What many games of one player came to, as JSON has it.

    `share` is that of games won, `low` and `high` its interval of 95 % (Wilson's); `length` the actions of a game
    (in a race, the requests of all robots); `error` the standard error of the mean.
    """
    games, wins = len(played), sum(one.won for one in played)
    low, high = interval(wins, games)
    seconds = max(sum(one.seconds for one in played), 1e-9)
    data: dict[str, Any] = {
        "game": game.name,
        "player": name,
        "games": games,
        "wins": wins,
        "share": wins / games,
        "low": low,
        "high": high,
        "length": _spread([one.actions for one in played]),
    }
    if game.policy.keeps_score:
        data |= _spread([one.score for one in played])
    tiles = Counter(one.tile for one in played if one.tile is not None)
    if tiles:
        data["tiles"] = {str(tile): tiles[tile] / games for tile in sorted(tiles)}
    robots = Counter(robot for one in played for robot in one.winners)
    if robots:
        data["shares"] = {robot: robots[robot] / games for robot in sorted(robots)}
    moves = sum(one.actions for one in played)
    return data | {"games_per_second": games / seconds, "moves_per_second": moves / seconds}


def _spread(numbers: Iterable[float]) -> dict[str, float]:
    listed = list(numbers)
    error = statistics.stdev(listed) / math.sqrt(len(listed)) if len(listed) > 1 else 0.0
    return {"mean": statistics.fmean(listed), "median": statistics.median(listed), "error": error}


def interval(wins: int, games: int) -> tuple[float, float]:
    """The interval of 95 % of a share (Wilson 1927)."""
    share, square = wins / games, _95**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = _95 / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def compared(names: Sequence[str], played: Mapping[str, Sequence[Played]], by_score: bool) -> dict[str, Any]:
    """Two players on the same levels and seeds: the mean difference, and how often each was better."""
    pairs = list(zip(played[names[0]], played[names[1]], strict=True))
    worth = [[one.score if by_score else one.won for one in pair] for pair in pairs]
    return {
        "players": list(names),
        "compared": "score" if by_score else "won",
        "difference": _spread([float(first) - float(second) for first, second in worth]),
        "better": [sum(one > other for one, other in worth), sum(other > one for one, other in worth)],
    }
