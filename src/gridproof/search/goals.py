"""Goals as kernels: a proposition of the game compared with a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.game import Game
from gridproof.core.measure import ACTIONS
from gridproof.core.position import NATURE, Position
from gridproof.core.proposition import Goal, Term
from gridproof.kernels.compile import Hole
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import LOST, PLAYING, WON, Compiled, GameKernel, Packing
from gridproof.search.informed import BY_ACTIONS, InformedStates, no_bound
from gridproof.search.packed import PackedStates
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.stored import StateStore
from gridproof.search.two_sided import TwoSidedStates, found_in

PackedSearch = PackedStates | InformedStates | TwoSidedStates
"""What finds a way over packed states."""

NOTHING = np.zeros(0, np.int64)
"""The arguments of a bound that knows nothing."""
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")

value: Any = Hole()
status: Any = Hole()


def compared(data: Any, state: Any, arguments: Any) -> Any:
    """Compare the value with a number. The arguments are the sign's number, the number, then the value's own."""
    sign, bound = arguments[0], arguments[1]
    found = value(data, state, arguments[2:])
    if sign == 0:
        return found == bound
    if sign == 1:
        return found != bound
    if sign == 2:
        return found < bound
    if sign == 3:
        return found <= bound
    if sign == 4:
        return found > bound
    return found >= bound


def is_won(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `won` that every game has."""
    return np.int64(status(data, state) == WON)


def is_lost(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `lost` that every game has."""
    return np.int64(status(data, state) == LOST)


def is_ended(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `ended`, of a game in which one may not act after a win."""
    return np.int64(status(data, state) != PLAYING)


_COMMON = {"won": is_won, "lost": is_lost, "ended": is_ended}


def goals_of(kernel: GameKernel, game: Game) -> list[tuple[str, int]]:
    """All propositions that the kernel has, by name and number of arguments."""
    common = [(name, 0) for name in _COMMON if (name, 0) not in kernel.propositions]
    return [item for item in (*kernel.propositions, *common) if value_of(kernel, game, *item) is not None]


def value_of(kernel: GameKernel, game: Game, name: str, arguments: int) -> Compiled | None:
    """The compiled value of a proposition with a number of arguments; None where the rules must do."""
    own = kernel.propositions.get((name, arguments))
    if own is not None or arguments or name not in _COMMON:
        return own
    if name == "ended" and game.policy.act_after_win:
        return None
    return compile_kernel(_COMMON[name], status=kernel.status)


def compiled_term(game: GameKernel, packing: Packing, term: Term) -> tuple[Compiled, Any]:
    """The function that computes a goal (whether it holds) or a number, and its arguments.

    Of a goal, these are the number of its sign, what it is compared with, and then the value's own.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    numbers = game.numbers(packing.level, term.name, term.arguments)
    function = value_of(game, packing.level.game, term.name, len(term.arguments))
    if function is None or numbers is None:
        raise Refused(f"the kernel does not know the proposition {term.name}")
    if isinstance(term, Goal):
        numbers = (_SIGNS.index(term.sign), term.bound, *numbers)
        function = compile_kernel(compared, value=function)
    if not all(-(1 << 63) <= number < 1 << 63 for number in numbers):
        raise Refused("kernels count in words of 64 bits")
    return function, np.array(numbers, np.int64)


def compiled_goal(question: GoalQuestion) -> tuple[Compiled, Any]:
    """What tells whether the goal of a question is reached, and its arguments.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    game, packing, _ = question.packed()
    if question.goal.where(question.level) is None:
        return compiled_term(game, packing, question.goal)
    return found_in, StateStore(packing, _known_goals(question), 1).found


def _known_goals(question: GoalQuestion) -> list[Position[Any]]:
    """The positions in which the goal holds, where they are listed."""
    where = question.goal.where(question.level) or ()
    if not all(map(question.packed()[1].fits, where)):
        raise Refused("the kernel does not hold the positions that are looked for")
    return list(where)


def bound_of(question: GoalQuestion) -> Compiled | None:
    """The compiled lower bound of a question's goal, where the kernel has one and is to compute the goal."""
    goal = question.goal
    if goal.where(question.level) is not None:
        return None
    return question.packed()[0].bounds.get((goal.name, len(goal.arguments)))


def breadth_first_search(question: GoalQuestion) -> PackedStates:
    """A packed search in the order of the number of actions.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    game, packing, acting = question.packed()
    return PackedStates(game, packing, question.starts, *compiled_goal(question), acting)


def search_by_cost(question: GoalQuestion, weight: int = 0) -> InformedStates:
    """A packed search by what has been paid, and by a bound of what is left times a weight.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    game, packing, acting = question.packed()
    measure = _number_of(question, game)
    (goal, arguments), bound = compiled_goal(question), bound_of(question)
    own = NOTHING if bound is None else arguments[2:]
    holds = goal, arguments, bound or no_bound, own
    return InformedStates(game, packing, question.starts, *holds, measure, weight, acting)


def two_sided_search(question: GoalQuestion) -> TwoSidedStates:
    """A packed search from both ends.

    Raises
    ------
    Refused
        Where the kernel does not hold all positions in which the goal holds.
    """
    game, packing, _ = question.packed()
    return TwoSidedStates(game, packing, question.starts, _known_goals(question))


def _number_of(question: GoalQuestion, kernel: GameKernel) -> int:
    """The number by which a kernel knows a question's measure."""
    measure = question.measure
    if measure is ACTIONS:
        return BY_ACTIONS
    if kernel.cost is None or NATURE in question.who:
        raise Refused(f"no kernel minimises {measure.name}")
    return question.level.game.measures.index(measure)
