"""Certificates of inductive invariants: all verify, and spoiled ones prove nothing false."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from tests.prove import spoiled
from tests.prove.test_induction import random_question
from tests.prove.twins import Played, Several, truth
from tests.sizes import size

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.prove.checkers.invariant import InvariantStatement
from gridproof.prove.formula import Unary
from gridproof.prove.logic import Logic

SEEDS = size("inductions", 100)


def certify(seed: int, path: Path) -> bool:
    """Write the certificate of a random verdict, and verify it; False if it is no proof by an invariant."""
    level, wanted, stated = random_question(seed)
    formula = str(Unary("A", Unary("G", wanted)))
    made = gp.certify(level, path, formula=formula, invariant=str(stated))
    if not made.holds:
        assert not path.exists()
        return False
    answer = gp.verify(path)
    if made.kind == "trace":
        assert answer.holds
        return False
    assert (answer.holds, answer.reason, made.kind) == (True, "", "invariant"), seed
    assert (
        made.claim == answer.statement.claim == f"`{formula}` holds, as `{stated}` is an inductive invariant"
    )
    assert truth(Unary("A", Unary("G", wanted)), Logic.CTL, "all", Played(level))
    return True


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, SEEDS), marks=pytest.mark.slow)])
def test_invariant_certificates_verify_and_spoiled_ones_prove_nothing_false(
    seeds: range, tmp_path: Path
) -> None:
    path, made, refused = tmp_path / "proof", 0, 0
    for seed in seeds:
        path.unlink(missing_ok=True)
        if not certify(seed, path):
            continue
        made += 1
        lines, random = spoiled.read(path), Random(seed)
        for change in (spoiled.negate_formula, spoiled.change_header, _change_invariant, _change_count):
            path.write_text(change(lines, random).text())
            answer = gp.verify(path)
            refused += not answer.holds
            if answer.holds and isinstance(answer.statement, InvariantStatement):
                said = answer.statement
                assert truth(said.formula, Logic.CTL, "all", Played(Several(positions=said.starts)))
    assert made > len(seeds) // 10
    assert refused > 2 * made


def _change_invariant(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    return lines.but(
        invariant=random.choice(("won", "!home", "true", "lost", f"!({lines.header['invariant']})"))
    )


def _change_count(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    key = random.choice(("listed", "inside", "positions"))
    return lines.but(**{key: lines.header[key] + random.choice((-1, 1, 10))})


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    path = tmp_path / "proof.jsonl"
    made = gp.certify("sokoban/first-steps/1", path, formula="AG valid", invariant="valid")
    assert (made.holds, made.positions, made.kind) == (True, 0, "invariant")
    return path


def test_invariant_certificate_names_what_was_listed(proof: Path) -> None:
    (line,) = proof.read_text().splitlines()
    header = json.loads(line)
    names = ("kind", "formula", "invariant", "listed", "inside", "positions")
    assert [header[name] for name in names] == ["invariant", "AG valid", "valid", 132, 132, 0]
    answer = gp.verify(proof, "sokoban/first-steps/1")
    assert (answer.holds, answer.positions) == (True, 0)
    assert gp.verify(proof, "sokoban/first-steps/2").reason.startswith("line 1: it covers another level")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"inside": 132', '"inside": 131', "there are 132 positions, with the invariant 132"),
        ('"AG valid"', '"AG !won"', "valid does not imply the property:"),
        ('"AG valid"', '"AF valid"', "induction proves AG p"),
        ('"AG valid"', '"AG wonn"', "wonn"),
        ('"invariant": "valid"', '"invariant": "AG valid"', "an invariant is about one position"),
        ('"invariant": "valid"', '"invariant": "valid & !won"', "an action ends valid & !won:"),
        ('"invariant": "valid"', '"invariant": "!home"', "!home does not hold at a start:"),
        ('"invariant": "valid"', '"invariant": "bombs"', "a number is compared"),
        ('"positions": 0', '"positions": 1', "the file ends"),
        ('"listed": 132', '"listed": "132"', "listed is '132'"),
        ('"listed": 132', '"listed": 131', "there are more than 131 positions"),
        ('"listed": 132', '"listed": 133', "there are 132 positions, with the invariant 132"),
    ],
)
def test_invariant_certificate_is_refused_when_changed(proof: Path, old: str, new: str, reason: str) -> None:
    text = proof.read_text()
    assert old in text
    proof.write_text(text.replace(old, new))
    answer = gp.verify(proof)
    assert answer.holds is False
    assert reason in answer.reason


def test_invariant_certificate_with_lines_is_refused(proof: Path) -> None:
    proof.write_text(proof.read_text().replace('"positions": 0', '"positions": 1') + '"x"\n')
    assert gp.verify(proof).reason == "line 2: the positions are not listed, but found by the rules"


def test_invariant_certificate_is_checked_within_limits(proof: Path) -> None:
    assert gp.verify(proof, limit=Limit(seconds=0)).holds is None
    assert gp.verify(proof, limit=Limit(memory=1)).holds is None


def test_invariant_certificate_knows_the_actors(tmp_path: Path) -> None:
    text = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na # B\nA . b\n"
    (yard,) = gp.read(text)
    path = tmp_path / "proof"
    made = gp.certify(yard, path, actors=("a",), formula="AG at(b,2,1)", invariant="at(b,2,1)")
    assert made.claim.endswith(" is an inductive invariant by a alone")
    assert gp.verify(path, yard).holds is True
    path.write_text(path.read_text().replace('"actors": ["a"]', '"actors": null'))
    assert "an action ends at(b,2,1)" in gp.verify(path).reason


def test_invariant_that_proves_nothing_has_no_certificate(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    made = gp.certify("null/first/2", path, formula="AG !at(0)", invariant="!at(0)")
    assert (made.holds, path.exists()) == (None, False)
    assert str(made) == "no certificate: there is no proof after 7 positions"
    refuted = gp.certify("null/first/2", path, formula="AG !home", invariant="!at(0)")
    assert (refuted.kind, gp.verify(path, "null/first/2").holds) == ("trace", True)
    with pytest.raises(gp.GridproofError, match="invariant applies to a formula only"):
        gp.certify("null/first/2", path, invariant="won")
