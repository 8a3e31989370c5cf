"""The vocabulary of the source document as functions of a run (S11 to S17)."""

from __future__ import annotations

import functools
import inspect
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import level, naive_connection, naive_reference, read, runs

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit.document import CM, RM, P, S, ShiftItVoc
from gridproof.games.shiftit.elements import Call, Element, named
from gridproof.games.shiftit.idp.conversion import board_tables, function_of
from gridproof.games.shiftit.idp.facts import structure_of_run
from gridproof.games.shiftit.idp.structure import Structure, read_structures
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS
from gridproof.games.shiftit.rules import Move
from gridproof.games.shiftit.runs import Run


@functools.cache
def some_run() -> Run:
    return Run(level("xrrr xggg xbbb*\nxyyy xooo xppp\nnames: a b c d e f"), 2, [RM(0, "left"), CM(1, "up")])


@functools.cache
def document_of_it() -> ShiftItVoc:
    return ShiftItVoc(some_run())


@pytest.mark.clause("S17")
def test_every_name_of_the_vocabulary_is_there_with_its_arity() -> None:
    for name in (*LISTED, *(name for name in CONSTRUCTED)):
        assert len(getattr(document_of_it(), name)) > 0
    for name, symbol in SYMBOLS.items():
        value = getattr(document_of_it(), name)
        if symbol.types:
            assert len(inspect.signature(value).parameters) == len(symbol.types)
    assert document_of_it().Start == 0


@pytest.mark.clause("S1", "S16")
def test_the_types() -> None:
    assert (document_of_it().Time, document_of_it().XCo, document_of_it().YCo, document_of_it().Co) == (
        range(3),
        range(3),
        range(2),
        (0, 1, 2),
    )
    assert document_of_it().Pos[:2] == (P(0, 1), P(1, 1))
    assert document_of_it().Tile == ("a", "b", "c", "d", "e", "f")
    assert document_of_it().Dir == ("up", "right", "down", "left")
    assert document_of_it().Side[4] == S("b", "up")
    assert len(document_of_it().Move) == 2 * 4 + 3 * 4
    assert document_of_it().Colour == ("x", "red", "green", "blue", "yellow", "orange", "purple")


@pytest.mark.clause("S7", "S16")
def test_partial_functions_are_none_where_they_are_undefined() -> None:
    assert [document_of_it().Next(time) for time in document_of_it().Time] == [1, 2, None]
    assert [document_of_it().MoveAt(time) for time in document_of_it().Time] == [
        RM(0, "left"),
        CM(1, "up"),
        None,
    ]
    assert ShiftItVoc(some_run(), ["turquoise"]).Ref("turquoise") is None
    assert document_of_it().Ref("x") == S("c", "up")


@pytest.mark.clause("S5", "S17")
def test_positions_and_what_moves_cause() -> None:
    assert [document_of_it().GetPos(time, "e") for time in document_of_it().Time] == [
        P(1, 0),
        P(0, 0),
        P(0, 0),
    ]
    assert [document_of_it().GetPos(time, "f") for time in document_of_it().Time] == [
        P(2, 0),
        P(1, 0),
        P(1, 1),
    ]
    assert document_of_it().Init_GetPos("f") == P(2, 0)
    assert [document_of_it().C_GetPos(time, "f") for time in document_of_it().Time] == [
        P(1, 0),
        P(1, 1),
        None,
    ]
    assert [document_of_it().CN_GetPos(time, "f") for time in document_of_it().Time] == [
        P(2, 0),
        P(1, 0),
        None,
    ]
    assert [document_of_it().C_GetPos(time, "e") for time in document_of_it().Time] == [P(0, 0), None, None]
    assert document_of_it().C_GetPos(0, "a") is None


@pytest.mark.clause("S2", "S3", "S4")
def test_colours_and_locks() -> None:
    assert [tile for tile in document_of_it().Tile if document_of_it().IsLocked(tile)] == ["c"]
    assert document_of_it().Colouring(S("a", "up")) == "x"
    assert document_of_it().Colouring(("a", "left")) == "red"
    assert document_of_it().Init_Colouring_Full("a") is None
    assert document_of_it().Init_Colouring(S("a", "left")) == "red"
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
    (found,) = read_structures(structure_of_run(some_run()).text())
    voc = ShiftItVoc.of(found)
    assert (voc.run, voc.Colour) == (some_run(), document_of_it().Colour)
    (broken,) = read_structures(
        structure_of_run(some_run()).text().replace("IsLocked = { c }", "IsLocked = { d }")
    )
    with pytest.raises(GridproofError, match=r"no model: S6 at time 0, d: the tile is locked"):
        ShiftItVoc.of(broken)


