"""Certificates of formulas with costs, and with the past beside A and E: all verify, and spoiled ones prove nothing false."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.twins import Played, Several, atoms_of, random_formula, small_level

import gridproof as gp
from gridproof.prove.checkers.memory import RememberingLevel
from gridproof.prove.checkers.memory_formula import remember
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.formula import Atom, Binary, Comparison, Deadlock, Formula, Unary, substitute
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parsing import parse


def remembering_formula(logic: Logic, played: Played, random: Random) -> Formula:
    """A random formula in which some statements compare costs or look back."""

    def put(one: Formula) -> Formula | None:
        if not isinstance(one, Atom | Comparison) or random.random() < 0.5:
            return None
        other = random.choice(atoms_of(played, random))
        cost = Comparison(
            Atom("cost", ("actions",)), random.choice(("<=", "=", ">", "!=")), random.randint(0, 3)
        )
        looking_back = Unary(random.choice("OHY"), one), Binary(random.choice("ST"), one, other)
        nested = Unary("O", Binary("&", other, cost)), Unary(random.choice("YOH"), Unary("Y", other))
        at_the_end = Unary(random.choice("YH"), Binary(random.choice("&|"), Deadlock(), other))
        return random.choice((cost, *looking_back, *nested, at_the_end))

    return substitute(random_formula(logic, played, random, random.randint(1, 3)), put)


def judging_formula(logic: Logic, played: Played, random: Random) -> Formula:
    """A random formula in which some statements look back at what A and E said there."""

    def put(one: Formula) -> Formula | None:
        if not isinstance(one, Atom | Comparison) or random.random() < 0.4:
            return None
        other = random.choice(atoms_of(played, random))
        some = Unary(random.choice("AE"), Unary(random.choice("XFG"), one))
        every = Unary(random.choice("AE"), Binary(random.choice("UWR"), one, other))
        looking_back = Unary(random.choice("OHY"), random.choice((some, every)))
        since = Binary(random.choice("ST"), *random.sample((some, other), 2))
        nested = Unary(random.choice("OHY"), Unary("E", Unary("F", Binary("&", looking_back, other))))
        return random.choice((looking_back, since, nested, Binary("&", Unary("Y", Deadlock()), looking_back)))

    return substitute(random_formula(logic, played, random, random.randint(1, 2)), put)


def forcing_formula(logic: Logic, played: Played, random: Random) -> Formula:
    """A random formula with coalitions in which some statements compare costs."""

    def put(one: Formula) -> Formula | None:
        if not isinstance(one, Atom | Comparison) or random.random() < 0.5:
            return None
        cost = Comparison(
            Atom("cost", ("actions",)), random.choice(("<=", "=", ">", "!=")), random.randint(0, 3)
        )
        return random.choice((cost, Binary(random.choice("&|"), one, cost)))

    return substitute(random_formula(logic, played, random, random.randint(1, 2)), put)


def is_true(said: FormulaStatement) -> bool:
    level: Any = Several(positions=tuple(dict.fromkeys(said.starts)))
    return gp.check(level, said.formula, said.paths, fair=said.fair).holds is said.holds


def spoil(seed: int, path: Path, number: int, make: Any = remembering_formula) -> int:
    """Verify a certificate of a random level and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    played = Played(level)
    is_judging = make is judging_formula
    logics = (Logic.CTL,) if is_judging else (Logic.CTL, Logic.CTL, Logic.LTL)
    logics = (Logic.ATL,) if make is forcing_formula else logics
    formula = make(random.choice(logics), played, random)
    fair = random.choice(((), (), ("G F home",), ("weak *",))) if is_judging else ()
    verdict = gp.check(level, formula, fair=fair)
    made = gp.certify(level, path, formula=str(formula), fair=fair)
    assert made.holds, (seed, str(formula))
    answer = gp.verify(path)
    assert answer.holds, (seed, str(formula), answer.reason)
    if not isinstance(answer.statement, FormulaStatement):
        return 0
    assert answer.statement.holds is verdict.holds, (seed, str(formula))
    lines = spoiled.read(path)
    refused = spoiled.count_refusals(path, random, number, FormulaStatement, is_true)
    path.write_text(spoiled.negate_claim(lines, random).text())
    assert gp.verify(path).holds is False, (seed, path.read_text())
    return refused + 1


