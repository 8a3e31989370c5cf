"""The kernel against the rules: random boards, exchanges, and boards too large for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from tests.games.robots.boards import board, random_board, text_of
from tests.packs import pack

import gridproof as gp
from gridproof.core.position import NATURE, Level
from gridproof.games.robots import GAME, Position, Walk, kernel
from gridproof.games.robots.kernel import KERNEL, prepare, steps
from gridproof.games.robots.kernel.play import OBSERVED
from gridproof.games.robots.kernel.steps import CELLS, CODES, CONVEYOR, ROBOTS
from gridproof.kernels.batch import Batch
from gridproof.kernels.game import Packing
from gridproof.testing.agreement import check_kernel

SIZES = [(2, 3, 2), (3, 3, 2), (4, 5, 3), (8, 8, 3), (7, 3, 4), (21, 2, 5), (9, 9, 6), (20, 20, 4)]


@pytest.fixture
def no_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels leave exchanges to the rules; walks of `check_kernel` still go through some."""
    monkeypatch.setattr(kernel, "_MOST_EXCHANGES", 0)


def boards(seed: int, width: int, height: int, robots: int, count: int = 3) -> Iterator[Position]:
    rng = gp.Rng(seed)
    for _ in range(count):
        yield random_board(rng, width, height, robots)


def packing_of(level: Level) -> Packing:
    packing = prepare(level)  # type: ignore[arg-type]  # Robots'
    assert packing is not None
    return packing


@pytest.mark.slow
@pytest.mark.usefixtures("no_exchanges")
@pytest.mark.parametrize(("width", "height", "robots"), [*SIZES, (62, 3, 3)])
@pytest.mark.clause("R7", "R10", "R11", "R13", "R14", "R15", "R16", "R17", "R18", "R20")
def test_random_boards_as_by_the_rules(width: int, height: int, robots: int) -> None:
    large = width * height > 50
    for position in boards(width, width, height, robots, count=1 if large else 3):
        assert check_kernel(position.level, walks=1, depth=10, whole=3 if large else 10) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("no_exchanges")
@pytest.mark.parametrize(("width", "height", "robots"), [*SIZES, (62, 3, 3)])
def test_random_boards_far_on(width: int, height: int, robots: int) -> None:
    for position in boards(width, width, height, robots):
        assert check_kernel(position.level, walks=2, depth=15, whole=30) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("no_exchanges")
@pytest.mark.parametrize("size", [(2, 3, 2), (5, 5, 3), pytest.param((8, 8, 4), marks=pytest.mark.slow)])
def test_random_boards_uncompiled(size: tuple[int, int, int]) -> None:
    for position in boards(7, *size, count=2):
        assert check_kernel(position.level, walks=1, depth=8, whole=10, plain=True) > 0


@pytest.mark.slow
def test_sweep_goes_down_and_up_again() -> None:
    """Else a way up through n rows would take n sweeps."""
    data, work = np.zeros(8, np.int64), np.zeros(CODES, np.int64)
    data[steps.HEIGHT] = 5
    work[steps.FREE : steps.FREE + 5] = 2
    work[steps.REACHED + 4] = 2
    assert steps.sweep(data, work)
    assert work[steps.REACHED : steps.REACHED + 6].tolist() == [2, 2, 2, 2, 2, 0]
    assert not steps.sweep(data, work)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "robots"), [(2, 3, 2), (3, 3, 2), (4, 3, 3)])
@pytest.mark.clause("R20", "R21", "R22")
def test_exchanges_one_by_one(width: int, height: int, robots: int) -> None:
    for position in boards(height, width, height, robots, count=5):
        assert check_kernel(position.level, walks=1, depth=4) > 0
        assert packing_of(position.level).most_of_nature > 0


@pytest.mark.slow
@pytest.mark.clause("R21")
def test_exchanges_uncompiled() -> None:
    for position in boards(3, 3, 3, 2, count=3):
        assert check_kernel(position.level, walks=1, depth=2, plain=True) > 0


@pytest.mark.slow
@pytest.mark.clause("R21", "R22")
def test_exchanges_of_pack_levels() -> None:
    small = [level for level in pack("robots/races") if level.grid.width * level.grid.height <= 20]
    assert len(small) >= 4
    for level in small:
        assert check_kernel(level, seed=1, walks=1, depth=6) > 0, level.title


