"""What the rules promise of every position: found where it is broken, and proved on whole levels."""

from __future__ import annotations

import dataclasses
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba  # noqa: F401  # imported after clingo, it keeps a file open
import numpy as np
import pytest
from tests.games.robots.boards import board, random_board
from tests.packs import titled
from tests.sizes import size

import gridproof as gp
from gridproof.core.errors import Problem
from gridproof.core.position import Outcome
from gridproof.games.robots import rules as robots
from gridproof.games.robots.board import BROKEN, Layout
from gridproof.games.robots.validity import find_board_defects as breaks
from gridproof.games.shiftit import rules as shiftit
from gridproof.games.sokoban import rules as sokoban
from gridproof.games.twenty48 import Merged
from gridproof.games.twenty48 import rules as twenty48
from gridproof.kernels.game import packing_of
from gridproof.prove.game_formulas import formulas_of

DOCS = Path(__file__).parents[2] / "docs"
CROSSED = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . B\nb . A\n"


def start_of(text: str) -> Any:
    return gp.read(text)[0].start()


def changed(**changes: Any) -> robots.Position:
    position: robots.Position = dataclasses.replace(start_of(CROSSED), **changes)
    return position


def broken_tile() -> robots.Position:
    start = changed()
    codes = [start.layout.codes[square] for square in start.level.grid.squares]
    return changed(layout=Layout.from_codes(start.level.grid, [BROKEN, *codes[1:]]))


def lost_home() -> robots.Position:
    start = changed()
    codes = [start.layout.codes[square] for square in start.level.grid.squares]
    return changed(layout=Layout.from_codes(start.level.grid, [*codes[:2], 0, *codes[3:]]))


@pytest.mark.clause("R8")
@pytest.mark.parametrize(
    ("make", "codes"),
    [
        (changed, []),
        (lambda: changed(cells=(4, 4)), ["R8b-none"]),
        (broken_tile, ["R8b-broken"]),
        (lost_home, ["R8c-none"]),
        (lambda: changed(cells=(6, 4)), []),
        (lambda: changed(cells=(2, 4)), ["R8d"]),
    ],
)
def test_broken_boards_of_robots_are_not_valid(make: Callable[[], robots.Position], codes: list[str]) -> None:
    position = make()
    assert [problem.code for problem in find_board_defects(position)] == codes
    assert truth(position) is (not codes)


def find_board_defects(position: robots.Position) -> list[Problem]:
    return breaks(position.level.robots, position.tiles, position.level.grid)


def truth(position: Any) -> bool:
    """Whether a position is valid, by the rules and by the kernel."""
    by_rules = gp.check(position, "valid").holds
    known = packing_of(position.level)
    assert known is not None
    kernel, packing = known
    by_kernel = kernel.propositions["valid", 0](packing.data, packing.pack(position), np.zeros(0, np.int64))
    assert bool(by_kernel) is by_rules
    return bool(by_rules)


SQUARE = "#####\n#@$.#\n# $.#\n#####\nBombs: 1\n"


@pytest.mark.clause("K3", "K8")
@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"boxes": frozenset({(2, 1)})}, False),
        ({"boxes": frozenset({(2, 1), (2, 2), (1, 2)})}, False),
        ({"player": (2, 1)}, False),
        ({"player": (0, 1)}, False),
        ({"boxes": frozenset({(2, 1), (2, 3)})}, False),
        ({"walls": frozenset()}, True),
    ],
)
def test_broken_maps_of_sokoban_are_not_valid(changes: dict[str, Any], holds: bool) -> None:
    assert truth(dataclasses.replace(start_of(SQUARE), **changes)) is holds


@pytest.mark.clause("T3")
@pytest.mark.parametrize(("cells", "holds"), [((2, 0, 0, 2), True), ((0, 0, 0, 2), False), ((0,) * 4, False)])
def test_broken_boards_of_2048_are_not_valid(cells: tuple[int, ...], holds: bool) -> None:
    level = twenty48.Level(2, 2, target=8)
    assert truth(twenty48.Position(level, cells)) is holds