TWO_TILES = "Time = { 0..1 } XCo = { 0; 1 } YCo = { 0 } Tile = { a; b } IsLocked = { } Init_GetPos = { a->P(0,0); b->P(1,0) }"


@pytest.mark.clause("S3", "S17")
def test_what_a_structure_colours_is_answered_as_it_is_given() -> None:
    full = 'Init_Colouring_Full = { a->"blue"; b->"red" }'
    voc = ShiftItVoc.of(read(f'{TWO_TILES} {full} Init_Colouring = {{ S(a,up)->"green" }}'))
    assert [voc.init_colouring_full(tile) for tile in voc.Tile] == ["blue", "red"]
    assert [voc.Init_Colouring(side) for side in voc.Side] == ["green", *[None] * 7]
    assert [voc.Colouring(side) for side in voc.Side] == ["green", *["blue"] * 3, *["red"] * 4]
    same = ShiftItVoc.of(read(f'{TWO_TILES} {full} Init_Colouring = {{ S(a,up)->"blue" }}'))
    assert (same.Init_Colouring_Full("a"), same.init_colouring(("a", "up"))) == ("blue", "blue")
    assert same.init_colouring(("a", "down")) is None


@pytest.mark.clause("S3")
def test_colours_of_sides_that_are_left_out_are_those_of_the_colouring() -> None:
    sides = "; ".join(f"S({tile},{way})->red" for tile in "ab" for way in ("up", "down", "left", "right"))
    voc = ShiftItVoc.of(read(f"{TWO_TILES} Colouring = {{ {sides} }}"))
    assert {voc.Init_Colouring(side) for side in voc.Side} == {"red"}
    assert {voc.Init_Colouring_Full(tile) for tile in voc.Tile} == {None}


@given(runs(most=2, horizon=1), st.data())
@pytest.mark.clause("S3", "S17")
def test_the_vocabulary_of_a_structure_never_contradicts_it(run: Run, data: st.DataObject) -> None:
    whole = structure_of_run(run)
    level_colours = st.sampled_from(run.level.colours)
    full = {(named(tile.name),): data.draw(level_colours) for tile in run.level.tiles}
    sides = data.draw(st.sets(st.sampled_from(ShiftItVoc(run).Side)))
    own = {(element(side),): data.draw(level_colours) for side in sorted(sides)}
    given_tables = {"Init_Colouring_Full": function_of(full), "Init_Colouring": function_of(own)}
    board = {name: table for name, table in whole.tables.items() if name in board_tables(run.level, 0)}
    given_structure = Structure(board | given_tables)
    voc = ShiftItVoc.of(given_structure)
    for tile in voc.Tile:
        assert voc.Init_Colouring_Full(tile) == full[named(tile),]
    for side in voc.Side:
        assert voc.Init_Colouring(side) == own.get((element(side),))
        assert voc.Colouring(side) == (voc.Init_Colouring(side) or voc.Init_Colouring_Full(side.tile))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: document_of_it().MoveAt(3), "3 is no Time: those are 0 to 2"),
        (lambda: document_of_it().Won(-1), "-1 is no Time: those are 0 to 2"),
        (lambda: document_of_it().Won(True), "True is no Time: those are 0 to 2"),
        (lambda: document_of_it().GetPos(0, "z"), "'z' is no Tile: those are a, b, c, d, e, f"),
        (
            lambda: document_of_it().Colouring(("a", "north")),
            r"\('a', 'north'\) is no Side: those are S\(tile, direction\)",
        ),
        (lambda: document_of_it().Init_Colouring(("a", "north")), r"\('a', 'north'\) is no Side"),
        (lambda: document_of_it().Init_Colouring(("z", "up")), "'z' is no Tile"),
        (lambda: document_of_it().Init_Colouring_Full("z"), "'z' is no Tile"),
        (lambda: document_of_it().Reach(0, S("a", "up"), "pink"), "'pink' is no Colour: those are x, red"),
        (lambda: document_of_it().Ref("pink"), "'pink' is no Colour: those are x, red"),
    ],
)
def test_arguments_of_other_types_are_refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(GridproofError, match=reason):
        call()
