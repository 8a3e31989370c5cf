"""Races to be watched: their options, and how they end."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gridproof.cli.output import print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.wording import counted
from gridproof.play.shows import Race, race_on

Strategies = Annotated[
    str | None,
    typer.Option("--strategies", metavar="A=NAME,...", help="Who plays how in a race; or one NAME for all."),
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="NAME", help="Whose turn it is: round-robin or random.")
]
ExchangeEvery = Annotated[
    int | None,
    typer.Option("--exchange-every", min=0, metavar="K", help="Tiles are exchanged after so many requests."),
]
MaxRequests = Annotated[
    int | None, typer.Option("--max-requests", min=0, metavar="M", help="A race ends after so many requests.")
]


def race_with(level: Level, seed: int, player: str | None, **options: Any) -> Race | None:
    """The race that the options mean; None where a player is to be watched, or the game has no races.

    Raises
    ------
    GridproofError
        When options of races are given for what is none, or mean nothing.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if "strategies" in given:
        given["strategies"] = strategies_in(given["strategies"])
    race = None if player is not None else race_on(level, seed=seed, **given)
    if given and race is None:
        why = "--player says who plays" if player is not None else f"{level.game.name} has no races"
        raise GridproofError(f"{why}: --{next(iter(given)).replace('_', '-')} is for races")
    return race


def strategies_in(text: str) -> str | dict[str, str]:
    """One strategy for all, or by actor: "planner", "a=planner,b=hints".

    Raises
    ------
    GridproofError
        When the text is neither, or names an actor twice.
    """
    if "=" not in text:
        return text.strip()
    chosen: dict[str, str] = {}
    for part in text.split(","):
        actor, mark, strategy = (piece.strip() for piece in part.partition("="))
        if not (actor and mark and strategy):
            raise GridproofError(f"--strategies {text!r}: it is written a=planner,b=hints")
        if actor in chosen:
            raise GridproofError(f"--strategies {text!r}: {actor} is named twice")
        chosen[actor] = strategy
    return chosen


def print_end(race: Race) -> None:
    """Who has won, and what each has done and knows."""
    after = f"after {counted(race.requests, 'requests')}"
    home = " and ".join(race.winners)
    print_paragraph(f"{home} won {after}" if home else f"nobody has won {after}")
    for actor, facts in race.report()["actors"].items():
        told = ", ".join(f"{word} {_shown(fact)}" for word, fact in facts.items())
        print_paragraph(f"{actor}: {told}", indent=2, hanging=4)


def _shown(fact: object) -> str:
    return (" ".join(map(str, fact)) or "none") if isinstance(fact, list) else str(fact)


def end_status(race: Race | None) -> ExitStatus:
    """No, when a race has ended without a winner."""
    return ExitStatus.NO if race is not None and not race.winners else ExitStatus.DONE
