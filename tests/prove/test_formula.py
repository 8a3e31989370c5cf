"""Tests of formulas: they round-trip through text, and errors name their place and reason."""

from __future__ import annotations

import dataclasses
import pickle
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.prove.graphs import ctl, ltl

import gridproof as gp
from gridproof.prove.formula import (
    DEEPEST,
    FALSE,
    TRUE,
    Atom,
    Binary,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Next,
    Quantification,
    Unary,
    parts,
)
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parsing import parse

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("true", "false", "deadlock", "e")
)
NUMBERS = st.builds(Atom, NAMES, st.lists(st.sampled_from(["1", "-2", "a"]), max_size=3).map(tuple))
TEXTS = st.sampled_from(["left", "RM(0,left)", "a:walk(1,0)", "!"])
LEAVES = st.one_of(
    NUMBERS,
    st.builds(
        Comparison, NUMBERS | st.integers(-5, 5), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), NUMBERS
    ),
    st.builds(Executable, TEXTS),
    st.builds(Next, TEXTS),
    st.just(Deadlock()),
    st.sampled_from([TRUE, FALSE]),
)
ANY = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(Unary, st.sampled_from("!XFGYHOAE"), inner)
        | st.builds(Binary, st.sampled_from(["&", "|", "->", "<->", *"UWRST"]), inner, inner)
        | st.builds(
            Quantification,
            st.sampled_from(["forall", "exists"]),
            st.lists(NAMES, min_size=1, max_size=3).map(tuple),
            NAMES,
            inner,
        )
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(ANY | ctl() | ltl())
def test_formula_round_trip(formula: Formula) -> None:
    assert parse(str(formula)) == formula


def test_formulas_with_equal_hashes_can_differ() -> None:
    one, other = (Unary("X", Comparison(Atom("score"), "=", number)) for number in (-1, -2))
    assert hash(one) == hash(other)  # as those of -1 and -2 are
    assert (one == other) is False
    assert one == Unary("X", Comparison(Atom("score"), "=", -1))


def shape(formula: object) -> object:
    match formula:
        case Unary(operator, operand):
            return (operator, shape(operand))
        case Binary(operator, left, right):
            return (shape(left), operator, shape(right))
    return str(formula)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a U b U c", ("a", "U", ("b", "U", "c"))),
        ("a -> b -> c", ("a", "->", ("b", "->", "c"))),
        ("a & b | c & d", (("a", "&", "b"), "|", ("c", "&", "d"))),
        ("a | b -> c <-> d", ((("a", "|", "b"), "->", "c"), "<->", "d")),
        ("a <-> b <-> c", (("a", "<->", "b"), "<->", "c")),
        ("!a U b & c", ((("!", "a"), "U", "b"), "&", "c")),
        ("X a U b", (("X", "a"), "U", "b")),
        ("a S b R c", ("a", "S", ("b", "R", "c"))),
        ("!bombs = 0", ("!", "bombs = 0")),
        ("AG EF won", ("A", ("G", ("E", ("F", "won"))))),
        ("A G won", ("A", ("G", "won"))),
        ("GF won", ("G", ("F", "won"))),
        ("E[!won U near]", ("E", (("!", "won"), "U", "near"))),
        ("E\n [ a W b & c ]", ("E", (("a", "W", "b"), "&", "c"))),
        ("bombs<-1", "bombs < -1"),
        ("bombs<->won", ("bombs", "<->", "won")),
        ("0<=bombs&won", ("0 <= bombs", "&", "won")),
        ("at ( a , 1 ,2 )", "at(a,1,2)"),
        ("e( RM(0, left) )", "e(RM(0,left))"),
        ("G [ CM(1, up) ]", ("G", "[CM(1,up)]")),
        ("AGE & Gon & trueish", (("AGE", "&", "Gon"), "&", "trueish")),
        ("p & !forall x in d: q | r", ("p", "&", ("!", "forall x in d: q | r"))),
        ("exists(x,y)in d:forall z in c: p & q", "exists (x,y) in d: forall z in c: p & q"),
        ("forall & exists", ("forall", "&", "exists")),
    ],
)
def test_operator_precedence(text: str, meant: object) -> None:
    assert shape(parse(text)) == meant


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("", 1, 1, "a proposition, a number or '('"),
        ("won &", 1, 6, "a proposition, a number or '('"),
        ("(won", 1, 5, "an operator or ')'"),
        ("won)", 1, 4, "an operator"),
        ("won lost", 1, 5, "a comparison, an operator or arguments"),
        ("bombs =", 1, 8, "a proposition or a number"),
        ("E[a U b", 1, 8, "an operator or ']'"),
        ("3", 1, 2, "a comparison"),
        ("won &\n  # lost", 2, 3, "a proposition, a number or '('"),
        ("forall x d: p", 1, 10, "'in'"),
        ("forall x in : p", 1, 13, "a domain"),
        ("exists (x, in d: p", 1, 15, "')' or ','"),
        ("exists x in d p", 1, 15, "':'"),
        ("[left", 1, 1, "a proposition, a number or '('"),
        ("bombs = " + 200 * "9", 1, 9, "a number of at most 99 digits"),
    ],
)
def test_invalid_formulas_are_refused(text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column, caught.value.expected) == (line, column, expected)


