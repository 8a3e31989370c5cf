"""Threads that share the steps of many games; awake they wait in compiled code, so that a step costs them no call."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from gridproof.envs.stepping import ALONE, AWAKE


class Crew:
    """Threads that sleep until they are woken; they end with the object, or when it is closed.

    Parameters
    ----------
    attend : compiled
        As `stepping.attend`: what a thread does until there has been nothing to do for a while.
    world : World
    rooms : sequence of Room
        One for each thread.
    """

    def __init__(self, attend: Callable[..., object], world: Any, rooms: Sequence[Any]) -> None:
        self._shared, self._size = world.shared, len(rooms)
        self._calls: queue.SimpleQueue[bool] = queue.SimpleQueue()
        for room in rooms:
            work = attend, world, room, self._calls
            threading.Thread(target=_work, args=work, daemon=True).start()
        self.close = weakref.finalize(self, _end, self._calls, self._size)
        """End the threads."""

    def wake(self) -> None:
        """Wake those that sleep; they take part in the work as soon as they are awake.

        None is woken while other programs want the cores: whoever has taken a part would be waited for.
        """
        if not self._size or self._shared[ALONE]:
            return
        for _ in range(self._size - int(self._shared[AWAKE]) - self._calls.qsize()):
            self._calls.put(True)


def _work(attend: Callable[..., object], world: Any, room: Any, calls: queue.SimpleQueue[bool]) -> None:
    while calls.get():
        attend(world, room)


def _end(calls: queue.SimpleQueue[bool], threads: int) -> None:
    for _ in range(threads):
        calls.put(False)
