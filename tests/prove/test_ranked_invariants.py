"""Invariants of ranked games, judged part by part of a layer, against the whole space by the rules."""

from __future__ import annotations

from random import Random

import pytest
from tests.stops import CountedStop

import gridproof as gp
from gridproof.games.shiftit import Level, Tile
from gridproof.prove import early_verdict
from gridproof.prove.evaluate import holds
from gridproof.prove.formula import FALSE, decisive_goal
from gridproof.prove.parsing import parse
from gridproof.search import explore as exploring
from gridproof.search import two_bit_bfs
from gridproof.search.explore import explore_by_rules


@pytest.fixture
def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Search by ranks, and judge each part of a layer."""
    monkeypatch.setattr(exploring, "_BY_RULES", 0)
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    monkeypatch.setattr(two_bit_bfs, "_PART", 1)
    return monkeypatch


def random_board(random: Random) -> Level:
    """A board of up to 720 placements, perhaps with a lock."""
    width, height = random.choice(((2, 2), (3, 2), (2, 3)))
    places = [(x, y) for y in range(height) for x in range(width)]
    locked = random.choice((None, None, random.choice(places)))
    colours = ("red", "green", "blue")[: random.randint(2, 3)]

    def sides() -> list[str]:
        return [random.choice(colours) for _ in range(4)]

    return Level(Tile(f"t{x}{y}", x, y, sides(), (x, y) == locked) for x, y in places)


def random_condition(level: Level, random: Random, size: int) -> str:
    """A formula about one position."""
    if size > 1:
        left, right = (random_condition(level, random, size // 2) for _ in range(2))
        return f"({left} {random.choice(('&', '|', '->', '<->'))} {right})"
    tile, place = random.choice(level.tiles), random.choice(level.tiles)
    at = f"at({tile.name},{place.x},{place.y})"
    atom = random.choice(("won", "near", "home", "ended", "lost", at, at, "true"))
    return f"!{atom}" if random.random() < 0.5 else atom


class Whole:
    """All positions of a board by the rules, with their depths."""

    def __init__(self, level: Level) -> None:
        self.space = explore_by_rules(level)
        self._depths = {position: self.space.depth(position) for position in self.space}

    def fewest_actions(self, formula: str, paths: str = "all") -> tuple[bool, int | None]:
        """Whether a position decides a formula, and the fewest actions to one."""
        goal, answer = decisive_goal(parse(formula), paths) or (FALSE, False)
        depths = [depth for one, depth in self._depths.items() if holds(goal, one, self.space.who)]
        return (answer, min(depths)) if depths else (not answer, None)


def compare(seed: int) -> set[tuple[str, bool | None, bool]]:
    """Compare some verdicts on a board; the kinds of answers."""
    random, answers = Random(seed), set()
    level = random_board(random)
    whole = Whole(level)
    for _ in range(8):
        condition = random_condition(level, random, random.choice((1, 2, 4)))
        form, paths = random.choice((("AG", "all"), ("EF", "all"), ("G", "all"), ("F", "some")))
        formula, where = f"{form} {condition}", f"seed {seed}: {form} {condition}"
        verdict, wanted = gp.check(level, formula, paths), gp.check(whole.space, formula, paths)
        if not verdict.complete or form in ("AG", "EF"):  # else LTL's trace need not be the shortest
            actions = verdict.trace and len(verdict.trace.steps)
            assert (verdict.holds, actions) == whole.fewest_actions(formula, paths), where
        assert (verdict.holds, verdict.vacuous) == (wanted.holds, wanted.vacuous), where
        if verdict.complete:
            assert (verdict.states, verdict.satisfying) == (wanted.states, wanted.satisfying), where
            assert verdict.remarks == wanted.remarks, where
        elif (other := verdict.more()) and other.trace and verdict.trace:
            goal, _ = decisive_goal(parse(formula), paths) or (FALSE, False)
            assert holds(goal, other.trace.replay(), whole.space.who), where
            assert other.trace.replay() != verdict.trace.replay(), where
        answers.add((form, verdict.holds, verdict.vacuous))
    return answers


def test_invariants_by_ranks_agree_with_the_rules(in_small_parts: pytest.MonkeyPatch) -> None:
    assert compare(1)


@pytest.mark.long
def test_many_invariants_by_ranks_agree_with_the_rules(in_small_parts: pytest.MonkeyPatch) -> None:
    answers = set()
    for seed in range(3, 40):
        in_small_parts.setenv("GRIDPROOF_CORES", "12"[seed % 2])
        in_small_parts.setattr(early_verdict, "WHOLE", (1, 40, 200)[seed % 3])
        answers |= compare(seed)
    assert len(answers) == 10


@pytest.mark.long
def test_invariants_by_ranks_are_bounded_at_every_stop(in_small_parts: pytest.MonkeyPatch) -> None:
    bounds, held = set(), set()
    for seed in range(6):
        random = Random(seed)
        level = random_board(random)
        whole = Whole(level)
        for stop in range(0, 300, 7):
            formula = f"AG {random_condition(level, random, 2)}"
            verdict = gp.check(level, formula, limit=gp.Limit(stop=CountedStop(stop)))
            answer, fewest = whole.fewest_actions(formula)
            assert verdict.holds in (None, answer), f"seed {seed}, stop {stop}: {formula}"
            assert fewest is None or (verdict.bound or 0) <= fewest, f"seed {seed}, stop {stop}: {formula}"
            bounds.add(verdict.bound)
            held.add(verdict.holds)
    assert len(bounds) > 1  # how often a stop is asked depends on the load
    assert held == {None, True, False}
