"""What the parts of a server share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from gridproof.core.limit import Limit
from gridproof.core.registry import game_names
from gridproof.play.web.faults import Fault
from gridproof.play.web.files import Files
from gridproof.play.web.limits import Buckets, Limits
from gridproof.play.web.rooms import Rooms
from gridproof.play.web.share import Share
from gridproof.play.web.tables import Tables
from gridproof.play.web.working import Jobs
from gridproof.store import GroupedStore

if TYPE_CHECKING:
    from gridproof.play.prover import Prover
    from gridproof.play.workers import Workers


class House:
    """Sessions, long work, files and limits of one server."""

    def __init__(
        self, store: GroupedStore, limits: Limits, share: Share, workers: Callable[[], Workers] | None = None
    ) -> None:
        self.limits = limits
        self.share = share
        self.rooms = Rooms(store, limits, share)
        self.jobs = Jobs(limits, workers)
        self.tables = Tables(limits, workers, share)
        self.files = Files()
        self.connections: Counter[str] = Counter()
        """WebSockets by client."""
        self._prover: Prover | None = None
        self._made = Buckets(limits.sessions_each / 3600, limits.sessions_each)

    def prover(self) -> Prover:
        """What proves beside the server; made when somebody first wants to know what is proved."""
        from gridproof.play.prover import Prover

        if self._prover is None:
            limits = self.limits
            limit = Limit(seconds=limits.proof_seconds, memory=limits.job_memory)
            self._prover = Prover(limits.provers, limit, game_names())
        return self._prover

    def close(self) -> None:
        """End all work."""
        self.jobs.end()
        self.tables.end()
        if self._prover is not None:
            self._prover.close()

    def count_session(self, client: str) -> None:
        """Note that a client makes a session.

        Raises
        ------
        Fault
            When it has made too many.
        """
        if not self._made.take(client):
            raise Fault("limit", "too many new games for now: go on with one that you have")


def check_length(text: str, limits: Limits) -> None:
    """Check that a text is no longer than clients may send; a Fault when it is."""
    if len(text) > limits.text:
        raise Fault("large", f"at most {limits.text} characters are taken")


def house_of(connection: HTTPConnection) -> House:
    """The house that a request has come to."""
    house: House = connection.app.state.house
    return house
