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
from gridproof.search.best_first import BY_ACTIONS, BestFirstStates, Order, zero_bound
from gridproof.search.bidirectional import BidirectionalStates, is_in_store
from gridproof.search.packed_bfs import PackedStates, build_expansion, expansion_until
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.state_store import StateStore

PackedSearch = PackedStates | BestFirstStates | BidirectionalStates
"""Searches over packed states."""

NO_ARGUMENTS = np.zeros(0, np.int64)
"""The arguments of `zero_bound`."""
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")

value: Any = Hole()
status: Any = Hole()


def compare_value(data: Any, state: Any, arguments: Any) -> Any:
    """Compare the value with a number. The arguments are the sign's number, the number, then those of the value."""
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
    """Return the value of `won`, which every game has."""
    return np.int64(status(data, state) == WON)


def is_lost(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `lost`, which every game has."""
    return np.int64(status(data, state) == LOST)


def is_ended(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `ended`, in a game without actions after a win."""
    return np.int64(status(data, state) != PLAYING)


_COMMON = {"won": is_won, "lost": is_lost, "ended": is_ended}


def goals_of(kernel: GameKernel, game: Game) -> list[tuple[str, int]]:
    """Return the propositions of the kernel, by name and number of arguments."""
    common = [(name, 0) for name in _COMMON if (name, 0) not in kernel.propositions]
    return [item for item in (*kernel.propositions, *common) if value_of(kernel, game, *item) is not None]


def value_of(kernel: GameKernel, game: Game, name: str, arguments: int) -> Compiled | None:
    """Return the compiled value of a proposition with a number of arguments; None where the rules must do."""
    own = kernel.propositions.get((name, arguments))
    if own is not None or arguments or name not in _COMMON:
        return own
    if name == "ended" and game.policy.act_after_win:
        return None
    return compile_kernel(_COMMON[name], status=kernel.status)


def compile_term(game: GameKernel, packing: Packing, term: Term) -> tuple[Compiled, Any]:
    """Return the function that computes a goal (whether it holds) or a number, and its arguments.

    A goal's arguments are the number of its sign, the other side, and then those of the value.
    This function and the following ones raise Refused when the rules must do.
    """
    numbers = game.numbers(packing.level, term.name, term.arguments)
    function = value_of(game, packing.level.game, term.name, len(term.arguments))
    if function is None or numbers is None:
        raise Refused(f"the kernel does not know the proposition {term.name}")
    if isinstance(term, Goal):
        numbers = (_SIGNS.index(term.sign), term.bound, *numbers)
        function = compile_kernel(compare_value, value=function)
    if not all(-(1 << 63) <= number < 1 << 63 for number in numbers):
        raise Refused("kernels count with 64 bits")
    return function, np.array(numbers, np.int64)


def compile_goal(question: GoalQuestion) -> tuple[Compiled, Any]:
    """Compile the goal of a question to a predicate of states, and return it with its arguments."""
    game, packing, _ = question.load_packing()
    if question.goal.where(question.level) is None:
        return compile_term(game, packing, question.goal)
    return is_in_store, StateStore(packing, _goal_positions(question), 1).index


def _goal_positions(question: GoalQuestion) -> list[Position[Any]]:
    where = question.goal.where(question.level) or ()
    if not all(map(question.load_packing()[1].fits, where)):
        raise Refused("the kernel cannot represent the goal positions")
    return list(where)


def bound_of(question: GoalQuestion) -> Compiled | None:
    """Return the compiled lower bound of a question's goal, if the kernel has one and computes the goal."""
    goal = question.goal
    if goal.where(question.level) is not None:
        return None
    return question.load_packing()[0].search.bounds.get((goal.name, len(goal.arguments)))


def least_actions(question: GoalQuestion) -> int:
    """Return a lower bound of the actions from a start to a goal; 0 if the kernel has none."""
    try:
        bound = bound_of(question)
        if bound is None:
            return 0
        packing, arguments = question.load_packing()[1], compile_goal(question)[1][2:]
    except Refused:
        return 0
    starts = StateStore(packing, question.starts, 1)
    return min(int(bound(packing.data, words, arguments)) for words in starts.words[: starts.count])


def breadth_first_search(question: GoalQuestion) -> PackedStates:
    """Return a packed search in the order of the number of actions."""
    game, packing, acting = question.load_packing()
    return PackedStates(game, packing, question.starts, *compile_goal(question), acting)


def exploration_until_goal(question: GoalQuestion) -> PackedStates:
    """Return a packed search for all states that can be reached before the goal."""
    game, packing, who = question.load_packing()
    expansion = expansion_until(build_expansion(game, packing, who), packing, *compile_goal(question))
    return PackedStates(game, packing, question.starts, who=expansion)


def best_first_search(question: GoalQuestion, weight: int = 0) -> BestFirstStates:
    """Return a packed search by the cost so far plus a weighted bound of the remaining cost."""
    game, packing, acting = question.load_packing()
    measure = _measure_number(question, game)
    (goal, arguments), bound = compile_goal(question), bound_of(question)
    own = NO_ARGUMENTS if bound is None else arguments[2:]
    order = Order(bound or zero_bound, own, measure, weight)
    return BestFirstStates(game, packing, question.starts, goal, arguments, order, acting)


def bidirectional_search(question: GoalQuestion) -> BidirectionalStates:
    """Return a packed search from both ends."""
    game, packing, _ = question.load_packing()
    return BidirectionalStates(game, packing, question.starts, _goal_positions(question))


def _measure_number(question: GoalQuestion, kernel: GameKernel) -> int:
    """Return the kernel's number of a question's measure."""
    measure = question.measure
    if measure is ACTIONS:
        return BY_ACTIONS
    if measure.parts or kernel.search.cost is None or NATURE in question.who:
        raise Refused(f"no kernel minimises {measure.name}")
    return question.level.game.measures.index(measure)
