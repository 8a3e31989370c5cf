"""The levels that follow the current one, for pages that go on to them while the server is away."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gridproof.core.session import Session
from gridproof.play.data import Data
from gridproof.play.inputs import check_whole
from gridproof.play.table import Table
from gridproof.play.web.away import level_line, needs_server
from gridproof.play.web.steps import Drawn
from gridproof.play.web.telling import Actions, about_data, now_data, requests_data

if TYPE_CHECKING:
    from gridproof.play.web.socket import Page

MOST_AHEAD = 3
"""Levels that a page may take along."""


def ahead_data(page: Page, number: object) -> Data:
    """The level `ahead` that a page comes to when so many are won, the current one first; None where there is none.

    It has what `level_line` gives, and all that is shown of it.

    Raises
    ------
    GridproofError
        For what is no whole number.
    """
    check_whole(number, "how many levels are won")
    asked = int(str(number))
    if needs_server(page) or not 1 <= asked <= MOST_AHEAD:
        return {"ahead": None}
    session = next(itertools.islice(_later(page.room.session), asked - 1, None), None)
    told = {} if session is None else level_line(page.house, session)
    return {"ahead": {**told, **_shown(page, session)} if session and "line" in told else None}


def _later(session: Session) -> Iterator[Session]:
    """Copies of a session that stand on the levels to which wins lead on, in order; not on those that are won at their start."""
    if session.game.policy.act_after_win:
        return
    for place in session.incomplete:
        if place != session.current:
            twin = session.copy()
            twin.select(place)
            if twin.current == place and not twin.position.won:
                yield twin


def _shown(page: Page, session: Session) -> Data:
    """How a session stands for those who sit with a page, as it is told when the level is entered."""
    room, pieces = page.room, page.room.changes.pieces
    table = Table(session, room.keeping, files=False)
    table.actor, table.bound = page.seat.actor, True
    key = room.key_of(session.current)
    now = now_data(table, table.board, Actions(pieces).data(table), key, room.keeping.known_best(key))
    board, requests = Drawn(session.position).data(pieces), requests_data(table)
    return {"now": {**now, "about": about_data(table)}, "board": board, "requests": requests}