@given(st.text("AEXFGUp&|!()[] ->=1,", max_size=30))
def test_random_text_is_formula_or_error(text: str) -> None:
    found: Formula | tuple[int, int]
    try:
        found = parse(text)
    except gp.ParseError as error:
        found = error.line, error.column
    if isinstance(found, Formula):
        assert parse(str(found)) == found
    else:
        assert min(found) >= 1


@pytest.mark.parametrize(
    "text", ["X " * DEEPEST + "p", "(" * 3000 + "p" + ")" * 3000, "p" + " & p" * DEEPEST]
)
def test_formulas_of_hundreds_of_operators(text: str) -> None:
    formula = parse(text)
    again = parse(str(formula))
    assert again == formula
    assert hash(again) == hash(formula)
    assert repr(again) == repr(formula) == f"parse({str(formula)!r})"
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert formula != parse(text.replace("p", "q"))
    assert formula != text


@pytest.mark.parametrize("text", ["X " * 4000 + "p", "p" + " -> p" * 2000, "!" * (DEEPEST + 1) + "p"])
def test_too_deep_formulas_are_refused(text: str) -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^the formula is nested too deeply: more than 250 operators$"
    ):
        parse(text)


def test_too_long_texts_and_other_types_are_refused() -> None:
    with pytest.raises(gp.GridproofError, match=r"^the formula has more than 100,000 characters$"):
        parse("p" * 100_001)
    with pytest.raises(gp.GridproofError, match=r"^a formula is a text such as 'AG EF won', not 3$"):
        parse(3)  # type: ignore[arg-type]  # what is tried


@given(ctl())
def test_logic_of_ctl_and_state_formulas(formula: Formula) -> None:
    temporal = any(letter in str(formula) for letter in "AE")
    assert logic_of(formula) is (Logic.CTL if temporal else Logic.STATE)


@pytest.mark.parametrize(
    ("text", "logic"),
    [
        ("AG O p", Logic.CTL),
        ("EF p & (p S q)", Logic.CTL),
        ("O E[p U Y q]", Logic.CTL),
        ("A O p", Logic.CTL_STAR),
        ("E (G F (p & O q))", Logic.CTL_STAR),
        ("G (p -> O EF q)", Logic.CTL_STAR),
    ],
)
def test_logic_of_formulas_with_past_and_quantifiers(text: str, logic: Logic) -> None:
    assert logic_of(parse(text)) is logic


