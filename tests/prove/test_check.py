"""`gp.check` on games: verdicts, traces that replay, vacuity, limits, names, and printed output."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import gridproof as gp
from gridproof.core import lazy_import
from gridproof.core.position import Level
from gridproof.prove import prover
from gridproof.prove.formula import DEEPEST, Atom, Unary
from gridproof.prove.logic import Logic
from gridproof.search import explore as exploring
from gridproof.search.explore import explore_by_rules

WALK = "@...o"
SOKOBAN = "Bombs: 1\n\n######\n#@ $.#\n# #  #\n######\n"
ROBOTS = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n"


def level(text: str = WALK, game: str | None = "null") -> Level:
    return gp.read(text, game)[0]


def steps(verdict: gp.Verdict | None) -> list[str]:
    assert verdict is not None
    assert verdict.trace is not None
    verdict.trace.replay()
    return [str(action) for action in verdict.trace.actions]


def test_ctl_verdict() -> None:
    verdict = gp.check(level(), "EF won")
    assert (verdict.holds, verdict.satisfying, verdict.states, verdict.vacuous) == (True, 5, 5, False)
    assert (verdict.logic, str(verdict.formula), verdict.stopped_by) == (Logic.CTL, "EF won", "")
    assert verdict.seconds >= 0
    assert steps(verdict) == ["hop", "hop"]
    assert verdict.trace is not None
    assert verdict.trace.loop is None
    assert verdict.trace.replay().won


@pytest.mark.slow
def test_counterexample_begins_at_the_first_start_where_the_formula_is_false() -> None:
    board = level("2048 2x2 target=8\n", "twenty48")
    starts = [start.position for start in board.starts()]
    verdict = gp.check(board, "max_tile = 2 | AX max_tile = 2")
    assert verdict.holds is False
    assert verdict.trace is not None
    assert verdict.trace.start == next(start for start in starts if "4" in start.text().split("\n", 1)[1])
    assert verdict.trace.start != starts[0]


def test_counterexample_of_ltl_is_a_lasso() -> None:
    verdict = gp.check(level(), "F won")
    assert (verdict.holds, verdict.satisfying, verdict.logic) == (False, None, Logic.LTL)
    assert steps(verdict) == ["right", "left"]
    assert verdict.trace is not None
    assert verdict.trace.loop == 0
    assert gp.check(level(), "AF won").trace == verdict.trace


@pytest.mark.parametrize(
    ("formula", "holds", "satisfying"),
    [
        ("AG EF won", True, 5), ("AG (won -> AX won)", True, 5), ("won", False, 1), ("!won & at(0)", True, 1),
        ("EX at(1)", True, 2), ("E[!won U at(3)]", True, 4), ("AX false", False, 0), ("true", True, 5),
        ("e(left)", False, 3), ("AG (deadlock <-> won)", True, 5), ("G F won", False, None),
        ("G (won -> G won)", True, None), ("G ([hop] -> X (at(2) | at(3) | at(4) | at(1)))", True, None),
        ("G (at(2) -> O at(0))", True, None), ("at(0) & X !at(0)", True, None), ("G (deadlock -> won)", True, None),
    ],
)  # fmt: skip
def test_verdicts(formula: str, holds: bool, satisfying: int | None) -> None:
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.satisfying) == (holds, satisfying)
    if verdict.trace:
        verdict.trace.replay()


def test_ltl_on_some_path() -> None:
    assert steps(gp.check(level(), "F won", paths="some")) == ["hop", "hop"]
    assert gp.check(level(), "G F at(1)", paths="some").holds
    none = gp.check(level(), "F (won & X !won)", paths="some")
    assert (none.holds, none.trace) == (False, None)
    (board,) = gp.read("2048 2x2 spawn=spec target=16\n", "twenty48")
    for formula, each, one in (
        ("max_tile = 2", False, True),
        ("max_tile <= 4", True, True),
        ("won", False, False),
    ):
        assert (gp.check(board, formula).holds, gp.check(board, formula, "some").holds) == (each, one)


def test_check_accepts_formula_values() -> None:
    formula = Unary("E", Unary("F", Atom("won")))
    assert gp.check(level(), formula).formula is formula
    deep = formula
    for _ in range(DEEPEST):
        deep = Unary("!", deep)
    with pytest.raises(
        gp.GridproofError, match=r"^the formula is nested too deeply: more than 250 operators$"
    ):
        gp.check(level(), deep)


def test_check_accepts_position_and_space() -> None:
    (one,) = gp.read(WALK, "null")
    position = one.position("...@o\n")
    assert gp.check(position, "at(3)").holds
    space = gp.explore(one)
    verdict = gp.check(space, "EF won")
    assert verdict == dataclasses.replace(gp.check(one, "EF won"), seconds=verdict.seconds)
    with pytest.raises(
        gp.GridproofError, match=r"^the space was explored for certain actors; leave out actors$"
    ):
        gp.check(space, "EF won", actors="all")


@pytest.fixture
def by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "_BY_RULES", 0)


SHIFTIT = "shiftit 3x2\nb b r\nr b g\n"
GAMES: dict[str, tuple[Callable[[], Level], tuple[str, ...]]] = {
    "sokoban": (
        lambda: level(SOKOBAN, "sokoban"),
        ("AG EF won", "EF won", "AG (bombs = 0 -> EF won)", "EF (placed >= bombs & !won)", "G (F [left])", "F deadlock"),
    ),
    "robots": (
        lambda: level(ROBOTS, "robots"),
        ("EF won", "AG EF won", "AG (rotation(b) = 90 -> EF won(a))", "G F e(a:walk(0,1))", "won(a) -> F won"),
    ),
    "shiftit": (
        lambda: level(SHIFTIT, "shiftit"),
        ("AG EF won <-> EF won", "AG (!ended -> EF home)", "AX AX home", "G F home", "near U won",
         "G ([CM(0,up)] -> X ([CM(0,down)] -> X true))"),
    ),
    "2048": (
        lambda: level("2048 2x2 spawn=spec target=16\n", "twenty48"),
        ("EF won", "AF lost", "AG (tile(8) -> AG max_tile >= 8)", "G (won -> G won)", "empty = 0 R true"),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("by_kernel")
@pytest.mark.parametrize("name", GAMES)
def test_verdicts_by_kernel_and_rules_agree(name: str) -> None:
    make, formulas = GAMES[name]
    space, ruled = gp.explore(make()), explore_by_rules(make())
    assert space.engine != ruled.engine == "rules"
    for formula in formulas:
        one, other = gp.check(space, formula), gp.check(ruled, formula)
        same = one.holds, one.satisfying, one.vacuous
        assert same == (other.holds, other.satisfying, other.vacuous), formula
        for verdict in (one, other):
            if verdict.trace is not None:
                verdict.trace.replay()


@pytest.mark.slow
@pytest.mark.clause("S15")
def test_ended_position_is_followed_by_itself() -> None:
    board = level(SHIFTIT, "shiftit")
    assert gp.check(board, "G (won -> G won)").holds
    assert gp.check(board, "AG (ended <-> deadlock)").holds
    shown = gp.check(board, "F G won", paths="some")
    assert shown.trace is not None
    assert shown.trace.loop is None
    assert shown.trace.replay().won


def test_plug_in_is_checked_by_its_rules() -> None:
    (lights,) = gp.read("lights: A pair\nauthor: Somebody\nO.OO\n", "lights_out")
    assert gp.check(lights, "AG EF won").holds
    verdict = gp.check(explore_by_rules(lights), "G !won")
    assert not verdict.holds
    assert verdict.trace is not None
    assert verdict.trace.replay().won


@pytest.mark.slow
def test_check_takes_actors() -> None:
    robots = level(ROBOTS, "robots")
    assert gp.check(robots, "EF won(b)", actors=("a",)).holds is False
    alone = gp.check(robots, "AG !e(a:walk(0,1))", actors="b")
    assert alone.who == ("b",)
    assert alone.holds
    assert gp.check(robots, "EF e(exchange)", actors="all").holds


def test_verdict_yields_more_counterexamples() -> None:
    first = gp.check(level(), "AG !won")
    second = first.more()
    assert second is None  # one position is won
    loops = [gp.check(level(), "G F won")]
    while (following := loops[-1].more()) and len(loops) < 4:
        loops.append(following)
    assert len({one.trace for one in loops}) == len(loops) == 3
    assert loops[0].more() == loops[1]
    assert all(steps(one) and one.holds is False for one in loops)
    ways = [gp.check(level(), "EF at(3)")]
    assert ways[0].more() is None
    corners = gp.check(level(), "EF (at(1) | at(3))")
    assert (steps(corners), steps(corners.more())) == (["right"], ["right", "hop"])


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        ("AG (lost -> AX won)", "lost"),
        ("G (lost -> F won)", "lost"),
        ("won -> X won", "won"),
        ("won -> at(4)", "won"),
        (
            "G ([left] & X [left] & X X [left] & X X X [left] -> F won)",
            "[left] & X [left] & X X [left] & X X X [left]",
        ),
        ("!EF !(lost -> won)", "lost"),
        ("at(0) & (lost -> won)", "lost"),
        ("A[(lost -> won) W false]", "lost"),
        ("A[false R (lost -> won)]", "lost"),
        ("!E[true U !(lost -> won)]", "lost"),
    ],
)
def test_vacuous_verdict_is_marked(formula: str, condition: str) -> None:
    verdict = gp.check(level(), formula)
    assert verdict.holds
    assert verdict.vacuous
    assert verdict.remarks == (f"vacuous: {condition} is never true",)


@pytest.mark.parametrize(
    ("formula", "part"),
    [
        ("AG (lost | !lost)", "lost"),
        ("AG (!lost | won)", "won"),
        ("G (at(0) | won | !lost)", "at(0) | won"),
        ("AG !!(!ended | won | lost)", "lost"),
        ("AG (won -> lost | won)", "lost"),
        ("AG ((won | !won) & (lost | ended | !ended))", "lost"),
    ],
)
def test_side_of_disjunction_that_is_never_needed_is_said(formula: str, part: str) -> None:
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.vacuous) == (True, False)
    assert verdict.remarks == (f"{part} is never needed",)


def test_side_of_disjunction_is_never_needed_exactly_if_the_others_are_enough() -> None:
    seen = set[bool]()
    for seed in range(30):
        random = Random(seed)
        sides = [f"at({cell})" for cell in random.sample(range(5), 5)]
        if random.random() < 0.5:
            sides.insert(random.randint(0, 5), random.choice(["lost", "at(2)", "won"]))
        whole = f"AG ({' | '.join(sides)})"
        enough = any(
            gp.check(level(), f"AG ({' | '.join([*sides[:place], *sides[place + 1 :]])})").holds
            for place in range(len(sides))
        )
        assert bool(gp.check(level(), whole).remarks) is enough, whole
        seen.add(enough)
    assert seen == {True, False}


@pytest.mark.parametrize(
    "formula",
    [
        "AG (won | !won)",
        "AG (!won | ended)",
        "G F (won | !won)",
        "AG (won -> AX won)",
        "G (at(2) -> X !at(2))",
        "at(0) -> X !at(0)",
        "AG (won <-> deadlock)",
        "AG EF won",
        "EF (at(1) -> won)",
        "EF (won -> at(0))",
        "F (won -> at(0))",
        "A[at(0) U (won -> at(0))]",
        "(lost -> won) R true",
    ],
)
def test_verdict_is_not_vacuous_when_condition_occurs(formula: str) -> None:
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.vacuous, verdict.remarks) == (True, False, ())


@pytest.mark.slow
def test_fairness() -> None:
    assert not gp.check(level(), "F won").holds
    assert not gp.check(level(), "F won", fair="weak hop").holds
    assert not gp.check(level(), "F at(3)", fair=["strong right", "weak hop"]).holds
    assert gp.check(level("@.o"), "F won", fair="strong hop").holds is False  # a hop by 1, and back
    assert gp.check(level("@.o"), "AF won", fair="strong *").holds is False
    moved = gp.check(level(SHIFTIT, "shiftit"), "G F [RM(0,left)] | F won", fair="strong RM(0, left)")
    assert moved.holds
    assert not gp.check(level(SHIFTIT, "shiftit"), "G F [RM(0,left)] | F won").holds
    robots = level(ROBOTS, "robots")
    for fair, both in (((), False), ("weak a", True), (["strong a", "strong b"], True)):
        waits = gp.check(robots, "F won", fair=fair)
        assert waits.trace is not None
        assert waits.trace.loop is not None
        assert any(text.startswith("a:") for text in steps(waits)[waits.trace.loop :]) is both
    assert gp.check(robots, "F (at(a,1,0) | won)", fair="weak a").holds


@pytest.mark.parametrize(
    ("fair", "message"),
    [
        ("left", "fairness 'left': write 'weak NAME', 'strong NAME' or 'G F FORMULA'"),
        ("strong", "fairness 'strong': write 'weak NAME', 'strong NAME' or 'G F FORMULA'"),
        (
            "weak nobody",
            "fairness 'weak nobody': 'nobody' is no actor (player) and no action (left, right, hop)",
        ),
        ("often left", "fairness 'often left': write 'weak NAME', 'strong NAME' or 'G F FORMULA'"),
        ("G F", "line 1, column 4: the formula ends too early (expected a proposition, a number or '(')"),
        ("G won", "fairness 'G won': write 'G F FORMULA' with a formula about positions"),
        ("G F X won", "fairness 'G F X won': write 'G F FORMULA' with a formula about positions"),
        ("G F cost(actions) < 3", "fairness cannot compare costs, as cost(actions) < 3 does"),
        (
            "G F wun",
            "line 1, column 5: null has no proposition 'wun'; did you mean won? (expected won, lost, ended, home, at)",
        ),
        (3, "fairness is 'weak NAME', 'strong NAME' or a list of such, not 3"),
        ([3], "fairness is 'weak NAME', 'strong NAME' or a list of such, not [3]"),
        (
            ("weak left", None),
            "fairness is 'weak NAME', 'strong NAME' or a list of such, not ('weak left', None)",
        ),
    ],
)
def test_invalid_fairness_is_refused(fair: Any, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        gp.check(level(), "F won", fair=fair, limit=gp.Limit(states=1))  # before anything is explored
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("formula", "column", "words"),
    [
        (
            "AG EF wun",
            7,
            "line 1, column 7: null has no proposition 'wun'; did you mean won? (expected won, lost, ended, home, at)",
        ),
        (
            "AXAX won",
            6,
            "line 1, column 6: 'won' cannot stand here (expected a comparison, an operator or arguments)",
        ),
        (
            "G (AGEF)",
            4,
            "line 1, column 4: null has no proposition 'AGEF'; if these are operators, write A G E F (expected won, lost, ended, home, at)",
        ),
        ("won(1)", 1, "line 1, column 1: won with 1 argument: it is written won"),
        ("EF at(99)", 4, "line 1, column 4: at(99): the cells are 0 to 4"),
        ("won & at", 7, "line 1, column 7: at with 0 arguments: it is written at(x)"),
        ("EF won = 1", 4, "line 1, column 4: a proposition cannot be compared (expected a number)"),
        (
            "EF e(lift)",
            4,
            "line 1, column 4: no action 'lift'; did you mean left? (expected left, right, hop)",
        ),
        ("F [jump]", 3, "line 1, column 3: no action 'jump' (expected left, right, hop)"),
        (
            "EF\n  nothing",
            3,
            "line 2, column 3: null has no proposition 'nothing' (expected won, lost, ended, home, at)",
        ),
    ],
)
def test_unknown_names_are_refused(formula: str, column: int, words: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        gp.check(level(), formula)
    assert caught.value.column == column
    assert str(caught.value) == words


def test_comparisons_of_numbers() -> None:
    sokoban = level(SOKOBAN, "sokoban")
    with pytest.raises(
        gp.ParseError,
        match=r"^line 1, column 4: a number is no proposition \(expected a comparison, such as = 0\)$",
    ):
        gp.check(sokoban, "EF bombs")
    for formula, satisfying in (
        ("0 <= bombs", None), ("bombs <= placed | bombs > placed", None), (f"bombs < {10**30}", None),
        (f"bombs > -{10**30} & 1 < 2", None), (f"bombs = {10**30} | 2 < 1", 0), (f"{10**30} < bombs", 0),
    ):  # fmt: skip
        verdict = gp.check(sokoban, formula)
        assert verdict.satisfying == (verdict.states if satisfying is None else satisfying)
        assert verdict.holds is (satisfying is None)


def test_unlisted_actions_are_accepted_in_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    one = level()
    monkeypatch.setattr(type(one), "all_actions", Level.all_actions)
    assert gp.check(one, "EF e(hop)").holds
    with pytest.raises(gp.GridproofError, match=r"^no action 'jump' occurs; choose from right, hop, left$"):
        gp.check(one, "EF e(jump)")


@pytest.mark.slow
def test_limit_is_no_error_where_an_unlisted_action_occurs_later(monkeypatch: pytest.MonkeyPatch) -> None:
    one = level()
    monkeypatch.setattr(type(one), "all_actions", Level.all_actions)
    limit = gp.Limit(states=3)
    assert gp.check(one, "F won", fair="strong left").holds is not None
    assert gp.check(one, "F won", fair="strong left", limit=limit).holds is None
    assert gp.check(one, "AF e(left)", limit=limit).holds is None
    assert gp.check(gp.explore(one, limit=limit), "AF e(left)").holds is None


@pytest.mark.parametrize(
    "wrong",
    [{"paths": "most"}, {"paths": None}, {"paths": "some"}, {"actors": "nobody"}, {"limit": 3}, {"fair": 7}],
)
def test_check_refuses_wrong_values(wrong: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError):
        gp.check(level(), "AG EF won", **wrong)
    with pytest.raises(gp.GridproofError):
        gp.check("level", "AG EF won")  # what is tried


@pytest.mark.parametrize(
    ("formula", "paths", "holds"),
    [
        ("EF at(3)", "all", True), ("AG !at(3)", "all", False), ("F at(3)", "some", True), ("G (at(3) -> won)", "all", False),
        ("EF won", "all", None), ("AG EF won", "all", None), ("F won", "all", False), ("AG !e(left)", "all", False),
        ("at(0)", "all", True), ("EF (true & at(3) <-> !won)", "all", True), ("F !at(3)", "all", True), ("F won", "some", None),
        ("G (at(3) -> X X X true)", "all", None), ("EF EG !won", "all", True), ("X (at(1) | at(2))", "all", True),
        ("A[!at(4) W at(2)]", "all", False), ("AX AX !won", "all", True), ("AG EF at(3)", "all", None),
    ],
)  # fmt: skip
def test_incomplete_space_decides_some_formulas(formula: str, paths: str, holds: bool | None) -> None:
    verdict = gp.check(level("@" + "." * 9 + "o"), formula, paths, limit=gp.Limit(states=6))
    assert (verdict.holds, verdict.stopped_by, verdict.satisfying) == (holds, "states", None)
    assert verdict.states <= 6
    assert not verdict.complete
    if holds is not None:
        assert gp.check(level("@" + "." * 9 + "o"), formula, paths).holds is holds
    if formula != "at(0)" and verdict.holds is (formula[0] == "E" or paths == "some"):
        assert verdict.trace is not None
    if verdict.trace:
        verdict.trace.replay()
    reached = "until the limit of positions was reached ("
    assert (reached if holds is not None else "The limit of positions was reached after ") in str(verdict)


def test_limit_during_proof() -> None:
    space, stop = gp.explore(level()), threading.Event()
    stop.set()
    for formula in ("AG EF won", "G F won"):
        verdict = gp.check(space, formula, limit=gp.Limit(stop=stop))
        assert (verdict.holds, verdict.stopped_by, verdict.states) == (None, "stop", 5)
    verdict = gp.check(space, "AG EF won", limit=gp.Limit(memory=1))
    assert (verdict.holds, verdict.stopped_by) == (None, "memory")


def test_limit_excludes_compilation(monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
    monkeypatch.setattr(prover, "time", clock)
    space = gp.explore(level())
    meter = gp.Limit(seconds=10).start()
    with prover.exclude_compilation(meter):
        lazy_import.compile_listeners[-1](True)
        clock.now += 60
        lazy_import.compile_listeners[-1](False)
        clock.now += 1
        other = threading.Thread(
            target=lazy_import.compile_listeners[-1], args=(False,)
        )  # compiles for itself
        other.start()
        other.join()
    assert meter.seconds == 1
    assert not meter.is_reached(space.states)
    assert lazy_import.compile_listeners == []


def test_verdicts_can_be_pickled() -> None:
    verdict = gp.check(level(), "G F won")
    assert verdict.more() is not None
    for again in (pickle.loads(pickle.dumps(verdict)), copy.deepcopy(verdict)):
        assert again == verdict
        assert again.more() == verdict.more()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "X " * 249 + "won", " & ".join(["G (won -> F at(1))"] * 50), " U ".join(["!won"] * 200), "EX " * 249 + "true",
        "AX EX " * 100 + "won", "!" * 249 + "EF won", " -> ".join(["won"] * 200), " <-> ".join(["X won"] * 100),
        "H " * 200 + "won", "G F " * 100 + "won",
    ],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_formulas_of_size_200(text: str) -> None:
    assert gp.check(level(), text).holds is not None


def test_formula_with_too_large_automaton_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.tableau._MOST_WORK", 100)
    with pytest.raises(
        gp.GridproofError, match=r"^the formula's automaton would be too large: too many disjuncts$"
    ):
        gp.check(level(), " & ".join(f"F X at({i})" for i in range(5)), paths="some")


@pytest.mark.parametrize("statement", ["at(a,0,0)", "at(a,1,0)", "rotation(b) != 180", "!won", "won"])
def test_linear_invariant_has_a_shortest_counterexample(statement: str) -> None:
    level = gp.level("robots/races/1")
    linear, branching = (gp.check(level, f"{always} {statement}").trace for always in ("G", "AG"))
    eventual = gp.check(level, f"F !({statement})", paths="some").trace
    assert linear is not None
    assert branching is not None
    assert eventual is not None
    assert len(linear.steps) == len(branching.steps) == len(eventual.steps)
