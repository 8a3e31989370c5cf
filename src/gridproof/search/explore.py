"""`gp.explore`: all reachable positions, by a game's kernel or by its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.search.actors import Actors
from gridproof.search.engine import Engine, EngineAnswer, FirstAttempt, Q, Resumable, ask, ask_one
from gridproof.search.question import GoalQuestion, Question, build_question
from gridproof.search.refusal import Refused
from gridproof.search.rules_space import RulesSpace
from gridproof.search.space import Progress, StateSpace, finish

if TYPE_CHECKING:
    from gridproof.core.proposition import Goal
    from gridproof.kernels.game import Ranking
    from gridproof.search.packed_bfs import PackedStates

_SPACES = "gridproof.search.kernel_space"
_BY_RULES = 1000  # positions whose expansion takes less time than loading a kernel


def explore(
    level_or_position: Level | Position[Any] | str,
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Find every reachable position.

    Parameters
    ----------
    level_or_position : Level, Position or str
        A level, or the name of one as of `gridproof.level`, is explored from all its starts.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop with the positions found so far; never an error.

    Returns
    -------
    StateSpace
        The positions by number, with their edges, depths and values.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.

    Examples
    --------
    >>> import gridproof as gp
    >>> space = gp.explore("sokoban/first-steps/1")
    >>> space.states, space.complete, int(space.values("won").sum())
    (26, True, 1)
    """
    return space_of(build_question(level_or_position, actors, limit, progress))


def space_of(question: Question) -> StateSpace:
    """Return the state space for a question."""
    rules = RulesExploration[Question]()
    kernels = RankedExploration(), KernelExploration[Question]()
    space = _with_origin(ask(question, [FirstAttempt(rules, _BY_RULES), *kernels, rules]))
    ruled = rules.space
    if ruled is None or space.complete or space.states >= ruled.states:
        return space
    ruled.engine, ruled.stopped_by = rules.name, space.stopped_by  # before the kernel had found as many
    return ruled


def explore_until_goal(question: GoalQuestion) -> StateSpace:
    """Find every reachable position, except those that come only after the goal."""
    rules = RulesExploration[GoalQuestion](question.goal)
    return _with_origin(ask(question, [FirstAttempt(rules, _BY_RULES), KernelExplorationUntilGoal(), rules]))


def explore_by_rules(
    level_or_position: Level | Position[Any] | str, actors: Actors = None, limit: Limit | None = None
) -> StateSpace:
    """Explore as `explore` does, without the game's kernel."""
    return _with_origin(ask_one(build_question(level_or_position, actors, limit), RulesExploration()))


def _with_origin(found: EngineAnswer[StateSpace]) -> StateSpace:
    """Return an answer with its engine and refusals."""
    found.answer.engine, found.answer.refused = found.engine.name, found.refused
    return found.answer


class RulesExploration(Resumable[Q, StateSpace]):
    """Breadth-first search by the rules, for one question: it goes on where it stopped."""

    name = "rules"
    meaning = "breadth-first with the rules"
    space: RulesSpace | None = None
    """The space so far."""

    def __init__(self, goal: Goal | None = None) -> None:
        self._goal = goal

    def answer(self, question: Q, most: int | None = None) -> StateSpace | None:
        self.space = self.space or RulesSpace(question.starts, question.who, self._goal)
        ended = self.space.explore(question.meter, question.progress, most)
        return self.space if ended else None


class RankedExploration(Engine[Question, StateSpace]):
    """Breadth-first search over ranks by the game's kernel."""

    name = "ranks"
    meaning = "breadth-first with the kernel, with a dense numbering of positions"

    def refusal(self, question: Question) -> str:
        try:
            self._ranking(question)
        except Refused as reason:
            return str(reason)
        return ""

    def answer(self, question: Question) -> StateSpace:
        ranking = self._ranking(question)
        with question.meter.pause():
            space = load(_SPACES)
            found = space.TwoBitStates(question.load_packing()[0], ranking, question.starts)
            found.prepare()
        complete = finish(found, question.meter, question.progress)
        answer: StateSpace = space.RankedSpace(found, complete, question.meter)
        return answer

    def _ranking(self, question: Question) -> Ranking:
        """Return the ranking of the level; Refused where there is none, or no room for it."""
        kernel, packing, _ = question.load_packing()
        ranking = (
            kernel.ranked.ranking(packing.level) if kernel.ranked.ranking and question.is_by_players else None
        )
        if ranking is None:
            raise Refused("the positions have no dense numbering")
        most, size = question.meter.limit.states, load(_SPACES).TwoBitStates.size(ranking)
        if (most is not None and most < ranking.size) or not question.meter.has_room(size):
            raise Refused("it needs memory for more positions than the limit allows")
        return ranking


class KernelExploration(Engine[Q, StateSpace]):
    """Breadth-first search over packed states by the game's kernel."""

    name = "breadth-first"
    meaning = "breadth-first with the kernel on all cores"

    def answer(self, question: Q) -> StateSpace:
        question.load_packing()  # refused before anything is loaded
        with question.meter.pause():
            space = load(_SPACES)
            found = self.search(question)
            found.prepare()
        complete = finish(found, question.meter, question.progress)
        answer: StateSpace = space.PackedSpace(found, question.who, complete, question.meter)
        return answer

    def search(self, question: Q) -> PackedStates:
        """Return the search before it runs."""
        kernel, packing, acting = question.load_packing()
        found: PackedStates = load(_SPACES).PackedStates(kernel, packing, question.starts, who=acting)
        return found


class KernelExplorationUntilGoal(KernelExploration[GoalQuestion]):
    """The same search, but positions with the goal are not expanded."""

    meaning = "breadth-first with the kernel, until the goal"

    def search(self, question: GoalQuestion) -> PackedStates:
        found: PackedStates = load("gridproof.search.goals").exploration_until_goal(question)
        return found
