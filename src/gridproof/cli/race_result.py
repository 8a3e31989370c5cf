"""Races to be watched, and how they end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.cli.output import print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.wording import counted
from gridproof.play.shows import Race


def race_with(level: Level, seed: int, player: str | None, own: Mapping[str, Any]) -> Race | None:
    """The race that the options mean; None where a player is to be watched, or the game has no races.

    Raises
    ------
    GridproofError
        When options of races are given without a race, or mean nothing.
    """
    make = level.game.added("watch") if player is None else None
    race: Race | None = make(level, seed, **own) if make else None
    if own and race is None:
        why = "--player says who plays" if player is not None else f"{level.game.name} has no races"
        raise GridproofError(f"{why}: --{next(iter(own)).replace('_', '-')} is for races")
    return race


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
