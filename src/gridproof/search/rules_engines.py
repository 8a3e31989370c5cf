"""Engines that know a game by its rules alone."""

from __future__ import annotations

from gridproof.core.game import ANY, Game
from gridproof.core.measure import ACTIONS
from gridproof.search.engine import Resumable
from gridproof.search.question import GoalQuestion
from gridproof.search.ruled import ForwardSearch, RuledTwoSided
from gridproof.search.solution import Solution
from gridproof.search.ways import SolvingEngine, answer_of, not_from_both_ends


class Rules(SolvingEngine, Resumable[GoalQuestion, Solution]):
    """Search by the rules from the starts; of one question, for it goes on where it was."""

    name = "rules"
    meaning = "A* by the rules; breadth-first or by cost where no bound is known"
    measures = None

    def __init__(self, informed: bool = True) -> None:
        self._informed = informed
        self.search: ForwardSearch | None = None
        """What it has done so far."""

    def answer(self, question: GoalQuestion, most: int | None = None) -> Solution | None:
        search = self.search = self.search or self._begun(question)
        for count in search.run(question.meter, most):
            if question.progress:
                question.progress(count)
        if search.goal is not None:
            return question.solved(search.trace(), search.count)
        if question.meter.stopped_by:
            return question.given_up(search.count)
        return question.refuted(search.count) if search.exhausted else None

    def _begun(self, question: GoalQuestion) -> ForwardSearch:
        bound = question.bound if self._informed else None
        asked = question.starts, question.goal, question.measure, question.who
        return ForwardSearch(*asked, bound, question.greedy)

    @property
    def states(self) -> int:
        """Positions found so far."""
        return self.search.count if self.search else 0


class RulesFromBothEnds(SolvingEngine):
    """Breadth-first search by the rules from the starts, and from all goals backwards."""

    name = "rules-both-ends"
    meaning = "breadth-first by the rules, from the start and from the goals"
    measures = (ACTIONS.name, ANY)

    def serves(self, game: Game) -> bool:
        return game.predecessors is not None

    def reason_against(self, question: GoalQuestion) -> str:
        before = question.level.game.predecessors
        if before is None or before(question.starts[0]) is None:
            return "the rules do not tell what comes before a position"
        return not_from_both_ends(question)

    def answer(self, question: GoalQuestion) -> Solution:
        before, goals = question.level.game.predecessors, question.goal.where(question.level)
        assert before is not None
        assert goals is not None
        search = RuledTwoSided(question.starts, goals, lambda position: before(position) or ())
        return answer_of(search, question, self.optimal)
