"""Status of positions during a game: it agrees with the solver, and consequences need no search."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.games.robots.boards import after, board

import gridproof as gp
from gridproof.core.limit import Budget, Limit
from gridproof.core.position import Position
from gridproof.core.text.level_lookup import levels_at
from gridproof.core.trace import Step
from gridproof.games.twenty48.status import STATUS
from gridproof.prove import position_status as badges
from gridproof.prove.position_status import (
    Badge,
    DeathTime,
    Note,
    Standing,
    StatusQuery,
    prove,
    status_notes,
    verdicts,
    words,
)
from gridproof.prove.proof_cache import ProofCache
from gridproof.prove.verdict_line import describe_bound
from gridproof.search import solve as solving
from gridproof.search.question import GoalQuestion
from gridproof.search.solution import Solution

GOLDEN = Path(__file__).parents[1] / "golden"
ROOM = "######\n#@ $.#\n#    #\n######"
EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"
"""A box that is pushed down twice never leaves the lowest row, in which no depot is."""

GIVEN_UP = Solution(None, None, None, False, 1, 0.0, "seconds")


def level_of(text: str) -> Any:
    return gp.read(text)[0]


def walk(start: Position[Any], actions: str) -> tuple[list[Position[Any]], list[Step]]:
    """All positions of a walk, and its steps."""
    history, steps = [start], []
    for text in actions.split():
        action = history[-1].action(text)
        (outcome,) = history[-1].outcomes(action)
        history.append(outcome.position)
        steps.append(Step(action))
    return history, steps


def agrees(badge: Badge, solution: Solution) -> bool:
    """Return whether a badge says what a solution does."""
    standings = {True: Standing.WINNABLE, False: Standing.DEAD, None: Standing.UNKNOWN}
    return (
        badge.standing is standings[solution.found]
        and badge.left == solution.cost
        and badge.fewest == bool(solution.trace and solution.optimal)
    )


def no_search(*_: object, **__: object) -> Solution:
    raise AssertionError("it is searched for")


# -- one position


@pytest.mark.parametrize("text", [ROOM, EDGE])
def test_status_agrees_with_solver_in_every_position(text: str) -> None:
    for position in [*gp.explore(level_of(text))][::3]:
        assert agrees(prove(position), gp.solve(position))


def test_status_solution_replays() -> None:
    start = level_of(ROOM).start()
    badge = prove(start)
    assert (badge.left, badge.fewest, badge.needs_luck) == (2, True, False)
    assert gp.Trace(start, badge.way or ()).replay().won
    assert words(badge, start.level.game) == "still winnable, shortest: 2 actions"


def test_memory_limit_excludes_memory_held_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.core.limit.memory_in_use", lambda: 2 << 30)
    monkeypatch.setattr("gridproof.core.limit.available_memory", lambda: 8 << 30)
    assert prove(level_of(ROOM).start()).winnable


def test_status_is_unknown_at_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    start = level_of(EDGE).start()
    monkeypatch.setattr(solving, "solution_of", lambda *_, **__: GIVEN_UP)
    badge = prove(start)
    assert (badge.standing, badge.way, badge.complete) == (Standing.UNKNOWN, None, True)
    assert words(badge, start.level.game) == "unknown whether it can be won"


def solutions(*found: Solution) -> Iterator[Solution]:
    """Record the answers of a solver, one after the other."""
    yield from found
    raise AssertionError("asked once more")


def test_status_reports_any_solution_before_the_shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    start = level_of(ROOM).start()
    short = gp.solve(start)
    assert short.trace is not None
    back_and_forth = [Step(start.action("right")), Step(walk(start, "right")[0][1].action("left"))]
    any_way = replace(short, trace=gp.Trace(start, (*back_and_forth, *short.trace.steps)), optimal=False)
    coming = solutions(GIVEN_UP, any_way, short)
    monkeypatch.setattr(solving, "solution_of", lambda *_, **__: next(coming))
    told = [*verdicts(StatusQuery(start))]
    assert [(badge.left, badge.fewest) for badge in told] == [(4, False), (2, True), (2, True)]
    assert words(told[0], start.level.game) == "still winnable, in 4 actions or fewer"
    assert [badge.complete for badge in told] == [False, False, True]


def test_lower_bound_of_a_search_is_kept_without_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    start = level_of(EDGE).start()
    bounds = iter((3, 2))

    def give_up(question: GoalQuestion) -> Solution:
        if not question.greedy:
            question.report(1_000, next(bounds))
        return GIVEN_UP

    monkeypatch.setattr(solving, "solution_of", give_up)
    told: list[tuple[int, int]] = []
    *_, badge = verdicts(StatusQuery(start), progress=lambda *progress: told.append(progress))
    assert (badge.standing, badge.least, badge.complete) == (Standing.UNKNOWN, 3, True)
    assert told == [(1_000, 3), (1_000, 3)]
    assert describe_bound(badge, start.level) == "No win in fewer than 3 moves"
    early = replace(badge, complete=False)
    assert describe_bound(early, start.level) == "No win in fewer than 3 moves so far"
    assert not describe_bound(replace(early, least=1), start.level)
    winnable = Badge(Standing.WINNABLE, (Step(start.actions()[0]),) * 5, least=3)
    assert not describe_bound(winnable, start.level)
    assert describe_bound(replace(winnable, complete=True), start.level) == "No win in fewer than 3 moves"
    assert not describe_bound(replace(winnable, least=5, complete=True), start.level)


def test_limit_is_shared_by_all_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []

    def slow(question: GoalQuestion) -> Solution:
        seconds = question.meter.limit.seconds
        given.append(seconds)
        return Solution(None, None, None, False, 1, seconds or 0.0, "seconds")

    monkeypatch.setattr(solving, "solution_of", slow)
    assert prove(level_of(ROOM).start(), gp.Limit(seconds=5)).standing is Standing.UNKNOWN
    assert given == [badges.SOON, 5 - badges.SOON]


def test_status_search_ends_when_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    stop.set()
    assert not [*verdicts(StatusQuery(level_of(ROOM).start()), gp.Limit(stop=stop))]


# -- games


def test_sokoban_notes_stuck_boxes() -> None:
    dead = level_of("######\n#@   #\n#  . #\n# .$ #\n#   $#\n######").start()
    badge = prove(dead)
    assert badge.dead
    assert badge.notes == (Note("1 box stuck", ((4, 4),)),)
    assert words(badge, dead.level.game) == (
        "dead: the box in row 5, column 5 can never be moved, and is on no depot. 1 box stuck"
    )
    assert not prove(level_of(ROOM).start()).notes


def test_sokoban_notes_boxes_that_share_a_depot() -> None:
    dead = level_of("#######\n#@  . #\n#     #\n#.$$  #\n#######").start()
    assert prove(dead).notes == (Note("2 boxes stuck", ((2, 3), (3, 3))),)


def test_shiftit_counts_shifts() -> None:
    start = levels_at("shiftit/boards/2")[0].start()
    assert words(prove(start), start.level.game) == "still winnable, shortest: 2 shifts"


@pytest.mark.slow
def test_twenty48_notes_chance_of_next_tile() -> None:
    start = gp.read("2048 3x2 spawn=classic target=64\n8 8 32\n8 2 0\n")[0].start()
    chance = gp.value(start, "tile(64)").best
    assert chance is not None
    badge = prove(start)
    assert badge.notes == (Note(f"tile 64: a chance of {100 * float(chance):.0f} %"),)
    assert words(badge, start.level.game) == badge.notes[0].text


def test_twenty48_notes_that_next_tile_is_out_of_reach_before_a_win() -> None:
    board = "32 2\n4 8\n"
    start = gp.read(f"2048 2x2 spawn=spec target=64\n{board}")[0].start()
    note = (Note("tile 64 can no longer be reached"),)
    assert (*STATUS.notes(start, Badge(Standing.UNKNOWN), Limit()),) == note
    assert prove(gp.read(f"2048 2x2 spawn=spec target=8\n{board}")[0].start()).notes == ()


def test_twenty48_has_no_note_when_not_exact() -> None:
    start = levels_at("twenty48/standard")[0].start(1)
    badge = Badge(Standing.UNKNOWN, complete=True)
    assert words(badge, start.level.game) == ""
    dead = Badge(Standing.DEAD, since=DeathTime(6, 7))
    assert words(dead, start.level.game) == "the target is out of reach since action 7"


@pytest.mark.slow
def test_robots_note_nearest_robot_and_forced_win() -> None:
    start = levels_at("robots/duels/3")[0].start()
    own = {name: gp.solve(start, goal=f"won({name})", actors=(name,)).cost for name in "ab"}
    assert own["b"] == min(filter(None, own.values()))
    nearest, forced = prove(start).notes
    assert nearest.text == f"alone, b can win in {own['b']} requests"
    assert dict(nearest.alone) == own
    assert gp.check(start, "<<a>> F won(a)").holds
    assert not gp.check(start, "<<b>> F won(b)").holds  # a begins
    assert forced.text == "if the robots took turns, whoever began could be sure to win"
    assert forced.turns


@pytest.mark.parametrize("row", ["a B . A b", "a . B . A b"])
def test_robots_explain_death_by_walks_that_cut_off(row: str) -> None:
    """Nobody may stand on another's home in a corridor."""
    width = len(row.split())
    start = level_of(
        f"robots {width}x1\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\n{row}\n"
    ).start()
    badge = prove(start)
    assert badge.dead
    (note,) = badge.notes
    assert note.text == "walks of a and b are refused, since they would cut a and b off from their homes"


