"""`gp.explore`: all positions that can be reached, by a game's kernel or by its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit
from gridproof.core.loading import load
from gridproof.core.position import Level, Position
from gridproof.search.actors import Actors
from gridproof.search.engine import Answered, AtFirst, Engine, Resumable, ask, ask_one
from gridproof.search.question import Question, asked
from gridproof.search.refusal import Refused
from gridproof.search.ruled_space import RuledSpace
from gridproof.search.space import Progress, StateSpace, finish

if TYPE_CHECKING:
    from gridproof.kernels.game import Ranking

_SPACES = "gridproof.search.kernel_space"
_BY_RULES = 1000  # positions whose expansion takes less time than loading a kernel


def explore(
    level_or_position: Level | Position[Any],
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Find every position that can be reached.

    Parameters
    ----------
    level_or_position : Level or Position
        A level is explored from all its starts.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop with what has been found; never an error.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.
    """
    return space_of(asked(level_or_position, actors, limit, progress))


def space_of(question: Question) -> StateSpace:
    """The positions that a question asks for."""
    rules = ExploringRules()
    space = _told(ask(question, [AtFirst(rules, _BY_RULES), Ranks(), ExploringKernel(), rules]))
    ruled = rules.space
    if ruled is None or space.complete or space.states >= ruled.states:
        return space
    ruled.engine, ruled.stopped_by = (
        rules.name,
        space.stopped_by,
    )  # stopped before the kernel had found as many
    return ruled


def explore_by_rules(
    level_or_position: Level | Position[Any], actors: Actors = None, limit: Limit | None = None
) -> StateSpace:
    """As `explore`, without the game's kernel.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.
    """
    return _told(ask_one(asked(level_or_position, actors, limit), ExploringRules()))


def _told(found: Answered[StateSpace]) -> StateSpace:
    """The answer with what is to be said of how it came about."""
    found.answer.engine, found.answer.refused = found.engine.name, found.refused
    return found.answer


class ExploringRules(Resumable[Question, StateSpace]):
    """Breadth-first search by the rules; of one question, for it goes on where it was."""

    name = "rules"
    meaning = "breadth-first by the rules"
    space: RuledSpace | None = None
    """What it has found so far."""

    def answer(self, question: Question, most: int | None = None) -> StateSpace | None:
        self.space = self.space or RuledSpace(question.starts, question.who)
        ended = self.space.explore(question.meter, question.progress, most)
        return self.space if ended else None


class Ranks(Engine[Question, StateSpace]):
    """Breadth-first search over ranks by the game's kernel."""

    name = "ranks"
    meaning = "breadth-first by the kernel, where positions are numbered without gaps"

    def refusal(self, question: Question) -> str:
        try:
            self._ranking(question)
        except Refused as reason:
            return str(reason)
        return ""

    def answer(self, question: Question) -> StateSpace:
        ranking = self._ranking(question)
        with question.meter.paused():
            space = load(_SPACES)
            found = space.RankedStates(question.packed()[0], ranking, question.starts)
            found.prepare()
        complete = finish(found, question.meter, question.progress)
        answer: StateSpace = space.RankedSpace(found, complete, question.meter)
        return answer

    def _ranking(self, question: Question) -> Ranking:
        """The ranking of the level; Refused where there is none, or no room for it."""
        kernel, packing, _ = question.packed()
        ranking = kernel.ranking(packing.level) if kernel.ranking and question.of_players else None
        if ranking is None:
            raise Refused("the positions are not numbered without gaps")
        most, size = question.meter.limit.states, load(_SPACES).RankedStates.size(ranking)
        if (most is not None and most < ranking.size) or not question.meter.has_room(size):
            raise Refused("it keeps room for more positions than are allowed")
        return ranking


class ExploringKernel(Engine[Question, StateSpace]):
    """Breadth-first search over packed states by the game's kernel."""

    name = "breadth-first"
    meaning = "breadth-first by the kernel, by all cores"

    def answer(self, question: Question) -> StateSpace:
        kernel, packing, acting = question.packed()
        with question.meter.paused():
            space = load(_SPACES)
            found = space.PackedStates(kernel, packing, question.starts, who=acting)
            found.prepare()
        complete = finish(found, question.meter, question.progress)
        answer: StateSpace = space.PackedSpace(found, question.who, complete, question.meter)
        return answer
