"""Assumptions of fairness, for the checkers: acts by the texts of their actions, and formulas about positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import QUANTIFIERS, Coalition, Formula, subformulas


class Act(NamedTuple):
    """An act that is done again and again, if it is possible always, or (strong) again and again.

    With a formula in place of actions, that is true again and again.
    """

    actions: frozenset[str]
    strong: bool
    formula: Formula | None = None
    where: Sequence[bool] = ()
    """Truths of the formula by the numbers of positions, for writers."""

    def is_broken(self, possible: Sequence[frozenset[str]], done: Sequence[str | None]) -> bool:
        """Return whether a loop breaks the assumption about an act: with these possible actions and done ones."""
        chances = [not self.actions.isdisjoint(texts) for texts in possible]
        return (any if self.strong else all)(chances) and self.actions.isdisjoint(done)


def acts_of(level: Level, fair: Sequence[str]) -> list[Act]:
    """Return the assumptions; GridproofError if the level does not list its actions, or a formula has A, E or coalitions."""
    labels = level.all_actions()
    if fair and not labels:
        raise GridproofError(
            f"{level.game.name} does not list its actions: there is no certificate with fairness"
        )
    texts = [str(action) for action in labels]
    found = [
        Act(frozenset(texts[number] for number in one.actions), one.strong, one.formula)
        for one in assumptions(list(fair), level, labels)
    ]
    for act in found:
        for one in subformulas(act.formula) if act.formula else ():
            if isinstance(one, Coalition) or getattr(one, "operator", "") in QUANTIFIERS:
                raise GridproofError(
                    f"no certificate can assume {act.formula} again and again: it has {one} inside"
                )
    return found
