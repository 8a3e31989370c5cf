"""Which process of a server holds which sessions: each session is in the memory of one process alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from zlib import crc32

from gridproof.core.errors import GridproofError

_SESSION = re.compile(r"/(?:ws|api/sessions)/(?!known/?$)([^/]+)")
_TABLE = re.compile(r"/api/surroundings/([0-9]+)-[^/]+")


class Elsewhere(GridproofError):
    """A session that another process of the server holds."""


@dataclass(frozen=True, slots=True)
class Share:
    """One of a server's processes, and what falls to it.

    Parameters
    ----------
    number : int
        From 0; what concerns no session is answered by process 0.
    count : int
        How many processes there are.
    """

    number: int = 0
    count: int = 1

    def holder(self, session: str) -> int:
        """The number of the process that holds a session, by its id."""
        return crc32(session.encode(errors="surrogatepass")) % self.count

    def holds(self, session: str) -> bool:
        """Whether this process holds a session, by its id."""
        return self.holder(session) == self.number

    def check_holds(self, session: str) -> None:
        """Check that this process holds a session, by its id.

        Raises
        ------
        Elsewhere
            When another one does.
        """
        if not self.holds(session):
            raise Elsewhere("this has led to another part of the server: ask again")

    def marked(self, name: str) -> str:
        """The name of something that this process alone has, by which requests for it find the way here."""
        return name if self.count == 1 else f"{self.number}-{name}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request is for, as far as that decides who answers it."""

    session: str | None = None
    """A session's id, or an invitation's."""
    process: int = 0
    """Without a session: the process that answers."""


def asked_in(head: bytes) -> Asked:
    """What a request is for, by its first line; as far as that can be told, else nothing in particular."""
    words = head.partition(b"\n")[0].rstrip(b"\r").split(b" ")
    if len(words) != 3:
        return Asked()
    try:
        path = unquote(urlsplit(words[1].decode("latin-1")).path)
    except ValueError:
        return Asked()
    if found := _SESSION.match(path):
        return Asked(session=found[1])
    table = _TABLE.fullmatch(path)
    return Asked(process=int(table[1][:9])) if table else Asked()