RIDES = {
    "home": ("a=A0 b=B270", "b> a> B", ". . A"),
    "on": ("a=B90 b=A0", ". a b< . B", ". . . . A", ". . . . ."),
    "to where it cannot win alone": ("a=B90 b=A0", "a b< . B", ". . . A"),
}


@pytest.mark.parametrize("end", RIDES)
def test_robots_note_whom_the_next_request_lets_a_belt_carry(end: str) -> None:
    position = board(*RIDES[end])
    alone = gp.Limit(states=1000)
    notes = [
        note.text
        for note in status_notes(position.level.game).notes(position, Badge(Standing.WINNABLE), alone)
    ]
    assert f"the next request of a can let a belt carry b {end}" in notes
    ends = [after(position, str(action)) for action in position.actions("a")]
    ends = [one for one in ends if one.cell("b") != position.cell("b")]
    assert ends
    assert any(one.won for one in ends) == (end == "home")
    costs = [gp.solve(one, goal="won(b)", actors=("b",)).found for one in ends if not one.won]
    assert (False in costs) == ("cannot" in end)


def test_status_needs_no_luck_for_a_whisper() -> None:
    rows = "a ? # . . . . .\n# . A . . . . .\nb . . . . . . B\n"
    text = f"robots 8x3\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\n{rows}"
    badge = prove(level_of(text).start())
    assert (badge.left, badge.fewest, badge.needs_luck) == (3, True, False)
    assert any(step.label for step in badge.way or ())


