"""`evaluate`: let players play many games and report their results."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import gridproof
from gridproof.agents import evaluation
from gridproof.agents.evaluation import GameResult
from gridproof.cli.answer_folder import FolderTarget
from gridproof.cli.game_results import Play, Results, name_of_game, play_games, play_into_folder
from gridproof.cli.options import (
    Force,
    Json,
    PlayerFile,
    Plies,
    Seed,
    Where,
    check_targets,
    level_names,
    read_pack,
    refuse_unused,
)
from gridproof.cli.output import ExitStatus, print_json, print_paragraph, report_error
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.players import LIST, name_of_player, options_of_player, print_players
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed, derive
from gridproof.core.text.level_lookup import TASKS, first_pack
from gridproof.core.text.phrases import format_count

if TYPE_CHECKING:
    from gridproof.agents.submission import Submission


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
    plies: Plies = None,
    file: PlayerFile = None,
    observation: Annotated[
        str | None, typer.Option(metavar="KIND", help="Observation of a torch policy: symbols or planes.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes.")] = 1,
    where: Where = None,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER|FILE",
            help="Write the games into a dataset folder; if it has games of the same question, only the others are played. A name with an ending is a submission, compressed if it ends in .gz: --levels is a graded task, and each level is played with each of five seeds.",
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
    options = options_of_player(plies=plies, file=file, observation=observation)
    evaluation.play(pack[0], player[-1], check_seed(seed), 1, options)  # refuses an unknown player
    is_folder = out is not None and (out.is_dir() or not out.suffix)
    if out is not None and not is_folder:
        unused = {"--games": games, "--seed": seed, "--actions": actions, "a second --player": player[1:]}
        refuse_unused("with a submission", unused)
        check_targets(force, out)
        return _write_submission(out, Play(pack, player[0], None, options), reference, workers, json)
    most, count = evaluation.action_limit(found, actions), games or 100
    plays = [Play(pack, name, most, options) for name in player]
    if out is not None:
        target, names = FolderTarget(out, force, json), level_names(reference, own)
        status, results = play_into_folder(target, plays, names, (seed, count), workers)
        for play in plays:
            _report(play, results[play.name], reference, json)
    else:
        results = {
            play.name: _play_and_report(play, reference, (seed, count), workers, json) for play in plays
        }
        is_whole = all(len(some) == count for some in results.values())
        status = ExitStatus.DONE if is_whole else ExitStatus.WRONG
    _compare(found, results, json)
    return status


def _play_and_report(
    play: Play, reference: str, games: tuple[int, int], workers: Workers, json: bool
) -> Mapping[int, GameResult]:
    """Play games of a seed and a number; return those whose process lived, by number, from 1."""
    seed, count = games
    done = dict[int, GameResult]()
    seeds = [derive(seed, number) for number in range(count)]
    for number, result in enumerate(play_games(play, seeds, workers), 1):
        if isinstance(result, GridproofError):
            report_error(name_of_game(play, number), result, json)
        else:
            done[number] = result
    _report(play, done, reference, json)
    return done


def _report(play: Play, results: Mapping[int, GameResult], reference: str, json: bool) -> None:
    if results:
        data = evaluation.summary(play.pack[0].game, play.name, [*results.values()]) | {"levels": reference}
        print_json(data) if json else _print(data)


def _compare(game: Game, results: Results, json: bool) -> None:
    """Compare two players by the games that both have played."""
    names = [*results]
    both = sorted(set.intersection(*(set(some) for some in results.values())))
    if len(names) == 2 and both:
        pairs = {name: [some[number] for number in both] for name, some in results.items()}
        comparison = evaluation.compare(names, pairs, game.policy.keeps_score)
        print_json(comparison) if json else _print_comparison(comparison)


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
    results = [[*_check_results(play_games(play, one, workers))] for one in seeds]
    name = name_of_player(play.name)
    words = ["gridproof", "evaluate", play.pack[0].game.name, "--levels", task, "--player", name]
    words += [word for key, value in play.options.items() for word in (f"--{key}", Path(str(value)).name)]
    command = shlex.join([*words, "--out", "FILE"])
    made = create_submission(task, name, command, gridproof.__version__, results)
    made.save(out)
    _print_submission(made, json, {"out": str(out)})
    return ExitStatus.DONE


def _check_results(results: Iterable[GameResult | GridproofError]) -> Iterator[GameResult]:
    """Yield results; GridproofError if a process died: a submission has all games."""
    for number, result in enumerate(results, 1):
        if isinstance(result, GridproofError):
            raise GridproofError(f"game {number}: {result}")
        yield result


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
    reached = data.get("tiles", {})
    surely = list(reached.values()).count(1.0)  # of these, the largest says enough
    rows = {
        "tiles reached": list(reached.items())[max(surely - 1, 0) :],
        "home first": data.get("shares", {}).items(),
    }
    for what, shares in rows.items():
        if shares:
            words = ", ".join(f"{key} {share:.1%}" for key, share in shares)
            print_paragraph(f"{what}: {words}", indent=2, hanging=4)
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
