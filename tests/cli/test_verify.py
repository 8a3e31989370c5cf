"""`verify`, and the option --certificate."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

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
    assert sorted(path.name for path in tmp_path.glob("proof*")) == ["proof-1.gz", "proof-2.gz", "proof-3.gz"]


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_verify_answers_for_each_certificate_in_order(
    run: Run, stuck: str, tmp_path: Path, jobs: str
) -> None:
    proof, spoiled, none = tmp_path / "proof", tmp_path / "spoiled", tmp_path / "none"
    run("solve", stuck, "--goal", "bombs = 1", "--certificate", str(proof))
    lines = proof.read_text().splitlines(keepends=True)
    spoiled.write_text("".join([*lines[:3], *lines[4:]]))
    answer = run("verify", str(spoiled), str(proof), "--level", stuck, "--jobs", jobs, "--json")
    assert (answer.status, [line["holds"] for line in answer.lines]) == (1, [False, True])
    broken = run("verify", str(proof), str(none), str(proof), "--jobs", jobs)
    assert (broken.status, broken.out.count(": holds: "), f"error: {none}: " in broken.err) == (2, 2, True)
    assert run("verify", str(proof), str(proof), "--jobs", jobs).status == 0


def test_certificate_that_is_too_long_is_noted(run: Run, stuck: str, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    answer = run("solve", stuck, "--goal", "bombs = 1", "--states", "424", "--certificate", str(proof))
    assert answer.status == 1
    assert proof.exists()
    assert run("solve", stuck, "--certificate", str(tmp_path / "no" / "proof")).status == 2


def test_certificate_without_proof_is_noted(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    answer = run("solve", "sokoban/first-steps/1", "--minimise", "any", "--certificate", str(proof))
    assert (answer.status, proof.exists()) == (0, False)
    assert "sokoban/first-steps/1: no certificate: another solution may be cheaper" in " ".join(
        answer.err.split()
    )


@pytest.mark.parametrize(
    ("formula", "status", "kind"),
    [
        ("AG !(near & won)", 0, "ctl"),
        ("AG (home | !home)", 0, "ctl"),
        ("AG EF won", 0, "ctl"),
        ("AX AX home", 1, "trace"),
        ("won", 1, "ctl"),
        ("EF (won & EX won)", 0, "trace"),
    ],
)
def test_check_certifies_every_verdict(
    run: Run, tmp_path: Path, formula: str, status: int, kind: str
) -> None:
    proof, board = str(tmp_path / "proof"), "shiftit/boards/3"
    answer = run("check", board, formula, "--certificate", proof)
    assert (answer.status, f"certificate in {proof}" in answer.out.replace("\n    ", " ")) == (status, True)
    checked = run("verify", proof, "--level", board)
    assert checked.status == 0
    words = "holds" if status == 0 else "does not hold"
    assert f"holds: `{formula}` {words} in shiftit" in " ".join(checked.out.split())
    data = run("verify", proof, "--json").json
    assert (data["kind"], data["goal"], data["formula"], data["claim"]) == (
        kind,
        None,
        formula,
        f"`{formula}` {words}",
    )


def test_certificate_of_formula_with_costs_verifies(run: Run, tmp_path: Path) -> None:
    formula, proof = "EF (won & cost(pushes) <= 2)", str(tmp_path / "proof")
    assert run("check", "sokoban/first-steps/1", formula, "--certificate", proof).status == 0
    answer = run("verify", proof, "--level", "sokoban/first-steps/1")
    assert (answer.status, f"`{formula}` holds" in " ".join(answer.out.split())) == (0, True)


def test_certificate_beyond_a_limit_is_noted(run: Run, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    answer = run("check", "sokoban/first-steps/1", "AG EF won", "--states", "5", "--certificate", str(proof))
    assert (answer.status, proof.exists()) == (3, False)


def test_solve_certifies_the_cheapest_solution(run: Run, tmp_path: Path) -> None:
    proof, board = str(tmp_path / "proof.gz"), "sokoban/first-steps/2"
    answer = run("solve", board, "--minimise", "pushes", "--certificate", proof)
    assert (answer.status, f"certificate in {proof}" in answer.out.replace("\n    ", " ")) == (0, True)
    checked = run("verify", proof, "--level", board)
    assert checked.status == 0
    assert "won can be reached by 7 pushes, the fewest in sokoban" in " ".join(checked.out.split())
    data = run("verify", proof, "--json").json
    assert (data["kind"], data["goal"], data["minimise"], data["cost"]) == ("distance", "won", "pushes", [7])


def test_value_certifies_the_chance(run: Run, tmp_path: Path) -> None:
    proof, board = str(tmp_path / "proof.gz"), tmp_path / "board.2048"
    board.write_text("2048 2x2 spawn=classic target=8\n")
    answer = run("value", str(board), "--goal", "tile(8)", "--certificate", proof, "--json")
    assert (answer.status, answer.json["certificate"]) == (0, proof)
    data = run("verify", proof, "--level", str(board), "--json").json
    assert (data["holds"], data["kind"], data["best"]) == (True, "value", ["1", "1"])
    assert data["claim"] == "the chance of `tile(8)` is 1 at best and 0.173719 at worst"
    assert run("value", str(board), "--goal", "tile(8)", "--certificate", proof).status == 2
