"""The status of a position: can it still be won, and if not, since when.

A verdict comes in stages, all of them true: a solution, a shortest one, the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gridproof.core import proposition
from gridproof.core.distances import shortest_path
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.limit import Budget, Limit
from gridproof.core.position import NATURE, Level, NamedEnum, Position
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Step, Trace
from gridproof.prove.estimate import Estimate, estimator
from gridproof.search.solution import Solution

PATIENCE = Limit(seconds=10)
"""Default limit of a verdict."""
SOON = 0.4
"""Seconds for the search of the fewest actions, before any solution will do."""
_NEAR = 200
"""The most positions to search for a path to a known one."""
_CLOSED, _CLOSED_SECONDS = 50_000, 1.0
"""Limits of the count of the positions that a dead one reaches, and of the search for a win with nature's actions."""


class Standing(NamedEnum):
    """Proved standing of a position."""

    WINNABLE = "winnable"
    DEAD = "dead"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Note:
    """A game's note on a position."""

    text: str
    cells: tuple[tuple[int, int], ...] = ()
    """The cells of the board, as `Look.board` has it: (x, y)."""
    alone: tuple[tuple[str, int | None], ...] = ()
    """Actors, each with the fewest actions to a win of its own in which it alone acts; None if it provably cannot win so."""
    turns: bool = False
    """True if the note matters only where several players act."""
    aside: bool = False
    """True if only the verdict of players tells it: it is no part of the status in words."""


@dataclass(frozen=True, slots=True)
class DeathTime:
    """Time of a game's death. Actions are counted from 1; 0 is the first position."""

    winnable: int
    """The number of actions after which it could still be won; -1 if that is not known of any position."""
    dead: int
    """The number of actions after which it was dead."""

    @property
    def exact(self) -> bool:
        """True if the fatal action is known, or the game was dead from the start."""
        return self.dead == self.winnable + 1


@dataclass(frozen=True, slots=True)
class Badge:
    """The proved status of one position."""

    standing: Standing = Standing.UNKNOWN
    way: tuple[Step, ...] | None = None
    """A verified solution, with the outcomes that it needs; None without one."""
    least: int = 0
    """A lower bound of the actions to a win."""
    last_random_step: int = 0
    """The number of the solution's last step, from 1, that depends on chance; 0 if none does."""
    reason: str = ""
    """The reason why it is dead, in a few words, where the game can say."""
    nature_may_help: bool = False
    """True if it is dead for the players alone: no proof says that nature's actions cannot bring it back to life."""
    notes: tuple[Note, ...] = ()
    since: DeathTime | None = None
    """The time of its death, if the query is about it."""
    complete: bool = False
    """True if the limit allows no further stage."""
    reachable: int = 0
    """The number of positions that a dead one reaches, itself included, if no reason is known; 0 if they were not counted."""
    estimate: Estimate | None = None
    """The estimate of a game of chance."""
    searched: int = 0
    """The number of positions searched so far by a search that is not over."""

    @property
    def left(self) -> int | None:
        """The number of actions to the win; None without a solution."""
        return None if self.way is None else len(self.way)

    @property
    def fewest(self) -> bool:
        """True if no solution has fewer actions."""
        return self.way is not None and len(self.way) <= self.least

    @property
    def dead(self) -> bool:
        """True if the position provably cannot be won."""
        return self.standing is Standing.DEAD

    @property
    def winnable(self) -> bool:
        """True if a solution is known."""
        return self.standing is Standing.WINNABLE

    @property
    def is_settled(self) -> bool:
        """True if no search finds out more: it is dead, or the fewest actions to the win are known."""
        return self.dead or self.fewest

    @property
    def needs_luck(self) -> bool:
        """True if the solution depends on chance."""
        return self.last_random_step > 0


class LossCause(NamedEnum):
    """Cause of the loss of a win, as far as it is known."""

    MOVE = "move"
    CHANCE = "chance"
    """The outcome of one of the best moves."""
    UNKNOWN = "unknown"


