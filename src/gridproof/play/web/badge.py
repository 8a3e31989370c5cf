"""What is proved of the position, told to those who look at a session and want to know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.play.data import Data
from gridproof.play.lookout import ALWAYS, MODES, OFF, ON_REQUEST, WHEN_DEAD, Lookout

if TYPE_CHECKING:
    from gridproof.play.prover import Prover
    from gridproof.play.web.room import Ear, Room, Seat

_LOUDEST = (ALWAYS, WHEN_DEAD, ON_REQUEST, OFF)


class SeatBadge:
    """What those at one seat are told of what is proved.

    Parameters
    ----------
    room : Room
    seat : Seat
    """

    def __init__(self, room: Room, seat: Seat) -> None:
        self._room, self._seat = room, seat
        self._modes: dict[Ear, str] = {}
        self._told: dict[Ear, Data] = {}

    @property
    def _lookout(self) -> Lookout:
        return self._seat.table.lookout

    def choose(self, ear: Ear, mode: object, prover: Callable[[], Prover]) -> None:
        """Tell somebody more, or less; the seat's table looks for as much as the one of them who wants most.

        Raises
        ------
        GridproofError
            For a mode that there is not.
        """
        if not isinstance(mode, str) or mode not in MODES:
            raise GridproofError(f"what is proved is told {', '.join(MODES)}")
        loop = asyncio.get_running_loop()
        self._lookout.serve(
            prover,
            lambda: loop.call_soon_threadsafe(self._tell),
            lambda deed: loop.call_soon_threadsafe(self._room.soon, deed),
        )
        self._modes[ear] = mode
        self._told.pop(ear, None)
        self._choose()

    def ask(self) -> None:
        """Find out about this position."""
        self._lookout.ask()

    def changed(self) -> None:
        """Look at the table again."""
        if self._modes:
            self._lookout.changed()

    def leave(self, ear: Ear) -> None:
        """Tell somebody nothing more."""
        if self._modes.pop(ear, None) is not None:
            self._told.pop(ear, None)
            self._choose()

    def _choose(self) -> None:
        mode = next((mode for mode in _LOUDEST if mode in self._modes.values()), OFF)
        if not self._modes:
            self._lookout.leave()
        if mode != self._lookout.mode:
            self._lookout.choose(mode)
        else:
            self._tell()

    def _tell(self) -> None:
        from gridproof.play.web.room import json_text

        for ear, mode in self._modes.items():
            data = self._data(mode)
            if data != self._told.get(ear, _NOTHING):
                self._told[ear] = data
                ear.hear(json_text(data))

    def _data(self, mode: str) -> Data:
        """What is told to one who wants so much."""
        lookout = self._lookout
        text, badge = lookout.shown(mode), lookout.badge
        if badge is None or not (text or (lookout.asked and mode != OFF)):
            return _NOTHING
        since = badge.since
        return {
            **_NOTHING,
            "text": text,
            "standing": badge.standing.value,
            "left": badge.left,
            "fewest": badge.fewest,
            "complete": badge.complete,
            "cells": [cell for note in badge.notes for cell in note.cells],
            "since": None if since is None else {"winnable": since.winnable, "dead": since.dead},
        }


_NOTHING: Data = {"type": "badge", "text": ""}
