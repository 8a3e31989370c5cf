"""Tests of the actors that can win with their next action, against a search of every request that a rule lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest
from tests.games.robots.boards import board

import gridproof as gp
from gridproof.core.position import Outcome
from gridproof.core.rng import Rng
from gridproof.games.robots import Position
from gridproof.prove.next_wins import next_winners


def brute_force(position: Position) -> tuple[str, ...]:
    """Return the robots that are home after one of all requests that their rules list, tried by its text."""
    return tuple(
        robot.name for robot in position.level.robots if robot.name in {*_home_next(position, robot.name)}
    )


def _home_next(position: Position, name: str) -> Iterator[str]:
    (robot,) = (one for one in position.level.robots if one.name == name)
    for request in robot.requests:
        try:
            action = position.action(str(request))
        except gp.IllegalAction:
            continue
        for outcome in position.outcomes(action):
            yield from outcome.position.winners


def games(name: str, length: int, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game."""
    position, rng = cast("Position", gp.level(name).start()), Rng(seed)
    for _ in range(length):
        yield position
        if not (actions := position.actions()):
            return
        outcomes: list[Outcome[Any]] = [*position.outcomes(rng.choice(actions))]
        position = rng.choice(outcomes).position


@pytest.mark.slow
@pytest.mark.parametrize("name", ["robots/races/1", "robots/races/4", "robots/duels/3"])
def test_next_winners_are_those_of_a_search_of_all_requests(name: str) -> None:
    positions = [one for seed in range(8) for one in games(name, 60, seed)]
    found = [next_winners(one) for one in positions]
    assert found == [brute_force(one) for one in positions]
    assert any(found)
    for position, winners in [*zip(positions, found, strict=True)][::25]:
        for robot in position.level.names if not position.won else ():
            near = gp.solve(position, goal=f"won({robot})", actors=(robot,), limit=gp.Limit(states=50))
            assert (near.cost == 1) == (robot in winners)


def test_next_winners_are_none_after_the_end_and_leave_out_a_win_that_another_robot_brings() -> None:
    start = board("a=A0 b=B0", "a A . .", "b . . B")
    assert next_winners(start) == ("a", "b")
    (end,) = start.outcomes(start.action("a:walk(1,0)"))
    assert next_winners(end.position) == ()
    waiting = board("a=A0 b=B270", "b> a> B", ". . A")
    (after,) = waiting.outcomes(waiting.action("a:walk(0,1)"))
    assert after.position.winners == ("b",)  # the belt runs again
    assert next_winners(waiting) == ()
