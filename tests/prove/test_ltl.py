"""LTL with past against a slow evaluator on lassos; fairness; lassos that satisfy the formula."""

from __future__ import annotations

import itertools
import pathlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measurement import examples, lines_run
from tests.prove.graphs import (
    ACTIONS,
    Drawn,
    Word,
    ctl,
    graphs,
    holds_on,
    lassos,
    ltl,
    only_word,
    truth_in,
    word_of,
    words_by_length,
)

import gridproof as gp
from gridproof.prove import lassos as shortest
from gridproof.prove.automaton import Automaton, Transition, drop_common_marks
from gridproof.prove.ctl import Evaluator
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import Formula, Unary, negate
from gridproof.prove.model import Model
from gridproof.prove.on_the_fly import OnTheFly
from gridproof.prove.parsing import parse
from gridproof.prove.paths import Path, Paths
from gridproof.prove.tableau import automaton_of


def paths_of(drawn: Drawn, formula: Formula, fair: tuple[str, ...] = ()) -> Paths:
    space = drawn.space()
    model = Model(space)
    assumed = assumptions(fair, space.level, model.rows.graph.labels)
    return Paths(model, automaton_of(formula), Evaluator(model).values, assumed)


def the_automaton_takes_the_word_or_its_opposites(drawn: Drawn, formula: Formula) -> None:
    holds = holds_on(formula, only_word(drawn), drawn)
    assert (paths_of(drawn, formula).find([0]) is not None) is holds
    assert (paths_of(drawn, negate(formula)).find([0]) is None) is holds


WITH_PAST, FUTURE, PAST = ltl(), ltl(past=""), ltl(future="")

test_formulas_with_past_on_lassos = given(lassos(), WITH_PAST)(the_automaton_takes_the_word_or_its_opposites)
test_formulas_of_the_future_on_lassos = given(lassos(), FUTURE)(the_automaton_takes_the_word_or_its_opposites)
test_thousands_of_formulas_on_lassos = pytest.mark.long(
    settings(max_examples=4000)(
        given(lassos(), ltl(most=9) | ltl(past="", most=12))(the_automaton_takes_the_word_or_its_opposites)
    )
)


def random_word(drawn: Drawn, chance: random.Random) -> Word:
    """A path of a graph that goes where it will, until it comes back to somewhere."""
    position, positions = 0, [0]
    actions: list[int | None] = []
    for _ in range(chance.randrange(1, 12)):
        if not drawn.edges[position]:
            return Word(tuple(positions), (*actions, None), len(actions))
        action, position = chance.choice(drawn.edges[position])
        actions.append(action)
        positions.append(position)
    places = [place for place, one in enumerate(positions[:-1]) if one == positions[-1]]
    if not places:
        return random_word(drawn, chance)
    return Word(tuple(positions[:-1]), tuple(actions), chance.choice(places))


def is_fair(word: Word, drawn: Drawn, fair: tuple[str, ...]) -> bool:
    loop = word.positions[word.loop :]
    for text in fair:
        kind, name = text.split()
        number = ACTIONS.index(name)
        possible = [number in (action for action, _ in drawn.edges[one]) for one in loop]
        asked = all(possible) if kind == "weak" else any(possible)
        if asked and number not in word.actions[word.loop :]:
            return False
    return True


FAIR = st.lists(st.sampled_from(["weak x", "weak y", "strong x", "strong y"]), max_size=2).map(tuple)


def paths_are_found_and_right(drawn: Drawn, formula: Formula, fair: tuple[str, ...], seed: int) -> None:
    paths = paths_of(drawn, formula, fair)
    found = list(itertools.islice(paths.find_all([0]), 4))
    assert len(set(found)) == len(found)
    for path in found:
        word = word_of(path, drawn)
        assert holds_on(formula, word, drawn)
        assert is_fair(word, drawn, fair)
    if not found:
        chance = random.Random(seed)
        for _ in range(30):
            word = random_word(drawn, chance)
            assert not (is_fair(word, drawn, fair) and holds_on(formula, word, drawn)), word


SEEDS = st.integers(0, 1 << 30)
test_paths_of_random_graphs = given(graphs(4), ltl(most=4), FAIR, SEEDS)(paths_are_found_and_right)
test_paths_of_thousands_of_graphs = pytest.mark.long(
    settings(max_examples=2000)(given(graphs(), ltl(most=5), FAIR, SEEDS)(paths_are_found_and_right))
)


