"""`bench`: how many positions a second the engines find on this machine, by kernels and by rules."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import game_names
from gridproof.core.shelf import pack_names, shipped
from gridproof.core.wording import counted
from gridproof.search.explore import explore, explore_by_rules


def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="All games by default.")] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, metavar="S", help="For each measurement.")
    ] = 2.0,
    json: Json = False,
) -> ExitStatus:
    """Measure how fast each game is explored on this machine.

    That is a large level of it, by its kernel and by its rules.
    """
    for name in game_names() if game is None else (game,):
        with Progress(f"Measuring {name}") as progress:
            progress(0)
            data = _measured(game_named(name), seconds)
        print_json(data) if json else _print(data)
    return ExitStatus.DONE


_MANY = 20_000


def _measured(game: Game, seconds: float) -> dict[str, Any]:
    """The rates on the last of the levels that have many positions: packs are sorted by difficulty."""
    levels = [level for pack in pack_names(game) for level in shipped(game, pack)]
    limit = Limit(seconds=0.5, states=_MANY)
    level = max(reversed(levels), key=lambda level: explore(level, limit=limit).states)
    explore(level, limit=Limit(states=_MANY))  # kernels are loaded
    by_rules = explore_by_rules(level, limit=Limit(seconds / 2))
    found = explore(level, limit=Limit(seconds))
    rate = found.states / max(found.seconds, 1e-9)
    rules = by_rules.states / max(by_rules.seconds, 1e-9)
    return {
        "game": game.name,
        "level": _name_of(game, level),
        "states": found.states,
        "per_second": round(rate),
        "per_second_by_rules": round(rules),
        "ratio": round(rate / rules, 1),
    }


def _name_of(game: Game, level: Level) -> str:
    for pack in pack_names(game):
        for number, one in enumerate(shipped(game, pack), 1):
            if one == level:
                return f"{game.name}/{pack}/{number}"
    return level.title


def _print(data: dict[str, Any]) -> None:
    print_paragraph(
        f"{data['level']}: {counted(data['per_second'], 'positions')} a second ({data['states']:,} found), "
        f"{data['ratio']:,} times the rules' {data['per_second_by_rules']:,}",
        hanging=2,
    )
