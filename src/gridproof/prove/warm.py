"""Compilation of the prover's kernels, as `gridproof.search.warm` does it for the engines that find positions.

Left out are edges of some of the players, and nature's, where no shipped level with nature among the actors is small;
and values of other goals than a win.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.proposition import parse_goal as goal_named
from gridproof.core.proposition import propositions
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.prove import interval_iteration
from gridproof.prove.check import check
from gridproof.prove.reachability import Reachability
from gridproof.search.engine import Engine, ask_one
from gridproof.search.explore import (
    KernelExploration,
    KernelExplorationUntilGoal,
    RankedExploration,
    explore,
)
from gridproof.search.goals import compare_value, goals_of, value_of
from gridproof.search.hash_compaction import HashSearch
from gridproof.search.question import GoalQuestion, Question, build_question
from gridproof.search.space import StateSpace
from gridproof.search.values import RankedStates, evaluate, evaluate_ranks

_LIMIT = Limit(states=20_000)
_ENOUGH = 100
"""Positions that are enough to run all kernels of formulas."""
_CTL = ("AG EF won", "EG !won", "A[!won U ended]", "EX AX home", "AG (won -> Y !won)")
_STAR = ("E (F won & G EF home)", "A (G F won | F [ACTION])")
_MONITORS = "F won & F home & G F home & G (home -> F won)"
_LTL = ("G F won", "F G !won", "G (!home -> F [ACTION])", "H !won U ended", _MONITORS)
_FAIR = ("weak *", "strong *")


def warm(game: Game) -> Iterator[str]:
    """Compile the kernels for formulas about a game, and yield a few words for each.

    Kernels on disk are only loaded.
    """
    kernel = kernel_of(game)
    if kernel is None:
        return
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    packing = next(filter(None, map(kernel.prepare, levels)), None)
    if packing is None:
        return
    _warm_values(kernel, packing)
    ranking = next(filter(None, map(kernel.ranked.ranking, levels)), None) if kernel.ranked.ranking else None
    if ranking and kernel.ranked.state:
        _warm_rank_values(kernel, packing, ranking.data)
    yield "propositions"
    _warm_values_until_win(packing)
    HashSearch(Question(starts=[packing.level.start()], meter=_LIMIT.start()))
    for level in levels[:12:4]:
        _warm_formulas(explore(level, limit=_LIMIT))  # often of a part of the positions
    yield "values"
    whose = (None, "all") if packing.most_of_nature else (None,)
    spaces = [_explore_first(KernelExploration(), levels, who) for who in whose]
    if kernel.ranked.ranking:
        spaces.append(_explore_first(RankedExploration(), levels, None))
    for space in filter(None, spaces):
        _warm_formulas(space)
        Reachability(space)
        interval_iteration.values(space, "won", _LIMIT.start())
        yield f"formulas about {space.states} positions"


def _warm_values_until_win(packing: Packing) -> None:
    """Find values as `gridproof.value` does where there are many positions."""
    question = GoalQuestion(
        starts=[packing.level.start()],
        who=(None,),
        meter=_LIMIT.start(),
        progress=None,
        goal=goal_named(packing.level.game, "won"),
    )
    engine = KernelExplorationUntilGoal()
    if not engine.refusal(question):
        interval_iteration.values(ask_one(question, engine).answer, "won", _LIMIT.start())


def _explore_first(
    engine: Engine[Question, StateSpace], levels: list[Level], actors: str | None
) -> StateSpace | None:
    """Return the space of the first level that is complete and not very small; else the largest complete one."""
    found = None
    for level in levels:
        question = build_question(level, actors, _LIMIT)
        space = None if engine.refusal(question) else ask_one(question, engine).answer
        if space and space.complete and (found is None or space.states > found.states):
            found = space
        if found and found.states >= _ENOUGH:
            break
    return found


def _warm_formulas(space: StateSpace) -> None:
    action = str(next(iter(space.level.all_actions())))
    for formula in (*_CTL, *_STAR, *_LTL):
        for fair in ((), _FAIR):
            check(space, formula.replace("ACTION", action), fair=fair)
    for formula in _LTL:
        check(space, formula.replace("ACTION", action), paths="some")


def _warm_values(kernel: GameKernel, packing: Packing) -> None:
    words = np.zeros((1, packing.words), np.uint64)
    words[0] = packing.pack(packing.level.start())
    for name, arguments in goals_of(kernel, packing.level.game):
        value = value_of(kernel, packing.level.game, name, arguments)
        goal = compile_kernel(evaluate, value=compile_kernel(compare_value, value=value))
        goal(packing.data, words, np.zeros(2 + arguments, np.int64), np.zeros(1, bool), 0, 1)
        if propositions(packing.level.game)[name].number:
            number = compile_kernel(evaluate, value=value)
            number(packing.data, words, np.zeros(arguments, np.int64), np.zeros(1, np.int64), 0, 1)


def _warm_rank_values(kernel: GameKernel, packing: Packing, data: object) -> None:
    """Compile the kernels without computing anything."""
    for name, arguments in goals_of(kernel, packing.level.game):
        value = value_of(kernel, packing.level.game, name, arguments)
        goal = compile_kernel(
            evaluate_ranks, value=compile_kernel(compare_value, value=value), state_of=kernel.ranked.state
        )
        ranked = RankedStates(data, np.zeros(1, np.int32), packing.words)
        goal(packing.data, ranked, np.zeros(2 + arguments, np.int64), np.zeros(1, bool), 0, 0)
