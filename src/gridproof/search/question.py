"""What is asked of a solver: handed along its engines, each of which takes it or refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gridproof.core.game import Measure
from gridproof.core.measure import ACTIONS
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import Goal
from gridproof.search.actors import Who


@dataclass(frozen=True, slots=True)
class Question:
    """The cheapest way to a goal, or any."""

    starts: list[Position[Any]]
    """At least one, all of one level."""
    goal: Goal
    measure: Measure
    """What there is to be little of: actions, where any solution will do."""
    who: Who
    """Who may act."""
    greedy: bool
    """Whether any solution will do."""

    @property
    def level(self) -> Level:
        """The level that the starts belong to."""
        return self.starts[0].level

    @property
    def bound(self) -> Callable[[Position[Any]], int] | None:
        """How much is left to pay at least, where the game can say.

        What a game says is of its players' actions: nature may come to the goal with fewer.
        """
        return self.goal.lower_bound if self.measure is ACTIONS and NATURE not in self.who else None

    @property
    def asks_for_a_win(self) -> bool:
        """Whether it is about the players' own way from one position to a win."""
        return self.who == (None,) and len(self.starts) == 1 and self.goal.is_win

    @property
    def why_never(self) -> str:
        """Why the answer is no, once that has been proved, where the game can say."""
        alone = len(self.starts) == 1 and NATURE not in self.who
        return self.goal.why_never(self.starts[0]) if alone else ""
