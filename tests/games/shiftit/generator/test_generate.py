"""New boards of Shift It."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng
from gridproof.games.shiftit import Level, generator
from gridproof.search.solve import breadth_first


def generate(seed: int, **parameters: Any) -> Level:
    board = gp.generate("shiftit", seed, **parameters)
    assert isinstance(board, Level)
    return board


def steps(board: Level) -> int:
    assert board.certificate is not None
    return len(board.certificate.steps)


@pytest.mark.slow
@examples(40)
@given(
    seed=st.integers(0, 2**64 - 1),
    width=st.integers(1, 4),
    height=st.integers(1, 3),
    data=st.data(),
)
def test_generate_always_makes_a_winnable_board(
    seed: int, width: int, height: int, data: st.DataObject
) -> None:
    height = max(height, 2) if width == 1 else height
    colours = data.draw(st.integers(2, min(26, 4 * width * height - 1)))
    most = max(height * (width - 1) if height > 1 else 0, (height - 1) * width if width > 1 else 0)
    locks = data.draw(st.integers(0, most))
    moves = data.draw(st.none() | st.integers(1, 4))
    board = generate(seed, width=width, height=height, colours=colours, locks=locks, moves=moves)
    assert (len(board.columns), len(board.rows), len(board.colours)) == (width, height, colours)
    assert sum(tile.locked for tile in board.tiles) == locks
    assert not board.start().won
    assert board.certificate is not None
    assert board.certificate.start == board.start()
    assert board.certificate.replay().won
    assert board.keys["Moves"] == str(steps(board))
    assert ("Missed" in board.keys) or moves in (None, steps(board))
    (again,) = gp.read(board.text())
    assert (again, again.title, dict(again.keys)) == (board, board.title, dict(board.keys))


@pytest.mark.slow
def test_generate_depends_on_the_seed_alone() -> None:
    first, again, other = (generate(seed, width=2, colours=4) for seed in (5, 5, 6))
    assert (first.text(), first.certificate) == (again.text(), again.certificate)
    assert first != other
    assert len({generate(seed, moves=2).text() for seed in range(12)}) == 12


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{"moves": 3}, {"width": 2}, {"locks": 1}, {"difficulty": 300}])
def test_keys_agree_with_the_search(parameters: dict[str, int]) -> None:
    board = generate(1, **parameters)
    solution, plain = gp.solve(board), breadth_first(board.start())
    assert (solution.optimal, solution.cost, plain.cost) == (True, steps(board), steps(board))
    assert board.keys == {"Moves": str(solution.cost), "Difficulty": str(plain.states)}


@pytest.mark.slow
@pytest.mark.slow
def test_fewest_moves_are_proved_without_a_difficulty() -> None:
    """Breadth-first search would have to see more positions than a proof may take."""
    for seed in range(3):
        board = generate(seed, width=4, height=4, colours=5, moves=8)
        assert board.keys == {"Moves": "8"}
        assert (gp.solve(board).cost, gp.solve(board).optimal) == (8, True)


@pytest.mark.slow
def test_generate_reaches_targets() -> None:
    for moves in range(1, 5):
        assert steps(generate(moves, moves=moves)) == moves
    for difficulty in (100, 1000, 5000):
        effort = int(generate(3, difficulty=difficulty).keys["Difficulty"])
        assert difficulty / 1.5 <= effort <= difficulty * 1.5


@pytest.mark.slow
def test_missed_targets_are_listed() -> None:
    assert generate(0, width=2, height=2, moves=9).keys["Missed"] == "9 moves"
    assert generate(0, width=2, height=2, difficulty=9999).keys["Missed"] == "a difficulty of 9999"
    scrambled = generate(0, width=7, height=6, moves=12)
    assert scrambled.keys["Missed"] == "a proof that 12 moves are the fewest"
    assert steps(scrambled) == 12


@pytest.mark.slow
def test_simple_boards_always_exist() -> None:
    """Every size, number of colours and number of locks has a board of one move."""
    for width, height in [(1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3)]:
        for colours in range(2, min(26, 4 * width * height - 1) + 1):
            most = max(height * (width - 1) if height > 1 else 0, (height - 1) * width if width > 1 else 0)
            for locks in {0, most // 2, most}:
                wish = generator.Target(width, height, colours, locks, None, None)
                simple = generator._make_simple_board(Rng(colours), wish)
                board = simple.trace.level
                assert isinstance(board, Level)
                assert simple.optimal
                assert (len(simple.trace.steps), simple.trace.replay().won) == (1, True)
                assert len(board.colours) == colours
                assert sum(tile.locked for tile in board.tiles) == locks


@pytest.mark.slow
def test_generate_falls_back_to_simple_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_scramble", lambda *_: None)
    assert steps(generate(0)) == 1


@pytest.mark.slow
def test_colours_are_regions_with_shapes() -> None:
    """Tiles have several colours, and each colour has at least half of its share."""
    boards = [generate(seed, width=4, height=4, colours=4, moves=2) for seed in range(10)]
    mixed = [sum(len(set(tile.colours)) > 1 for tile in board.tiles) for board in boards]
    assert all(2 <= count <= 12 for count in mixed)
    for board in boards:
        sides = [colour for tile in board.tiles for colour in tile.colours]
        assert min(sides.count(colour) for colour in board.colours) >= 8


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"width": 0}, "width=0: "),
        ({"width": 11}, "width=11: "),
        ({"width": "3"}, "width='3': "),
        ({"height": 2.0}, "height=2.0: "),
        ({"width": 1, "height": 1}, "height=1: "),
        ({"colours": 1}, "colours=1: "),
        ({"colours": 27}, "colours=27: "),
        ({"width": 2, "height": 1, "colours": 8}, "colours=8: "),
        ({"colours": True}, "colours=True: "),
        ({"locks": -1}, "locks=-1: "),
        ({"locks": 7}, "locks=7: "),
        ({"width": 1, "height": 3, "locks": 1}, "locks=1: "),
        ({"moves": 0}, "moves=0: "),
        ({"moves": 101}, "moves=101: "),
        ({"difficulty": 0}, "difficulty=0: "),
        ({"difficulty": 10**7}, "difficulty=10000000: "),
        ({"moves": 2, "difficulty": 9}, "moves and difficulty"),
        ({"boxes": 2}, "no parameter 'boxes'"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], told: str) -> None:
    with pytest.raises(GridproofError, match=told.replace("(", r"\(")):
        gp.generate("shiftit", 0, **parameters)


@pytest.mark.slow
def test_wrong_seeds_are_refused() -> None:
    for seed in (-1, 2**64, True, "1"):
        with pytest.raises(GridproofError, match="seed"):
            gp.generate("shiftit", seed)  # type: ignore[arg-type]  # what is tried
        with pytest.raises(GridproofError, match="seed"):
            generator.generate(seed)  # type: ignore[arg-type]  # what is tried
