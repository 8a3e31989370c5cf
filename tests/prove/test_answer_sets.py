"""Proofs by induction with clingo, against those by listed positions and against the definitions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numba  # noqa: F401  # imported after clingo, it keeps a file open
import pytest
from tests.prove.test_induction import (
    PLAYERS,
    after,
    all_positions,
    fewest_actions,
    random_state_formula,
    wanted_at_starts,
)
from tests.prove.twins import MAKERS, Played, Several
from tests.sizes import size

import gridproof as gp
from gridproof.core.position import Level, Position
from gridproof.games.shiftit import Level as Board
from gridproof.games.shiftit import Tile
from gridproof.games.sokoban import Level as Room
from gridproof.prove import evaluate
from gridproof.prove.formula import Binary, Formula, Unary, negate
from gridproof.prove.induction import InductionVerdict
from gridproof.prove.theory import theory_of

LEVELS = size("inductions", 24)


def random_level(random: Random) -> Level:
    """A small level of Sokoban or Shift It, often with several starts."""
    make = random.choice([one for one in MAKERS if one.__name__ in ("_sokoban", "_shiftit")])
    while (level := make(random)) is None or not Played(level).small:
        pass
    if random.random() < 0.6:
        return level
    return Several(positions=tuple(random.sample(Played(level).positions, 2)))


def random_question(seed: int) -> tuple[Level, Formula, Formula]:
    random = Random(seed)
    level = random_level(random)
    played = Played(level)
    wanted, stated = (random_state_formula(played, random, random.randint(0, 3)) for _ in range(2))
    if not wanted_at_starts(played, wanted):
        wanted = negate(wanted)
    return level, wanted, random.choice((Binary("&", wanted, stated), stated, wanted))


def always(wanted: Formula) -> Formula:
    return Unary("A", Unary("G", wanted))


def both(level: Level, wanted: Formula, **how: Any) -> list[InductionVerdict]:
    found = [gp.check(level, always(wanted), engine=engine, **how) for engine in ("explicit", "clingo")]
    return [one for one in found if isinstance(one, InductionVerdict)]


@pytest.mark.parametrize("seed", range(LEVELS))
def test_engines_agree_about_invariants(seed: int) -> None:
    level, wanted, stated = random_question(seed)
    explicit, clingo = both(level, wanted, invariant=stated)
    assert [one[:2] for one in clingo.obligations] == [one[:2] for one in explicit.obligations]
    assert clingo.holds is explicit.holds
    for one in clingo.obligations:
        if one.trace:
            truths = [evaluate.holds(stated, position, PLAYERS) for position in one.trace.positions()]
            assert truths == {"base": [False], "step": [True, False], "implication": [True]}[one.name]


def simple_paths(level: Level, wanted: Any, depth: int) -> Iterator[list[Position[Any]]]:
    """All paths of so many positions with p, no two equal, and then one without p."""

    def extend(path: list[Position[Any]]) -> Iterator[list[Position[Any]]]:
        if len(path) == depth:
            yield from ([*path, two] for two in after(path[-1], PLAYERS) if not wanted(two))
            return
        for two in after(path[-1], PLAYERS):
            if wanted(two) and two not in path:
                yield from extend([*path, two])

    for position in all_positions(level, PLAYERS):
        if wanted(position):
            yield from extend([position])


@pytest.mark.parametrize("seed", range(LEVELS))
def test_engines_agree_about_k_induction(seed: int) -> None:
    level, wanted, _ = random_question(seed)
    depth = Random(seed).randint(1, 4)
    explicit, clingo = both(level, wanted, induction=depth)

    def holds(position: Position[Any]) -> bool:
        return evaluate.holds(wanted, position, PLAYERS)

    assert clingo.obligations[0].holds is explicit.obligations[0].holds
    fewest = fewest_actions(level, holds, PLAYERS)
    if explicit.holds is False:
        assert (clingo.holds, clingo.trace and len(clingo.trace.steps)) == (False, fewest)
        return
    step = clingo.obligations[1]
    assert step.holds is (next(simple_paths(level, holds, depth), None) is None)
    assert clingo.holds is (True if step.holds else None)
    if clingo.holds:
        assert fewest is None
        assert explicit.holds is True
    else:
        assert step.trace is not None
        positions = list(step.trace.positions())
        assert [holds(one) for one in positions] == [True] * depth + [False]
        assert len(set(positions)) == depth + 1
        assert clingo.bound == depth


@pytest.mark.parametrize("seed", range(20))
def test_terms_of_positions_can_be_read(seed: int) -> None:
    clingo = pytest.importorskip("clingo")
    random = Random(seed)
    level = random_level(random)
    position = random.choice(Played(level).positions)
    theory = theory_of(position.level.game)
    symbols = map(clingo.parse_term, theory.terms(position))
    assert theory.position(position.level, symbols) == position


def test_names_of_tiles_are_terms() -> None:
    names = ("T", "t", '"a b"', "7")
    tiles = [Tile(name, x, -1, ("red", "blue")[x % 2]) for x, name in enumerate(names)]
    board = Board(tiles)
    for formula in ("at(T,0,-1)", "at(7,03,-1)"):
        explicit, clingo = (
            gp.check(board, f"AG {formula}", invariant=formula, engine=engine)
            for engine in ("explicit", "clingo")
        )
        assert clingo.holds is explicit.holds is None
        assert clingo.trace
        assert len(clingo.trace.steps) == 1


@pytest.mark.parametrize(
    ("level", "formula", "how", "words"),
    [
        ("null/first/2", "AG !won", {"invariant": "won"}, "null has no theory for clingo"),
        (
            "sokoban/first-steps/1",
            "AG !won",
            {},
            "without invariant or induction, the engine is explicit or hash-compaction, not 'clingo'",
        ),
        (
            "sokoban/first-steps/1",
            "AG bombs < 9999999999",
            {"induction": 1},
            "no numbers as large as in bombs",
        ),
        ("sokoban/first-steps/1", "AG valid", {"induction": 101}, "clingo takes k up to 100, not 101"),
        ("robots/duels/1", "AG valid", {"invariant": "valid"}, "robots has no theory for clingo"),
    ],
)
def test_clingo_refuses_other_questions(level: str, formula: str, how: dict[str, Any], words: str) -> None:
    with pytest.raises(gp.GridproofError, match=words):
        gp.check(level, formula, engine="clingo", **how)


def test_unknown_engine_is_refused() -> None:
    with pytest.raises(gp.GridproofError, match="no engine 'prolog'; choose from explicit, clingo"):
        gp.check("null/first/2", "AG !won", invariant="won", engine="prolog")


def test_clingo_refuses_levels_that_are_too_large() -> None:
    wide = Room((0, 0), 0, [(2, 2)], [(3, 3)], [], size=(400, 400))
    with pytest.raises(gp.GridproofError, match="the level is too large for clingo: use the engine explicit"):
        gp.check(wide, "AG valid", invariant="valid", engine="clingo")


def test_clingo_stops_at_a_limit() -> None:
    limit = gp.Limit(seconds=0)
    for how in ({"invariant": "valid"}, {"induction": 2}):
        verdict = gp.check("sokoban/first-steps/1", "AG valid", engine="clingo", limit=limit, **how)
        assert (verdict.holds, verdict.stopped_by) == (None, "seconds")
        assert verdict.work.startswith("The time limit was reached (")


def test_clingo_says_that_it_listed_no_positions() -> None:
    verdict = gp.check("sokoban/first-steps/1", "AG valid", invariant="valid", engine="clingo")
    assert (verdict.holds, verdict.states) == (True, 0)
    assert verdict.work.startswith("Clingo listed no positions (")


def test_theory_knows_each_proposition_of_sokoban() -> None:
    names = {"won", "lost", "ended", "home", "valid"}
    theory = theory_of(gp.game("sokoban"))
    assert all(theory.proposition(name, ()) for name in names)
