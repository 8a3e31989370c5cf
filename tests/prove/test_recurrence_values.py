"""What coalitions can force again and again with some probability: against all strategies, and checkers against them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.prove import processes, spoiled
from tests.prove.processes import RandomProcess
from tests.prove.test_quantity import SEEDS, decision_process, processes_of
from tests.prove.test_quantity_certificates import ATOMS, forge
from tests.prove.twins import Played, small_level

import gridproof as gp
from gridproof.prove.certificate_file import Defect
from gridproof.prove.checkers.bellman import ProvedBounds, StochasticAction
from gridproof.prove.checkers.forced_recurrence import ForcedRecurrenceChecker
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.recurrence_value import RecurrenceGame

YARD = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n"
BOARD = "2048 2x2 spawn=classic target=16\n"


def game_of(found: RandomProcess, cut: np.ndarray, maximal: list[bool], cut_is_goal: bool) -> RecurrenceGame:
    """A game in which the goal comes for ever where nothing is known that follows, or never."""
    nowhere = np.zeros(len(found.reach), bool)
    goal = np.where(cut, cut_is_goal, np.array(found.reach))
    process = decision_process(found, nowhere, cut)
    return RecurrenceGame(DecisionProcess(process.graph, nowhere, nowhere), np.array(maximal), goal)


@pytest.mark.parametrize("count", SEEDS)
def test_recurrence_bounds_agree_with_all_strategies(count: int) -> None:
    proper = 0
    for seed, found, cut in processes_of(count):
        chooser = Random(seed)
        maximal = [chooser.random() < 0.5 for _ in found.hold]
        true = processes.recurrence_value(found, maximal)
        missed = game_of(found, cut, maximal, False).find_bounds(gp.Limit().start()).missed
        high = game_of(found, cut, maximal, True).find_bounds(gp.Limit().start()).high
        for number, value in enumerate(true):
            proper += 0 < value < 1
            least, most = 1 - Fraction(float(missed[number])), Fraction(float(high[number]))
            assert least <= value <= most, (seed, number, value)
            if not cut.any():  # 0 and 1 are exact
                assert most - least < (1e-9 if 0 < value < 1 else 1e-99), (seed, number, value)
    assert proper


# -- the checker, on games that no level has: of several players, with chance


@dataclass
class Turns:
    """A game of two players with passes: the actions of each turn, and where the goal holds."""

    count: int
    actions: list[list[list[tuple[int, int]]]]
    """Of the turn number place * count + position: outcomes as positions with weights."""
    goal: list[bool]

    @classmethod
    def draw(cls, random: Random) -> Turns:
        count = random.randint(1, 3)
        weights = ((4,), (1, 3), (2, 2), (1, 1, 2))
        actions = [
            [
                [(random.randrange(count), weight) for weight in random.choice(weights)]
                for _ in range(random.choice((0, 1, 1)))
            ]
            for _ in range(2 * count)
        ]
        return cls(count, actions, [random.random() < 0.4 for _ in range(count)])

    @property
    def process(self) -> RandomProcess:
        """The process of its turns; the first choice is a pass."""
        choices = []
        for turn, mine in enumerate(self.actions):
            place, position = divmod(turn, self.count)
            after = (1 - place) * self.count
            passing = [(after + position, processes.WHOLE)]
            choices.append([passing, *([(after + to, weight) for to, weight in one] for one in mine)])
        return RandomProcess(
            choices, [[0] * len(one) for one in choices], [True] * len(choices), self.goal * 2
        )


class StubChecker(ForcedRecurrenceChecker):
    """The checker on such a game, whose position number n is at line n + 2."""

    def __init__(self, game: Turns, wanting: tuple[bool, bool]) -> None:
        self._game, self._turns = game, [(str(place), wants) for place, wants in enumerate(wanting)]
        self._steps, self._cost = None, None
        self._unknown = ProvedBounds(Fraction(0), Fraction(1), 0)
        self._lines, self._last_ranks = [], []
        goal: Any = game.goal
        self._reach = lambda position: goal[position]

    def _actions(self, position: Any, name: str, line: int) -> Iterator[StochasticAction]:
        yield StochasticAction(Fraction(0), [(Fraction(1), line)])
        for one in self._game.actions[int(name) * self._game.count + position]:
            yield StochasticAction(
                Fraction(0), [(Fraction(weight, processes.WHOLE), to + 2) for to, weight in one]
            )

    def accepts(self, lines: list[list[Any]]) -> bool:
        """Return whether the values of all positions are accepted."""
        self._lines, self._last_ranks = [], []
        if not all(self.store(values) for values in lines):
            return False
        try:
            for number in range(self._game.count):
                self.check_position(number + 2, Number(number))  # type: ignore[arg-type]  # it stands in for one
        except Defect:
            return False
        return True


class Number(int):
    """A position that is only its number."""

    def text(self) -> str:
        return str(int(self))


def proof_of(game: Turns, wanting: tuple[bool, bool]) -> list[list[Any]]:
    maximal = np.repeat(wanting, game.count)
    nowhere = np.zeros(len(maximal), bool)
    process = DecisionProcess(game.process.graph, nowhere, nowhere)
    solver = RecurrenceGame(process, maximal, np.array(game.goal * 2))
    bounds = solver.find_bounds(gp.Limit().start())
    first, last = solver.find_ranks(bounds)
    return [
        [
            value
            for turn in (number, number + game.count)
            for value in (
                str(1 - Fraction(float(bounds.missed[turn]))),
                str(Fraction(float(bounds.high[turn]))),
                int(first[turn]),
                int(last[turn]),
            )
        ]
        for number in range(game.count)
    ]


def forge_values(lines: list[list[Any]], random: Random) -> list[list[Any]]:
    """Return values of which some are others."""
    changed = [list(line) for line in lines]
    for _ in range(random.randint(1, 5)):
        line = random.choice(changed)
        place = random.randrange(len(line))
        if place % 4 > 1:
            line[place] = random.choice((0, 1, 2, 3, 9))
        else:
            line[place] = random.choice(("0", "1", "1/2", "1/4", random.choice(random.choice(lines)[:2])))
    return changed


def is_true(lines: list[list[Any]], true: list[Fraction]) -> bool:
    count = len(lines)
    return all(
        Fraction(line[4 * place]) <= true[place * count + number] <= Fraction(line[4 * place + 1])
        for number, line in enumerate(lines)
        for place in range(2)
    )


@pytest.mark.parametrize("count", SEEDS)
def test_checker_of_recurrences_accepts_bounds_and_nothing_false(count: int) -> None:
    accepted = refused = 0
    for seed in range(2 * count):
        random = Random(seed)
        game, wanting = Turns.draw(random), random.choice(((True, False), (False, True)))
        true = processes.recurrence_value(game.process, np.repeat(wanting, game.count).tolist())
        checker, lines = StubChecker(game, wanting), proof_of(game, wanting)
        assert checker.accepts(lines), seed
        assert is_true(lines, true), seed
        for _ in range(20):
            forged = forge_values(lines, random)
            if checker.accepts(forged):
                assert is_true(forged, true), (seed, forged)
                accepted += 1
            else:
                refused += 1
    assert accepted > count
    assert refused > 10 * count


# -- levels


def random_question(random: Random, level: Any) -> str:
    names = [one for one in level.game.actors(level) if one != "nature"]
    coalition = ",".join(random.sample(names, random.randint(0, len(names))))
    path = f"{random.choice(('G F', 'F G'))} ({random.choice(ATOMS[level.game.name])})"
    return f"<<{coalition}>> P{random.choice(('', 'min'))}=? [{path}]"


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [pytest.param(40, id="few"), pytest.param(400, id="many", marks=pytest.mark.long)]
)
def test_strategies_of_recurrences_reach_their_values(count: int) -> None:
    for seed in range(count):
        random = Random(seed)
        start = Played(small_level(random)).positions[0]
        question = random_question(random, start.level)
        found = gp.value(start, question)
        for strategy in (found.strategy, found.worst_strategy):
            assert abs(float(strategy.verify()) - float(found.best)) < 1e-9, (seed, question)


def test_strategy_that_passes_does_not_force_the_goal() -> None:
    (level,) = gp.read(YARD)
    strategy: Any = gp.value(level, "<<a>> P=? [G F won(a)]").strategy
    assert (strategy.players, strategy.verify()) == (("a",), 1)
    strategy._choose = lambda position, place, left: None
    assert strategy.verify() == 0


@pytest.mark.parametrize(
    ("formula", "players"),
    [
        ("<<a>> P>=1/2 [G F won(a)]", ("a",)),
        ("<<b>> P>0 [G F won(b)]", ("a",)),
        ("!<<a>> P<1 [F G !won(b)]", ("b",)),
    ],
)
def test_verdict_on_recurrence_has_a_strategy(formula: str, players: tuple[str, ...]) -> None:
    (level,) = gp.read(YARD)
    strategy = gp.check(level, formula).strategy
    assert strategy is not None
    assert strategy.players == players
    assert strategy.verify() == (1 if "<<b>>" not in formula else 0)


@pytest.mark.parametrize(
    ("level", "formula", "value"),
    [
        (YARD, "<<a>> P=? [G F won(a)]", "1"),
        (YARD, "<<b>> P=? [G F won(b)]", "0"),
        (YARD, "<<a>> P=? [F G !won(b)]", "1"),
        (BOARD, "<<player>> P=? [G F won]", "0.962511"),
        (BOARD, "<<>> P=? [F G !won]", "0.0374887"),
    ],
)
def test_probability_of_recurrence_is_certified(level: str, formula: str, value: str, tmp_path: Path) -> None:
    (subject,) = gp.read(level)
    gp.certify(subject, tmp_path / "proof", goal=formula, value=True)
    answer = gp.verify(tmp_path / "proof", subject)
    assert answer.holds
    assert answer.statement.claim == f"`{formula}` is {value}"


def with_values(change: Any) -> Any:
    """Return a change of a line whose values are those of one comparison."""
    return lambda line: [
        line[0],
        [one for at in range(0, len(line[1]), 4) for one in change(*line[1][at : at + 4])],
    ]


@pytest.mark.parametrize(
    ("change", "bounds", "reason"),
    [
        (lambda low, high, first, last: ["1", "1", first, last], ["1", "1"], "are wrong"),
        (lambda low, high, first, last: ["1", "1", 5, 5], ["1", "1"], "are wrong"),
        (lambda low, high, first, last: ["0", "0", first, last], ["0", "0"], "are wrong"),
        (lambda low, high, first, last: ["0", "0", 0, 0], ["0", "0"], "are wrong"),
        (lambda low, high, first, last: [low, high, first, -1], [], "not a text with the values"),
        (lambda low, high, first, last: [low, high, first], [], "not a text with the values"),
        (lambda low, high, first, last: [low, high, first, True], [], "not a text with the values"),
        (lambda low, high, first, last: [low, high, first, last], ["1", "1"], "do not prove"),
    ],
)
def test_forged_probability_of_recurrence_is_refused(
    change: Any, bounds: list[str], reason: str, tmp_path: Path
) -> None:
    (board,) = gp.read(BOARD)
    gp.certify(board, tmp_path / "proof", goal="<<player>> P=? [G F won]", value=True)
    said = spoiled.read(tmp_path / "proof").header["bounds"]
    header = [{"forced": bounds}] if bounds else said
    assert reason in forge(tmp_path / "proof", with_values(change), bounds=header)


@pytest.mark.parametrize("limit", [1, 5, 10, 15])
def test_probability_of_recurrence_has_bounds_at_a_limit(limit: int) -> None:
    (level,) = gp.read(YARD)
    for question in ("<<a>> P=? [G F won(a)]", "<<b>> P=? [F G !won(a)]", "<<b>> P=? [G F home]"):
        true = gp.value(level, question).best
        found = gp.value(level, question, limit=gp.Limit(states=limit)).best_bounds
        assert found.low <= true <= found.high
