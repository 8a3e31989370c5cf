"""Ends by signals, which leave no process and no hidden cursor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from gridproof.cli import process_pool, program
from gridproof.core.errors import GridproofError

from .conftest import COMMAND, OPEN, Terminal

Solving = tuple[subprocess.Popen[str], list[psutil.Process]]


@pytest.fixture
def start_solve(tmp_path: Path) -> Iterator[Callable[[], Solving]]:
    """Start a process that solves levels without an end, and wait for its workers."""
    started: list[subprocess.Popen[str]] = []

    def start() -> Solving:
        path = tmp_path / "open.xsb"
        path.write_text(f"{OPEN}\n" * 3)
        command = [*COMMAND, "solve", str(path), "--jobs", "2", "--seconds", "100"]
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_workers_end_with_the_process_that_started_them(
    start_solve: Callable[[], Solving], name: str
) -> None:
    process, others = start_solve()
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=600)
    assert process.returncode == -getattr(signal, name)
    assert out == ""
    assert "Traceback" not in err
    assert err == "" or name == "SIGKILL"  # of that, Python's own tracker of semaphores complains
    assert not psutil.wait_procs(others, timeout=600)[1]


@pytest.mark.slow
def test_killed_worker_is_an_error(start_solve: Callable[[], Solving]) -> None:
    process, others = start_solve()
    max(others, key=lambda one: one.cpu_times().user).kill()
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out) == (2, "")
    assert err == "error: a worker process was killed, perhaps because memory ran out\n"
    assert not psutil.wait_procs(others, timeout=600)[1]


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


def test_worker_ends_without_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        joined = False

        def join(self) -> None:
            self.joined = True

    parent, ended = Gone(), list[int]()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(os, "_exit", ended.append)
    process_pool._exit_with_parent()
    assert (parent.joined, ended) == (True, [1])


def test_errors_of_workers_are_errors_of_the_command() -> None:
    from concurrent.futures.process import BrokenProcessPool

    class Pool:
        def map(self, *arguments: object) -> object:
            raise BrokenProcessPool

    with pytest.raises(GridproofError, match="a worker process was killed, perhaps because memory ran out"):
        list(process_pool._in_order(Pool(), str, []))  # type: ignore[arg-type]  # it stands in for a pool
