"""S17: what fits the vocabulary of structures; and the boards that structures give (S1 to S4, S16)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.games.shiftit.boards import read

import gridproof as gp
from gridproof.core.errors import InvalidLevel, ParseError
from gridproof.games.shiftit.elements import Call, Element, Real
from gridproof.games.shiftit.idp.conversion import horizon_of, level_of
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import SYMBOLS, Table, element_rank

TYPED = {
    "constructed": ("Pos = { P(0,0) }", "line 2, column 1: S17: Pos is a constructed type: it is not listed"),
    "type in parts": ("Tile<ct> = { a }", "line 2, column 1: S17: Tile is a type: it is listed with ="),
    "type as a map": ("Tile = { a->1 }", "line 2, column 1: S17: Tile is a type: it is listed with ="),
    "type of pairs": ("Tile = { a,b }", "line 2, column 10: S17: Tile has 1 argument, not 2"),
    "time of words": ("Time = { 0; soon }", "line 2, column 13: S17: soon is no Time: whole numbers are"),
    "coordinate": ("XCo = { 0.5 }", "line 2, column 9: S17: 0.5 is no XCo: whole numbers are"),
    "colour of numbers": ("Colour = { 1 }", "line 2, column 12: S17: 1 is no Colour: strings are"),
    "tile": ("Tile = { P(0,0) }", "line 2, column 10: S17: P(0,0) is no Tile: identifiers, numbers and strings are"),
    "arity": ("Won = { 0,1 }", "line 2, column 9: S17: Won has 1 argument, not 2"),
    "arity of a truth": ("Won = true", "line 2, column 7: S17: Won has 1 argument, not 0"),
    "function arity": ("GetPos<ct> = { a->P(0,0) }", "line 2, column 16: S17: GetPos has 2 arguments, not 1"),
    "function without arrow": ("Next = { 0,1 }", "line 2, column 1: S17: Next is a function: its rows are written a->b"),
    "predicate with arrow": ("Won = { 0->1 }", "line 2, column 1: S17: Won is a predicate: its rows have no ->"),
    "value of another type": ("Init_GetPos<ct> = { a->b }", "line 2, column 21: S17: b is no Pos: P(XCo,YCo) are"),
    "constructor's arity": ("Init_GetPos<ct> = { a->P(0) }", "line 2, column 21: S17: P(0) is no Pos: P(XCo,YCo) are"),
    "inside a constructor": ("MoveAt = { 0->RM(a,left) }", "line 2, column 12: S17: a is no YCo: whole numbers are"),
    "no direction": ("MoveAt = { 0->RM(0,north) }", "line 2, column 12: S17: north is no Dir: up, right, down, left are"),
    "no move": ("MoveAt = { 0->XM(0,left) }", "line 2, column 12: S17: XM(0,left) is no Move: RM(YCo,Dir), CM(XCo,Dir) are"),
    "not listed": ("Tile = { a } IsLocked = { b }", "line 2, column 27: S17: b is not listed in Tile"),
    "time not listed": ("Time = { 0 } Won = { 1 }", "line 2, column 22: S17: 1 is not listed in Time"),
    "coordinate not listed": ("XCo = { 0 } Init_GetPos = { a->P(2,0) }", "line 2, column 29: S17: 2 is not listed in XCo"),
    "subtype": ("Co = { 0 } XCo = { 0; 1 }", "line 2, column 23: S17: 1 is not listed in Co"),
    "supertype": ("Co = { 0..2 } XCo = { 0 } YCo = { 1 }", "line 2, column 8: S17: 2 is no XCo and no YCo, and Co is their union"),
    "supertype of what is used": ("Co = { 0; 4; 5 } XCo = { 0 } MoveAt<ct> = { 0->RM(4,left) }", "line 2, column 14: S17: 5 is no XCo and no YCo, and Co is their union"),
    "supertype alone": ("Co = { 0 }", "line 2, column 8: S17: 0 is no XCo and no YCo, and Co is their union"),
    "two values": ("Start = { ->0; ->1 }", "line 2, column 16: S17: a function has one value, not both 0 and 1"),
    "not total": ("Tile = { a; b } Init_GetPos = { a->P(0,0) }", "line 2, column 17: S17: Init_GetPos is total, but Init_GetPos(b) has no value"),
    "constant without value": ("Start = { }", "line 2, column 1: S17: Start is total, but Start has no value"),
    "given twice": ("Won = { } Won = { }", "line 2, column 11: S17: Won is given twice"),
    "exactly and in parts": ("Won = { } Won<ct> = { }", "line 2, column 1: S17: Won is given with = and in parts"),
    "true and false": ("Won<ct> = { 0 } Won<cf> = { 0 }", "line 2, column 29: S17: this row stands in both <ct> and <cf>"),
    "other types": ("Won[Tile] = { }", "line 2, column 1: S17: Won has the types [Time], not [Tile]"),
    "other result": ("Next[Time:Tile] = { }", "line 2, column 1: S17: Next has the types [Time:Time], not [Time:Tile]"),
    "a type added": ("Heavy[Weight] = { 1 }", "line 2, column 1: S17: Weight is no type of the vocabulary, and no types may be added"),
    "a ragged symbol": ("More[int] = { 1; 1,2 }", "line 2, column 1: S17: More[int] has rows of 1 and 2 elements"),
    "a symbol misspelled": ("Wno = { 1 }", "line 2, column 1: S17: ShiftItVoc has no Wno (is Won meant?); a symbol that is added has its types behind it, such as Wno[Time]"),
    "a type misspelled": ("Time = { 0 } Tiel<ct> = { a }", "line 2, column 14: S17: ShiftItVoc has no Tiel (is Tile meant?); a symbol that is added has its types behind it, such as Tiel[Time]"),
    "a foreign symbol": ("ns::Zzz = true", "line 2, column 1: S17: ShiftItVoc has no ns::Zzz; a symbol that is added has its types behind it, such as ns::Zzz[Time]"),
}  # fmt: skip


@pytest.mark.clause("S17")
@pytest.mark.parametrize("kind", TYPED)
def test_misfit_is_refused_at_its_place(kind: str) -> None:
    body, error = TYPED[kind]
    with pytest.raises(ParseError) as refused:
        gp.read(f"structure S : ShiftItVoc {{\n{body}\n}}")
    assert str(refused.value) == error


@pytest.mark.clause("S17")
@pytest.mark.parametrize(
    ("name", "fits"), [("ShiftItVoc", True), ("game::ShiftItVoc", True), ("OtherVoc", False)]
)
def test_structure_must_be_of_the_vocabulary(name: str, fits: bool) -> None:
    text = f"// a comment\nstructure S : {name} {{ Time = {{ 0 }} }}"
    if fits:
        assert read_structures(text)[0].vocabulary == name
        return
    with pytest.raises(ParseError) as refused:
        read_structures(text)
    assert str(refused.value) == "line 2, column 15: S17: structures of ShiftItVoc are read, not of OtherVoc"


@pytest.mark.clause("S17")
def test_structure_made_from_tables_lists_every_problem() -> None:
    tables = {
        "Won": Table({"": frozenset({(0,), ("a", 1)})}, function=False),
        "Side": Table({"": frozenset()}, function=False),
    }
    with pytest.raises(InvalidLevel) as refused:
        Structure(tables)
    assert [str(problem) for problem in refused.value.problems] == [
        "S17-type at Won(a,1): Won has 1 argument, not 2",
        "S17-type at Side: Side is a constructed type: it is not listed",
    ]


@pytest.mark.clause("S17")
def test_vocabulary_is_that_of_the_document() -> None:
    declared = {
        name: f"{'partial ' * symbol.partial}({','.join(symbol.types)}){f':{symbol.result}' if symbol.result else ''}"
        for name, symbol in SYMBOLS.items()
    }
    assert declared == {
        "Start": "():Time", "Next": "partial (Time):Time", "MoveAt": "partial (Time):Move",
        "GetPos": "(Time,Tile):Pos", "Init_GetPos": "(Tile):Pos",
        "C_GetPos": "partial (Time,Tile):Pos", "CN_GetPos": "partial (Time,Tile):Pos",
        "IsLocked": "(Tile)", "Colouring": "(Side):Colour", "Init_Colouring_Full": "partial (Tile):Colour",
        "Init_Colouring": "partial (Side):Colour", "Reach": "(Time,Side,Colour)",
        "Ref": "partial (Colour):Side", "GameEnded": "(Time)", "Won": "(Time)",
    }  # fmt: skip


@pytest.mark.clause("S17")
def test_symbols_may_be_added_but_no_types() -> None:
    found = read(
        'Depth[Time,Tile:int] = { 0,a->3 } Tile = { a } note::Hint[string] = { "go left" } Flag[] = true'
    )
    assert found.values("Depth[Time,Tile:int]") == {(0, "a"): 3}
    assert read(found.text().partition("{")[2].rpartition("}")[0]) == found


def test_supertype_is_listed_as_the_union_of_its_subtypes() -> None:
    assert read("Co = { 0..3 } XCo = { 0..3 } YCo = { 1; 2 }").types["Co"] == (0, 1, 2, 3)
    assert read("Co = { 0; 7 } XCo = { 0 } MoveAt<ct> = { 0->RM(7,left) }").types["Co"] == (0, 7)


def test_types_that_are_not_listed_are_collected() -> None:
    found = read(
        'MoveAt = { 4->RM(7,left) } Init_GetPos<ct> = { a->P(-1,3) } Ref<u> = { "red"->S(10,up); "b2"->S(9,up) }'
    )
    assert dict(found.types) == {
        "Time": (4,), "XCo": (-1,), "YCo": (3, 7), "Co": (-1, 3, 7), "Tile": (9, 10, "a"), "Colour": ("b2", "red"),
    }  # fmt: skip
    assert read("Colour = { c10; c9 }").types["Colour"] == ("c9", "c10")


# -- boards

BOARD = "XCo = { 0..1 } YCo = { 0 } Tile = { a; b } IsLocked = { } Init_GetPos = { a->P(0,0); b->P(1,0) }"


@pytest.mark.clause("S3")
def test_colour_of_side_takes_precedence_over_colour_of_tile() -> None:
    board = level_of(read(f'{BOARD} Init_Colouring_Full = {{ a->"red" }} Init_Colouring = {{ S(a,left)->"blue"; '
                 'S(b,up)->"z"; S(b,down)->"z"; S(b,left)->"z"; S(b,right)->"y" }'))  # fmt: skip
    assert board.tiles[0].colours == ("red", "red", "red", "blue")
    assert board.tiles[1].colours == ("z", "y", "z", "z")


@pytest.mark.clause("S3")
def test_side_without_colour_is_an_error_that_names_it() -> None:
    text = f'\nstructure S : ShiftItVoc {{ {BOARD} Init_Colouring_Full = {{ a->"red" }} Init_Colouring = {{ S(b,up)->"red" }} }}'
    with pytest.raises(InvalidLevel) as refused:
        gp.read(text)
    said = "neither the side nor its tile is given a colour"
    assert [str(problem) for problem in refused.value.problems] == [
        f"S3-uncoloured at S(b,{direction}): {said}" for direction in ("right", "down", "left")
    ]
    assert refused.value.line == 2


@pytest.mark.clause("S1", "S4")
@pytest.mark.parametrize(
    ("body", "problems"),
    [
        (
            'Tile = { a; b } XCo = { 0 } YCo = { 0 } Init_GetPos<ct> = { a->P(0,0) }',
            [
                "S4-unknown at a: IsLocked does not say whether the tile is locked",
                "S1-unplaced at b: Init_GetPos gives the tile no position",
                "S4-unknown at b: IsLocked does not say whether the tile is locked",
            ],
        ),
        (
            'Tile = { a; b } XCo = { 0; 2 } IsLocked = { } Init_GetPos = { a->P(0,0); b->P(0,0) } Init_Colouring_Full = { a->"r"; b->"r" }',
            [
                "S1-interval at x: the x coordinates are no interval: after 0 comes 2",
                "S1-occupied at (0, 0): a, b lie on P(0,0)",
                "S1-missing at (2, 0): no tile lies on P(2,0)",
            ],
        ),
        ("", ["S1-empty: there is no tile"]),
    ],
)  # fmt: skip
def test_board_problems_are_listed(body: str, problems: list[str]) -> None:
    with pytest.raises(InvalidLevel) as refused:
        gp.read(f"structure S : ShiftItVoc {{ {body} }}")
    assert [str(problem) for problem in refused.value.problems] == problems


def test_missing_tables_of_the_board_are_taken_from_the_run() -> None:
    sides = "; ".join(f"S({tile},{way})->c{way}" for tile in "ab" for way in ("up", "down", "left", "right"))
    found = read(
        f"Tile = {{ a; b }} IsLocked<cf> = {{ a; b }} GetPos = {{ 0,a->P(5,0); 0,b->P(4,0) }} Colouring = {{ {sides} }}"
    )
    assert [tile.name for tile in level_of(found).tiles] == ["b", "a"]
    assert level_of(found).tiles[0].colours == ("cup", "cright", "cdown", "cleft")


@pytest.mark.clause("S16")
@pytest.mark.parametrize(("listed", "shown"), [("1..3", "1, 2, 3"), ("0; 2", "0, 2"), ("", "nothing")])
def test_time_is_an_interval_from_0(listed: str, shown: str) -> None:
    with pytest.raises(InvalidLevel) as refused:
        horizon_of(read(f"Time = {{ {listed} }}"))
    hint = "" if listed else "; a horizon may be given beside the structure"
    assert str(refused.value) == f"S16-time: Time is {{0..T}} for some T, not {{{shown}}}{hint}"


def test_elements_have_an_order_of_numbers_names_and_compound_elements() -> None:
    ordered: list[Element] = [
        -1,
        Real("-0.5"),
        0,
        Real("0.5"),
        Real("2.25"),
        3,
        10,
        "a",
        "b",
        Call("P", (0, 1)),
        Call("Q", ()),
    ]
    assert all(element_rank(one) < element_rank(other) for one, other in pairwise(ordered))
