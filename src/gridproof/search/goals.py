"""Goals as kernels: a proposition of the game compared with a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.game import Game, Measure
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal, Term
from gridproof.kernels.compile import Hole
from gridproof.kernels.compile import kernel as compile_kernel
from gridproof.kernels.game import LOST, PLAYING, WON, Compiled, GameKernel, Packing
from gridproof.search.actors import Who
from gridproof.search.informed import BY_ACTIONS, InformedStates, no_bound
from gridproof.search.packed import PLAYERS, Acting, PackedStates, packed_for
from gridproof.search.refusal import Refused
from gridproof.search.ruled import GREEDY
from gridproof.search.stored import StateStore
from gridproof.search.two_sided import TwoSidedStates, found_in

PackedSearch = PackedStates | InformedStates | TwoSidedStates
"""What finds the cheapest way, or any, over packed states."""

_SIGNS = ("=", "!=", "<", "<=", ">", ">=")

value: Any = Hole()
status: Any = Hole()


def compared(data: Any, state: Any, arguments: Any) -> Any:
    """Whether the value stands to the number as asked: arguments are sign, number, and the value's own."""
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
    """The compiled value of a proposition with so many arguments; None where the rules must do."""
    own = kernel.propositions.get((name, arguments))
    if own is not None or arguments or name not in _COMMON:
        return own
    if name == "ended" and game.policy.act_after_win:
        return None
    return compile_kernel(_COMMON[name], status=kernel.status)


def search_for(
    function: Compiled,
    arguments: tuple[int, ...],
    game: GameKernel,
    packing: Packing,
    starts: list[Position[Any]],
    who: Acting = PLAYERS,
) -> PackedStates:
    """A packed search for a value; its arguments follow the sign's number and the bound."""
    goal = compile_kernel(compared, value=function)
    return PackedStates(game, packing, starts, goal, np.array(arguments, np.int64), who)


def cheapest_search(
    function: Compiled,
    arguments: tuple[int, ...],
    game: GameKernel,
    packing: Packing,
    starts: list[Position[Any]],
    bound: Compiled = no_bound,
    measure: int = BY_ACTIONS,
    weight: int = 0,
) -> InformedStates:
    """A packed search by cost for a value; its arguments follow the sign's number and the bound."""
    holds = compile_kernel(compared, value=function)
    numbers = np.array(arguments, np.int64)
    return InformedStates(game, packing, starts, holds, numbers, bound, numbers[2:], measure, weight)


def known_search(
    goals: list[Position[Any]],
    game: GameKernel,
    packing: Packing,
    starts: list[Position[Any]],
    who: Acting = PLAYERS,
    measure: int = BY_ACTIONS,
) -> PackedSearch:
    """A packed search for given positions: from both ends, where the kernel tells predecessors."""
    if packing.most_before and who == PLAYERS and measure == BY_ACTIONS:
        return TwoSidedStates(game, packing, starts, goals)
    wanted = StateStore(packing, goals, 1)
    if measure == BY_ACTIONS:
        return PackedStates(game, packing, starts, found_in, wanted.found, who)
    nothing = np.zeros(0, np.int64)
    return InformedStates(game, packing, starts, found_in, wanted.found, no_bound, nothing, measure, 0)


def _value_with(game: GameKernel, level: Level, term: Term) -> tuple[Compiled, tuple[int, ...]]:
    """What computes the value of a term, and its arguments as numbers; Refused where the rules must do."""
    numbers = game.numbers(level, term.name, term.arguments)
    function = value_of(game, level.game, term.name, len(term.arguments))
    if function is None or numbers is None:
        raise Refused(f"the kernel does not know the proposition {term.name}")
    return function, numbers


def compiled_term(game: GameKernel, packing: Packing, term: Term) -> tuple[Compiled, Any]:
    """What computes a goal (whether it holds) or a number, and its arguments.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    function, numbers = _value_with(game, packing.level, term)
    if not isinstance(term, Goal):
        return function, np.array(numbers, np.int64)
    compared_to = _SIGNS.index(term.sign), term.bound
    return compile_kernel(compared, value=function), np.array((*compared_to, *numbers), np.int64)


def compiled_search(
    starts: list[Position[Any]], goal: Goal, who: Who, measure: Measure = ACTIONS, greedy: bool = False
) -> PackedSearch:
    """The best packed search for the cheapest way to the goal, or for any.

    Raises
    ------
    Refused
        Where the rules must do.
    """
    level = starts[0].level
    game, packing, acting = packed_for(starts, who)
    by = _number_of(measure, game, level.game, acting)
    where = goal.where(level)
    if where is not None:
        if not all(map(packing.fits, where)):
            raise Refused("the kernel does not hold the positions that are looked for")
        return known_search(list(where), game, packing, starts, acting, by)
    function, numbers = _value_with(game, level, goal)
    named = goal.name, len(goal.arguments)
    wanted = (_SIGNS.index(goal.sign), goal.bound, *numbers)
    if not all(-(1 << 63) <= number < 1 << 63 for number in wanted):
        raise Refused("kernels count in words of 64 bits")
    bound = game.bounds.get(named, no_bound)
    if by == BY_ACTIONS and (bound is no_bound or not goal.plain or acting != PLAYERS):
        return search_for(function, wanted, game, packing, starts, acting)
    weight = 0 if by != BY_ACTIONS else GREEDY if greedy else 1
    return cheapest_search(function, wanted, game, packing, starts, bound, by, weight)


def _number_of(measure: Measure, kernel: GameKernel, game: Game, acting: Acting) -> int:
    """The number by which a kernel knows a measure."""
    if measure is ACTIONS:
        return BY_ACTIONS
    if kernel.cost is None or acting != PLAYERS:
        raise Refused(f"no kernel minimises {measure.name}")
    return game.measures.index(measure)
