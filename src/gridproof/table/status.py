"""Status of a table's position: proofs about it, in the player's mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import IllegalAction
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.text.display import sentence
from gridproof.core.text.phrases import format_count, join_names
from gridproof.core.trace import Trace
from gridproof.prove.estimate import estimator
from gridproof.prove.next_wins import next_winners
from gridproof.prove.position_status import (
    PATIENCE,
    Badge,
    DeathTime,
    LossCause,
    StatusQuery,
    loss_cause,
    verdicts,
    words,
)
from gridproof.prove.proof_cache import ProofCache
from gridproof.prove.verdict_line import (
    WITH_ALL,
    YOU,
    describe_bound,
    explain_death,
    nearer_rivals,
    own_distances,
    spoken_word,
    verdict_detail,
    verdict_line,
    wins_alone,
)
from gridproof.table.conversation import Conversation
from gridproof.table.jobs import Job
from gridproof.table.messages import Message, Proved
from gridproof.table.replay import Replay

if TYPE_CHECKING:
    from gridproof.table.status_prover import StatusProver

ALWAYS, WHEN_DEAD, ON_REQUEST, OFF = "always", "dead", "request", "off"
LAST_WINNABLE = "The last winnable position"
NOTHING_PROVED = "Nothing is proved about this position"
MODES = {
    ALWAYS: "always",
    WHEN_DEAD: "only if the position is dead",
    ON_REQUEST: "on request",
    OFF: "never",
}
"""Modes of the badge, in words."""


class StatusObserver:
    """Observer that proves the status of a table's positions, as far as the player's mode needs it.

    Parameters
    ----------
    table : Conversation
    """

    def __init__(self, table: Conversation) -> None:
        self._table = table
        self.mode = ON_REQUEST
        """One of `MODES`."""
        self.proofs = ProofCache()
        self.is_requested = False
        """True if the player has requested the status of this position."""
        self._badge: Badge | None = None
        self._badge_place: tuple[Position[Any], int] | None = None
        self._shown_own: frozenset[str] = frozenset()
        """The player's actors for whom the status was shown."""
        self._was_dead = False
        """True if the position before was proved to be dead."""
        self._dead_since: tuple[tuple[Position[Any], int], DeathTime] | None = None
        """Latest dead position, and since when it is dead."""
        self._prover: Callable[[], StatusProver] | None = None
        self._active_prover: StatusProver | None = None
        self._notify: Callable[[], object] = lambda: None
        self._post: Callable[[Callable[[], None]], object] = lambda call: call()

    def serve(
        self,
        prover: Callable[[], StatusProver],
        notify: Callable[[], object],
        post: Callable[[Callable[[], None]], object],
    ) -> None:
        """Use a prover in other processes; without one, proving is a job.

        Parameters
        ----------
        prover : function
            Returns the prover, on first use.
        notify : function
            Called in the thread of the table after each change of `badge`.
        post : function
            Calls a function in the thread of the table.
        """
        self._prover, self._notify, self._post = prover, notify, post

    @property
    def badge(self) -> Badge | None:
        """Return the status of the current position; None if it was not requested."""
        return self._badge if self._badge_place == self.place else None

    @property
    def place(self) -> tuple[Position[Any], int]:
        """Return the current position, and the number of actions before it."""
        session = self._table.session
        return session.position, session.actions_done

    @property
    def text(self) -> str:
        """Return the badge line for the player; "" for none."""
        return self.text_for(self.mode)

    def text_for(self, mode: str) -> str:
        """Return the badge line for a mode; "" for none."""
        badge = self.badge
        if badge is None or not self.is_told(mode):
            return ""
        game, session = self._table.session.game, self._table.session
        text = words(
            badge,
            game,
            lambda number: game.look.describe(self._table.level, session.trace().steps[number - 1].action),
        )
        return text or (NOTHING_PROVED if self.is_requested and badge.complete else "")

    def verdict_for(self, mode: str, short: bool = False) -> str:
        """Return the verdict for a mode, in the words that a person says, or in fewer of them; "" for none."""
        badge = self.badge
        if badge is None or not self.is_told(mode):
            return ""
        if self.end_line:
            return self.end_line
        line = verdict_line(
            badge, self._table.level, self._winner(badge), self.own, self._next_winners, short
        )
        return line or (((badge.notes and self.detail) or NOTHING_PROVED) if badge.complete else "")

    @property
    def end_line(self) -> str:
        """Return how the level has ended, if the player has not won it: "Lost", or "b has won" after a race of programs; "" before."""
        if self.is_won_by_others:
            return "Lost"
        if not self.is_race_won:
            return ""
        winners = self.game.look.winners(self._table.session.position)
        return f"{join_names(winners)} {'has' if len(winners) == 1 else 'have'} won"

    @property
    def is_race_won(self) -> bool:
        """True if a race of programs alone is over, and one has won it."""
        table = self._table
        return table.session.position.won and len(table.actors) > 1 and table.co_players.is_race()

    @property
    def detail(self) -> str:
        """Return what else is known of the position, from the player's side; "" for nothing."""
        if self.badge is None:
            return ""
        return " ".join(
            filter(None, (verdict_detail(self.badge, self.own), self.bound and sentence(self.bound)))
        )

    @property
    def bound(self) -> str:
        """Return below how many actions no win exists, while none is known; "" if that is not known."""
        return "" if self.badge is None else describe_bound(self.badge, self._table.level)

    @property
    def is_rival(self) -> bool:
        """True if a win is known, but others are nearer to one or as near as the next action, must help, or win alone; or if a program has won a race."""
        badge, own = self.badge, self.own
        if self.is_race_won:
            return True
        if badge is None or badge.dead or not own:
            return False
        if {*self._next_winners} - own:
            return True
        if not badge.way:
            return False
        if alone := own_distances(badge, own):
            return {*alone} == {None} or bool(nearer_rivals(badge, own))
        return not wins_alone(badge, self._table.level, self._winner(badge), own)

    @property
    def own_left(self) -> int | None:
        """Return the fewest actions to a win of the player's own, if nobody else acts; None if unknown, or if the player plays all."""
        badge, own = self.badge, self.own
        if badge is None:
            return None
        alone = own_distances(badge, own)
        if not alone and badge.fewest and wins_alone(badge, self._table.level, self._winner(badge), own):
            return badge.left  # known before the search for each actor ends
        return min((cost for cost in alone if cost is not None), default=None)

    @property
    def own(self) -> frozenset[str]:
        """Return the actors of the player if there are others, on this screen or elsewhere; none if the player plays all."""
        table = self._table
        own = table.co_players.player_actors if table.actor is None else frozenset({table.actor})
        return own if own < {*table.actors} else frozenset()

    @property
    def _next_winners(self) -> tuple[str, ...]:
        """Return who can win with the next action, among several actors."""
        table = self._table
        return next_winners(table.session.position) if len(table.actors) > 1 else ()

    @property
    def is_won_by_others(self) -> bool:
        """True if actors of other players have won."""
        position, own = self._table.session.position, self._table.co_players.player_actors
        winners = self.game.look.winners(position) if position.won else ()
        return bool(winners and own) and own.isdisjoint(winners)

    def _winner(self, badge: Badge) -> str:
        """Return who wins on the known way among several actors, from the player's side; "" if unknown."""
        table, own = self._table, self.own
        if not badge.way or len(table.actors) < 2:
            return ""
        *_, last = Trace(table.session.position, badge.way).outcomes()
        winners = table.session.game.look.winners(last.position)
        if not winners:
            return ""
        return WITH_ALL if not own else YOU if own & {*winners} else join_names(winners, "or")

    def is_told(self, mode: str) -> bool:
        """Return whether a viewer with this mode is told what is known of the position."""
        badge = self.badge
        return badge is not None and (
            self.is_requested or mode == ALWAYS or (mode == WHEN_DEAD and badge.dead)
        )

    @property
    def game(self) -> Game:
        """Return the game."""
        return self._table.session.game

    def is_searching(self, mode: str) -> bool:
        """Return whether a viewer with this mode waits for a running search."""
        badge = self.badge
        return badge is not None and not badge.complete and (self.is_requested or mode in (ALWAYS, WHEN_DEAD))

    def set_mode(self, mode: str) -> None:
        """Change the mode."""
        self.mode, self._badge_place = mode, None
        self.update()

    def update(self) -> None:
        """Update after a possible change of the table."""
        before, self._shown_own = self._shown_own, self.own
        if self._badge_place == self.place:
            if before != self.own:
                self._notify()  # the same status in other words
            return
        self.cancel()
        self._was_dead = self._badge is not None and self._badge.dead
        self._badge_place, self._badge, self.is_requested = self.place, None, False
        if self.mode in (ALWAYS, WHEN_DEAD):
            self._search()
        self._notify()

    def ask(self) -> None:
        """Search for the status of this position on the player's request."""
        badge, self.is_requested, self._badge_place = self.badge, True, self.place
        if badge is None or not (badge.complete or self._active_prover):
            self._search()
        elif self._prover is None:
            self._table.tell(self._proved(badge))
        self._notify()

    def _proved(self, badge: Badge) -> Proved:
        """Return the verdict with its reason, for lines of text."""
        line = self.verdict_for(self.mode) or NOTHING_PROVED
        return Proved(" ".join([sentence(line), explain_death(badge, self.game) or self.detail]).strip())

    def cancel(self) -> None:
        """Stop waiting for results."""
        if self._active_prover is not None:
            self._active_prover.cancel(self)
            self._active_prover = None

    def _search(self) -> None:
        query = self._query()
        self._badge = query.badge
        if self._prover is not None and _is_answered(query.badge):
            return
        if self._prover is None:
            self._table.begin_job(self._job(query))
        else:
            self._active_prover = self._prover()
            self._active_prover.ask(
                self, query, lambda badge: self._post(lambda: self._receive(query, badge))
            )

    def _job(self, query: StatusQuery) -> Job:
        """Return the job that proves the status, without another process."""

        def answer(badge: Badge) -> tuple[Message, ...]:
            self._learn(query, badge)
            return (self._proved(badge),)

        return Job("Searching for a proof", partial(_last_verdict, query), answer, PATIENCE)

    def _query(self) -> StatusQuery:
        table, position = self._table, self._table.session.position
        if estimator(self.game) is not None and not (self._was_dead or self.proofs.recall(position).dead):
            return StatusQuery(position, self.proofs.recall(position))  # the past of a long game is large
        certificate = table.level.certificate
        if certificate is not None and not self.proofs.recall(certificate.start).winnable:
            self.proofs.learn_solution(certificate)
        query = self.proofs.build_query(table.session.history[::-1], table.session.trace().steps)
        if not query.badge.dead:
            return query
        known = self._dead_since
        since = known[1] if known and known[0] == self.place else self._since()
        return replace(query, badge=replace(query.badge, since=since))

    def _since(self) -> DeathTime | None:
        """Return when the game died, if that is known already."""
        return self.proofs.since(self._table.session.history[::-1])

    def _receive(self, query: StatusQuery, badge: Badge) -> None:
        if self._active_prover is None or self._table.session.position != query.position:
            return
        self._learn(query, badge)
        if badge.dead and badge.complete and query.past is None:
            self._search()
        self._notify()

    def _learn(self, query: StatusQuery, badge: Badge) -> None:
        """Store the status, and let hints follow the solution in it."""
        changed = self.proofs.learn(query.position, badge)
        self._badge = badge
        if badge.since is not None:
            self._dead_since = self.place, badge.since
        if changed and badge.way and self._table.actor is None:
            self._table.plan.follow(Trace(query.position, badge.way), badge.fewest)

    @property
    def fatal_action(self) -> tuple[int, LossCause] | None:
        """Return the number of the action that is proved to have made the position dead, and what lost the win; None if unknown."""
        since, session = None if self.badge is None else self.badge.since, self._table.session
        if since is None or not since.exact or since.winnable < 0:
            return None
        first, steps = session.line(session.actions_done - since.winnable)
        before, action = steps[since.winnable - first]
        return since.dead, loss_cause(self.proofs.recall(before), str(action), self.game)

    def mistake(self) -> Replay:
        """Return a replay that shows the last winnable position.

        Raises
        ------
        IllegalAction
            If this position is not proved to be dead, or the mistake is unknown.
        """
        badge, session = self.badge, self._table.session
        if badge is None:
            raise IllegalAction("mistake", "ask first whether this position can still be won")
        if badge.winnable:
            raise IllegalAction("mistake", "no mistake is known: this position can still be won")
        if not badge.dead:
            raise IllegalAction("mistake", "it is not known whether this position can be won")
        since = badge.since or self.proofs.since(session.history[::-1])
        if since is None and not badge.complete:
            raise IllegalAction("mistake", "the search for the mistake is still running")
        if since is not None and since.dead == 0:
            raise IllegalAction("mistake", "the start cannot be won either")
        if since is None or since.winnable < 0:
            raise IllegalAction("mistake", "the mistake was not found in time")
        replay = Replay.of(
            session.trace(),
            f"{LAST_WINNABLE}, after {format_count(since.winnable, spoken_word(self._table.level))}",
        )
        replay.go(since.winnable)
        replay.resumable = True
        return replay


def _is_answered(badge: Badge) -> bool:
    """Return whether all that can be found out is known already."""
    known = badge.since is not None if badge.dead else badge.winnable or badge.estimate is not None
    return badge.complete and known


def _last_verdict(query: StatusQuery, limit: Limit, progress: Callable[[int], None]) -> Badge:
    badge = query.badge
    for badge in verdicts(query, limit):  # noqa: B007  # the last counts
        pass
    return badge
