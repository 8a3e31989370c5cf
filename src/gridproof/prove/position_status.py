"""What is proved about a position that a player has come to: can it still be won, and since when not.

A verdict comes in stages, each of which is true: a way to win, one with the fewest actions, why there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core import proposition
from gridproof.core.distances import shortest_path
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.loading import load
from gridproof.core.position import NamedEnum, Position
from gridproof.core.trace import Step
from gridproof.core.wording import counted
from gridproof.search.solution import Solution

PATIENCE = Limit(seconds=10)
"""How long a verdict is looked for."""
SOON = 0.4
"""Seconds in which the fewest actions are looked for, before any way is."""
_NEAR = 200
"""Positions that are looked at for a way back to one that is known."""


class Standing(NamedEnum):
    """What is proved of a position."""

    WINNABLE = "winnable"
    DEAD = "dead"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Note:
    """What a game has to say besides."""

    text: str
    cells: tuple[tuple[int, int], ...] = ()
    """Where on the board, as `Look.board` has it: (x, y)."""


@dataclass(frozen=True, slots=True)
class Since:
    """When a game died. Actions are counted from 1; 0 is the position it began with."""

    winnable: int
    """After so many actions it could still be won; -1 when nothing is known of any position."""
    dead: int
    """After so many it could not."""

    @property
    def exact(self) -> bool:
        """Whether it is one action that did it, or the game was dead when it began."""
        return self.dead == self.winnable + 1


@dataclass(frozen=True, slots=True)
class Badge:
    """What is proved about one position."""

    standing: Standing = Standing.UNKNOWN
    way: tuple[Step, ...] | None = None
    """A way to win, when there is one: verified, with the outcomes that it needs."""
    least: int = 0
    """No way has fewer actions."""
    reason: str = ""
    """Why it is dead, in a few words, where the game can say."""
    notes: tuple[Note, ...] = ()
    since: Since | None = None
    """When it died, where that has been looked for."""
    complete: bool = False
    """Whether nothing more will be found out within the limit."""

    @property
    def left(self) -> int | None:
        """How many actions the way has; None without one."""
        return None if self.way is None else len(self.way)

    @property
    def fewest(self) -> bool:
        """Whether no way has fewer actions."""
        return self.way is not None and len(self.way) <= self.least

    @property
    def dead(self) -> bool:
        """Whether it is proved that the position cannot be won."""
        return self.standing is Standing.DEAD

    @property
    def winnable(self) -> bool:
        """Whether there is a way to win."""
        return self.standing is Standing.WINNABLE

    @property
    def needs_luck(self) -> bool:
        """Whether the way depends on chance."""
        return any(step.label for step in self.way or ())


@dataclass(frozen=True, slots=True)
class Manner:
    """What a game adds to its badges: the value `MANNER` of the module that `Game.badge` names."""

    notes: Callable[[Any, Badge, Limit], Iterable[Note]] = lambda position, badge, limit: ()
    """What else is to be said of a position, within a limit."""
    actions: str = "actions"
    """What its actions are called."""
    dead: str = "dead"
    """What a position is called that can never be won."""
    tells_ways: bool = True
    """Whether a way to win, or that none is known, is worth a word; else only what is dead is told."""


def manner_of(game: Game) -> Manner:
    """What a game adds."""
    found: Manner = load(game.badge).MANNER if game.badge else Manner()
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A position whose badge is wanted, with what is known already."""

    position: Position[Any]
    known: Badge = Badge()
    near: tuple[Position[Any], tuple[Step, ...]] | None = None
    """A position that may be near, such as the one before, with a way to win from there."""
    past: tuple[Position[Any], ...] | None = None
    """The positions before it since one that is known to be winnable; None: since when it is dead is not asked."""
    offset: int = 0
    """After so many actions came the first of them."""
    chances: frozenset[int] = field(default_factory=frozenset)
    """The numbers of actions that were nature's, and may bring a dead game back to life."""


def prove(position: Position[Any], limit: Limit | None = None) -> Badge:
    """What is proved about a position within a limit.

    Parameters
    ----------
    position : Position
    limit : Limit, optional
        By default `PATIENCE`; reaching it is no error: the badge then says less, or that nothing is known.

    Returns
    -------
    Badge
        Its standing is what `gridproof.solve` answers, its way the fewest actions where it says so.
    """
    badge = Badge()
    for badge in verdicts(Asked(position), limit):  # noqa: B007  # the last counts
        pass
    return badge


def verdicts(asked: Asked, limit: Limit | None = None) -> Iterator[Badge]:
    """What is proved about a position, each more than the one before; the last is complete.

    Where the limit's `stop` is set, it ends without another word.
    """
    purse = _Purse(limit or PATIENCE)
    badge = asked.known
    if badge.standing is not Standing.UNKNOWN and not purse.stopped:
        yield badge
    for badge in _standings(asked, purse):
        yield badge
    if purse.stopped:
        return
    if badge.dead:
        badge = replace(badge, reason=badge.reason or _why_never(asked.position))
        if asked.past is not None:
            yield badge
            badge = replace(badge, since=_since(asked, asked.past, purse))
    if purse.stopped:
        return
    notes = tuple(manner_of(asked.position.level.game).notes(asked.position, badge, purse.rest()))
    if not purse.stopped:
        yield replace(badge, notes=notes, complete=True)


