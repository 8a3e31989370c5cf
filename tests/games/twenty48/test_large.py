"""Goals with numbers up to the largest that a goal takes: by kernels while they fit into a word, else by the rules."""

from __future__ import annotations

import pytest
from tests.measurement import stopped_if_it_hangs

import gridproof as gp


def board(*cells: int) -> gp.Level:
    """A board of 2 x 2."""
    a, b, c, d = cells
    return gp.read(f"2048 2x2 spawn=spec target={2**255}\n{a} {b}\n{c} {d}\n")[0]


@pytest.fixture(autouse=True)
def _by_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the work is."""
    import gridproof.search.solve

    monkeypatch.setattr(gridproof.search.solve, "_BY_RULES", 0)


@pytest.mark.parametrize("exponent", [59, 60, 61, 62, 63, 64, 100, 255])
def test_large_tiles_are_made(exponent: int) -> None:
    level = board(2 ** (exponent - 1), 2 ** (exponent - 2), 0, 2 ** (exponent - 2))
    with stopped_if_it_hangs():
        for goal in (f"tile({2**exponent})", f"max_tile >= {2**exponent}", f"max_tile > {2**exponent - 1}"):
            solution = gp.solve(level, goal=goal)
            assert (solution.cost, solution.optimal) == (2, True), goal
            assert solution.trace is not None
            assert 2**exponent in solution.trace.replay().cells  # type: ignore[attr-defined]  # 2048's
            assert solution.engine == (
                "rules" if exponent > 62 else "breadth-first" if ">" in goal else "a-star"
            )


@pytest.mark.parametrize("number", [2**59, 2**60, 2**61, 2**62, 2**63, 2**64, 2**255, 2**328])
def test_larger_tiles_than_a_board_can_hold_are_impossible(number: int) -> None:
    """2 x 2 cells without 4s never hold more than 16."""
    level = gp.read("2048 2x2 spawn=spec target=2048\n")[0]
    by_rules = number >= 2**63
    with stopped_if_it_hangs():
        for goal in (f"tile({number})", f"max_tile >= {number}", f"empty = {number}"):
            answer = gp.solve(level, goal=goal)
            assert answer.found is False, goal
            assert (answer.engine == "rules") is by_rules
            assert answer.refused == ("kernels count with 64 bits" if by_rules else "")
        for goal in (f"!tile({number})", f"max_tile < {number}", f"empty > {-number}"):
            assert gp.solve(level, goal=goal).cost == 0, goal


def test_invalid_or_long_tiles_are_errors() -> None:
    level = gp.read("2048 2x2 spawn=spec target=2048\n")[0]
    with pytest.raises(gp.GridproofError, match="a tile is a power of two"):
        gp.solve(level, goal=f"tile({10**18})")
    for goal in (f"tile({2**333})", "tile(" + "9" * 5000 + ")"):
        with pytest.raises(gp.GridproofError, match="tile"):
            gp.solve(level, goal=goal)
    with pytest.raises(gp.ParseError, match="99 digits"):
        gp.solve(level, goal="max_tile > " + "9" * 5000)


@pytest.mark.parametrize("exponent", [61, 62, 63, 64, 100])
def test_numbers_of_any_size_are_exact_in_all_positions(exponent: int) -> None:
    level = board(2**exponent, 2**exponent, 4, 8)
    space = gp.explore(level)
    largest = [max(position.cells) for position in space]  # type: ignore[attr-defined]  # 2048's
    assert space.values("max_tile").tolist() == largest
    assert space.values(f"max_tile > {2**exponent}").tolist() == [tile > 2**exponent for tile in largest]


@pytest.mark.parametrize("exponent", [60, 61, 62, 63, 99])
def test_formulas_compare_numbers_of_any_size_exactly(exponent: int) -> None:
    level = board(2**exponent, 2**exponent, 4, 8)
    made = 2 ** (exponent + 1)
    for formula, holds in [
        (f"AG max_tile >= {2**exponent}", True),
        (f"AG max_tile > {2**exponent}", False),
        (f"EF max_tile = {made}", True),
        (f"EF max_tile > {made}", False),
        (f"AG max_tile <= {made}", True),
        (f"AG max_tile < {made}", False),
        (f"AG {made - 1} != max_tile", True),
        (f"EF {-made} >= max_tile", False),
        ("AG empty < max_tile", True),
        (f"AG {2**70} > {2**64}", True),
    ]:
        assert gp.check(level, formula).holds is holds, formula
