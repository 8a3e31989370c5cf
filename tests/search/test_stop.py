"""A limit that another thread sets ends every engine, and the answer says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import gridproof as gp
from gridproof.search import explore as exploring

ROW = "@" + "." * 300_000 + "o"


class After:
    """Set once it has been asked so often."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def row() -> gp.Level:
    return gp.read(ROW, "null")[0]


CASES: dict[str, Callable[[gp.Limit], Any]] = {
    "rules": lambda limit: gp.solve(row(), goal="won", actors="player", limit=limit),
    "own solver": lambda limit: gp.solve(gp.levels_at("sokoban/workshop")[-1], "pushes", limit=limit),
    "A*": lambda limit: gp.solve(gp.levels_at("twenty48/standard/1")[0], limit=limit),
    "from both ends": lambda limit: gp.solve(gp.levels_at("shiftit/boards")[-1], limit=limit),
    "exploration": lambda limit: gp.explore(gp.levels_at("robots/races/6")[0], limit=limit),
    "ranks": lambda limit: gp.explore(gp.levels_at("shiftit/boards/1")[0], limit=limit),
}


@pytest.mark.parametrize("looks", [0, 3])
@pytest.mark.parametrize("case", CASES)
def test_every_engine_ends(case: str, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "_BY_RULES", 0)
    answer = CASES[case](gp.Limit(stop=After(looks)))
    assert answer.stopped_by == "stop"
    assert answer.found is None if isinstance(answer, gp.Solution) else not answer.complete


def test_another_thread_ends_it() -> None:
    event = threading.Event()
    found: list[gp.StateSpace] = []
    level = gp.levels_at("robots/yards/10")[0]
    worker = threading.Thread(target=lambda: found.append(gp.explore(level, limit=gp.Limit(stop=event))))
    worker.start()
    event.set()
    worker.join()
    assert (found[0].complete, found[0].stopped_by) == (False, "stop")
    with pytest.raises(gp.GridproofError, match="stopped by stop: it has no graph"):
        found[0].graph()


@pytest.mark.parametrize("stop", [5, "now", True, threading.Thread])
def test_what_cannot_be_asked_is_refused(stop: Any) -> None:
    with pytest.raises(gp.GridproofError, match="must have a method is_set"):
        gp.Limit(stop=stop)
