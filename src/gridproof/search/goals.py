"""Goals as kernels: a proposition of the game compared with a number."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.game import NATURE, Position
from gridproof.core.proposition import Goal
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import LOST, PLAYING, WON, Compiled, GameKernel, kernel_of
from gridproof.search.packed import PackedStates

_SIGNS = ("=", "!=", "<", "<=", ">", ">=")

value: Any = Hole()
status: Any = Hole()


def compared(tables: Any, state: Any, arguments: Any) -> Any:
    """Whether the value stands to the number as asked: arguments are sign, number, and the value's own."""
    sign, bound = arguments[0], arguments[1]
    found = value(tables, state, arguments[2:])
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


def is_won(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `won` that every game has."""
    return np.int64(status(tables, state) == WON)


def is_lost(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `lost` that every game has."""
    return np.int64(status(tables, state) == LOST)


def is_ended(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `ended`, of a game in which one may not act after a win."""
    return np.int64(status(tables, state) != PLAYING)


def _value_of(game: GameKernel, name: str, arguments: int, goes_on: bool) -> Compiled | None:
    own = game.propositions.get((name, arguments))
    common = {"won": is_won, "lost": is_lost} | ({} if goes_on else {"ended": is_ended})
    if own is not None or arguments or name not in common:
        return own
    return kernel(common[name], status=game.status)


def compiled_search(
    starts: list[Position[Any]], goal: Goal, who: tuple[str | None, ...]
) -> PackedStates | None:
    """A packed search for the goal; None where the rules must do."""
    level = starts[0].level
    game = kernel_of(level.game)
    nature = NATURE in who
    if game is None or not (who == (None,) or set(who) == set(level.game.actors(level))):
        return None
    numbers = game.numbers(level, goal.name, goal.arguments)
    function = _value_of(game, goal.name, len(goal.arguments), level.game.policy.act_after_win)
    packing = game.prepare(level)
    if function is None or numbers is None or packing is None or (nature and game.nature is None):
        return None
    if max(map(abs, (goal.bound, *numbers))) > np.iinfo(np.int64).max:
        return None
    if not all(map(packing.fits, starts)):
        return None
    goal.value(starts[0])  # arguments that mean nothing on this level are told by the rules
    arguments = np.array([_SIGNS.index(goal.sign), goal.bound, *numbers], np.int64)
    return PackedStates(game, packing, starts, kernel(compared, value=function), arguments, nature)