@pytest.mark.clause("S1")
@pytest.mark.parametrize(
    ("tiles", "holds"), [((0, 1, 2, 3), True), ((3, 2, 0, 1), True), ((0, 1, 1, 3), False), ((0,) * 4, False)]
)
def test_boards_of_shiftit_with_two_tiles_on_a_position_are_not_valid(
    tiles: tuple[int, ...], holds: bool
) -> None:
    assert truth(dataclasses.replace(start_of("shiftit 2x2\nb r\nr b\n"), tiles=tiles)) is holds


@pytest.mark.clause("S6")
def test_board_of_shiftit_that_lets_locked_tiles_go_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of("shiftit 2x2\nb* r\nr b\n")
    invariant = formulas_of(start.level.game).invariants["S6"]
    assert gp.check(start, invariant).holds
    monkeypatch.setattr(shiftit.Level, "lock", lambda self, move: None)
    verdict = gp.check(start_of("shiftit 2x2\nb* r\nr b\n"), invariant)
    assert verdict.holds is False
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == 1


@pytest.mark.clause("R8", "R16")
def test_rule_without_r8_is_found_by_a_shortest_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    start = board("a=A0 b=B0", "a . . B", ". . A b")
    monkeypatch.setattr(robots, "is_connected", lambda layout, cells, homes: True)
    verdict = gp.check(start, "AG valid", limit=gp.Limit(states=1000))
    assert verdict.holds is False
    assert verdict.trace is not None
    *before, last = [start, *(outcome.position for outcome in verdict.trace.outcomes())]
    assert [problem.code for problem in find_board_defects(last)] == ["R8d"]
    assert not any(map(find_board_defects, before))


@pytest.mark.clause("K10")
def test_bomb_that_completes_a_level_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of("#####\n#@$.#\n#####\nBombs: 1\n")
    invariant = formulas_of(start.level.game).invariants["K10"]
    assert gp.check(start, invariant).holds
    solved = Outcome(dataclasses.replace(start, boxes=start.level.depots, bombs=0))
    monkeypatch.setattr(sokoban.Position, "_set_off_bomb", lambda self: solved)
    verdict = gp.check(start, invariant)
    assert verdict.holds is False
    assert list(map(str, verdict.trace.actions))[-1] == "bomb"  # type: ignore[union-attr]  # it has one


@pytest.mark.slow
@pytest.mark.clause("R8", "R21")
def test_exchanges_keep_r8() -> None:
    level = gp.read("robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na > B\nA . b\n")[0]
    with_nature = gp.check(level, "AG valid", actors="all")
    assert with_nature.holds
    assert with_nature.states > gp.check(level, "AG valid").states


@pytest.mark.slow
@pytest.mark.clause("R8", "R21")
def test_exchanges_keep_r8_on_random_boards() -> None:
    rng = gp.Rng(8)
    boards = [random_board(rng, 3, 2, 2) for _ in range(8)]
    verdicts = [gp.check(start, "AG valid", actors="all", limit=gp.Limit(states=20_000)) for start in boards]
    assert False not in [verdict.holds for verdict in verdicts]
    assert len([verdict for verdict in verdicts if verdict.holds]) >= 5


@pytest.mark.clause("T3", "T7")
def test_moves_of_2048_never_lower_the_score() -> None:
    """0 <= score <= high score: by induction, as each reward is what was combined."""
    space = gp.explore(titled("twenty48/positions", "Two by two, choose well"))
    outcomes = [
        outcome
        for position in space
        for action in position.actions()
        for outcome in position.outcomes(action)
    ]
    assert len(outcomes) == space.transitions
    for outcome in outcomes:
        merged = [event.value for event in outcome.events if isinstance(event, Merged)]
        assert outcome.reward == sum(merged) >= 0


