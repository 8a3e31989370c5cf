"""Threads that share the steps of many games; they wait in compiled code, so that a step needs no call."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from gridproof.envs.work_sharing import AWAKE, DONE_PARTS


class ThreadCrew:
    """Threads that sleep until `wake`; they end with the object or by `close`.

    `attend`, of `step_kernel.Compiled`, is the work of a thread until there was none for a while. Each thread has one of
    the scratches.
    """

    def __init__(self, attend: Callable[..., object], world: Any, scratches: Sequence[Any]) -> None:
        self._shared, self._size = world.shared, len(scratches)
        self.errors: list[BaseException] = []
        """Errors that ended threads; no step works after them."""
        self._references: list[object] = []
        if not scratches:
            return
        self._calls: queue.SimpleQueue[bool] = queue.SimpleQueue()
        for scratch in scratches:
            work = attend, world, scratch, self._calls, self.errors, self._references
            threading.Thread(target=_work, args=work, daemon=True).start()
        self._end = weakref.finalize(self, _end, self._calls, self._size)

    def close(self) -> None:
        """End the threads."""
        if self._size:
            self._end()

    def fail(self, result: object) -> bool:
        """End the threads after an error, and keep the arrays that they may still write; return whether there are any."""
        self._references.append(result)
        self.close()
        return self._size > 0

    def wake(self) -> None:
        """Wake the threads that sleep; they join the work as soon as they are awake."""
        if not self._size:
            return
        for _ in range(self._size - int(self._shared[AWAKE]) - self._calls.qsize()):
            self._calls.put(True)


def _work(
    attend: Callable[..., object],
    world: Any,
    scratch: Any,
    calls: queue.SimpleQueue[bool],
    errors: list[BaseException],
    references: list[object],
) -> None:
    """Attend at each call; `references` lives as long as the thread."""
    while calls.get():
        try:
            attend(world, scratch)
        except BaseException as error:  # noqa: BLE001  # `Games.step` raises it
            errors.append(error)
            world.shared[DONE_PARTS] = world.games.shape[0]  # ends the wait for this part
            return


def _end(calls: queue.SimpleQueue[bool], threads: int) -> None:
    for _ in range(threads):
        calls.put(False)