@pytest.mark.parametrize("text", ["X p", "p U q", "O p", "G (p -> F q)", "[left]", "p & [left]"])
def test_logic_of_ltl_formulas(text: str) -> None:
    assert logic_of(parse(text)) is Logic.LTL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "AG O X p",
            "line 1, column 4: 'O X p': in a formula with A or E, O looks back at positions: no X, F, G, U, W, R and no [ACTION] stands in it without an A or E before",
        ),
        (
            "EF p & (p S [left])",
            "'p S [left]': in a formula with A or E, S looks back at positions: no X, F, G, U, W, R and no [ACTION] stands in it without an A or E before",
        ),
        (
            "<<a>> F AG p",
            "'AG p': with <<...>> in a formula, temporal operators stand right after one, and there is no A, no E and no [ACTION]; more than one stands in G F p, F G p, G F p -> G F q and G (p -> F q)",
        ),
        (
            "<<a>> F (p & O q)",
            "'O q': no operator of the past goes with <<...>>; cost(...), the cost since the start, does",
        ),
        (
            "<<a>> X G p",
            "'G p': with <<...>> in a formula, temporal operators stand right after one, and there is no A, no E and no [ACTION]; more than one stands in G F p, F G p, G F p -> G F q and G (p -> F q)",
        ),
        (
            "<<a>> (F p & G q)",
            "'<<a>> (F p & G q)': X, F, G or [... U ...], W or R stands right after <<...>>, or one of G F p, F G p, G F p -> G F q and G (p -> F q)",
        ),
        (
            "A [left]",
            "line 1, column 1: '[left]' right after A says which action is the next one of a path; e(left) asks whether it can be done, and A[... U ...] has U, W or R inside",
        ),
    ],
)
def test_mixed_logics_are_refused(text: str, why: str) -> None:
    with pytest.raises(
        gp.GridproofError,
    ) as caught:
        logic_of(parse(text))
    assert str(caught.value) == why


EXAMPLES: dict[str, tuple[Any, Any]] = {
    "bool": (True, False),
    "str": ("U", "W"),
    "tuple[str, ...]": (("a",), ("b",)),
    "Formula": (Atom("won"), Atom("lost")),
    "Atom | int": (Atom("won"), 7),
    "Place": ((1, 1), (2, 2)),
    "int": (1, 2),
    "Fraction | None": (Fraction(1, 2), None),
    "Hashable": ("one automaton", "another"),
}
"""Two different values for each type of a field of a formula's node."""


