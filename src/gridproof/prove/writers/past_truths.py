"""Truths of formulas with A or E inside operators of the past, on which the memory beside positions depends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gridproof.core.limit import Limit, Meter, Stopped
from gridproof.prove import evaluate
from gridproof.prove.checkers.fixpoints import is_quantified
from gridproof.prove.checkers.memory import RememberingLevel, RememberingPosition
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.ctl import Evaluator
from gridproof.prove.fairness import assumptions
from gridproof.prove.formula import Binary, Formula, Unary, parts
from gridproof.prove.model import Model
from gridproof.search.actors import Actors
from gridproof.search.explore import explore

Key = tuple[Any, tuple[int, ...], tuple[bool, ...]]


class PastTruths:
    """Truths of such formulas, operator by operator: those inside an operator depend on the memory of those before it.

    Stopped at a limit.
    """

    def __init__(self, said: FormulaStatement, actors: Actors, limit: Limit | None, meter: Meter) -> None:
        self._said, self._truths = said, dict[Formula, tuple[int, dict[Key, bool]]]()
        level = said.level
        assert isinstance(level, RememberingLevel)
        for number, operator in enumerate(level.past):
            inside = [one for one in _quantified(operator) if one not in self._truths]
            if not inside:
                continue
            below = replace(level, past=level.past[:number], judges=[self.judge])
            space = explore(below, actors, limit)
            if not space.complete:
                meter.stopped_by = space.stopped_by
                raise Stopped
            model = Model(space)
            fair = assumptions(said.fair, space.level, model.rows.graph.labels)
            evaluator = Evaluator(model, fair, lambda: meter.is_reached(0))
            for one in inside:
                keys = map(_key, space)
                values = evaluator.values(one).tolist()
                self._truths[one] = number, dict(zip(keys, values, strict=True))

    def judge(self, formula: Formula, position: RememberingPosition) -> bool:
        """Return the truth of a formula about positions."""
        match formula:
            case _ if formula in self._truths:
                number, found = self._truths[formula]
                return found[position.inner, position.spent, position.past[:number]]
            case Unary("!", operand):
                return not self.judge(operand, position)
            case Binary(operator, left, right):
                both = (lambda: self.judge(left, position)), (lambda: self.judge(right, position))
                return evaluate.join(operator, *both)()
        return evaluate.holds(formula, position, self._said.who)


def _key(position: Any) -> Key:
    return position.inner, position.spent, position.past


def _quantified(formula: Formula) -> Iterator[Formula]:
    """Yield the outermost parts that begin with A or E."""
    for part in parts(formula):
        if is_quantified(part):
            yield part
        else:
            yield from _quantified(part)
