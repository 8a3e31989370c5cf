"""The vocabulary of the source document as functions of a run (S11 to S17)."""

from __future__ import annotations

import inspect
from itertools import product

import pytest
from hypothesis import given
from tests.games.shiftit.boards import level, naive_connection, naive_reference, runs

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit.document import CM, RM, P, S, ShiftItVoc
from gridproof.games.shiftit.elements import Call, Element, named
from gridproof.games.shiftit.facts import structure_of_run
from gridproof.games.shiftit.rules import Move
from gridproof.games.shiftit.runs import Run
from gridproof.games.shiftit.structure import read_structures
from gridproof.games.shiftit.vocabulary import CONSTRUCTED, LISTED, SYMBOLS

RUN = Run(level("xrrr xggg xbbb*\nxyyy xooo xppp\nnames: a b c d e f"), 2, [RM(0, "left"), CM(1, "up")])
VOC = ShiftItVoc(RUN)


@pytest.mark.clause("S17")
def test_every_name_of_the_vocabulary_is_there_with_its_arity() -> None:
    for name in (*LISTED, *(name for name in CONSTRUCTED)):
        assert len(getattr(VOC, name)) > 0
    for name, symbol in SYMBOLS.items():
        value = getattr(VOC, name)
        if symbol.types:
            assert len(inspect.signature(value).parameters) == len(symbol.types)
    assert VOC.Start == 0


@pytest.mark.clause("S1", "S16")
def test_the_types() -> None:
    assert (VOC.Time, VOC.XCo, VOC.YCo, VOC.Co) == (range(3), range(3), range(2), (0, 1, 2))
    assert VOC.Pos[:2] == (P(0, 1), P(1, 1))
    assert VOC.Tile == ("a", "b", "c", "d", "e", "f")
    assert VOC.Dir == ("up", "right", "down", "left")
    assert VOC.Side[4] == S("b", "up")
    assert len(VOC.Move) == 2 * 4 + 3 * 4
    assert VOC.Colour == ("x", "red", "green", "blue", "yellow", "orange", "purple")


@pytest.mark.clause("S7", "S16")
def test_partial_functions_are_none_where_they_are_undefined() -> None:
    assert [VOC.Next(time) for time in VOC.Time] == [1, 2, None]
    assert [VOC.MoveAt(time) for time in VOC.Time] == [RM(0, "left"), CM(1, "up"), None]
    assert ShiftItVoc(RUN, ["turquoise"]).Ref("turquoise") is None
    assert VOC.Ref("x") == S("c", "up")


@pytest.mark.clause("S5", "S17")
def test_positions_and_what_moves_cause() -> None:
    assert [VOC.GetPos(time, "e") for time in VOC.Time] == [P(1, 0), P(0, 0), P(0, 0)]
    assert [VOC.GetPos(time, "f") for time in VOC.Time] == [P(2, 0), P(1, 0), P(1, 1)]
    assert VOC.Init_GetPos("f") == P(2, 0)
    assert [VOC.C_GetPos(time, "f") for time in VOC.Time] == [P(1, 0), P(1, 1), None]
    assert [VOC.CN_GetPos(time, "f") for time in VOC.Time] == [P(2, 0), P(1, 0), None]
    assert [VOC.C_GetPos(time, "e") for time in VOC.Time] == [P(0, 0), None, None]
    assert VOC.C_GetPos(0, "a") is None


@pytest.mark.clause("S2", "S3", "S4")
def test_colours_and_locks() -> None:
    assert [tile for tile in VOC.Tile if VOC.IsLocked(tile)] == ["c"]
    assert VOC.Colouring(S("a", "up")) == "x"
    assert VOC.Colouring(("a", "left")) == "red"
    assert VOC.Init_Colouring_Full("a") is None
    assert VOC.Init_Colouring(S("a", "left")) == "red"
    plain = ShiftItVoc(Run(level("r g\nb r"), 0))
    assert plain.Init_Colouring_Full("t1") == "red"
    assert plain.Init_Colouring(S("t1", "up")) is None


