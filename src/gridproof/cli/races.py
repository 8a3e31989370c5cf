"""Races to watch, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.agents.demos import Race
from gridproof.cli.output import ExitStatus, print_paragraph
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count


def create_race(level: Level, seed: int, player: str | None, own: Mapping[str, Any]) -> Race | None:
    """Create the race that the options describe; None for a player, or if the game has no races.

    GridproofError when options of races are used without a race, or are invalid.
    """
    make = find_function(level.game, "commands", "watch") if player is None else None
    race: Race | None = make(level, seed, **own) if make else None
    if own and race is None:
        why = "give --player" if player is not None else f"{level.game.name} has no races"
        raise GridproofError(f"{why}: --{next(iter(own)).replace('_', '-')} applies to races only")
    return race


def print_result(race: Race) -> None:
    """Print the winner, and the report of each robot."""
    after = f"after {format_count(race.requests, 'requests')}"
    home = " and ".join(race.winners)
    print_paragraph(f"{home} won {after}" if home else f"nobody won {after}")
    for actor, facts in race.report()["actors"].items():
        results = ", ".join(f"{word} {_fact_text(fact)}" for word, fact in facts.items())
        print_paragraph(f"{actor}: {results}", indent=2, hanging=4)


def _fact_text(fact: object) -> str:
    return (" ".join(map(str, fact)) or "none") if isinstance(fact, list) else str(fact)


def race_status(race: Race | None) -> ExitStatus:
    """Return NO after a race without a winner."""
    return ExitStatus.NO if race is not None and not race.winners else ExitStatus.DONE
