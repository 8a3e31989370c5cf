"""`verify`, and the option --certificate."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp
from gridproof.prove.certify import check_certifiable

from .conftest import Run

STUCK = "#######\n#@    #\n#$ $  #\n#  #..#\n#######\n"


@pytest.fixture
def stuck(tmp_path: Path) -> str:
    path = tmp_path / "stuck.xsb"
    path.write_text(STUCK)
    return str(path)


def test_verify_accepts_certificate_of_impossibility(run: Run, stuck: str, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.gz")
    answer = run("solve", stuck, "--certificate", proof)
    assert (answer.status, f"certificate in {proof}" in answer.out.replace("\n    ", " ")) == (1, True)
    checked = run("verify", proof)
    assert checked.status == 0
    assert "won can never be reached" in " ".join(checked.out.split())
    data = run("verify", proof, "--json").json
    assert (data["holds"], data["kind"], data["level"], data["actors"]) == (True, "pushes", STUCK, None)
    assert run("solve", stuck, "--certificate", proof, "--force", "--json").json["certificate"] == proof


def test_verify_refuses_certificate_of_another_level(run: Run, stuck: str, tmp_path: Path) -> None:
    proof, other = str(tmp_path / "proof"), tmp_path / "other.xsb"
    run("solve", stuck, "--certificate", proof)
    other.write_text("#####\n#$@.#\n#####\n")
    covered = run("verify", proof, "--level", stuck)
    assert covered.status == 0
    assert f"it covers {stuck}, from all its starts" in " ".join(covered.out.split())
    assert "it covers" not in run("verify", proof).out
    answer = run("verify", proof, "--level", str(other))
    assert (answer.status, "refused: line 1: it covers another level" in answer.out) == (1, True)
    assert run("verify", proof, "--level", "nowhere").status == 2


def test_verify_has_status_3_at_the_limit(run: Run, stuck: str, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof")
    run("solve", stuck, "--certificate", proof)
    answer = run("verify", proof, "--seconds", "0")
    assert (answer.status, "no answer: the limit of seconds was reached" in answer.out) == (3, True)
    assert run("verify", proof, "--seconds", "0", "--json").json["holds"] is None


def test_verify_refuses_damaged_certificate(run: Run, stuck: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    run("solve", stuck, "--goal", "bombs = 1", "--certificate", str(proof))
    assert gp.verify(proof).holds
    lines = proof.read_text().splitlines(keepends=True)
    proof.write_text("".join([*lines[:3], *lines[4:]]))
    answer = run("verify", str(proof))
    assert (answer.status, "refused: line " in answer.out) == (1, True)
    assert run("verify", str(proof), "--json").json["reason"].startswith("line ")
    assert run("verify", str(tmp_path / "nothing")).status == 2


def test_certificates_of_several_levels_have_their_own_files(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "pack.xsb"
    pack.write_text(f"{STUCK}\n#####\n#@$.#\n#####\n\n{STUCK}")
    run("solve", str(pack), "--certificate", str(tmp_path / "proof.gz"))
    assert sorted(path.name for path in tmp_path.glob("proof*")) == ["proof-1.gz", "proof-3.gz"]


def test_certificate_that_is_too_long_is_noted(run: Run, stuck: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    answer = run("solve", stuck, "--goal", "bombs = 1", "--states", "424", "--certificate", str(proof))
    assert answer.status == 1
    assert proof.exists()
    assert run("solve", stuck, "--certificate", str(tmp_path / "no" / "proof")).status == 2


def test_certificate_without_impossibility_is_noted(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    answer = run("solve", "sokoban/first-steps/1", "--certificate", str(proof))
    assert (answer.status, proof.exists()) == (0, False)
    assert "sokoban/first-steps/1: no certificate: won can be reached" in " ".join(answer.err.split())


@pytest.mark.parametrize(
    "formula", ["AG !(near & won)", "AG (home | !home)", "G F home", "AG EF won", "F won", "won"]
)
def test_certificate_of_uncertifiable_formula_is_refused_at_once(
    run: Run, tmp_path: Path, formula: str
) -> None:
    proof = tmp_path / "proof"
    answer = run("check", "shiftit/boards/3", formula, "--certificate", str(proof))
    assert (answer.status, answer.out, proof.exists()) == (2, "", False)
    assert f"no certificate can be written for {formula}: only for AG p, G p, EF p" in answer.err


@pytest.mark.parametrize(
    ("formula", "paths"),
    [("AG !near", "all"), ("G home", "all"), ("EF bombs > 0", "all"), ("F !won", "some")],
)
def test_certifiable_formulas_are_accepted(formula: str, paths: str) -> None:
    check_certifiable(formula, paths)
