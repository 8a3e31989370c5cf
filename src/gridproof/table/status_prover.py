"""Badges that are proved beside a front end, in processes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from gridproof.core.limit import Limit, Stopped
from gridproof.play.workers import Ended, Task, Workers
from gridproof.prove.badge import PATIENCE, Asked, Badge, verdicts

WORKER = replace(PATIENCE, memory=1 << 30)
"""Of each question: what the process holds is its own."""

Told = Callable[[Badge], object]
"""Is called with each badge, from a thread of the prover's."""


@dataclass(frozen=True, slots=True)
class Proving:
    """Looks for a badge, and tells each one that says more."""

    asked: Asked

    def __call__(self, limit: Limit, tell: Callable[[Badge], None]) -> None:
        """Do it."""
        badge = self.asked.known
        try:
            for badge in verdicts(self.asked, limit):
                tell(badge)
        except Stopped:
            pass
        except MemoryError:
            tell(replace(badge, complete=True))


class Prover:
    """Finds out what is proved; of whoever asks, the latest question counts.

    Parameters
    ----------
    processes : int
    limit : Limit
        Of each question.
    games : sequence of str
        The games whose solvers are loaded before the first question.
    """

    def __init__(self, processes: int = 1, limit: Limit = WORKER, games: Sequence[str] = ()) -> None:
        self._limit = limit
        self._workers = Workers(processes, games)
        self._tasks: dict[Hashable, Task] = {}
        self._lock = Lock()

    def ask(self, asker: Hashable, asked: Asked, told: Told) -> None:
        """Have a badge proved, instead of what the same asker asked before.

        Where its process ends before, all that is said is that nothing more is known.
        """
        known = [asked.known]

        def hear(badge: Badge) -> None:
            known.append(badge)
            told(badge)

        def end(ended: Ended) -> None:
            if ended.error and not task.cancelled.is_set() and not self._workers.closed:
                told(replace(known[-1], complete=True))
            with self._lock:
                if self._tasks.get(asker) is task:
                    del self._tasks[asker]

        task = Task(Proving(asked), self._limit, hear, end)
        self.cancel(asker)
        with self._lock:
            self._tasks[asker] = task
        self._workers.begin(task)

    def cancel(self, asker: Hashable) -> None:
        """Nobody waits for what this asker asked."""
        with self._lock:
            task = self._tasks.pop(asker, None)
        if task is not None:
            self._workers.cancel(task)

    def close(self) -> None:
        """End all processes."""
        self._workers.close()