@given(runs(most=2, horizon=2))
@pytest.mark.clause("S11", "S12", "S13", "S14")
def test_reach_ref_and_the_end_are_as_the_document_says(run: Run) -> None:
    voc = ShiftItVoc(run)
    for colour in voc.Colour:
        index, direction = naive_reference(run.level, colour) or (0, "")
        assert voc.Ref(colour) == S(voc.Tile[index], direction)
    for time in voc.Time:
        connected = naive_connection(run.position(time))
        for (tile, direction), colour in product(voc.Side, voc.Colour):
            reference = naive_reference(run.level, colour)
            assert reference is not None
            reached = (voc.Tile.index(tile), direction) in connected[reference]
            assert voc.Reach(time, S(tile, direction), colour) == reached
        whole = all(voc.Reach(time, side, voc.Colouring(side)) for side in voc.Side)
        assert voc.Won(time) == (whole or (time > 0 and voc.Won(time - 1)))
        no_move = not run.level.valid_moves
        assert voc.GameEnded(time) == (voc.Won(time) or no_move or (time > 0 and voc.GameEnded(time - 1)))


def element(value: object) -> Element:
    """A value of the vocabulary as an element of a structure."""
    match value:
        case P(x, y):
            return Call("P", (x, y))
        case S(tile, direction):
            return Call("S", (named(tile), Call(direction)))
        case Move(kind, line, direction):
            return Call(kind, (line, Call(direction)))
    assert isinstance(value, int | str)
    return value


@given(runs(most=2, horizon=2))
@pytest.mark.clause("S17")
def test_the_functions_say_what_the_structure_of_the_run_says(run: Run) -> None:
    voc, found = ShiftItVoc(run), structure_of_run(run)
    domains = {"Tile": {name: named(name) for name in voc.Tile}}
    for name, symbol in SYMBOLS.items():
        for arguments in product(*(getattr(voc, type_name) for type_name in symbol.types)):
            value = getattr(voc, name) if not symbol.types else getattr(voc, name)(*arguments)
            row = tuple(
                domains["Tile"][argument] if type_name == "Tile" else element(argument)
                for type_name, argument in zip(symbol.types, arguments, strict=True)
            )
            if symbol.result is None:
                assert found.holds(name, row) is value
            else:
                assert found.values(name).get(row) == (None if value is None else element(value))


def test_a_structure_interprets_the_vocabulary_when_it_is_a_model() -> None:
    (found,) = read_structures(structure_of_run(RUN).text())
    voc = ShiftItVoc.of(found)
    assert (voc.run, voc.Colour) == (RUN, VOC.Colour)
    (broken,) = read_structures(structure_of_run(RUN).text().replace("IsLocked = { c }", "IsLocked = { d }"))
    with pytest.raises(GridproofError, match=r"no model: S6 at time 0, d: the tile is locked"):
        ShiftItVoc.of(broken)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: VOC.MoveAt(3), "3 is no Time: those are 0 to 2"),
        (lambda: VOC.Won(-1), "-1 is no Time: those are 0 to 2"),
        (lambda: VOC.Won(True), "True is no Time: those are 0 to 2"),
        (lambda: VOC.GetPos(0, "z"), "'z' is no Tile: those are a, b, c, d, e, f"),
        (
            lambda: VOC.Colouring(("a", "north")),
            r"\('a', 'north'\) is no Side: those are S\(tile, direction\)",
        ),
        (lambda: VOC.Reach(0, S("a", "up"), "pink"), "'pink' is no Colour: those are x, red"),
        (lambda: VOC.Ref("pink"), "'pink' is no Colour: those are x, red"),
    ],
)
def test_arguments_of_other_types_are_refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(GridproofError, match=reason):
        call()
