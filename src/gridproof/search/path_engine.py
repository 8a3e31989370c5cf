"""What all engines share that find ways to a goal, and the engine of a game's own solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game, Solver
from gridproof.core.limit import Stopped
from gridproof.core.loading import load
from gridproof.core.measure import cost_of
from gridproof.core.position import Position
from gridproof.core.wording import shown
from gridproof.search.engine import Engine
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.space import Search, finish, trace_through


class SolvingEngine(Engine[GoalQuestion, Solution]):
    """One that finds ways to a goal."""

    measures: tuple[str, ...] | None
    """The measures that it minimises, by name, and ANY if it answers where any solution will do; None for all of these."""
    optimal = True
    """Whether what it finds is the cheapest."""

    def serves(self, game: Game) -> bool:
        """Whether it takes any question about levels of a game."""
        return True

    def refusal(self, question: GoalQuestion) -> str:
        if self.measures is not None and question.minimise not in self.measures:
            return f"it minimises {' or '.join(self.measures)}, not {question.minimise}"
        return self.reason_against(question)

    def reason_against(self, question: GoalQuestion) -> str:
        """Why it does not take the question, apart from the measure; "" when it does."""
        return ""


class OwnEngine(SolvingEngine):
    """A game's own solver."""

    needs_fewer = True

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.name, self.meaning = solver.name, solver.meaning
        self.measures, self.optimal = solver.measures, solver.optimal

    def reason_against(self, question: GoalQuestion) -> str:
        if not question.asks_for_a_win:
            return "it is for a win of one position by all players"
        refuses = self._solver.refuses
        return refuses(question.starts[0], question.minimise) if refuses else ""

    def answer(self, question: GoalQuestion) -> Solution:
        try:
            with question.meter.paused():
                solve = self._loaded()
            answer = solve(question)
            _check(answer, question)
        except (Refused, Stopped, MemoryError):
            raise
        except Exception as error:  # whatever other people's code does
            kind = "" if isinstance(error, GridproofError) else f"{type(error).__name__}: "
            raise GridproofError(
                f"the solver {self.name} of {question.level.game.name}: {kind}{error}"
            ) from error
        return replace(answer, optimal=answer.optimal and (self.optimal or not answer.found))

    def _loaded(self) -> Callable[[GoalQuestion], Solution]:
        module, _, name = self._solver.function.partition(":")
        function = getattr(load(module), name, None)
        if not callable(function):
            raise GridproofError(f"there is no function {name!r} in {module}")
        solve: Callable[[GoalQuestion], Solution] = function
        return solve


def _check(answer: object, question: GoalQuestion) -> None:
    """Hold what a game's own solver says to the rules."""
    if not isinstance(answer, Solution):
        raise GridproofError(f"it gives {shown(answer)}, which is no Solution")
    if not answer.found:
        return
    if answer.trace is None or answer.trace.start not in question.starts:
        raise GridproofError("it has no trace from the position that it was asked about")
    if not question.goal(answer.trace.replay()):
        raise GridproofError("its trace does not win: it and the rules disagree about the goal")
    cost = cost_of(answer.trace, question.measure)
    if answer.cost != cost:
        raise GridproofError(f"it says that its trace costs {answer.cost}, not {cost}")


class WaySearch(Search, Protocol):
    """A search for a way to a goal, as `answer_of` uses it."""

    @property
    def goal(self) -> Any:
        """What was found, or None."""

    @property
    def count(self) -> int:
        """Positions found."""

    def path(self, goal: Any) -> list[Position[Any]]:
        """The positions from a start to what was found."""

    def same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Whether the search takes two positions for one."""


def answer_of(search: WaySearch, question: GoalQuestion, optimal: bool) -> Solution:
    """Run a search over states to its end or to a limit; the trace is replayed by the rules."""
    complete = finish(search, question.meter, question.progress)
    if search.goal is None:
        return question.refuted(search.count) if complete else question.given_up(search.count)
    first, *path = search.path(search.goal)
    first = next(start for start in question.starts if search.same(start, first))
    trace = trace_through([first, *path], question.who, search.same, question.measure)
    return question.solved(trace, search.count, optimal)


def not_from_both_ends(question: GoalQuestion) -> str:
    """Why a search from both ends cannot begin at the goals; "" when it can."""
    if not question.of_players:
        return "it is for the actions of all players"
    if question.goal.where(question.level) is None:
        return f"the positions in which {question.goal.name} holds are not listed"
    return ""
