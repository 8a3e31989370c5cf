"""Prefetch: the levels after the current one, for play without the server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gridproof.analysis.json_data import Data
from gridproof.core.session import Session
from gridproof.core.validation import check_whole
from gridproof.server.live.board_delta import BoardSnapshot
from gridproof.server.live.serializers import Actions, about_data, level_state_data, requests_data
from gridproof.server.offline.reconcile import OfflinePage, level_line, server_reason
from gridproof.table.table import Table

MOST_AHEAD = 3
"""Levels that a page may prefetch."""


def ahead_data(page: OfflinePage, number: object) -> Data:
    """Return the level `ahead` that follows after `number` wins; None if there is none.

    It has the data of `level_line`, and its state for the page.

    Raises
    ------
    GridproofError
        If it is not a whole number.
    """
    check_whole(number, "the number of levels won")
    count = int(str(number))
    if server_reason(page) or not 1 <= count <= MOST_AHEAD:
        return {"ahead": None}
    session = next(itertools.islice(_following_sessions(page.live.session), count - 1, None), None)
    line = {} if session is None else level_line(page.context, session)
    return {"ahead": {**line, **_level_data(page, session)} if session and "line" in line else None}


def _following_sessions(session: Session) -> Iterator[Session]:
    """Yield copies of a session on the following levels, in order, without levels that are won at their start."""
    if session.game.policy.act_after_win:
        return
    for place in session.following:
        copy = session.copy()
        copy.select(place)
        if copy.current == place and not copy.position.won:
            yield copy


def _level_data(page: OfflinePage, session: Session) -> Data:
    """Return the state of a session's level for the view of a page."""
    live, pieces = page.live, page.live.changes.pieces
    table = Table(session, live.cached_store, files=False)
    table.actor, table.bound = page.session_view.actor, True
    key = live.key_of(session.current)
    now = level_state_data(
        table, table.board, Actions(pieces).data(table), key, live.cached_store.get_best(key)
    )
    board, requests = BoardSnapshot(session.position).data(pieces), requests_data(table)
    return {"now": {**now, "about": about_data(table)}, "board": board, "requests": requests}
