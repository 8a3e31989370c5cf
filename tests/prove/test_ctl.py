"""CTL against its equations, iterated; paths that show why, checked step by step."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from tests.prove.graphs import Drawn, ctl, graphs, truth_in

from gridproof.core.limit import Stopped
from gridproof.prove.ctl import Evaluator, opposite_path
from gridproof.prove.ctl_witness import Explainer
from gridproof.prove.formula import Binary, Formula, Unary, negate
from gridproof.prove.model import Model, rows_of
from gridproof.prove.parsing import parse
from gridproof.prove.paths import Path


def evaluator(drawn: Drawn) -> Evaluator:
    return Evaluator(Model(drawn.space()))


def same_as_the_equations(drawn: Drawn, formula: Formula) -> None:
    values = evaluator(drawn).values(formula)
    assert values.dtype == bool
    assert set(np.flatnonzero(values)) == truth_in(formula, drawn)


test_random_formulas_on_random_graphs = given(graphs(), ctl())(same_as_the_equations)
test_thousands_of_formulas_and_graphs = pytest.mark.long(
    settings(max_examples=3000)(given(graphs(12), ctl(15))(same_as_the_equations))
)


@given(graphs())
def test_reversed_edges(drawn: Drawn) -> None:
    ends, sources = rows_of(drawn.space()).backward
    for target in range(len(drawn)):
        found = sources[ends[target] : ends[target + 1]].tolist()
        wanted = [one for one, row in enumerate(drawn.edges) for _, to in row if to == target]
        assert found == wanted


@given(graphs(), ctl())
def test_opposite_path(drawn: Drawn, formula: Formula) -> None:
    for path in (Unary("G", formula), Binary("W", formula, parse("p")), Binary("R", parse("q"), formula)):
        some, none = Unary("E", path), negate(Unary("A", opposite_path(path)))
        assert truth_in(some, drawn) == truth_in(none, drawn)


def distance(drawn: Drawn, start: int, through: set[int], goals: set[int]) -> int | None:
    """The fewest steps from a position to a goal through others, layer by layer."""
    layer, seen = {start}, {start}
    for steps in itertools.count():
        if layer & goals:
            return steps
        layer = {after for one in layer & through for after in drawn.after(one)} - seen
        if not layer:
            return None
        seen |= layer
    return None


def positions_of(path: Path, drawn: Drawn) -> list[int]:
    graph = drawn.space().graph()
    positions = [path.start]
    for edge in path.edges:
        assert graph.offsets[positions[-1]] <= edge < graph.offsets[positions[-1] + 1]
        positions.append(int(graph.targets[edge]))
    if path.loop is not None:
        assert positions[path.loop] == positions[-1]
        assert path.loop < len(path.edges)
    return positions


def paths(drawn: Drawn, text: str, truth: bool) -> list[list[int]]:
    found = Explainer(evaluator(drawn)).paths(parse(text), 0, truth)
    return [positions_of(path, drawn) for path in itertools.islice(found, 6)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "truth", "through", "goal"),
    [
        ("EF p", True, "true", "p"),
        ("E[q U p]", True, "q", "p"),
        ("AG p", False, "true", "!p"),
        ("!EF p", False, "true", "p"),
        ("A[q R p]", False, "!q", "!p"),
        ("A[p W q]", False, "!q", "!p & !q"),
    ],
)
@given(graphs())
def test_shortest_paths(text: str, truth: bool, through: str, goal: str, drawn: Drawn) -> None:
    holds = 0 in truth_in(parse(text), drawn)
    if holds is not truth:
        return
    inside, goals = truth_in(parse(through), drawn), truth_in(parse(goal), drawn)
    found = paths(drawn, text, truth)
    lengths = [len(one) - 1 for one in found]
    assert lengths[0] == distance(drawn, 0, inside, goals)
    assert lengths == sorted(lengths)
    assert len({tuple(one) for one in found}) == len(found)
    for one in found:
        assert one[-1] in goals
        assert set(one[:-1]) <= inside


@pytest.mark.parametrize(("text", "truth", "always"), [("EG p", True, "p"), ("AF p", False, "!p")])
@given(graphs())
def test_loops(text: str, truth: bool, always: str, drawn: Drawn) -> None:
    if (0 in truth_in(parse(text), drawn)) is not truth:
        return
    for path in itertools.islice(Explainer(evaluator(drawn)).paths(parse(text), 0, truth), 6):
        positions = positions_of(path, drawn)
        assert set(positions) <= truth_in(parse(always), drawn)
        assert path.loop is not None or not drawn.edges[positions[-1]]


@given(graphs())
def test_next_positions(drawn: Drawn) -> None:
    p = truth_in(parse("p"), drawn)
    if set(drawn.after(0)) & p:
        ends = {one[-1] for one in paths(drawn, "EX p", True)}
        assert ends == set(drawn.after(0)) & p
    if set(drawn.after(0)) - p:
        ends = {one[-1] for one in paths(drawn, "AX p", False)}
        assert ends == set(drawn.after(0)) - p


@given(graphs(), ctl())
def test_witnesses_begin_at_their_start(drawn: Drawn, formula: Formula) -> None:
    known = evaluator(drawn)
    for start, truth in enumerate(known.values(formula).tolist()):
        for path in itertools.islice(Explainer(known).paths(formula, start, truth), 2):
            assert path.start == start
            positions_of(path, drawn)


CHAIN = Drawn(
    (((0, 1),), ((0, 2), (1, 3)), ((0, 2),), ()),
    ((False, False), (True, False), (False, True), (False, True)),
)
"""0 -> 1 -> 2, which leads to itself, or 3, where it ends; p in 1, q in 2 and 3."""


@pytest.mark.parametrize(
    ("text", "truth", "edges", "loop"),
    [
        ("EF EG (q & !deadlock)", True, (0, 1, 3), 2),  # on from the end of the outer path
        ("EX EX deadlock", True, (0, 2), None),
        ("AG !(p & EX deadlock)", False, (0, 2), None),
        ("AG (p -> AX !deadlock)", False, (0, 2), None),
        ("EF p & EF deadlock", True, (0,), None),  # the first that there is something to be seen of
        ("p | EX p", True, (0,), None),
        ("EX p | EX EX q", True, (0,), None),
        ("EX EX q | EX p", True, (0, 1), None),
        ("p <-> EX p", False, (0,), None),
        ("!p", True, None, None),
        ("EF !p", True, (), None),  # the position itself
        ("AG EF q", True, None, None),
        ("EG true", True, (0, 2), None),  # it ends where it stays, which is shorter than a loop
        ("A[p R !q]", True, None, None),
    ],
)
def test_witnesses_of_ctl(text: str, truth: bool, edges: tuple[int, ...] | None, loop: int | None) -> None:
    known = evaluator(CHAIN)
    assert known.values(parse(text))[0] == truth
    path = next(Explainer(known).paths(parse(text), 0, truth), None)
    assert path == (None if edges is None else Path(0, edges, loop))


def test_limit_stops_between_fixpoints() -> None:
    answers = iter([False, True])
    known = Evaluator(Model(CHAIN.space()), is_stopped=lambda: next(answers))
    with pytest.raises(Stopped):
        known.values(parse("AG EF p"))
