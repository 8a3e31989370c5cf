"""`evaluate`: let players play many games and report their results."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

import gridproof
from gridproof.agents import evaluation
from gridproof.agents.evaluation import GameResult
from gridproof.cli.options import Force, Json, Seed, Where, check_targets, read_pack, refuse_unused
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.parallel_map import Workers, map_calls, parse_workers
from gridproof.cli.players import LIST, name_of_player, print_players
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed, derive
from gridproof.core.text import recognition
from gridproof.core.text.level_lookup import TASKS, first_pack
from gridproof.core.text.phrases import format_count

if TYPE_CHECKING:
    from gridproof.agents.submission import Submission

_CHUNK_SIZE = 8
"""Number of games of a task for a process."""


class Play(NamedTuple):
    """The levels and the player of games."""

    pack: list[Level]
    name: str
    most: int | None
    options: dict[str, Any]
    up_to_win: bool = False

    def game(self, level: Level, seed: int) -> GameResult:
        """Play a game."""
        return evaluation.play(level, self.name, seed, self.most, self.options, self.up_to_win)


Chunk = tuple[str, str, list[int], Play]
"""The game and text of a level, seeds, and how to play."""


def evaluate(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game; its levels are played in turn.")
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Player; --player ? lists them. Your own: my.py:play, module:function, or a saved policy (ppo.zip, net.pt). In a race also a=planner,b=hints. Give it twice to compare two players.",
        ),
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="PACK",
            help="Levels to play, such as sokoban-easy. Default: the game's first pack, or its first level if the game has a score.",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of games. Default: 100.")
    ] = None,
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
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a submission, compressed if FILE ends in .gz: --levels is a graded task, and each level is played with each of five seeds.",
        ),
    ] = None,
    submission: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Check a submission by replaying its games.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> ExitStatus:
    """Let players play many games, and report their results."""
    if submission is not None:
        unused = {"GAME": game, "--player": player, "--levels": levels, "--games": games, "--out": out}
        refuse_unused("with --submission", unused)
        return _check_submission(submission, json)
    if game is None or not player:
        raise GridproofError("give a game, and a --player (--player ? lists them)")
    found = game_named(game)
    if LIST in player:
        return print_players(found, json)
    if len(player) > 2 or len(set(player)) < len(player):
        raise GridproofError("give --player once, or twice to compare two players")
    reference, own = read_pack(levels or _default_levels(found), found.name)
    pack = list(own)
    if any(level.game is not found for level in pack):
        raise GridproofError(f"{levels} has no levels of {found.name}")
    workers = parse_workers(where, jobs)
    given = (("plies", plies), ("file", file), ("observation", observation))
    options = {name: value for name, value in given if value is not None}
    evaluation.play(pack[0], player[-1], check_seed(seed), 1, options)  # refuses an unknown player
    if out is not None:
        unused = {"--games": games, "--seed": seed, "--actions": actions, "a second --player": player[1:]}
        refuse_unused("with --out", unused)
        check_targets(force, out)
        return _write_submission(out, Play(pack, player[0], None, options), reference, workers, json)
    most = evaluation.action_limit(found, actions)
    seeds = [derive(seed, number) for number in range(games or 100)]
    results = dict[str, list[GameResult]]()
    for name in player:
        results[name] = list(_play_games(Play(pack, name, most, options), seeds, workers))
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


def _write_submission(out: Path, play: Play, task: str, workers: Workers, json: bool) -> ExitStatus:
    """Play the games of a submission and write it; GridproofError if the levels are no task."""
    from gridproof.agents.submission import SEEDS, action_limit, create_submission, game_seed

    if task not in TASKS:
        raise GridproofError(f"a submission needs a graded task (--levels sokoban-easy-v1), not {task}")
    play = play._replace(most=action_limit(play.pack[0]), up_to_win=True)
    seeds = [[game_seed(seed, number) for number in range(len(play.pack))] for seed in SEEDS]
    results = [list(_play_games(play, one, workers)) for one in seeds]
    name = name_of_player(play.name)
    words = ["gridproof", "evaluate", play.pack[0].game.name, "--levels", task, "--player", name]
    words += [word for key, value in play.options.items() for word in (f"--{key}", Path(str(value)).name)]
    command = shlex.join([*words, "--out", "FILE"])
    made = create_submission(task, name, command, gridproof.__version__, results)
    made.save(out)
    _print_submission(made, json, {"out": str(out)})
    return ExitStatus.DONE


def _check_submission(path: Path, json: bool) -> ExitStatus:
    from gridproof.agents.submission import Submission

    found = Submission.load(path)
    with Progress("Replaying"):
        found.check()
    _print_submission(found, json, {"submission": str(path), "holds": True})
    return ExitStatus.DONE


def _print_submission(found: Submission, json: bool, facts: Mapping[str, Any]) -> None:
    if json:
        numbers = {"wins": found.wins, "mean": found.mean, "margin": found.margin}
        print_json({"task": found.task, "player": found.player, **numbers, **facts})
        return
    wins = ", ".join(map(str, found.wins))
    what = "all won games replay" if "holds" in facts else f"submission in {facts['out']}"
    print_paragraph(
        f"{found.player} on {found.task}: {found.mean:.1%} ± {found.margin:.1%} won ({wins}); {what}",
        hanging=2,
    )


def _play_games(play: Play, seeds: list[int], workers: Workers) -> Iterator[GameResult]:
    if not workers.is_here and len(seeds) > _CHUNK_SIZE:
        yield from _in_workers(play, seeds, workers)
        return
    with Progress(f"{play.name} plays", "games", len(seeds)) as progress:
        for number, seed in enumerate(seeds):
            progress(number)
            yield play.game(play.pack[number % len(play.pack)], seed)


def _in_workers(play: Play, seeds: list[int], workers: Workers) -> Iterator[GameResult]:
    """Play the games in worker processes, in order; each task is a level with some of its seeds."""
    chunks, places = list[Chunk](), list[list[int]]()
    alone = play._replace(pack=[])
    for place, level in enumerate(play.pack):
        own = list(range(place, len(seeds), len(play.pack)))
        for first in range(0, len(own), _CHUNK_SIZE):
            places.append(own[first : first + _CHUNK_SIZE])
            chunks.append((level.game.name, level.text(), [seeds[one] for one in places[-1]], alone))
    games = dict[int, GameResult]()
    for own, answers in zip(
        places,
        map_calls(f"{__name__}:play_chunk", chunks, workers, f"{play.name} plays", "parts"),
        strict=True,
    ):
        games |= zip(own, answers, strict=True)
    yield from (games[number] for number in range(len(seeds)))


def play_chunk(chunk: Chunk) -> list[GameResult]:
    """Play the games of a task."""
    game, text, seeds, play = chunk
    (level,) = recognition.read(text, game)
    return [play.game(level, seed) for seed in seeds]


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
