"""Badges of a view: send the status of the position to the viewers who asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.text.display import sentence
from gridproof.prove.estimate import Estimate
from gridproof.prove.position_status import Standing
from gridproof.prove.verdict_line import describe_prospect, explain_death, format_lead
from gridproof.server.live.serializers import json_text
from gridproof.store.group_commit import Failures
from gridproof.table.status import ALWAYS, MODES, OFF, ON_REQUEST, WHEN_DEAD, StatusObserver

if TYPE_CHECKING:
    from gridproof.table.status_prover import StatusProver

Place: TypeAlias = tuple[Position[Any], int]
PendingSave = asyncio.Future[Failures]
_MODES_BY_DEMAND = (ALWAYS, WHEN_DEAD, ON_REQUEST, OFF)


class ViewerSocket(Protocol):
    """A viewer of a session: a WebSocket."""

    actor: str | None
    plays: bool
    bound: bool
    """True for a guest who may play this actor only."""

    def send(self, text: str, save: PendingSave | None = None) -> None:
        """Send a text as soon as its changes are saved."""

    def disconnect(self) -> None:
        """Close the connection, so that the page opens the session again."""


class ViewerBadge:
    """Badge modes of the viewers of one table.

    Parameters
    ----------
    status : StatusObserver
        The table's status.
    schedule : function
        Schedules a call with the session's lock.
    """

    def __init__(self, status: StatusObserver, schedule: Callable[[Callable[[], object]], None]) -> None:
        self._status, self._schedule = status, schedule
        self._modes: dict[ViewerSocket, str] = {}
        self._sent: dict[ViewerSocket, tuple[Place, Data]] = {}
        """Latest badge of each viewer, and the place in the game that it is about."""

    def set_mode(self, viewer: ViewerSocket, mode: object, prover: Callable[[], StatusProver]) -> None:
        """Change a viewer's mode; the table searches as much as the most demanding viewer needs.

        Raises
        ------
        GridproofError
            If there is no such mode.
        """
        if not isinstance(mode, str) or mode not in MODES:
            raise GridproofError(f"badge must be one of {', '.join(MODES)}")
        loop = asyncio.get_running_loop()
        self._status.serve(
            prover,
            lambda: loop.call_soon_threadsafe(self._send),
            lambda call: loop.call_soon_threadsafe(self._schedule, call),
        )
        self._modes[viewer] = mode
        self._sent.pop(viewer, None)
        self._set_table_mode()

    def ask(self) -> None:
        """Search for the status of this position."""
        self._status.ask()

    def update(self) -> None:
        """Update after a possible change of the table."""
        if self._modes:
            self._status.update()

    def refresh(self) -> None:
        """Send what another player of an actor changes in the words of the status."""
        if self._modes:
            self._send()

    def remove_viewer(self, viewer: ViewerSocket) -> None:
        """Remove a viewer."""
        if self._modes.pop(viewer, None) is not None:
            self._sent.pop(viewer, None)
            self._set_table_mode()

    def _set_table_mode(self) -> None:
        mode = next((mode for mode in _MODES_BY_DEMAND if mode in self._modes.values()), OFF)
        if not self._modes:
            self._status.cancel()
        if mode != self._status.mode:
            self._status.set_mode(mode)
        else:
            self._send()

    def _send(self) -> None:
        for viewer, mode in self._modes.items():
            data, place = self._data(mode), self._status.place
            known_place, known = self._sent.get(viewer, (place, _NOTHING))
            if data != known or (place != known_place and data != _NOTHING):
                self._sent[viewer] = place, data
                viewer.send(json_text(data))

    def _data(self, mode: str) -> Data:
        """Return the badge as JSON for a viewer with this mode."""
        status = self._status
        badge = status.badge
        if badge is None or mode == OFF:
            return _NOTHING
        text, line = status.text_for(mode), status.verdict_for(mode)
        line = line or (text and sentence(text))
        if not (text or line or status.is_searching(mode)):
            return _NOTHING
        searched: Data = {"searched": badge.searched} if badge.searched else {}
        if not (text or line):
            bound: Data = {"detail": status.bound} if status.bound else {}
            return {**_NOTHING, "standing": Standing.UNKNOWN.value, "complete": False, **searched, **bound}
        since, detail, fatal = badge.since, status.detail, status.fatal_action
        return {
            **_NOTHING,
            "text": text,
            "line": line,
            "detail": "" if detail == line else detail,
            "why": explain_death(badge, status.game),
            "worth": {} if badge.estimate is None else _worth(badge.estimate),
            "standing": Standing.DEAD.value if status.is_won_by_others else badge.standing.value,
            "rival": status.is_rival,
            "left": badge.left,
            "own_left": status.own_left,
            "fewest": badge.fewest,
            "luck": badge.needs_luck,
            "complete": badge.complete or bool(status.end_line),
            "fatal": None if fatal is None else {"move": fatal[0], "cause": fatal[1].value},
            "cells": [cell for note in badge.notes for cell in note.cells],
            "since": None if since is None else {"winnable": since.winnable, "dead": since.dead},
            **searched,
        }


def _worth(estimate: Estimate) -> Data:
    """Return what each action is worth, in words: short, and in full."""
    return {
        action: {
            "text": _short(format_lead(estimate, prospect)),
            "words": describe_prospect(estimate, prospect),
        }
        for action, prospect in estimate.actions
    }


def _short(chance: str) -> str:
    """Return a chance for a button: "> 98 %", "85–100 %"."""
    return chance.replace("under", "<").replace("over", ">").replace("about", "≈").replace(" to ", "–")


_NOTHING: Data = {"type": "badge", "text": ""}
