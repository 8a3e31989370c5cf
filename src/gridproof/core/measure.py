"""Measures: the costs that can be minimised, and the cost of a trace."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from typing import ParamSpec, TypedDict, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game, Measure
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")

ANY = "any"
"""Name that stands among those of measures for nothing: any solution will do."""

ACTIONS = Measure("actions", "actions done", lambda position, action, outcome: 1)
"""The measure that every game has."""


def spoken_name(name: str) -> str:
    """Return the word that players say for a measure: "moves" for "actions"."""
    return "moves" if name == ACTIONS.name else name


def measures(game: Game) -> Mapping[str, Measure]:
    """Return all measures of a game by name."""
    return {item.name: item for item in (ACTIONS, *game.measures)}


_NEXT = 64
"""Bits for the second measure."""


def combine_measures(first: Measure, second: Measure) -> Measure:
    """Combine two measures in lexicographic order: the second decides between equals."""
    return Measure(
        f"{first.name},{second.name}",
        f"{first.meaning}; of equals, {second.meaning}",
        lambda *step: (first.cost(*step) << _NEXT) + second.cost(*step),
        (first, second),
    )


def find_measure(game: Game, name: str) -> Measure:
    """Return the measure of a game with this name; GridproofError if the game has none.

    Of two with a comma between them, the second decides between equals.
    """
    known = measures(game)
    names = name.split(",") if isinstance(name, str) else []
    if len(names) == 2 and names[0] != names[1] and known.keys() >= set(names):
        return combine_measures(known[names[0]], known[names[1]])
    if not isinstance(name, str) or name not in known:
        raise GridproofError(
            f"{game.name} cannot minimise {short_repr(name)}; choose from {', '.join(known)}"
        )
    return known[name]


def cost_of(trace: Trace, measure: Measure) -> int:
    """Return the cost of a trace by a measure, or by the first of two; verify every step, as `costs_of` does."""
    first = (*measure.parts, measure)[0]
    return costs_of(trace, (first,))[first.name]


def costs_of(trace: Trace, by: Collection[Measure]) -> dict[str, int]:
    """Return the cost of a trace by each measure; verify every step once, as `Trace.outcomes` does."""
    if [*by] == [ACTIONS]:
        trace.replay()  # which is verified only once
        return {ACTIONS.name: len(trace.steps)}
    position, totals = trace.start, {measure.name: 0 for measure in by}
    for step, outcome in zip(trace.steps, trace.outcomes(), strict=True):
        for measure in by:
            totals[measure.name] += measure.cost(position, step.action, outcome)
        position = outcome.position
    return totals


class Minimize(TypedDict, total=False):
    """Keyword argument that means `minimise`."""

    minimize: str | None


def accept_minimize(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function whose last parameter is `**spelling: Unpack[Minimize]` accept `minimize` for `minimise`.

    GridproofError where both are given and differ.
    """
    *names, _ = inspect.signature(function).parameters
    place = names.index("minimise")

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if unknown := kwargs.keys() - {*names, "minimize"}:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {min(unknown)!r}")
        if "minimize" in kwargs:
            american = kwargs.pop("minimize")
            given = args[place] if len(args) > place else kwargs.setdefault("minimise", american)
            if given != american:
                raise GridproofError("minimise and minimize are one parameter: give one of them")
        return function(*args, **kwargs)

    return call
