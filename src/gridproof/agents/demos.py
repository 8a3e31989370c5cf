"""Demos: games by players (`gp.player`), and a game's own demos (`Demos` in its extension `agents`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol

from gridproof.agents.extension import (
    BoardLimits,
    CoPlayer,
    CoPlayers,
    Demo,
    Demos,
    Meanings,
    Player,
    part_of,
)
from gridproof.agents.own_player import is_reference
from gridproof.agents.players import adviser, options_of, player, players
from gridproof.agents.solution_cache import SolutionCache, find_solution
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.core.validation import check_options
from gridproof.search.simple_players import play_game

OWN_PLAYERS = "GRIDPROOF_PLAYERS"
"""Environment variable with references to the user's own players, to watch in every front end: `my.py:play,sokoban=ppo.zip`."""

_LARGE = 100
"""From here on, values are written as whole numbers."""

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


class Race(Protocol):
    """A race: actors play against each other, each with its own strategy."""

    @property
    def players(self) -> Mapping[str, str]:
        """Return the name of each actor's strategy."""

    @property
    def requests(self) -> int:
        """Count the requests served so far."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the winners."""

    @property
    def passes(self) -> tuple[str, ...]:
        """Return which actors have passed their turns since the last action, and why."""

    def steps(self) -> Iterator[tuple[Action, Outcome[Any]]]:
        """Play to the end, and yield each action with its outcome."""

    def trace(self) -> Trace:
        """Return what was done."""

    def report(self) -> Mapping[str, Any]:
        """Return additional results as JSON."""


class Solver:
    """Player that follows the level's certificate or a solution, and solves again after bad luck."""

    def __init__(self, level: Level) -> None:
        self._plan = SolutionCache(level.certificate)

    def __call__(self, position: Position[Any]) -> Action:
        step = self._plan.step(position)
        if step is None:
            solution = find_solution(position)
            if solution.trace is None:
                reason = "it cannot be won" if solution.found is False else "no solution was found in time"
                raise GridproofError(f"{reason}: try another player")
            self._plan.follow(solution.trace)
            step = solution.trace.steps[0]
        return step.action


def _demo_solver(level: Level, seed: int) -> Iterator[tuple[Action, Outcome[Any]]]:
    """Yield the solver's game, which ends with the win, even if the game could go on (T11)."""
    if level.start(seed).won:
        return
    solver = player(level.game, "solver") if adviser(level.game) else Solver(level)
    for action, outcome in play_game(solver, level, seed):
        yield action, outcome
        if outcome.position.won:
            return


def _demo_player(
    name: str, options: Mapping[str, Any], level: Level, seed: int
) -> Iterator[tuple[Action, Outcome[Any]]]:
    """Yield the game of a player."""
    return play_game(_seeded_player(level.game, name, seed, options), level, seed)


def _seeded_player(game: Game, name: str, seed: int, options: Mapping[str, Any]) -> Player:
    own = {"seed": seed} if "seed" in options_of(game, name) else {}
    return player(game, name, **own, **options)


def player_of_demo(
    game: Game, name: str | None, seed: int, options: Mapping[str, Any] = NO_OPTIONS
) -> Player:
    """Return the player of the demo with a name, or of the first, for the values it gives to actions.

    GridproofError when there is no such demo, or it is the game's own, without a player.
    """
    chosen = name or next(iter(demos(game)))
    if is_reference(chosen):
        return _seeded_player(game, chosen, seed, options)
    find_demo(game, chosen)
    if chosen not in players(game):
        raise GridproofError(f"{chosen} gives no values to actions: choose one of {', '.join(players(game))}")
    return _seeded_player(game, chosen, seed, options)


def describe_values(judge: Player, position: Position[Any]) -> str:
    """Return the player's value of each action in words; "" when the game is over."""
    if position.ended:
        return ""
    found = judge.values(position)
    return "; ".join(f"{action} {_value_text(found[action])}" for action in position.actions())


def describe_next_values(judge: Player, position: Position[Any]) -> str:
    """Return what the next actions are worth to a player, beside the move just made; "" when the game is over.

    Each player has a measure of its own: points, or what its program counts.
    """
    found = describe_values(judge, position)
    return f"Next, by its own measure: {found}" if found else ""


def _value_text(value: float) -> str:
    """Return a value in figures that people read: no powers of ten for large ones."""
    return f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:.3g}"


def demos(game: Game) -> Mapping[str, Demo]:
    """Return the demos of a game by name, the most suitable first: its own, then games of its players and the user's."""
    agents = part_of(game, Demos)
    own = agents.demos if agents else {}
    names = (*players(game), *_own_references(game))
    return {**own, **{name: own_demo(name) for name in names}, "solver": _demo_solver}


def unsuited_demos(level: Level) -> list[str]:
    """Return the names of the demos that cannot play a level."""
    agents = part_of(level.game, BoardLimits)
    return [*agents.unsuited_players(level)] if agents else []


def own_demo(reference: str, options: Mapping[str, Any] = NO_OPTIONS) -> Demo:
    """Return the games of a player as a demo, with options of it; of the user's own by its reference, too.

    References are code: never take one from a client of the server.
    """
    return partial(_demo_player, reference, options)


def _own_references(game: Game) -> Iterator[str]:
    """Return the references in the environment variable `OWN_PLAYERS` that are for a game."""
    for text in os.environ.get(OWN_PLAYERS, "").split(","):
        name, _, reference = text.strip().rpartition("=")
        if reference and name in ("", game.name):
            yield reference


_MEANINGS = {
    "solver": "the solution",
    "greedy": "what looks best at once",
    "random": "a random player",
}


def demo_meanings(game: Game) -> Mapping[str, str]:
    """Return a phrase for each demo that has one, by name: what its player does."""
    agents = part_of(game, Meanings)
    return {**_MEANINGS, **(agents.meanings if agents else {})}


def co_players(game: Game) -> Mapping[str, Callable[[Level, str, int], CoPlayer]]:
    """Return the co-players of a game by name, as functions of a level, an actor and a seed."""
    agents = part_of(game, CoPlayers)
    return agents.co_players if agents else {}


def find_demo(game: Game, name: str | None, options: Mapping[str, Any] = NO_OPTIONS) -> Demo:
    """Return the demo with a name, or the first, with options of its player.

    GridproofError when there is none of that name. An option that the player does not have is refused when it plays.
    """
    by_name = demos(game)
    chosen = next(iter(by_name)) if name is None else name
    if chosen not in by_name:
        raise GridproofError(f"{game.name} has no player {chosen!r}: it has {', '.join(by_name)}")
    return own_demo(chosen, options) if options else by_name[chosen]


def is_lineup(name: str) -> bool:
    """Return whether a name gives each actor a player of its own: "a=planner,b=hints"."""
    return "=" in name


def race_of(level: Level, seed: int, options: Mapping[str, Any]) -> Race:
    """Create a race on a level, with the game's own options.

    GridproofError when the game has no races, or they have no such options.
    """
    make = find_function(level.game, "commands", "watch")
    if make is None:
        raise GridproofError(f"{level.game.name} has no races")
    check_options(make, options, "a race")
    race: Race = make(level, seed, **options)
    return race
