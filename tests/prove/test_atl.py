"""Coalitions: attractors and strategies against brute force over all strategies."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measurement import examples
from tests.prove.test_quantity_certificates import ATOMS
from tests.prove.test_value import graph_of
from tests.prove.twins import Played, small_level
from tests.sizes import size

import gridproof as gp
from gridproof.core.limit import Stopped
from gridproof.core.position import Position
from gridproof.prove import atl
from gridproof.prove.atl import TurnGame, opposite_objective
from gridproof.prove.formula import Coalition, Unary
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parsing import parse
from gridproof.prove.recurrence import RESPONSE, STREETT
from gridproof.prove.recurrence_game import NEVER, streett_ranks
from gridproof.prove.strategy import NEXT, UNLESS, UNTIL, Objective, Strategy

COUNT, TURNS = 3, 2
Choices = list[list[int]]
"""Targets of each place n * TURNS + turn: by an action or a pass."""


def game_of(actions: list[list[list[int]]]) -> TurnGame:
    """A game of turns: `actions[turn][position]` are the positions that the player's actions lead to."""
    rows = [
        [[(target, 4)] for turn in range(TURNS) for target in actions[turn][position]]
        for position in range(COUNT)
    ]
    owners = [[turn for turn in range(TURNS) for _ in actions[turn][position]] for position in range(COUNT)]
    graph = graph_of(rows)
    whose = np.array([owner for row in owners for owner in row], np.int64)
    game = object.__new__(TurnGame)
    game.order, game.space = ("a", "b"), SimpleNamespace(states=COUNT)  # type: ignore[assignment]  # it stands in for one
    game.fair = []
    game._meter = gp.Limit().start()
    game.moves = [atl._Moves(graph, whose == turn) for turn in range(TURNS)]
    return game


def wins(wanted: Objective, choices: dict[tuple[int, int], list[int]], begin: tuple[int, int]) -> bool:
    """Return whether every play from there does what is wanted, `choices` being all that may come next."""
    kind, hold, reach, most = wanted

    def good(turn: int, position: int, steps: int) -> bool:
        if reach[turn][position] and (kind != NEXT or steps == 1):
            return True
        if kind == NEXT and steps == 1:
            return False
        if kind != NEXT and not hold[turn][position]:
            return False
        if steps == most:
            return kind == UNLESS
        if steps > COUNT * TURNS:  # it has gone round in a circle
            return kind == UNLESS
        return all(good((turn + 1) % TURNS, after, steps + 1) for after in choices[turn, position])

    return good(*begin, 0)


def by_brute_force(actions: list[list[list[int]]], wanted: Objective) -> set[tuple[int, int]]:
    """Return the places from which some memoryless strategy of the first player succeeds."""
    options = [[position, *actions[0][position]] for position in range(COUNT)]
    found = set()
    for chosen in itertools.product(*options):
        choices = {(0, position): [after] for position, after in enumerate(chosen)}
        choices |= {(1, position): [position, *actions[1][position]] for position in range(COUNT)}
        found |= {
            (turn, position)
            for turn in range(TURNS)
            for position in range(COUNT)
            if wins(wanted, choices, (turn, position))
        }
    return found


positions = st.integers(0, COUNT - 1)
graphs = st.lists(
    st.lists(st.lists(positions, max_size=2), min_size=COUNT, max_size=COUNT), min_size=TURNS, max_size=TURNS
)
regions = st.lists(
    st.lists(st.booleans(), min_size=COUNT, max_size=COUNT), min_size=TURNS, max_size=TURNS
).map(np.array)


@given(graphs, regions, regions, st.sampled_from([UNTIL, UNLESS, NEXT]), st.none() | st.integers(0, 5))
@examples(120)
def test_coalition_formula_agrees_with_brute_force(
    actions: list[list[list[int]]], hold: Any, reach: Any, kind: str, most: int | None
) -> None:
    game, wanted = game_of(actions), Objective(kind, hold, reach, None if kind == NEXT else most)
    region = game.region(wanted, frozenset({0}))
    found = {(turn, position) for turn, position in zip(*np.nonzero(region), strict=True)}
    assert found == by_brute_force(actions, wanted)
    opposite = opposite_objective(wanted)
    assert opposite
    assert np.array_equal(region, ~game.region(opposite, frozenset({1})))  # one of both always has its way


