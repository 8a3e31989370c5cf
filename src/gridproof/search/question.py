"""Questions, which go from engine to engine until one answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, Meter, start_meter
from gridproof.core.measure import ACTIONS, ANY, cost_of, find_measure
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.trace import Trace
from gridproof.search.actors import Actors, Who, resolve_actors, starts_of
from gridproof.search.cost_product import to_cost_product
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.space import EarlyStop, Progress, monotonic_progress

if TYPE_CHECKING:
    from gridproof.kernels.game import GameKernel, Packing
    from gridproof.search.packed_bfs import Acting

    Packed = tuple[GameKernel, Packing, Acting]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question about the reachable positions."""

    starts: list[Position[Any]]
    """At least one, all of one level."""
    who: Who = (None,)
    """The actors."""
    meter: Meter = field(default_factory=lambda: start_meter(None))
    """The limit, and its used part."""
    progress: Progress | None = None
    """Receives the number of positions now and then."""
    early_stop: EarlyStop | None = None
    """Ends an exploration early."""
    _packed: list[Packed | Refused] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def level(self) -> Level:
        """The level that the starts belong to."""
        return self.starts[0].level

    @property
    def is_by_players(self) -> bool:
        """True if all players act, and nobody else."""
        return self.who == (None,)

    def load_packing(self) -> Packed:
        """Return the game's kernel, the packing of the level, and the actors; Refused when the rules must do."""
        if not self._packed:
            with self.meter.pause():
                module = load("gridproof.search.packed_bfs")
                try:
                    self._packed.append(module.prepare_packing(self.starts, self.who))
                except Refused as reason:
                    self._packed.append(reason)
        found = self._packed[0]
        if isinstance(found, Refused):
            raise found
        return found


def build_question(
    level_or_position: Level | Position[Any] | str,
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Question:
    """Build the question of `gridproof.explore` from its arguments."""
    meter, starts = start_meter(limit), starts_of(level_or_position)
    who = resolve_actors(starts[0].level, actors)
    return Question(starts=starts, who=who, meter=meter, progress=monotonic_progress(progress))


@dataclass(frozen=True, kw_only=True)
class GoalQuestion(Question):
    """A question about the cheapest way to a goal, or any."""

    goal: Goal
    measure: Measure = ACTIONS
    """The measure to minimise; actions, where any solution will do."""
    greedy: bool = False
    """True if any solution will do."""
    report_bound: Callable[[int], object] | None = None
    """Receives lower bounds of the actions to a goal, while none is found, if actions are minimised."""

    def report(self, count: int, bound: int) -> None:
        """Report how far a search is: the positions found, and a lower bound of the cost of a goal."""
        if self.report_bound is not None and self.measure is ACTIONS and not self.greedy:
            self.report_bound(bound)
        if self.progress is not None:
            self.progress(count)

    @property
    def minimise(self) -> str:
        """The name of the measure, or ANY."""
        return ANY if self.greedy else self.measure.name

    @property
    def bound(self) -> Callable[[Position[Any]], int] | None:
        """The lower bound of the remaining cost, where the game has one.

        The game's bound counts its players' actions: nature may reach the goal with fewer.
        """
        return self.goal.lower_bound if self.measure is ACTIONS and NATURE not in self.who else None

    @property
    def is_for_win(self) -> bool:
        """True if it asks for the players' own path from one position to a win."""
        return self.is_by_players and len(self.starts) == 1 and self.goal.is_win

    @property
    def impossibility_reason(self) -> str:
        """The reason for a proved no, where the game can say; else ""."""
        alone = len(self.starts) == 1 and NATURE not in self.who
        return self.goal.explain_never(self.starts[0]) if alone else ""

    def solved(self, trace: Trace, states: int, optimal: bool = True) -> Solution:
        """Return the answer with a trace to the goal, after finding `states` positions.

        GridproofError when the trace cannot be replayed by the rules, or leads elsewhere.
        """
        if not self.goal(trace.replay()):
            raise GridproofError("a solver and the rules disagree about the goal; please report this level")
        cost = cost_of(trace, self.measure)
        return Solution(True, trace, cost, optimal and not self.greedy, states, self.meter.seconds)

    def refuted(self, states: int) -> Solution:
        """Return the answer that there is no way, after finding `states` positions."""
        return Solution(False, None, None, True, states, self.meter.seconds)

    def given_up(self, states: int) -> Solution:
        """Return the answer that a limit was reached."""
        return Solution(None, None, None, False, states, self.meter.seconds, self.meter.stopped_by)


def build_goal_question(
    level_or_position: Level | Position[Any] | str,
    minimise: str | None = ACTIONS.name,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> GoalQuestion:
    """Build the question of `gridproof.solve` from its arguments."""
    counted, goal = to_cost_product(resolve_level(level_or_position), goal)
    plain = build_question(counted, actors, limit, progress)
    game = plain.level.game
    measure = find_measure(game, ACTIONS.name if minimise is None else minimise)
    reached = proposition.parse_goal(game, goal)
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
