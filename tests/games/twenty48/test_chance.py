"""Chance in 2048: the start, what appears after a move, and how a seed determines it."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import draw
from gridproof.core.rng import Rng
from gridproof.core.session import Session
from gridproof.games.twenty48 import Level, Move, Position, Spawned

LEFT = Move.LEFT


def make_position(*rows: list[int], spawn: str = "spec") -> Position:
    return Level(len(rows[0]), len(rows), spawn, board=rows).start()


sizes = st.integers(2, 6)
seeds = st.integers(0, 2**64 - 1)
levels = st.builds(Level, sizes, sizes, st.sampled_from(["spec", "classic"]), st.sampled_from([8, 64, 2048]))


# -- T5: the start


@pytest.mark.clause("T5")
@pytest.mark.parametrize("size", [(2, 2), (4, 4), (3, 5)])
def test_starts_by_the_document(size: tuple[int, int]) -> None:
    starts = list(Level(*size).starts())
    cells = size[0] * size[1]
    assert sum(start.probability for start in starts) == 1
    assert len({start.label for start in starts}) == len({start.position for start in starts}) == len(starts)
    by_tiles: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    by_cells: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for start in starts:
        found = [(place, tile) for place, tile in enumerate(start.position.cells) if tile]
        by_tiles[tuple(tile for _, tile in found)] += start.probability
        by_cells[tuple(place for place, _ in found)] += start.probability
        assert start.reward == 0
        assert not start.position.won
    assert by_tiles == {(2, 2): Fraction(9, 10), (2, 4): Fraction(1, 20), (4, 2): Fraction(1, 20)}
    assert set(by_cells.values()) == {Fraction(2, cells * (cells - 1))}


@pytest.mark.clause("T5", "T10")
def test_starts_by_the_classic_rule() -> None:
    starts = list(Level(3, 2, "classic").starts())
    assert sum(start.probability for start in starts) == 1
    assert Counter(start.probability * 15 for start in starts) == {
        Fraction(81, 100): 15, Fraction(9, 100): 30, Fraction(1, 100): 15,
    }  # fmt: skip


@pytest.mark.clause("T5", "T18")
@pytest.mark.parametrize("spawn", ["spec", "classic"])
def test_seed_draws_one_of_the_starts(spawn: str) -> None:
    level = Level(3, 2, spawn)
    starts = list(level.starts())
    for seed in range(100):
        assert level.start(seed) == draw(starts, Rng(seed)).position
    seen = Counter(level.start(seed) for seed in range(3000))
    common = max(starts, key=lambda start: start.probability)
    assert seen[common.position] / 3000 == pytest.approx(float(common.probability), abs=0.02)
    with pytest.raises(GridproofError, match="seed -1"):
        level.start(-1)


def test_start_of_a_set_board_is_certain() -> None:
    level = Level(2, 2, board=[[2, 0], [0, 4]])
    (only,) = level.starts()
    assert only.probability == 1
    assert only.position == level.start(5) == level.start(6)


@pytest.mark.clause("T5")
def test_start_has_events_of_its_two_tiles() -> None:
    start = next(iter(Level(2, 2).starts()))
    assert start.label == "2@(0,0) 2@(0,1)"
    assert start.events == (Spawned((0, 0), 2), Spawned((0, 1), 2))


# -- T10: what appears


@pytest.mark.clause("T10")
def test_move_spawns_2_in_a_uniformly_chosen_empty_cell() -> None:
    outcomes = make_position([2, 2, 0], [4, 0, 0]).outcomes(LEFT)
    assert [(o.label, o.probability) for o in outcomes] == [
        ("2@(0,1)", Fraction(1, 4)),
        ("2@(0,2)", Fraction(1, 4)),
        ("2@(1,1)", Fraction(1, 4)),
        ("2@(1,2)", Fraction(1, 4)),
    ]
    assert outcomes[1].position.rows == ((4, 0, 2), (4, 0, 0))
    assert outcomes[1].events[-1] == Spawned((0, 2), 2)


@pytest.mark.clause("T10")
def test_classic_rule_also_spawns_fours() -> None:
    outcomes = make_position([2, 2], [4, 0], spawn="classic").outcomes(LEFT)
    assert [(o.label, o.probability, o.position.rows) for o in outcomes] == [
        ("2@(0,1)", Fraction(9, 20), ((4, 2), (4, 0))),
        ("4@(0,1)", Fraction(1, 20), ((4, 4), (4, 0))),
        ("2@(1,1)", Fraction(9, 20), ((4, 0), (4, 2))),
        ("4@(1,1)", Fraction(1, 20), ((4, 0), (4, 4))),
    ]


@pytest.mark.clause("T10", "T17", "T18")
@given(levels, seeds)
def test_drawn_and_named_outcomes_are_listed_ones(level: Level, seed: int) -> None:
    position = level.start(seed)
    for move in position.actions():
        outcomes = position.outcomes(move)
        assert sum(outcome.probability for outcome in outcomes) == 1
        assert len({outcome.label for outcome in outcomes}) == len(outcomes)
        assert position.step(move, Rng(seed, 7)) == draw(outcomes, Rng(seed, 7))
        assert all(position.outcome(move, outcome.label) == outcome for outcome in outcomes)


@pytest.mark.clause("T10")
@pytest.mark.parametrize("label", ["", "2@(0,0)", "4@(0,1)", "2@(5,5)", "nothing"])
def test_outcome_refuses_unknown_label(label: str) -> None:
    with pytest.raises(IllegalAction, match="no outcome"):
        make_position([2, 2], [4, 0]).outcome(LEFT, label)


@pytest.mark.clause("T10")
def test_drawn_tiles_have_their_probabilities() -> None:
    position = make_position([2, 2], [4, 0], spawn="classic")
    drawn = Counter(position.step(LEFT, Rng(seed)).label for seed in range(4000))
    for outcome in position.outcomes(LEFT):
        assert drawn[outcome.label] / 4000 == pytest.approx(float(outcome.probability), abs=0.03)


# -- T18: chance


@pytest.mark.clause("T18")
def test_seed_means_the_same_game_everywhere() -> None:
    session = Session(Level(), seed=2048)
    assert session.position == Level().position("0 2 0 0\n0 0 0 0\n0 0 0 0\n2 0 0 0\n")
    labels = [session.act(move).label for move in ["left", "up", "right", "down", "left", "left", "down"]]
    assert labels == ["2@(1,2)", "2@(0,3)", "2@(3,1)", "2@(3,0)", "2@(1,1)", "2@(0,3)", "2@(0,2)"]
    assert session.position == Level().position("0 0 2 0\n0 0 0 0\n2 0 0 0\n4 8 0 2\n")


@pytest.mark.clause("T18")
def test_undone_action_draws_the_same_tile_again() -> None:
    session = Session(Level(spawn="classic"), seed=5)
    for number in range(30):
        actions = session.position.actions()
        first = session.act(actions[0])
        session.undo()
        session.act(actions[-1])
        session.undo()
        assert session.act(actions[0]) == first, number


@pytest.mark.clause("T18")
@pytest.mark.parametrize(("spawn", "urn"), [("spec", [2]), ("classic", [2] * 9 + [4])])
def test_drawn_numbers_are_as_documented(spawn: str, urn: list[int]) -> None:
    session = Session(Level(3, 3, spawn), seed=99)
    for number in range(1, 12):
        move = session.position.actions()[0]
        empty = list(dict.fromkeys(o.label.split("@")[1] for o in session.position.outcomes(move)))
        drawn = Rng(99, number).below(len(empty) * len(urn))
        value, cell = urn[drawn % len(urn)], empty[drawn // len(urn)]
        assert session.act(move).label == f"{value}@{cell}"


@pytest.mark.clause("T10")
def test_spawn_rule_must_be_a_name() -> None:
    with pytest.raises(gp.InvalidLevel) as refused:
        Level(4, 4, ["spec"])  # type: ignore[arg-type]
    assert [problem.code for problem in refused.value.problems] == ["T10-spawn"]