@given(graphs, regions, regions)
@examples(20)
def test_coalition_of_all_agrees_with_some_path(
    actions: list[list[list[int]]], hold: Any, reach: Any
) -> None:
    game = game_of(actions)
    alone = game.ranks(Objective(UNTIL, hold, reach), frozenset({0}))
    together = game.ranks(Objective(UNTIL, hold, reach), frozenset({0, 1}))
    nobody = game.ranks(Objective(UNTIL, hold, reach), frozenset())
    assert (together <= alone).all()
    assert (alone <= nobody).all()


def cycles_through(choices: dict[Any, list[Any]], begin: Any, ends: set[Any]) -> list[set[Any]]:
    """The strongly connected parts with a cycle that can be reached, without the ends."""
    reached = networkx.DiGraph((one, after) for one, all_after in choices.items() for after in all_after)
    inside = (networkx.descendants(reached, begin) | {begin}) - ends
    parts = networkx.strongly_connected_components(reached.subgraph(inside))
    return [part for part in parts if len(part) > 1 or reached.has_edge(*[*part] * 2)]


def streett_by_brute_force(actions: list[list[list[int]]], hold: Any, reach: Any, player: int) -> set[Any]:
    """The places from which some memoryless strategy of a player has the Streett condition, or, of the second, prevents it."""
    options = [[position, *actions[player][position]] for position in range(COUNT)]
    found = set()
    goals = {place for place in itertools.product(range(TURNS), range(COUNT)) if reach[place]}
    for chosen in itertools.product(*options):
        choices = {
            (player, position): [((player + 1) % TURNS, after)] for position, after in enumerate(chosen)
        }
        other = 1 - player
        choices |= {
            (other, position): [(player, after) for after in (position, *actions[other][position])]
            for position in range(COUNT)
        }
        for begin in choices:
            if player == 0:
                is_won = not any(hold[one] for part in cycles_through(choices, begin, goals) for one in part)
            else:  # each cycle has `hold` again and again, and no `reach`
                rests = {one for one in choices if hold[one]}
                reached = networkx.DiGraph((one, after) for one, every in choices.items() for after in every)
                inside = networkx.descendants(reached, begin) | {begin}
                cyclic = set().union(*cycles_through(choices, begin, set()))
                is_won = not cycles_through(choices, begin, rests) and not (goals & inside & cyclic)
            if is_won:
                found.add(begin)
    return found


@given(graphs, regions, regions)
@examples(60)
def test_streett_condition_agrees_with_brute_force(
    actions: list[list[list[int]]], hold: Any, reach: Any
) -> None:
    ranks = game_of(actions).ranks(Objective(STREETT, hold, reach), frozenset({0}))
    found = {(turn, position) for turn, position in zip(*np.nonzero(ranks < NEVER), strict=True)}
    assert found == streett_by_brute_force(actions, hold, reach, 0)
    assert not found & streett_by_brute_force(actions, hold, reach, 1)


@given(graphs, regions, regions)
@examples(60)
def test_response_agrees_with_a_game_that_remembers_requests(
    actions: list[list[list[int]]], hold: Any, reach: Any
) -> None:
    game, players = game_of(actions), frozenset({0})
    ranks = game.ranks(Objective(RESPONSE, hold, reach), players)
    due = [~reach & (hold | was_due) for was_due in (False, True)]

    def force(region: Any) -> Any:
        either = [game.can_force(half, players) for half in np.hsplit(region, 2)]
        return np.hstack([np.where(now, either[1], either[0]) for now in due])

    answered = ~np.hstack(due)
    wanted = streett_ranks(Objective(STREETT, ~answered, answered), force)
    assert np.array_equal(ranks < NEVER, wanted[:, :COUNT] < NEVER)


