"""Tests of the distances to the win over a game."""

from __future__ import annotations

import gridproof as gp
from gridproof.core.trace import Step, Trace
from gridproof.prove import distances as measuring
from gridproof.prove.distances import Distance, DistanceSearch, has_distances
from gridproof.prove.position_status import prove

EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"


def game(texts: str) -> Trace:
    start = gp.read(EDGE)[0].start()
    position, steps = start, list[Step]()
    for text in texts.split():
        steps.append(Step(position.action(text)))
        (outcome,) = position.outcomes(steps[-1].action)
        position = outcome.position
    return Trace(start, tuple(steps))


def test_distances_are_those_of_the_solver() -> None:
    trace = game("left right down down left")
    reported: list[list[Distance]] = []
    found = DistanceSearch(trace).run(gp.Limit(), reported.append)
    positions = [trace.start, *(outcome.position for outcome in trace.outcomes())]
    solved = [gp.solve(position) for position in positions]
    assert [(one.left, one.dead) for one in found] == [(one.cost, one.found is False) for one in solved]
    assert all(one.dead or one.fewest for one in found)
    assert reported[-1] == found
    assert len(reported) == len(positions)


def test_distances_known_already_need_no_search() -> None:
    trace = game("left")
    positions = [trace.start, *(outcome.position for outcome in trace.outcomes())]
    known = DistanceSearch(trace, [prove(position) for position in positions]).distances
    assert [one.left for one in known] == [gp.solve(position).cost for position in positions]


def test_won_game_is_a_bound_of_its_own_distances() -> None:
    solution = gp.solve(gp.read(EDGE)[0]).trace
    assert solution is not None
    count = len(solution.steps)
    assert [one.left for one in DistanceSearch(solution).distances] == [*range(count, -1, -1)]


def test_distances_end_at_limit() -> None:
    found = DistanceSearch(game("left right")).run(gp.Limit(seconds=0), lambda _: None)
    assert found == [Distance(None, False, False)] * 3


def test_long_games_and_games_of_chance_have_no_distances() -> None:
    trace = game("left right")
    assert has_distances(trace)
    assert not has_distances(Trace(trace.start, ()))
    assert not has_distances(Trace(trace.start, trace.steps * measuring.MOST))
    assert not has_distances(Trace(gp.levels_at("twenty48/standard")[0].start(1), trace.steps))
