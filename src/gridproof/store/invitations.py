"""Invitations: other ids of sessions, for guests who watch or play one actor."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from gridproof.store.database import read_transaction, report_errors
from gridproof.store.schema import invitations

ROUTE = 4
"""Characters at the beginning of a session's id that its invitations share, so that proxies route them alike."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Rights of a guest in a session."""

    session: str
    """The session's own id."""
    actor: str | None
    """The only actor that the guest plays, with its view; None for all."""
    plays: bool
    """True to play, False to watch only."""


class Invitations:
    """The invitations of a store."""

    def __init__(self, engine: sa.Engine, url: str) -> None:
        self._engine, self._url = engine, url

    def add(self, invitation: Invitation) -> str:
        """Add an invitation and return its id."""
        name = invitation.session[:ROUTE] + secrets.token_urlsafe(21)
        row = sa.insert(invitations).values(
            id=name, session=invitation.session, actor=invitation.actor, plays=invitation.plays
        )
        with report_errors(self._url), self._engine.begin() as connection:
            connection.execute(row)
        return name

    def get(self, name: str) -> Invitation | None:
        """Return the invitation with an id; None if there is none."""
        query = sa.select(invitations.c.session, invitations.c.actor, invitations.c.plays)
        with report_errors(self._url), read_transaction(self._engine) as connection:
            row = connection.execute(query.where(invitations.c.id == name)).one_or_none()
        return None if row is None else Invitation(*row)

    def session_of(self, name: str) -> str:
        """Return the session's id of an invitation; any other id is the session's own."""
        invitation = self.get(name)
        return name if invitation is None else invitation.session
