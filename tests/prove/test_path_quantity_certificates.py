"""Certificates of probabilities of formulas of LTL: all verify, and none proves what is false."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.prove import spoiled
from tests.prove.processes import WHOLE, RandomProcess, draw_process
from tests.prove.test_path_probability import labelled, truths_of
from tests.prove.test_quantity_certificates import ATOMS, change_claim, forge, is_true, random_question
from tests.prove.twins import Played, Several, small_level
from tests.sizes import size

import gridproof as gp
from gridproof.core.position import Outcome
from gridproof.prove.certificate_file import Defect
from gridproof.prove.checkers.comparisons import ComparisonsStatement
from gridproof.prove.checkers.path_quantity import PathQuantityChecker
from gridproof.prove.checkers.quantity_statement import QuantityStatement
from gridproof.prove.formula import negate
from gridproof.prove.limit_deterministic import atoms_of, automaton_of
from gridproof.prove.parsing import parse
from gridproof.prove.path_bounds import PathBounds
from gridproof.prove.path_probability import find_path_bounds

PATHS = (
    "G F ({0})", "F G ({0})", "G (({0}) -> F ({1}))", "(F ({0})) -> F ({1})", "G F ({0}) & G F ({1})",
    "F G ({0}) | G F ({1})", "X X ({0})", "({0}) U G ({1})", "G F ({0}) -> G F ({1})", "F (({0}) & X ({1}))",
    "G F (({0}) & X ({1}))", "(({0}) W ({1})) & F (({1}) R ({0}))", "(G F deadlock) | F G !({0})",
)  # fmt: skip
BOARD = "2048 2x2 spawn=classic target=16\n"


def random_path(level: Any, random: Random, sign: str) -> str:
    atoms = [random.choice(ATOMS[Played(level).level.game.name]) for _ in range(2)]
    if random.random() < 0.2:
        atoms[0] += f" & cost(actions) <= {random.randint(1, 3)}"
    return f"P{sign} [{random.choice(PATHS).format(*atoms)}]"


def change_entry(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Change a number of an entry, perhaps with the claim."""
    values = [list(value) for value in lines.values]
    place = random.randrange(len(values))
    parts = values[place][1:]
    if "bounds" in lines.header:  # of a formula with several comparisons
        return spoiled.change_value(lines, random)
    side = random.choice([one for one in range(len(parts)) if parts[one]])
    entries = [list(entry) for entry in parts[side]]
    entry = random.choice(entries)
    at = random.randrange(len(entry))
    texts = ["0", "1", "1/2", "99/100", "2", "-1", None]
    entry[at] = random.choice(texts) if at in (1, 2) else random.choice([0, 1, 2, 840, entry[at] + 1, -1])
    values[place][side + 1] = entries
    return random.choice([lines, change_claim(lines, random)])._replace(values=values)


