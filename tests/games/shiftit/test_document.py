"""The vocabulary of the source document as functions of a run (S11 to S17)."""

from __future__ import annotations

import functools
import inspect
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import level, naive_connection, naive_reference, read, runs, structure_of_run

from gridproof.core.errors import GridproofError
from gridproof.games.shiftit.document import CM, RM, P, S, ShiftItVoc
from gridproof.games.shiftit.elements import Call, Element, parse_name
from gridproof.games.shiftit.idp.conversion import board_tables, function_of
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS
from gridproof.games.shiftit.rules import Move
from gridproof.games.shiftit.runs import Run


@functools.cache
def sample_run() -> Run:
    return Run(level("xrrr xggg xbbb*\nxyyy xooo xppp\nnames: a b c d e f"), 2, [RM(0, "left"), CM(1, "up")])


@functools.cache
def sample_vocabulary() -> ShiftItVoc:
    return ShiftItVoc(sample_run())


@pytest.mark.clause("S17")
def test_vocabulary_has_all_names_with_their_arity() -> None:
    for name in (*LISTED, *(name for name in CONSTRUCTED)):
        assert len(getattr(sample_vocabulary(), name)) > 0
    for name, symbol in SYMBOLS.items():
        value = getattr(sample_vocabulary(), name)
        if symbol.types:
            assert len(inspect.signature(value).parameters) == len(symbol.types)
    assert sample_vocabulary().Start == 0


@pytest.mark.clause("S1", "S16")
def test_types_have_their_elements() -> None:
    assert (
        sample_vocabulary().Time,
        sample_vocabulary().XCo,
        sample_vocabulary().YCo,
        sample_vocabulary().Co,
    ) == (
        range(3),
        range(3),
        range(2),
        (0, 1, 2),
    )
    assert sample_vocabulary().Pos[:2] == (P(0, 1), P(1, 1))
    assert sample_vocabulary().Tile == ("a", "b", "c", "d", "e", "f")
    assert sample_vocabulary().Dir == ("up", "right", "down", "left")
    assert sample_vocabulary().Side[4] == S("b", "up")
    assert len(sample_vocabulary().Move) == 2 * 4 + 3 * 4
    assert sample_vocabulary().Colour == ("x", "red", "green", "blue", "yellow", "orange", "purple")


@pytest.mark.clause("S7", "S16")
def test_partial_functions_are_none_where_they_are_undefined() -> None:
    assert [sample_vocabulary().Next(time) for time in sample_vocabulary().Time] == [1, 2, None]
    assert [sample_vocabulary().MoveAt(time) for time in sample_vocabulary().Time] == [
        RM(0, "left"),
        CM(1, "up"),
        None,
    ]
    assert ShiftItVoc(sample_run(), ["turquoise"]).Ref("turquoise") is None
    assert sample_vocabulary().Ref("x") == S("c", "up")


@pytest.mark.clause("S5", "S17")
def test_positions_and_what_moves_cause() -> None:
    assert [sample_vocabulary().GetPos(time, "e") for time in sample_vocabulary().Time] == [
        P(1, 0),
        P(0, 0),
        P(0, 0),
    ]
    assert [sample_vocabulary().GetPos(time, "f") for time in sample_vocabulary().Time] == [
        P(2, 0),
        P(1, 0),
        P(1, 1),
    ]
    assert sample_vocabulary().Init_GetPos("f") == P(2, 0)
    assert [sample_vocabulary().C_GetPos(time, "f") for time in sample_vocabulary().Time] == [
        P(1, 0),
        P(1, 1),
        None,
    ]
    assert [sample_vocabulary().CN_GetPos(time, "f") for time in sample_vocabulary().Time] == [
        P(2, 0),
        P(1, 0),
        None,
    ]
    assert [sample_vocabulary().C_GetPos(time, "e") for time in sample_vocabulary().Time] == [
        P(0, 0),
        None,
        None,
    ]
    assert sample_vocabulary().C_GetPos(0, "a") is None


@pytest.mark.clause("S2", "S3", "S4")
def test_colours_and_locks() -> None:
    assert [tile for tile in sample_vocabulary().Tile if sample_vocabulary().IsLocked(tile)] == ["c"]
    assert sample_vocabulary().Colouring(S("a", "up")) == "x"
    assert sample_vocabulary().Colouring(("a", "left")) == "red"
    assert sample_vocabulary().Init_Colouring_Full("a") is None
    assert sample_vocabulary().Init_Colouring(S("a", "left")) == "red"
    plain = ShiftItVoc(Run(level("r g\nb r"), 0))
    assert plain.Init_Colouring_Full("t1") == "red"
    assert plain.Init_Colouring(S("t1", "up")) is None


@pytest.mark.slow
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
            return Call("S", (parse_name(tile), Call(direction)))
        case Move(kind, line, direction):
            return Call(kind, (line, Call(direction)))
    assert isinstance(value, int | str)
    return value


