"""Shards: which server process holds which sessions in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from zlib import crc32

from gridproof.server.errors import WrongShard

_SESSION = re.compile(r"/(?:ws|api/sessions)/(?!known/?$)([^/]+)")
_TABLE = re.compile(r"/api/surroundings/([0-9]+)-[^/]+")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of the server's processes, and the sessions that it holds.

    Parameters
    ----------
    number : int
        Number from 0; process 0 answers requests without a session.
    count : int
        Number of processes.
    """

    number: int = 0
    count: int = 1

    def holder(self, session: str) -> int:
        """Return the number of the process that holds a session."""
        return crc32(session.encode(errors="surrogatepass")) % self.count

    def holds(self, session: str) -> bool:
        """Return whether this process holds a session."""
        return self.holder(session) == self.number

    def check_holds(self, session: str) -> None:
        """Check that this process holds a session.

        Raises
        ------
        WrongShard
            If another one does.
        """
        if not self.holds(session):
            raise WrongShard("wrong server process; retry")

    def add_prefix(self, name: str) -> str:
        """Add the number of this process to a name, so that requests for it come here."""
        return name if self.count == 1 else f"{self.number}-{name}"


@dataclass(frozen=True, slots=True)
class RequestTarget:
    """The session or process that a request needs."""

    session: str | None = None
    """A session's id, or an invitation's."""
    process: int = 0
    """The process that answers, without a session."""


def target_of(head: bytes) -> RequestTarget:
    """Return the target of a request by its first line; an empty one if it has none."""
    words = head.partition(b"\n")[0].rstrip(b"\r").split(b" ")
    if len(words) != 3:
        return RequestTarget()
    try:
        path = unquote(urlsplit(words[1].decode("latin-1")).path)
    except ValueError:
        return RequestTarget()
    if found := _SESSION.match(path):
        return RequestTarget(session=found[1])
    table = _TABLE.fullmatch(path)
    return RequestTarget(process=int(table[1][:9])) if table else RequestTarget()
