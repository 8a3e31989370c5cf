"""Players of a game: their list, and the races that they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridproof.agents.demos import Race, demos, is_lineup
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count

LIST = "?"
"""Name of a player that asks for the list."""


def print_players(game: Game, json: bool) -> ExitStatus:
    """Print the names of a game's players."""
    print_json(list(demos(game))) if json else print_paragraph(", ".join(demos(game)))
    return ExitStatus.DONE


def options_of_player(**given: object) -> dict[str, Any]:
    """Return the options of a player that are given."""
    return {name: value for name, value in given.items() if value is not None}


def create_race(level: Level, seed: int, player: str | None, own: Mapping[str, Any]) -> Race | None:
    """Create the race that the options describe; None for one player, or if the game has no races.

    Raises
    ------
    GridproofError
        When options of races are used without a race, or are invalid.
    """
    make = find_function(level.game, "commands", "watch")
    if make is not None and player is not None and is_lineup(player):
        own, player = {"strategies": player, **own}, None
    if make is not None and player is None:
        race: Race = make(level, seed, **own)
        return race
    if own:
        why = f"{level.game.name} has no races" if make is None else "--player names one player"
        raise GridproofError(f"--{next(iter(own)).replace('_', '-')} applies to races only, but {why}")
    return None


def print_result(race: Race) -> None:
    """Print the winner, and the report of each actor."""
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


def name_of_player(reference: str) -> str:
    """Return the name of a player for others, without the place of its file on this machine: `my.py:play`."""
    file, colon, name = reference.partition(":")
    return Path(file).name + colon + name
