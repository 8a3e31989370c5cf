"""`gp.explore`: all reachable positions, by a game's kernel or by its rules."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.core.text import files
from gridproof.search.actors import Actors
from gridproof.search.engine import Engine, EngineAnswer, FirstAttempt, Q, Resumable, ask, ask_one
from gridproof.search.question import GoalQuestion, Question, build_question
from gridproof.search.refusal import Refused
from gridproof.search.rules_space import RulesSpace
from gridproof.search.space import WHOLE, Progress, StateSpace, finish

if TYPE_CHECKING:
    from gridproof.core.proposition import Goal
    from gridproof.kernels.game import Ranking
    from gridproof.search.orbits import OrbitStates
    from gridproof.search.packed_bfs import PackedStates
    from gridproof.search.two_bit_bfs import FrontierPart, TwoBitStates

_SPACES = "gridproof.search.kernel_space"
_ORBITS = "gridproof.search.orbits"
_BY_RULES = 1000  # positions whose expansion takes less time than loading a kernel
_FEW_RANKS = 1 << 15  # ranks of which all are searched at once
_MOST_RANKS = 1 << 29  # in memory: of 13 movable places there are too many for minutes
_RANKS_A_POSITION = 8  # of all ranks, for each position that may be searched with edges before
_BY_KERNEL = 1 << 20  # the most such positions


def explore(
    level_or_position: Level | Position[Any] | str,
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
    disk: str | Path | None = None,
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
    disk : str or Path, optional
        A folder that keeps the positions, layer by layer, if there are too many for the memory. It is made if there is
        none. An exploration that was stopped or killed goes on at its last finished layer. The space has no edges.

    Returns
    -------
    StateSpace
        The positions by number, with their edges, depths and values.

    Raises
    ------
    GridproofError
        For an actor that the level does not know; and for a folder of something else, of another level, version or
        question, or with a damaged file, or if the game has no kernel for the level.

    Examples
    --------
    >>> import gridproof as gp
    >>> space = gp.explore("sokoban/first-steps/1")
    >>> space.states, space.complete, int(space.values("won").sum())
    (26, True, 1)
    """
    question = build_question(level_or_position, actors, limit, progress)
    if disk is None:
        return space_of(question)
    space: StateSpace = load("gridproof.search.disk.explore").explore_on_disk(question, files.to_path(disk))
    return space


def space_of(question: Question) -> StateSpace:
    """Return the state space for a question."""
    rules, kernel = RulesExploration[Question](), KernelExploration[Question]()
    engines = FirstAttempt(rules, _BY_RULES), OrbitExploration(), EdgesFirst(kernel), RankedExploration()
    space = _with_origin(ask(question, [*engines, kernel, rules]))
    ruled = rules.space
    if ruled is None or space.complete or _is_as_large(space, ruled):
        return space
    ruled.engine, ruled.stopped_by = rules.name, space.stopped_by  # before the kernel had found as many
    return ruled


def _is_as_large(space: StateSpace, ruled: StateSpace) -> bool:
    """Return whether a space has at least as many positions as that of the rules, or as many layers if it is reduced."""
    if space.is_reduced:
        return space.complete_layers >= ruled.complete_layers
    return space.states >= ruled.states


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
        early_stop, room = question.early_stop, math.inf if most is None else most
        while True:
            size = min(room, early_stop.next_size) if early_stop else room
            if self.space.explore(question.meter, question.progress, size):
                return self.space
            if self.space.states > room:
                return None
            if early_stop and early_stop.is_decided(self.space):
                return self.space


class RankedExploration(Engine[Question, StateSpace]):
    """Breadth-first search over ranks by the game's kernel."""

    name = "ranks"
    meaning = "breadth-first with the kernel, with a dense numbering of positions"

    def check(self, question: Question) -> None:
        self.ranking(question)

    def answer(self, question: Question) -> StateSpace:
        ranking, early_stop = self.ranking(question), question.early_stop
        if early_stop and early_stop.needs_edges:
            early_stop = None
        with question.meter.pause():
            space = load(_SPACES)
            kernel, packing, _ = question.load_packing()
            found: TwoBitStates = space.TwoBitStates(kernel, ranking, question.starts)
            if early_stop and kernel.ranked.state:
                found.keep_states(packing)
            found.prepare()

        def build(complete: bool, part: FrontierPart | None = None) -> StateSpace:
            answer: StateSpace = space.RankedSpace(found, complete, question.meter, part)
            return answer

        layers = 0

        def is_enough(count: int) -> bool:
            nonlocal layers
            is_new, layers = len(found.by_depth) > layers, len(found.by_depth)
            if early_stop is None:
                return False
            if found.packing is None:
                return is_new and early_stop.is_decided(build(False))
            return bool(found.part) and early_stop.is_decided(build(False, found.part))

        return build(finish(found, question.meter, question.progress, is_enough))

    def ranking(self, question: Question) -> Ranking:
        """Return the ranking of the level; Refused where there is none, or no room for it."""
        kernel, packing, _ = question.load_packing()
        ranking = (
            kernel.ranked.ranking(packing.level) if kernel.ranked.ranking and question.is_by_players else None
        )
        if ranking is None or not all(map(ranking.has, question.starts)):
            raise Refused("the positions have no dense numbering")
        most, size = question.meter.limit.states, load(_SPACES).TwoBitStates.size(ranking)
        most = _MOST_RANKS if most is None else min(most, _MOST_RANKS)
        if most < ranking.size or not question.meter.has_room(size):
            raise Refused("it needs memory for more positions than the limit allows")
        return ranking


