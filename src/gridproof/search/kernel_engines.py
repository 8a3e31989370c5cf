"""Engines that find ways to a goal by a game's kernel, which is loaded when it is needed."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from gridproof.core.game import ANY, Game
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.ruled import GREEDY
from gridproof.search.solution import Solution
from gridproof.search.ways import SolvingEngine, answer_of, not_from_both_ends

if TYPE_CHECKING:
    from gridproof.search.goals import PackedSearch

_GOALS = "gridproof.search.goals"


class KernelEngine(SolvingEngine):
    """A search over packed states."""

    measures: tuple[str, ...] | None = (ACTIONS.name, ANY)

    def serves(self, game: Game) -> bool:
        return bool(game.kernel)

    def answer(self, question: GoalQuestion) -> Solution:
        question.packed()  # refused before anything is loaded
        with question.meter.paused():
            search = self.search(question, load(_GOALS))
            search.prepare()
        return answer_of(search, question, self.optimal)

    @abstractmethod
    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        """The search; `goals` is the module that makes it.

        Raises
        ------
        Refused
            Where another engine must do.
        """


class BothEnds(KernelEngine):
    """From the starts, and from all goals backwards."""

    name = "both-ends"
    meaning = "breadth-first, from the start and from the goals, where these are few and known"

    def serves(self, game: Game) -> bool:
        return super().serves(game) and game.predecessors is not None

    def reason_against(self, question: GoalQuestion) -> str:
        reason = not_from_both_ends(question)
        try:
            return reason or ("" if question.packed()[1].most_before else _NO_WAY_BACK)
        except Refused as refusal:
            return str(refusal)

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.two_sided_search(question)
        return found


_NO_WAY_BACK = "the kernel does not tell what comes before a position"


class AStar(KernelEngine):
    """In the order of cost plus a lower bound of the remaining cost."""

    name = "a-star"
    meaning = "A*, by a bound of how many actions are left"
    weight = 1

    def serves(self, game: Game) -> bool:
        return super().serves(game) and any(item.bound for item in game.propositions)

    def reason_against(self, question: GoalQuestion) -> str:
        if not question.of_players:
            return "its bound is for the actions of all players"
        if question.goal.lower_bound is None:
            return f"nothing is known of how many actions are left until {question.goal.name}"
        try:
            question.packed()
        except Refused as reason:
            return str(reason)
        with question.meter.paused():
            bound = load(_GOALS).bound_of(question)
        return "the kernel does not know how many actions are left at least" if bound is None else ""

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.search_by_cost(question, self.weight)
        return found


class Greedy(AStar):
    """A* with a bound of much greater weight than the cost."""

    name = "greedy"
    meaning = "goes for the goal: as A*, but what is left counts five times what has been done"
    optimal = False
    weight = GREEDY


class BreadthFirst(KernelEngine):
    """In the order of the number of actions."""

    name = "breadth-first"
    meaning = "in the order of the number of actions, by all cores"

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.breadth_first_search(question)
        return found


class UniformCost(KernelEngine):
    """In the order of cost."""

    name = "uniform-cost"
    meaning = "in the order of what has been paid, by any measure"
    measures = None

    def serves(self, game: Game) -> bool:
        return super().serves(game) and bool(game.measures)

    def search(self, question: GoalQuestion, goals: Any) -> PackedSearch:
        found: PackedSearch = goals.search_by_cost(question)
        return found
