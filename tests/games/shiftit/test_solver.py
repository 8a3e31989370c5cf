"""Searches for a win that keep one of all positions that are alike, and begin at both ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.measurement import Clock

import gridproof as gp
from gridproof.core.rng import Rng
from gridproof.games.shiftit import Level, Position, Tile
from gridproof.games.shiftit.solver import win_placements
from gridproof.games.shiftit.solver.solve import reduce_by_symmetry
from gridproof.kernels.game import packing_of
from gridproof.search import solve

BOTH_ENDS = "listed-wins"
FORWARD = "alike-as-one"


@pytest.fixture(autouse=True)
def kernels_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", 1)


def check_solution(start: Any, engine: str) -> gp.Solution:
    """Check that the solver agrees with plain breadth-first search."""
    solution, plain = gp.solve(start), solve.breadth_first(start)
    assert (solution.found, solution.cost, solution.optimal) == (plain.found, plain.cost, True)
    assert solution.engine == engine
    if solution.trace is not None:
        assert solution.trace.start == start
        assert solution.trace.replay().won
        assert len(solution.trace.steps) == solution.cost
    return solution


def random_position(level: Any, seed: int, steps: int) -> Any:
    rng, position = Rng(seed), level.start()
    for _ in range(steps):
        successors = position.step(rng.choice(position.actions()), rng).position
        position = position if successors.won else successors
    return position


def board(text: str) -> Any:
    return gp.read(f"shiftit {text}")[0]


@pytest.mark.parametrize("number", [7, 8, 10, 12, 14, 16, 18])
def test_solver_agrees_on_random_positions_of_the_pack(number: int) -> None:
    """Tiles that are alike have changed places there, so that the start does not stand for itself."""
    level = gp.levels_at(f"shiftit/boards/{number}")[0]
    solution = check_solution(random_position(level, number, 3), BOTH_ENDS)
    assert solution.found


@pytest.mark.parametrize(
    "parameters",
    [
        {"width": 2, "height": 3},
        {"width": 3, "height": 3, "colours": 2},
        {"width": 4, "height": 2, "colours": 5, "locks": 1},
        {"width": 7, "height": 1, "colours": 4},
        {"width": 4, "height": 4, "colours": 6, "locks": 3, "moves": 3},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_generated_boards(parameters: dict[str, Any], seed: int) -> None:
    level = gp.generate("shiftit", seed, **parameters)
    solution, plain = gp.solve(level), solve.breadth_first(level.start())
    assert (solution.found, solution.cost, solution.optimal) == (True, plain.cost, True)


def test_solver_searches_from_the_start_when_wins_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in (("_MOST", 3), ("_NODES", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(win_placements, name, most)
            solution = check_solution(gp.levels_at("shiftit/boards/12")[0].start(), FORWARD)
        assert solution.states < 5537 / 3  # what plain breadth-first search finds


def test_solver_refutes_a_board_without_a_winning_placement() -> None:
    """Both red sides look the same way, so that they never meet."""
    solution = check_solution(board("3x2\nrbbb b b\nrbbb b b\n").start(), BOTH_ENDS)
    assert (solution.found, solution.states) == (False, 1)


@pytest.mark.slow
def test_board_is_impossible_when_its_only_win_is_unreachable() -> None:
    """Every border has its own colour, two tiles are swapped: an odd permutation, shifts by three are even."""
    places = [(x, y) for y in (2, 1, 0) for x in range(3)]
    tiles = [
        (f"d{x}{y + 1}", f"r{x}{y}", f"d{x}{y}", f"r{x - 1}{y}")  # up, right, down, left
        for x, y in places
    ]
    tiles[0], tiles[1] = tiles[1], tiles[0]
    level = Level(Tile(f"t{x}{y}", x, y, colours) for (x, y), colours in zip(places, tiles, strict=True))
    listed = win_placements.find_wins(level, lambda: False)
    assert listed == [Position(level, (1, 0, *range(2, 9)))]
    assert listed[0].won
    assert check_solution(level.start(), BOTH_ENDS).found is False


def test_unreachable_positions_are_solved_by_the_rules() -> None:
    """Locks hold the tile in row 2, column 0: there a list of wins knows of no other one."""
    level = board("4x4\nr* b r b\nr r* b b\ng g y y\ng g y y\n")
    position = Position(level, (0, 2, 1, 7, 3, 5, 10, 8, 15, 9, 12, 6, 11, 4, 14, 13))
    limit = gp.Limit(states=3000)
    for found in (gp.solve(position, limit=limit), gp.explore(position, limit=limit)):
        assert found.stopped_by == "states"
        assert found.engine == "rules"
    assert gp.solve(level, limit=limit).engine == BOTH_ENDS


def test_large_board_without_a_winning_placement_is_refuted_quickly() -> None:
    """2 * 10^10 placements: breadth-first search could not."""
    text = "4x4\nrbbb y g p\ny g p b\ng p b y\nrbbb y g p\n"
    solution = gp.solve(board(text), limit=gp.Limit(states=1000))
    assert (solution.found, solution.optimal, solution.engine) == (False, True, BOTH_ENDS)


def test_board_without_identical_tiles() -> None:
    level = board("2x2\nrgbb rgyy\nyygb ppgr\n")
    check_solution(level.start(), BOTH_ENDS)
    with pytest.raises(gp.GridproofError, match="alike-as-one cannot solve this: no two tiles are alike"):
        gp.solve(level, solver=FORWARD)


def representative(level: Any) -> Callable[[Any], Any]:
    """Return a function from a position to the representative of its orbit."""
    found = packing_of(level)
    assert found is not None
    packing, alike = found[1], reduce_by_symmetry(*found)[1]
    return lambda position: packing.unpack(alike.pack(position))


@pytest.mark.parametrize("number", [1, 7, 12, 14, 18])
def test_representative_is_equivalent_to_its_position(number: int) -> None:
    """They have the same status and successors."""
    level = gp.levels_at(f"shiftit/boards/{number}")[0]
    one = representative(level)

    def successors(position: Any) -> list[tuple[str, Any]]:
        return [(str(act), one(position.outcomes(act)[0].position)) for act in position.actions()]

    for seed in range(0, 12, 3):
        position = random_position(level, seed, seed)
        assert one(one(position)) == one(position)
        assert one(position).status is position.status
        assert successors(one(position)) == successors(position)


@pytest.mark.parametrize("number", [1, 7, 8, 12])
def test_win_list_is_complete(number: int) -> None:
    level = gp.levels_at(f"shiftit/boards/{number}")[0]
    one, listed = representative(level), win_placements.find_wins(level, lambda: False)  # type: ignore[arg-type]  # Shift It's
    assert listed
    known = {one(win) for win in listed}
    assert all(win.won for win in (*listed, *known))
    reached = gp.explore(level, limit=gp.Limit(states=3000))
    assert {one(position) for position in reached if position.won} <= known


LARGE = """6x6
o    gggb y    y    r    o
oobo y    g    yygg r    r
b    o    g    grrg r    b
b    gggb g    g    rppg r
b    b    gppg p    p    p
b    bgbb y    p    p    p
"""


def test_time_limit_stops_the_list_of_wins(clock: Clock) -> None:
    """The list is long enough for a thousand looks at the clock."""
    clock.each_look = 0.01
    solution = gp.solve(board(LARGE), limit=gp.Limit(seconds=1))
    assert (solution.found, solution.stopped_by) == (None, "seconds")
    assert solution.seconds < 1.1
    assert solution.states < 100  # it has not come to searching


def test_tiles_of_the_same_colours_may_change_places() -> None:
    level = board("3x2\nr r b\nb r* b\n")
    found = packing_of(level)
    assert found is not None
    packing = reduce_by_symmetry(*found)[1]

    def state(*tiles: int) -> list[int]:
        return [int(word) for word in packing.pack(Position(level, tiles))]

    start = state(0, 1, 2, 3, 4, 5)
    assert start == state(1, 0, 5, 2, 4, 3)
    assert start != state(0, 2, 1, 3, 4, 5)  # a blue tile for a red one
    assert start != state(0, 4, 2, 3, 1, 5)  # a locked one
    assert packing.unpack(packing.pack(Position(level, (1, 0, 5, 2, 4, 3)))) == level.start()


@pytest.mark.slow
def test_last_board_of_the_pack_takes_nine_moves() -> None:
    """It was scrambled by ten moves; nine win."""
    level = gp.levels_at("shiftit/boards/29")[0]
    solution = gp.solve(level)
    assert (solution.cost, solution.optimal) == (9, True)
    assert level.keys["Moves"] == "9"