class KernelExploration(Resumable[Q, StateSpace]):
    """Breadth-first search over packed states by the game's kernel, for one question."""

    name = "breadth-first"
    meaning = "breadth-first with the kernel on all cores"
    _found: PackedStates | None = None

    def answer(self, question: Q, most: int | None = None) -> StateSpace | None:
        question.load_packing()  # refused before anything is loaded
        with question.meter.pause():
            if self._found is None:
                self._found = self.search(question)
                self._found.prepare()
        found, early_stop = self._found, question.early_stop
        is_decided = False

        def build(complete: bool) -> StateSpace:
            return self.build(found, question, complete)

        def is_enough(count: int) -> bool:
            nonlocal is_decided
            if not found.frontier_size:
                return False
            if early_stop and count >= early_stop.next_size:
                is_decided = early_stop.is_decided(build(False))
            return is_decided or (most is not None and count > most)

        complete = finish(found, question.meter, question.progress, is_enough)
        return build(complete) if complete or is_decided or question.meter.stopped_by else None

    def build(self, found: PackedStates, question: Q, complete: bool) -> StateSpace:
        """Return the space of a search."""
        space: StateSpace = load(_SPACES).PackedSpace(found, question.who, complete, question.meter)
        return space

    def search(self, question: Q) -> PackedStates:
        """Return the search before it runs."""
        kernel, packing, acting = question.load_packing()
        found: PackedStates = load(_SPACES).PackedStates(kernel, packing, question.starts, who=acting)
        return found


class OrbitExploration(KernelExploration[Question]):
    """Breadth-first search up to symmetry, for what single positions decide wherever they are turned or mirrored."""

    name = "orbits"
    meaning = "breadth-first with the kernel, one position of each orbit"

    def check(self, question: Question) -> None:
        if question.early_stop is None or question.early_stop.names is None or not question.is_by_players:
            raise Refused("more is needed than one position of each orbit")
        self._symmetry(question)

    def answer(self, question: Question, most: int | None = None) -> StateSpace | None:
        space = super().answer(question, most)
        if space is None or not space.complete:
            return space
        found = cast("OrbitStates", self._found)
        positions = found.sum_sizes()
        return None if (found.count if positions is None else positions) < WHOLE else space

    def search(self, question: Question) -> PackedStates:
        kernel, packing, _ = question.load_packing()
        found: PackedStates = load(_ORBITS).OrbitStates(
            kernel, packing, self._symmetry(question), question.starts
        )
        return found

    def build(self, found: PackedStates, question: Question, complete: bool) -> StateSpace:
        space: StateSpace = load(_ORBITS).OrbitSpace(found, question.who, complete, question.meter)
        return space

    def _symmetry(self, question: Question) -> object:
        kernel, packing, _ = question.load_packing()
        symmetry = kernel.search.symmetry.data(packing)
        names = question.early_stop.names if question.early_stop else None
        if symmetry is None or names is None or not names <= kernel.search.symmetry.invariant:
            raise Refused("positions of an orbit may differ")
        return symmetry


class EdgesFirst(Engine[Question, StateSpace]):
    """First attempt with edges, for an early stop that needs them, where there are many ranks."""

    name, meaning = "breadth-first", "breadth-first with the kernel on all cores, for a time"

    def __init__(self, kernel: KernelExploration[Question]) -> None:
        self._kernel = kernel

    def answer(self, question: Question) -> StateSpace | None:
        ranks = RankedExploration().ranking(question).size
        return self._kernel.answer(question, min(_BY_KERNEL, ranks // _RANKS_A_POSITION))

    def check(self, question: Question) -> None:
        if question.early_stop is None or not question.early_stop.needs_edges:
            raise Refused("the edges are not needed")
        if RankedExploration().ranking(question).size <= _FEW_RANKS:
            raise Refused("the positions have few ranks")


class KernelExplorationUntilGoal(KernelExploration[GoalQuestion]):
    """The same search, but positions with the goal are not expanded."""

    meaning = "breadth-first with the kernel, until the goal"

    def search(self, question: GoalQuestion) -> PackedStates:
        found: PackedStates = load("gridproof.search.goals").exploration_until_goal(question)
        return found