def loss_cause(before: Badge, action: str, game: Game) -> LossCause:
    """Return what lost the win: an action, or chance after it; `before` is the status of the position before it."""
    if estimator(game) is None:
        return LossCause.MOVE
    if before.estimate is None:
        return LossCause.UNKNOWN
    return LossCause.CHANCE if before.estimate.is_best(action) else LossCause.MOVE


@dataclass(frozen=True, slots=True)
class StatusNotes:
    """A game's additions to its badges: the value `STATUS` of its extension `status`."""

    notes: Callable[[Any, Badge, Limit], Iterable[Note]] = lambda position, badge, limit: ()
    """Returns a game's notes on a position, within a limit."""
    actions: str = "actions"
    """The word for the game's actions."""
    dead: str = "dead"
    """The word for a position that can never be won."""
    nature: str = "acts of nature"
    """The word for the game's actions of nature, if it has any: several of them."""
    tells_ways: bool = True
    """True if badges also show solutions, or that no solution is known; else they show only dead positions."""


def status_notes(game: Game) -> StatusNotes:
    """Return the additions of a game; by default only whether a position can be won."""
    return find_extension(game, "status", StatusNotes) or StatusNotes()


@dataclass(frozen=True, slots=True)
class StatusQuery:
    """A query for the status of a position; `badge` is what earlier queries have proved."""

    position: Position[Any]
    badge: Badge = Badge()
    near: tuple[Position[Any], tuple[Step, ...]] | None = None
    """A position that may be near, such as the one before, with a solution from there."""
    past: tuple[Position[Any], ...] | None = None
    """The positions before it, from the last known winnable position on; None if the query is not about the time of death."""
    offset: int = 0
    """The number of actions before the first of `past`."""
    chances: frozenset[int] = field(default_factory=frozenset)
    """The numbers of nature's actions, which may bring a dead game back to life."""


def prove(position: Position[Any], limit: Limit | None = None) -> Badge:
    """Prove the status of a position within a limit, by default `PATIENCE`; at the limit the badge says less.

    Its standing is that of `gridproof.solve`; its solution has the fewest actions if `fewest` is true.
    """
    badge = Badge()
    for badge in verdicts(StatusQuery(position), limit):  # noqa: B007  # the last counts
        pass
    return badge


def verdicts(
    query: StatusQuery, limit: Limit | None = None, progress: Callable[[int, int], None] | None = None
) -> Iterator[Badge]:
    """Yield the status of a position in stages, each with more than the one before; the last is complete.

    Nothing more is yielded once the limit's `stop` is set. `progress` receives the positions searched now and then, and
    a lower bound of the actions to a win.
    """
    budget = _StatusBudget(limit or PATIENCE, progress)
    for estimate in _estimates(query, budget):
        query = replace(query, badge=replace(query.badge, estimate=estimate))
        yield query.badge
    badge = query.badge
    if badge.standing is not Standing.UNKNOWN and not budget.is_stopped:
        yield badge
    for badge in _standings(query, budget):
        yield badge
    if budget.is_stopped:
        return
    if badge.dead:
        goal = proposition.parse_goal(query.position.level.game, "won")
        badge = replace(badge, reason=badge.reason or goal.explain_never(query.position))
        badge = replace(badge, nature_may_help=badge.nature_may_help and _may_nature_help(query, budget))
        badge = replace(badge, reachable=badge.reachable or _count_reachable(query.position, badge, budget))
        if query.past is not None:
            yield badge
            badge = replace(badge, since=_find_death(query, query.past, budget))
    if budget.is_stopped:
        return
    notes = tuple(
        status_notes(query.position.level.game).notes(query.position, badge, budget.remaining_limit())
    )
    if not budget.is_stopped:
        yield replace(badge, notes=notes, complete=True)


