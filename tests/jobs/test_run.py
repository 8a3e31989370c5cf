"""Tests of tasks in this process and in several."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.memory import available_memory
from gridproof.jobs import SystemFailure, Task, processes, run

from . import tasks

TASKS = tasks.__name__
PLACES = ("here", pytest.param("processes", marks=pytest.mark.slow))


def task(key: object, function: str, *arguments: Any, **options: Any) -> Task:
    return Task(str(key), f"{TASKS}:{function}", arguments, options)


def squares(first: int, end: int) -> Iterator[Task]:
    return (task(number, "square", number) for number in range(first, end))


@pytest.mark.parametrize("where", PLACES)
def test_run_yields_result_of_each_task(where: str) -> None:
    results = run(squares(0, 20), where)
    values = {result.key: result.value for result in results}
    assert values == {str(number): number * number for number in range(20)}
    assert results.done == 20
    assert not results.is_compiling


@pytest.mark.parametrize("where", PLACES)
def test_run_reports_errors_of_functions_once(where: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    wrong = [
        task("wrong", "refuse_with_note", str(log)),
        task("broken", "break_down", 3),
        task("none", "nowhere"),
        Task("module", "gridproof.nowhere:run"),
        Task("value", "gridproof:__version__"),
        task("fine", "square", 3),
    ]
    found = {result.key: result for result in run(wrong, where)}
    assert {key: str(result.error) for key, result in found.items() if result.error} == {
        "wrong": "no level",
        "broken": "Unreadable: 3 and 3",
        "none": f"there is no function {TASKS}:nowhere: module {TASKS!r} has no attribute 'nowhere'",
        "module": "there is no function gridproof.nowhere:run: No module named 'gridproof.nowhere'",
        "value": "gridproof:__version__ is no function",
    }
    assert isinstance(found["wrong"].error, gp.GridproofError)
    assert not isinstance(found["wrong"].error, SystemFailure)
    assert isinstance(found["broken"].error, RuntimeError)
    assert "in break_down" in found["broken"].error.__notes__[0]
    assert found["fine"].value == 9
    assert log.read_text() == "begun\n"


@pytest.mark.parametrize("where", PLACES)
def test_run_gives_limit_to_functions_that_take_it(where: str) -> None:
    limit = gp.Limit(seconds=0.05, memory=1 << 30)
    (result,) = run([task("limited", "count_until_stopped")], where, limit)
    assert result.value == (0.05, 1 << 30)
    assert 0.05 <= result.seconds < 60


@pytest.mark.parametrize("where", PLACES)
def test_run_ends_when_stop_is_set(where: str) -> None:
    stop = threading.Event()
    endless = (task(number, "count_until_stopped") for number in range(1000))
    results = run(endless, where, gp.Limit(stop=stop))
    timer = threading.Timer(1.0, stop.set)
    timer.start()
    ended = list(results)
    timer.join()
    assert 1 <= len(ended) <= 2 * (os.cpu_count() or 1)
    assert {str(result.error) for result in ended} <= {"None", "it was stopped"}


@pytest.mark.slow
def test_run_ends_function_that_ignores_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE", 0.5)
    both = [task("late", "hang"), task("fine", "square", 2)]
    found = {result.key: result for result in run(both, "processes", gp.Limit(seconds=0.5), processes=2)}
    assert str(found["late"].error) == "no answer in time"
    assert isinstance(found["late"].error, SystemFailure)
    assert found["fine"].value == 4


@pytest.mark.slow
def test_run_limits_memory_of_each_task() -> None:
    both = [task("greedy", "take_memory", 2 << 30), task("fine", "take_memory", 1 << 20)]
    found = {result.key: result for result in run(both, "processes", gp.Limit(memory=1 << 28))}
    assert str(found["greedy"].error) == "not enough memory"
    assert found["fine"].value == 1 << 20


@pytest.mark.slow
def test_run_shares_memory_among_processes() -> None:
    shares = {result.value for result in run([task("share", "memory_share")], "processes", processes=2)}
    assert shares == {available_memory() // 4}
    (limited,) = run([task("share", "memory_share")], "processes", gp.Limit(memory=1 << 30))
    assert limited.value == 1 << 30


@pytest.mark.slow
def test_run_tries_task_of_dead_process_again(tmp_path: Path) -> None:
    once, always = tmp_path / "once", tmp_path / "always"
    all_tasks = [task("once", "die_once", str(once)), task("always", "die", str(always)), *squares(0, 10)]
    found = {result.key: result for result in run(all_tasks, "processes", processes=2)}
    assert found["once"].value == "done"
    assert isinstance(found["always"].error, SystemFailure)
    assert str(found["always"].error) == "its process died, perhaps because memory ran out (3 times)"
    assert [found[str(number)].value for number in range(10)] == [number**2 for number in range(10)]
    assert (len(once.read_text().splitlines()), len(always.read_text().splitlines())) == (2, 3)


@pytest.mark.slow
def test_closed_run_leaves_no_process() -> None:
    """The fixture `leaks` looks for processes and threads."""
    with run([task("own", "pid"), *(task(number, "hang") for number in range(9))], "processes") as results:
        number = next(results).value
        os.kill(number, 0)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
    pytest.fail("the worker goes on")


@pytest.mark.slow
def test_run_ends_all_work_at_ctrl_c() -> None:
    def interrupted() -> Iterator[Task]:
        yield task("hang", "hang")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        next(run(interrupted(), "processes"))


@pytest.mark.slow
def test_run_takes_tasks_when_there_is_work_for_them() -> None:
    taken = list[Task]()

    def noted() -> Iterator[Task]:
        for one in squares(0, 1000):
            taken.append(one)
            yield one

    with run(noted(), "processes", processes=2) as results:
        next(results)
    assert len(taken) < 10


@pytest.mark.slow
def test_run_notes_compilation_of_workers() -> None:
    with run([task("compile", "compile_for_long")], "processes", processes=1) as results:
        thread = threading.Thread(target=next, args=(results,))
        thread.start()
        deadline = time.monotonic() + 60
        while not results.is_compiling and time.monotonic() < deadline:
            time.sleep(0.01)
        assert results.is_compiling
        thread.join()
        assert not results.is_compiling


@pytest.mark.long
def test_run_does_not_count_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE", 0.5)
    (result,) = run([task("compile", "compile_for_long", 2.0)], "processes", gp.Limit(seconds=0.1))
    assert (result.value, result.error) == ("compiled", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([], "somewhere"), "where='somewhere': say here, processes, ray or ray://HOST:PORT"),
        (([], 3), "where=3: say here"),
        (([], "here", 60), "a limit is gridproof.Limit"),
    ],
)
def test_run_refuses_wrong_arguments(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(gp.GridproofError, match=words):
        run(*arguments)


@pytest.mark.parametrize(("where", "number"), [("here", 2), ("processes", 0), ("processes", "2")])
def test_run_refuses_wrong_number_of_processes(where: str, number: Any) -> None:
    with pytest.raises(gp.GridproofError, match="processes="):
        run([], where, processes=number)


def test_run_refuses_equal_keys_and_other_values() -> None:
    results = run([task(1, "square", 1), task(1, "square", 2)])
    assert next(results).value == 1
    with pytest.raises(gp.GridproofError, match="two tasks have the key '1'"):
        next(results)
    with pytest.raises(gp.GridproofError, match=r"a task is gridproof\.jobs\.Task"):
        next(run([max]))  # type: ignore[list-item]  # on purpose


@pytest.mark.parametrize("arguments", [("", "a:b"), (1, "a:b"), ("1", "a"), ("1", max)])
def test_task_refuses_wrong_values(arguments: tuple[Any, Any]) -> None:
    with pytest.raises(gp.GridproofError, match="of a task is"):
        Task(*arguments)


def test_run_on_ray_needs_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(gp.GridproofError, match=r"Ray is not installed: pip install 'gridproof\[ray\]'"):
        run([], "ray")


def test_tasks_of_built_in_functions_have_no_limit() -> None:
    assert next(run([Task("1", "builtins:max", (1, 2))], limit=gp.Limit(seconds=1))).value == 2
