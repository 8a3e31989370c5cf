"""Property files, definitions, and the verdicts on properties."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp
from gridproof.prove.definition import parse_definition
from gridproof.prove.expansion import Expander
from gridproof.prove.induction import InductionVerdict
from gridproof.prove.parsing import parse
from gridproof.prove.property_file import parse_properties
from gridproof.search.space import WHOLE

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LEVELS = {
    "robots": "robots/yards/1",
    "shiftit": "shiftit/boards/3",
    "sokoban": "sokoban/first-steps/1",
    "twenty48": "twenty48/standard/3",
}
"""The level that each example is about."""

FILE = """
# Claims about a walk
define goal = won   # with a comment
define between(x, y) = at(x) |
    at(y)

solvable: EF goal
not always:
    AG (between(1,2)
        -> goal)
"""


def test_properties_have_names_expectations_and_lines() -> None:
    file = parse_properties(FILE)
    assert [(one.name, one.expected, one.line) for one in file.properties] == [
        ("solvable", True, 7),
        ("always", False, 8),
    ]
    assert str(file.properties[1].formula) == "AG (between(1,2) -> goal)"
    assert [(one.name, one.parameters, str(one.formula)) for one in file.definitions] == [
        ("goal", (), "won"),
        ("between", ("x", "y"), "at(x) | at(y)"),
    ]


def test_properties_are_checked_on_one_exploration(tmp_path: Path) -> None:
    path = tmp_path / "walk.props"
    path.write_text(FILE, encoding="utf-8")
    results = list(gp.check_properties("null/first/2", path))
    assert [one.as_expected for one in results] == [True, True]
    assert [str(one.verdict.formula) for one in results] == ["EF won", "AG (at(1) | at(2) -> won)"]
    assert str(results[1]) == "ok: always: `AG (between(1,2) -> goal)` does not hold at the start."
    space = gp.explore("null/first/2")
    assert next(gp.check_properties(space, FILE)).verdict.states == space.states


def test_properties_have_no_answer_at_a_limit() -> None:
    results = list(
        gp.check_properties("null/first/2", "a: EF won\nnot b: AG at(1)", limit=gp.Limit(states=3))
    )
    assert [one.as_expected for one in results] == [None, True]


def test_properties_of_a_large_space_are_decided_early() -> None:
    limit = gp.Limit(states=10**6)
    results = list(
        gp.check_properties("twenty48/standard/1", "a: EF tile(4)\nnot b: AG !tile(8)", limit=limit)
    )
    assert [one.as_expected for one in results] == [True, True]
    for one in results:
        assert (one.verdict.states, one.verdict.complete, one.verdict.stopped_by) == (WHOLE, False, "")


def test_larger_prefixes_decide_what_smaller_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "a: EF near\nb: AG EF won\nc: <<>> F won\nd: EF (won & cost(actions) < 3)\ne: P>=0 [F won]\nf: home"
    )
    wanted = [one.verdict.holds for one in gp.check_properties("shiftit/boards/3", text)]
    monkeypatch.setattr("gridproof.prove.check_properties.WHOLE", 2)
    found = [one.verdict for one in gp.check_properties("shiftit/boards/3", text)]
    assert [one.holds for one in found] == wanted
    assert None not in wanted
    assert not found[0].complete


@pytest.mark.parametrize("game", LEVELS)
def test_examples_are_as_expected(game: str) -> None:
    path = EXAMPLES / f"{game}.props"
    assert f"check {LEVELS[game]} --properties {path.name}" in path.read_text(encoding="utf-8")
    results = list(gp.check_properties(LEVELS[game], path))
    assert [str(one) for one in results if not one.as_expected] == []


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 0, 0, "there is no property"),
        ("# nothing\ndefine x = won", 0, 0, "there is no property"),
        ("a: won\nEF won", 2, 1, "no property and no definition"),
        ("\n  a: won", 2, 1, "an indented line without one above it"),
        ("a: won\n\nb: EF (won &\n\n  lst)", 5, 3, "null has no proposition 'lst'; did you mean lost?"),
        ("a: won\n\nb: EF (won &\n  # more\n", 3, 13, "the formula ends too early"),
        ("a: won\nnot a: lost", 2, 5, "two properties have the name a"),
        ("a: won\ndefine p = won\ndefine p = lost", 3, 8, "p is defined twice"),
        ("define p = !q\na: p\ndefine q = p", 1, 8, "a definition needs itself: p -> q -> p"),
        ("a: p\ndefine p = AG p", 2, 8, "a definition needs itself: p -> p"),
        ("a: won\ndefine won = lost", 2, 8, "won cannot be defined: it is a proposition of null"),
        ("a: won\ndefine GF = lost", 2, 8, "'GF' cannot be a name"),
        ("a: won\ndefine p(x, ) = lost", 2, 8, "'' cannot be a name"),
        ("a: won\ndefine p(x,x) = lost", 2, 8, "two parameters of p have the same name"),
        ("define p(x) = at(x)\na: EF p", 2, 7, "p with 0 arguments"),
        ("define p(x) = at(x)\na: EF p(1, 2)", 2, 7, "p with 2 arguments"),
        ("define p = won\na: EF p > 1", 2, 7, "p is a formula, and cannot be compared"),
        ("a: EF won\ndefine unused = EF wom", 2, 20, "null has no proposition 'wom'; did you mean won?"),
        ("a: EF won\ndefine e = won", 2, 8, "'e' cannot be a name"),
        ("a: EF won\ndefine in = won", 2, 8, "'in' cannot be a name"),
        ("a: EF won\ndefine p(forall) = won", 2, 8, "'forall' cannot be a name"),
        ("a: EF won\ndefine exists = won", 2, 8, "'exists' cannot be a name"),
        ("a: EF won\ndefine cost(x) = won", 2, 8, "'cost' cannot be a name"),
        (
            "a: EF won\nb: A Y F won",
            2,
            6,
            "'Y F won': in a formula with A or E, Y looks back at positions: no X, F, G, U, W, R and no "
            "[ACTION] stands in it without an A or E before",
        ),
        (
            "a: EF won\nb: E G P>0 [F won]",
            2,
            1,
            "b: 'EG P>0 [F won]': with P or R in a formula, temporal operators stand in their brackets only, "
            "and there is no A, no E, and no <<...>> but right before P or R",
        ),
        ("a: F won\n  paths: most", 2, 1, "paths of a: most"),
        ("a: F won\n  fair:", 2, 1, "fair of a: nothing"),
        (
            "a: F won\n\n  fair: strong lft",
            1,
            1,
            "a: fairness 'strong lft': 'lft' is no actor (player) and no action (left, right, hop)",
        ),
        (
            "b: won\na: F won\n  fair: G F (won &",
            2,
            1,
            "a: line 1, column 11: the formula ends too early (expected a proposition, a number or '(')",
        ),
        (
            "a: AG EF won\n  paths: some",
            1,
            1,
            "a: paths='some' applies to LTL only; in CTL, use A and E",
        ),
        ("a: AG won\n  invariant: at(1) |", 2, 21, "the formula ends too early"),
        ("a: AG won\n  invariant: won\n  invariant: at(1)", 3, 1, "a has two invariants"),
        ("a: AG won\n  invariant: wun", 2, 14, "null has no proposition 'wun'; did you mean won?"),
        (
            "a: EF won\n  invariant: won",
            1,
            1,
            "a: induction proves AG p, with p about one position and without temporal operators, not EF won",
        ),
        (
            "a: P>=1 [F won]\n  fair: strong *",
            1,
            1,
            "a: fairness applies neither to a proof by an invariant nor to P and R",
        ),
        ("define p(x) = x\na: EF p(1)", 1, 15, "x stands for a value, and is no proposition"),
        ("define p(x) = 2 < x\na: EF p(left)", 1, 19, "x is left"),
    ],
)
def test_wrong_files_are_refused_with_their_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        gp.check_properties("null/first/2", text)
    error = caught.value
    assert (error.line, error.column, error.reason) == (line, column, reason)


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "wrong.props"
    path.write_text("a: AG wun\n", encoding="utf-8")
    with pytest.raises(gp.ParseError) as caught:
        gp.check_properties("null/first/2", path)
    assert str(caught.value).startswith(f"{path}: line 1, column 7: null has no proposition 'wun'")


def expand(text: str, *definitions: str) -> str:
    level = gp.level("robots/races/2")
    return str(Expander(level, map(parse_definition, definitions)).expand(parse(text)))


@pytest.mark.parametrize(
    ("text", "definitions", "expanded"),
    [
        ("EF p & q", ("p = won", "q = !p"), "EF won & !won"),
        ("AG (p(a) -> p(b))", ("p(r) = X won(r) U at(r,1,2)",), "AG (X won(a) U at(a,1,2) -> X won(b) U at(b,1,2))"),
        ("p(1)", ("p(n) = rotation(a) = n | 2 > n",), "rotation(a) = 1 | true"),
        ("p(a)", ("p(r) = e(r:walk(0,1)) & F [r:rotate(90)]",), "e(a:walk(0,1)) & F [a:rotate(90)]"),
        ("p(b,b)", ("p(r,s) = <<r,s>> F won(r)",), "<<b>> F won(b)"),
        ("p(b)", ("p(r) = q(a,r)", "q(r,s) = won(r) & won(s)"), "won(a) & won(b)"),
    ],
)  # fmt: skip
def test_definitions_are_replaced(text: str, definitions: tuple[str, ...], expanded: str) -> None:
    assert expand(text, *definitions) == expanded


@pytest.mark.parametrize(
    ("definition", "why"),
    [
        ("p", "no definition: 'p' (expected NAME = FORMULA or NAME(X,Y) = FORMULA)"),
        ("p = won &", "line 1, column 10: definition 'p = won &': the formula ends too early (expected a proposition, a number or '(')"),
        ("X = won", "definition 'X = won': 'X' cannot be a name (expected NAME = FORMULA or NAME(X,Y) = FORMULA)"),
    ],
)  # fmt: skip
def test_wrong_definitions_are_refused(definition: str, why: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        parse_definition(definition)
    assert str(caught.value) == why


@pytest.mark.slow
def test_large_expansions_are_refused() -> None:
    doubles = [f"p{number} = p{number - 1} & p{number - 1}" for number in range(1, 60)]
    with pytest.raises(gp.GridproofError, match="more than 20,000 parts, with all definitions and things"):
        expand("p59", "p0 = won", *doubles)
    chain = [f"p{number} = X p{number - 1}" for number in range(1, 400)]
    with pytest.raises(gp.GridproofError, match="nested too deeply"):
        expand("p399", "p0 = won", *chain)
    assert expand("AG " * 250 + "p", "p = won") == "AG " * 250 + "won"


@pytest.mark.slow
def test_property_file_has_at_most_10000_items() -> None:
    text = "".join(f"p{number}: won\n" for number in range(10_001))
    with pytest.raises(gp.ParseError, match=r"more than 10,000 properties and definitions") as caught:
        parse_properties(text)
    assert caught.value.line == 10_001


def test_settings_belong_to_their_property() -> None:
    text = (
        "a: F won\n  fair: strong *  # fair\n   fair: G F (won |\n     at(1))\n  paths: some\n"
        "b: AG (won\n  -> won)\n  invariant: goal\ndefine goal = won"
    )
    one, two = parse_properties(text).properties
    assert (one.fair, one.paths, one.invariant) == (("strong *", "G F (won |\n     at(1))"), "some", None)
    assert (two.fair, two.paths, str(two.formula), str(two.invariant)) == (
        (),
        "all",
        "AG (won -> won)",
        "goal",
    )


def test_settings_change_verdicts() -> None:
    text = "a: F won\nb: F won\n  fair: strong *\n  fair: G F won\nc: F won\n  paths: some\n"
    text += "d: AG !far\n  invariant: !far\ndefine far = at(3)"
    found = [one.verdict for one in gp.check_properties("null/first/2", text)]
    assert [one.holds for one in found[:3]] == [
        gp.check("null/first/2", "F won", paths, fair=fair).holds
        for paths, fair in (("all", ()), ("all", ("strong *", "G F won")), ("some", ()))
    ]
    assert isinstance(found[3], InductionVerdict)
    assert found[3].holds is gp.check("null/first/2", "AG !at(3)", invariant="!at(3)").holds


def test_coverage_of_properties_is_that_of_formulas() -> None:
    text = "a: AG (lost | at(0) | won | !won)\nb: EF won\nc: P>=0 [F won]"
    found = list(gp.check_properties("null/first/2", text, covers=True))
    assert found[2].coverage is None
    for one in found[:2]:
        assert one.coverage is not None
        assert one.coverage.unused == gp.coverage("null/first/2", one.subject.formula).unused
