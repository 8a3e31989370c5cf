"""`gp.explore`: all positions that can be reached, by a game's kernel or by its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit, Meter, started
from gridproof.core.loading import load
from gridproof.core.position import Level, Position
from gridproof.search.actors import Actors, Who, acting, starts_of
from gridproof.search.refusal import Refused, because
from gridproof.search.ruled_space import RuledSpace
from gridproof.search.space import Progress, StateSpace, finish, rising

if TYPE_CHECKING:
    from gridproof.search.kernel_space import PackedSpace, RankedSpace

_BY_RULES = 2000  # positions whose expansion takes less time than loading a kernel


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
    meter = started(limit)
    starts = starts_of(level_or_position)
    who = acting(starts[0].level, actors)
    progress = rising(progress)
    by_rules = RuledSpace(starts, who)
    if by_rules.explore(meter, progress, _BY_RULES):
        return by_rules
    with meter.paused():
        load("gridproof.search.kernel_space")
    try:
        compiled = _compiled(starts, who, meter, progress)
        if compiled.complete or compiled.states >= by_rules.states:
            return compiled
        by_rules.stopped_by = compiled.stopped_by  # before the kernel had come as far
        return by_rules
    except Refused as reason:
        by_rules.engine = because(by_rules.engine, str(reason))
    by_rules.explore(meter, progress, None)
    return by_rules


def explore_by_rules(
    level_or_position: Level | Position[Any], actors: Actors = None, limit: Limit | None = None
) -> StateSpace:
    """As `explore`, without the game's kernel.

    Raises
    ------
    GridproofError
        For an actor that the level does not know.
    """
    starts = starts_of(level_or_position)
    found = RuledSpace(starts, acting(starts[0].level, actors))
    found.explore(started(limit), None, None)
    return found


def _compiled(
    starts: list[Position[Any]], who: Who, meter: Meter, progress: Progress | None
) -> PackedSpace | RankedSpace:
    """The state space by the game's kernel; Refused where the rules must do."""
    from gridproof.search.kernel_space import PackedSpace, RankedSpace
    from gridproof.search.packed import PLAYERS, PackedStates, packed_for
    from gridproof.search.ranked import RankedStates

    kernel, packing, acting = packed_for(starts, who)
    ranking = kernel.ranking(packing.level) if kernel.ranking and acting == PLAYERS else None
    most = meter.limit.states
    all_may_be_kept = ranking is not None and (most is None or most >= ranking.size)
    if ranking is not None and all_may_be_kept and meter.has_room(RankedStates.size(ranking)):
        with meter.paused():
            ranked = RankedStates(kernel, ranking, starts)
            ranked.prepare()
        return RankedSpace(ranked, finish(ranked, meter, progress), meter)
    meter.stopped_by = ""
    with meter.paused():
        packed = PackedStates(kernel, packing, starts, who=acting)
        packed.prepare()
    return PackedSpace(packed, who, finish(packed, meter, progress), meter)