# -- formulas


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<<a>> F won(a)", "<<a>> F won(a)"),
        ("<< a , b >>F won(a)", "<<a,b>> F won(a)"),
        ("!<<a>>F won(a) & <<b>> G !won(a)", "!<<a>> F won(a) & <<b>> G !won(a)"),
        ("<<a>> [!won(b) U won(a)]", "<<a>> [!won(b) U won(a)]"),
        ("<<a>> (!won(b) U won(a))", "<<a>> [!won(b) U won(a)]"),
        ("<<>> G !won", "<<>> G !won"),
        ("<<a>> G F won", "<<a>> G F won"),
        ("<<a>> F G (<<b>> F won)", "<<a>> F G <<b>> F won"),
        ("<<a>> (G F won -> G F won(a))", "<<a>> (G F won -> G F won(a))"),
        ("<<a>> G (won(b) -> F won(a))", "<<a>> G (won(b) -> F won(a))"),
        ("<<a>> F<=5 won(a)", "<<a>> F<=5 won(a)"),
        ("<<a>> G< 5 (won | <<b>> F<=3 won)", "<<a>> G<5 (won | <<b>> F<=3 won)"),
        ("<<a>> ((won | lost) U<=4 won(a))", "<<a>> [(won | lost) U<=4 won(a)]"),
        ("<<a>> X <<b>> F won(b)", "<<a>> X <<b>> F won(b)"),
        ("<<a>> X won | won(a) -> <<a,b>> [won R won]", "<<a>> X won | won(a) -> <<a,b>> [won R won]"),
    ],
)
def test_coalition_formulas_round_trip(text: str, written: str) -> None:
    formula = parse(text)
    assert str(formula) == written
    assert parse(written) == formula
    assert logic_of(formula) is Logic.ATL


@pytest.mark.parametrize(
    "text",
    [
        "<<a>> won",
        "<<a>> F won & F won",
        "A F <<a>> F won",
        "<<a>> F [a:walk(1,0)]",
        "<<a>> Y won",
        "<<a>> X X won",
        "<<a>> G F X won",
        "<<a>> (F won & G F won(a))",
        "<<a>> F<=5 F won",
        "<<a>> F<0 won",
        "<<a>> G F<=5 won",
        "<<a>> (F<=5 won & home)",
        "<<a>> F won & F<=5 won",
    ],
)
def test_invalid_coalition_formulas_are_refused(text: str) -> None:
    with pytest.raises(gp.GridproofError):
        logic_of(parse(text))


def test_coalition_is_a_value() -> None:
    assert parse("<<a,a>> F won") == Coalition(("a",), Unary("F", parse("won")))


# -- games

RACE = "robots/races/2"
"""Two robots side by side, each two requests from home."""


def strategy(formula: str, level: gp.Level | Position[Any]) -> Strategy:
    verdict = gp.check(level, formula)
    assert isinstance(verdict.strategy, Strategy), formula
    return verdict.strategy


@pytest.mark.parametrize(
    "formula",
    ["<<a>> F won(a)", "<<b>> F won(b)", "<<a,b>> F won(a)", "<<a>> G !won(b)", "<<>> F won", "<<b>> [!won(a) U won(b)]",
     "<<a>> X won(a)", "<<a>> [won(a) R !won(b)]", "<<b>> [!won W won(b)]",
     "<<b>> F<=3 won(b)", "<<b>> F<=4 won(b)", "<<a>> G<=3 !won(b)", "<<a>> G<=4 !won(b)", "<<b>> [!won(a) U<=40 won(b)]",
     "<<a>> F<=0 won", "<<a>> G<=0 won", "<<a>> [!won W<=2 won(a)]", "<<a>> [won(a) R<=4 !won(b)]"],
)  # fmt: skip
def test_strategy_wins_against_every_answer(formula: str) -> None:
    level = gp.levels_at(RACE)[0]
    verdict = gp.check(level, formula)
    opposite_players = verdict.strategy
    assert opposite_players is not None
    assert opposite_players.verify() > 0
    assert verdict.logic is Logic.ATL
    if verdict.trace is not None:
        assert verdict.trace.replay() is not None


@pytest.mark.parametrize(
    "formula",
    ["<<a>> X <<a>> X won(a)", "<<a,b>> X <<a>> X won(a)", "<<b>> X <<a>> X won(a)", "!<<a>> X <<b>> X !won(a)",
     "<<a>> X <<b>> X <<a>> F won(a)", "<<a>> F <<a>> X won(a)"],
)  # fmt: skip
def test_nested_next_strategy_wins_against_every_answer(formula: str) -> None:
    (level,) = gp.read(
        "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n", "robots"
    )
    assert strategy(formula, level).verify() > 0


@pytest.mark.slow
def test_coalition_verdicts_differ_by_player() -> None:
    (level,) = gp.levels_at("robots/duels/3")
    answers = {
        formula: gp.check(level, formula).holds
        for formula in ("<<a>> F won(a)", "<<b>> F won(a)", "<<a>> F won(a) & <<b>> F won(a)")
    }
    assert list(answers.values()) == [True, False, False]


