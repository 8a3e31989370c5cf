"""The common base of engines that find paths to a goal, and the engine of a game's own solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.lazy_import import load
from gridproof.core.limit import Stopped
from gridproof.core.measure import cost_of
from gridproof.core.position import Position
from gridproof.core.text.phrases import short_repr
from gridproof.search.engine import Engine
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solution import Solution
from gridproof.search.solver import Solver
from gridproof.search.space import Search, finish, trace_through


class PathEngine(Engine[GoalQuestion, Solution]):
    """An engine that finds paths to a goal."""

    measures: tuple[str, ...] | None
    """The names of its measures, and ANY if it answers when any solution will do; None for all of these."""
    optimal = True
    """True if its solutions are the cheapest."""

    def supports(self, game: Game) -> bool:
        """Return whether it takes any question about levels of a game."""
        return True

    def check(self, question: GoalQuestion) -> None:
        if self.measures is not None and question.minimise not in self.measures:
            raise Refused(f"it minimises {' or '.join(self.measures)}, not {question.minimise}")


class OwnEngine(PathEngine):
    """A game's own solver."""

    needs_fewer = True

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.name, self.meaning = solver.name, solver.meaning
        self.measures, self.optimal = solver.measures, solver.optimal

    def check(self, question: GoalQuestion) -> None:
        super().check(question)
        if not question.is_for_win:
            raise Refused("it solves for a win by all players from one position only")
        refuses = self._solver.refuses
        if refuses and (reason := refuses(question.starts[0], question.minimise)):
            raise Refused(reason)

    def answer(self, question: GoalQuestion) -> Solution:
        try:
            with question.meter.pause():
                solve = self._load()
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

    def _load(self) -> Callable[[GoalQuestion], Solution]:
        module, _, name = self._solver.function.partition(":")
        function = getattr(load(module), name, None)
        if not callable(function):
            raise GridproofError(f"there is no function {name!r} in {module}")
        solve: Callable[[GoalQuestion], Solution] = function
        return solve


def _check(answer: object, question: GoalQuestion) -> None:
    """Check the answer of a game's own solver by the rules."""
    if not isinstance(answer, Solution):
        raise GridproofError(f"it returns {short_repr(answer)}, not a Solution")
    if not answer.found:
        return
    if answer.trace is None or answer.trace.start not in question.starts:
        raise GridproofError("it has no trace from the given position")
    if not question.goal(answer.trace.replay()):
        raise GridproofError("its trace does not win: it and the rules disagree about the goal")
    cost = cost_of(answer.trace, question.measure)
    if answer.cost != cost:
        raise GridproofError(f"it claims that its trace costs {answer.cost}, but it costs {cost}")


class BoundedSearch(Search, Protocol):
    """A search for a goal, as `run_search` uses it."""

    @property
    def goal(self) -> Any:
        """The goal that was found, or None."""

    @property
    def lower_bound(self) -> int:
        """A lower bound of the cost of every goal, while none is found."""


def run_search(search: BoundedSearch, question: GoalQuestion) -> bool:
    """Run a search to its end (True) or to a limit, and report its progress and its lower bound."""

    def report(count: int) -> None:
        question.report(count, search.lower_bound if search.goal is None else 0)

    return finish(search, question.meter, report)


class PathSearch(BoundedSearch, Protocol):
    """A search for a path to a goal, as `answer_of` uses it."""

    @property
    def count(self) -> int:
        """Positions found."""

    def path(self, goal: Any) -> list[Position[Any]]:
        """Return the positions from a start to a goal."""

    def is_same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Return whether the search takes two positions for one."""


def answer_of(search: PathSearch, question: GoalQuestion, optimal: bool) -> Solution:
    """Run a search to its end or to a limit, and return the answer; the trace is replayed by the rules."""
    complete = run_search(search, question)
    if search.goal is None:
        return question.refuted(search.count) if complete else question.given_up(search.count)
    first, *path = search.path(search.goal)
    first = next(start for start in question.starts if search.is_same(start, first))
    trace = trace_through([first, *path], question.who, search.is_same, question.measure)
    return question.solved(trace, search.count, optimal)
