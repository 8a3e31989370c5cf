"""How well the players `expectimax`, `network` and `endgame` play 2048, and how fast they search, on one core; the rule is that of --level.

A node is a board whose worth is looked up. Time is the processor's, and positions are stepped by the rules. Published figures
stand beside ours: nneonneo's search looks up about 100 M worths a second on one core, and its median score at 5 to 10 moves a
second is 387,222 (https://github.com/nneonneo/2048-ai); a 4 x 5 tuple network of 4.3 MB, trained on 100,000 games, scores 75,472
with one move ahead and 147,356 with three. With `--player network --plies 1` kernels play the games, which are those of the
player without downgrading.

    python benchmarks/twenty48_players.py [--player network] [--level twenty48/standard/1] [--plies 1 2 3 4] [--games 50] [--seconds 0.01]
        [--no-downgrade]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gridproof as gp
from gridproof.agents.evaluation import GameResult, play
from gridproof.core.rng import derive
from gridproof.games.twenty48.expectimax import ExpectimaxPlayer
from gridproof.games.twenty48.network_games import play_games
from gridproof.games.twenty48.network_player import SHIPPED, network_at
from gridproof.games.twenty48.rules import Level

TILES = (2048, 4096, 8192, 16384, 32768)
MIDDLE = "2048 4x4 spawn=classic\n2 4 8 16\n0 0 4 8\n0 2 4 2\n0 0 0 2\n"
RUNS = 5


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Players of 2048")
    parser.add_argument("--player", choices=("expectimax", "network", "endgame"), default="expectimax")
    parser.add_argument("--file", help="the network, by default that of the package")
    parser.add_argument(
        "--level", default="twenty48/standard/2", help="standard/2 is classic, standard/1 spec"
    )
    parser.add_argument(
        "--no-downgrade",
        dest="downgrade",
        action="store_false",
        help="a network sees boards with 16384 as they are",
    )
    parser.add_argument("--plies", type=int, nargs="*", default=[1, 2, 3, 4])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, help="also with a limit of time for a move")
    return parser.parse_args()


def search_speed(plies: int) -> float:
    """Return the nodes a second of a search, the median of several."""
    position: Any = gp.position(MIDDLE)
    player = ExpectimaxPlayer(position.level.game, plies)
    player.values(position)  # warm
    rates = []
    for _ in range(RUNS):
        before, begin = player.nodes, time.process_time()
        player.values(position)
        rates.append((player.nodes - before) / (time.process_time() - begin))
    return statistics.median(rates)


def play_network(level: Level, file: str, games: int) -> list[GameResult]:
    """Let kernels play games of a network, one slide ahead; the time is shared out evenly."""
    network = network_at(Path(file))
    play_games(network, level, 1)  # warm
    begin = time.process_time()
    played = play_games(network, level, games, seed=1)
    seconds = (time.process_time() - begin) / games
    numbers = zip(*(array.tolist() for array in played), strict=True)
    return [
        GameResult(tile >= level.target, length, score, tile, (), seconds) for length, score, tile in numbers
    ]


def print_games(name: str, results: Sequence[GameResult]) -> None:
    """Print the scores and tiles of some games as a row of a table."""
    scores = [result.score for result in results]
    error = statistics.stdev(scores) / len(scores) ** 0.5
    shares = [sum((result.tile or 0) >= tile for result in results) / len(results) for tile in TILES]
    moves = sum(result.actions for result in results) / sum(result.seconds for result in results)
    tiles = " ".join(f"{share:.0%}" for share in shares)
    print(
        f"{name}: {statistics.fmean(scores):,.0f} +- {error:,.0f}, median {statistics.median(scores):,.0f};"
        f" {', '.join(map(str, TILES))}: {tiles}; {moves:,.0f} moves/s",
        flush=True,
    )


def main() -> None:
    """Print the speed of the search, and the results of the players."""
    options = arguments()
    has_network = options.player != "expectimax"
    file = options.file or str(SHIPPED)
    own = {"file": file, "downgrade": options.downgrade} if has_network else {}
    if not has_network:
        print(f"search with 6 plies: {search_speed(6) / 1e6:.0f} M nodes/s")
    level = gp.level(options.level)
    assert isinstance(level, Level)
    ways: list[dict[str, float]] = [{"plies": plies} for plies in options.plies]
    ways += [{"seconds": options.seconds}] if options.seconds else []
    for way in ways:
        if options.player == "network" and way == {"plies": 1}:
            results = play_network(level, file, options.games)
        else:
            results = [
                play(level, options.player, derive(1, game), None, {**way, **own})
                for game in range(options.games)
            ]
        print_games(", ".join(f"{value:g} {name}" for name, value in way.items()), results)


if __name__ == "__main__":
    main()
