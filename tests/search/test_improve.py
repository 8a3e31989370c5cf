"""`gp.improve`: never dearer, to the same end, and proved the least where it says so."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.extensions import put_extension, remove_extension
from tests.packs import pack

import gridproof as gp
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.trace import Step, Trace
from gridproof.search import improve as module
from gridproof.search.improver import ImproveQuestion, Improver


def trace_of(level: gp.Level, text: str) -> Trace:
    position, steps = level.start(), []
    for item in level.game.own_format.split_actions(text):
        action = position.action(item)
        steps.append(Step(action))
        position = position.outcome(action, "").position
    return Trace(level.start(), tuple(steps))


OPEN = "#########\n#@      #\n# $   . #\n#       #\n#       #\n#########\n"


def level_of(text: str = OPEN) -> gp.Level:
    (level,) = gp.read(text)
    return level


def test_improve_finds_the_best_solution() -> None:
    level = level_of()
    trace = trace_of(level, "rDldRRRRdrU")
    assert trace.replay().won
    for minimise in ("pushes", "moves", "actions"):
        answer = gp.improve(trace, minimise)
        assert answer.found
        assert answer.trace
        assert answer.trace.replay().won
        assert (answer.cost, answer.optimal) == (gp.solve(level, minimise).cost, True)
        assert answer.cost == cost_of(answer.trace, find_measure(level.game, minimise))
    assert len(gp.improve(trace).trace.steps) == 5  # type: ignore[union-attr]


def test_improve_minimises_last_measure_by_default() -> None:
    level = level_of()
    assert gp.improve(trace_of(level, "dRRRR")).cost == 4
    board = pack("shiftit/boards/4")[0]
    found = gp.solve(board, minimise=None).trace
    assert found
    answer = gp.improve(found)
    assert (answer.cost, answer.optimal) == (gp.solve(board).cost, True)


def test_improve_keeps_end_of_trace_that_does_not_win() -> None:
    level = level_of()
    trace = trace_of(level, "rrrrddllll")
    answer = gp.improve(trace, "actions")
    assert answer.trace
    assert answer.trace.replay() == trace.replay() != level.start()
    assert (answer.cost, answer.optimal) == (2, True)


def test_improve_keeps_the_best_solution() -> None:
    trace = trace_of(level_of(), "dRRRR")
    answer = gp.improve(trace)
    assert (answer.trace, answer.engine, answer.optimal) == (trace, "given", True)
    unsearched = gp.improve(trace, limit=gp.Limit(seconds=0))
    assert (unsearched.trace, unsearched.engine, unsearched.states) == (trace, "given", 0)


def test_improve_removes_loops_without_time() -> None:
    trace = trace_of(level_of(), "rlrldRRRR")
    answer = gp.improve(trace, "actions", gp.Limit(seconds=0))
    assert answer.trace
    assert (answer.cost, answer.optimal, answer.engine) == (5, False, "loops cut out")
    assert answer.stopped_by == "seconds"


def test_improve_removes_loops_of_too_large_level() -> None:
    level = pack("sokoban/first-steps/3")[0]
    best = gp.solve(level).trace
    assert best
    wasteful: list[Step] = []
    position, back = best.start, {"up": "down", "down": "up", "left": "right", "right": "left"}
    for number, step in enumerate(best.steps):
        free = [one for one in position.actions() if _returns(position, one, back)]
        if number % 9 == 0 and free:
            wasteful += [Step(free[0]), Step(type(free[0])(back[str(free[0])]))]
        wasteful.append(step)
        position = position.outcome(step.action, "").position
    trace = Trace(best.start, tuple(wasteful))
    assert len(trace.steps) > len(best.steps)
    answer = gp.improve(trace, "actions", gp.Limit(states=8))
    assert answer.trace
    assert answer.trace.replay().won
    assert answer.cost == len(best.steps)
    assert not answer.optimal


def _returns(position: object, action: object, back: dict[str, str]) -> bool:
    after = position.outcome(action, "").position  # type: ignore[attr-defined]
    other = back[str(action)]
    if other not in map(str, after.actions()):
        return False
    return bool(after.outcome(after.action(other), "").position == position)


def test_improve_shortens_by_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of()
    trace = trace_of(level, "rrrrrrdddlllllluuRRRR")
    assert trace.replay().won
    monkeypatch.setattr(module._Improvement, "_try_whole", lambda self, share: None)  # only windows
    remove_extension(monkeypatch, level.game, "improver")
    answer = gp.improve(trace, "actions", gp.Limit(states=5000))
    assert answer.trace
    assert answer.trace.replay().won
    assert (answer.cost, answer.engine) == (5, "segments solved again")


def test_improve_asks_the_improver_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = trace_of(level_of(), "rrrrrrdddlllllluuRRRR")
    monkeypatch.setattr(module._Improvement, "_try_whole", lambda self, share: None)
    found = list[int]()
    answer = gp.improve(trace, "actions", gp.Limit(states=5000), found.append)
    assert (answer.cost, answer.engine, answer.optimal) == (5, "vicinity", True)
    assert found
    assert answer.states >= found[-1]


def test_improve_keeps_the_best_on_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = trace_of(level_of(), "rlrrrrrrdddlllllluuRRRR")

    def interrupt(self: object, share: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module._Improvement, "_try_whole", interrupt)
    answer = gp.improve(trace, "actions")
    assert answer.trace
    assert answer.trace.replay().won
    assert (answer.cost, answer.engine) == (21, "loops cut out")
    assert (answer.optimal, answer.stopped_by) == (False, "stop")


def test_improve_ignores_traces_of_an_improver_that_end_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = trace_of(level_of(), "rldRRRR")
    wrong = Improver("wrong", "ends before the win", f"{__name__}:end_before_the_win")
    put_extension(monkeypatch, trace.level.game, "improver", wrong)
    monkeypatch.setattr(module._Improvement, "_try_whole", lambda self, share: None)
    answer = gp.improve(trace, "actions")
    assert answer.trace
    assert answer.trace.replay().won
    assert answer.engine != "wrong"


def end_before_the_win(question: ImproveQuestion) -> Iterator[Trace]:
    yield Trace(question.trace.start, question.trace.steps[:1])


def test_improve_keeps_random_outcomes() -> None:
    level = pack("twenty48/standard/3")[0]
    session = gp.Session([level], seed=3)
    while not session.position.ended and len(session.history) < 6:
        session.act(session.position.actions()[0])
    trace = session.trace()
    answer = gp.improve(trace)
    assert answer.trace
    assert answer.trace.replay() == trace.replay()
    assert len(answer.trace.steps) <= len(trace.steps)


def test_improve_keeps_actions_of_nature() -> None:
    level = pack("robots/races/2")[0]
    plain = gp.solve(level, actors=("a",), goal="won(a)").trace
    lucky = gp.solve(level, actors="all").trace
    assert plain
    assert lucky
    alone, helped = gp.improve(plain).trace, gp.improve(lucky).trace
    assert alone
    assert helped
    assert all(level.owner(action) != "nature" for action in alone.actions)
    assert len(helped.steps) == len(lucky.steps)


def test_improve_can_be_stopped_by_another_thread() -> None:
    stop = threading.Event()
    stop.set()
    answer = gp.improve(trace_of(level_of(), "rldRRRR"), limit=gp.Limit(stop=stop))
    assert (answer.optimal, answer.stopped_by) == (False, "stop")


def test_improve_refuses_invalid_input() -> None:
    trace = trace_of(level_of(), "dRRRR")
    with pytest.raises(
        gp.GridproofError, match=r"^sokoban cannot minimise 'shifts'; choose from actions, moves, pushes$"
    ):
        gp.improve(trace, "shifts")
    with pytest.raises(gp.GridproofError, match=r"^a trace is needed, not str$"):
        gp.improve("dRRRR")  # type: ignore[arg-type]
    looped = Trace(trace.start, trace_of(level_of(), "rl").steps, loop=0)
    with pytest.raises(gp.GridproofError, match=r"^the trace is a loop, which has no end$"):
        gp.improve(looped)
