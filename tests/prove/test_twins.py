"""Verdicts and traces on random levels of all games against slow twins, with limits and several starts."""

from __future__ import annotations

from random import Random

import pytest
from tests.prove.twins import Played, likely_formula, random_formula, small_level, truth
from tests.sizes import size

import gridproof as gp
from gridproof.prove.formula import Coalition, Formula
from gridproof.prove.logic import Logic, logic_of

LOGICS = (Logic.CTL, Logic.CTL, Logic.CTL_STAR, Logic.LTL, Logic.ATL, Logic.ATL)
EACH = 10
"""Formulas of one level."""


def compare(seed: int) -> int:
    """Ask some formulas of a random level; how many verdicts have been compared."""
    random = Random(seed)
    level = small_level(random)
    played, count = Played(level), 0
    for _ in range(EACH):
        logic = random.choice(LOGICS)
        size = random.randint(1, 3 if logic in (Logic.LTL, Logic.CTL_STAR) else 5)
        likely = random.random() < 0.4
        formula = (likely_formula if likely else random_formula)(logic, played, random, size)
        logic = logic_of(formula)
        paths = random.choice(("all", "some")) if logic in (Logic.LTL, Logic.STATE) else "all"
        wanted = truth(formula, logic, paths, played)
        where = f"seed {seed}: {paths} {formula}\n" + "\n".join(map(str, played.positions[: played.starts]))
        verdict = gp.check(level, str(formula), paths)
        assert verdict.holds is wanted, where
        assert verdict.formula == formula, where
        shows_it(verdict, formula, where)
        few = gp.Limit(states=random.randint(played.starts, len(played.positions)))
        assert gp.check(level, formula, paths, limit=few).holds in (None, wanted), (few, where)
        assert gp.check(gp.explore(level, limit=few), formula, paths).holds in (None, wanted), (few, where)
        count += 3
    return count


def shows_it(verdict: gp.Verdict, formula: Formula, where: str) -> None:
    """See that a trace can be done, and that a strategy wins against every answer."""
    if verdict.trace is not None:
        verdict.trace.replay()
    if isinstance(formula, Coalition) and verdict.holds:
        assert verdict.strategy is not None, where
    if verdict.strategy is not None:
        try:
            verdict.strategy.verify()
        except gp.GridproofError as error:
            raise AssertionError(where) from error


@pytest.mark.slow
def test_verdicts_agree_with_slow_twins() -> None:
    assert sum(map(compare, range(10))) == 300


@pytest.mark.long
def test_many_verdicts_agree_with_slow_twins() -> None:
    wanted, seed, count = size("verdicts", 3000), 1000, 0
    while count < wanted:
        count += compare(seed)
        seed += 1
