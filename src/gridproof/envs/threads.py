"""Threads that share the steps of many games; awake they wait in compiled code, so that a step costs them no call."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from gridproof.envs.sharing import AWAKE, DONE_PARTS


class Crew:
    """Threads that sleep until they are woken; they end with the object, or when it is closed.

    Parameters
    ----------
    attend : compiled
        As `stepping.Compiled.attend`: what a thread does until there has been nothing to do for a while.
    world : World
    rooms : sequence of Room
        One for each thread.
    """

    def __init__(self, attend: Callable[..., object], world: Any, rooms: Sequence[Any]) -> None:
        self._shared, self._size = world.shared, len(rooms)
        self.errors: list[BaseException] = []
        """What a thread ended with; nothing is stepped after that."""
        self._kept: list[object] = []
        if not rooms:  # can be copied and pickled
            return
        self._calls: queue.SimpleQueue[bool] = queue.SimpleQueue()
        for room in rooms:
            work = attend, world, room, self._calls, self.errors, self._kept
            threading.Thread(target=_work, args=work, daemon=True).start()
        self._end = weakref.finalize(self, _end, self._calls, self._size)

    def close(self) -> None:
        """End the threads."""
        if self._size:
            self._end()

    def fail(self, told: object) -> bool:
        """A step has failed: end the threads, and keep what they may still write to; whether there are any."""
        self._kept.append(told)
        self.close()
        return self._size > 0

    def wake(self) -> None:
        """Wake those that sleep; they take part in the work as soon as they are awake."""
        if not self._size:
            return
        for _ in range(self._size - int(self._shared[AWAKE]) - self._calls.qsize()):
            self._calls.put(True)


def _work(
    attend: Callable[..., object],
    world: Any,
    room: Any,
    calls: queue.SimpleQueue[bool],
    errors: list[BaseException],
    kept: list[object],
) -> None:
    """Attend whenever it is called; `kept` lives as long as this."""
    while calls.get():
        try:
            attend(world, room)
        except BaseException as error:  # noqa: BLE001  # whoever steps gets it
            errors.append(error)
            world.shared[DONE_PARTS] = world.games.shape[0]  # whoever waits for this part goes on
            return


def _end(calls: queue.SimpleQueue[bool], threads: int) -> None:
    for _ in range(threads):
        calls.put(False)