@pytest.mark.slow
def test_room_for_exchanges_is_never_too_little() -> None:
    for position in itertools.chain(boards(1, 3, 3, 2, 20), boards(2, 4, 4, 2, 5)):
        outcomes = sum(1 for action in position.actions(NATURE) for _ in position.outcomes(action))
        assert outcomes <= packing_of(position.level).most_of_nature


def test_room_for_requests_is_never_too_little() -> None:
    hints = board("a=A0 b=B0", ". . ? ? ?", ". ? a ? b", "B . ? . A", ". . . ? .")
    packing = packing_of(hints.level)
    found = sum(1 for action in hints.actions() for _ in hints.outcomes(action))
    assert 7 < found <= packing.most
    assert check_kernel(hints.level, walks=1, depth=1) > 0


@pytest.mark.slow
@pytest.mark.clause("R17", "R18", "R20")
@pytest.mark.parametrize(
    ("robots", "rows", "news"),
    [
        ("a=B0 b=A0 c=A0", ("B . . A", "b> a . .", ". . . ?", ". c . C"), [1, 0]),
        ("a=B90 b=A0", ("b> a> B", ". . .", "A . ."), [0, 1]),
    ],
    ids=["carried on", "carried home"],
)
def test_robot_is_told_when_a_belt_carries_it_after_anothers_walk(
    robots: str, rows: tuple[str, ...], news: list[int]
) -> None:
    level = board(robots, *rows).level
    batch = Batch([level], 1)
    batch.begin(np.ones(1, np.uint8))
    batch.step(np.array([level.all_actions().index(Walk("a", 1, 0))]))
    told = np.zeros((1, OBSERVED), np.uint8)
    for robot, expected in enumerate([[0, 0], news, [0, 0]][: len(robots.split())]):
        batch.observe(told, robot)
        assert told[0, 11:].tolist() == expected


@pytest.mark.clause("R12")
def test_kernel_has_no_successors_after_a_win() -> None:
    over = board("a=A0 b=B90", "aA . B", ". v b").level
    assert over.start().status is gp.Status.WON
    assert check_kernel(over, walks=1, depth=1) == 1
    assert check_kernel(over, walks=1, depth=1, plain=True) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("no_exchanges")
@pytest.mark.parametrize(
    "rows",
    [
        ("a v < < .", ". > > ^ b", ". B . . A"),  # a loop, and a belt that leads into it
        ("a > v < b", ". . v . .", "B # v . A"),  # belts that merge, and leave the board
        ("a > > > .", ". ^ # v b", "B ^ < < A"),
        ("a> > > v .", ". ^ b< < .", ". B . . A"),  # robots on belts, one behind the other
    ],
)
@pytest.mark.clause("R6", "R7", "R20")
def test_belts_as_by_the_rules(rows: tuple[str, ...]) -> None:
    level = board("a=A0 b=B180", *rows).level
    assert check_kernel(level, walks=2, depth=10, whole=60) > 50
    assert check_kernel(level, walks=1, depth=5, whole=5, plain=True) > 5


def test_kernel_agrees_from_mid_game_position() -> None:
    rng = gp.Rng(4)
    position = pack("robots/races")[0].start()
    for actor in (None, NATURE, None, NATURE):
        position = position.step(rng.choice(position.actions(actor)), rng).position
    packing = packing_of(position.level)
    assert packing.unpack(packing.pack(position)) == position
    moment = gp.position(position.text())
    assert check_kernel(moment.level, walks=1, depth=4) > 0
    assert gp.explore(moment).states == gp.explore(position).states


@pytest.mark.parametrize(("width", "height", "robots"), SIZES)
def test_propositions_as_by_the_rules(width: int, height: int, robots: int) -> None:
    rng = gp.Rng(width)
    for position in boards(robots, width, height, robots, count=4):
        packing, asked = packing_of(position.level), position.level.names
        state = packing.pack(position)
        cells = [(x, y) for x in range(width) for y in range(height)]
        stand = [position.level.grid.cell(square) for square in position.cells]
        for robot in asked:
            questions: list[tuple[str, tuple[int | str, ...]]] = [("won", (robot,)), ("rotation", (robot,))]
            questions += [("at", (robot, *cell)) for cell in (*stand, rng.choice(cells), (0, 0))]
            for name, arguments in questions:
                numbers = KERNEL.numbers(position.level, name, arguments)
                assert numbers is not None
                function = KERNEL.propositions[name, len(arguments)]
                got = function(packing.data, state, np.array(numbers, np.int64))
                assert got == _by_rules(position, name, arguments), (name, arguments, position.text())