class _StatusBudget(Budget):
    """The limit of a query, with the function that receives its progress."""

    def __init__(self, limit: Limit, progress: Callable[[int, int], None] | None = None) -> None:
        super().__init__(limit)
        self._progress = progress
        self.least = 0
        """A lower bound of the actions to a win."""

    def raise_bound(self, bound: int) -> None:
        """Note a lower bound of the actions from the position of the query to a win."""
        self.least = max(self.least, bound)

    def report(self, count: int) -> None:
        """Report the positions that a search has found."""
        if self._progress is not None:
            self._progress(count, self.least)


def _solve(
    budget: _StatusBudget, position: Position[Any], minimise: str | None, seconds: float | None = None
) -> Solution:
    """Solve within the rest of a budget, for at most `seconds`; only the position of the query is solved for the fewest actions."""
    from gridproof.search.question import build_goal_question
    from gridproof.search.solve import solution_of

    limit = budget.remaining_limit(seconds)
    question = build_goal_question(position, minimise, limit=limit, progress=budget.report)
    return budget.charge(solution_of(replace(question, report_bound=budget.raise_bound)))


def _estimates(query: StatusQuery, budget: _StatusBudget) -> Iterator[Estimate]:
    """Yield the estimates of a position that say more than the known one, if the game has any."""
    estimate, known = estimator(query.position.level.game), query.badge.estimate
    if estimate is None or query.badge.dead or budget.is_stopped or (known is not None and known.exact):
        return
    for found in estimate(query.position, budget.remaining_limit()):
        if known is None or found.exact or found.games > known.games:
            yield found


def _count_reachable(position: Position[Any], badge: Badge, budget: _StatusBudget) -> int:
    """Return the number of positions that the players reach from a dead one without a reason; 0 if they are too many."""
    from gridproof.search.explore import explore

    if badge.reason or budget.is_spent or NATURE in position.level.game.actors(position.level):
        return 0
    limit = replace(budget.remaining_limit(_CLOSED_SECONDS), states=_CLOSED)
    space = explore(position, limit=limit)
    return len(space) if space.complete else 0


def _may_nature_help(query: StatusQuery, budget: _StatusBudget) -> bool:
    """Return whether a position that is dead for the players may be won with nature's actions; False is proved."""
    from gridproof.search.solve import solve

    if budget.is_spent:
        return True
    limit = budget.remaining_limit(_CLOSED_SECONDS)
    limit = replace(limit, states=min(_CLOSED, limit.states or _CLOSED))
    found = solve(query.position, minimise=None, actors="all", limit=limit, solver="rules").found
    return found is not False


def _standings(query: StatusQuery, budget: _StatusBudget) -> Iterator[Badge]:
    """Yield badges with a solution or a proof that there is none, then with fewer actions."""
    badge = query.badge
    if badge.is_settled:
        return
    if not badge.winnable and (near := _path_to_known_solution(query)) is not None:
        badge = _with_way(badge, Trace(query.position, near))
        yield badge
    tells_ways = status_notes(query.position.level.game).tells_ways
    for minimise, seconds in _efforts(query, tells_ways):
        if badge.is_settled or (minimise is None and badge.winnable) or budget.is_spent:
            continue
        found = _solve(budget, query.position, minimise, seconds)
        better = _add_solution(badge, found, query.position.level)
        if not better.dead:
            better = replace(better, least=max(better.least, budget.least))
        if better != badge and not budget.is_stopped:
            badge = better
            yield badge


def _efforts(query: StatusQuery, tells_ways: bool) -> Iterable[tuple[str | None, float | None]]:
    """Return the attempts in their order: the measure to minimise, or None for any solution, and a time limit.

    An action that nothing takes back has often lost the win: the first attempt after a winnable position is for any
    solution.
    """
    if not tells_ways:
        return (("actions", SOON),)
    if query.near is not None:
        return ((None, SOON), ("actions", SOON), (None, None), ("actions", None))
    return (("actions", SOON), (None, None), ("actions", None))