def change_letters(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    if "letters" not in lines.header:
        return spoiled.change_header(lines, random)
    listed = list(lines.header["letters"])
    random.shuffle(listed)
    return lines.but(letters=random.choice([listed, listed[1:], [*listed, -1], [*listed, 0], ["0"], 1]))


def spoil(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a random level, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    sign = random.choice(("=?", "=?", ">=1/2", "<3/4", "max>=1", "min<=1/4"))
    question = random_path(level, random, sign)
    if "=?" in question:
        made = gp.certify(starts, path, question, value=True)
    else:
        if random.random() < 0.3:
            question += f" {random.choice('&|')} {random_question(level, random, '>=1/3')}"
        made = gp.certify(starts, path, formula=question)
    if made.holds is None:  # the bounds do not decide it
        return 0
    answer = gp.verify(path)
    assert (answer.holds, answer.reason, answer.positions) == (True, "", made.positions), question
    assert is_true(answer.statement), question
    assert_is_tight(answer.statement, question)
    spoilers = [*spoiled.SPOILERS, change_entry, change_entry, change_entry, change_letters, change_claim]
    kinds = QuantityStatement, ComparisonsStatement
    return spoiled.count_refusals(path, random, number, kinds, is_true, spoilers)


def assert_is_tight(said: Any, question: str) -> None:
    if isinstance(said, QuantityStatement):
        assert all(high is not None and high - low < 1e-9 for low, high in (said.best, said.worst)), question


class Node(NamedTuple):
    """A position of a random process, for the checker."""

    number: int
    process: RandomProcess

    def actions(self, actor: None) -> range:
        return range(len(self.process.choices[self.number]))

    def outcomes(self, action: int) -> list[Outcome[Any]]:
        pairs = self.process.choices[self.number][action]
        return [Outcome(self._replace(number=to), Fraction(weight, WHOLE)) for to, weight in pairs]

    def text(self) -> str:
        return str(self.number)


def change_numbers(entry: list[Any], random: Random) -> list[Any]:
    """Change what is claimed of an entry."""
    state, low, high, level, rank, *goals = entry
    low, high = random.choice([low, low, "1/2", "1"]), random.choice([high, high, "1/2", "0"])
    level, rank = random.choice([level, level, 0, 840, 841]), random.choice([rank, rank, 0, 1, 2])
    return [state, low, high, level, rank, *(random.choice([one, one, 0, 1]) for one in goals)]


class RandomProduct:
    """A random process with the automata of a random formula and of its negation."""

    def __init__(self, seed: int) -> None:
        self.random, self.process = Random(seed), draw_process(seed)
        path = parse(self.random.choice(PATHS).format("p", "q"))
        truths, atoms = truths_of(self.process), atoms_of(path)
        self.nodes = [Node(number, self.process) for number in range(len(self.process.choices))]
        places, meter = list(range(len(self.nodes))), gp.Limit().start()
        known = labelled(self.process.graph, truths, atoms, np.zeros(len(places), bool))
        masks = [sum(1 << bit for bit, atom in enumerate(atoms) if atom in one) for one in known.letters]
        automata = [automaton_of(one, known.letters) for one in (path, negate(path))]
        self.values = [find_path_bounds(known, one, places, meter) for one in (path, negate(path))]
        rows = [PathBounds(known, one, places, meter).entries() for one in automata]
        self.lines = [[row.get(number, []) for row in rows] for number in places]
        said: Any = SimpleNamespace(automata=automata, letters=masks, tasks=[], who=(None,))
        positions: Any = SimpleNamespace(line_of=lambda node: node.number + 2)
        self.checker = PathQuantityChecker(said, positions)
        self.checker._tests = [
            lambda node, atom=atom: truths[atom][node.number]  # type: ignore[misc]  # mypy knows no default of a lambda
            for atom in atoms
        ]

    def check(self, lines: list[list[Any]]) -> None:
        """Check entries like those of a file: Defect if they are wrong; what passes must be true."""
        self.checker._lines.clear()
        assert all(map(self.checker.store, lines))
        for number, node in enumerate(self.nodes):
            self.checker.check_position(number + 2, node)  # type: ignore[arg-type]  # it acts like one
        for side, values in enumerate(self.values):
            for number, value in values.items():
                entry = self.checker._entry(side, number + 2, 0)
                assert value.high >= entry.low - 1e-9
                assert value.low <= entry.high + 1e-9

    def spoiled(self) -> list[list[Any]]:
        """The entries with changes in some, or in all."""
        share = self.random.choice([0.1, 0.3, 1])
        return [
            [
                [change_numbers(one, self.random) if self.random.random() < share else one for one in entries]
                for entries in line
            ]
            for line in self.lines
        ]


def test_entries_of_random_processes_pass_the_checker_and_spoiled_ones_prove_nothing_false() -> None:
    refused = 0
    for seed in range(size("path_entries", 30)):
        product = RandomProduct(seed)
        product.check(product.lines)
        places = range(len(product.nodes))
        entries = [product.checker._entry(side, place + 2, 0) for side in (0, 1) for place in places]
        assert all(one.high - one.low < 1e-9 for one in entries)
        for _ in range(10):
            try:
                product.check(product.spoiled())
            except Defect:
                refused += 1
    assert refused > 100


def test_certificates_of_random_paths_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 3) for seed in range(16)) > 15