# -- what follows from what is known


def test_cache_knows_solution_from_each_of_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, history = ProofCache(), walk(level_of(ROOM).start(), "right right")[0]
    proofs.learn(history[0], prove(history[0]))
    monkeypatch.setattr(solving, "solution_of", no_search)
    first, *_, last = verdicts(proofs.build_query(history[:2], [Step(history[0].action("right"))]))
    assert (first.left, first.fewest, first.complete) == (1, True, False)  # before what the game adds
    assert (last.left, last.fewest, last.complete) == (1, True, True)


def test_detour_is_solved_by_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, (history, steps) = ProofCache(), walk(level_of(ROOM).start(), "down")
    proofs.learn(history[0], prove(history[0]))
    first = next(verdicts(proofs.build_query(history, steps)))
    assert first.winnable
    assert first.left == 3
    assert first.least == 1  # one action more leaves at most one less


def test_successors_of_dead_position_are_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, (history, steps) = ProofCache(), walk(level_of(EDGE).start(), "down down left")
    proofs.learn(history[0], prove(history[0]))
    for position in history[1:3]:
        proofs.learn(position, prove(position))
    assert proofs.recall(history[2]).dead
    monkeypatch.setattr(solving, "solution_of", no_search)
    asked = proofs.build_query(history, steps)
    assert asked.badge.dead
    *_, last = verdicts(asked)
    assert last.since == DeathTime(1, 2)
    assert (
        words(last, history[0].level.game)
        == "dead since action 2: the box in row 5, column 4 can reach no depot. 1 box stuck"
    )