@pytest.mark.slow
def test_strategy_returns_action() -> None:
    level = gp.levels_at(RACE)[0]
    verdict = gp.check(level, "<<b>> F won(b)")
    plays = strategy("<<b>> F won(b)", level)
    assert (verdict.holds, plays.players, plays.order) == (True, ("b",), ("a", "b"))
    position, turn = level.start(), 0
    for turn in range(40):
        player = plays.order[turn % 2]
        action = plays(position, "b") if player == "b" else next(iter(position.actions("a")), None)
        if action is not None:
            position = next(iter(position.outcomes(action))).position
        if position.won:
            break
    assert level.game.name == "robots"
    assert gp.explore(position).states >= 1
    assert "b" in position.winners  # type: ignore[attr-defined]  # Robots'
    with pytest.raises(gp.GridproofError, match=r"^'a' is not a player of this strategy: b do$"):
        plays(position, "a")
    with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
        plays(gp.levels_at("robots/races/1")[0].start(), "b")


def test_wrong_strategy_is_refuted() -> None:
    level = gp.levels_at(RACE)[0]
    plays = strategy("<<b>> F won(b)", level)

    class Lazy:
        """Passes for ever."""

        def __getattr__(self, name: str) -> Any:
            return getattr(plays.judge, name)

        def choice(self, turn: Any) -> None:
            return None

    lazy = Strategy(plays.players, plays.order, plays.kind, plays.starts, Lazy())
    with pytest.raises(gp.GridproofError, match=r"^the strategy can be beaten; please report this level\n"):
        lazy.verify()


@pytest.mark.slow
def test_coalition_from_position_and_for_some_robots() -> None:
    level = gp.levels_at(RACE)[0]
    assert gp.check(level, "<<b>> F won(b)", actors=("b",)).holds
    with pytest.raises(
        gp.GridproofError, match=r"^d in <<d>> F won\(a\) takes no turn: a, b do, in this order$"
    ):
        gp.check(level, "<<d>> F won(a)")
    with pytest.raises(
        gp.GridproofError, match=r"^nature in <<nature>> F won\(a\) takes no turn: a, b do, in this order$"
    ):
        gp.check(level, "<<nature>> F won(a)")
    for actors in ("all", "nature", ("a", "nature")):
        with pytest.raises(gp.GridproofError, match=r"^nature takes no turn; remove it from the actors$"):
            gp.check(level, "<<>> G won(a)", actors=actors, limit=gp.Limit(states=50))
    for formula in ("<<d>> F won(a)", "<<d>> P>=1 [F won(a)]"):  # before any exploration
        with pytest.raises(gp.GridproofError, match=r"takes no turn: a, b do, in this order$"):
            gp.check(level, formula, limit=gp.Limit(states=1))
    with pytest.raises(gp.GridproofError, match=r"^paths='some' applies to LTL only; in CTL, use A and E$"):
        gp.check(level, "<<a>> F won(a)", paths="some")
    stopped = gp.check(level, "<<a>> F won(a)", limit=gp.Limit(states=50))
    assert (stopped.holds, stopped.stopped_by) == (None, "states")


@pytest.mark.parametrize(
    ("formula", "most"), [("<<b>> F<=4 won(b)", 3), ("<<a>> G<=3 !won(b)", 4), ("<<b>> F<=4 won(b)", 0)]
)
def test_strategy_that_needs_more_turns_is_refuted(formula: str, most: int) -> None:
    plays = strategy(formula, gp.levels_at(RACE)[0])
    assert plays.verify() > 0
    with pytest.raises(gp.GridproofError, match="can be beaten"):
        replace(plays, most=most).verify()


def test_strategy_plays_no_further_than_its_bound() -> None:
    level = gp.levels_at(RACE)[0]
    plays = strategy("<<a>> G<=3 !won(b)", level)
    trace = gp.check(level, "<<b>> F<=4 won(b)").trace
    assert trace is not None
    assert [str(action) for action in trace.actions] == ["b:walk(1,0)", "b:walk(3,0)"]
    *_, before, last = trace.positions()
    assert plays(before, "a") is None
    with pytest.raises(gp.GridproofError, match="no strategy that is sure"):
        plays(last, "a")


