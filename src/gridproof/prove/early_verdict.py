"""Early verdicts: some of the reachable positions often decide a formula.

A position that decides `EF p` or `AG p` is looked for among the new positions, soon after they are found. For other
formulas, prefixes of the space are judged that grow by a factor, so that all of them together cost little. If one path
decides the formula, a search depth-first goes ahead for a while.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped, use_stop
from gridproof.core.position import Position
from gridproof.core.trace import Trace
from gridproof.prove import evaluate, prover
from gridproof.prove.ctl import Evaluator
from gridproof.prove.fairness import Fair, fair_formulas
from gridproof.prove.formula import (
    FALSE,
    Executable,
    Formula,
    Next,
    atoms,
    decisive_goal,
    has_past_of_states,
    is_about_positions,
    subformulas,
)
from gridproof.prove.goal_solver import GoalSolver
from gridproof.prove.logic import Logic, path_question
from gridproof.prove.model import Model
from gridproof.prove.on_the_fly import OnTheFly
from gridproof.prove.tableau import automaton_of
from gridproof.prove.verdict import Traces, Verdict
from gridproof.search.actors import Who
from gridproof.search.cost_product import strip_costs
from gridproof.search.explore import space_of
from gridproof.search.question import Question
from gridproof.search.space import WHOLE, StateSpace

_SOON, _LATER = 1.125, 4.0
"""Growth of a prefix between two judgements: of one position after the other, and of all together."""
_FIRST_ARCS, _ARCS = 1000, 1 / 16
"""Arcs that are followed depth-first when a prefix is judged: at first, and later for each of its positions."""
_PATIENCE = 40
"""Positions that are found first for each action of a path from depth-first search: a shorter one may come."""
_MANY = 100_000
"""Positions to search from several starts together, each for a path of its own."""

PERHAPS_LONG = "found by a solver, perhaps not the shortest"
COUNTED_ONCE = "positions that are the same up to symmetry count once"


class EarlyProver:
    """Prover that looks on while a space is explored, and decides a formula as early as possible.

    Formulas of CTL*, operators of the past in CTL, and fairness of formulas wait for all positions.

    Parameters
    ----------
    open_verdict : Verdict
        The question.
    starts : sequence of Position
    fair, meter, shortest
        As of `gridproof.check`.
    """

    def __init__(
        self,
        open_verdict: Verdict,
        starts: Sequence[Position[Any]],
        fair: Fair,
        meter: Meter,
        shortest: bool = False,
    ) -> None:
        self._open = self._verdict = open_verdict
        self._fair, self._meter, self._shortest = fair, meter, shortest
        self._starts = starts
        goal, answer = decisive_goal(open_verdict.formula, open_verdict.paths) or (None, None)
        self._goal = goal if goal and is_about_positions(goal) else None
        """The formula whose truth in one position decides, where positions alone decide it."""
        self._truth = answer
        is_for_each = open_verdict.logic is Logic.CTL and answer is True and len(starts) > 1
        self._waits = (
            open_verdict.logic is Logic.CTL_STAR
            or has_past_of_states(open_verdict.formula)
            or bool(fair_formulas(fair, starts[0].level))
        )
        self.needs_edges = not self._waits and (self._goal is None or is_for_each)
        self.next_size: float = math.inf if self._waits else 0
        is_plain = self._goal is None and not (self._waits or fair or shortest)
        self._lookahead = _Lookahead(open_verdict, starts) if is_plain else None
        self._solver = (
            None
            if self._goal is None or self.needs_edges
            else GoalSolver(self._goal, starts, open_verdict.who, shortest)
        )
        is_on_one_path = path_question(open_verdict.formula, open_verdict.paths, len(starts)) is not None
        self._bound: int | None = 0 if is_on_one_path and not self._waits else None
        """No path of fewer actions decides, as far as prefixes were judged; None if several paths are needed."""
        self._pace = 0.0
        """Seconds that the last judgement by edges took for each position."""
        self._kind: type[StateSpace] | None = None
        self._seen = 0
        self._found: int | None = None
        """The number of the first of the positions seen where the goal holds."""
        self.names = None if self._goal is None or self._waits or self.needs_edges else _names(self._goal)
        self._conditions = list(self._goals_of_stronger_formulas()) if self._goal and answer is False else []
        self._met: set[Formula] = set()
        """The conditions that hold in some of the positions seen: with them, it does not hold vacuously."""

    def _goals_of_stronger_formulas(self) -> Iterator[Formula]:
        """Yield for each stronger formula the one whose truth in one position shows that it does not hold."""
        for _, without in prover.stronger_formulas(self._open.formula):
            goal, _ = decisive_goal(without, self._open.paths) or (FALSE, False)
            yield goal

    def is_decided(self, space: StateSpace) -> bool:
        """Return whether the positions of a prefix decide the formula."""
        if self._waits:
            return False
        self.next_size = max(WHOLE, space.states * (_LATER if self.needs_edges else _SOON))
        is_large = space.states >= WHOLE
        if self._verdict.holds is None and (is_large or not self.needs_edges):
            began, meter = self._meter.seconds, replace(self._meter)
            if not meter.has_time(self._pace * space.states):
                self.next_size = math.inf
                return False
            try:
                with prover.exclude_compilation(self._meter), use_stop(self._meter.limit.stop):
                    self._verdict = self._judge(space, meter)
            except (Stopped, MemoryError):
                self.next_size = math.inf
            self._pace = (self._meter.seconds - began) / space.states if self.needs_edges else 0.0
        return self._verdict.holds is not None and is_large

    def _judge(self, space: StateSpace, meter: Meter) -> Verdict:
        """Return the verdict on a prefix; without an answer where none is certain."""
        if not self.needs_edges:
            return self._show_goal(space) if self._find_goal(space) else self._solve_ahead(space, meter)
        if self._may_name_later_action(space):
            return self._open
        verdict = prover.answer(self._open, space, self._fair, meter, self._shortest)
        if self._is_shown_well(verdict, space):
            return verdict
        self._note_bound(verdict, space)
        if self._lookahead is None or verdict.holds is not None:
            return self._open
        return self._lookahead.judge(space.states, meter)

    def _solve_ahead(self, space: StateSpace, meter: Meter) -> Verdict:
        """Return the verdict by a solver, if it is due and soon has an answer."""
        solution = self._solver.solve(space.states, meter) if self._solver else None
        if solution is None:
            return self._open
        if solution.trace is None:
            return replace(self._open, holds=not self._truth)
        remarks = () if solution.optimal else (PERHAPS_LONG,)
        traces = Traces(self._solution_and_others(solution.trace), self._meter)
        return replace(self._open, holds=self._truth, trace=traces.at(0), traces=traces, remarks=remarks)

    def _solution_and_others(self, trace: Trace) -> Iterator[Trace]:
        """Yield the trace of a solver, and then, after an exploration, those to other positions where the goal holds."""
        yield trace
        self._kind = None
        space = space_of(Question(starts=list(self._starts), who=self._open.who, meter=self._meter))
        if self._find_goal(space):
            yield from (one for one in self._traces(space) if one.replay() != trace.replay())

    def _note_bound(self, verdict: Verdict, space: StateSpace) -> None:
        """Note that no path of few actions decides, if the whole prefix was judged without an answer."""
        if verdict.holds is None and not verdict.stopped_by and self._bound is not None:
            self._bound = max(self._bound, space.complete_layers - 1)  # of its last layer, no edges are known

    def _may_name_later_action(self, space: StateSpace) -> bool:
        """Return whether an action that only occurs later would be taken for a wrong name."""
        return not space.level.all_actions() and bool(self._fair or _names_actions(self._open.formula))

    def _is_shown_well(self, verdict: Verdict, space: StateSpace) -> bool:
        """Return whether there is an answer, with a trace that is shortest if that is wanted."""
        if verdict.holds is None or not self._shortest or verdict.trace is None:
            return verdict.holds is not None
        return len(verdict.trace.steps) < space.complete_layers  # shorter ones lie among expanded positions

    def conclude(self, space: StateSpace, is_given: bool) -> Verdict:
        """Return the verdict on the whole space, or on all positions found before a limit or an early verdict."""
        self._open = self._open.on(space)
        try:
            with prover.exclude_compilation(self._meter), use_stop(self._meter.limit.stop):
                verdict = self._conclude(space, is_given)
            if verdict.holds is None:
                verdict = self._at_limit(verdict, space)
            return _count_positions(verdict, space) if space.is_reduced else verdict
        except (Stopped, MemoryError):
            stopped = replace(self._open, stopped_by=space.stopped_by or self._meter.reason)
            return self._at_limit(stopped, space)

    def _at_limit(self, verdict: Verdict, space: StateSpace) -> Verdict:
        """Return what is known at a limit: the verdict by a long path, or a bound."""
        if self._lookahead and self._lookahead.found:
            return self._lookahead.found.on(space)
        if verdict.bound or self._goal is not None:
            return verdict
        return replace(verdict, bound=self._bound or None)

    def _conclude(self, space: StateSpace, is_given: bool) -> Verdict:
        if self._verdict.holds is not None and not space.complete:
            verdict = self._verdict.on(space)
            if verdict.trace and self._found is not None and type(space) is self._kind:
                return replace(verdict, traces=self._all_traces(verdict.trace, space))
            return verdict
        if self._waits:
            return self._answer(space) if space.complete else self._open
        if self._goal and not self._find_goal(space):
            return self._conclude_without_goal(space)
        is_path_enough = self._goal and self._open.logic is Logic.LTL  # nothing is counted
        if is_path_enough or space.is_reduced or not (space.complete or self.needs_edges):
            return self._show_goal(space)
        if not space.complete and not is_given and space.stopped_by != "states":
            return self._open  # a prefix that was not much smaller decided nothing
        if is_given and self._goal and not space.complete and space.states > _MANY:
            verdict = self._look_beyond(self._open, space)  # the edges may take longer than the limit
            if verdict.holds is not None:
                return verdict
        is_answerable = space.complete or (space.expanded_count and not self._may_name_later_action(space))
        verdict = self._answer(space) if is_answerable else self._open
        if verdict.holds is not None or not self._goal:
            return verdict
        return self._look_beyond(verdict, space) if self.needs_edges else self._show_goal(space)

    def _answer(self, space: StateSpace) -> Verdict:
        """Return the verdict by the edges."""
        meter = replace(self._meter, stopped_by="")
        judged = prover.answer(replace(self._open, stopped_by=""), space, self._fair, meter, self._shortest)
        if not space.complete:
            self._note_bound(judged, space)
        verdict = replace(judged, stopped_by=judged.stopped_by or self._open.stopped_by)
        if not space.complete and verdict.trace and not self._is_shown_well(verdict, space):
            verdict = replace(verdict, remarks=(*verdict.remarks, prover.NOT_SHORTEST))
        return verdict

    def _find_goal(self, space: StateSpace) -> bool:
        """Return whether the goal holds in some position, among which the new ones are evaluated."""
        if type(space) is not self._kind:  # engines number the positions of a layer differently
            self._kind, self._seen, self._found, self._met = type(space), 0, None, set()
        if self._found is None and self._seen < space.states:
            evaluator = Evaluator(Model(space, self._seen))
            values = evaluator.values(self._goal or FALSE)
            if values.any():
                self._found = self._seen + int(np.argmax(values))
            missing = (one for one in self._conditions if one not in self._met)
            self._met.update([one for one in missing if evaluator.values(one).any()])
            self._seen = space.states
        return self._found is not None

    def _show_goal(self, space: StateSpace) -> Verdict:
        """Return the verdict that the first position with the goal decides."""
        trace = next(self._traces(space))
        verdict = replace(self._open.on(space), holds=self._truth, trace=trace)
        return replace(verdict, traces=self._all_traces(trace, space))

    def _all_traces(self, trace: Trace, space: StateSpace) -> Traces:
        """Return a trace and, lazily, those to the other positions of a space where the goal holds."""
        others = itertools.islice(self._traces(space), 1, None)
        return Traces(itertools.chain([trace], others), self._meter)

    def _traces(self, space: StateSpace) -> Iterator[Trace]:
        """Yield a trace to each position found where the goal holds, the nearest first."""
        first = self._found or 0
        yield strip_costs(space.trace_to(space[first]))
        values = Evaluator(Model(space, first)).values(self._goal or FALSE)
        for number in np.flatnonzero(values)[1:].tolist():
            yield strip_costs(space.trace_to(space[first + number]))

    def _conclude_without_goal(self, space: StateSpace) -> Verdict:
        """Return the verdict on a space where the goal holds nowhere."""
        if not space.complete:
            return replace(self._open, bound=space.complete_layers)
        satisfying = None if self._open.logic is Logic.LTL else 0 if self._truth else space.states
        verdict = replace(self._open, holds=not self._truth, satisfying=satisfying)

        def holds(formula: Formula) -> bool:
            goal, _ = decisive_goal(formula, self._open.paths) or (FALSE, False)
            return goal not in self._met

        return prover.mark_vacuous(verdict, holds, self._meter)

    def _look_beyond(self, verdict: Verdict, space: StateSpace) -> Verdict:
        """Look for the goal near each start, also among positions that a limit left out."""
        starts, meter = space.by_depth[0], replace(self._meter, stopped_by="")
        for number in range(starts):
            if meter.is_interrupted() or not _is_near(
                self._goal or FALSE, space[number], space.who, _MANY // starts
            ):
                return verdict
        return replace(verdict, holds=True, trace=next(self._traces(space)))


class _Lookahead:
    """Search for one path that decides a formula, depth-first, beyond the prefixes that are judged."""

    def __init__(self, open_verdict: Verdict, starts: Sequence[Position[Any]]) -> None:
        self._open, self._starts = open_verdict, starts
        self._search = self._search_for(open_verdict.formula)
        self._arcs = _FIRST_ARCS
        self.found: Verdict | None = None
        """The verdict by a path, perhaps a long one."""

    def _search_for(self, formula: Formula) -> tuple[OnTheFly, bool] | None:
        """Return the search for a path that decides a formula, and the answer if there is one."""
        question = path_question(formula, self._open.paths, len(self._starts))
        if question is None:
            return None
        try:
            return OnTheFly(automaton_of(question[0]), self._starts, self._open.who), question[1]
        except GridproofError:  # the automaton is too large; other ways may not need it
            return None

    def judge(self, states: int, meter: Meter) -> Verdict:
        """Return the verdict after some more arcs, without an answer if they decide nothing."""
        if self.found is None:
            self.found = self._look_ahead(states, meter)
        if self.found and self.found.trace and len(self.found.trace.steps) * _PATIENCE > states:
            return self._open
        return self.found or self._open

    def _look_ahead(self, states: int, meter: Meter) -> Verdict | None:
        """Follow some more arcs; return the verdict if they decide it."""
        if self._search is None:
            return None
        (search, answer), arcs = self._search, self._arcs
        self._arcs = int(states * _ARCS)
        trace = self._run(search, arcs, meter)
        if trace:
            trace.replay()
            trace = strip_costs(trace)
            return replace(self._open, holds=answer, trace=trace, traces=Traces(iter([trace]), meter))
        if not search.is_complete:
            return None
        return prover.mark_vacuous(
            replace(self._open, holds=not answer), partial(self._holds, arcs, meter), meter
        )

    def _holds(self, arcs: int, meter: Meter, formula: Formula) -> bool | None:
        """Return whether another formula holds; None if that many arcs do not decide it."""
        found = self._search_for(formula)
        if found is None:
            return None
        search, answer = found
        trace = self._run(search, arcs, meter)
        return answer if trace else not answer if search.is_complete else None

    @staticmethod
    def _run(search: OnTheFly, arcs: int, meter: Meter) -> Trace | None:
        """Follow some more arcs, within the limit."""

        def check() -> None:
            if meter.is_reached(0):
                raise Stopped

        most = math.inf if meter.limit.states is None else meter.limit.states
        return search.search(arcs, most, check)


def _count_positions(verdict: Verdict, space: StateSpace) -> Verdict:
    """Return a verdict on orbits with the number of their positions, or with a remark if that is unknown."""
    positions = space.count_positions()
    if positions is None:
        return replace(verdict, satisfying=None, remarks=(*verdict.remarks, COUNTED_ONCE))
    return replace(verdict, states=positions, satisfying=verdict.satisfying and positions)


def _is_near(goal: Formula, start: Position[Any], who: Who, most: int) -> bool:
    """Return whether the goal holds in one of the first positions that the rules lead to, `most` or few more."""
    reached, seen = [start], {start}
    for position in reached:
        if evaluate.holds(goal, position, who):
            return True
        if len(reached) < most:
            after = (position.at(one) for actor in who for one in position.successors(actor))
            new = [one for one in dict.fromkeys(after) if one not in seen]
            reached += new
            seen.update(new)
    return False


def _names(formula: Formula) -> frozenset[str]:
    """Return the names of all propositions and numbers in a formula about positions."""
    return frozenset(one.name for one in atoms(formula))


def _names_actions(formula: Formula) -> bool:
    return any(isinstance(one, (Executable, Next)) for one in subformulas(formula))
