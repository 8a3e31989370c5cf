"""`bench`: measure positions per second, with kernels and with rules."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.progress import Progress
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.registry import game as game_named
from gridproof.core.registry import game_names
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.phrases import format_count
from gridproof.search.explore import explore, explore_by_rules


def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game. Default: all games.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, metavar="S", help="Seconds per measurement.")] = 2.0,
    json: Json = False,
) -> ExitStatus:
    """Measure how fast each game is explored on this machine.

    Explores a large level with the kernel and with the rules.
    """
    for name in game_names() if game is None else (game,):
        with Progress(f"Measuring {name}") as progress:
            progress(0)
            data = _measure(game_named(name), seconds)
        print_json(data) if json else _print(data)
    return ExitStatus.DONE


_MIN_STATES = 20_000


def _measure(game: Game, seconds: float) -> dict[str, Any]:
    """Measure the last of the levels with many positions: packs are sorted by difficulty."""
    levels = [
        (f"{game.name}/{pack}/{number}", level)
        for pack in pack_names(game)
        for number, level in enumerate(builtin_pack(game, pack), 1)
    ]
    limit = Limit(seconds=0.5, states=_MIN_STATES)
    name, level = max(reversed(levels), key=lambda one: explore(one[1], limit=limit).states)
    explore(level, limit=Limit(states=_MIN_STATES))  # kernels are loaded
    by_rules = explore_by_rules(level, limit=Limit(seconds / 2))
    found = explore(level, limit=Limit(seconds))
    rate = found.states / max(found.seconds, 1e-9)
    rules = by_rules.states / max(by_rules.seconds, 1e-9)
    return {
        "game": game.name,
        "level": name,
        "states": found.states,
        "per_second": round(rate),
        "per_second_by_rules": round(rules),
        "ratio": round(rate / rules, 1),
    }


def _print(data: dict[str, Any]) -> None:
    print_paragraph(
        f"{data['level']}: {format_count(data['per_second'], 'positions')} per second ({data['states']:,} found), "
        f"{data['ratio']:,} times the rules' {data['per_second_by_rules']:,}",
        hanging=2,
    )
