"""Evaluation of players over many games."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from gridproof.agents.demos import co_players, find_demo, is_lineup, race_of
from gridproof.agents.extension import Player
from gridproof.agents.own_player import OwnPlayer, is_reference
from gridproof.agents.players import PlayerName, options_of, players
from gridproof.agents.players import player as player_named
from gridproof.core.errors import GridproofError
from gridproof.core.extension import function_table
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.rng import Rng, derive
from gridproof.core.trace import Step, Trace

MAX_ACTIONS = 500
"""Default limit on the actions of a game without a score."""
_95 = 1.96


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game or race."""

    won: bool
    actions: int
    score: int
    tile: int | None
    """The largest tile at the end, if the game has such a number."""
    winners: tuple[str, ...]
    """The winners of a race."""
    seconds: float
    """Processor time."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the player has counted in the game, by name."""
    solution: str | None = None
    """Actions in the game's own format, of a won game that was played up to the win."""


def action_limit(game: Game, wanted: int | None) -> int | None:
    """Return the limit on actions of a game: none if the game keeps a score."""
    return wanted if wanted is not None else None if game.policy.keeps_score else MAX_ACTIONS


def play(
    level: Level,
    name: PlayerName,
    seed: int,
    most: int | None,
    options: Mapping[str, Any] = MappingProxyType({}),
    up_to_win: bool = False,
) -> GameResult:
    """Play a game on a level with a player of `gridproof.player`, or a race with the named strategy.

    With `up_to_win` it ends with a win, where it could go on (2048), and its actions are kept. GridproofError when there
    is no such player, or it has no such options.
    """
    game = level.game
    if not isinstance(name, str) or is_reference(name):
        return _game(level, name, seed, most, options, up_to_win)
    if not is_lineup(name):
        find_demo(game, name)  # refuses an unknown player by the list that `watch` has, too
    races = "watch" in function_table(game, "commands") and (
        name in co_players(game) or name not in players(game)
    )
    if not races:
        return _game(level, name, seed, most, options, up_to_win)
    if options:
        raise GridproofError(f"{name} plays races, which have no option {', '.join(options)}")
    return _race(level, name, seed, most, up_to_win)


def _game(
    level: Level,
    name: PlayerName,
    seed: int,
    most: int | None,
    options: Mapping[str, Any],
    up_to_win: bool,
) -> GameResult:
    begin = time.process_time()
    makers = players(level.game)
    draws = name in ("random", "greedy") or (name not in makers and "seed" in options_of(level.game, name))
    own = {"seed": derive(seed, 1)} if draws else {}
    player = player_named(level.game, name, **own, **options)
    counted = _counts_of(player)
    start = position = level.start(seed)
    actions, score, steps = 0, 0, list[Step]()
    while not (position.ended or (up_to_win and position.won)) and (most is None or actions < most):
        actions += 1
        action = player(position)
        outcome = position.step(action, Rng(seed, actions))
        position, score = outcome.position, score + outcome.reward
        if up_to_win:
            steps.append(Step(action, outcome.label))
    tiles = (item.value for item in level.game.propositions if item.name == "max_tile")
    tile = next((int(value(position)) for value in tiles), None)
    counts = {key: count - counted.get(key, 0) for key, count in _counts_of(player).items()}
    seconds = time.process_time() - begin
    solution = _solution(Trace(start, tuple(steps))) if up_to_win and position.won else None
    return GameResult(position.won, actions, score, tile, (), seconds, counts, solution)


def _solution(trace: Trace) -> str:
    return trace.level.game.own_format.join_actions(trace)


def _counts_of(player: Player) -> Mapping[str, int]:
    return player.counts if isinstance(player, OwnPlayer) else {}


def _race(level: Level, name: str, seed: int, most: int | None, up_to_win: bool) -> GameResult:
    begin = time.process_time()
    options = {"strategies": name, **({} if most is None else {"max_requests": most})}
    race = race_of(level, seed, options)
    for _ in race.steps():
        pass
    seconds = time.process_time() - begin
    solution = _solution(race.trace()) if up_to_win and race.winners else None
    return GameResult(
        bool(race.winners), race.requests, 0, None, tuple(race.winners), seconds, solution=solution
    )


def summary(game: Game, name: str, results: Sequence[GameResult]) -> dict[str, Any]:
    """Summarise the games of a player as JSON.

    `share` is the share of won games, `low` and `high` are its 95 % interval (Wilson's), `length` counts the actions
    of a game (in a race, the requests of all actors), `error` is the standard error of the mean, `tiles` has the share of
    games that reach each power of two, from 2 to the largest tile of all, `counts` are the sums of
    what the user's own player has counted (the wrong replies of a language model).
    """
    games, wins = len(results), sum(one.won for one in results)
    low, high = interval(wins, games)
    seconds = max(sum(one.seconds for one in results), 1e-9)
    data: dict[str, Any] = {
        "game": game.name,
        "player": name,
        "games": games,
        "wins": wins,
        "share": wins / games,
        "low": low,
        "high": high,
        "length": _spread([one.actions for one in results]),
    }
    if game.policy.keeps_score:
        data |= _spread([one.score for one in results])
    tiles = [one.tile for one in results if one.tile is not None]
    if tiles:
        data["tiles"] = {
            str(1 << power): sum(tile >= 1 << power for tile in tiles) / games
            for power in range(1, max(tiles).bit_length())
        }
    winners = Counter(actor for one in results for actor in one.winners)
    if winners:
        data["shares"] = {actor: winners[actor] / games for actor in sorted(winners)}
    counts = Counter[str]()
    for one in results:
        counts.update(one.counts)
    if counts:
        data["counts"] = dict(counts)
    moves = sum(one.actions for one in results)
    return data | {"games_per_second": games / seconds, "moves_per_second": moves / seconds}


def _spread(numbers: Iterable[float]) -> dict[str, float]:
    values = list(numbers)
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return {"mean": statistics.fmean(values), "median": statistics.median(values), "error": error}


def interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share (Wilson 1927)."""
    share, square = wins / games, _95**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = _95 / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def compare(
    names: Sequence[str], results: Mapping[str, Sequence[GameResult]], by_score: bool
) -> dict[str, Any]:
    """Compare two players on the same levels and seeds: mean difference, and how often each was better."""
    pairs = list(zip(results[names[0]], results[names[1]], strict=True))
    worth = [[one.score if by_score else one.won for one in pair] for pair in pairs]
    return {
        "players": list(names),
        "compared": "score" if by_score else "won",
        "difference": _spread([float(first) - float(second) for first, second in worth]),
        "better": [sum(one > other for one, other in worth), sum(other > one for one, other in worth)],
    }
