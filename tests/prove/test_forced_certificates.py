"""Certificates of what coalitions can force with some probability or cost: all verify, and none proves what is false."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.test_quantity_certificates import ATOMS, change_bound, forge
from tests.prove.twins import Played, Several, small_level

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.prove.checkers.comparisons import ComparisonsStatement
from gridproof.prove.checkers.forced_bounds import ForcedStatement
from gridproof.prove.value import value_of_coalition

PATHS = (
    "F {0}", "G {0}", "({0}) U ({1})", "({0}) W ({1})", "({0}) R ({1})",
    "F<=4 {0}", "G<=3 {0}", "({0}) U<=5 ({1})", "({0}) R<=3 ({1})", "F=3 {0}", "X {0}", "F<=0 {0}",
    "G F {0}", "F G {0}", "G F {0}",
)  # fmt: skip
SIGNS = (">=1/2", "<3/4", ">=1", ">0", "<=1/4")
COST_SIGNS = ("<=3", ">2", "<1", ">=1")
BOARD = "2048 2x2 spawn=classic target=16\n"


def change_claim(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Claim other bounds."""
    forced = random.choice(
        [["0", "0"], ["1", "1"], ["1/3", "1/2"], ["1", "0"], [None, "1"], ["1"], ["5", None]]
    )
    return lines.but(bounds=[{"forced": forced}])


def is_true(said: ComparisonsStatement) -> bool:
    subject: Any = said.starts[0] if len(said.starts) == 1 else Several(positions=said.starts)
    who: Any = None if said.who == (None,) else said.who
    for one in said.quantities:
        assert isinstance(one, ForcedStatement)
        true, (low, high) = value_of_coalition(subject, one.question, who).best_bounds, one.forced
        if low > true.high * (1 + 1e-9) + 1e-9 or (high is not None and high < true.low - 1e-9):
            return False
    return True


def spoil(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a random level, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    inner = Played(level).level
    names = [name for name in inner.game.actors(inner) if name != "nature"]
    coalition = ",".join(random.sample(names, random.randint(0, len(names))))
    atoms = [random.choice(ATOMS[inner.game.name]) for _ in range(2)]
    if random.random() < 0.3:
        atoms[0] = f"({atoms[0]} {random.choice('&|')} cost(actions) {random.choice(('<=', '>'))} 2)"
    path_formula = random.choice(PATHS).format(*atoms)
    formula = f"<<{coalition}>> P{random.choice(SIGNS)} [{path_formula}]"
    if random.random() < 0.4:
        measure = random.choice([*measures(inner.game)])
        formula = f'<<{coalition}>> R{{"{measure}"}}{random.choice(COST_SIGNS)} [F ({atoms[0]})]'
    made = gp.certify(starts, path, formula=formula)
    if made.holds is None:  # the bounds do not decide it
        return 0
    answer = gp.verify(path)
    assert (answer.holds, answer.reason, answer.positions) == (True, "", made.positions), formula
    assert answer.statement.holds is gp.check(starts, formula).holds, formula
    assert is_true(answer.statement), formula
    spoilers = [*spoiled.SPOILERS, change_bound, change_bound, change_claim]
    return spoiled.count_refusals(path, random, number, ComparisonsStatement, is_true, spoilers)


@pytest.mark.slow
def test_certificates_of_forced_numbers_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 4) for seed in range(12)) > 20


@pytest.mark.long
def test_many_spoiled_certificates_of_forced_numbers_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 20) for seed in range(100, 200)) > 800


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "claim"),
    [
        ("<<player>> P>=0.9625 [F won]", "holds, as the greatest value that they can force is 0.962511"),
        ("<<>> P>=0.9 [F won]", "does not hold, as the greatest value that they can force is 0"),
        ("<<player>> P<=0.04 [G !won]", "holds, as the least value that they can force is 0.0374887"),
        (
            "<<player>> P<=0 [F won] & P>=1 [F ended]",
            "`<<player>> P<=0 [F won]` holds, as the least value that they can force is 0; `P>=1",
        ),
    ],
)
def test_forced_probability_is_certified(formula: str, claim: str, tmp_path: Path) -> None:
    (board,) = gp.read(BOARD)
    made = gp.certify(board, tmp_path / "proof", formula=formula)
    answer = gp.verify(tmp_path / "proof", board)
    assert (made.kind, answer.holds, answer.statement.holds) == (
        "comparisons",
        True,
        gp.check(board, formula).holds,
    )
    assert claim in answer.statement.claim
    assert answer.statement.claim.count(f"`{formula}`") == 1


@pytest.mark.slow
def test_number_that_is_forced_is_certified(tmp_path: Path) -> None:
    (board,) = gp.read(BOARD)
    path, question = tmp_path / "proof", "<<player>> P=? [F won]"
    made = gp.certify(board, path, goal=question, value=True)
    answer = gp.verify(path, board)
    assert (made.kind, answer.holds) == ("comparisons", True)
    assert answer.statement.claim == f"`{question}` is 0.962511"
    assert "do not prove" in forge(path, lambda line: line, bounds=[{"forced": ["1", "1"]}])
    assert "are wrong" in forge(
        path, with_triples(lambda triple: ["1", "1", 3]), bounds=[{"forced": ["1", "1"]}]
    )


