"""Tests of formulas: they round-trip through text, and errors name their place and reason."""

from __future__ import annotations

import dataclasses
import pickle
import sys
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
    Logic,
    Next,
    Unary,
    logic_of,
    parts,
)
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
    ),
    max_leaves=20,
)


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


@pytest.mark.parametrize("text", ["X p", "p U q", "O p", "G (p -> F q)", "[left]", "p & [left]"])
def test_logic_of_ltl_formulas(text: str) -> None:
    assert logic_of(parse(text)) is Logic.LTL


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "AG F p",
            "'F p': F has no A or E right before it, and others have: formulas are of CTL (A or E before each temporal operator) or of LTL (no A and E at all), CTL* is not supported",
        ),
        ("E(F p & G q)", "'E (F p & G q)': in CTL E stands right before X, F, G or [... U ...], W or R"),
        (
            "EF p & G q",
            "'G q': G has no A or E right before it, and others have: formulas are of CTL (A or E before each temporal operator) or of LTL (no A and E at all), CTL* is not supported",
        ),
        ("E p", "'E p': in CTL E stands right before X, F, G or [... U ...], W or R"),
        ("AG O p", "'O p': O asks for the past, in LTL, without A and E"),
        ("A[p S q]", "'A (p S q)': in CTL A stands right before X, F, G or [... U ...], W or R"),
        (
            "AG [left]",
            "'[left]' says which action is the next one of a path, which is LTL, without A and E; e(left) asks whether it can be done, and E[... U ...] has U, W or R inside",
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
        match=r"^'\[(.+)\]' says which action is the next one of a path, which is LTL, without A and E; e\(\1\) asks whether it can be done, and E\[\.\.\. U \.\.\.\] has U, W or R inside$",
    ):
        logic_of(parse(text))


@pytest.mark.parametrize(
    ("text", "same"), [("E[won U lost]", "E[won U lost]"), ("E[X(won)]", "EX won"), ("E[ F won ]", "EF won")]
)
def test_brackets_after_quantifier_may_hold_a_formula(text: str, same: str) -> None:
    assert parse(text) == parse(same)
