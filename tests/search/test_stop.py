"""A limit that another thread sets ends every engine, and the answer says so."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import config
from tests.stops import CountedStop

import gridproof as gp
from gridproof.core.limit import Stopped, check_stop, use_stop
from gridproof.kernels.compile import Hole, kernel
from gridproof.search import best_first, shared_engines
from gridproof.search import explore as exploring
from gridproof.search import solve as solving

ROW = "@" + "." * 300_000 + "o"


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
def test_stop_ends_every_engine(case: str, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "_BY_RULES", 0)
    answer = CASES[case](gp.Limit(stop=CountedStop(looks)))
    assert answer.stopped_by == "stop"
    assert answer.found is None if isinstance(answer, gp.Solution) else not answer.complete


def test_stop_from_another_thread_ends_search() -> None:
    event = threading.Event()
    found: list[gp.StateSpace] = []
    level = gp.levels_at("robots/yards/10")[0]
    worker = threading.Thread(target=lambda: found.append(gp.explore(level, limit=gp.Limit(stop=event))))
    worker.start()
    event.set()
    worker.join()
    assert (found[0].complete, found[0].stopped_by) == (False, "stop")
    with pytest.raises(
        gp.GridproofError, match=r"^the space is not complete, stopped by stop: it has no graph$"
    ):
        found[0].graph()


@pytest.mark.parametrize("stop", [5, "now", True, threading.Thread])
def test_limit_refuses_invalid_stop(stop: Any) -> None:
    with pytest.raises(gp.GridproofError, match=r"^limit stop=.*: it must have a method is_set$"):
        gp.Limit(stop=stop)


# -- where kernels are made ready


@pytest.mark.parametrize("solver", [None, "breadth-first"])
def test_stop_during_compilation_ends_search(solver: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    event = threading.Event()

    def compile_slowly(self: object, question: object) -> gp.Solution:
        event.set()
        raise Stopped

    monkeypatch.setattr(solving, "_BY_RULES", 0)
    monkeypatch.setattr(shared_engines.KernelEngine, "answer", compile_slowly)
    answer = gp.solve(row(), limit=gp.Limit(stop=event), solver=solver)
    assert (answer.found, answer.stopped_by) == (None, "stop")
    assert answer.engine == (solver or "rules-both-ends")


@pytest.mark.parametrize("formula", ["AG EF won", "G F won"])
def test_stop_during_compilation_ends_proof(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    event = threading.Event()

    def compile_slowly(*_: object) -> None:
        event.set()
        check_stop()

    monkeypatch.setattr("gridproof.prove.prover._Prover", compile_slowly)
    verdict = gp.check(gp.read("..@.o", "null")[0], formula, limit=gp.Limit(stop=event))
    assert (verdict.holds, verdict.stopped_by) == (None, "stop")


def double(x: Any) -> Any:
    return 2 * x + NUMBER


def twice_double(x: Any) -> Any:
    return inner(inner(x))


NUMBER: Any = Hole()
inner: Any = Hole()


@pytest.mark.skipif(bool(getattr(config, "DISABLE_JIT", False)), reason="nothing is compiled")
@pytest.mark.parametrize("looks", [0, 1])
def test_kernel_is_not_compiled_after_stop(
    looks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    made = kernel(twice_double, inner=kernel(double, NUMBER=looks))
    stop = CountedStop(looks)
    with gp.Limit(stop=stop).start().pause(), pytest.raises(Stopped):
        made(10)
    assert stop.left == -1  # the inner one was asked about, too
    assert made(10) == 40 + 3 * looks


def test_best_first_search_checks_stop_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.read("@" + "." * 300 + "o", "null")[0]
    looks: list[list[int]] = []
    for outcomes in (1 << 18, 1):
        monkeypatch.setattr(best_first, "_OUTCOMES", outcomes)
        looks.append([])
        answer = gp.solve(level, goal="at(200)", solver="a-star", progress=looks[-1].append)
        assert answer.found
    assert len(looks[0]) == 1
    assert len(looks[1]) > 100


# -- making levels


@pytest.mark.parametrize(
    ("name", "looks"),
    [("twenty48", 0), *itertools.product(("robots", "shiftit", "sokoban"), (0, 2))],
)
def test_stop_ends_generation(name: str, looks: int) -> None:
    with pytest.raises(Stopped, match=r"^stopped before the end$"):
        gp.generate(name, 1, stop=CountedStop(looks))


def test_generate_completes_unless_stop_is_set() -> None:
    event = threading.Event()
    assert gp.generate("twenty48", 1, stop=event, width=2, height=2).certificate
    event.set()
    with use_stop(event), pytest.raises(Stopped):
        gp.generate("twenty48", 1, width=2, height=2)
    assert gp.generate("twenty48", 1, width=2, height=2).certificate
    with pytest.raises(gp.GridproofError, match=r"^limit stop=5: it must have a method is_set$"):
        gp.generate("twenty48", 1, stop=5)  # type: ignore[arg-type]  # what is tried
