"""What is proved about the position at a table, as much as its player wants to be told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import Position
from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.play.jobs import Job
from gridproof.play.messages import Message, Proved
from gridproof.play.replay import Replay
from gridproof.prove.badge import PATIENCE, Asked, Badge, verdicts, words
from gridproof.prove.proofs import Proofs

if TYPE_CHECKING:
    from gridproof.play.prover import Prover
    from gridproof.play.table import Table

ALWAYS, WHEN_DEAD, ON_REQUEST, OFF = "always", "dead", "request", "off"
MODES = {
    ALWAYS: "always",
    WHEN_DEAD: "only when the position is dead",
    ON_REQUEST: "on request",
    OFF: "never",
}
"""When a player is told what is proved, in words."""


class Lookout:
    """Knows what is proved about the positions of a table, and finds it out as its player wants to know it.

    Parameters
    ----------
    table : Table
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.mode = ON_REQUEST
        """One of `MODES`."""
        self.proofs = Proofs()
        self.asked = False
        """Whether the player has asked about this position."""
        self._badge: Badge | None = None
        self._seen: tuple[Position[Any], int] | None = None
        self._prover: Callable[[], Prover] | None = None
        self._asking: Prover | None = None
        self._told: Callable[[], object] = lambda: None
        self._post: Callable[[Callable[[], None]], object] = lambda deed: deed()

    def serve(
        self,
        prover: Callable[[], Prover],
        told: Callable[[], object],
        post: Callable[[Callable[[], None]], object],
    ) -> None:
        """Have badges proved beside what else is done; without that, they are a job.

        Parameters
        ----------
        prover : function
            Gives the prover, when it is first needed.
        told : function
            Called in the thread of the table whenever `badge` has changed.
        post : function
            Calls a function in the thread of the table.
        """
        self._prover, self._told, self._post = prover, told, post

    @property
    def badge(self) -> Badge | None:
        """What is proved about the present position; None as long as it is not asked for."""
        return self._badge if self._seen == self._now else None

    @property
    def _now(self) -> tuple[Position[Any], int]:
        session = self._table.session
        return session.position, session.actions_done

    @property
    def text(self) -> str:
        """The line that the player is shown; "" for none."""
        return self.shown(self.mode)

    def shown(self, mode: str) -> str:
        """The line that one is shown who wants so much; "" for none."""
        badge = self.badge
        if badge is None or not (self.asked or mode == ALWAYS or (mode == WHEN_DEAD and badge.dead)):
            return ""
        game, session = self._table.session.game, self._table.session
        return words(badge, game, lambda number: game.look.words(session.trace().steps[number - 1].action))

    def choose(self, mode: str) -> None:
        """Be told more, or less."""
        self.mode, self._seen = mode, None
        self.changed()

    def changed(self) -> None:
        """Look at the table again: something may have happened there."""
        if self._seen == self._now:
            return
        self.leave()
        self._seen, self._badge, self.asked = self._now, None, False
        if self.mode in (ALWAYS, WHEN_DEAD):
            self._ask()
        self._told()

    def ask(self) -> None:
        """Find out about this position, because the player wants to know."""
        known, self.asked, self._seen = self.badge, True, self._now
        if known is None or not (known.complete or self._asking):
            self._ask()
        self._told()

    def leave(self) -> None:
        """Wait for nothing any more."""
        if self._asking is not None:
            self._asking.cancel(self)
            self._asking = None

    def _ask(self) -> None:
        asked = self._question()
        self._badge = asked.known
        if self._prover is None:
            self._table.begin_job(self._job(asked))
        else:
            self._asking = self._prover()
            self._asking.ask(self, asked, lambda badge: self._post(lambda: self._heard(asked, badge)))

    def _job(self, asked: Asked) -> Job:
        """The work where it is not done in another process."""

        def answer(badge: Badge) -> tuple[Message, ...]:
            self._learn(asked, badge)
            return (Proved(self.text or "Nothing is proved of this position"),)

        return Job("Looking for a proof", partial(_last_verdict, asked), answer, PATIENCE)

    def _question(self) -> Asked:
        table = self._table
        certificate = table.level.certificate
        if certificate is not None and not self.proofs.known(certificate.start).winnable:
            self.proofs.learn_way(certificate)
        return self.proofs.asked(table.session.history[::-1], table.session.trace().steps)

    def _heard(self, asked: Asked, badge: Badge) -> None:
        if self._asking is not None and self._table.session.position == asked.position:
            self._learn(asked, badge)
            self._told()

    def _learn(self, asked: Asked, badge: Badge) -> None:
        """Remember it, and let hints go along a way that is known now."""
        news = self.proofs.learn(asked.position, badge)
        self._badge = badge
        if news and badge.way and self._table.actor is None:
            self._table.plan.follow(Trace(asked.position, badge.way), badge.fewest)

    def mistake(self) -> Replay:
        """What has been done since the last position that could be won.

        Raises
        ------
        IllegalAction
            When it is not proved that the position is dead, or not known since when.
        """
        badge, session = self.badge, self._table.session
        if badge is None or not badge.dead:
            raise IllegalAction("mistake", "it is not proved that the position is dead")
        if badge.since is None or badge.since.winnable < 0:
            raise IllegalAction("mistake", "no position before it is known to be winnable")
        first = badge.since.winnable
        since = Trace(session.history[::-1][first], session.trace().steps[first:])
        return Replay.of(since, f"The last position that could be won, after {counted(first, 'actions')}")


def _last_verdict(asked: Asked, limit: Limit, progress: Callable[[int], None]) -> Badge:
    badge = asked.known
    for badge in verdicts(asked, limit):  # noqa: B007  # the last counts
        pass
    return badge