@pytest.mark.slow
def test_certificates_with_memory_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 3) for seed in range(8)) > 8


@pytest.mark.long
def test_many_spoiled_certificates_with_memory_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 10) for seed in range(100, 200)) > 300


@pytest.mark.slow
def test_certificates_of_coalitions_with_costs_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 3, forcing_formula) for seed in range(600, 608)) > 8


@pytest.mark.long
def test_many_spoiled_certificates_of_coalitions_with_costs_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 10, forcing_formula) for seed in range(700, 800)) > 300


@pytest.mark.parametrize(("most", "holds"), [(7, True), (6, False)])
def test_coalition_with_cost_is_certified(most: int, holds: bool, tmp_path: Path) -> None:
    path, yard = tmp_path / "proof", gp.level("robots/yards/1")
    made = gp.certify(yard, path, formula=f"<<a>> F (won(a) & cost(actions) <= {most})")
    answer = gp.verify(path, yard)
    assert (made.kind, answer.holds, answer.statement.holds) == ("coalition", True, holds)
    lines = spoiled.read(path)
    path.write_text(lines.but(holds=not holds).text())
    assert gp.verify(path).holds is False
    path.write_text(lines.but(formula=f"<<a>> F (won(a) & cost(actions) <= {13 - most})").text())
    assert gp.verify(path).holds is False


@pytest.mark.slow
def test_certificates_that_look_back_at_branches_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 2, judging_formula) for seed in range(300, 308)) > 8


@pytest.mark.long
def test_many_spoiled_certificates_that_look_back_at_branches_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 10, judging_formula) for seed in range(400, 500)) > 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "fair"),
    [
        ("AG (won -> O EX won)", ()),
        ("AG (O AG won -> won)", ("G F home",)),
        ("EF (won & !O EX won)", ()),
        ("AG (won -> Y EX won)", ()),
    ],
)
def test_forged_memory_of_branches_is_refused(formula: str, fair: tuple[str, ...], tmp_path: Path) -> None:
    """Memories that are all 0, or all 1, or swapped, and other kinds, do not prove the opposite, nor the same."""
    path = tmp_path / "proof"
    gp.certify("sokoban/first-steps/1", path, formula=formula, fair=fair)
    lines = spoiled.read(path)
    for digits, claim in itertools.product(("00", "11", "10"), (True, False)):
        forged = {}
        for text, *values in lines.values:
            changed = text[:-1] + digits[int(text[-1])]
            forged[changed] = [changed, *values]
        path.write_text(lines.but(holds=claim).listing([*forged.values()]).text())
        same = [*forged.values()] == lines.values and claim is lines.header["holds"]
        assert gp.verify(path).holds is same, (digits, claim)
    for kind in ("ltl", "trace", "paths", "ctl", "coalition", "fair-coalition"):
        for claim in (True, False):
            loop = {"loop": None} if kind == "trace" else {}
            path.write_text(lines.but(kind=kind, holds=claim, **loop).text())
            same = kind == lines.header["kind"] and claim is lines.header["holds"]
            assert gp.verify(path).holds is same, (kind, claim)


