"""`evaluate`: how well players play a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from gridproof.cli.options import Json, Seed, pack_named
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed, derive
from gridproof.core.shelf import first_pack
from gridproof.core.wording import counted
from gridproof.play import evaluation
from gridproof.play.evaluation import Played

_PIECE = 8
"""Games that a process plays before it is given more."""

Work = tuple[str, str, str, list[int], int | None]


def evaluate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, whose levels are played in turn.")],
    player: Annotated[
        list[str],
        typer.Option(
            "--player",
            metavar="NAME",
            help="Who plays: random, greedy, solver; strategies of robots, or a=planner,b=hints. Twice: two side by side.",
        ),
    ],
    levels: Annotated[
        str | None,
        typer.Option(
            "--levels",
            metavar="PACK",
            help="What is played; the game's first pack by default, of games with a score its first level.",
        ),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="How many games.")] = 100,
    actions: Annotated[
        int | None,
        typer.Option(
            "--actions", min=1, metavar="N", help="Break a game off after so many actions or requests."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="In so many processes.")] = 1,
    seed: Seed = 0,
    json: Json = False,
) -> ExitStatus:
    """Let players play many games, and say how well."""
    found = game_named(game)
    if len(player) > 2 or len(set(player)) < len(player):
        raise GridproofError("--player is given once, or twice for two players side by side")
    reference, own = pack_named(levels or _by_default(found), found.name)
    pack = list(own)
    if any(level.game is not found for level in pack):
        raise GridproofError(f"{levels} has no levels of {found.name}")
    most = evaluation.most_actions(found, actions)
    seeds = [derive(check_seed(seed), number) for number in range(games)]
    evaluation.play(pack[0], player[-1], seeds[0], 1)  # a player that there is not is told of before any work
    played = dict[str, list[Played]]()
    for name in player:
        played[name] = list(_played(pack, name, seeds, most, jobs))
        data = evaluation.summary(found, name, played[name]) | {"levels": reference}
        print_json(data) if json else _print(data)
    if len(player) == 2:
        told = evaluation.compared(player, played, found.policy.keeps_score)
        print_json(told) if json else _print_compared(told)
    return ExitStatus.DONE


def _by_default(game: Game) -> str:
    """What is played, unless one says otherwise: scores on different boards have no meaning together."""
    pack = first_pack(game.name)
    return f"{pack}/1" if game.policy.keeps_score else pack


def _played(pack: list[Level], name: str, seeds: list[int], most: int | None, jobs: int) -> Iterator[Played]:
    if jobs > 1 and len(seeds) > _PIECE:
        yield from _in_processes(pack, name, seeds, most, jobs)
        return
    with Progress(f"{name} plays", "games", len(seeds)) as progress:
        for number, seed in enumerate(seeds):
            progress(number)
            yield evaluation.play(pack[number % len(pack)], name, seed, most)


def _in_processes(
    pack: list[Level], name: str, seeds: list[int], most: int | None, jobs: int
) -> Iterator[Played]:
    """Each piece of work is one level with some of its seeds; the games come back in their order."""
    from gridproof.cli.workers import answers_of

    works, places = list[Work](), list[list[int]]()
    for place, level in enumerate(pack):
        own = list(range(place, len(seeds), len(pack)))
        for first in range(0, len(own), _PIECE):
            places.append(own[first : first + _PIECE])
            works.append((level.game.name, level.text(), name, [seeds[one] for one in places[-1]], most))
    games = dict[int, Played]()
    for own, answers in zip(
        places, answers_of(_play_some, works, jobs, f"{name} plays", "parts"), strict=True
    ):
        games |= zip(own, answers, strict=True)
    yield from (games[number] for number in range(len(seeds)))


def _play_some(work: Work) -> list[Played]:
    game, text, name, seeds, most = work
    (level,) = reading.read(text, game)
    return [evaluation.play(level, name, seed, most) for seed in seeds]


def _print(data: dict[str, Any]) -> None:
    print_paragraph(
        f"{data['player']}: {counted(data['games'], 'games')}, {data['share']:.1%} won "
        f"({data['low']:.1%} to {data['high']:.1%}), {data['length']['mean']:,.1f} actions on average",
        hanging=2,
    )
    if "mean" in data:
        print_paragraph(
            f"score {data['mean']:,.0f} on average, give or take {data['error']:,.0f}; median {data['median']:,.0f}",
            indent=2,
            hanging=4,
        )
    for name, what in (("tiles", "largest tile"), ("shares", "home first")):
        if name in data:
            told = ", ".join(f"{key} {share:.1%}" for key, share in data[name].items())
            print_paragraph(f"{what}: {told}", indent=2, hanging=4)
    print_paragraph(
        f"{data['games_per_second']:,.1f} games and {data['moves_per_second']:,.0f} moves a second of processor time",
        indent=2,
        hanging=4,
    )


def _print_compared(told: dict[str, Any]) -> None:
    first, second = told["players"]
    better, worse = told["better"]
    spread = told["difference"]
    print_paragraph(
        f"{first} against {second} on the same games, by {told['compared']}: better in {better}, worse in {worse}; "
        f"{spread['mean']:+,.3g} on average, give or take {spread['error']:,.2g}",
        hanging=2,
    )
