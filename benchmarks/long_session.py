"""Cost of an action and an undo in a session with a store, at its start and after 100,000 actions.

Each figure is the median and the worst of 200, by the clock and with the disk's waiting; beside it, the processor's
time. The many actions are resumed, as `gridproof play --resume` does, and kept before the measuring begins.
"""

from __future__ import annotations

import functools
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import gridproof as gp
from gridproof.core.play_record import SavedPlay
from gridproof.store import Store

BEFORE = (0, 1_000, 100_000)
RUNS = 200
MOST = 6
CORRIDOR = "#########\n#@    $.#\n#########\n"


def session_after(actions: int, store: Store) -> gp.Session:
    """A session that is kept, with so many actions done on its level."""
    steps = (("right", ""), ("left", "")) * (actions // 2)
    played = {0: SavedPlay(0, steps, len(steps), finished=False)}
    session = gp.Session.resume(gp.read(CORRIDOR), 0, 0, played, store=store)
    session.undo(0)  # now all of it is kept
    return session


def measure(calls: Iterable[Callable[[], object]]) -> tuple[float, str]:
    """The median of wall-clock times, and what is told."""
    clock, processor = [], []
    for call in calls:
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        clock.append(1000 * (time.perf_counter() - wall))
        processor.append(1000 * (time.process_time() - cpu))
    median = statistics.median(clock)
    told = f"median {median:6.2f} ms   worst {max(clock):6.2f} ms   processor {statistics.median(processor):5.2f} ms"
    return median, told


def main() -> None:
    """Print the figures."""
    wanted = 0.0
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'store.sqlite'}")
        for actions in BEFORE:
            session = session_after(actions, store)
            walks = ("right", "left") * (RUNS // 2)
            wanted, told = measure(functools.partial(session.act, text) for text in walks)
            print(f"an action after {actions:7,}   {told}", flush=True)
            told = measure([session.undo] * RUNS)[1]
            print(f"an undo   after {actions:7,}   {told}", flush=True)
        store.close()
    print(f"an action after {BEFORE[-1]:,} takes {wanted:.2f} ms (at most {MOST} ms wished)")


if __name__ == "__main__":
    main()
