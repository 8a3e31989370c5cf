"""Coalitions under fairness, against all memoryless strategies on small games of turns."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.prove.twins import components

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.prove.fairness import Assumption
from gridproof.prove.formula import TRUE
from gridproof.prove.recurrence import STREETT
from gridproof.prove.strategy import NEXT, UNLESS, UNTIL, Objective
from gridproof.prove.turn_fairness import FairGame

Node = tuple[int, int]
"""The player whose turn it is, and the position."""
Edge = tuple[Any, Any]
"""The action, None for a pass, and the next node."""
ACTS = 3
TEXTS = ("weak {}", "strong {}")


@dataclass
class Turns:
    """A game of two players, of whom the first is the coalition: `actions[turn]` are (position, act, targets)."""

    count: int
    actions: tuple[list[tuple[int, int, tuple[int, ...]]], ...]

    def moves(self) -> list[Any]:
        return [_Moves(listed) for listed in self.actions]

    def choices(self, node: Node) -> list[tuple[Any, tuple[int, ...]]]:
        """Return the actions at a node with their outcomes; the first one is a pass."""
        turn, position = node
        return [
            (None, (position,)),
            *((act, after) for at, act, after in self.actions[turn] if at == position),
        ]

    def nodes(self) -> list[Node]:
        return [(turn, position) for turn in (0, 1) for position in range(self.count)]


class _Moves:
    def __init__(self, listed: list[tuple[int, int, tuple[int, ...]]]) -> None:
        self._listed = listed
        self.sources = np.array([at for at, _, _ in listed], np.int64)
        self.actions = np.array([act for _, act, _ in listed], np.int64)

    def are_inside(self, region: Any) -> Any:
        return np.array([all(region[one] for one in after) for _, _, after in self._listed], bool)


def random_turns(random: Random, is_certain: bool) -> Turns:
    """Return a game, of more positions if it is certain what comes of each action."""
    count = random.randint(3, 4) if is_certain else random.randint(2, 3)
    actions: tuple[list[tuple[int, int, tuple[int, ...]]], ...] = ([], [])
    for turn in (0, 1):
        for position in range(count):
            for act in sorted(random.sample(range(ACTS), random.choice([is_certain, 1, 1, 2]))):
                outcomes = 1 if is_certain else random.choice([1, 1, 1, 2])
                after = tuple(random.randrange(count) for _ in range(outcomes))
                actions[turn].append((position, act if turn else ACTS, after))
    return Turns(count, actions)


def by_all_strategies(game: Turns, wanted: Objective, fair: list[tuple[bool, set[int]]]) -> set[Node]:
    """Return the nodes from which some memoryless strategy reaches its goal on all fair plays, or again and again."""
    mine = [node for node in game.nodes() if node[0] == 0]
    return set().union(
        *(
            set(game.nodes()) - _losing(game, dict(zip(mine, chosen, strict=True)), wanted, fair)
            for chosen in itertools.product(*(game.choices(node) for node in mine))
        )
    )


def _losing(
    game: Turns, chosen: dict[Node, Any], wanted: Objective, fair: list[tuple[bool, set[int]]]
) -> set[Node]:
    """Return the nodes from which a fair play does not reach the goal."""
    kind, hold, reach, _ = wanted
    edges: dict[Node, list[Edge]] = {}
    for turn, position in game.nodes():
        node = turn, position
        options = [chosen[node]] if node in chosen else game.choices(node)
        edges[node] = [(act, (1 - turn, after)) for act, targets in options for after in targets]
    if kind == STREETT:
        away = [node for node in edges if not reach[node]]
        kept = {node: [one for one in edges[node] if one[1] in away] for node in away}
        return _before(edges, _fair_parts(game, kept, fair, {node for node in edges if hold[node]}))
    bad = {node for node in edges if not reach[node] and not hold[node]}
    rest = [node for node in edges if not reach[node] and node not in bad]
    bad |= _fair_parts(
        game, {node: [one for one in edges[node] if one[1] in rest] for node in rest}, fair, {*edges}
    )
    while more := {
        node for node in rest if node not in bad and any(after in bad for _, after in edges[node])
    }:
        bad |= more
    return bad


def _fair_parts(
    game: Turns, edges: dict[Node, list[Edge]], fair: list[tuple[bool, set[int]]], needed: set[Node]
) -> set[Node]:
    """Return the nodes of parts in which a fair play can stay for ever, with a needed node again and again."""
    found = set[Node]()
    for component in components({node: [after for _, after in listed] for node, listed in edges.items()}):
        inside = {node: [one for one in edges[node] if one[1] in component] for node in component}
        done = {act for node, listed in inside.items() if node[0] for act, _ in listed if act is not None}
        turns = [node for node in component if node[0]]
        cut: set[Node] = set()
        is_fair = not needed.isdisjoint(component)
        for strong, acts in fair:
            able = [node for node in turns if acts & {act for act, _ in game.choices(node)}]
            if acts & done or (not able if strong else len(able) < len(turns)):
                continue
            if not strong:
                is_fair = False
            cut |= {*able} if strong else set()
        if is_fair and not cut:
            found |= {*component}
        elif is_fair:
            kept = {node for node in component if node not in cut}
            found |= _fair_parts(
                game, {node: [one for one in inside[node] if one[1] in kept] for node in kept}, fair, needed
            )
    return found


def compare(seed: int, number: int) -> None:
    random = Random(seed)
    for _ in range(number):
        is_certain = random.random() < 0.7
        game = random_turns(random, is_certain)
        shares = (0.12, 0.95) if is_certain else (0.25, 0.85)
        reach, hold = (
            (np.array([random.random() for _ in range(2 * game.count)]) < share).reshape(2, -1)
            for share in shares
        )
        fair = [
            (
                random.random() < (0.8 if is_certain else 0.5),
                set(random.sample(range(ACTS), random.choice([1, 1, 2]))),
            )
            for _ in range(random.randint(1, 3))
        ]
        assumed = [Assumption("", strong, frozenset(acts | {ACTS})) for strong, acts in fair]
        wanted = Objective(random.choice((UNTIL, STREETT)), hold, reach)
        if wanted.kind == STREETT and random.random() < 0.4:
            wanted = wanted._replace(hold=~hold, reach=reach & random.choice((False, True)))
        found = FairGame(game.moves(), game.count, frozenset({0}), assumed, lambda: None).region(wanted)
        fair = [one for one in fair if any(act in one[1] for _, act, _ in game.actions[1])]
        expected = by_all_strategies(game, wanted, fair)
        assert {node for node in game.nodes() if found[node]} == expected, (game, fair, wanted)


class FormulaGame(NamedTuple):
    """A game with acts that are fair, and positions that are visited again and again."""

    game: Turns
    fair: list[tuple[bool, set[int]]]
    visited: list[set[int]]

    def fair_nodes(self, edges: dict[Node, list[Edge]], needed: Any = None) -> set[Node]:
        """Return the nodes from which a fair play exists, with a needed node again and again if there are such."""
        found = set[Node]()
        for component in components({node: [after for _, after in listed] for node, listed in edges.items()}):
            if needed is not None and not any(needed[node] for node in component):
                continue
            if all(any(position in one for _, position in component) for one in self.visited):
                found |= self._inside(component, edges)
        return _before(edges, found)

    def _inside(self, component: list[Node], edges: dict[Node, list[Edge]]) -> set[Node]:
        """Return the nodes of a component in which a fair play can stay for ever; acts are weakly fair here."""
        inside = {node: [one for one in edges[node] if one[1] in component] for node in component}
        done = {act for node, listed in inside.items() if node[0] for act, _ in listed if act is not None}
        turns = [node for node in component if node[0]]
        for _, acts in self.fair:
            able = [node for node in turns if acts & {act for act, _ in self.game.choices(node)}]
            if not acts & done and len(able) == len(turns):
                return set()
        return {*component} if any(inside.values()) else set()

    def losing(self, chosen: dict[Node, Any], wanted: Objective) -> set[Node]:
        """Return the nodes from which a fair play breaks the objective."""
        kind, hold, reach, most = wanted
        edges = dict[Node, list[Edge]]()
        for node in self.game.nodes():
            options = [chosen[node]] if node in chosen else self.game.choices(node)
            edges[node] = [(act, (1 - node[0], after)) for act, targets in options for after in targets]
        alive = self.fair_nodes(edges)
        if kind == STREETT:
            away = [node for node in edges if not reach[node]]
            kept = {node: [one for one in edges[node] if one[1] in away] for node in away}
            return _before(edges, self.fair_nodes(kept, hold))
        if kind == NEXT:
            return {node for node in edges if any(to in alive and not reach[to] for _, to in edges[node])}
        bad = {node for node in edges if not reach[node] and not hold[node] and node in alive}
        if most is not None:
            over = alive if kind == UNTIL else bad
            found = {node for node in over if not reach[node]}
            for _ in range(most):
                found = bad | {
                    node
                    for node in alive
                    if not reach[node] and hold[node] and any(to in found for _, to in edges[node])
                }
            return found
        rest = {node for node in edges if not reach[node] and hold[node]}
        kept = {node: [one for one in edges[node] if one[1] in rest] for node in rest}
        bad |= self.fair_nodes(kept) if kind == UNTIL else set()
        before = {node: [one for one in edges[node] if one[1] in rest | bad] for node in rest}
        return _before(before | {node: [] for node in bad - rest}, bad)


def _before(edges: dict[Node, list[Edge]], ends: set[Node]) -> set[Node]:
    """Return the nodes from which some ends can be reached."""
    found = set(ends)
    while more := {node for node in edges if node not in found and any(to in found for _, to in edges[node])}:
        found |= more
    return found


def compare_with_formulas(seed: int, number: int) -> None:
    random = Random(seed)
    for _ in range(number):
        is_certain = random.random() < 0.5
        game, kind = random_turns(random, is_certain), random.choice([UNTIL, UNLESS, NEXT, STREETT])
        reach, hold = (
            (np.array([random.random() for _ in range(2 * game.count)]) < share).reshape(2, -1)
            for share in (0.2, 0.8)
        )
        places = range(game.count)
        visited = [{place for place in places if random.random() < 0.4} for _ in range(random.randint(1, 2))]
        fair = [(False, {random.randrange(ACTS)}) for _ in range(random.randint(0, 1))]
        fair = [one for one in fair if any(act in one[1] for _, act, _ in game.actions[1])]
        assumed = [Assumption("", strong, frozenset(acts)) for strong, acts in fair]
        assumed += [
            Assumption("", False, frozenset(), TRUE, np.array([[place in one for place in places]] * 2))
            for one in visited
        ]
        most = None if kind in (NEXT, STREETT) or random.random() < 0.5 else random.randint(0, 4)
        wanted = Objective(kind, hold, reach, most)
        found = FairGame(game.moves(), game.count, frozenset({0}), assumed, lambda: None).region(wanted)
        twin, mine = FormulaGame(game, fair, visited), [node for node in game.nodes() if node[0] == 0]
        expected = set().union(
            *(
                set(game.nodes()) - twin.losing(dict(zip(mine, chosen, strict=True)), wanted)
                for chosen in itertools.product(*(game.choices(node) for node in mine))
            )
        )
        assert {node for node in game.nodes() if found[node]} == expected, (
            game,
            wanted,
            fair,
            visited,
        )


@pytest.mark.slow
def test_coalition_under_fair_formulas_agrees_with_all_strategies() -> None:
    compare_with_formulas(1, 100)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 4))
def test_coalition_under_fair_formulas_agrees_with_all_strategies_on_thousands_of_games(seed: int) -> None:
    compare_with_formulas(seed, 1500)


@pytest.mark.slow
def test_check_coalition_under_fair_formulas() -> None:
    (yard,) = gp.read("robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n")
    assert not gp.check(yard, "<<b>> F won(b)").holds
    assert gp.check(yard, "<<b>> F won(b)", fair="G F won(b)").holds
    assert gp.check(yard, "<<a>> G !won(b)", fair="G F false").holds
    assert not gp.check(yard, "<<>> F won(a)", fair="G F true").holds
    for formula in ("<<a>> F won(a)", "<<a>> G !won(b)", "<<a>> X won(a)", "<<b>> F won"):
        plain, verdict = gp.check(yard, formula), gp.check(yard, formula, fair="G F true")
        assert (verdict.holds, verdict.satisfying) == (plain.holds, plain.satisfying)


def test_coalition_under_fairness_agrees_with_all_strategies() -> None:
    compare(1, 8)


@pytest.mark.slow
def test_coalition_under_fairness_agrees_with_all_strategies_on_more_games() -> None:
    compare(1, 100)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 5))
def test_coalition_under_fairness_agrees_with_all_strategies_on_thousands_of_games(seed: int) -> None:
    compare(seed, 1500)


@pytest.mark.slow
def test_check_coalition_under_fairness() -> None:
    """`b` stands in the way for ever, unless it has to act again and again."""
    (yard,) = gp.read("robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n")
    for formula in ("<<a>> F won(a)", "<<b>> F won(b)", "<<a>> G !won(b)", "<<a>> X won(a)"):
        plain = gp.check(yard, formula)
        for fair in ("weak b", "strong b", "weak *", ("weak a", "weak b")):
            verdict = gp.check(yard, formula, fair=fair)
            assert verdict.holds is True or plain.holds is False
            if " F " not in formula:
                assert (verdict.holds, verdict.satisfying) == (plain.holds, plain.satisfying)
            else:
                assert verdict.strategy is None
                assert verdict.remarks[-1] == "under fairness, no strategy is shown"
    with pytest.raises(
        gp.GridproofError,
        match=r"^with <<\.\.\.>>, the formula of 'G F FORMULA' has no operators of time, as EF won\(b\) does$",
    ):
        gp.check(yard, "<<a>> F won(a)", fair="G F EF won(b)")
    with pytest.raises(
        gp.GridproofError, match=r"^at most 3 acts of others can be strongly fair with <<\.\.\.>>$"
    ):
        gp.check(yard, "<<a>> F won(a)", fair="strong *")


def test_wrong_fairness_with_coalitions_is_refused() -> None:
    level = gp.level("robots/duels/2")
    with pytest.raises(gp.GridproofError, match=r"no actor"):
        gp.check(level, "<<a>> F won(a)", fair="weak z")


def test_limit_under_fairness_is_an_answer() -> None:
    level = gp.level("robots/duels/1")
    verdict = gp.check(level, "<<a>> F won(a)", fair="weak b", limit=Limit(states=5))
    assert (verdict.holds, verdict.stopped_by) == (None, "states")