def with_triples(change: Any) -> Any:
    """Return a change of a line whose values are those of one comparison."""
    return lambda line: [
        line[0],
        [value for at in range(0, len(line[1]), 3) for value in change(line[1][at : at + 3])],
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "header", "reason"),
    [
        (lambda low, high, rank: ["1", "1", rank], {"forced": ["1", "1"]}, "are wrong"),
        (lambda low, high, rank: ["1", "1", 0], {"forced": ["1", "1"]}, "are wrong"),
        (lambda low, high, rank: [low, "0", rank], {"forced": ["0", "0"]}, "are wrong"),
        (lambda low, high, rank: [low, high, 5], {}, "are wrong"),
        (lambda low, high, rank: [low, high, -1], {}, "not a text with the values"),
        (lambda low, high, rank: [low, None, rank], {}, "not a text with the values"),
        (lambda low, high, rank: [low, high], {}, "not a text with the values"),
        (lambda low, high, rank: [low, high, rank], {"forced": ["1", "1"]}, "do not prove"),
        (lambda low, high, rank: [low, high, rank], {"forced": ["0", "1"]}, "do not decide"),
        (lambda low, high, rank: [low, high, rank], {"best": ["1", "1"], "worst": ["1", "1"]}, "for each comparison"),
        (lambda low, high, rank: [low, high, rank], {"forced": ["0", None]}, "has an upper bound"),
    ],
)  # fmt: skip
def test_forged_certificate_of_forced_probability_is_refused(
    change: Any, header: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    (board,) = gp.read(BOARD)
    gp.certify(board, tmp_path / "proof", formula="<<player>> P>=0.5 [F won]")
    said = spoiled.read(tmp_path / "proof").header["bounds"]
    changed = with_triples(lambda triple: change(*triple))
    assert reason in forge(tmp_path / "proof", changed, bounds=[header] if header else said)


def test_forced_probability_with_cost_is_certified(tmp_path: Path) -> None:
    (board,) = gp.read(BOARD)
    path, formula = tmp_path / "proof", "<<player>> P>=1/2 [F (won & cost(actions) <= {0})]"
    gp.certify(board, path, formula=formula.format(8))
    answer = gp.verify(path, board)
    assert (answer.holds, answer.statement.holds) == (True, True)
    assert forge(path, lambda line: line, formula=formula.format(7))
    assert "cannot minimise 'pushes'" in forge(
        path, lambda line: line, formula=formula.format(8).replace("actions", "pushes")
    )


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("<<>> P>=0.5 [F won]", "are wrong"),
        ("<<nobody>> P>=0.5 [F won]", "takes no turn"),
        ("<<player>> P<0.5 [G won]", "do not prove"),
        ("<<player>> P>=0.5 [F e(fly)]", "no action 'fly'"),
        ("<<player>> F won", "compares no probabilities"),
        ("<<player>> R=? [F won]", "a coalition wants the least cost"),
        ("<<player>> Rmin=? [F won]", "are wrong"),
        ('<<player>> R{"pushes"}<=12 [F ended]', "does not count 'pushes'"),
        ("<<player>> P=? [F won] | won", "no certificate can have P or R inside"),
        ("P=? [F won]", "no certificate can have P or R inside"),
    ],
)
def test_certificate_of_another_coalition_or_path_is_refused(
    formula: str, reason: str, tmp_path: Path
) -> None:
    (board,) = gp.read(BOARD)
    gp.certify(board, tmp_path / "proof", formula="<<player>> P>=0.5 [F won]")
    assert reason in forge(tmp_path / "proof", lambda line: line, formula=formula)


YARD = "robots/yards/1"


@pytest.mark.parametrize(
    ("level", "formula", "claim"),
    [
        (BOARD, "<<player>> R<=12 [F ended]", "holds, as the least value that they can force is 3.81482"),
        (BOARD, '<<player>> R{"score"}>60 [F ended]', "holds, as the greatest value that they can force is infinite"),
        (BOARD, "<<>> R<=12 [F ended]", "does not hold, as the least value that they can force is infinite"),
        (YARD, "<<a>> Rmin=? [F won(a)]", "is 7"),
        (YARD, "<<b>> Rmin=? [F won(b)]", "is infinite"),
    ],
)  # fmt: skip
def test_forced_cost_is_certified(level: str, formula: str, claim: str, tmp_path: Path) -> None:
    subject: Any = gp.level(level) if level == YARD else gp.read(level)[0]
    if "=?" in formula:
        made = gp.certify(subject, tmp_path / "proof", goal=formula, value=True)
    else:
        made = gp.certify(subject, tmp_path / "proof", formula=formula)
    answer = gp.verify(tmp_path / "proof", subject)
    assert (made.kind, answer.holds, answer.reason) == ("comparisons", True, "")
    assert claim in answer.statement.claim


