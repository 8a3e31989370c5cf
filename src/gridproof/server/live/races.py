"""Races that run in a session, live for all who look (R27)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.play.data import Data
from gridproof.play.replay import SPEEDS
from gridproof.play.shows import Race, race_of

if TYPE_CHECKING:
    from gridproof.play.web.room import Room

LARGEST = 5000
"""The largest number among a race's options."""
SLOWEST, FASTEST = SPEEDS[0], SPEEDS[-1]
"""Actions a second."""


class LiveRace:
    """A race that acts in a session, until it ends or somebody does something else there."""

    def __init__(self, room: Room, options: Mapping[str, Any], speed: float) -> None:
        self.room = room
        self.speed = speed
        session = room.session
        level, seed = session.levels[session.current], session.trace().seed
        self._race: Race = race_of(level, session.seed if seed is None else seed, options)
        self._steps = self._race.steps()
        self._task: asyncio.Task[None] | None = None

    @property
    def data(self) -> Data:
        """How it stands."""
        return {"speed": self.speed, "requests": self._race.requests}

    def begin(self) -> None:
        """Let it run, from the level's start, at which the session stands."""
        self.room.race = self
        self._task = asyncio.create_task(self._run())
        self.tell_now()

    def stop(self) -> None:
        """Let it act no more."""
        if self._task is not None:
            self._task.cancel()
        if self.room.race is self:
            self.room.race = None
            self.tell_now()

    def tell_now(self) -> None:
        """Tell all whether a race runs, and how fast."""
        race = self.room.race
        self.room.tell_all({"type": "news", "now": {"race": race and race.data}})

    async def _run(self) -> None:
        expected = self.room.session.position
        try:
            while True:
                await asyncio.sleep(1 / self.speed)
                step = await asyncio.to_thread(next, self._steps, None)
                async with self.room.lock:
                    if step is None or self.room.session.position is not expected:
                        return
                    self.room.session.act(str(step[0]))
                    expected = self.room.session.position
                    await self.room.look_up()
                    self.room.tell(None, {})
        except GridproofError as error:
            self._tell("stopped", str(error))
        finally:
            if self.room.race is self:
                self.room.race = None
                self._tell("race", self._end())
                self.tell_now()

    def _tell(self, kind: str, text: str) -> None:
        self.room.tell_all({"type": "news", "told": [{"kind": kind, "text": text}]})

    def _end(self) -> str:
        winners = " and ".join(self._race.winners)
        return f"{winners} won after {self._race.requests} requests" if winners else "The race has ended"


def options_in(message: Data) -> dict[str, Any]:
    """The options of a race that a message asks for.

    Raises
    ------
    GridproofError
        When they are none, or a number is so large that a race without a winner would not end soon.
    """
    options = message.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str | int) for value in options.values()):
        raise GridproofError("the options of a race are texts and whole numbers by their names")
    if any(isinstance(value, int) and value > LARGEST for value in options.values()):
        raise GridproofError(f"the numbers of a race are at most {LARGEST} here")
    return options


def speed_in(message: Data) -> float:
    """The speed that a message asks for.

    Raises
    ------
    GridproofError
        When it is no number, or too low or high.
    """
    speed = message.get("speed", 4)
    if not isinstance(speed, int | float) or isinstance(speed, bool) or not SLOWEST <= speed <= FASTEST:
        raise GridproofError(f"a speed is a number from {SLOWEST} to {FASTEST}: actions a second")
    return float(speed)