KINDS = [
    kind
    for kind in Formula.__subclasses__()
    if getattr(sys.modules[kind.__module__], kind.__name__) is kind  # not what `slots=True` has replaced
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_equality_of_formulas_ignores_place_only(kind: type[Any]) -> None:
    fields = {one.name: EXAMPLES[str(one.type)] for one in dataclasses.fields(kind)}
    first = {name: values[0] for name, values in fields.items()}
    one = kind(**first)
    assert (one, hash(one)) == (kind(**first), hash(kind(**first)))
    for name, (_, other) in fields.items():
        two = kind(**first | {name: other})
        same = name == "place"
        assert ((one == two), hash(one) == hash(two)) == (same, same), name
    assert set(parts(one)) == {value for name, value in first.items() if fields[name] == EXAMPLES["Formula"]}


def test_formulas_that_differ_deep_inside_are_not_equal() -> None:
    assert parse("!<<a>> X <<b>> F won(a)") != parse("!<<a>> X <<a>> F won(a)")
    assert parse("<<a,b>> F won") != parse("<<a>> F won")
    assert parse("<<a>>  F won") == parse(" <<a>> F won")


@pytest.mark.parametrize("text", ["E [up]", "A[ up ]", "AG E [up]", "E ([up])", "!A [RM(0,left)] | won"])
def test_action_after_quantifier_is_refused_with_suggestion(text: str) -> None:
    with pytest.raises(
        gp.GridproofError,
        match=r"^line 1, column \d: '\[(.+)\]' right after [AE] says which action is the next one of a path; e\(\1\) asks whether it can be done, and [AE]\[\.\.\. U \.\.\.\] has U, W or R inside$",
    ):
        logic_of(parse(text))


@pytest.mark.parametrize(
    ("text", "same"), [("E[won U lost]", "E[won U lost]"), ("E[X(won)]", "EX won"), ("E[ F won ]", "EF won")]
)
def test_brackets_after_quantifier_may_hold_a_formula(text: str, same: str) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    "text",
    [
        "P=? [F won]",
        "Pmax=? [F<=20 tile(64)]",
        "Pmin=? [!lost U=3 (won & near)]",
        "P>=0.9 [G<5 !lost] & won",
        "P>1/3 [(a | b) W<=3 !c]",
        "P<=0.001 [X won]",
        'R{"pushes"}=? [F won]',
        'R{"actions"}max<=7.5 [F (won | lost)]',
        "forall x in tiles: Pmax>=0.5 [F tile(x)]",
        "!P<0.5 [a R b]",
        "<<a,b>> P>=0.5 [F won(a)]",
    ],
)
def test_quantities_have_a_text_that_is_read_back(text: str) -> None:
    assert str(parse(text)) == text
    assert logic_of(parse(text)) is Logic.PCTL or "forall" in text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("P = ? [ F won ]", "P=? [F won]"),
        ('Rmin{"pushes"}=?[F won]', 'R{"pushes"}min=? [F won]'),
        ("R{pushes}<=3 [F won]", 'R{"pushes"}<=3 [F won]'),
        ("R=? [F won]", 'R{"actions"}=? [F won]'),
        ("P>=9/10 [F won]", "P>=0.9 [F won]"),
        ("P>=1e-3 [F <= 3 won]", "P>=0.001 [F<=3 won]"),
    ],
)
def test_quantities_may_be_written_in_several_ways(text: str, same: str) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P>=2 [F won]", "line 1, column 1: '2' is no bound (expected a probability such as 0.9 or 9/10)"),
        ("P>=1/0 [F won]", "line 1, column 1: '1/0' is no bound (expected a probability such as 0.9 or 9/10)"),
        ("R<= [F won]", "line 1, column 1: 'R<= [' cannot stand here (expected P=? [, P>=0.9 [, Pmax=? [ or "
         'R{"actions"}=? [)'),
        ("F<=3 won", "'F<=3 won': a bound stands in P=? [...] or P>=0.9 [...], or right after <<...>>; elsewhere, compare "
         "cost(actions), as in EF (won & cost(actions) <= 5)"),
        ("<<a>> X<=1 won", "'<<a>> X<=1 won': X takes one turn, and no bound"),
        ("<<a>> G<0 won", "'G<0 won': no path has fewer than 0 actions"),
        ("<<a>> F=2 won", "'<<a>> F=2 won': a bound of turns has <= or <; write F=2 p as X <<...>> X p, with the same players"),
        ("AG P>=1 [F won]", "'AG P>=1 [F won]': with P or R in a formula, temporal operators stand in their brackets only, "
         "and there is no A, no E, and no <<...>> but right before P or R"),
        ("P=? [won]", "'P=? [won]': the bracket is about a path, with X, F, G, U, W or R"),
        ("P=? [F<=3 (F won)]", "'P=? [F<=3 F won]': an operator with a bound has parentheses around its sides, and no "
         "temporal operators inside them"),
        ("P=? [F P>=1 [F won]]", "'P=? [F P>=1 [F won]]': there is no P, no R and no <<...>> in the bracket"),
        ("P=? [X<=1 won]", "'P=? [X<=1 won]': X takes one action, and no bound"),
        ("P=? [F<0 won]", "'F<0 won': no path has fewer than 0 actions"),
        ("P=? [won W=3 lost]", "'won W=3 lost': W has a bound with <= or <"),
        ("R=? [G won]", "'R{\"actions\"}=? [G won]': an expected cost is that of reaching something: [F won]"),
        ("P=? [F <<a>> won]", "'P=? [F <<a>> won]': there is no P, no R and no <<...>> in the bracket"),
        ("<<a>> Pmin<1 [F won]", "'<<a>> Pmin<1 [F won]': <<...>> stands before P, R, or the likes of Pmax=?, and one of X, F, G, "
         "U, W and R, or G F p or F G p; without P, also before G F p -> G F q and G (p -> F q), against the worst luck"),
        ("<<a>> R=? [F won]", "'<<a>> R{\"actions\"}=? [F won]': a coalition wants the least cost, Rmin=?, or the greatest, Rmax=?"),
        ("P=? [F A won]", "'P=? [F A won]': there is no A and no E in the bracket"),
    ],
)  # fmt: skip
def test_quantities_that_mean_nothing_are_refused(text: str, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        logic_of(parse(text))
    assert str(caught.value) == message


def test_formula_after_next_action_is_refused_with_what_joins_them() -> None:
    with pytest.raises(
        gp.ParseError, match=r"^line 1, column 9: 'won' cannot stand here: \[up\] says which action is"
    ):
        parse("EF [up] won")
    with pytest.raises(gp.ParseError, match=r"^line 1, column 6: '\)' cannot stand here \(expected"):
        parse("[up] )")


def test_bound_of_actions_in_ctl_is_explained() -> None:
    for text in ("AF<=5 won", "won | EG < 3 home", "A [home U<=3 won]", "E F<=3 won"):
        with pytest.raises(gp.GridproofError, match="elsewhere, compare cost"):
            logic_of(parse(text))
