"""Status of a table's position: proofs about it, in the player's mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.position_status import PATIENCE, Badge, Since, StatusQuery, verdicts, words
from gridproof.prove.proof_cache import ProofCache
from gridproof.table.jobs import Job
from gridproof.table.messages import Message, Proved
from gridproof.table.replay import Replay

if TYPE_CHECKING:
    from gridproof.table.status_prover import StatusProver
    from gridproof.table.table import Table

ALWAYS, WHEN_DEAD, ON_REQUEST, OFF = "always", "dead", "request", "off"
LAST_WINNABLE = "The last winnable position"
NOT_PROVED = "this position is not proved to be lost"
NOTHING_PROVED = "Nothing is proved about this position"
MODES = {
    ALWAYS: "always",
    WHEN_DEAD: "only if the position is lost",
    ON_REQUEST: "on request",
    OFF: "never",
}
"""Modes of the badge, in words."""


class StatusObserver:
    """Observer that proves the status of a table's positions, as far as the player's mode needs it.

    Parameters
    ----------
    table : Table
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.mode = ON_REQUEST
        """One of `MODES`."""
        self.proofs = ProofCache()
        self.is_requested = False
        """True if the player has requested the status of this position."""
        self._badge: Badge | None = None
        self._badge_place: tuple[Position[Any], int] | None = None
        self._dead_since: tuple[tuple[Position[Any], int], Since] | None = None
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
        return self._badge if self._badge_place == self._place else None

    @property
    def _place(self) -> tuple[Position[Any], int]:
        session = self._table.session
        return session.position, session.actions_done

    @property
    def text(self) -> str:
        """Return the badge line for the player; "" for none."""
        return self.text_for(self.mode)

    def text_for(self, mode: str) -> str:
        """Return the badge line for a mode; "" for none."""
        badge = self.badge
        if badge is None or not (self.is_requested or mode == ALWAYS or (mode == WHEN_DEAD and badge.dead)):
            return ""
        game, session = self._table.session.game, self._table.session
        text = words(badge, game, lambda number: game.look.words(session.trace().steps[number - 1].action))
        return text or (NOTHING_PROVED if self.is_requested and badge.complete else "")

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
        if self._badge_place == self._place:
            return
        self.cancel()
        self._badge_place, self._badge, self.is_requested = self._place, None, False
        if self.mode in (ALWAYS, WHEN_DEAD):
            self._search()
        self._notify()

    def ask(self) -> None:
        """Search for the status of this position on the player's request."""
        badge, self.is_requested, self._badge_place = self.badge, True, self._place
        if badge is None or not (badge.complete or self._active_prover):
            self._search()
        self._notify()

    def cancel(self) -> None:
        """Stop waiting for results."""
        if self._active_prover is not None:
            self._active_prover.cancel(self)
            self._active_prover = None

    def _search(self) -> None:
        query = self._query()
        self._badge = query.badge
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
            return (Proved(self.text or NOTHING_PROVED),)

        return Job("Searching for a proof", partial(_last_verdict, query), answer, PATIENCE)

    def _query(self) -> StatusQuery:
        table = self._table
        certificate = table.level.certificate
        if certificate is not None and not self.proofs.recall(certificate.start).winnable:
            self.proofs.learn_solution(certificate)
        query = self.proofs.build_query(table.session.history[::-1], table.session.trace().steps)
        if query.badge.dead and self._dead_since and self._dead_since[0] == self._place:
            return replace(query, badge=replace(query.badge, since=self._dead_since[1]))
        return query

    def _receive(self, query: StatusQuery, badge: Badge) -> None:
        if self._active_prover is not None and self._table.session.position == query.position:
            self._learn(query, badge)
            self._notify()

    def _learn(self, query: StatusQuery, badge: Badge) -> None:
        """Store the status, and let hints follow the solution in it."""
        changed = self.proofs.learn(query.position, badge)
        self._badge = badge
        if badge.since is not None:
            self._dead_since = self._place, badge.since
        if changed and badge.way and self._table.actor is None:
            self._table.plan.follow(Trace(query.position, badge.way), badge.fewest)

    def mistake(self) -> Replay:
        """Return a replay that shows the last winnable position.

        Raises
        ------
        IllegalAction
            If this position is not proved to be lost, or the mistake is unknown.
        """
        badge, session = self.badge, self._table.session
        if badge is None:
            raise IllegalAction("mistake", f"{NOT_PROVED}; ask first whether it can still be won")
        if not badge.dead:
            raise IllegalAction("mistake", NOT_PROVED)
        since = badge.since or self.proofs.since(session.history[::-1])
        if since is None and not badge.complete:
            raise IllegalAction("mistake", "the search for it is still running")
        if since is not None and since.dead == 0:
            raise IllegalAction("mistake", "the start cannot be won either")
        if since is None or since.winnable < 0:
            raise IllegalAction("mistake", "it was not found in time")
        replay = Replay.of(
            session.trace(), f"{LAST_WINNABLE}, after {format_count(since.winnable, 'actions')}"
        )
        replay.go(since.winnable)
        replay.resumable = True
        return replay


def _last_verdict(query: StatusQuery, limit: Limit, progress: Callable[[int], None]) -> Badge:
    badge = query.badge
    for badge in verdicts(query, limit):  # noqa: B007  # the last counts
        pass
    return badge
