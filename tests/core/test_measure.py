"""Costs of traces."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp
from gridproof.core.game import Measure
from gridproof.core.measure import ACTIONS, cost_of, find_measure, measures
from gridproof.core.position import Outcome
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move

START = Level(6, 1, 5).start()


def count_cells(position: Any, action: object, outcome: Outcome[Any]) -> int:
    return abs(int(outcome.position.walker - position.walker))


CELLS = Measure("cells", "cells walked", count_cells)
WALK = Trace(START, (Step(Move.HOP, "by 2"), Step(Move.LEFT), Step(Move.HOP, "by 1")))


def test_measures_count_actions_in_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    null = gp.game("null")
    assert measures(null) == {"actions": ACTIONS}
    with pytest.raises(gp.GridproofError, match="null cannot minimise 'cells'; choose from actions"):
        find_measure(null, "cells")
    monkeypatch.setitem(null.__dict__, "measures", (CELLS,))
    assert list(measures(null)) == ["actions", "cells"]
    assert find_measure(null, "cells") is CELLS


@pytest.mark.parametrize(("measure", "cost"), [(ACTIONS, 3), (CELLS, 4)])
def test_cost_of_trace(measure: Measure, cost: int) -> None:
    assert cost_of(WALK, measure) == cost
    assert cost_of(Trace(START), measure) == 0


def test_cost_of_invalid_trace_is_refused() -> None:
    with pytest.raises(gp.IllegalAction, match="step 2"):
        cost_of(Trace(START, (Step(Move.LEFT), Step(Move.LEFT))), ACTIONS)
