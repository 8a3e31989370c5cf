"""State spaces: the same by kernels and by rules, with shortest traces, under limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gridproof as gp
from gridproof.games.null import kernel as null
from gridproof.search import explore
from gridproof.search.rules_space import RulesSpace

LEVEL = gp.read("@........o", "null")[0]


@pytest.fixture(params=[0, 10**9], ids=["kernel", "rules"])
def space_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", request.param)


@pytest.mark.usefixtures("space_by")
def test_space_has_counts_depths_and_traces() -> None:
    found = gp.explore(LEVEL)
    assert (found.states, found.transitions, found.complete) == (10, 33, True)
    assert found.by_depth == (1, 2, 2, 2, 2, 1)
    assert len(set(found)) == len(found) == 10
    for position in found:
        trace = found.trace_to(position)
        assert trace.replay() == position
        assert len(trace.steps) == found.depth(position) == (position.walker + 1) // 2  # type: ignore[attr-defined]  # null's


@pytest.mark.slow
@pytest.mark.usefixtures("space_by")
def test_explore_returns_partial_space_at_limit() -> None:
    level = gp.read("@" + "." * 70_000 + "o", "null")[0]
    found = gp.explore(level, limit=gp.Limit(states=5000))
    assert not found.complete
    assert found.states == 5000
    assert sum(found.by_depth) == found.states


@pytest.mark.usefixtures("space_by")
def test_space_does_not_contain_unreached_positions() -> None:
    found = gp.explore(LEVEL)
    other = gp.read("@.....o", "null")[0].start()
    assert other not in found
    assert "walker" not in found
    with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
        found.depth(other)


def test_explore_refuses_unknown_actor() -> None:
    with pytest.raises(
        gp.GridproofError,
        match=r"^no actor 'nature': the level has player; chance comes with actions here$",
    ):
        gp.explore(LEVEL, actors=("nature",))


@pytest.mark.usefixtures("space_by")
@pytest.mark.parametrize("limit", [gp.Limit(states=0), gp.Limit(seconds=0), gp.Limit(memory=0)], ids=str)
def test_explore_with_limit_zero_has_the_start(limit: gp.Limit) -> None:
    found = gp.explore(LEVEL, limit=limit)
    assert (found.states, found.transitions, found.by_depth, found.complete) == (1, 0, (1,), False)
    assert found.stopped_by
    assert list(found) == [LEVEL.start()]


def test_space_names_reached_limit() -> None:
    level = gp.read("@" + "." * 9000 + "o", "null")[0]
    assert gp.explore(level, limit=gp.Limit(states=10)).stopped_by == "states"
    assert gp.explore(level, limit=gp.Limit(seconds=0)).stopped_by == "seconds"
    assert gp.explore(level, limit=gp.Limit(memory=1)).stopped_by == "memory"
    assert gp.explore(LEVEL).stopped_by == ""


@pytest.mark.usefixtures("space_by")
@pytest.mark.parametrize("other", [None, 3, "@..o", LEVEL])
def test_space_does_not_contain_other_types(other: object) -> None:
    found = gp.explore(LEVEL)
    assert other not in found
    with pytest.raises(gp.GridproofError, match=r"^the position was not reached$"):
        found.trace_to(other)  # type: ignore[arg-type]  # what is tried


@pytest.mark.slow
def test_level_too_large_for_kernel_is_explored_by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.read("@" + "." * 3000 + "o", "null")[0]
    by_kernel = gp.explore(level)
    monkeypatch.setattr(null, "KERNEL", replace(null.KERNEL, prepare=lambda _: None))
    by_rules = gp.explore(level)
    assert isinstance(by_rules, RulesSpace)
    assert not isinstance(by_kernel, RulesSpace)
    for name in ("states", "transitions", "by_depth", "complete"):
        assert getattr(by_rules, name) == getattr(by_kernel, name)


SMALL = [
    ("null/first/2", None),
    ("shiftit/boards/1", None),
    ("shiftit/boards/2", None),
    ("sokoban/first-steps/1", None),
    ("sokoban/first-steps/2", None),
    ("robots/races/1", None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "actors"), SMALL)
def test_spaces_by_kernel_and_rules_agree(
    name: str, actors: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = gp.levels_at(name)[0]
    limit = gp.Limit()
    monkeypatch.setattr(explore, "_BY_RULES", 10**9)
    by_rules = gp.explore(level, actors, limit)
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    by_kernel = gp.explore(level, actors, limit)
    assert by_rules.complete
    assert (by_kernel.states, by_kernel.transitions, by_kernel.by_depth, by_kernel.complete) == (
        by_rules.states,
        by_rules.transitions,
        by_rules.by_depth,
        True,
    )
    assert set(by_kernel) == set(by_rules)
    last = list(by_rules)[-1]
    assert by_kernel.trace_to(last).replay() == last
    assert by_kernel.depth(last) == by_rules.depth(last) == len(by_rules.by_depth) - 1


@pytest.mark.usefixtures("space_by")
def test_explore_can_be_interrupted() -> None:
    def progress(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gp.explore(gp.read("@" + "." * 5000 + "o", "null")[0], progress=progress)