def _add_solution(badge: Badge, found: Solution, level: Level) -> Badge:
    if found.found is False:
        has_nature = NATURE in level.game.actors(level)
        return Badge(Standing.DEAD, reason=found.reason, nature_may_help=has_nature, estimate=badge.estimate)
    if found.trace is None:
        return badge
    least = len(found.trace.steps) if found.optimal else badge.least
    if badge.way is not None and len(badge.way) <= len(found.trace.steps):
        return replace(badge, least=least)
    return replace(_with_way(badge, found.trace), least=least)


def _with_way(badge: Badge, way: Trace) -> Badge:
    return replace(badge, standing=Standing.WINNABLE, way=way.steps, last_random_step=way.last_random_step)


def _path_to_known_solution(query: StatusQuery) -> tuple[Step, ...] | None:
    """Return a short path to a position with a known solution, and that solution."""
    if query.near is None:
        return None
    solutions = dict(solutions_along(*query.near))

    def steps(position: Position[Any]) -> Iterator[tuple[Step, Position[Any]]]:
        for action in position.actions():
            for outcome in position.outcomes(action):
                yield Step(action, outcome.label), outcome.position

    found = shortest_path(query.position, steps, solutions.__contains__, _NEAR)
    return None if found is None else (*found[0], *solutions[found[1]])


def solutions_along(
    position: Position[Any], way: tuple[Step, ...]
) -> Iterator[tuple[Position[Any], tuple[Step, ...]]]:
    """Yield the positions of a solution, each with the rest of it; IllegalAction at a step that cannot be done."""
    yield position, way
    for number, step in enumerate(way, 1):
        position = position.outcome(step.action, step.label).position
        yield position, way[number:]


def _find_death(query: StatusQuery, past: Sequence[Position[Any]], budget: _StatusBudget) -> DeathTime:
    """Find when a game died, as exactly as the limit allows.

    Players never bring a dead game back to life: between two acts of nature, bisection finds the time.
    """
    winnable, dead = query.offset - 1, query.offset + len(past)
    while dead - winnable > 1 and not budget.is_spent:
        begins = max((number for number in query.chances if winnable < number <= dead), default=winnable)
        middle = begins if begins > winnable else (winnable + dead) // 2
        if middle == dead:  # right after an act of nature: the position before it is solved by itself
            middle -= 1
        found = _solve(budget, past[middle - query.offset], None).found
        if found is None:
            break
        winnable, dead = (middle, dead) if found else (winnable, middle)
    return DeathTime(winnable, dead)


def words(badge: Badge, game: Game, action_words: Callable[[int], str] = lambda number: "") -> str:
    """Return a badge in words, "" if it says nothing; `action_words` returns those for the action of a number."""
    notes = status_notes(game)
    if badge.dead:
        dead = f"cannot be won without {notes.nature}" if badge.nature_may_help else notes.dead
        line = _dead(badge, dead, action_words)
    else:
        line = _alive(badge, notes) if notes.tells_ways else ""
    return ". ".join(filter(None, (line, *(note.text for note in badge.notes if not note.aside))))


def _alive(badge: Badge, notes: StatusNotes) -> str:
    if badge.way is None:
        return "unknown whether it can be won" if badge.complete else ""
    if not badge.way:
        return "won"
    luck = " with luck" if badge.needs_luck else ""
    number = format_count(len(badge.way), notes.actions)
    if badge.fewest:
        return f"still winnable{luck}, shortest: {number}"
    return f"still winnable{luck}, in {number} or fewer"


def _dead(badge: Badge, dead: str, action_words: Callable[[int], str]) -> str:
    since, why = badge.since, f": {badge.reason}" if badge.reason else ""
    if since is None:
        return f"{dead}{why}"
    if not since.exact:
        if since.winnable >= 0:
            return f"{dead} since one of the actions {since.winnable + 1} to {since.dead}{why}"
        return f"{dead}, by action {since.dead} at the latest{why}"
    if since.dead == 0:
        return f"{dead} from the start{why}"
    done = action_words(since.dead)
    return f"{dead} since action {since.dead}{f', {done}' if done else ''}{why}"
