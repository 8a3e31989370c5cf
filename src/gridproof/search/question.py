"""A question, which is asked of each engine of a list until one answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import ANY, Measure
from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS, cost_of, measure_named
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.trace import Trace
from gridproof.search.actors import Actors, Who, acting, starts_of
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.space import Progress, rising

if TYPE_CHECKING:
    from gridproof.kernels.game import GameKernel, Packing
    from gridproof.search.packed import Acting

    Packed = tuple[GameKernel, Packing, Acting]


@dataclass(frozen=True, kw_only=True)
class Question:
    """Which positions can be reached."""

    starts: list[Position[Any]]
    """At least one, all of one level."""
    who: Who = (None,)
    """Who may act."""
    meter: Meter = field(default_factory=lambda: started(None))
    """The limit, and what of it has been used."""
    progress: Progress | None = None
    """Told of the positions found."""
    _packed: list[Packed | Refused] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def level(self) -> Level:
        """The level that the starts belong to."""
        return self.starts[0].level

    @property
    def of_players(self) -> bool:
        """Whether all players act, and nobody else."""
        return self.who == (None,)

    def packed(self) -> Packed:
        """The game's kernel, the level as it packs it, and who acts: made once.

        Raises
        ------
        Refused
            Where the rules must do.
        """
        if not self._packed:
            with self.meter.paused():
                module = load("gridproof.search.packed")
                try:
                    self._packed.append(module.packed_for(self.starts, self.who))
                except Refused as reason:
                    self._packed.append(reason)
        found = self._packed[0]
        if isinstance(found, Refused):
            raise found
        return found


def asked(
    level_or_position: Level | Position[Any],
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Question:
    """What `gridproof.explore` asks, in its words.

    Raises
    ------
    GridproofError
        For an actor that the level does not know, and what is no level, limit or function.
    """
    meter, starts = started(limit), starts_of(level_or_position)
    who = acting(starts[0].level, actors)
    return Question(starts=starts, who=who, meter=meter, progress=rising(progress))


@dataclass(frozen=True, kw_only=True)
class GoalQuestion(Question):
    """The cheapest way to a goal, or any."""

    goal: Goal
    measure: Measure = ACTIONS
    """The measure to minimise; actions, where any solution will do."""
    greedy: bool = False
    """Whether any solution will do."""

    @property
    def minimise(self) -> str:
        """The name of what is minimised, or ANY."""
        return ANY if self.greedy else self.measure.name

    @property
    def bound(self) -> Callable[[Position[Any]], int] | None:
        """The lower bound of the remaining cost, where the game has one.

        What a game says is of its players' actions: nature may come to the goal with fewer.
        """
        return self.goal.lower_bound if self.measure is ACTIONS and NATURE not in self.who else None

    @property
    def asks_for_a_win(self) -> bool:
        """Whether it is about the players' own way from one position to a win."""
        return self.of_players and len(self.starts) == 1 and self.goal.is_win

    @property
    def why_never(self) -> str:
        """Why the answer is no, once that has been proved, where the game can say."""
        alone = len(self.starts) == 1 and NATURE not in self.who
        return self.goal.why_never(self.starts[0]) if alone else ""

    def solved(self, trace: Trace, states: int, optimal: bool = True) -> Solution:
        """The answer with a trace that leads to the goal, after finding `states` positions.

        Raises
        ------
        GridproofError
            When the trace cannot be replayed by the rules, or leads elsewhere.
        """
        if not self.goal(trace.replay()):
            raise GridproofError("a solver and the rules disagree about the goal: please report this level")
        cost = cost_of(trace, self.measure)
        return Solution(True, trace, cost, optimal and not self.greedy, states, self.meter.seconds)

    def refuted(self, states: int) -> Solution:
        """The answer that there is no way, after finding `states` positions."""
        return Solution(False, None, None, True, states, self.meter.seconds)

    def given_up(self, states: int) -> Solution:
        """The answer when a limit was reached."""
        return Solution(None, None, None, False, states, self.meter.seconds, self.meter.stopped_by)


def asked_for_goal(
    level_or_position: Level | Position[Any],
    minimise: str | None = ACTIONS.name,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> GoalQuestion:
    """What `gridproof.solve` asks, in its words.

    Raises
    ------
    GridproofError
        For a measure, goal or actor that the game does not know, and what is no level, limit or function.
    """
    plain = asked(level_or_position, actors, limit, progress)
    game = plain.level.game
    measure = measure_named(game, ACTIONS.name if minimise is None else minimise)
    reached = proposition.goal(game, goal)
    reached.value(plain.starts[0])  # tells which arguments mean nothing on this level
    return GoalQuestion(
        starts=plain.starts,
        who=plain.who,
        meter=plain.meter,
        progress=plain.progress,
        goal=reached,
        measure=measure,
        greedy=minimise is None,
    )