def _by_rules(position: Position, name: str, arguments: tuple[int | str, ...]) -> int:
    (proposition,) = (item for item in GAME.propositions if item.name == name)
    return int(proposition.value(position, *arguments))


def test_won_proposition_holds_for_robot_at_home() -> None:
    position = board("a=A0 b=B90", "aA . B", ". v b")
    packing = packing_of(position.level)
    state = packing.pack(position)
    won = KERNEL.propositions["won", 1]
    assert [int(won(packing.data, state, np.array([robot], np.int64))) for robot in (0, 1)] == [1, 0]


def test_unknown_robots_are_no_numbers() -> None:
    level = pack("robots/races")[0]
    assert KERNEL.numbers(level, "won", ("z",)) is None
    assert KERNEL.numbers(level, "at", ("b", 2, 3)) == (1, 2, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "height", "fits"), [(62, 3, True), (63, 3, False), (60, 69, False), (2, 256, True)]
)
def test_boards_too_large_are_left_to_the_rules(width: int, height: int, fits: bool) -> None:
    rows = [["."] * width for _ in range(height)]
    rows[0][0], rows[0][1], rows[1][0], rows[1][1] = "a", "B", "b", "A"
    (level,) = gp.read(text_of("a=A0 b=B0", *map(" ".join, rows)))
    assert (prepare(level) is not None) is fits  # type: ignore[arg-type]  # Robots'
    if not fits:
        assert check_kernel(level) == 0
    assert gp.explore(level, limit=gp.Limit(states=2500)).stopped_by == "states"


@pytest.mark.slow
@pytest.mark.usefixtures("no_exchanges")
@pytest.mark.clause("R7", "R15", "R20", "R21")
def test_loops_that_an_exchange_has_closed() -> None:
    """Loops are marked beforehand for the level's own tiles only: those of others are found by following."""
    level = board("a=A0 b=B180", "a > v B", ". ^ < .", "A > v b").level
    assert check_kernel(level, walks=30, depth=5) > 100


@pytest.mark.slow
def test_exchanges_too_many_for_the_kernel_go_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    position = board("a=A0 b=B0", "a B <", "# b A")
    by_kernel = gp.explore(position, actors="all")
    monkeypatch.setattr(kernel, "_MOST_EXCHANGES", 0)
    by_rules = gp.explore(position, actors="all")
    assert by_kernel.complete
    assert by_rules.complete
    assert by_kernel.states > 2000  # so that the kernel was needed
    assert (by_rules.states, by_rules.by_depth) == (by_kernel.states, by_kernel.by_depth)
    assert gp.solve(position, goal="at(b,0,0)", actors="all").cost is not None


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "robots"), SIZES)
@pytest.mark.clause("R8", "R16")
def test_is_connected_locally_implies_is_connected(width: int, height: int, robots: int) -> None:
    """`is_connected_locally` is never true if the flood fill is false."""
    sure = 0
    for position in boards(width * height, width, height, robots, count=20):
        packing = packing_of(position.level)
        data = packing.data
        work = steps.allocate_work(data)
        steps.load_state(data, work, packing.pack(position))
        assert steps.is_connected(data, work)
        for robot, item in itertools.product(range(data[ROBOTS]), range(4)):
            origin = work[CELLS + robot]
            if item < 3:
                target = steps.find_landing(data, work, robot, item)
            else:  # as it is carried on
                target = steps.destination(data, work, origin) if work[CODES + origin] >= CONVEYOR else -1
            if target in (-1, origin):
                continue
            steps.move_robot(data, work, robot, target)
            if steps.is_connected_locally(data, work, target, robot):
                assert steps.is_connected(data, work), (robot, item, position.text())
                sure += 1
            steps.move_robot(data, work, robot, origin)
    assert sure > 0 or width * height < 9