def test_cache_never_forgets_better_status() -> None:
    proofs, start = ProofCache(), level_of(ROOM).start()
    badge = prove(start)
    proofs.learn(start, badge)
    proofs.learn(start, Badge(Standing.WINNABLE, (*(badge.way or ()), *(badge.way or ())[:0])))
    assert proofs.recall(start) == badge


def test_cached_solution_is_not_walked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, start = ProofCache(), level_of(ROOM).start()
    badge = prove(start)
    assert proofs.learn(start, replace(badge, least=0))
    assert proofs.learn(start, badge)  # it is known now that no way is shorter
    monkeypatch.setattr("gridproof.prove.proof_cache.solutions_along", no_search)
    assert not proofs.learn(start, badge)
    assert proofs.recall(start) == badge


def test_cache_evicts_oldest_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.prove.proof_cache.MOST", 2)
    proofs, history = ProofCache(), walk(level_of(ROOM).start(), "right down left")[0]
    for position in history:
        proofs.learn(position, Badge(complete=True))
    assert [proofs.recall(position).complete for position in history] == [False, False, True, True]


# -- since when


@pytest.mark.parametrize("first", [0, 3])
def test_death_names_fatal_action(first: int) -> None:
    proofs, (history, steps) = (
        ProofCache(),
        walk(level_of(EDGE).start(), "left right down down left right left"),
    )
    proofs.learn(history[0], prove(history[0]))
    for position in history[:first]:
        proofs.learn(position, prove(position))
    *_, last = verdicts(proofs.build_query(history, steps))
    deaths = [gp.solve(position).found is False for position in history]
    assert last.since == DeathTime(deaths.index(True) - 1, deaths.index(True))
    told = words(last, history[0].level.game, lambda number: str(steps[number - 1].action))
    assert told == "dead since action 4, down: the box in row 5, column 4 can reach no depot. 1 box stuck"


def test_death_from_the_start() -> None:
    start = level_of("######\n#@  .#\n#    #\n#   $#\n######").start()
    badge = prove(start)
    assert badge.dead
    proofs = ProofCache()
    *_, last = verdicts(proofs.build_query([start], []))
    assert last.since == DeathTime(-1, 0)
    assert (
        words(last, start.level.game)
        == "dead from the start: the box in row 4, column 5 can never be moved, and is on no depot. 1 box stuck"
    )
    proofs.learn(start, last)
    assert proofs.since([start]) == last.since
    assert proofs.since(walk(start, "right")[0]) is None  # not learned yet


def test_death_is_a_range_when_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    history, steps = walk(level_of(EDGE).start(), "left right down left right")
    dead = Badge(Standing.DEAD)
    asked = replace(ProofCache().build_query(history, steps), badge=dead)
    monkeypatch.setattr(solving, "solution_of", lambda *_, **__: GIVEN_UP)
    *_, last = verdicts(asked)
    assert last.since == DeathTime(-1, 5)
    assert words(last, history[0].level.game) == "dead, by action 5 at the latest"
    between = replace(last, since=DeathTime(1, 5))
    assert words(between, history[0].level.game) == "dead since one of the actions 2 to 5"


