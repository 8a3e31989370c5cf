"""Engines of all games that find paths to a goal: by the rules, or by a kernel that is loaded when it is needed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from gridproof.core.extension import module_of
from gridproof.core.game import Game
from gridproof.core.lazy_import import load
from gridproof.core.measure import ACTIONS, ANY
from gridproof.search.engine import Resumable
from gridproof.search.path_engine import PathEngine, answer_of
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.rules_search import GREEDY, BidirectionalRulesSearch, ForwardSearch
from gridproof.search.solution import Solution

_GOALS = "gridproof.search.goals"


class Rules(PathEngine, Resumable[GoalQuestion, Solution]):
    """Search by the rules from the starts, for one question: it goes on where it stopped."""

    name = "rules"
    meaning = "A* with the rules; breadth-first or uniform-cost without a bound"
    measures = None

    def __init__(self, informed: bool = True) -> None:
        self._informed = informed
        self.search: ForwardSearch | None = None
        """The search so far."""

    def answer(self, question: GoalQuestion, most: int | None = None) -> Solution | None:
        search = self.search = self.search or self._start(question)
        for count in search.run(question.meter, most):
            question.report(count, search.lower_bound)
        if search.goal is not None:
            return question.solved(search.trace(), search.count)
        if question.meter.stopped_by:
            return question.given_up(search.count)
        return question.refuted(search.count) if search.is_exhausted else None

    def _start(self, question: GoalQuestion) -> ForwardSearch:
        bound = question.bound if self._informed else None
        return ForwardSearch(
            question.starts, question.goal, question.measure, question.who, bound, question.greedy
        )

    @property
    def states(self) -> int:
        """The number of positions found so far."""
        return self.search.count if self.search else 0


class RulesFromBothEnds(PathEngine):
    """Breadth-first search by the rules from the starts, and from all goals backwards."""

    name = "rules-both-ends"
    meaning = "breadth-first with the rules, from the start and from the goals"
    measures = (ACTIONS.name, ANY)

    def supports(self, game: Game) -> bool:
        return game.predecessors is not None

    def check(self, question: GoalQuestion) -> None:
        super().check(question)
        before = question.level.game.predecessors
        if before is None or before(question.starts[0]) is None:
            raise Refused("the rules have no predecessors")
        check_goals(question)

    def answer(self, question: GoalQuestion) -> Solution:
        before, goals = question.level.game.predecessors, question.goal.where(question.level)
        assert before is not None
        assert goals is not None
        search = BidirectionalRulesSearch(question.starts, goals, lambda position: before(position) or ())
        return answer_of(search, question, self.optimal)


def check_goals(question: GoalQuestion) -> None:
    """Check that a search from both ends can begin at the goals; else Refused."""
    if not question.is_by_players:
        raise Refused("it solves for the actions of all players only")
    if question.goal.where(question.level) is None:
        raise Refused(f"the positions in which {question.goal.name} holds are not listed")


class KernelEngine(PathEngine):
    """A search over packed states."""

    measures: tuple[str, ...] | None = (ACTIONS.name, ANY)

    def supports(self, game: Game) -> bool:
        return bool(module_of(game, "kernel"))

    def answer(self, question: GoalQuestion) -> Solution:
        question.load_packing()  # refused before anything is loaded
        with question.meter.pause():
            search = self.search(question, load(_GOALS))
            search.prepare()
        return answer_of(search, question, self.optimal)

    @abstractmethod
    def search(self, question: GoalQuestion, goals: Any) -> Any:
        """Return the `PathSearch`, made by the module `goals`; Refused when another engine must do."""


class BothEnds(KernelEngine):
    """Search from the starts, and backwards from all goals."""

    name = "both-ends"
    meaning = "bidirectional breadth-first, if the goals are few and known"

    def supports(self, game: Game) -> bool:
        return super().supports(game) and game.predecessors is not None

    def check(self, question: GoalQuestion) -> None:
        super().check(question)
        check_goals(question)
        if not question.load_packing()[1].most_before:
            raise Refused("the kernel has no predecessors")

    def search(self, question: GoalQuestion, goals: Any) -> Any:
        return goals.bidirectional_search(question)


class AStar(KernelEngine):
    """Search in the order of cost plus a lower bound of the remaining cost."""

    name = "a-star"
    meaning = "A*, with a lower bound on the remaining actions"
    weight = 1

    def supports(self, game: Game) -> bool:
        return super().supports(game) and any(item.bound for item in game.propositions)

    def check(self, question: GoalQuestion) -> None:
        super().check(question)
        if not question.is_by_players:
            raise Refused("its bound holds for the actions of all players only")
        if question.goal.lower_bound is None:
            raise Refused(f"there is no lower bound on the actions until {question.goal.name}")
        question.load_packing()
        with question.meter.pause():
            bound = load(_GOALS).bound_of(question)
        if bound is None:
            raise Refused("the kernel has no lower bound on the remaining actions")

    def search(self, question: GoalQuestion, goals: Any) -> Any:
        return goals.best_first_search(question, self.weight)


class Greedy(AStar):
    """A* with a bound of much greater weight than the cost."""

    name = "greedy"
    meaning = "weighted A* (weight 5): finds a solution soon, not the cheapest"
    optimal = False
    weight = GREEDY


class BreadthFirst(KernelEngine):
    """Search in the order of the number of actions."""

    name = "breadth-first"
    meaning = "breadth-first on all cores"

    def search(self, question: GoalQuestion, goals: Any) -> Any:
        return goals.breadth_first_search(question)


class UniformCost(KernelEngine):
    """Search in the order of cost."""

    name = "uniform-cost"
    meaning = "uniform-cost search, for any measure"
    measures = None

    def supports(self, game: Game) -> bool:
        return super().supports(game) and bool(game.measures)

    def search(self, question: GoalQuestion, goals: Any) -> Any:
        return goals.best_first_search(question)
