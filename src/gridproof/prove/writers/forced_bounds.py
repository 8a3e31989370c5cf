"""Proofs of what a coalition can force with some probability: the bounds and ranks of each turn."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from gridproof.core.limit import Meter, Stopped
from gridproof.prove.checkers.forced_bounds import FORCED, ForcedStatement, read_forced
from gridproof.prove.checkers.goal_statements import start_chances
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.formula import Coalition
from gridproof.prove.quantity_solver import ForcedValues
from gridproof.prove.writers.proof import Proof
from gridproof.search.explore import space_of
from gridproof.search.question import Question


def find_proof(setting: Setting, question: Coalition, meter: Meter) -> tuple[ForcedStatement, Proof]:
    """Return the statement about the bounds that can be proved, and its proof, a part of others; Stopped at a limit."""
    said = read_forced(question, ["0", "1"], setting)
    space = space_of(Question(starts=list(setting.starts), who=setting.who, meter=meter))
    if not space.complete:
        raise Stopped
    found = ForcedValues(question, said.quantity, space, meter)
    low, high = ([Fraction(float(one)) for one in column] for column in found.bounds)
    ranks = found.game.find_ranks(found.bounds.low)
    chances = [(chance, space.number(start)) for chance, start in start_chances(said)]
    ends = [
        sum((chance * column[number] for chance, number in chances), Fraction(0)) for column in (low, high)
    ]
    if said.task.negated:
        ends = [1 - end for end in reversed(ends)]
    said = read_forced(question, [*map(str, ends)], setting)

    def lines() -> Iterator[list[Any]]:
        for number, position in enumerate(space):
            turns = range(number, len(low), space.states)
            listed = ((str(low[turn]), str(high[turn]), int(ranks[turn])) for turn in turns)
            yield [position.text(), *(value for values in listed for value in values)]

    return said, Proof(FORCED, said.facts, space.states, lines())
