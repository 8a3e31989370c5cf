"""State spaces: the same by kernels and by rules, with shortest traces, under limits."""

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.search import space

LEVEL = gp.read("@........o", "null")[0]


@pytest.fixture(params=[0, 10**9], ids=["kernel", "rules"])
def space_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "_BY_RULES", request.param)


@pytest.mark.usefixtures("space_by")
def test_counts_depths_and_traces() -> None:
    found = gp.explore(LEVEL)
    assert (found.states, found.transitions, found.complete) == (10, 33, True)
    assert found.by_depth == (1, 2, 2, 2, 2, 1)
    assert len(set(found)) == len(found) == 10
    for position in found:
        trace = found.trace_to(position)
        assert trace.replay() == position
        assert len(trace.steps) == found.depth(position) == (position.walker + 1) // 2  # type: ignore[attr-defined]


@pytest.mark.usefixtures("space_by")
def test_limits_end_with_what_was_found() -> None:
    level = gp.read("@" + "." * 70_000 + "o", "null")[0]
    found = gp.explore(level, limit=gp.Limit(states=5000))
    assert not found.complete
    assert found.states > 5000
    assert sum(found.by_depth) == found.states


@pytest.mark.usefixtures("space_by")
def test_what_was_not_reached_is_not_there() -> None:
    found = gp.explore(LEVEL)
    other = gp.read("@.....o", "null")[0].start()
    assert other not in found
    assert "walker" not in found
    with pytest.raises(gp.GridproofError, match="was not reached"):
        found.depth(other)


def test_an_unknown_actor_is_refused() -> None:
    with pytest.raises(gp.GridproofError, match="no actor 'nature'"):
        gp.explore(LEVEL, actors=("nature",))
