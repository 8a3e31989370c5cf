"""Costs that can be minimised: those every game has, and what a trace costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game, Measure
from gridproof.core.trace import Trace
from gridproof.core.wording import shown

ACTIONS = Measure("actions", "actions done", lambda position, action, outcome: 1)
"""The measure that every game has."""


def measures(game: Game) -> Mapping[str, Measure]:
    """All measures of a game by name."""
    return {item.name: item for item in (ACTIONS, *game.measures)}


def measure_named(game: Game, name: str) -> Measure:
    """The measure of a game with this name.

    Raises
    ------
    GridproofError
        When it has none.
    """
    known = measures(game)
    if not isinstance(name, str) or name not in known:
        raise GridproofError(f"{game.name} cannot minimise {shown(name)}: there are {', '.join(known)}")
    return known[name]


def cost_of(trace: Trace, measure: Measure) -> int:
    """What a trace costs by one measure; every step is verified, as by `costs_of`."""
    return costs_of(trace, (measure,))[measure.name]


def costs_of(trace: Trace, by: Collection[Measure]) -> dict[str, int]:
    """What a trace costs by each measure; every step is verified, once.

    Raises
    ------
    IllegalAction
        At a step that cannot be done as it says.
    """
    position, totals = trace.start, {measure.name: 0 for measure in by}
    for step, outcome in zip(trace.steps, trace.outcomes(), strict=True):
        for measure in by:
            totals[measure.name] += measure.cost(position, step.action, outcome)
        position = outcome.position
    return totals