@pytest.mark.long
def test_many_spoiled_certificates_of_paths_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 20) for seed in range(100, 160)) > 450


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("P=? [(F tile(8)) -> (F won)]", "is 0.987183 at best and 0 at worst"),
        ("P=? [G F !won]", "is 1 at best and 0.0374887 at worst"),
    ],
)
def test_probability_of_path_is_certified(question: str, claim: str, tmp_path: Path) -> None:
    (board,) = gp.read(BOARD)
    made = gp.certify(board, tmp_path / "proof", question, value=True)
    answer = gp.verify(tmp_path / "proof", board)
    assert (made.kind, answer.holds) == ("path-quantity", True)
    assert claim in answer.statement.claim


def with_entries(change: Callable[..., list[Any]]) -> Callable[[list[Any]], list[Any]]:
    """Return a change of a line, by a change of each entry for the best play."""
    return lambda line: [line[0], [change(*entry) for entry in line[1]], line[2]]


@pytest.mark.parametrize(
    ("question", "change", "header", "reason"),
    [
        # a path that goes on for ever is accepted only if each goal comes
        ("P=? [G F at(2,2)]", lambda state, low, high, *more: [state, "1", "1", 0, 0, 0], {"best": ["1", "1"]}, "are wrong"),
        ("P=? [G F at(2,2)]", lambda state, low, high, *more: [state, "1", "1", 0, 0, 7], {"best": ["1", "1"]}, "are wrong"),
        ("P=? [G F at(2,2)]", lambda state, low, high, *more: [state, "1", "1", 0, 0], {"best": ["1", "1"]}, "are wrong"),
        ("P=? [G F at(2,2)]", lambda state, low, high, *more: [state, "1", "1", 0, 9], {"best": ["1", "1"]}, "are wrong"),
        # a bound below 1 needs a goal that is missing where the path stays
        ("P=? [G F at(1,1)]", lambda state, low, high, *more: [state, "0", "0", 0, 0], {"best": ["0", "0"]}, "are wrong"),
        ("P=? [G F at(1,1)]", lambda state, low, high, *more: [state, "0", "0", 840, 0], {"best": ["0", "0"]}, "are wrong"),
        ("P=? [F G at(1,1)]", lambda state, low, high, *more: [state, "0", "1/2", 0, 0], {"best": ["0", "1/2"]}, "are wrong"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"best": ["0", "0"]}, "do not prove"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": []}, "letters is a list"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": [0]}, "is not listed"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": [0, 1, 1]}, "rising numbers below 2**1"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": [1, 0]}, "rising numbers below 2**1"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": [0, 1, 2]}, "rising numbers below 2**1"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"letters": [False, 1]}, "rising numbers below 2**1"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"kind": "quantity"}, "begins with an object"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"question": "P=? [F at(1,1)]"}, "cannot have"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"question": "P=? [F G at(1,1)]"}, "not a text with the values"),
        ("P=? [G F at(1,1)]", lambda *entry: list(entry), {"question": "P=? [G F at(1,2)]"}, "are wrong"),
        ("P=? [G F at(1,1)]", lambda state, *more: [state + 99, *more], {}, "not a text with the values"),
        ("P=? [G F at(1,1)]", lambda state, low, high, *more: [state, low, None, *more], {}, "not a text with the values"),
    ],
)  # fmt: skip
def test_forged_certificate_of_path_is_refused(
    question: str, change: Any, header: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    room = gp.read("####\n#@ #\n#  #\n#$.#\n####\n")[0]
    gp.certify(room, tmp_path / "proof", question, value=True)
    assert reason in forge(tmp_path / "proof", with_entries(change), **header)


def test_certificate_of_path_is_about_its_level(tmp_path: Path) -> None:
    gp.certify("sokoban/first-steps/1", tmp_path / "proof", "P=? [G F !won]", value=True)
    assert gp.verify(tmp_path / "proof", "sokoban/first-steps/1").holds
    assert not gp.verify(tmp_path / "proof", "sokoban/first-steps/2").holds
