"""Costs in formulas and goals, against slow twins: dictionaries of positions with their costs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples
from tests.prove.graphs import ctl, truth_in

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.prove.evaluate import holds
from gridproof.prove.formula import Atom, Binary, Comparison, Executable, Formula, Unary
from gridproof.prove.parsing import parse

LEVELS = {
    "null": "@..o",
    "sokoban": "######\n#@$ .#\n# #  #\n######\n",
    "bombs": "Bombs: 1\n\n#####\n#@$.#\n#-#-#\n#####\n",
    "robots": "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\na > B\nA ? b\n",
    "twenty48": "2048 2x2 spawn=spec target=8\n2 2\n2 .\n",
    "starts": "2048 2x2 spawn=spec target=8\n",
}
MOST = 3
"""The largest number that costs are compared with."""


def level(name: str) -> gp.Level:
    found: gp.Level = gp.read(LEVELS[name])[0] if name != "null" else gp.read(LEVELS[name], "null")[0]
    return found


class Pairs:
    """All positions of a level, each with what was spent on the way to it, far beyond what is compared."""

    def __init__(self, level: gp.Level) -> None:
        self._measures = measures(level.game)
        self.found = dict.fromkeys((one.position, (0,) * len(self._measures)) for one in level.starts())
        self.starts = len(self.found)
        for pair in (queue := list(self.found)):
            fresh = [after for after in self._successors(*pair) if after not in self.found]
            self.found |= dict.fromkeys(fresh)
            queue += dict.fromkeys(fresh)
        self._listed = list(self.found)
        numbers = {pair: number for number, pair in enumerate(self._listed)}
        self._after = [[numbers[after] for after in self._successors(*pair)] for pair in self._listed]

    def _successors(self, position: Any, spent: tuple[int, ...]) -> Iterable[tuple[Any, tuple[int, ...]]]:
        for action in position.actions():
            for outcome in position.outcomes(action):
                costs = [one.cost(position, action, outcome) for one in self._measures.values()]
                yield (
                    outcome.position,
                    tuple(min(have + more, 2 * MOST + 3) for have, more in zip(spent, costs, strict=True)),
                )

    def __len__(self) -> int:
        return len(self._listed)

    def after(self, number: int) -> list[int]:
        return self._after[number] or [number]

    def holds(self, atom: Formula, number: int) -> bool:
        position, spent = self._listed[number]
        if isinstance(atom, Comparison) and isinstance(atom.left, Atom) and atom.left.name == "cost":
            have = spent[list(self._measures).index(atom.left.arguments[0])]
            assert isinstance(atom.right, int)
            return {
                "<": have < atom.right, "<=": have <= atom.right, "=": have == atom.right,
                "!=": have != atom.right, ">": have > atom.right, ">=": have >= atom.right,
            }[atom.sign]  # fmt: skip
        return holds(atom, position, (None,))


_pairs: dict[str, Pairs] = {}


def pairs(name: str) -> Pairs:
    if name not in _pairs:
        _pairs[name] = Pairs(level(name))
    return _pairs[name]


def costs(name: str) -> st.SearchStrategy[Formula]:
    """Comparisons of what was spent on a level."""
    return st.builds(
        lambda measure, sign, bound: parse(f"cost({measure}) {sign} {bound}"),
        st.sampled_from([*measures(level(name).game)]),
        st.sampled_from(["<", "<=", "=", "!=", ">", ">="]),
        st.integers(-1, MOST),
    )


def with_atoms(formula: Formula, p: Formula, q: Formula, action: str) -> Formula:
    """The formula with other atoms."""
    match formula:
        case Atom(name):
            return p if name == "p" else q
        case Executable():
            return Executable(action)
        case Unary(operator, operand):
            return Unary(operator, with_atoms(operand, p, q, action))
        case Binary(operator, left, right):
            return Binary(operator, *(with_atoms(one, p, q, action) for one in (left, right)))
    return formula


@st.composite
def cost_formulas(draw: st.DrawFn) -> tuple[str, Formula]:
    """A level, and a formula of CTL about it with one or two costs."""
    name = draw(st.sampled_from([*LEVELS]))
    own = st.sampled_from([parse("won"), parse("home"), parse("ended")])
    action = draw(st.sampled_from([*map(str, level(name).all_actions())]))
    formula = with_atoms(draw(ctl()), draw(own | costs(name)), draw(costs(name)), action)
    sought = Binary("&", formula, draw(costs(name)))
    shapes = {
        "as it is": formula,
        "EF": Unary("E", Unary("F", sought)),
        "AG": Unary("A", Unary("G", Unary("!", sought))),
    }
    return name, shapes[draw(st.sampled_from([*shapes]))]


@pytest.mark.long
@examples(120)
@given(cost_formulas())
def test_cost_formulas_hold_where_the_slow_twin_says(question: tuple[str, Formula]) -> None:
    name, formula = question
    found = truth_in(formula, pairs(name))  # type: ignore[arg-type]  # it has what is needed of a graph
    verdict = gp.check(level(name), formula)
    assert verdict.holds is (set(range(pairs(name).starts)) <= found)
    assert "cost" not in str(formula) or verdict.satisfying is None
    if verdict.trace is not None:
        verdict.trace.replay()
        assert verdict.trace.level == level(name)


@pytest.mark.slow
@examples(40)
@given(st.data(), st.sampled_from([*LEVELS]), st.sampled_from("FG"))
def test_cost_formulas_of_ltl_hold_where_the_slow_twin_says(
    data: st.DataObject, name: str, operator: str
) -> None:
    inner = Binary(data.draw(st.sampled_from("&|")), data.draw(costs(name)), parse("won"))
    for paths, quantifier in (("all", "A"), ("some", "E")):
        found = truth_in(Unary(quantifier, Unary(operator, inner)), pairs(name))  # type: ignore[arg-type]
        which = any if paths == "some" else all
        verdict = gp.check(level(name), Unary(operator, inner), paths)
        assert verdict.holds is which(start in found for start in range(pairs(name).starts))


def cheapest(name: str, conditions: Formula) -> int | None:
    """The fewest actions to a position that meets conditions, layer by layer."""
    twin = pairs(name)
    goals = truth_in(conditions, twin)  # type: ignore[arg-type]
    layer, seen = set(range(twin.starts)), set[int]()
    for depth in itertools.count():
        if layer & goals:
            return depth
        seen |= layer
        layer = {after for one in layer for after in twin.after(one)} - seen
        if not layer:
            return None
    return None


@examples(40)
@given(st.data(), st.sampled_from([*LEVELS]))
def test_solve_finds_the_fewest_actions_within_a_cost(data: st.DataObject, name: str) -> None:
    conditions = [str(one) for one in data.draw(st.lists(costs(name), min_size=1, max_size=2))]
    goal = " & ".join(data.draw(st.permutations([*conditions, "won"])))
    solution = gp.solve(level(name), goal=goal)
    fewest = cheapest(name, parse(goal))
    assert (solution.found, solution.cost) == (fewest is not None, fewest)
    if solution.trace is not None:
        assert solution.trace.replay().won
        assert solution.trace.level == level(name)


def chance(position: Any, goal: Any, left: int, best: Any) -> Fraction:
    """Return the probability of a goal within so many actions, at best or at worst."""
    if goal(position):
        return Fraction(1)
    if not left or not position.actions():
        return Fraction(0)
    return best(  # type: ignore[no-any-return]  # min or max
        sum(one.probability * chance(one.position, goal, left - 1, best) for one in position.outcomes(action))
        for action in position.actions()
    )


@pytest.mark.parametrize("most", range(4))
@pytest.mark.parametrize("tile", [4, 8])
def test_value_within_a_cost_is_that_of_the_slow_twin(most: int, tile: int) -> None:
    (start,) = (one.position for one in level("twenty48").starts())
    value = gp.value(start, f"tile({tile}) & cost(actions) <= {most}")

    def goal(position: Any) -> bool:
        return any(number >= tile for number in map(int, position.text().replace(".", "0").split()[4:]))

    wanted = [chance(start, goal, most, best) for best in (max, min)]
    assert [value.best, value.worst] == pytest.approx([*map(float, wanted)])
    assert (value.level, value.goal) == (start.level, f"tile({tile}) & cost(actions) <= {most}")
    with pytest.raises(gp.GridproofError, match=r"^a goal with costs has values at the start only$"):
        value.at(start)


def test_solve_minimises_a_measure_within_a_cost_of_another() -> None:
    text = "#######\n#@    #\n# $$  #\n# ..  #\n#######\n"
    (room,) = gp.read(text)
    free, tight = gp.solve(room, "moves"), gp.solve(room, "moves", "won & cost(pushes) <= 2")
    assert (free.found, tight.found) == (True, True)
    assert free.cost == tight.cost
    assert gp.solve(room, "pushes", "won & cost(pushes) <= 1").found is False


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (
            "EF (won & cost(boxes) <= 1)",
            "line 1, column 11: sokoban does not count 'boxes': it counts actions, moves, pushes",
        ),
        (
            "EF pushes <= 1",
            "line 1, column 4: sokoban has no proposition 'pushes'; if its cost is meant, write cost(pushes) (expected won, lost, ended, home, bombs, placed, at, box, valid)",
        ),
        (
            "EF cost(pushes) < cost(moves)",
            "line 1, column 4: cost(pushes) < cost(moves): a cost is compared with a number (expected such as cost(actions) <= 7)",
        ),
        (
            "EF cost(pushes) = bombs",
            "line 1, column 4: cost(pushes) = bombs: a cost is compared with a number (expected such as cost(actions) <= 7)",
        ),
        (
            "EF cost(pushes)",
            "line 1, column 4: a number is no proposition (expected a comparison, such as = 0)",
        ),
        ("EF cost = 1", "line 1, column 4: cost with 0 arguments: it is written cost(measure)"),
        ("EF cost(pushes,moves) = 1", "line 1, column 4: cost with 2 arguments: it is written cost(measure)"),
    ],
)
def test_costs_are_refused_when_nothing_can_be_counted(formula: str, reason: str) -> None:
    with pytest.raises(
        gp.GridproofError,
    ) as caught:
        gp.check(level("sokoban"), formula)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    "goal",
    ["won & bombs = 0 & cost(pushes) <= 1", "!cost(pushes) <= 1", "cost(pushes)", "won | cost(pushes) = 1"],
)
def test_goals_with_costs_are_one_proposition_and_conditions(goal: str) -> None:
    for ask in (lambda: gp.solve(level("sokoban"), goal=goal), lambda: gp.value(level("sokoban"), goal)):
        with pytest.raises(
            gp.ParseError,
            match=r"^line 1, column 1: no goal: '.*' \(expected one proposition and costs compared with numbers, such as won & cost\(actions\) <= 7\)$",
        ):
            ask()


def test_certificate_of_a_cost_is_refused(tmp_path: Any) -> None:
    with pytest.raises(
        gp.GridproofError,
        match=r"^no certificate can be written for won & cost\(pushes\) <= 1: certificates of goals do not record costs; check EF \(won & cost",
    ):
        gp.certify(level("sokoban"), tmp_path / "proof", "won & cost(pushes) <= 1")
    assert not list(tmp_path.iterdir())


def test_trace_of_verdict_has_costs() -> None:
    text = str(gp.check(level("sokoban"), "EF (won & cost(pushes) > 0)"))
    assert "won false, cost(pushes) 0" in text
    assert "won true, cost(pushes) 2" in text


@pytest.mark.parametrize(
    ("formula", "paths", "answer"),
    [
        ("EF (AG !won & cost(actions) < 1)", "all", False),
        ("AG (cost(actions) < 1 -> EF won)", "all", True),
        ("F (F won & cost(actions) < 1)", "some", True),
    ],
)
def test_cost_bound_does_not_cut_the_future_of_a_temporal_goal(
    formula: str, paths: str, answer: bool
) -> None:
    assert gp.check("null/first/2", formula, paths).holds is answer


@pytest.mark.slow
def test_cost_bound_keeps_product_of_huge_level_small() -> None:
    room = [
        "#" * 30,
        "#@" + " " * 27 + "#",
        *["#" + " $" * 14 + "#"] * 2,
        *["#" + ". " * 14 + "#"] * 2,
        "#" * 30,
    ]
    board = "\n".join(room)
    verdict = gp.check(gp.read(board)[0], "EF (won & cost(pushes) <= 1)", limit=gp.Limit(states=100_000))
    assert verdict.holds is False


def test_space_evaluates_costs() -> None:
    space = gp.explore(level("sokoban"))
    assert gp.check(space, "EF (won & cost(pushes) <= 2)").holds
    assert gp.check(space, "EF (won & cost(pushes) <= 1)").holds is False
