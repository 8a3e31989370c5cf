"""Live races: races that run in a session for all viewers (R27)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gridproof.agents.demos import Race, race_of
from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.table.replay import SPEEDS

if TYPE_CHECKING:
    from gridproof.server.live.live_session import LiveSession

LARGEST = 5000
"""The largest number among a race's options."""
MAX_PASSES = 20
"""The most passes that are told before one action."""
SLOWEST, FASTEST = SPEEDS[0], SPEEDS[-1]
"""Actions a second."""


class LiveRace:
    """A race that acts in a session until it ends or another action is done."""

    def __init__(self, live: LiveSession, options: Mapping[str, Any], speed: float) -> None:
        self.live = live
        self.speed = speed
        session = live.session
        level = session.levels[session.current]
        self._race: Race = race_of(level, session.level_seed, options)
        self._steps = self._race.steps()
        self.players = self._race.players
        self._task: asyncio.Task[None] | None = None

    @property
    def data(self) -> Data:
        """Return the state of the race as JSON."""
        return {"speed": self.speed, "requests": self._race.requests}

    def start(self) -> None:
        """Start the race at the level's start."""
        self.live.race = self
        self._task = asyncio.create_task(self._run())
        self.broadcast_state()

    def stop(self) -> None:
        """Stop the race."""
        if self._task is not None:
            self._task.cancel()
        if self.live.race is self:
            self.live.race = None
            self.broadcast_state()

    def broadcast_state(self) -> None:
        """Broadcast the state of the race."""
        race = self.live.race
        self.live.broadcast(
            {
                "type": "news",
                "now": {"race": race and race.data, "race_players": self.live.shown_race_players},
            }
        )

    async def _run(self) -> None:
        session = self.live.session
        expected = session.position
        try:
            while True:
                await asyncio.sleep(1 / self.speed)
                step = await asyncio.to_thread(next, self._steps, None)
                async with self.live.lock:
                    if session.position is not expected:
                        return
                    self._broadcast(("pass", words) for words in self._race.passes[-MAX_PASSES:])
                    if step is None:
                        return
                    session.act(str(step[0]), self.players)
                    expected = session.position
                    await self.live.prepare_level()
                    self.live.publish(None, {})
        except GridproofError as error:
            self._broadcast([("stopped", str(error))])
        finally:
            if self.live.race is self:
                self.live.race = None
                if not self._race.winners:  # else the win is told
                    self._broadcast([("race", "The race has ended without a winner")])
                self.broadcast_state()

    def _broadcast(self, messages: Iterable[tuple[str, str]]) -> None:
        """Broadcast messages by their kinds and texts, if there are any."""
        told = [{"kind": kind, "text": text} for kind, text in messages]
        if told:
            self.live.broadcast({"type": "news", "told": told})


def parse_options(message: Data) -> dict[str, Any]:
    """Read the race options of a message.

    Raises
    ------
    GridproofError
        If they are invalid, or a number is so large that a race without a winner would not end soon.
    """
    options = message.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str | int) for value in options.values()):
        raise GridproofError("race options must map names to texts and whole numbers")
    if any(isinstance(value, int) and value > LARGEST for value in options.values()):
        raise GridproofError(f"numbers of a race must be at most {LARGEST}")
    return options


def parse_speed(message: Data) -> float:
    """Read the race speed of a message.

    Raises
    ------
    GridproofError
        If it is not a number from `SLOWEST` to `FASTEST`.
    """
    speed = message.get("speed", 4)
    if not isinstance(speed, int | float) or isinstance(speed, bool) or not SLOWEST <= speed <= FASTEST:
        raise GridproofError(f"speed must be from {SLOWEST} to {FASTEST} actions per second")
    return float(speed)