@pytest.mark.parametrize(
    ("linear", "branching"),
    [
        ("G p", "AG p"), ("F p", "AF p"), ("G F p", "AG AF p"), ("p U q", "A[p U q]"), ("p W q", "A[p W q]"),
        ("X p", "AX p"), ("p R q", "A[p R q]"), ("G (p -> F q)", "AG (p -> AF q)"), ("X X q", "AX AX q"),
    ],
)  # fmt: skip
@given(graphs())
@examples(30)
def test_ltl_agrees_with_ctl(linear: str, branching: str, drawn: Drawn) -> None:
    against = paths_of(drawn, negate(parse(linear)))
    for start in range(len(drawn)):
        assert (against.find([start]) is None) is (start in truth_in(parse(branching), drawn))


@given(graphs(), ctl(3), FAIR)
def test_fair_ctl_agrees_with_fair_paths(drawn: Drawn, formula: Formula, fair: tuple[str, ...]) -> None:
    space = drawn.space()
    model = Model(space)
    known = Evaluator(model, assumptions(fair, space.level, model.rows.graph.labels))
    if any(letter in str(formula) for letter in "AE"):
        return
    for operator in "XFG":
        values = known.values(Unary("E", Unary(operator, formula))).tolist()
        some = paths_of(drawn, Unary(operator, formula), fair)
        assert values == [some.find([start]) is not None for start in range(len(drawn))]


def nothing_is_shorter(drawn: Drawn, formula: Formula, fair: tuple[str, ...]) -> None:
    paths = paths_of(drawn, formula, fair)
    path = paths.find([0])
    if path is None:
        return
    word = word_of(path, drawn)
    assert holds_on(formula, word, drawn)
    assert is_fair(word, drawn, fair)
    if path.loop is None:  # some loop may be shorter than the path after which nothing matters
        paths.shortening.is_exhaustive = True
        path = paths.find([0])
        assert path is not None
    for shorter in itertools.islice(words_by_length(drawn, len(path.edges) - 1), 2000):
        assert not (is_fair(shorter, drawn, fair) and holds_on(formula, shorter, drawn)), shorter


test_paths_are_shortest = given(graphs(4), ltl(most=4), FAIR)(nothing_is_shorter)
test_paths_of_thousands_of_graphs_are_shortest = pytest.mark.slow(
    settings(max_examples=1000)(given(graphs(), ltl(most=5), FAIR)(nothing_is_shorter))
)


@given(graphs(4), ltl(most=4), FAIR)
def test_path_without_loop_satisfies_the_formula_however_it_goes_on(
    drawn: Drawn, formula: Formula, fair: tuple[str, ...]
) -> None:
    path = paths_of(drawn, formula, fair).find([0])
    if path is None or path.loop is not None:
        return
    before = word_of(path, drawn)
    count = len(path.edges)
    for rest in words_by_length(drawn, 3, before.positions[count]):
        word = Word(
            before.positions[:count] + rest.positions,
            before.actions[:count] + rest.actions,
            count + rest.loop,
        )
        assert holds_on(formula, word, drawn), word


@pytest.mark.parametrize(
    ("text", "length"),
    [("home W placed = 1", 1), ("X X home", 2), ("G (home -> H home)", 2), ("G ([left] -> X !home)", 2),
     ("G (Y home -> home) & G F home", 1)],
)  # fmt: skip
def test_violation_of_safety_ends_the_trace(text: str, length: int, tmp_path: pathlib.Path) -> None:
    level = gp.level("sokoban/first-steps/1")
    search = OnTheFly(automaton_of(negate(parse(text))), [level.start()], (None,))
    for trace in (gp.check(level, text).trace, search.search(1000)):
        assert trace is not None
        assert (trace.loop, len(trace.steps)) == (None, length)
    assert gp.certify(level, tmp_path / "trace", formula=text).kind == "trace"
    assert gp.verify(tmp_path / "trace", level).holds


def test_violation_of_safety_under_fairness_has_a_fair_loop(tmp_path: pathlib.Path) -> None:
    level, text, fair = gp.level("sokoban/first-steps/1"), "G ([left] -> X !home)", ("weak left", "strong up")
    trace = gp.check(level, text, fair=fair).trace
    assert trace is not None
    assert trace.loop is not None
    assert gp.certify(level, tmp_path / "trace", formula=text, fair=fair).kind == "trace"
    assert gp.verify(tmp_path / "trace", level).holds


def test_valid_formula_on_a_fair_path_has_a_certificate(tmp_path: pathlib.Path) -> None:
    level, fair = gp.level("sokoban/first-steps/1"), ["strong left"]
    made = gp.certify(level, tmp_path / "trace", formula="G true", paths="some", fair=fair)
    assert made.holds
    assert gp.verify(tmp_path / "trace", level).holds


