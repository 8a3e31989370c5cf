"""The same answers as Storm's and SPIN's; skipped where they are not (`make test-peers` brings Storm)."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.prove.parsing import parse
from gridproof.search.export import write_graph
from gridproof.search.space import StateSpace

BOARDS = (
    "shiftit 2x2\nb r\nr b\n",
    "shiftit 2x2\nb r*\nr b\n",
    "shiftit 3x2\nb b r\nr b g\n",
    "shiftit 3x2\nb r b\nr b r\n",
    "shiftit 3x2\nb r* b\nr b g\n",
    "shiftit 2x3\nb r\nr g\ng b*\n",
)
FORMULAS = (
    "G F home", "F G near", "G (near -> F home)", "home U near", "!near U won", "F won", "X X home", "F G won",
    "G (won -> X won)", "(F won) | G F home", "near R home", "G F near -> G F home", "G (home -> X !home)",
)  # fmt: skip
"""With the boards 78 pairs for Storm, each asked twice; 10 have no X, on two boards for SPIN."""


def space_of(board: str) -> StateSpace:
    return gp.explore(gp.read(board, "shiftit")[0])


def in_storm(text: str) -> str:
    """A formula as Storm writes it: labels in quotes, no `->`, every operand in parentheses."""

    def to_storm(formula: Any) -> str:
        operator = getattr(formula, "operator", None)
        if operator is None:
            return f'"{formula}"'
        if hasattr(formula, "operand"):
            return f"({operator} {to_storm(formula.operand)})"
        left, right = to_storm(formula.left), to_storm(formula.right)
        if operator == "->":
            return f"(!{left} | {right})"
        return f"(!((!{left}) U (!{right})))" if operator == "R" else f"({left} {operator} {right})"

    return to_storm(parse(text))


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_storm_agrees(board: str, tmp_path: Path) -> None:
    storm = pytest.importorskip("stormpy")
    space = space_of(board)
    transitions, labels = write_graph(space, tmp_path / "graph.tra")
    model = storm.build_model_from_explicit(str(transitions), str(labels))
    (start,) = model.initial_states
    for formula, (paths, best) in itertools.product(FORMULAS, (("all", "Pmin"), ("some", "Pmax"))):
        (question,) = storm.parse_properties(f"{best}=? [ {in_storm(formula)} ]")
        answer = storm.model_checking(model, question).get_value(start)
        assert gp.check(space, formula, paths).holds is (answer > 0.5), (formula, paths)


def in_promela(space: StateSpace, formula: str) -> str:
    """A model of the graph, and the formula, which has no X: SPIN lets what has ended stay for ever."""
    graph = space.graph()
    names = ("home", "near", "won")
    lines = ["short s = 0;"]
    for name in names:
        held = [str(number) for number, holds in enumerate(space.values(name).tolist()) if holds]
        lines.append(f"#define {name} ({' || '.join(f's == {number}' for number in held) or 'false'})")
    lines += ["active proctype board() {", "end: do"]
    for number in range(space.states):
        targets = sorted(set(graph.targets[graph.offsets[number] : graph.offsets[number + 1]].tolist()))
        lines += [f":: s == {number} -> s = {target}" for target in targets]
    spin = (
        formula.replace("G ", "[] ")
        .replace("F ", "<> ")
        .replace("&", "&&")
        .replace("|", "||")
        .replace(" R ", " V ")
    )
    return "\n".join([*lines, "od", "}", f"ltl claim {{ {spin} }}", ""])


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS[:2])
def test_spin_agrees(board: str, tmp_path: Path) -> None:
    if not (shutil.which("spin") and shutil.which("gcc")):
        pytest.skip("spin or gcc is not here")
    space = space_of(board)
    for formula in (one for one in FORMULAS if "X" not in one):
        (tmp_path / "board.pml").write_text(in_promela(space, formula))
        run(["spin", "-a", "board.pml"], tmp_path)
        run(["gcc", "-O0", "-w", "-o", "pan", "pan.c"], tmp_path)
        told = run(["./pan", "-a", "-m1000000"], tmp_path)
        assert "errors: " in told
        assert gp.check(space, formula).holds is ("errors: 0" in told), formula


def run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=600).stdout
