"""The prover's kernels compiled once, as `gridproof.search.warm` does it for the engines that find positions.

Left out are edges of some of the players, and nature's, where no shipped level with nature among the actors is small.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.proposition import propositions
from gridproof.core.shelf import pack_names, shipped
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import GameKernel, Packing, kernel_of
from gridproof.prove import iterated
from gridproof.prove.check import check
from gridproof.prove.winning import Winning
from gridproof.search.engine import Engine, ask_one
from gridproof.search.explore import ExploringKernel, Ranks
from gridproof.search.goals import compared, goals_of, value_of
from gridproof.search.question import Question, asked
from gridproof.search.space import StateSpace
from gridproof.search.values import evaluate, evaluate_ranks

_LIMIT = Limit(states=20_000)
_ENOUGH = 100
"""Positions among which whatever a formula asks for is looked for."""
_CTL = ("AG EF won", "EG !won", "A[!won U ended]", "EX AX home")
_LTL = ("G F won", "F G !won", "G (!home -> F [ACTION])", "H !won U ended")
_FAIR = ("weak *", "strong *")


def warm(game: Game) -> Iterator[str]:
    """Compile what formulas about a game need; what has been compiled, in a few words each.

    Those that are on disk are only loaded.
    """
    kernel = kernel_of(game)
    if kernel is None:
        return
    levels = [level for name in pack_names(game) for level in shipped(game, name)]
    packing = next(filter(None, map(kernel.prepare, levels)), None)
    if packing is None:
        return
    _values(kernel, packing)
    ranking = next(filter(None, map(kernel.ranking, levels)), None) if kernel.ranking else None
    if ranking and kernel.ranked_state:
        _values_of_ranks(kernel, packing, ranking.data)
    yield "propositions"
    whose = (None, "all") if packing.most_of_nature else (None,)
    spaces = [_explored(ExploringKernel(), levels, who) for who in whose]
    if kernel.ranking:
        spaces.append(_explored(Ranks(), levels, None))
    for space in filter(None, spaces):
        _formulas(space)
        Winning(space)
        iterated.values(space, "won", _LIMIT.start())
        yield f"formulas about {space.states} positions"


def _explored(
    engine: Engine[Question, StateSpace], levels: list[Level], actors: str | None
) -> StateSpace | None:
    """The first level that is explored to its end and is not very small; else the largest of these."""
    found = None
    for level in levels:
        question = asked(level, actors, _LIMIT)
        space = None if engine.refusal(question) else ask_one(question, engine).answer
        if space and space.complete and (found is None or space.states > found.states):
            found = space
        if found and found.states >= _ENOUGH:
            break
    return found


def _formulas(space: StateSpace) -> None:
    action = str(next(iter(space.level.all_actions())))
    for formula in (*_CTL, *_LTL):
        for fair in ((), _FAIR):
            check(space, formula.replace("ACTION", action), fair=fair)
    for formula in _LTL:
        check(space, formula.replace("ACTION", action), paths="some")


def _values(kernel: GameKernel, packing: Packing) -> None:
    words = np.zeros((1, packing.words), np.uint64)
    words[0] = packing.pack(packing.level.start())
    for name, arguments in goals_of(kernel, packing.level.game):
        value = value_of(kernel, packing.level.game, name, arguments)
        goal = compile_kernel(evaluate, value=compile_kernel(compared, value=value))
        goal(packing.data, words, np.zeros(2 + arguments, np.int64), np.zeros(1, bool), 0, 1)
        if propositions(packing.level.game)[name].number:
            number = compile_kernel(evaluate, value=value)
            number(packing.data, words, np.zeros(arguments, np.int64), np.zeros(1, np.int64), 0, 1)


def _values_of_ranks(kernel: GameKernel, packing: Packing, data: object) -> None:
    """None is computed: the kernels are only compiled."""
    for name, arguments in goals_of(kernel, packing.level.game):
        value = value_of(kernel, packing.level.game, name, arguments)
        goal = compile_kernel(
            evaluate_ranks, value=compile_kernel(compared, value=value), state_of=kernel.ranked_state
        )
        places = packing.data, data, np.zeros(1, np.int32), packing.words
        goal(*places, np.zeros(2 + arguments, np.int64), np.zeros(1, bool), 0, 0)