# -- the page


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What `make tables` runs."""
    return runpy.run_path(str(DOCS / "invariants.py"))


def written() -> str:
    return (DOCS / "invariants.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("robots/duels/2", marks=pytest.mark.slow),
        "shiftit/boards/3",
        "sokoban/first-steps/2",
        "twenty48/standard/3",
    ],
)
def test_tables_show_what_is_proved_of_small_levels(page: dict[str, Any], name: str) -> None:
    _, _, own = name.partition("/")
    assert page["row"](own, gp.levels_at(name)[0]) in written().splitlines()


@pytest.fixture(scope="module")
def sizes() -> dict[str, Any]:
    """What `make tables` runs for all levels of a size."""
    return runpy.run_path(str(DOCS / "levels_of_size.py"))


@pytest.mark.slow
@pytest.mark.clause("R8", "K3", "T3", "S1", "S6", "S7")
@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("shiftit", 2, 2),
        ("shiftit", 3, 2),
        pytest.param("shiftit", 4, 2, marks=pytest.mark.long),
        ("robots", 3, 1),
        pytest.param("robots", 2, 2, marks=pytest.mark.long),
        pytest.param("sokoban", 2, 2, marks=pytest.mark.slow),
        pytest.param("sokoban", 3, 2, marks=pytest.mark.long),
        ("twenty48", 2, 2),
    ],
)
def test_invariants_are_kept_on_all_levels_of_a_size(
    sizes: dict[str, Any], name: str, width: int, height: int
) -> None:
    assert (width, height) in sizes["SIZES"][name]
    assert sizes["row"](name, width, height) in written().splitlines()


@pytest.mark.clause("K3", "K10")
@pytest.mark.parametrize(
    ("width", "height"), [(2, 2), (3, 2), (3, 3), pytest.param(4, 4, marks=pytest.mark.long)]
)
def test_theory_of_sokoban_keeps_invariants_on_all_levels_of_a_size(
    sizes: dict[str, Any], width: int, height: int
) -> None:
    assert_no_violation(sizes, "sokoban", width, height)
    if width > 2:  # there are wins, and bombs that hit walls
        assert sizes["find_violation"]("sokoban", width, height, "won(1)")
        assert sizes["find_violation"]("sokoban", width, height, "act(0,bomb), hit(0,(0,0))")


def assert_no_violation(sizes: dict[str, Any], name: str, width: int, height: int) -> None:
    violations = sizes["VIOLATIONS"][name]
    assert set(violations) == set(formulas_of(gp.game(name)).invariants)
    for violation in ("broken(0)", *violations.values()):
        assert not sizes["find_violation"](name, width, height, violation), violation


@pytest.mark.slow
@pytest.mark.clause("S1", "S6", "S7", "S13", "S14", "S15")
@pytest.mark.parametrize(("width", "height"), [(2, 1), (1, 2), (2, 2), (3, 2)])
def test_theory_of_shiftit_keeps_invariants_on_all_boards_of_a_size(
    sizes: dict[str, Any], width: int, height: int
) -> None:
    assert_no_violation(sizes, "shiftit", width, height)
    for possible in ("won(1), not won(0)", "over(0), not won(0)", "isLocked(A), moveAt(0,M)"):
        assert sizes["find_violation"]("shiftit", width, height, possible), possible


@pytest.mark.slow
@pytest.mark.long
def test_tables_are_up_to_date(page: dict[str, Any]) -> None:
    shown = re.findall(r"^\| `(\S+/\d+)`.*$", page["TABLES"].search(written())[0], re.MULTILINE)
    games = sorted(path.stem for path in (DOCS / "games").glob("*.md"))
    levels = [found for game in games for found in page["levels_of"](gp.game(game))]
    assert set(shown) <= {name for name, _ in levels}
    for name, level in levels[:: -(-len(levels) // size("rows", 25))]:
        found = page["row"](name, level)
        assert (name in shown) is (found is not None)
        assert found is None or found in written().splitlines()
