"""Operators of the past beside A and E, against slow twins on random graphs."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from tests.prove.graphs import ACTIONS, ATOMS, Drawn, holds_on, word_of
from tests.prove.histories import truth_at_starts, truth_in_tree
from tests.prove.test_ctl_star import evaluator

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.prove.ctl import Evaluator
from gridproof.prove.ctl_witness import Explainer
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import (
    FALSE,
    TRUE,
    Atom,
    Binary,
    Deadlock,
    Executable,
    Formula,
    Unary,
    is_past,
    negate,
    subformulas,
)
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.model import Model
from gridproof.prove.parsing import parse
from gridproof.prove.past import paths_of_space, record_past
from gridproof.prove.paths import Path

FAIR = ((), (), ("weak x",), ("strong y",), ("strong x", "weak y"))
LEAVES: tuple[Formula, ...] = (
    Atom("p"),
    Atom("q"),
    Atom("p"),
    Atom("q"),
    TRUE,
    FALSE,
    Deadlock(),
    Executable("x"),
)


def random_graph(random: Random, most: int, is_acyclic: bool = False) -> Drawn:
    count = random.randint(1, most)
    edges = []
    for source in range(count):
        targets = range(source + 1, count) if is_acyclic else range(count)
        number = random.randint(0, 3) if targets else 0
        edges.append(tuple((random.randrange(len(ACTIONS)), random.choice(targets)) for _ in range(number)))
    atoms = [(random.random() < 0.5, random.random() < 0.4) for _ in range(count)]
    assert len(atoms[0]) == len(ATOMS)
    return Drawn(tuple(edges), tuple(atoms))


def random_formula(random: Random, size: int) -> Formula:
    """Return a formula of CTL with past."""
    if size <= 1 or random.random() < 0.1:
        return random.choice(LEAVES)
    left = random.randint(1, size - 1)
    one, two = random_formula(random, left), random_formula(random, size - left)
    kind = random.random()
    if kind < 0.35:
        return Unary(random.choice("YOH"), two) if kind < 0.22 else Binary(random.choice("ST"), one, two)
    if kind < 0.7:
        temporal = Unary(random.choice("XFG"), two) if kind < 0.55 else Binary(random.choice("UWR"), one, two)
        return Unary(random.choice("AE"), temporal)
    return Unary("!", two) if kind < 0.76 else Binary(random.choice(["&", "|", "->", "<->"]), one, two)


def random_star(random: Random, size: int) -> Formula:
    """Return a formula of CTL* whose operators of the past are about positions."""

    def path(size: int) -> Formula:
        if size <= 1:
            return random_formula(random, 3)
        inner, operator = path(size - 1), random.choice("XFGFGUW!&")
        if operator in "UW&":
            return Binary(operator, random_formula(random, 2), inner)
        return Unary(operator, inner)

    return Unary(random.choice("AE"), path(size))


def random_past(random: Random, size: int) -> Formula:
    """Return a formula with operators of the past alone."""
    if size <= 1:
        return random.choice(LEAVES)
    left = random.randint(1, size - 1)
    one, two = random_past(random, left), random_past(random, size - left)
    kind = random.random()
    if kind < 0.6:
        return Unary(random.choice("YOH!"), two) if kind < 0.35 else Binary(random.choice("ST"), one, two)
    return Binary(random.choice(["&", "|", "->", "<->"]), one, two)


def random_path(random: Random) -> Formula:
    """Return one operator of the future, or two, on formulas with past."""
    one, two = random_past(random, random.randint(1, 4)), random_past(random, random.randint(2, 5))
    inner = (
        Unary(random.choice("XFG"), two) if random.random() < 0.7 else Binary(random.choice("UWR"), one, two)
    )
    return Unary(random.choice("XFG"), inner) if random.random() < 0.3 else inner


def values_of(formula: Formula, drawn: Drawn, starts: int, fair: tuple[str, ...]) -> list[bool]:
    space = drawn.space(starts)
    model = Model(space)
    known = Evaluator(model, assumptions(fair, space.level, model.rows.graph.labels))
    extended, formula = record_past(known, formula)
    return extended.values(formula)[:starts].tolist()  # type: ignore[no-any-return]  # numpy's types say no more


def compare(seed: int, number: int, star: bool) -> None:
    random = Random(seed)
    for _ in range(number):
        formula = random_star(random, 3) if star else random_formula(random, random.randint(2, 9))
        if logic_of(formula) is Logic.LTL:  # without A and E
            continue
        fair = random.choice(FAIR)
        is_acyclic = random.random() < 0.4
        drawn = random_graph(random, 4 if is_acyclic or star else 5, is_acyclic)
        starts = random.randint(1, min(2, len(drawn)))
        values = values_of(formula, drawn, starts, fair)
        twin = truth_in_tree if is_acyclic else truth_at_starts
        assert values == twin(formula, drawn, starts, fair), f"{formula} / {drawn} / {fair}"


def test_past_agrees_with_histories() -> None:
    compare(1, 60, star=False)


@pytest.mark.slow
def test_past_agrees_with_histories_on_more_graphs() -> None:
    compare(1, 300, star=False)
    compare(2, 50, star=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_past_agrees_with_histories_on_thousands_of_graphs(seed: int) -> None:
    compare(seed, 1500, star=False)
    compare(seed + 100, 150, star=True)


def check_paths(seed: int, number: int) -> None:
    """Compare with the automata of LTL, which know the past in another way; each path satisfies the formula."""
    random = Random(seed)
    for _ in range(number):
        path, drawn, fair = random_path(random), random_graph(random, 5), random.choice(FAIR)
        if not any(map(is_past, subformulas(path))):
            continue
        known = evaluator(drawn, fair)
        for formula, shown, truth in (
            (Unary("E", path), path, True),
            (Unary("A", path), negate(path), False),
        ):
            extended, recorded = record_past(known, formula)
            value = bool(extended.values(recorded)[0])
            assert value is ((known.paths(shown).find([0]) is not None) is truth), (
                f"{formula} / {drawn} / {fair}"
            )
            paths = paths_of_space(extended.model, Explainer(extended).paths(recorded, 0, value))
            found = [*itertools.islice(paths, 3)]
            assert bool(found) is (value is truth)
            assert len({*found}) == len(found)
            for one in found:
                assert one.start == 0
                if one.loop is not None or not drawn.edges[word_end(one, drawn)]:
                    assert holds_on(shown, word_of(one, drawn), drawn), f"{formula} / {drawn} / {one}"


def word_end(path: Path, drawn: Drawn) -> int:
    """Return the last position of a path."""
    return int(drawn.space().graph().targets[path.edges[-1]]) if path.edges else path.start


def test_paths_with_past_show_why() -> None:
    check_paths(3, 20)


@pytest.mark.slow
def test_more_paths_with_past_show_why() -> None:
    check_paths(3, 200)


@pytest.mark.long
def test_thousands_of_paths_with_past_show_why() -> None:
    check_paths(4, 5000)


LEVEL = "######\n#@ $.#\n#    #\n######\n"


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("AG (won -> O at(2,1))", True),
        ("EF (won & H !at(2,1))", False),
        ("EF (won & O at(1,2))", True),
        ("AG (won -> !at(3,1) S (at(3,1) & O at(2,1)))", True),
        ("EF (won & EX Y Y won)", True),
        ("AX Y home", True),
        ("Y won | EX Y home", True),
        ("O EF won", True),
        ("G (won -> O EF !won)", True),
        ("E (G F (at(1,1) & O at(4,2)))", True),
    ],
)
def test_check_with_past(formula: str, holds: bool) -> None:
    (level,) = gp.read(LEVEL)
    verdict = gp.check(level, formula)
    assert verdict.holds is holds
    assert verdict.satisfying is None
    assert verdict.states == 22
    assert str(verdict.formula) == str(parse(formula))


@pytest.mark.parametrize(
    "formula",
    [
        "won -> Y at(2,1)",
        "won -> O at(1,2)",
        "at(4,2) -> !won S at(3,2)",
        "at(1,2) T at(1,1)",
        "O won -> won",
    ],
)
def test_invariants_with_past_are_those_of_linear_time(formula: str) -> None:
    (level,) = gp.read(LEVEL)
    assert gp.check(level, f"AG ({formula})").holds is gp.check(level, f"G ({formula})").holds


def test_trace_with_past_is_shortest() -> None:
    (level,) = gp.read(LEVEL)
    verdict = gp.check(level, "AG !(won & O at(1,2))")
    assert verdict.trace is not None
    assert [str(one) for one in verdict.trace.actions] == ["down", "up", "right", "right"]
    assert verdict.trace.loop is None
    another = verdict.more()
    assert another is None or another.trace != verdict.trace


def test_trace_with_past_stays_at_its_end() -> None:
    (level,) = gp.read(LEVEL)
    verdict = gp.check(level, "AG (won -> Y at(2,1))")  # a won position is followed by itself
    assert verdict.trace is not None
    assert verdict.trace.replay().won
    assert verdict.trace.loop is None


def test_past_begins_at_each_start() -> None:
    level = gp.level("twenty48/standard/3")
    assert gp.check(level, "H home", limit=Limit(states=5000)).holds is not False
    (small,) = gp.read("2048 2x2 spawn=classic target=8\n")
    assert gp.check(small, "!Y true & A X Y !Y true").holds
    assert gp.check(small, "AG (max_tile >= 4 -> O EF won)").holds is gp.check(small, "EF won").holds


def test_past_waits_for_all_positions() -> None:
    (level,) = gp.read("2048 4x4\n", "twenty48")
    verdict = gp.check(level, "AG (max_tile < 8 | Y false)", limit=Limit(states=20_000))
    assert (verdict.holds, verdict.stopped_by, verdict.bound) == (None, "states", None)


def test_past_is_vacuous_where_its_condition_is_never_true() -> None:
    (level,) = gp.read(LEVEL)
    verdict = gp.check(level, "AG (at(1,1) & won -> Y home)")
    assert (verdict.holds, verdict.vacuous) == (True, True)
    assert not gp.check(level, "AG (won -> O home)").vacuous
    unused = gp.coverage(level, "EF (won & (O at(1,2) | H lost))").unused
    assert [str(one) for one in unused or ()] == ["H lost"]


def test_past_with_costs() -> None:
    (level,) = gp.read(LEVEL)
    assert gp.check(level, "EF (won & cost(actions) <= 4 & O at(1,2))").holds
    assert not gp.check(level, "EF (won & cost(actions) <= 3 & O at(1,2))").holds


def test_too_many_operators_of_the_past_are_refused() -> None:
    (level,) = gp.read(LEVEL)
    with pytest.raises(
        gp.GridproofError, match=r"^the formula has more than 32 different operators of the past$"
    ):
        gp.check(level, f"EF {'Y ' * 33}won")


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
def test_limits_with_past_are_answers(seconds: float) -> None:
    (level,) = gp.read(LEVEL)
    verdict = gp.check(gp.explore(level), "AG (won -> O at(2,1))", limit=Limit(seconds=seconds))
    assert (verdict.holds, verdict.stopped_by) == (None, "seconds")
