"""IDP3 structures: the syntax, what is refused, and that nothing is lost."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from tests.games.shiftit.boards import level, read
from tests.measurement import stopped_if_it_hangs

import gridproof as gp
from gridproof.core.errors import InvalidLevel, ParseError
from gridproof.core.text import recognition
from gridproof.games.shiftit import Level
from gridproof.games.shiftit.elements import Call, Element, Real
from gridproof.games.shiftit.idp import format as idp_format
from gridproof.games.shiftit.idp import grammar
from gridproof.games.shiftit.idp.conversion import horizon_of, structure_of
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import MOST_ROWS, Table

EXAMPLE = """\
// title: Two tiles
/* of the
   notes */
structure S : ShiftItVoc {
  Time = { 0..2 }  Start = 0  Next = { 0->1; 1->2; }  -- a trailing ; is fine
  XCo = { 0; 1 }  YCo = { 0 }  Tile = { a; b }
  IsLocked = { a }
  Init_GetPos = { a->P(0,0); b->P(1,0) }
  Init_Colouring_Full = { a->"red"; b->'r' }
  Init_Colouring = { S(b,right)->"blue"; S(a,up())->"blue" }
}
"""


def rows(body: str, symbol: str = "F[int]", truth: str = "") -> set[tuple[Element, ...]]:
    return set(read(body).tables[symbol].rows_by_truth[truth])


def test_syntax_example_is_a_level() -> None:
    (board,) = gp.read(EXAMPLE)
    assert isinstance(board, Level)
    assert (board.title, board.columns, board.rows) == ("Two tiles", range(2), range(1))
    first, second = board.tiles
    assert (first.name, first.locked, first.colours) == ("a", True, ("blue", "red", "red", "red"))
    assert (second.name, second.locked, second.colours) == ("b", False, ("r", "blue", "r", "r"))
    (given_structure,) = read_structures(EXAMPLE)
    assert horizon_of(given_structure) == 2


# -- the syntax


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{ }", set()),
        ("{ a }", {("a",)}),
        ("{ a; (b); 'c'; \"d e\"; }", {("a",), ("b",), ("c",), ("d e",)}),
        ("{ 1..3; 7; -2..-1 }", {(1,), (2,), (3,), (7,), (-2,), (-1,)}),
        ("{ a..c; 'x'..'y' }", {("a",), ("b",), ("c",), ("x",), ("y",)}),
        ("{ 1,a; (2,b); 3,'c' }", {(1, "a"), (2, "b"), (3, "c")}),
        ("{ () }", {()}),
        ("true", {()}),
        ("false", set()),
        ("4", {(4,)}),
        ("- 4", {(-4,)}),
        ("word", {("word",)}),
        ("right", {(Call("right"),)}),
        ("right()", {(Call("right"),)}),
        ('"right"', {("right",)}),
        ("S(a,right)", {(Call("S", ("a", Call("right"))),)}),
        ("far::S(a,up())", {(Call("S", ("a", Call("up"))),)}),
        ("up[:Dir]()", {(Call("up"),)}),
        ("P[XCo,YCo:Pos](0,-1)", {(Call("P", (0, -1)),)}),
        ("{ 1->2; 3->4; }", {(1, 2), (3, 4)}),
        ("{ 1,2->3 }", {(1, 2, 3)}),
        ("{ ->3 }", {(3,)}),
        ("{ ()->3 }", {(3,)}),
        ("{ 1.50; -.5; 2.0; 00.25; 007 }", {(Real("1.5"),), (Real("-0.5"),), (2,), (Real("0.25"),), (7,)}),
        ("{ _x'; __Ab1 }", {("_x'",), ("__Ab1",)}),
        ('{ "two\nlines" }', {("two\nlines",)}),
        ("{ /* { */ a // b; }\n ; c -- }\n }", {("a",), ("c",)}),
        ("{ foo() }", {(Call("foo"),)}),
        ("{ structure; using; trueish }", {("structure",), ("using",), ("trueish",)}),
    ],
)  # fmt: skip
def test_values(value: str, expected: set[tuple[Element, ...]]) -> None:
    assert rows(f"F[int] = {value}") == expected
    assert read(read(f"F[int] = {value}").text().partition("{")[2].rpartition("}")[0]) == read(
        f"F[int] = {value}"
    )


def test_headers_names_and_using_lines() -> None:
    text = "Structure S_1 : game::ShiftItVoc { using vocabulary A::B using  namespace C shift::Start[:Time] = 0 ns::More[Time:Pos]<ct> = { } }"
    (found,) = read_structures(text)
    assert (found.name, found.vocabulary) == ("S_1", "game::ShiftItVoc")
    assert found.using == ("using vocabulary A::B", "using namespace C")
    assert set(found.tables) == {"Start", "ns::More[Time:Pos]"}
    assert read_structures(found.text()) == [found]


def test_file_contains_several_structures_with_their_comments() -> None:
    first, second = (structure_of(level(rows), name=name) for rows, name in (("r g", "A"), ("b", "B")))
    text = f"// title: one\n{first.text()}// title: two\n//author: me\n{second.text()}// title: late\n"
    pack = gp.read(text)
    assert [(board.title, board.author) for board in pack] == [("one", ""), ("two", "me")]
    assert gp.read(gp.write(pack, format="structure")) == pack
    assert [board.title for board in gp.read(gp.write(pack, format="structure"))] == ["one", "two"]


@pytest.mark.parametrize(
    ("given_parts", "answers"),
    [
        ("F[int] = { 1 }", (True, False, False)),
        ("F[int]<ct> = { 1 }", (True, None, None)),
        ("F[int]<cf> = { 1 }", (False, None, None)),
        ("F[int]<ct> = { 1 } F[int]<cf> = { 2 }", (True, False, None)),
        ("F[int]<ct> = { 1 } F[int]<u> = { 2 }", (True, None, False)),
        ("F[int]<cf> = { 1 } F[int]<u> = { 2 }", (False, None, True)),
        ("F[int]<u> = { 1; 2 }", (None, None, False)),
        ("F[int]<ct> = { 1 } F[int]<cf> = { 2 } F[int]<u> = { }", (True, False, False)),
    ],
)  # fmt: skip
def test_three_valued_tables(given_parts: str, answers: tuple[bool | None, ...]) -> None:
    found = read(given_parts)
    assert tuple(found.holds("F[int]", (number,)) for number in (1, 2, 3)) == answers
    assert read(found.text().partition("{")[2].rpartition("}")[0]) == found


def test_symbol_without_table_is_unknown() -> None:
    assert read("").holds("Won", (0,)) is None
    assert read("").values("Ref") == {}


BROKEN = {
    "truncated header": ("structure", "line 1, column 10: the text ends too early (expected an identifier)"),
    "no vocabulary": ("structure S {\n}", "line 1, column 13: '{' here (expected :)"),
    "no body": ("structure S : V", "line 1, column 16: the text ends too early (expected :: or {)"),
    "unclosed": ("structure S : V {\n  A = 1\n", "line 2, column 8: the text ends too early (expected an identifier or using or })"),
    "no value": ("structure S : V {\n  A =\n}", "line 3, column 1: '}' here (expected {, true, false, a number, a name or a text in quotation marks)"),
    "no separator": ("structure S : V { A = { 1 2 } }", "line 1, column 27: '2' here (expected ; or })"),
    "comma between items": ("structure S : V { A = { 1->2, 3->4 } }", "line 1, column 29: ',' here (expected ; or })"),
    "two semicolons": ("structure S : V { A = { 1;; } }", "line 1, column 27: ';' here (expected a row or })"),
    "a semicolon alone": ("structure S : V { A = { ; } }", "line 1, column 25: ';' here (expected a row or })"),
    "string without end": ('structure S : V {\n A = "abc }', "line 2, column 6: a string without its end (expected {, true, false, a number, a name or a text in quotation marks)"),
    "comment without end": ("structure S : V { /* }", "line 1, column 19: a comment without its end (expected an identifier or using or })"),
    "character without end": ("structure S : V { A = 'ab' }", "line 1, column 23: a character without its end (expected {, true, false, a number, a name or a text in quotation marks)"),
    "foreign character": ("structure S : V { A = @ }", "line 1, column 23: '@' here (expected {, true, false, a number, a name or a text in quotation marks)"),
    "other truth": ("structure S : V { A<sure> = { } }", "line 1, column 21: 'sure' here (expected ct, cf or u)"),
    "keyword as a name": ("structure S : V { true = { } }", "line 1, column 19: 'true' here (expected an identifier or using or })"),
    "keyword as an element": ("structure S : V { A = { false } }", "line 1, column 25: 'false' here (expected a row or })"),
    "using what": ("structure S : V { using theory X }", "line 1, column 25: 'theory' here (expected < or =)"),
    "backwards range": ("structure S : V { A = { 3..1 } }", "line 1, column 25: a range that runs backwards"),
    "huge range": ("structure S : V {\n A = { 1..99999999 } }", "line 2, column 8: a range of 99999999 elements is too large: all ranges of this text may have 10040"),
    "range of words": ("structure S : V { A = { ab..cd } }", "line 1, column 25: a range of names that are no characters (expected a..c)"),
    "range outside braces": ("structure S : V { A = 1..2 }", "line 1, column 24: '..' here (expected an identifier or using or })"),
    "long number": ("structure S : V { A = " + "9" * 5000 + " }", "line 1, column 23: a number of 5000 digits is too long"),
    "deep nesting": ("structure S : V { A = " + "P(" * 99 + "1" + ")" * 99 + " }", "line 1, column 123: elements are nested too deeply"),
    "map of a tuple in brackets": ("structure S : V { A = { (a,b)->c } }", "line 1, column 30: '->' here (expected ; or })"),
    "bracket without end": ("structure S : V { A = { (a } }", "line 1, column 28: '}' here (expected ))"),
    "text behind": ("structure S : V { } }", "line 1, column 21: '}' here (expected structure or the end)"),
    "mixed rows": ("structure S : V { A = { 1; 2->3 } }", "line 1, column 28: rows with and without -> in one table"),
    "one enormous line": ("structure S : V { A = { " + "x" * 50_000 + " y } }", "line 1, column 50026: 'y' here (expected ; or })"),
}  # fmt: skip


OTHERS = """\
/* as IDP's own files have it */
include <LTC>
LTCvocabulary ShiftItVoc { type Time  type Tile // }
  Won(Time)  Next(Time):Time }
