"""Probabilities of formulas of LTL: against chains solved by hand, graphs without chance, and strategies with a memory."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.prove.graphs import Drawn, graphs, ltl
from tests.prove.processes import WHOLE, Choice, RandomProcess, chain_probabilities, draw_process
from tests.prove.test_ltl import paths_of
from tests.sizes import size

import gridproof as gp
from gridproof.core.limit import Limit, Stopped, start_meter
from gridproof.prove import chain_probability
from gridproof.prove.formula import (
    TRUE,
    Atom,
    Binary,
    Deadlock,
    Formula,
    Next,
    Truth,
    Unary,
    is_path_formula,
    negate,
    parts,
    subformulas,
)
from gridproof.prove.interval import Interval
from gridproof.prove.limit_deterministic import atoms_of, automaton_of
from gridproof.prove.parsing import parse
from gridproof.prove.path_bounds import PathBounds
from gridproof.prove.path_probability import AutomatonProduct, LabelledPartialGraph, find_path_bounds
from gridproof.search.graph import Graph

Rows = Sequence[Sequence[tuple[int, Fraction]]]
_JOIN: dict[str, Callable[[bool, bool], bool]] = {
    "&": lambda left, right: left and right,
    "|": lambda left, right: left or right,
    "->": lambda left, right: not left or right,
    "<->": lambda left, right: left is right,
}


class Chain:
    """A Markov chain whose states are split by the truth of a formula, from the inside out.

    C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic verification" (1995): the truth of a temporal operator
    is drawn in each state, with its probability there, and the steps from it are those that agree with it.
    """

    def __init__(self, rows: Rows, truths: dict[Formula, list[bool]], start: int) -> None:
        self._rows = [row or [(number, Fraction(1))] for number, row in enumerate(rows)]
        self._truths = dict(truths)
        self._chances = [Fraction(number == start) for number in range(len(rows))]

    def probability(self, formula: Formula) -> Fraction:
        truth = self._settle(formula)
        return sum((chance for chance, one in zip(self._chances, truth, strict=True) if one), Fraction())

    def _settle(self, formula: Formula) -> list[bool]:
        if formula not in self._truths:
            for part in parts(formula):
                self._settle(part)
            self._truths[formula] = self._truth(formula)
        return self._truths[formula]

    def _truth(self, formula: Formula) -> list[bool]:
        match formula:
            case Truth(value):
                return [value] * len(self._rows)
            case Unary("!", operand):
                return [not one for one in self._settle(operand)]
            case Unary("F", operand):
                return self._settle(Binary("U", TRUE, operand))
            case Unary("G", operand):
                return self._settle(negate(Unary("F", negate(operand))))
            case Binary("W", left, right):
                return self._settle(Binary("|", Binary("U", left, right), Unary("G", left)))
            case Binary("R", left, right):
                return self._settle(negate(Binary("U", negate(left), negate(right))))
            case Unary("X", operand):
                after = self._settle(operand)
                return self._split(
                    [self._mean(row, [Fraction(one) for one in after]) for row in self._rows], after, None
                )
            case Binary("U", left, right):
                self._settle(left)
                hold, reach = self._truths[left], self._settle(right)
                stopped = [
                    [] if ends or not holds else [(to, chance * WHOLE) for to, chance in row]
                    for row, holds, ends in zip(self._rows, hold, reach, strict=True)
                ]
                waits = [holds and not ends for holds, ends in zip(hold, reach, strict=True)]
                return self._split(chain_probabilities(stopped, reach), None, waits)
        left, right = parts(formula)
        self._settle(left)
        after, before, join = self._settle(right), self._truths[left], _JOIN[getattr(formula, "operator", "")]
        return [join(*pair) for pair in zip(before, after, strict=True)]

    def _mean(self, row: Sequence[tuple[int, Fraction]], values: Sequence[Fraction]) -> Fraction:
        return sum((chance * values[to] for to, chance in row), Fraction())

    def _split(
        self, chances: list[Fraction], after: list[bool] | None, waits: list[bool] | None
    ) -> list[bool]:
        """Split each state by the truth of an operator: an X is that of `after` next, a U that `waits` is that of itself next."""
        share = {
            (n, truth): chance if truth else 1 - chance
            for n, chance in enumerate(chances)
            for truth in (True, False)
        }
        states = [state for state, part in share.items() if part]
        numbers = {state: number for number, state in enumerate(states)}

        def agrees(number: int, truth: bool, to: int, next_truth: bool) -> bool:
            if after is not None:
                return after[to] is truth
            return not (waits and waits[number]) or next_truth is truth

        rows = list[Sequence[tuple[int, Fraction]]]()
        for number, truth in states:
            is_free = after is None and not (waits and waits[number])
            whole = Fraction(1) if is_free else share[number, truth]
            rows.append(
                [
                    (numbers[to, one], chance * share[to, one] / whole)
                    for to, chance in self._rows[number]
                    for one in (True, False)
                    if share[to, one] and agrees(number, truth, to, one)
                ]
            )
            assert sum(chance for _, chance in rows[-1]) == 1
        self._chances = [self._chances[number] * share[number, truth] for number, truth in states]
        self._truths = {one: [values[number] for number, _ in states] for one, values in self._truths.items()}
        self._rows = rows
        return [truth for _, truth in states]


P, Q = Atom("p"), Atom("q")
_LEAVES = st.sampled_from([P, Q, P, Q, Deadlock()])
FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: (
        st.builds(Unary, st.sampled_from("!XFG"), inner)
        | st.builds(Binary, st.sampled_from([*"&|UWR", "->", "<->"]), inner, inner)
    ),
    max_leaves=4,
)


def truths_of(process: RandomProcess) -> dict[Formula, list[bool]]:
    return {P: process.hold, Q: process.reach, Deadlock(): [not one for one in process.choices]}


def labelled(
    graph: Graph, truths: dict[Formula, list[bool]], atoms: list[Formula], cut: np.ndarray
) -> LabelledPartialGraph:
    words = [frozenset(atom for atom in atoms if truths[atom][number]) for number in range(len(cut))]
    letters = list(dict.fromkeys(words))
    return LabelledPartialGraph(graph, cut, letters, np.array([letters.index(word) for word in words]))


def bounds_of(
    process: RandomProcess, formula: Formula, hidden: Sequence[bool] = ()
) -> list[tuple[Interval, Interval]]:
    """The bounds of the greatest probability of a formula and of its opposite, from each position."""
    cut = np.array(hidden or [False] * len(process.choices))
    known = [[] if one else mine for mine, one in zip(process.choices, cut, strict=True)]
    graph = RandomProcess(known, process.costs, process.hold, process.reach).graph
    places, meter = list(range(len(cut))), start_meter(Limit())
    both = [
        find_path_bounds(labelled(graph, truths_of(process), atoms_of(one), cut), one, places, meter)
        for one in (formula, negate(formula))
    ]
    return [(both[0][place], both[1][place]) for place in places]


def rows_of(chosen: Sequence[Choice]) -> Rows:
    return [[(to, Fraction(weight, WHOLE)) for to, weight in one] for one in chosen]


def is_inside(value: Fraction, bounds: Interval) -> bool:
    return bounds.low <= value <= bounds.high and bounds.high - bounds.low < 1e-9


@pytest.mark.slow
@given(st.integers(0, 10**6), FORMULAS)
@settings(max_examples=size("paths", 30))
def test_probabilities_without_choices_agree_with_chains(seed: int, formula: Formula) -> None:
    drawn = draw_process(seed)
    chain = RandomProcess([one[:1] for one in drawn.choices], drawn.costs, drawn.hold, drawn.reach)
    if not is_path_formula(formula):
        return
    rows = rows_of([one[0] if one else [] for one in chain.choices])
    for start, (greatest, opposite) in enumerate(bounds_of(chain, formula)):
        wanted = Chain(rows, truths_of(chain), start).probability(formula)
        assert is_inside(wanted, greatest), (start, wanted, greatest)
        assert is_inside(1 - wanted, opposite), (start, wanted, opposite)


@pytest.mark.slow
@given(graphs(5), ltl(past="", most=5))
@settings(max_examples=size("paths", 30))
def test_probabilities_without_chance_agree_with_paths(drawn: Drawn, formula: Formula) -> None:
    if not is_path_formula(formula) or any(isinstance(one, Next) for one in subformulas(formula)):
        return
    flat = [(number, to) for row in drawn.edges for number, (_, to) in enumerate(row)]
    numbers, targets = (np.array([edge[i] for edge in flat], np.int32) for i in (0, 1))
    offsets = np.cumsum([0, *map(len, drawn.edges)]).astype(np.int64)
    graph = Graph(offsets, targets, numbers, np.ones(len(flat), np.uint8), 1, tuple(range(3)))
    atoms, places = atoms_of(formula), list(range(len(drawn)))
    truths = {atom: [drawn.holds(atom, number) for number in places] for atom in atoms}
    known = labelled(graph, truths, atoms, np.zeros(len(drawn), bool))
    found = find_path_bounds(known, formula, places, start_meter(Limit()))
    for start in places:
        is_possible = paths_of(drawn, formula).find([start]) is not None
        assert found[start] == Interval(Fraction(is_possible), Fraction(is_possible))


def strategies(process: RandomProcess, memory: int) -> Iterator[list[tuple[Choice, int]]]:
    """Yield the strategies with so many values of a memory: the choice and the next value in each position with each value."""
    options = [
        list(itertools.product(mine or [[(number, WHOLE)]], range(memory)))
        for number, mine in enumerate(process.choices)
        for _ in range(memory)
    ]
    yield from map(list, itertools.product(*options))


def value_of(
    process: RandomProcess, chosen: list[tuple[Choice, int]], memory: int, formula: Formula
) -> Fraction:
    """The probability of a formula from position 0 with a strategy."""
    rows = [
        [(to * memory + after, Fraction(weight, WHOLE)) for to, weight in choice] for choice, after in chosen
    ]
    truths = {one: list(np.repeat(values, memory).tolist()) for one, values in truths_of(process).items()}
    return Chain(rows, truths, 0).probability(formula)


@pytest.mark.slow
@given(st.integers(0, 10**6), FORMULAS, st.integers(0, 10**6))
@settings(max_examples=size("paths", 20))
def test_strategies_with_a_memory_are_inside_the_bounds(seed: int, formula: Formula, draw: int) -> None:
    process, random = draw_process(seed), Random(draw)
    if not is_path_formula(formula):
        return
    hidden = [random.random() < 0.2 for _ in process.choices] if draw % 2 else []
    greatest, opposite = bounds_of(process, formula, hidden)[0]
    for _ in range(3):
        options = [mine or [[(number, WHOLE)]] for number, mine in enumerate(process.choices)]
        chosen = [(random.choice(one), random.randrange(2)) for one in options for _ in range(2)]
        value = value_of(process, chosen, 2, formula)
        assert 1 - opposite.high <= value <= greatest.high


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["G F p & G F q", "F p & G F q", "F G p | F G q", "G (p -> F q)", "F (p & X F !p)", "(F p) -> G q"],
)
@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 60), marks=pytest.mark.slow)])
def test_strategy_with_a_memory_reaches_the_bounds(text: str, seeds: range) -> None:
    formula = parse(text)
    for seed in seeds:
        process = draw_process(seed)
        if sum(max(1, len(one)) > 1 for one in process.choices) > 2 or len(process.choices) > 2:
            continue
        values = [value_of(process, chosen, 2, formula) for chosen in strategies(process, 2)]
        greatest, opposite = bounds_of(process, formula)[0]
        assert is_inside(max(values), greatest), (seed, max(values), greatest)
        assert is_inside(1 - min(values), opposite), (seed, min(values), opposite)


(BOARD,) = gp.read("2048 2x2 spawn=classic target=16\n", "twenty48")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "same"),
    [("F (won & true & F won)", "F won"), ("F F won", "F won"), ("G (won | !lost)", "G !(lost & !won)"), ("!F won", "G !won"),
     ("G F won", "F won"), ("X X tile(4)", "F=2 tile(4)"), ("F (tile(8) & F won)", "F won"), ("F G lost", "F lost")],
)  # fmt: skip
def test_equal_formulas_have_equal_probabilities(path: str, same: str) -> None:
    found, wanted = (gp.value(BOARD, f"P=? [{one}]") for one in (path, same))
    assert (found.best, found.worst) == (wanted.best, wanted.worst)
    assert found.converged


@pytest.mark.slow
def test_comparisons_of_paths_are_checked() -> None:
    assert gp.value(BOARD, "P=? [F tile(8) -> F won]").best == Fraction(19743653, 20000000)
    verdict = gp.check(BOARD, "Pmax>=0.987 [(F tile(8)) -> (F won)] & !(P>=0.9 [G F won])")
    assert verdict.holds
    assert verdict.remarks == (
        "`Pmax>=0.987 [F tile(8) -> F won]`: the greatest probability is 0.987183",
        "`P>=0.9 [G F won]`: the least probability is 0",
    )


@pytest.mark.slow
def test_bounds_at_a_limit_contain_the_probability() -> None:
    widths = []
    for states in (1, 30, 200, 400, 1000):
        found = gp.value(BOARD, "P=? [G (tile(8) -> F won)]", limit=gp.Limit(states=states))
        assert found.best_bounds.low <= Fraction(19743653, 20000000) <= found.best_bounds.high
        assert found.worst_bounds.low == 0
        widths.append(found.best_bounds.error)
    assert widths[0] == 0.5
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0


def test_stop_ends_the_graph_and_its_product() -> None:
    space = gp.explore(BOARD)
    path = parse("G F tile(8)")
    stop = threading.Event()
    meter = start_meter(Limit(stop=stop))
    known = LabelledPartialGraph.of(space, atoms_of(path))
    automaton = automaton_of(path, known.letters)
    assert len(AutomatonProduct(known, automaton, [0], meter).places) >= len(known.cut)
    stop.set()
    with pytest.raises(Stopped):
        AutomatonProduct(known, automaton, [0], meter)
    with meter.enforce(), pytest.raises(Stopped):
        LabelledPartialGraph.of(space, atoms_of(path))


def test_costs_are_counted_along_a_path() -> None:
    level = gp.level("sokoban/first-steps/1")
    assert gp.value(level, "P=? [G F won & F (won & cost(pushes) <= 2)]").best == 1
    assert gp.value(level, "P=? [G F won & F (won & cost(pushes) <= 1)]").best == 0


def test_probability_of_a_path_is_about_the_start() -> None:
    found = gp.value(BOARD, "Pmax=? [G F won]")
    with pytest.raises(
        gp.GridproofError, match=r"^a probability of such a formula has values at the start only$"
    ):
        found.at(BOARD.start())


@pytest.mark.parametrize(
    ("path", "message"),
    [("F (Y won)", "'P=? [F Y won]': there is no operator of the past and no [ACTION] in the bracket"),
     ("G F [left]", "'P=? [G F [left]]': there is no operator of the past and no [ACTION] in the bracket"),
     ("G (won -> F<=3 lost)", "'P=? [G (won -> F<=3 lost)]': a bound of actions stands at the outermost operator of the bracket only"),
     (" & ".join(f"F tile({2 ** i})" for i in range(1, 10)), "a probability is that of a formula with at most 8 operators F, G, U, W and R"),
     ("F ((F won) || F lost)", "")],
)  # fmt: skip
def test_paths_that_have_no_probability_are_refused(path: str, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        gp.value(BOARD, f"P=? [{path}]")
    assert str(caught.value).startswith(message)


def test_too_many_clauses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.limit_deterministic._MOST_CLAUSES", 2)
    with pytest.raises(
        gp.GridproofError, match=r"^the formula's automaton would be too large for a probability: "
    ):
        gp.value(BOARD, "P=? [(F won & X tile(8)) | (F lost & X X tile(4)) | X X X tile(8)]")


class StrategyChain:
    """The chain that the strategy of some bounds makes of a random process.

    A state is a node and a goal; or, where the rest does not matter, a position as -1 - number, and 0.
    """

    def __init__(self, process: RandomProcess, bounds: PathBounds) -> None:
        self._process, self._bounds, self._product = process, bounds, bounds.product
        self.states = [(node, 0) for node in self._product.starts.values()]
        self._numbers = {state: number for number, state in enumerate(self.states)}
        self.rows = [self._row(state) for state in self.states]

    def place(self, node: int) -> int:
        return int(self._product.places[node]) if node >= 0 else -1 - node

    def _row(self, state: tuple[int, int]) -> list[tuple[int, Fraction]]:
        node, goal = state
        graph, place = self._product.graph, self.place(node)
        while node >= 0 and (found := self._bounds.choose(node, goal)):
            edges, goal = found
            if graph.actions[edges.start] <= self._product.actions:
                return [
                    (self._number(int(graph.targets[edge]), goal), Fraction(int(graph.weights[edge]), WHOLE))
                    for edge in edges
                ]
            node = int(graph.targets[edges.start])  # a jump
        choices = self._process.choices[place]
        return [(self._number(-1 - to, 0), Fraction(weight, WHOLE)) for to, weight in (choices or [[]])[0]]

    def _number(self, node: int, goal: int) -> int:
        if (node, goal) not in self._numbers:
            self._numbers[node, goal] = len(self.states)
            self.states.append((node, goal))
        return self._numbers[node, goal]


STRATEGIC = (
    "G F p",
    "F G p",
    "G F p & G F q",
    "F G p | G F q",
    "G (p -> F q)",
    "p U G q",
    "G F (p & X q)",
    "F p & G F q",
)


@pytest.mark.parametrize("seed", range(size("path_strategies", 25)))
def test_strategy_of_a_path_reaches_its_probability(seed: int) -> None:
    process, path = draw_process(seed), parse(Random(seed).choice(STRATEGIC))
    truths, count = truths_of(process), len(process.choices)
    known = labelled(process.graph, truths, atoms_of(path), np.zeros(count, bool))
    places, meter = list(range(count)), start_meter(Limit())
    chain = StrategyChain(process, PathBounds(known, automaton_of(path, known.letters), places, meter))
    wanted = find_path_bounds(known, path, places, meter)
    inside = {one: [truth[chain.place(node)] for node, _ in chain.states] for one, truth in truths.items()}
    for start in places:
        found = Chain(chain.rows, inside, start).probability(path)
        assert abs(float(found) - float(wanted[start].low)) < 1e-9


def test_strategy_of_a_path_is_played() -> None:
    level = gp.level("sokoban/first-steps/1")
    player = gp.value(level, "P=? [G F at(1,1) & G F !at(1,1)]").strategy
    position, places = level.start(), list[bool]()
    for _ in range(12):
        (outcome,) = position.outcomes(player(position))
        position = outcome.position
        places.append(bool(gp.check(position, "at(1,1)").holds))
    assert set(places[6:]) == {True, False}
    other = gp.value(level, "P=? [G F at(1,1)]").strategy
    (outcome,) = level.start().outcomes(level.start().actions()[0])
    with pytest.raises(gp.GridproofError, match="does not follow the last one"):
        other(outcome.position)


def test_strategy_of_a_path_has_nothing_to_decide_after_the_end() -> None:
    level = gp.level("sokoban/first-steps/1")
    player = gp.value(level, "P=? [F won & F home]").strategy
    position = level.start()
    while not gp.check(position, "won").holds:
        (outcome,) = position.outcomes(player(position))
        position = outcome.position
    with pytest.raises(gp.GridproofError, match="nothing is left to decide"):
        player(position)


LEVELS = (
    ("####\n#@ #\n#$.#\n####\n", "G F at(1,1) & G F at(2,2)"),
    ("####\n#@ #\n#$.#\n####\n", "F G !at(1,1) | G (at(1,1) -> X at(2,1))"),
    ("2048 2x2 spawn=classic target=16\n", "(F tile(8)) -> (F won)"),
    ("2048 2x2 spawn=classic target=8\n", "G (tile(4) -> F won) & X X !won"),
    ("2048 2x2 spawn=spec target=16\n", "(!tile(8)) U (empty = 0 & X tile(8))"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "path"), LEVELS)
def test_strategy_of_a_path_reaches_its_probability_by_rules(text: str, path: str) -> None:
    found = gp.value(gp.read(text)[0], f"P=? [{path}]")
    assert found.strategy.verify() == pytest.approx(float(found.best), abs=1e-9)
    assert found.worst_strategy.verify() == pytest.approx(float(found.worst), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(150, id="few"), pytest.param(3000, id="many", marks=pytest.mark.long)]
)
def test_chain_agrees_with_twin(count: int) -> None:
    for seed in range(count):
        process, random = draw_process(seed), Random(seed)
        rows = [
            [(to, Fraction(weight, WHOLE)) for to, weight in (mine or [[]])[0]] for mine in process.choices
        ]
        path, start = (
            parse(random.choice([*STRATEGIC, "X (p U q)", "p W X q", "F (p & X X q)"])),
            random.randrange(len(rows)),
        )
        true = Chain(rows, truths_of(process), start).probability(path)
        numbers = [[(to, float(chance)) for to, chance in row] for row in rows]
        starts = [float(number == start) for number in range(len(rows))]
        found = chain_probability.Chain(numbers, truths_of(process), starts).probability(path)
        assert found == pytest.approx(float(true), abs=1e-9), seed