def test_limit_during_strategy_keeps_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def reach_limit(self: object) -> None:
        raise Stopped

    monkeypatch.setattr(Strategy, "trace", reach_limit)
    verdict = gp.check(gp.levels_at(RACE)[0], "<<b>> F won(b)", actors=("b",))
    assert (verdict.holds, verdict.strategy, verdict.trace) == (True, None, None)
    assert verdict.remarks == ("not shown: the memory limit was reached before",)


def test_single_player_can_force_what_is_possible() -> None:
    (level,) = gp.read("######\n#@$ .#\n######\n")
    verdict = gp.check(level, "<<player>> F won")
    assert verdict.holds
    assert verdict.trace is not None
    assert [str(action) for action in verdict.trace.actions] == ["right", "right"]
    (two,) = gp.read("2048 2x2\n2 2\n4 0\n")
    assert gp.check(two, "<<player>> F tile(32)").holds is False  # chance is against the player
    assert gp.check(two, "<<player>> F tile(8)").strategy is not None


@pytest.mark.parametrize(
    ("formula", "holds", "players"),
    [
        ("<<a>> G F !won", True, ("a",)),
        ("<<b>> G F home", False, ("a",)),
        ("<<a>> F G at(a,1,0)", False, ("b",)),
        ("<<b>> (G F at(a,1,0) -> G F at(a,2,0))", True, ("b",)),
        ("<<a>> G (at(a,3,0) -> F at(a,1,0))", True, ("a",)),
        ("<<a>> G (home -> F won(a))", False, None),
        ("!<<a>> G F home", True, ("b",)),
    ],
)
def test_strategy_forces_what_comes_again(formula: str, holds: bool, players: Any) -> None:
    verdict = gp.check("robots/duels/1", formula)
    assert verdict.holds is holds
    if players is None:
        assert verdict.strategy is None
        assert verdict.remarks == ("no strategy of the others is shown",)
        return
    assert isinstance(verdict.strategy, Strategy)
    assert verdict.strategy.players == players
    assert verdict.strategy.verify() > 0
    assert verdict.trace is None


@pytest.mark.parametrize(
    "formula", ["<<a>> (G F home -> G F at(a,3,0))", "<<a>> G (home -> F won(a))", "<<a>> F G won(a)"]
)
def test_strategy_that_passes_is_beaten(formula: str) -> None:
    verdict = gp.check("robots/duels/3", formula)
    strategy: Any = verdict.strategy
    assert verdict.holds
    assert strategy.verify() > 20
    strategy.judge.choice = lambda turn: None
    with pytest.raises(gp.GridproofError, match="can be beaten"):
        strategy.verify()


FORMS = ("G F ({0})", "F G ({0})", "(G F ({0}) -> G F ({1}))", "G ({0} -> F ({1}))")


def random_recurrence(played: Played, random: Random) -> str:
    """Return what a random coalition may force again and again."""
    game = played.level.game
    names = [name for name in game.actors(played.level) if name != "nature"]
    coalition = ",".join(random.sample(names, random.randint(0, len(names))))
    form = random.choice(FORMS).format(*(random.choice(ATOMS[game.name]) for _ in range(2)))
    return f"<<{coalition}>> {form}"


def test_strategies_of_recurrences_on_random_levels_win() -> None:
    shown = 0
    for seed in range(size("recurrences", 40)):
        random = Random(seed)
        played = Played(small_level(random))
        formula = random_recurrence(played, random)
        verdict = gp.check(played.positions[0], formula)
        assert verdict.strategy or not verdict.holds, (seed, formula)
        if verdict.strategy:
            shown += verdict.strategy.verify() > 0
    assert shown > 10


def test_response_has_no_fairness() -> None:
    with pytest.raises(gp.GridproofError, match="fairness does not apply to"):
        gp.check("robots/duels/1", "<<a>> G (home -> F won(a))", fair="weak b", limit=gp.Limit(states=1))


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["a", "b"])
def test_bound_of_a_robot_alone_is_its_fewest_actions(robot: str) -> None:
    for level in gp.levels_at("robots/duels"):
        solution = gp.solve(level, goal=f"won({robot})", actors=(robot,))
        if solution.trace is None:
            assert gp.check(level, f"<<{robot}>> F<=99 won({robot})", actors=(robot,)).holds is False
            continue
        fewest = len(solution.trace.actions)
        for most in (fewest - 1, fewest):
            verdict = gp.check(level, f"<<{robot}>> F<={most} won({robot})", actors=(robot,))
            assert verdict.holds is (most == fewest)
            assert verdict.strategy is not None
            verdict.strategy.verify()