@pytest.mark.slow
@given(graphs(4), ltl(most=5), FAIR)
@settings(max_examples=300)
def test_exhaustive_search_finds_a_shortest_path_however_much_work_it_takes(
    drawn: Drawn, formula: Formula, fair: tuple[str, ...]
) -> None:
    paths = paths_of(drawn, formula, fair)
    paths.shortening.is_exhaustive = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gridproof.prove.lassos._WORK", 1)
        path = paths.find([0])
    assert not paths.shortening.is_cut
    for shorter in words_by_length(drawn, len(path.edges) - 1 if path else 4):
        assert not (is_fair(shorter, drawn, fair) and holds_on(formula, shorter, drawn)), shorter


@given(graphs(4), ltl(most=4), FAIR, st.integers(0, 200))
def test_path_is_returned_when_work_runs_out(
    drawn: Drawn, formula: Formula, fair: tuple[str, ...], work: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gridproof.prove.lassos._WORK", 0)
        first = paths_of(drawn, formula, fair).find([0])
        patch.setattr("gridproof.prove.lassos._WORK", work)
        path = paths_of(drawn, formula, fair).find([0])
    assert (path is None) is (first is None)
    if path is not None and first is not None:
        assert len(path.edges) <= len(first.edges)
        assert holds_on(formula, word_of(path, drawn), drawn)
        assert is_fair(word_of(path, drawn), drawn, fair)


@given(graphs(4), ltl(most=4), FAIR, st.integers(0, 20))
def test_path_is_returned_at_limit(
    drawn: Drawn, formula: Formula, fair: tuple[str, ...], more_looks: int
) -> None:
    paths, looks = paths_of(drawn, formula, fair), itertools.count()
    paths._is_stopped = lambda: next(looks) < 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gridproof.prove.lassos._WORK", 0)
        first = paths.find([0])
    most, looks = next(looks) + more_looks, itertools.count()
    paths._is_stopped = lambda: next(looks) >= most
    path = paths.find([0])
    assert (path is None) is (first is None)
    if path is not None and first is not None:
        assert len(path.edges) <= len(first.edges)
        assert holds_on(formula, word_of(path, drawn), drawn)
        assert is_fair(word_of(path, drawn), drawn, fair)


@pytest.mark.slow
def test_shortening_is_cheap_in_large_graphs() -> None:
    count = 5000
    rows = [f"x{(i + 1) % count} y{(7 * i + 3) % count}" for i in range(count)]
    rows[count // 2] += " p"
    paths = paths_of(edges(*rows), parse("G F p & G F [x]"), ("strong y",))
    assert len(paths.find([0]).edges) > 20  # type: ignore[union-attr]  # too long for all to be looked at
    assert lines_run(lambda: paths.find([0])) < 40 * shortest._WORK


def test_lasso_is_shortest_on_a_level_of_hundreds_of_positions() -> None:
    verdict = gp.check("robots/yards/2", "G F won", paths="some")
    assert verdict.trace is not None
    assert len(verdict.trace.steps) == 4


def edges(*rows: str) -> Drawn:
    """A graph of rows such as "p x1 y2": where atoms hold, and actions with targets."""
    split = [row.split() for row in rows]
    made = tuple(tuple((ACTIONS.index(one[0]), int(one[1:])) for one in row if one[1:]) for row in split)
    return Drawn(made, tuple(("p" in row, "q" in row) for row in split))


CROSSING = edges("x1 y0", "x0 y2", "p x2")
"""Round 0 and 1 by x; y waits in 0, and leads from 1 to p, where it ends."""


@pytest.mark.parametrize(
    ("fair", "holds"),
    [((), False), (("weak y",), False), (("strong x",), False), (("strong x", "weak y"), False)],
)
def test_fairness_assumptions(fair: tuple[str, ...], holds: bool) -> None:
    assert (paths_of(CROSSING, parse("G !p"), fair).find([0]) is None) is holds


def test_strong_fairness_implies_weak() -> None:
    drawn = edges("x1", "x0 y2", "p")  # y can be done every other time
    assert paths_of(drawn, parse("G !p"), ("weak y",)).find([0]) == Path(0, (0, 1), 0)
    assert paths_of(drawn, parse("G !p"), ("strong y",)).find([0]) is None


def test_component_is_searched_again_without_unfair_edges() -> None:
    drawn = edges("x1 x0", "x0 y2", "p")  # round 0 alone, y cannot be done
    assert paths_of(drawn, parse("G !p"), ("strong y",)).find([0]) == Path(0, (1,), 0)


def test_fair_paths_are_shortest() -> None:
    drawn = edges("x2", "x1 y0", "x3 y0", "x1 y2")
    assert paths_of(drawn, parse("G !q"), ("strong x",)).find([0]) == Path(0, (0, 4), 0)


@pytest.mark.parametrize(
    ("drawn", "text", "wanted"),
    [
        (edges("x1", "x2", "p x1"), "G F p", Path(0, (0, 1, 2), 1)),
        (edges("x1", "x2", "x3", "p x3"), "F p", Path(0, (0, 1, 2))),
        (edges("x1", "x2", "p"), "G !q", Path(0, (0, 1), None)),
        (edges("x1 x1", "p y0"), "G F [y]", Path(0, (0, 2), 0)),
        (edges("x0 y1", "x1"), "F [y]", Path(0, (1,))),
        (edges("x1 y2", "x3", "y3", "x3"), "F (O [y] & X X true)", Path(0, (1,))),
        (edges("x1", "p x2 y1", "p x2"), "G F p", Path(0, (0, 2), 1)),
        (edges("p x1 y0", "p x2 y2", "q x2 y1"), "F p", Path(0)),
        (edges("p x2 y1", "p", "p x0"), "G !q", Path(0, (1,), None)),
    ],
)
def test_shown_paths(drawn: Drawn, text: str, wanted: Path) -> None:
    assert paths_of(drawn, parse(text)).find([0]) == wanted


def test_paths_from_several_starts() -> None:
    drawn = edges("x0", "p x1")
    assert paths_of(drawn, parse("p")).find([0]) is None
    assert paths_of(drawn, parse("p")).find([0, 1]) == Path(1)


@pytest.mark.parametrize(
    ("text", "states", "marks"),
    [("G F p", 1, 1), ("F G p", 2, 1), ("G p", 1, 0), ("p U q", 2, 1), ("G (p -> F q)", 2, 1), ("F F p", 2, 1),
     ("G G p", 1, 0), ("G (p -> O q)", 2, 0), ("G F p & G F q", 1, 2), ("X " * 200 + "p", 202, 0), ("F G F p", 1, 1), ("G F G p", 2, 1), ("O O p", 2, 0), ("H H p", 2, 0),
     ("F (F p & true)", 2, 1), ("G (false | G p)", 1, 0)],
)  # fmt: skip
def test_automata_are_small(text: str, states: int, marks: int) -> None:
    automaton = automaton_of(parse(text))
    assert (len(automaton.transitions), automaton.marks) == (states, marks)


def test_marks_that_every_transition_carries_go_and_others_stay() -> None:
    rows = [[Transition(1, 0, 0, 0b001), Transition(0, 1, 1, 0b101)], [Transition(0, 0, 1, 0b001)]]
    automaton = drop_common_marks((), rows, 3)
    assert automaton.marks == 2  # nobody carries the second, so that no path is accepted
    marks = [[one.marks for one in row] for row in automaton.transitions]
    assert marks == [[0b00, 0b10], [0b00]]


def test_automaton_of_a_formula() -> None:
    again = Transition(1, 0, 0, 1), Transition(0, 0, 0, 0)
    assert automaton_of(parse("G F (p & !q)")) == Automaton((parse("p & !q"),), 1, (again,))


@pytest.mark.parametrize(
    "text", [" & ".join(f"F p{i}" for i in range(30)), " & ".join(f"G F p{i}" for i in range(12))]
)
def test_too_large_automata_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.tableau._MOST_WORK", 5000)
    with pytest.raises(
        gp.GridproofError, match=r"^the formula's automaton would be too large: too many disjuncts$"
    ):
        automaton_of(parse(text))


def test_automata_with_too_many_states_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.tableau._MOST_STATES", 16)
    with pytest.raises(
        gp.GridproofError,
        match=r"^the formula's automaton would be too large: more than 16 states or 65,536 transitions$",
    ):
        automaton_of(parse("X " * 40 + "p"))


def test_automata_with_too_many_transitions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.tableau._MOST_TRANSITIONS", 3)
    with pytest.raises(
        gp.GridproofError,
        match=r"^the formula's automaton would be too large: more than [0-9,]+ states or 3 transitions$",
    ):
        automaton_of(parse("X X X X X p"))


def test_too_many_atoms_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.paths._BITS", 4)
    with pytest.raises(
        gp.GridproofError,
        match=r"^the formula is too large: 4 different atoms, 3 of 'again and again' and 1 of fairness, where 4 can be told apart$",
    ):
        paths_of(edges("x0"), parse("p U q U !p U !q"), ("weak x",))


def test_too_many_past_operators_are_refused() -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^the formula has more than 32 different operators of the past$"
    ):
        automaton_of(parse("Y " * 33 + "p"))