@pytest.mark.parametrize(
    ("formula", "kind", "holds"),
    [
        ("EF (won & cost(pushes) <= 2)", "trace", True),
        ("EF (won & cost(pushes) <= 1)", "ctl", False),
        ("AG (won -> cost(pushes) >= 2)", "ctl", True),
        ("AG (won -> O at(1,2))", "ctl", True),
        ("AG (won -> H !at(1,1))", "trace", False),
        ("A (G F home -> G (at(2,1) -> O home))", "ltl", True),
        ("E (F at(2,1) & F EG O at(1,2))", "paths", True),
        ("G (won -> cost(actions) > 2)", "ltl", True),
        ("AG (won -> Y !won)", "ctl", False),  # a won position is followed by itself
        ("AG (won & !Y won -> Y Y !won)", "ctl", True),
        ("EF (deadlock & Y deadlock)", "ctl", True),
        ("AF G (deadlock & Y deadlock | !won)", "ltl", True),
        ("AG (won -> O EX won)", "ctl", True),
        ("AG (home -> AF won T home)", "ctl", False),
        ("AG (H EF won -> cost(pushes) <= 3)", "ctl", True),
        ("E (F won & F O EX home)", "paths", True),
    ],
)
def test_memory_is_certified_in_each_kind(formula: str, kind: str, holds: bool, tmp_path: Path) -> None:
    made = gp.certify("sokoban/first-steps/1", tmp_path / "proof", formula=formula)
    answer = gp.verify(tmp_path / "proof", "sokoban/first-steps/1")
    assert (made.kind, answer.holds, answer.statement.holds) == (kind, True, holds)
    assert answer.statement.claim.startswith(f"`{formula}` ")


def test_position_with_memory_is_written_and_read() -> None:
    level = gp.level("sokoban/first-steps/1")
    found = remember(parse("AG (O at(1,2) -> cost(pushes) < 5)"), (level.start(),), (None,))
    assert found is not None
    remembering, formula = found
    assert logic_of(formula) is Logic.CTL
    assert isinstance(remembering, RememberingLevel)
    start = remembering.wrap(level.start())
    after = next(iter(start.outcomes("down"))).position
    assert start.text().endswith("\nmemory 0 0")
    assert after.text().endswith("\nmemory 0 1")
    assert remembering.position(after.text()) == after
    for wrong in ("memory 0", "memory 0 0 0", "memory x 0", "memory  0 0", "memory 0 " + "1" * 5000):
        with pytest.raises(gp.GridproofError, match="memory"):
            remembering.position(level.start().text() + f"\n{wrong}")
    nothing: Any = None
    with pytest.raises(gp.GridproofError, match="memory"):
        remembering.position(nothing)


def test_step_where_no_action_is_possible_is_none_of_the_level(tmp_path: Path) -> None:
    """Such a step changes the memory, and nothing else may tell it."""
    level, path = gp.level("sokoban/first-steps/1"), tmp_path / "proof"
    found = remember(parse("AG (deadlock -> Y won)"), (level.start(),), (None,))
    assert found is not None
    assert str(found[1]) == "AG (memory(end) -> memory(0))"
    for formula in (
        "EF (e(up) & Y won)",
        "AG (won -> Y Y won | !e(left))",
        "AG (deadlock <-> won & (Y won | !Y won))",
    ):
        assert gp.certify(level, path, formula=formula).holds
        assert gp.verify(path).statement.holds is gp.check(level, formula).holds


def test_memory_written_by_hand_is_refused(tmp_path: Path) -> None:
    gp.certify("sokoban/first-steps/1", tmp_path / "proof", formula="AG (won -> O at(2,1))")
    lines = spoiled.read(tmp_path / "proof")
    for formula in (
        "AG (won -> memory(0))",
        "AG (won -> memory(0) | O at(2,1))",
        "AG (won -> O won) & AG cost(x) <= 1",
    ):
        (tmp_path / "proof").write_text(lines.but(formula=formula).text())
        assert gp.verify(tmp_path / "proof").holds is False


@pytest.mark.parametrize("formula", ["memory(9) > 0 & AG O won", "AG (memory(a) = 0 -> O won)"])
def test_comparison_with_memory_is_refused(formula: str, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("sokoban/first-steps/1", path, formula="AG (won -> O at(1,2))")
    path.write_text(spoiled.read(path).but(formula=formula).text())
    assert gp.verify(path).reason == "line 1: no certificate can have memory(...) in a formula"
