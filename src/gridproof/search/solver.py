"""A game's own solvers, its extension `solvers`; importing this module loads none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.lazy_import import load
from gridproof.core.measure import ANY
from gridproof.core.registry import game


@dataclass(frozen=True, slots=True)
class Solver:
    """A game's own solver, which comes before the shared engines."""

    name: str
    """The name for `--solver`: "fewest-pushes". No other engine of the game has it."""
    meaning: str
    """One line about it."""
    function: str
    """"package.module:function", imported on first use. It takes a `gridproof.search.question.GoalQuestion`
    about a win from one position and returns a `gridproof.search.solution.Solution`, or it raises
    `gridproof.search.refusal.Refused` with the reason why it cannot."""
    measures: tuple[str, ...] = ("actions", ANY)
    """The names of what it minimises; ANY among them if it answers when any solution will do."""
    optimal: bool = True
    """True if its solutions are the cheapest. Another one is asked when any solution will do, and else
    only when it is chosen by name."""
    refuses: Callable[[Any, str], str] | None = None
    """Returns why it does not take a position and a measure, as far as can be seen at once: "bombs cost it nothing";
    "" when it does."""


Solvers = tuple[Solver, ...]
"""The type of `SOLVERS`; the first one that takes a question is asked."""


def solvers_of(game: Game) -> Solvers:
    """Return a game's own solvers; () when it has none."""
    return find_extension(game, "solvers", tuple) or ()


def preload_solvers(names: Iterable[str]) -> Iterator[str]:
    """Load the solvers of games in a process that waits for work; yield the names of the solvers."""
    for name in names:
        yield from load("gridproof.search.warm").load_solvers(game(name))