def test_nature_may_revive_a_dead_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The position before the exchange is asked for by itself: dead before does not mean dead after."""
    history, _ = walk(level_of(ROOM).start(), "right left right left right")
    alive = {0: True, 1: False, 2: False, 3: True, 4: False}  # nature acted before 3
    asked_for: list[int] = []

    def told(self: object, position: int, minimise: None) -> Solution:
        asked_for.append(position)
        return Solution(alive[position], None, None, True, 1, 0.0)

    monkeypatch.setattr(badges, "_solve", told)
    asked = StatusQuery(history[0], Badge(Standing.DEAD), chances=frozenset({3}))
    since = badges._find_death(asked, range(5), Budget(gp.Limit()))  # type: ignore[arg-type]
    assert since == DeathTime(3, 4)
    assert asked_for[0] == 3


# -- recorded games


def load_game(name: str, number: int) -> tuple[Any, list[Position[Any]]]:
    """A recording's level and all its positions, as the file has them."""
    text = (GOLDEN / name / f"playthrough-{number:02}.txt").read_text(encoding="utf-8")
    level = levels_at(text.splitlines()[0].removeprefix("level "))[0]
    shown = re.findall(r"^-- position .*\n((?:    .*\n)*)", text, re.MULTILINE)
    return level, [level.position(re.sub("(?m)^    ", "", one)) for one in shown]


def check_game(name: str, number: int, every: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare the badges of a recorded game, as a session has them, with the solver's answers; how many were known."""
    monkeypatch.setattr(badges, "SOON", None)
    proofs, limit, known = ProofCache(), gp.Limit(states=10_000), 0
    _, history = load_game(name, number)
    for place in range(0, len(history), every):
        position = history[place]
        asked = StatusQuery(position, proofs.recall(position))
        *_, badge = verdicts(asked, limit)
        proofs.learn(position, badge)
        solution = gp.solve(position, limit=limit)
        if solution.found is None:
            continue
        known += 1
        assert badge.standing is {True: Standing.WINNABLE, False: Standing.DEAD}[solution.found]
        assert (badge.left, badge.fewest) == (solution.cost, solution.found)
    return known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number", "every"), [("robots", 6, 5), ("shiftit", 7, 5), ("sokoban", 7, 40), ("twenty48", 3, 5)]
)
def test_status_agrees_with_solver_in_recorded_games(
    name: str, number: int, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_game(name, number, every, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize(
    "number", [1, *(pytest.param(number, marks=pytest.mark.long) for number in range(2, 4))]
)
@pytest.mark.parametrize("name", ["robots", "shiftit", "sokoban", "twenty48"])
def test_status_agrees_with_solver_in_all_positions_of_recorded_games(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_game(name, number, 1, monkeypatch) or name == "twenty48"


def test_status_reports_another_solution_of_equal_length() -> None:
    start = level_of("######\n#@   #\n#  $.#\n######").start()
    proofs = ProofCache()
    proofs.learn(start, prove(start))
    way = proofs.recall(start).way
    assert way is not None
    (other,) = {"right", "down"} - {str(way[0].action)}
    asked = proofs.build_query(*walk(start, other))
    assert asked.badge.standing is Standing.UNKNOWN
    assert [(badge.standing, badge.left, badge.fewest) for badge in verdicts(asked)] == [
        (Standing.WINNABLE, 2, True)
    ] * 2


def test_any_solution_is_searched_first_after_irreversible_action(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = level_of(EDGE).start()
    proofs, asked = ProofCache(), list[str | None]()
    original = solving.solution_of

    def solve(question: GoalQuestion) -> Solution:
        asked.append(None if question.greedy else question.minimise)
        return original(question)

    monkeypatch.setattr(solving, "solution_of", solve)
    assert [*verdicts(proofs.build_query(*walk(start, "down down")))][-1].dead
    assert asked[0] == "actions"  # nothing is known of what was before
    (before,) = start.outcomes(start.action("down"))
    proofs = ProofCache()
    proofs.learn(before.position, prove(before.position))
    asked.clear()
    assert [*verdicts(proofs.build_query(*walk(start, "down down")))][-1].dead
    assert asked[0] is None
