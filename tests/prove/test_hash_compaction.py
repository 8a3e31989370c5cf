"""Hash compaction against exact verdicts: with all bits of the hashes, and with so few that positions are left out."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.prove.twins import BOOLEAN, Played, Several, atoms_of, small_level

import gridproof as gp
from gridproof.kernels.game import packing_of
from gridproof.prove import hash_compaction
from gridproof.prove.check import HASH_COMPACTION
from gridproof.prove.early_verdict import COUNTED_ONCE
from gridproof.prove.formula import Binary, Deadlock, Executable, Formula, Unary, subformulas
from gridproof.prove.verdict import Verdict
from gridproof.search.hash_compaction import HashSearch, hash_words
from gridproof.search.question import build_question

ENOUGH = 1 << 20


def draw_formula(level: gp.Level, chance: Random) -> Formula:
    """A formula that single positions decide."""
    atoms = [one for one in atoms_of(Played(level), chance) if not _is_about_actions(one)]
    one, two, three = (chance.choice(atoms) for _ in range(3))
    inner = Binary(chance.choice(BOOLEAN), Binary(chance.choice(BOOLEAN), one, two), three)
    return chance.choice((Unary("A", Unary("G", inner)), Unary("E", Unary("F", inner)), Unary("G", inner)))


def _is_about_actions(formula: Formula) -> bool:
    return any(isinstance(one, Executable | Deadlock) for one in subformulas(formula))


def kernel_levels(chance: Random) -> gp.Level:
    """A small level with a kernel."""
    while True:
        level = small_level(chance)
        if not isinstance(level, Several) and packing_of(level) is not None:
            return level


def by_hashes(level: gp.Level, formula: Formula | str, bits: int) -> Verdict:
    """The verdict with fewer bits."""
    question = build_question(level)
    exact = gp.check(level, formula)
    open_verdict = replace(exact, holds=None, trace=None, satisfying=None, vacuous=False, remarks=())
    return hash_compaction.answer(open_verdict, question, bits)


def agrees_with_exact_search(seed: int) -> bool:
    """Whether there was something to compare: a verdict is equal, in less memory; with few bits it is never a wrong trace."""
    chance = Random(seed)
    level = kernel_levels(chance)
    formula = draw_formula(level, chance)
    exact = gp.check(level, formula)
    if isinstance(formula, Unary) and formula.operator == "E" and len([*level.starts()]) > 1:
        return False
    found = gp.check(level, formula, engine=HASH_COMPACTION)
    assert (found.holds, found.vacuous) == (exact.holds, exact.vacuous), (seed, str(formula))
    assert (found.trace is None) == (exact.trace is None)
    if found.trace and exact.trace:
        assert len(found.trace.steps) == len(exact.trace.steps)
        assert found.omission_probability == 0
    elif exact.complete:
        assert found.states == exact.states or (COUNTED_ONCE in found.remarks and found.states < exact.states)
        assert 0 <= found.omission_probability < 1e-10
    few = by_hashes(level, formula, 4)
    assert few.states <= min(16, exact.states) or few.trace
    if few.trace:
        few.trace.replay()
        assert few.holds == exact.holds
    elif few.holds != exact.holds:
        assert few.omission_probability > 0.01
    return True


@pytest.mark.slow
def test_hash_compaction_agrees_with_exact_search() -> None:
    assert sum(map(agrees_with_exact_search, range(60))) >= 30


@pytest.mark.long
def test_hash_compaction_agrees_with_exact_search_on_many_levels() -> None:
    assert sum(map(agrees_with_exact_search, range(60, 360))) >= 150


@pytest.mark.slow
@pytest.mark.parametrize("name", ["robots/races/4", "sokoban/first-steps/13", "shiftit/boards/10"])
def test_positions_are_left_out_as_often_as_is_said(name: str) -> None:
    """On average over levels of 16 to 24 bits: the birthday bound of so many positions."""
    level = gp.level(name)
    states = gp.explore(level).states
    for bits in (16, 20):
        search = HashSearch(build_question(level), bits=bits)
        found = sum(layer.states for layer in search.layers())
        assert found == search.states <= states
        assert search.omission_probability > 0.9
    assert HashSearch(build_question(level)).omission_probability == 0


@pytest.mark.slow
def test_hashes_of_positions_look_random() -> None:
    level, bits = gp.level("robots/races/4"), 20
    known = packing_of(level)
    assert known is not None
    words = [known[1].pack(position) for position in gp.explore(level)]
    hashes = {int(hash_words(state, np.uint64((1 << bits) - 1))) for state in words}
    expected = len(words) ** 2 / 2 / (1 << bits)
    assert expected / 3 < len(words) - len(hashes) < expected * 3


@pytest.mark.parametrize("place", [0, 1])
def test_hash_depends_on_each_bit(place: int) -> None:
    """Two states that differ in the highest bits of two words have different hashes, unlike in a sum."""
    mask, states = np.uint64(2**64 - 1), itertools.product((0, 1 << 63, 1 << 62, 3 << 62), repeat=2)
    hashes = [int(hash_words(np.array(one[::-1] if place else one, np.uint64), mask)) for one in states]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.slow
def test_probable_verdict_says_so() -> None:
    found = gp.check("robots/races/4", "AG valid", engine=HASH_COMPACTION)
    assert found.sentence() == "`AG valid` probably holds at the start."
    assert f"A position was left out with a probability of about {found.omission_probability:.1e}." in str(
        found
    )
    assert found.to_dict()["omission_probability"] == found.omission_probability > 0
    path = gp.check("robots/races/4", "F lost", paths="some", engine=HASH_COMPACTION)
    assert path.sentence() == "`F lost` probably holds on no path."
    certain = gp.check("robots/races/4", "AG !won", engine=HASH_COMPACTION)
    assert certain.sentence() == "`AG !won` does not hold at the start."
    assert "omission_probability" not in certain.to_dict()
    assert certain.trace
    assert certain.trace.replay().won


@pytest.mark.parametrize(
    ("limit", "reason"),
    [(gp.Limit(states=100), "states"), (gp.Limit(seconds=0), "seconds"), (gp.Limit(memory=1), "memory")],
)
def test_hash_compaction_has_no_answer_at_a_limit(limit: gp.Limit, reason: str) -> None:
    found = gp.check("robots/races/4", "AG valid", engine=HASH_COMPACTION, limit=limit)
    assert (found.holds, found.stopped_by, found.complete, found.omission_probability) == (
        None,
        reason,
        False,
        0,
    )


@pytest.mark.parametrize(
    ("name", "formula", "more", "words"),
    [
        ("robots/races/4", "AG EF won", {}, "hash compaction is for AG p"),
        ("robots/races/4", "AG !deadlock", {}, "hash compaction is for AG p"),
        ("robots/races/4", "EF cost(actions) > 3", {}, "without costs"),
        ("robots/races/4", "<<a>> F won", {}, "hash compaction is for AG p"),
        (
            "robots/races/4",
            "AG !won",
            {"shortest": True},
            "hash compaction takes neither fairness nor shortest",
        ),
        (
            "robots/races/4",
            "AG !won",
            {"fair": "weak a"},
            "hash compaction takes neither fairness nor shortest",
        ),
        (
            "twenty48/standard/4",
            "EF won",
            {},
            "with several starts, hash compaction is for AG p and G p only",
        ),
        (
            "robots/races/4",
            "AG !won",
            {"engine": "hash"},
            "the engine is explicit or hash-compaction, not 'hash'",
        ),
        ("robots/races/4", "AG !won", {"induction": 2}, "no engine 'hash-compaction'"),
    ],
)
def test_hash_compaction_explains_wrong_use(
    name: str, formula: str, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(gp.GridproofError, match=words):
        gp.check(name, formula, **{"engine": HASH_COMPACTION} | more)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("2048 2x2 spawn=classic target=16\n", "AG max_tile < 16"),
        ("2048 2x2 spawn=classic target=16\n", "AG max_tile <= 32"),
        ("2048 2x2 spawn=classic target=16\n", "AG !home"),
        ("shiftit 3x2\nb b r\nr b b\n", "AG !won"),
        ("shiftit 3x2\nb b r\nr b b\n", "AG !lost"),
    ],
)
def test_hash_compaction_keeps_one_position_of_each_orbit(text: str, formula: str) -> None:
    (level,) = gp.read(text)
    found, exact = gp.check(level, formula, engine=HASH_COMPACTION), gp.check(level, formula)
    assert found.holds == exact.holds
    assert (COUNTED_ONCE in found.remarks) is ("home" not in formula)
    if found.trace and exact.trace:
        assert len(found.trace.steps) <= len(exact.trace.steps)  # which begins at the first start
        assert found.trace.start in [start.position for start in level.starts()]
    else:
        assert 2 * found.states < exact.states


def test_hash_compaction_needs_a_kernel() -> None:
    wide = "#" * 70 + "\n#@-$." + "-" * 64 + "#\n" + "#" * 70 + "\nBombs: 1\n"
    with pytest.raises(
        gp.GridproofError, match="hash compaction needs a kernel: the level is too large for the kernel"
    ):
        gp.check(gp.read(wide)[0], "AG !won", engine=HASH_COMPACTION)


def test_hash_compaction_is_about_a_level() -> None:
    with pytest.raises(gp.GridproofError, match="is about a level, not about an explored space"):
        gp.check(gp.explore("robots/races/4"), "AG !won", engine=HASH_COMPACTION)