@pytest.mark.parametrize(
    ("change", "forced", "reason"),
    [
        (lambda low, high, rank: [low, high, 0], None, "are wrong"),  # the goal need not come
        (lambda low, high, rank: [low, low and "1", rank], ["0", "1"], "are wrong"),
        (lambda low, high, rank: ["8", high, rank], ["8", None], "are wrong"),
        (lambda low, high, rank: [low, None, rank], None, "do not prove"),
        (lambda low, high, rank: [low, high, rank], ["8", "9"], "do not prove"),
    ],
)
def test_forged_certificate_of_forced_cost_is_refused(
    change: Any, forced: list[Any] | None, reason: str, tmp_path: Path
) -> None:
    gp.certify(YARD, tmp_path / "proof", goal="<<a>> Rmin=? [F won(a)]", value=True)
    said = spoiled.read(tmp_path / "proof").header["bounds"]
    changed = with_triples(lambda triple: change(*triple))
    assert reason in forge(tmp_path / "proof", changed, bounds=[{"forced": forced}] if forced else said)


@pytest.mark.slow
def test_passes_in_a_circle_prove_nothing(tmp_path: Path) -> None:
    """The others can pass for ever, so nobody else's bounds may rely on them."""
    path, duel = tmp_path / "proof", "robots/duels/1"
    assert gp.certify(duel, path, formula="<<b>> P>=1 [F won(a)]").holds
    surely = with_triples(lambda triple: ["1", "1", 9])
    assert "are wrong" in forge(path, surely, bounds=[{"forced": ["1", "1"]}])


@pytest.mark.slow
def test_forced_probability_with_nature_is_refused(tmp_path: Path) -> None:
    path, duel = tmp_path / "proof", "robots/duels/1"
    assert gp.certify(duel, path, formula="<<a>> P>0 [F won(a)]").holds
    assert "nature acts" in forge(path, lambda line: line, actors="all")


@pytest.mark.parametrize(
    ("level", "formula", "claim"),
    [
        (BOARD, "<<player>> P>=0.5 [F<=8 won]", "holds, as the greatest value that they can force is 0.54998"),
        (BOARD, "<<>> P>0 [F<=8 won]", "does not hold, as the greatest value that they can force is 0"),
        (YARD, "<<a>> P>=1 [F<=7 won(a)]", "holds, as the greatest value that they can force is 1"),
        (YARD, "<<a>> P>=1 [F<=6 won(a)]", "does not hold, as the greatest value that they can force is 0"),
        (YARD, "<<b>> P>=1 [G<=6 !won(a)]", "holds, as the greatest value that they can force is 1"),
    ],
)  # fmt: skip
def test_probability_within_some_turns_is_certified(
    level: str, formula: str, claim: str, tmp_path: Path
) -> None:
    subject: Any = gp.level(level) if level == YARD else gp.read(level)[0]
    made = gp.certify(subject, tmp_path / "proof", formula=formula)
    answer = gp.verify(tmp_path / "proof", subject)
    assert (made.kind, answer.holds, answer.reason) == ("comparisons", True, "")
    assert answer.statement.holds is gp.check(subject, formula).holds
    assert claim in answer.statement.claim


@pytest.mark.parametrize(
    ("change", "forced", "formula", "reason"),
    [
        (lambda low, high, rank: ["1", "1", 0], ["1", "1"], "", "are wrong"),
        (lambda low, high, rank: ["0", "0", 0], ["0", "0"], "", "are wrong"),
        (lambda low, high, rank: [low, high, 0], ["0.6", "0.7"], "", "are two texts"),
        (lambda low, high, rank: [low, high, 0], ["3/5", "3/5"], "", "do not prove"),
        (lambda low, high, rank: [low, None, 0], None, "", "not a text with the values"),
        (lambda low, high, rank: [low, high], None, "", "not a text with the values"),
        (lambda low, high, rank: [low, high, 0], None, "<<player>> P=? [F<=7 won]", "not a text with the values"),
        (lambda low, high, rank: [low, high, 0], None, "<<player>> P=? [F<=9 won]", "do not prove"),
        (lambda low, high, rank: [low, high, 0], None, "<<player>> P=? [G<=8 won]", "do not prove"),
        (lambda low, high, rank: [low, high, 0], None, "<<>> P=? [F<=8 won]", "are wrong"),
        (lambda low, high, rank: [low, high, 0], None, "<<player>> P=? [F won]", "not a text with the values"),
        (lambda low, high, rank: [low, high, 0], None, "<<player>> P=? [F<=999999999 won]", "more than"),
    ],
)  # fmt: skip
def test_forged_certificate_of_what_is_forced_within_some_turns_is_refused(
    change: Any, forced: list[Any] | None, formula: str, reason: str, tmp_path: Path
) -> None:
    (board,) = gp.read(BOARD)
    question = "<<player>> P=? [F<=8 won]"
    gp.certify(board, tmp_path / "proof", goal=question, value=True)
    said = spoiled.read(tmp_path / "proof").header["bounds"]
    changed, bounds = with_triples(lambda triple: change(*triple)), [{"forced": forced}] if forced else said
    assert reason in forge(tmp_path / "proof", changed, bounds=bounds, formula=formula or question)
