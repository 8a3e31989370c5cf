"""`evaluate`: let players play many games and report their results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from gridproof.agents import evaluation
from gridproof.agents.evaluation import GameResult
from gridproof.cli.options import Json, Seed, Where, read_pack
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.parallel_map import Workers, map_calls, parse_workers
from gridproof.cli.players import LIST, print_players
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed, derive
from gridproof.core.text import recognition
from gridproof.core.text.level_lookup import first_pack
from gridproof.core.text.phrases import format_count

_CHUNK_SIZE = 8
"""Number of games of a task for a process."""

Chunk = tuple[str, str, str, list[int], int | None, dict[str, Any]]


def evaluate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game; its levels are played in turn.")],
    player: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="Player; --player ? lists them. Your own: my.py:play, module:function, or a saved policy (ppo.zip, net.pt). In a race also a=planner,b=hints. Give it twice to compare two players.",
        ),
    ],
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="PACK",
            help="Levels to play, such as sokoban-easy. Default: the game's first pack, or its first level if the game has a score.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 100,
    actions: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop each game after N actions or requests.")
    ] = None,
    plies: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Number of moves that the player looks ahead.")
    ] = None,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="File of a player that `train` has made.")
    ] = None,
    observation: Annotated[
        str | None, typer.Option(metavar="KIND", help="Observation of a torch policy: symbols or planes.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes.")] = 1,
    where: Where = None,
    seed: Seed = 0,
    json: Json = False,
) -> ExitStatus:
    """Let players play many games, and report their results."""
    found = game_named(game)
    if LIST in player:
        return print_players(found, json)
    if len(player) > 2 or len(set(player)) < len(player):
        raise GridproofError("give --player once, or twice to compare two players")
    reference, own = read_pack(levels or _default_levels(found), found.name)
    pack = list(own)
    if any(level.game is not found for level in pack):
        raise GridproofError(f"{levels} has no levels of {found.name}")
    most, workers = evaluation.action_limit(found, actions), parse_workers(where, jobs)
    given = (("plies", plies), ("file", file), ("observation", observation))
    options = {name: value for name, value in given if value is not None}
    seeds = [derive(check_seed(seed), number) for number in range(games)]
    evaluation.play(pack[0], player[-1], seeds[0], 1, options)  # an unknown player is refused before any work
    results = dict[str, list[GameResult]]()
    for name in player:
        results[name] = list(_play_games(pack, name, seeds, most, workers, options))
        data = evaluation.summary(found, name, results[name]) | {"levels": reference}
        print_json(data) if json else _print(data)
    if len(player) == 2:
        comparison = evaluation.compare(player, results, found.policy.keeps_score)
        print_json(comparison) if json else _print_comparison(comparison)
    return ExitStatus.DONE


def _default_levels(game: Game) -> str:
    """Return the default levels: scores on different boards cannot be combined."""
    pack = first_pack(game.name)
    return f"{pack}/1" if game.policy.keeps_score else pack


def _play_games(
    pack: list[Level],
    name: str,
    seeds: list[int],
    most: int | None,
    workers: Workers,
    options: dict[str, Any],
) -> Iterator[GameResult]:
    if not workers.is_here and len(seeds) > _CHUNK_SIZE:
        yield from _in_workers(pack, name, seeds, most, workers, options)
        return
    with Progress(f"{name} plays", "games", len(seeds)) as progress:
        for number, seed in enumerate(seeds):
            progress(number)
            yield evaluation.play(pack[number % len(pack)], name, seed, most, options)


def _in_workers(
    pack: list[Level],
    name: str,
    seeds: list[int],
    most: int | None,
    workers: Workers,
    options: dict[str, Any],
) -> Iterator[GameResult]:
    """Play the games in worker processes, in order; each task is a level with some of its seeds."""
    chunks, places = list[Chunk](), list[list[int]]()
    for place, level in enumerate(pack):
        own = list(range(place, len(seeds), len(pack)))
        for first in range(0, len(own), _CHUNK_SIZE):
            places.append(own[first : first + _CHUNK_SIZE])
            chunks.append(
                (level.game.name, level.text(), name, [seeds[one] for one in places[-1]], most, options)
            )
    games = dict[int, GameResult]()
    for own, answers in zip(
        places,
        map_calls(f"{__name__}:play_chunk", chunks, workers, f"{name} plays", "parts"),
        strict=True,
    ):
        games |= zip(own, answers, strict=True)
    yield from (games[number] for number in range(len(seeds)))


def play_chunk(chunk: Chunk) -> list[GameResult]:
    """Play the games of a task."""
    game, text, name, seeds, most, options = chunk
    (level,) = recognition.read(text, game)
    return [evaluation.play(level, name, seed, most, options) for seed in seeds]


def _print(data: dict[str, Any]) -> None:
    print_paragraph(
        f"{data['player']}: {format_count(data['games'], 'games')}, {data['share']:.1%} won "
        f"({data['low']:.1%} to {data['high']:.1%}), {data['length']['mean']:,.1f} actions on average",
        hanging=2,
    )
    if "mean" in data:
        print_paragraph(
            f"score {data['mean']:,.0f} on average, ±{data['error']:,.0f}; median {data['median']:,.0f}",
            indent=2,
            hanging=4,
        )
    for name, what in (("tiles", "largest tile"), ("shares", "home first")):
        if name in data:
            shares = ", ".join(f"{key} {share:.1%}" for key, share in data[name].items())
            print_paragraph(f"{what}: {shares}", indent=2, hanging=4)
    if "counts" in data:
        counts = ", ".join(f"{count:,} {name}" for name, count in data["counts"].items())
        print_paragraph(counts, indent=2, hanging=4)
    print_paragraph(
        f"{data['games_per_second']:,.1f} games and {data['moves_per_second']:,.0f} moves per second of processor time",
        indent=2,
        hanging=4,
    )


def _print_comparison(comparison: dict[str, Any]) -> None:
    first, second = comparison["players"]
    better, worse = comparison["better"]
    spread = comparison["difference"]
    print_paragraph(
        f"{first} against {second} on the same games, by {comparison['compared']}: better in {better}, worse in {worse}; "
        f"{spread['mean']:+,.3g} on average, ±{spread['error']:,.2g}",
        hanging=2,
    )
