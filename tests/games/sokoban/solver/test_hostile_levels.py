"""Levels that no solver is made for: an answer or a limit within a second of the limit, for every measure."""

from __future__ import annotations

import time
from random import Random
from types import SimpleNamespace

import pytest
from tests.packs import late

import gridproof as gp
from gridproof.core import limit as limits
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.validity import Cell
from gridproof.search import solve
from gridproof.search.solve import mark_loaded

SECONDS = 1.0
MEASURES = [None, "pushes", "moves", "pushes,moves"]


@pytest.fixture(autouse=True)
def time_of_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the processor's seconds, so that the load of the machine does not matter."""
    monkeypatch.setenv(limits.CORES, "1")
    monkeypatch.setattr(solve, "_loaded", set())
    monkeypatch.setattr(limits, "time", SimpleNamespace(perf_counter=time.process_time))


def text(rows: str) -> Level:
    (level,) = gp.read(rows)
    assert isinstance(level, Level)
    return level


def hall(side: int, boxes: int, *, seed: int = 1, pillars: float = 0, wall: int = 0) -> Level:
    """Return a square of so many cells a side with random boxes and depots; all boxes are left of a wall with a door."""
    random = Random(seed)
    inner = [(x, y) for x in range(1, side - 1) for y in range(1, side - 1)]
    walls = {(x, y) for x in range(side) for y in (0, side - 1)} | {
        (x, y) for x in (0, side - 1) for y in range(side)
    }
    walls |= {
        cell for cell in inner if random.random() < pillars or (cell[0] == wall and cell[1] != side // 2)
    }
    free = [cell for cell in inner if cell not in walls]
    player, *left = random.sample([cell for cell in free if not wall or cell[0] < wall], boxes + 1)
    return Level(player, 0, left, random.sample(free, boxes), walls, (side, side))


def snake(side: int) -> Level:
    """Return a corridor that winds through the whole square; a box cannot turn in it."""
    free: set[Cell] = {(x, y) for x in range(1, side - 1) for y in range(1, side - 1, 2)}
    free |= {(side - 2 if y % 4 == 2 else 1, y) for y in range(2, side - 2, 2)}
    walls = {(x, y) for x in range(side) for y in range(side)} - free
    return Level((1, 1), 0, [(3, 1)], [(3, side - 3)], walls, (side, side))


REFUTED = [
    pytest.param(late(text, "######\n#$ . #\n#@   #\n######\n"), id="box in a corner"),
    pytest.param(
        late(text, "###########\n#@$ . #$. #\n#     #   #\n###########\n"), id="disconnected, with a box"
    ),
    pytest.param(
        late(text, "###########\n#@    #   #\n#     # $.#\n#     #   #\n###########\n"),
        id="disconnected, with every box",
    ),
    pytest.param(
        late(text, "##########\n#@    #  #\n# $ $    #\n# $   # .#\n# .   #. #\n##########\n"),
        id="no door for a box",
    ),
    pytest.param(
        late(
            text,
            "###########\n#@    #   #\n# $ $ # . #\n#   $ # $ #\n# .   # ..#\n#     #   #\n###########\n",
        ),
        id="more boxes reachable than depots",
    ),
    pytest.param(late(hall, 30, 400), id="400 boxes in 784 squares"),
]
OPEN = [
    pytest.param(late(hall, 102, 3), id="10,000 squares, 3 boxes"),
    pytest.param(late(hall, 102, 400), id="10,000 squares, 400 boxes"),
    pytest.param(late(hall, 102, 400, pillars=0.25), id="10,000 squares, 400 boxes, pillars"),
    pytest.param(late(hall, 102, 40, wall=50), id="10,000 squares, a door"),
    pytest.param(late(snake, 102), id="10,000 squares, a corridor"),
]


def solve_in_time(level: Level, minimise: str | None) -> gp.Solution:
    """Solve a level within a second of the limit, with kernels loaded as `gridproof warm` leaves them."""
    gp.solve(level, minimise, limit=gp.Limit(seconds=60, states=1))
    mark_loaded(level.game)
    begin = time.process_time()
    solution = gp.solve(level, minimise, limit=gp.Limit(seconds=SECONDS))
    assert time.process_time() - begin < SECONDS + 1
    return solution


@pytest.mark.parametrize("minimise", MEASURES)
@pytest.mark.parametrize("level", REFUTED)
def test_solve_refutes_impossible_levels_in_time(level: Level, minimise: str | None) -> None:
    assert solve_in_time(level, minimise).found is False


@pytest.mark.slow
@pytest.mark.parametrize("minimise", MEASURES)
@pytest.mark.parametrize("level", OPEN)
def test_solve_ends_in_time_on_large_levels(level: Level, minimise: str | None) -> None:
    solution = solve_in_time(level, minimise)
    assert solution.found is not None or solution.stopped_by == "seconds"
    assert solution.trace is None or solution.trace.replay().won
