"""Certificates of verdicts: all verify, and spoiled ones prove nothing that is false."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.twins import Played, Several, atoms_of, likely_formula, random_formula, small_level, truth

import gridproof as gp
from gridproof.prove.checkers.statements import FormulaStatement, Setting
from gridproof.prove.formula import Formula
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.writers import paths as path_writer
from gridproof.prove.writers.output import write_proof

LOGICS = (Logic.CTL, Logic.CTL, Logic.LTL, Logic.LTL, Logic.ATL, Logic.CTL_STAR, Logic.CTL_STAR)


def is_true(statement: FormulaStatement) -> bool:
    """Return whether a statement is true, by the slow twins."""
    level: Any = Several(positions=tuple(dict.fromkeys(statement.starts)))
    if statement.fair:  # fair paths have tests of their own against slow evaluators
        return (
            gp.check(level, statement.formula, statement.paths, fair=statement.fair).holds is statement.holds
        )
    return truth(statement.formula, statement.logic, statement.paths, Played(level)) is statement.holds


def certify(seed: int, path: Path, fairly: bool = False) -> gp.Verified | None:
    """Write the certificate of a random verdict, and verify it; None for a kind that does not record formulas."""
    if fairly:
        return certify_fairly(seed, path)
    random = Random(seed)
    level = small_level(random)
    played, logic = Played(level), random.choice(LOGICS)
    likely = random.random() < 0.4
    size = random.randint(1, 3 if logic in (Logic.LTL, Logic.CTL_STAR) else 5)
    formula = (likely_formula if likely else random_formula)(logic, played, random, size)
    logic = logic_of(formula)
    paths = random.choice(("all", "some")) if logic in (Logic.LTL, Logic.STATE) else "all"
    made = gp.certify(level, path, formula=str(formula), paths=paths)
    assert made.holds, (seed, formula)
    answer = gp.verify(path)
    assert (answer.holds, answer.positions) == (True, made.positions), (seed, str(formula), answer.reason)
    assert answer.statement is not None
    if not isinstance(answer.statement, FormulaStatement):
        return None
    assert answer.statement.holds is truth(formula, logic, paths, played), (seed, formula)
    return answer


def certify_fairly(seed: int, path: Path) -> gp.Verified | None:
    """Do the same with assumptions of fairness."""
    random = Random(seed)
    level = small_level(random)
    played = Played(level)
    logic = random.choice((Logic.CTL, Logic.LTL))
    formula = random_formula(logic, played, random, random.randint(1, 3))
    if logic_of(formula) is not logic or not played.level.all_actions():
        return None
    names = ["*", random.choice(played.level.game.actors(played.level)), str(played.level.all_actions()[0])]
    fair = [
        f"{random.choice(('weak', 'strong'))} {random.choice(names)}" for _ in range(random.randint(1, 2))
    ]
    if random.random() < 0.3:
        fair.append(f"G F ({random.choice(atoms_of(played, random))})")
    paths = random.choice(("all", "some")) if logic is Logic.LTL else "all"
    if random.random() < 0.3:  # a formula with A or E
        inner = random_formula(Logic.CTL, played, random, 1)
        fair, paths = [f"G F ({inner})", f"G F ({random.choice(atoms_of(played, random))})"], "all"
    verdict = gp.check(level, formula, paths, fair=fair)
    made = gp.certify(level, path, formula=str(formula), paths=paths, fair=fair)
    assert made.holds, (seed, formula)
    answer = gp.verify(path)
    assert answer.holds, (seed, str(formula), answer.reason)
    if not isinstance(answer.statement, FormulaStatement):
        return None
    assert (answer.statement.holds, answer.statement.fair) == (verdict.holds, tuple(fair)), seed
    return answer


def spoil(seed: int, path: Path, number: int, fairly: bool = False) -> int:
    """Verify spoiled copies of a random certificate; return how many were refused."""
    random = Random(seed)
    if certify(seed, path, fairly) is None:
        return 0
    lines = spoiled.read(path)
    refused = spoiled.count_refusals(path, random, number, FormulaStatement, is_true)
    path.write_text(spoiled.negate_claim(lines, random).text())
    assert gp.verify(path).holds is False, (seed, path.read_text())
    return refused + 1


@pytest.mark.slow
def test_certificates_of_random_verdicts_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 5) for seed in range(10)) > 15


@pytest.mark.slow
def test_certificates_with_fairness_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 5, fairly=True) for seed in range(10)) > 15


@pytest.mark.long
def test_many_certificates_with_fairness_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 10, fairly=True) for seed in range(100, 300)) > 500


@pytest.mark.long
def test_thousands_of_spoiled_certificates_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 20) for seed in range(100, 250)) > 1000


@pytest.mark.slow
def test_truths_of_parts_are_certified_without_fairness(tmp_path: Path) -> None:
    """The kind of formulas about branching paths gives the truths that the ranks of fixpoints give."""
    path, kinds = tmp_path / "proof", set[str]()
    for seed in range(12):
        random = Random(seed)
        level = small_level(random)
        played = Played(level)
        formula = random_formula(Logic.CTL, played, random, random.randint(1, 4))
        if logic_of(formula) is not Logic.CTL:
            continue
        space = gp.explore(level)
        said = statement_of(space, formula, truth(formula, Logic.CTL, "all", played))
        proof = path_writer.find_proof(said, space, gp.Limit().start())
        kinds.add(proof.kind)
        assert write_proof(path, list(said.starts), (None, (None,)), proof, gp.Limit().start())
        answer = gp.verify(path)
        assert (answer.holds, answer.reason) == (True, ""), (seed, str(formula))
        lines = spoiled.read(path)
        for _ in range(10):
            change = random.choice(spoiled.SPOILERS)
            path.write_text(change(lines, random).text())
            answer = gp.verify(path)
            if answer.holds:
                assert is_true(answer.statement), (seed, change.__name__, path.read_text())
    assert kinds == {"ltl", "paths"}


def statement_of(space: Any, formula: Formula, holds: bool) -> FormulaStatement:
    starts = tuple(space[number] for number in range(space.by_depth[0]))
    return FormulaStatement(*Setting(starts[0].level, starts, (None,), ""), formula, "all", (), holds)


LEVELS = {
    "sokoban": "#######\n#@$  .#\n#     #\n#######\n",
    "2048": "2048 2x2 target=8\n2 2\n0 0\n",
}


@pytest.mark.parametrize(
    ("name", "formula", "paths", "kind"),
    [
        ("sokoban", "AG EF won", "all", "ctl"),
        ("sokoban", "AG !won", "all", "trace"),
        ("sokoban", "EF won", "all", "trace"),
        ("sokoban", "AG !(won & home)", "all", "ctl"),
        ("sokoban", "home", "all", "ctl"),
        ("sokoban", "G F home", "all", "trace"),
        ("sokoban", "F won", "some", "trace"),
        ("sokoban", "EF placed = 2", "all", "closed"),
        ("sokoban", "AG !(bombs = 1)", "all", "closed"),
        ("sokoban", "AG (EF won | EG home)", "all", "ctl"),
        ("sokoban", "AG (F home | E (F G home & F won))", "all", "paths"),
        ("robots", "<<a>> F won(a)", "all", "coalition"),
        ("sokoban", "AG (at(2,1) -> AF won)", "all", "trace"),
        ("sokoban", "EF (at(2,1) & EG !won)", "all", "trace"),
        ("2048", "AF won", "all", "trace"),
    ],
)
def test_certificate_has_smallest_kind(
    name: str, formula: str, paths: str, kind: str, tmp_path: Path
) -> None:
    board = gp.read(LEVELS[name])[0] if name in LEVELS else gp.level("robots/duels/1")
    made = gp.certify(board, tmp_path / "proof", formula=formula, paths=paths)
    assert (made.holds, made.kind) == (True, kind)
    answer = gp.verify(tmp_path / "proof", board)
    assert (answer.holds, answer.reason) == (True, "")
    if kind != "closed":
        assert answer.statement.claim == made.claim
        assert f"`{formula}`" in str(answer.statement)


def test_statement_about_other_starts_is_refused(tmp_path: Path) -> None:
    """More starts than a level has could make a formula false that holds there."""
    (board,) = gp.read(LEVELS["sokoban"])
    later = next(iter(board.start().outcomes("right"))).position
    level: Any = Several(positions=(board.start(), later))
    assert gp.certify(level, tmp_path / "proof", formula="AF home", paths="all").holds
    assert gp.verify(tmp_path / "proof").holds
    assert "not all starts" in gp.verify(tmp_path / "proof", board).reason


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ({"formula": "EF won", "goal": "lost"}, "a formula and a goal are two questions"),
        ({"formula": "EF won", "minimise": "actions"}, "formula and minimise are two questions"),
        ({"formula": "EF won", "value": True}, "formula and value are two questions"),
        ({"minimise": "actions", "value": True}, "minimise and value are two questions"),
        ({"paths": "some"}, "paths applies to a formula only"),
        ({"fair": "weak up", "minimise": "actions"}, "fair applies to a formula only"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(
    question: dict[str, Any], why: str, tmp_path: Path
) -> None:
    with pytest.raises(gp.GridproofError, match=why):
        gp.certify("sokoban/first-steps/1", tmp_path / "proof", **question)


def test_limit_leaves_no_certificate(tmp_path: Path) -> None:
    made = gp.certify(
        "sokoban/first-steps/1", tmp_path / "proof", formula="AG EF won", limit=gp.Limit(states=5)
    )
    assert (made.holds, made.stopped_by) == (None, "states")
    assert not any(tmp_path.iterdir())


def test_certificate_of_nested_formula_with_meaningless_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    assert gp.certify("sokoban/first-steps/1", path, formula="AG EF won").holds
    header, *lines = path.read_text().splitlines()
    for formula in ("AG EF nothing", "AG EF bombs", "AG EF won = 1", "AG EF (", "AG F won", "<<x>> F won"):
        changed = json.dumps(json.loads(header) | {"formula": formula})
        path.write_text("\n".join([changed, *lines]) + "\n")
        answer = gp.verify(path)
        assert answer.holds is False
        assert answer.reason.startswith("line 1: ")


@pytest.mark.parametrize(
    ("formula", "changed", "why"),
    [
        ("AG !(home & !e(right))", {"formula": "AG !(home & !e(fly))"}, "no action 'fly'"),
        ("G !(home & [up])", {"formula": "G !(home & [fly])"}, "no action 'fly'"),
        ("F won", {"fair": ["G F bombs"]}, "a number is compared"),
        ("F won", {"fair": ["G F (won = 1)"]}, "a number is compared"),
        ("F won", {"fair": ["G F e(fly)"]}, "no action 'fly'"),
        ("F won", {"fair": ["G F wom"]}, "has no proposition 'wom'"),
    ],
)
def test_statement_with_meaningless_name_is_refused_in_the_first_line(
    formula: str, changed: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "proof"
    assert gp.certify("sokoban/first-steps/1", path, formula=formula, fair="G F true").holds
    assert gp.verify(path).holds
    path.write_text(spoiled.read(path).but(**changed).text())
    answer = gp.verify(path)
    assert (answer.holds, answer.reason.startswith("line 1: "), why in answer.reason) == (False, True, True)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("E [(E won) U placed = 1]", True),
        ("A [!((E won) U placed = 1)]", False),
        ("E [(E placed = 5) U placed = 1]", True),
        ("!E [(E placed = 5) U placed = 1]", False),
        ("E F (placed = 0 & E [(E won) U placed = 1])", True),
    ],
)
def test_path_proves_nothing_about_a_or_e_left_of_until(formula: str, holds: bool, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    assert gp.check("sokoban/first-steps/1", formula).holds is not holds
    gp.certify("sokoban/first-steps/1", path, formula="EF placed = 1")
    assert gp.verify(path).holds
    path.write_text(spoiled.read(path).but(formula=formula, holds=holds).text())
    answer = gp.verify(path)
    assert (answer.holds, "no single path proves this" in answer.reason) == (False, True)


@pytest.mark.parametrize("paths", ["all", "some"])
@pytest.mark.parametrize("name", ["sokoban/first-steps/1", "robots/duels/1", "shiftit/boards/1", "2048"])
def test_formula_about_the_starts_is_certified_without_fairness(
    name: str, paths: str, tmp_path: Path
) -> None:
    board = gp.read(LEVELS[name])[0] if name in LEVELS else gp.level(name)
    made = gp.certify(board, tmp_path / "proof", formula="home", paths=paths, fair="weak *")
    assert (made.holds, made.claim) == (True, "`home` holds")
    answer = gp.verify(tmp_path / "proof", board)
    assert (answer.holds, answer.reason) == (True, "")


@pytest.mark.parametrize(
    ("operators", "why"), [("X " * 11, "operators of the future"), ("Y (won | O " * 20, "of the past")]
)
def test_formula_with_too_many_operators_is_refused(operators: str, why: str, tmp_path: Path) -> None:
    formula = f"G ({operators} won{')' * operators.count('(')} | true)"
    with pytest.raises(gp.GridproofError, match=why):
        gp.certify("shiftit/boards/1", tmp_path / "proof", formula=formula)


@pytest.mark.parametrize("formula", ["AG placed <= placed", "EF bombs > bombs", "AG 1 >= placed"])
def test_comparison_that_is_no_goal_is_certified(formula: str, tmp_path: Path) -> None:
    path, level = tmp_path / "compared.jsonl", "sokoban/first-steps/1"
    made = gp.certify(level, path, formula=formula)
    assert made.holds
    assert made.kind == "ctl"
    assert gp.verify(path, level).holds


def test_past_of_a_loop_is_evaluated_until_it_repeats(tmp_path: Path) -> None:
    board = gp.level("shiftit/boards/3")
    for formula in ("F (O !home & Y home)", "G F (home & Y !home)", "F G (H true & (O won -> !won))"):
        made = gp.certify(board, tmp_path / "proof", formula=formula, paths="some")
        assert made.holds
        assert gp.verify(tmp_path / "proof", board).holds


def test_formula_about_all_things_is_certified_for_each(tmp_path: Path) -> None:
    (board,) = gp.read(LEVELS["sokoban"])
    made = gp.certify(board, tmp_path / "proof", formula="forall (x,y) in boxes: AF !box(x,y)")
    assert (made.kind, made.claim) == ("trace", "`AF !box(2,1)` does not hold")
    assert gp.verify(tmp_path / "proof", board).holds


def test_beginning_of_a_path_does_not_show_that_it_goes_on_fairly(tmp_path: Path) -> None:
    """No path reaches a win again and again, so that all paths that do satisfy anything."""
    board, path = gp.level("shiftit/boards/3"), tmp_path / "proof"
    assert gp.certify(board, path, formula="AG !near").kind == "trace"
    lines = spoiled.read(path)
    path.write_text(lines.but(fair=["G F false"]).text())
    assert "the loop is not fair" in gp.verify(path).reason
    assert gp.certify(board, path, formula="AG !near", fair="G F false").holds
    assert gp.verify(path).statement.holds


def test_witness_without_its_last_rank_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    assert gp.certify("null/first/1", path, formula="E (G F E F won)", fair="strong hop").kind == "paths"
    header, *rows = map(json.loads, path.read_text().splitlines())
    for row in rows:
        for _, _, witnesses in row[1:]:
            for witness in witnesses:
                rank = witness.pop()
                path.write_text("\n".join(map(json.dumps, [header, *rows])) + "\n")
                assert gp.verify(path).holds is False
                witness.append(rank)


@pytest.mark.parametrize(
    ("formula", "holds", "change"),
    [
        ("<<b>> F<=4 won(b)", True, lambda number: number - (number > 0)),
        ("<<b>> F<=4 won(b)", True, lambda number: number + (number >= 0)),
        ("<<b>> F<=3 won(b)", False, lambda number: number if number >= 0 else 3),
        ("<<a>> G<=3 !won(b)", True, lambda number: number if number >= 0 else 4),
        ("<<a>> G<=4 !won(b)", False, lambda number: -1),
        ("<<a>> G<=4 !won(b)", False, lambda number: 0),
    ],
)
def test_forged_numbers_of_turns_are_refused(formula: str, holds: bool, change: Any, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    made = gp.certify("robots/races/2", path, formula=formula)
    assert (made.kind, gp.verify(path, "robots/races/2").holds) == ("coalition", True)
    lines = spoiled.read(path)
    assert lines.header["holds"] is holds
    values = [[text, *map(change, numbers)] for text, *numbers in lines.values]
    for claim in (holds, not holds):
        path.write_text(lines._replace(values=values).but(holds=claim).text())
        assert "is wrong for" in gp.verify(path).reason


@pytest.mark.parametrize(("old", "new"), [("F<=4", "F<=3"), ("F<=4", "F<4"), ("F<=4", "G<=4"), ("F<=4", "F")])
def test_certificate_of_another_bound_is_refused(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("robots/races/2", path, formula="<<b>> F<=4 won(b)")
    lines = spoiled.read(path)
    path.write_text(lines.but(formula=lines.header["formula"].replace(old, new)).text())
    assert gp.verify(path).holds is False


@pytest.mark.parametrize(
    ("formula", "fair"),
    [
        ("F won", ["G F EF won", "weak *"]),
        ("AG (won -> O EF lost)", ["G F EF won"]),
    ],
)
def test_assumption_with_quantifiers_beside_others_has_no_certificate(
    formula: str, fair: list[str], tmp_path: Path
) -> None:
    with pytest.raises(gp.GridproofError, match="no certificate can assume EF won again and again besides"):
        gp.certify("robots/races/2", tmp_path / "proof", formula=formula, fair=fair)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"holds": True}, "say the opposite"),
        ({"fair": ["G F EF won", "weak *"]}, "no certificate can assume EF won again and again besides"),
        ({"fair": ["G F AX won"]}, "."),
        ({"fair": ["G F won"]}, "."),
        ({"fair": []}, "."),
        ({"formula": "AG (won -> O EF lost)"}, "."),
        ({"kind": "ltl"}, "it is not about all paths"),
        ({"kind": "ltl", "holds": True}, "no certificate can assume EF won again and again"),
        ({"fair": ["G F <<a>> F won"]}, "."),
    ],
)
def test_forged_assumption_with_quantifiers_is_refused(
    changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "proof"
    made = gp.certify("robots/races/2", path, formula="F won(a)", fair="G F EF won")
    assert (made.kind, gp.verify(path, "robots/races/2").holds) == ("paths", True)
    path.write_text(spoiled.read(path).but(**changes).text())
    answer = gp.verify(path)
    assert answer.holds is False
    assert re.search(reason, answer.reason)
