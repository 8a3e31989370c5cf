"""Other ids of sessions: for guests who may only watch, or play one actor alone."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from gridproof.store.database import reads_from, reported
from gridproof.store.schema import invitations


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a guest may do in a session."""

    session: str
    """The session's own id."""
    actor: str | None
    """Whose player it is, who alone is seen through and played; None: all."""
    plays: bool
    """Whether it acts, or only watches."""


class Invitations:
    """The invitations of a store."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._engine, self._url = engine, url

    def add(self, invitation: Invitation) -> str:
        """A new id of a session."""
        name = secrets.token_urlsafe(24)
        row = sa.insert(invitations).values(
            id=name, session=invitation.session, actor=invitation.actor, plays=invitation.plays
        )
        with reported(self._url), self._engine.begin() as connection:
            connection.execute(row)
        return name

    def get(self, name: str) -> Invitation | None:
        """What an id invites to; None for one that is none."""
        query = sa.select(invitations.c.session, invitations.c.actor, invitations.c.plays)
        with reported(self._url), reads_from(self._engine) as connection:
            row = connection.execute(query.where(invitations.c.id == name)).one_or_none()
        return None if row is None else Invitation(*row)

    def session_of(self, name: str) -> str:
        """The session's id that an invitation's leads to; any other id is the session's own."""
        invitation = self.get(name)
        return name if invitation is None else invitation.session
