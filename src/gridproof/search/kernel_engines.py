"""Engines that find ways to a goal by a game's kernel, which is loaded when it is needed."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from gridproof.core.extension import module_of
from gridproof.core.game import Game
from gridproof.core.lazy_import import load
from gridproof.core.measure import ACTIONS, ANY
from gridproof.search.path_engine import PathEngine, answer_of, bidirectional_refusal
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.rules_search import GREEDY
from gridproof.search.solution import Solution

if TYPE_CHECKING:
    from gridproof.search.goals import PackedSearch

_GOALS = "gridproof.search.goals"


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
    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        """Return the search, made by the module `goals`; Refused when another engine must do."""


class BothEnds(KernelEngine):
    """Search from the starts, and backwards from all goals."""

    name = "both-ends"
    meaning = "bidirectional breadth-first, if the goals are few and known"

    def supports(self, game: Game) -> bool:
        return super().supports(game) and game.predecessors is not None

    def goal_refusal(self, question: GoalQuestion) -> str:
        reason = bidirectional_refusal(question)
        try:
            return reason or ("" if question.load_packing()[1].most_before else _NO_WAY_BACK)
        except Refused as refusal:
            return str(refusal)

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.bidirectional_search(question)
        return found


_NO_WAY_BACK = "the kernel has no predecessors"


class AStar(KernelEngine):
    """Search in the order of cost plus a lower bound of the remaining cost."""

    name = "a-star"
    meaning = "A*, with a lower bound on the remaining actions"
    weight = 1

    def supports(self, game: Game) -> bool:
        return super().supports(game) and any(item.bound for item in game.propositions)

    def goal_refusal(self, question: GoalQuestion) -> str:
        if not question.is_by_players:
            return "its bound holds for the actions of all players only"
        if question.goal.lower_bound is None:
            return f"there is no lower bound on the actions until {question.goal.name}"
        try:
            question.load_packing()
        except Refused as reason:
            return str(reason)
        with question.meter.pause():
            bound = load(_GOALS).bound_of(question)
        return "the kernel has no lower bound on the remaining actions" if bound is None else ""

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.best_first_search(question, self.weight)
        return found


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

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.breadth_first_search(question)
        return found


class UniformCost(KernelEngine):
    """Search in the order of cost."""

    name = "uniform-cost"
    meaning = "uniform-cost search, for any measure"
    measures = None

    def supports(self, game: Game) -> bool:
        return super().supports(game) and bool(game.measures)

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.best_first_search(question)
        return found
