"""Engines that know a game by its rules alone."""

from __future__ import annotations

from gridproof.core.game import Game
from gridproof.core.measure import ACTIONS, ANY
from gridproof.search.engine import Resumable
from gridproof.search.path_engine import PathEngine, answer_of, bidirectional_refusal
from gridproof.search.question import GoalQuestion
from gridproof.search.rules_search import BidirectionalRulesSearch, ForwardSearch
from gridproof.search.solution import Solution


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
            if question.progress:
                question.progress(count)
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

    def goal_refusal(self, question: GoalQuestion) -> str:
        before = question.level.game.predecessors
        if before is None or before(question.starts[0]) is None:
            return "the rules have no predecessors"
        return bidirectional_refusal(question)

    def answer(self, question: GoalQuestion) -> Solution:
        before, goals = question.level.game.predecessors, question.goal.where(question.level)
        assert before is not None
        assert goals is not None
        search = BidirectionalRulesSearch(question.starts, goals, lambda position: before(position) or ())
        return answer_of(search, question, self.optimal)
