"""Ends by signals, which leave no process and no hidden cursor."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from gridproof.cli import parallel_map, program
from gridproof.core.errors import GridproofError

from .conftest import COMMAND, OPEN, Terminal

WORKERS = parallel_map.Workers("processes", 2)
DIED = "its process died, perhaps because memory ran out (3 times)"

Solving = tuple[subprocess.Popen[str], list[psutil.Process]]


@pytest.fixture
def start_solve(tmp_path: Path) -> Iterator[Callable[..., Solving]]:
    """Start a process that solves levels without an end, and wait for its workers."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Solving:
        path = tmp_path / "open.xsb"
        path.write_text(f"{OPEN}\n" * 3)
        command = [*COMMAND, "solve", str(path), "--jobs", "2", *(options or ("--seconds", "100"))]
        inherited = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it would be ignored
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        signal.signal(signal.SIGHUP, inherited)
        started.append(process)
        whole = psutil.Process(process.pid)
        while sum(one.cpu_times().user > 0.5 for one in whole.children(recursive=True)) < 2:
            assert process.poll() is None
            time.sleep(0.05)
        return process, whole.children(recursive=True)

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_workers_end_with_the_process_that_started_them(
    start_solve: Callable[..., Solving], name: str
) -> None:
    process, others = start_solve()
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=600)
    assert process.returncode == -getattr(signal, name)
    assert out == ""
    assert "Traceback" not in err
    assert err == "" or name == "SIGKILL"  # of that, Python's own tracker of semaphores complains
    assert not psutil.wait_procs(others, timeout=600)[1]


@pytest.mark.long
def test_killed_worker_costs_no_level(start_solve: Callable[..., Solving], tmp_path: Path) -> None:
    table = tmp_path / "out.jsonl"
    process, others = start_solve("--seconds", "5", "--out", str(table))
    max(others, key=lambda one: one.cpu_times().user).kill()
    _, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (3, "")
    rows = [json.loads(line) for line in table.read_text().splitlines()]
    assert [row["verdict"] for row in rows] == ["open"] * 3
    assert not psutil.wait_procs(others, timeout=600)[1]


@pytest.mark.long
def test_level_whose_workers_die_is_an_error(start_solve: Callable[..., Solving], tmp_path: Path) -> None:
    table = tmp_path / "out.jsonl"
    process, _ = start_solve("--seconds", "2", "--out", str(table))
    whole, killed = psutil.Process(process.pid), set[int]()
    while process.poll() is None:  # a worker that had no task yet dies beside the nine
        for worker in whole.children():
            if worker.pid not in killed:
                killed.add(worker.pid)
                worker.kill()
        time.sleep(0.01)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 2
    assert {line.partition(": its")[2] for line in err.splitlines()} == {DIED.removeprefix("its")}
    assert len(err.splitlines()) == 3


@pytest.mark.slow
def test_cursor_is_restored_after_sigterm(tmp_path: Path, terminal: Callable[..., Terminal]) -> None:
    path = tmp_path / "open.xsb"
    path.write_text(OPEN)
    shown = terminal("solve", str(path), "--seconds", "100", columns=200)
    shown.until("\x1b[?25l")
    shown.signal(signal.SIGTERM)
    assert shown.end() == -signal.SIGTERM
    assert "\x1b[?25h" in shown.output
    assert "Traceback" not in shown.output


@pytest.mark.slow
def test_cursor_is_restored_when_watch_ends(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("watch", "null/first/3", "--delay", "100")
    shown.until("\x1b[?25l")
    shown.signal(signal.SIGTERM)
    assert shown.end() == -signal.SIGTERM
    assert "\x1b[?25h" in shown.output


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_sigterm_cleans_up_running_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number: int = getattr(signal, name)
    done: list[str] = []
    came: list[int] = []

    def work(**options: object) -> None:
        try:
            os.kill(os.getpid(), number)
            time.sleep(60)  # it does not come to that
        finally:
            done.append("in order")

    monkeypatch.setattr(program, "app", work)
    monkeypatch.setattr(signal, "raise_signal", came.append)  # it would end the tests
    monkeypatch.setattr(sys, "stdin", None)  # it was closed
    before = signal.signal(number, signal.SIG_DFL)
    try:
        program.main()
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert (done, came) == (["in order"], [number])


def test_ignored_signal_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(**options: object) -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        sys.exit(5)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        monkeypatch.setattr(program, "app", work)
        with pytest.raises(SystemExit):
            program.main()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def end_process(task: str) -> None:
    os._exit(1)


def fail(task: str) -> None:
    raise KeyError(task)


@pytest.mark.long
def test_ended_worker_is_an_error_of_its_task() -> None:
    function = f"{__name__}:end_process"
    answers = dict(parallel_map.run_calls(function, ["task"], WORKERS, "Solving", "levels"))
    assert [str(answer) for answer in answers.values()] == [DIED]
    with pytest.raises(GridproofError, match=re.escape(f"Solving: {DIED}")):
        parallel_map.map_calls(function, ["task"], WORKERS, "Solving", "levels")


@pytest.mark.slow
def test_errors_of_workers_are_raised_with_their_tracebacks() -> None:
    with pytest.raises(KeyError, match="task") as error:
        parallel_map.map_calls(f"{__name__}:fail", ["task"], WORKERS, "Solving", "levels")
    assert "in fail" in error.value.__notes__[0]