class _Purse:
    """A limit that several searches share."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self._spent = limit, 0.0

    @property
    def stopped(self) -> bool:
        """Whether nobody waits any more."""
        return self._limit.stop is not None and self._limit.stop.is_set()

    @property
    def empty(self) -> bool:
        """Whether the time is over, or nobody waits any more."""
        return self.stopped or self.rest().seconds == 0

    def rest(self, seconds: float | None = None) -> Limit:
        """What is left, or so many seconds of it."""
        if self._limit.seconds is None:
            return replace(self._limit, seconds=seconds)
        left = max(0.0, self._limit.seconds - self._spent)
        return replace(self._limit, seconds=left if seconds is None else min(left, seconds))

    def solve(self, position: Position[Any], minimise: str | None, seconds: float | None = None) -> Solution:
        """An answer within what is left, or within so many seconds of it."""
        from gridproof.search.solve import solve

        found = solve(position, minimise, limit=self.rest(seconds))
        self._spent += found.seconds
        return found


def _standings(asked: Asked, purse: _Purse) -> Iterator[Badge]:
    """A way to win or that there is none, then fewer actions."""
    badge = asked.known
    if badge.dead or badge.fewest:
        return
    if not badge.winnable and (near := _way_back(asked)) is not None:
        badge = replace(badge, standing=Standing.WINNABLE, way=near)
        yield badge
    tells_ways = manner_of(asked.position.level.game).tells_ways
    for minimise, seconds in _efforts(asked, tells_ways):
        if badge.fewest or badge.dead or (minimise is None and badge.winnable) or purse.empty:
            continue
        found = purse.solve(asked.position, minimise, seconds)
        better = _learned(badge, found)
        if better != badge and not purse.stopped:
            badge = better
            yield badge


def _efforts(asked: Asked, tells_ways: bool) -> Iterable[tuple[str | None, float | None]]:
    """What is asked for one after the other: the cheapest way by a measure or (None) any, within so many seconds.

    An action that nothing takes back from a position that can be won has often lost the win: any way, or that there is
    none, is found out first.
    """
    if not tells_ways:
        return (("actions", SOON),)
    if asked.near is not None:
        return ((None, SOON), ("actions", SOON), (None, None), ("actions", None))
    return (("actions", SOON), (None, None), ("actions", None))


def _learned(badge: Badge, found: Solution) -> Badge:
    """What a solution adds."""
    if found.found is False:
        return Badge(Standing.DEAD, reason=found.reason)
    if found.trace is None:
        return badge
    least = len(found.trace.steps) if found.optimal else badge.least
    if badge.way is not None and len(badge.way) <= len(found.trace.steps):
        return replace(badge, least=least)
    return replace(badge, standing=Standing.WINNABLE, way=found.trace.steps, least=least)


def _way_back(asked: Asked) -> tuple[Step, ...] | None:
    """A short way to a position from which a way to win is known, and that way."""
    if asked.near is None:
        return None
    known = dict(ways_along(*asked.near))

    def steps(position: Position[Any]) -> Iterator[tuple[Step, Position[Any]]]:
        for action in position.actions():
            for outcome in position.outcomes(action):
                yield Step(action, outcome.label), outcome.position

    found = shortest_path(asked.position, steps, known.__contains__, _NEAR)
    return None if found is None else (*found[0], *known[found[1]])


def ways_along(
    position: Position[Any], way: tuple[Step, ...]
) -> Iterator[tuple[Position[Any], tuple[Step, ...]]]:
    """The positions of a way to win, each with the rest of the way.

    Raises
    ------
    IllegalAction
        At a step that cannot be done.
    """
    yield position, way
    for number, step in enumerate(way, 1):
        position = position.outcome(step.action, step.label).position
        yield position, way[number:]


def _why_never(position: Position[Any]) -> str:
    return proposition.goal(position.level.game, "won").why_never(position)


def _since(asked: Asked, past: Sequence[Position[Any]], purse: _Purse) -> Since:
    """When a game died, as exactly as the limit allows.

    What the players do never brings a dead game back to life: between two acts of nature it is found by halving.
    """
    winnable, dead = asked.offset - 1, asked.offset + len(past)
    while dead - winnable > 1 and not purse.empty:
        begins = max((number for number in asked.chances if winnable < number <= dead), default=winnable)
        middle = begins if begins > winnable else (winnable + dead) // 2
        if middle == dead:  # right after an act of nature: the position before it is asked for by itself
            middle -= 1
        found = purse.solve(past[middle - asked.offset], None).found
        if found is None:
            break
        winnable, dead = (middle, dead) if found else (winnable, middle)
    return Since(winnable, dead)


def words(badge: Badge, game: Game, told: Callable[[int], str] = lambda number: "") -> str:
    """A badge in words; "" where there is nothing to tell.

    Parameters
    ----------
    told : function
        What the action of a number was, in words.
    """
    manner = manner_of(game)
    line = (
        _dead(badge, manner.dead, told) if badge.dead else _alive(badge, manner) if manner.tells_ways else ""
    )
    return ". ".join(filter(None, (line, *(note.text for note in badge.notes))))


def _alive(badge: Badge, manner: Manner) -> str:
    if badge.way is None:
        return "not known whether it can be won" if badge.complete else ""
    if not badge.way:
        return "won"
    luck = " with luck" if badge.needs_luck else ""
    number = counted(len(badge.way), manner.actions)
    if badge.fewest:
        return f"still winnable{luck}, shortest: {number}"
    return f"still winnable{luck}, in at most {number}"


def _dead(badge: Badge, dead: str, told: Callable[[int], str]) -> str:
    since, why = badge.since, f": {badge.reason}" if badge.reason else ""
    if since is None:
        return f"{dead}{why}"
    if not since.exact:
        known = since.winnable >= 0
        if known:
            return f"{dead} since one of the actions {since.winnable + 1} to {since.dead}{why}"
        return f"{dead}, by action {since.dead} at the latest{why}"
    if since.dead == 0:
        return f"{dead} from the start{why}"
    done = told(since.dead)
    return f"{dead} since action {since.dead}{f', {done}' if done else ''}{why}"