@pytest.mark.slow
@given(runs(most=2, horizon=2))
@pytest.mark.clause("S17")
def test_functions_agree_with_the_structure_of_the_run(run: Run) -> None:
    voc, found = ShiftItVoc(run), structure_of_run(run)
    domains = {"Tile": {name: parse_name(name) for name in voc.Tile}}
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


def test_vocabulary_is_interpreted_by_models_only() -> None:
    (found,) = read_structures(structure_of_run(sample_run()).text())
    voc = ShiftItVoc.of(found)
    assert (voc.run, voc.Colour) == (sample_run(), sample_vocabulary().Colour)
    (broken,) = read_structures(
        structure_of_run(sample_run()).text().replace("IsLocked = { c }", "IsLocked = { d }")
    )
    with pytest.raises(GridproofError, match=r"no model: S6 at time 0, d: the tile is locked"):
        ShiftItVoc.of(broken)


TWO_TILES = "Time = { 0..1 } XCo = { 0; 1 } YCo = { 0 } Tile = { a; b } IsLocked = { } Init_GetPos = { a->P(0,0); b->P(1,0) }"


@pytest.mark.clause("S3", "S17")
def test_vocabulary_returns_the_colours_of_its_structure() -> None:
    full = 'Init_Colouring_Full = { a->"blue"; b->"red" }'
    voc = ShiftItVoc.of(read(f'{TWO_TILES} {full} Init_Colouring = {{ S(a,up)->"green" }}'))
    assert [voc.init_colouring_full(tile) for tile in voc.Tile] == ["blue", "red"]
    assert [voc.Init_Colouring(side) for side in voc.Side] == ["green", *[None] * 7]
    assert [voc.Colouring(side) for side in voc.Side] == ["green", *["blue"] * 3, *["red"] * 4]
    same = ShiftItVoc.of(read(f'{TWO_TILES} {full} Init_Colouring = {{ S(a,up)->"blue" }}'))
    assert (same.Init_Colouring_Full("a"), same.init_colouring(("a", "up"))) == ("blue", "blue")
    assert same.init_colouring(("a", "down")) is None


@pytest.mark.clause("S3")
def test_missing_colours_of_sides_are_those_of_the_colouring() -> None:
    sides = "; ".join(f"S({tile},{way})->red" for tile in "ab" for way in ("up", "down", "left", "right"))
    voc = ShiftItVoc.of(read(f"{TWO_TILES} Colouring = {{ {sides} }}"))
    assert {voc.Init_Colouring(side) for side in voc.Side} == {"red"}
    assert {voc.Init_Colouring_Full(tile) for tile in voc.Tile} == {None}


@pytest.mark.slow
@given(runs(most=2, horizon=1), st.data())
@pytest.mark.clause("S3", "S17")
def test_vocabulary_never_contradicts_its_structure(run: Run, data: st.DataObject) -> None:
    whole = structure_of_run(run)
    level_colours = st.sampled_from(run.level.colours)
    full = {(parse_name(tile.name),): data.draw(level_colours) for tile in run.level.tiles}
    sides = data.draw(st.sets(st.sampled_from(ShiftItVoc(run).Side)))
    own = {(element(side),): data.draw(level_colours) for side in sorted(sides)}
    given_tables = {"Init_Colouring_Full": function_of(full), "Init_Colouring": function_of(own)}
    board = {name: table for name, table in whole.tables.items() if name in board_tables(run.level, 0)}
    given_structure = Structure(board | given_tables)
    voc = ShiftItVoc.of(given_structure)
    for tile in voc.Tile:
        assert voc.Init_Colouring_Full(tile) == full[parse_name(tile),]
    for side in voc.Side:
        assert voc.Init_Colouring(side) == own.get((element(side),))
        assert voc.Colouring(side) == (voc.Init_Colouring(side) or voc.Init_Colouring_Full(side.tile))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: sample_vocabulary().MoveAt(3), "3 is no Time: those are 0 to 2"),
        (lambda: sample_vocabulary().Won(-1), "-1 is no Time: those are 0 to 2"),
        (lambda: sample_vocabulary().Won(True), "True is no Time: those are 0 to 2"),
        (lambda: sample_vocabulary().GetPos(0, "z"), "'z' is no Tile: those are a, b, c, d, e, f"),
        (
            lambda: sample_vocabulary().Colouring(("a", "north")),
            r"\('a', 'north'\) is no Side: those are S\(tile, direction\)",
        ),
        (lambda: sample_vocabulary().Init_Colouring(("a", "north")), r"\('a', 'north'\) is no Side"),
        (lambda: sample_vocabulary().Init_Colouring(("z", "up")), "'z' is no Tile"),
        (lambda: sample_vocabulary().Init_Colouring_Full("z"), "'z' is no Tile"),
        (lambda: sample_vocabulary().Reach(0, S("a", "up"), "pink"), "'pink' is no Colour: those are x, red"),
        (lambda: sample_vocabulary().Ref("pink"), "'pink' is no Colour: those are x, red"),
    ],
)
def test_arguments_of_other_types_are_refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(GridproofError, match=reason):
        call()