theory T : ShiftItVoc { !x' y [Tile] : "}" ~= x' => { Won(t) <- '{' = '{'. } /* } */ }
procedure main() { print("{") if x' then y = 'a' end }
// title: The first
structure A : ShiftItVoc { Time = { 0 } }
namespace inner { structure B : ShiftItVoc { Time = { 0..1 } } term C : V { 1 } }
query Q : ShiftItVoc { {t : Won(t)} }
"""


def test_blocks_of_other_kinds_are_skipped() -> None:
    found = read_structures(OTHERS)
    assert [(given.name, horizon_of(given), given.title) for given in found] == [
        ("A", 0, "The first"),
        ("B", 1, ""),
    ]
    assert recognition.recognise(OTHERS.partition("\n")[2].partition("\n")[2], None)[1].name == "structure"


@pytest.mark.parametrize(
    "block",
    [
        "include <LTCvoc>",
        'include "board.idp"',
        "using vocabulary ShiftItVoc",
        "vocabulary V { type Tile }",
        "LTCvocabulary V { }",
        "namespace inner { }",
        "theory T : V::W {}",
        "theory T : V {{{}}{}{ { }}}",
        "/* a */ theory /* b */ T // c\n : V {}",
        "procedure main() { print('x') }",
        "procedure best(a, b) { return a }",
        "term C : V { 1 }",
        "query Q : V { { t : Won(t) } }",
        "factlist F : V { }",
        "fobdd F : V { }",
        "aspstructure A : V { Won(1). }",
    ],
)
def test_texts_may_begin_with_blocks_of_other_kinds(block: str) -> None:
    text = f"{block}\n{EXAMPLE}"
    assert recognition.recognise(text, None)[1].name == "structure"
    assert read_structures(text) == read_structures(EXAMPLE)


def test_comment_without_an_end_is_searched_once() -> None:
    for block, column in (
        ("theory T : V { ", 16),
        ("vocabulary V { ", 16),
        ("namespace N { term C : V {", 27),
    ):
        with (
            stopped_if_it_hangs(),
            pytest.raises(ParseError, match=rf"column {column}: a comment without its end \(expected \*/\)"),
        ):
            read_structures(block + "/*a" * 100_000)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("theory T : V { { }", "line 1, column 1: the theory that begins here has no end (expected })"),
        ("vocabulary V { } theory/* a */T : V {{{ }}", "line 1, column 18: the theory that begins here has no end (expected })"),
        ("theory T : V structure S", "line 1, column 25: the text ends too early (expected {)"),
        ("vocabulary V { }", "line 1, column 17: the text ends too early (expected structure)"),
        ("namespace N { structure S : ShiftItVoc { }", "line 1, column 43: the text ends too early (expected structure or })"),
    ],
)  # fmt: skip
def test_broken_blocks_of_other_kinds(text: str, error: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_structures(text)
    assert str(refused.value) == error


def test_ranges_are_bounded_by_length_of_the_text() -> None:
    def text(ranges: int, padding: int) -> str:
        return (
            "structure S : ShiftItVoc { " + "Time<ct> = { 0..4999 } " * ranges + "/*" + " " * padding + "*/ }"
        )

    for ranges, padding in ((3, 0), (4, 5_000)):
        with pytest.raises(
            ParseError, match="a range of 5000 elements is too large: all ranges of this text may"
        ):
            read_structures(text(ranges, padding))
    with pytest.raises(ParseError, match="given twice"):
        read_structures(text(3, 5_000))
    many = "".join(f"F{number}[int] = {{0..999999}} " for number in range(200))
    with pytest.raises(ParseError, match="line 1, column 39: a range of 1000000 elements is too large"):
        read_structures(f"structure S : ShiftItVoc {{ {many} }}")


@pytest.mark.slow
def test_long_ranges_are_written_so_that_they_are_read_back() -> None:
    times = Table({"": frozenset((time,) for time in range(20_000))}, function=False)
    columns, rows = (
        Table({"": frozenset((n,) for n in some)}, function=False) for some in ((0, 1, 2), (3, 4, 5, 6))
    )
    found = Structure({"Time": times, "XCo": columns, "YCo": rows})
    assert "XCo = { 0..2 }" in found.text()
    assert "YCo = { 3..6 }" in found.text()
    assert read_structures(found.text()) == [found]


def test_nesting_is_limited() -> None:
    with pytest.raises(ParseError, match="column 134: elements are nested too deeply"):
        read_structures("structure S : ShiftItVoc { F[] = " + "P(" * 100_000)


def test_nesting_without_blanks_has_the_limit_of_nesting_with_blanks() -> None:
    def text(depth: int, end: str) -> str:
        return f"structure S : ShiftItVoc {{ F[int] = {{ {'P(' * depth}1,Q(){end}{')' * depth}; 2 }} }}"

    assert read_structures(text(grammar.DEEPEST - 1, "")) == read_structures(text(grammar.DEEPEST - 1, " "))
    for end in ("", " "):
        with pytest.raises(ParseError, match="column 139: elements are nested too deeply"):
            read_structures(text(grammar.DEEPEST + 1, end))


def test_misfits_of_a_large_table_are_limited() -> None:
    rows = frozenset((number, number) for number in range(1000))
    with pytest.raises(InvalidLevel) as refused:
        Structure({"Won": Table({"": rows}, function=False)})
    assert [problem.where.row for problem in refused.value.problems] == [(n, n) for n in range(MOST_ROWS)]  # type: ignore[attr-defined]  # a TablePlace


def test_simple_rows_agree_with_the_general_syntax() -> None:
    simple = 'Reach[Time,Side,Colour] = { 0,S(a,up),"r"; 1,S("b;c",left),x; 2,S(7,down),y; }'
    assert read(simple) == read(
        simple.replace("(", " ( ").replace(",", " , ").replace("[Time , Side , Colour]", "")
    )
    numbers = "F[float] = { -1; 2.50; .5; 00.25; -0.0; 7 }"
    assert read(numbers) == read(numbers.replace(";", "/**/;").replace("-", "- "))


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_syntax(kind: str) -> None:
    text, error = BROKEN[kind]
    with pytest.raises(ParseError) as refused:
        read_structures(text)
    assert str(refused.value) == error


def test_broken_structure_is_recognised_and_its_file_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.idp"
    path.write_text("structure S : V {\n  A = }")
    with pytest.raises(ParseError, match=r"broken\.idp: line 2, column 7: '}' here"):
        gp.read(path)
    with pytest.raises(ParseError, match="line 1, column 18: a NUL character"):
        gp.read("structure S : V {\0}")


# -- recognising


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("structure S : V {", True),
        ("// c\n -- d\n/* e\n*/ Structure X:Y {}", True),
        ("structure S {", True),
        ("structures : {", False),
        ("A structure S : V {", False),
        ("shiftit 2x2", False),
        ("structure of the board\n###", False),
        ("/* // -- */" * 5000 + "x", False),
        ("// // -- /* */" * 5000 + "\n--", False),
        ("/*" * 5000, False),
        ("theory T : V { " + "/*a" * 5000, True),
        ("theory of everything\n#####", False),
        ("term: 3\n#####", False),
        ("procedure f(" + "(" * 5000, False),
        ("included: 3", False),
        ("vocabularyV {", False),
        ("structure" + " " * 100_000 + "S :", True),
        ("", False),
    ],
)
def test_format_is_recognised_by_content(text: str, answer: bool) -> None:
    assert bool(idp_format.recognises(text)) is answer


def test_garbage_collection_is_off_while_structures_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    collects: list[bool] = []
    listed = grammar.parse_structures

    def parse_and_record(text: str) -> object:
        collects.append(gc.isenabled())
        return listed(text)

    monkeypatch.setattr(grammar, "parse_structures", parse_and_record)
    assert len(gp.read(EXAMPLE * 3)) == 3
    assert collects == [False]
    assert gc.isenabled()


def test_table_joins_certain_rows_and_values_of_its_parts() -> None:
    given = {"": [("a", 1)], "ct": [("b", 2)], "cf": [("c", 3)]}
    table = Table({truth: frozenset(rows) for truth, rows in given.items()}, function=True)
    assert table.certain == {("a", 1), ("b", 2)}
    assert table.values == {("a",): 1, ("b",): 2}
    assert Table({"cf": frozenset([("c", 3)])}, function=True).certain == frozenset()
    assert table == Table({truth: frozenset(rows) for truth, rows in given.items()}, function=True)


@pytest.mark.slow
def test_grammar_is_loaded_only_for_reading_structures() -> None:
    import subprocess
    import sys

    program = (
        "import sys, gridproof as gp\n"
        "board = gp.read('shiftit 1x1\\nr\\n')\n"
        "text = gp.write(board, format='structure')\n"
        "assert 'gridproof.games.shiftit.idp.grammar' not in sys.modules\n"
        "assert gp.read(text) == board and 'gridproof.games.shiftit.idp.grammar' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
