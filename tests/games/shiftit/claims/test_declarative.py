"""S19 to S24 and S27: the theory, solved by clingo, says what the positions say, and its answer sets are the runs."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest
from tests.games.shiftit.boards import level, structure_of_run, unwinnable_board

import gridproof as gp
from gridproof.games.shiftit import Level, Tile
from gridproof.games.shiftit.claims.answer_set import Theory
from gridproof.games.shiftit.elements import DIRECTIONS, Call, Element
from gridproof.games.shiftit.idp.model import check_model
from gridproof.games.shiftit.runs import Run, all_runs

ANSWERS = ("MoveAt", "GetPos", "C_GetPos", "CN_GetPos", "Reach", "GameEnded", "Won", "Colouring", "Ref")
"""The symbols of a run."""
ATOMS = {"cn_GetPos" if name == "CN_GetPos" else name[0].lower() + name[1:]: name for name in ANSWERS}

Truth = frozenset[tuple[str, tuple[Element, ...]]]


def facts_of_run(run: Run) -> Truth:
    """Return the facts of a run."""
    tables = structure_of_run(run).tables
    return frozenset((name, row) for name in ANSWERS for row in tables[name].certain)


def facts_of_model(model: Any) -> Truth:
    """Return the facts of an answer set."""
    return frozenset(filter(None, map(atom_row, model.symbols(atoms=True))))


@functools.cache
def atom_row(atom: Any) -> tuple[str, tuple[Element, ...]] | None:
    """Return a symbol of a run and a row of its table; None for another atom."""
    if atom.name not in ATOMS:
        return None
    return ATOMS[atom.name], tuple(map(element, atom.arguments))


def element(symbol: Any) -> Element:
    """Return a term of an answer set as the element of a structure."""
    if symbol.type.name == "Number":
        return cast("int", symbol.number)
    if symbol.type.name == "String":
        return cast("str", symbol.string)
    name = symbol.name if symbol.name in DIRECTIONS else symbol.name.upper()
    return Call(name, tuple(map(element, symbol.arguments)))


def random_boards(count: int) -> Iterator[Level]:
    """Boards of up to six tiles, some with locks, of few colours and of many."""
    draw = random.Random(12)
    sizes = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (2, 2), (1, 3), (3, 1), (3, 2), (2, 3)]
    for number in range(count):
        width, height = sizes[number % len(sizes)]
        palette = ["red", "blue", "green", "da\\rk"][: 1 + number % 4]
        tiles = []
        for place in range(width * height):
            whole = draw.random() < 0.5
            colours: Any = draw.choice(palette) if whole else [draw.choice(palette) for _ in range(4)]
            tiles.append(
                Tile(f"t{place}", place % width - 1, place // width + 2, colours, draw.random() < 0.12)
            )
        yield Level(tiles)


def check_engines(board: Level, horizon: int) -> None:
    """Check that claims, their vacuity and both counts are the same."""
    both = [gp.claims(board, horizon, engine=name) for name in ("explicit", "clingo")]
    told = [[(one.holds, one.vacuous, one.trace is None) for one in verdicts] for verdicts in both]
    assert told[0] == told[1], (board.text(), horizon)
    counts = [gp.runs(board, horizon, engine=name) for name in ("explicit", "clingo")]
    assert (counts[0].count, counts[0].won) == (counts[1].count, counts[1].won), (board.text(), horizon)


@pytest.mark.clause("S16", "S19", "S20", "S21", "S22", "S23", "S24", "S27")
@pytest.mark.parametrize("number", range(5))
def test_both_engines_agree_on_small_boards(number: int) -> None:
    board = list(random_boards(5))[number]
    for horizon in range(3):
        check_engines(board, horizon)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.clause("S16", "S19", "S20", "S21", "S22", "S23", "S24", "S27")
def test_both_engines_agree_on_twenty_boards_up_to_five() -> None:
    for board in random_boards(20):
        for horizon in range(6):
            check_engines(board, horizon)
            models(board, horizon, 100)


def models(board: Level, horizon: int, most: int | None = None) -> set[Run]:
    """Return the runs of the first answer sets, and check that they differ, that their facts agree and that the first is a model."""
    theory = Theory(board, horizon, gp.Limit().start())
    found = [
        (theory.run_of(model), facts_of_model(model)) for model in itertools.islice(theory.models(), most)
    ]
    assert all(facts_of_run(run) == truth for run, truth in found), (board.text(), horizon)
    assert check_model(structure_of_run(found[0][0])).holds
    runs = {run for run, _ in found}
    assert len(runs) == len(found)
    return runs


def same_models(board: Level, horizon: int) -> None:
    """Each model of one engine is a model of the other."""
    runs = models(board, horizon)
    assert runs == set(all_runs(board, horizon))
    assert len(runs) == gp.runs(board, horizon).count


@pytest.mark.slow
@pytest.mark.clause("S16", "S17", "S27")
@pytest.mark.parametrize("text", ["b r\nr b", "brrb rryy\nggrr roor", "r* g b\nb  r g", "b r b"])
def test_engines_have_the_same_models(text: str) -> None:
    same_models(level(text), 2)


@pytest.mark.slow
@pytest.mark.clause("S16", "S17", "S27")
def test_engines_have_the_same_models_on_many_boards() -> None:
    for board in random_boards(30):
        same_models(board, 2)


@pytest.mark.clause("S22")
def test_both_engines_find_a_run_without_a_split() -> None:
    held = [gp.claims(level("b r\nr b"), 2, engine=name)[3] for name in ("explicit", "clingo")]
    assert [verdict.holds for verdict in held] == [True, True]
    assert all(verdict.trace and verdict.trace.replay().status is gp.Status.WON for verdict in held)


def test_runs_use_the_chosen_engine() -> None:
    board = unwinnable_board(2, 2)
    assert set(gp.runs(board, 1, engine="clingo")) == set(gp.runs(board, 1))


def test_too_large_theory_is_refused() -> None:
    with pytest.raises(gp.GridproofError, match="the explicit engine has no such bound"):
        gp.claims(unwinnable_board(2, 2), 10**6, engine="clingo")


def test_limit_stops_the_solver() -> None:
    board, limit = unwinnable_board(2, 2), gp.Limit(seconds=0)
    runs = gp.runs(board, 2, engine="clingo", limit=limit)
    assert (runs.count, runs.stopped_by) == (None, "seconds")
    assert {verdict.holds for verdict in gp.claims(board, 2, engine="clingo", limit=limit)} == {None}
