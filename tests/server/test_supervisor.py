"""Tests of the supervisor: it stops server processes at any moment, and restarts processes that end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from gridproof.server.multiprocess.supervisor import MOST_SHORT, can_share

pytestmark = pytest.mark.skipif(not can_share(), reason="this system cannot hand over connections")

SCRIPT = """
import os, select, sys, time
from gridproof.server.multiprocess import supervisor as processes
processes.PATIENCE = 1e6  # nothing is killed
{settings}
def work(number, gone):
    os.write(1, b"began %d\\n" % number)  # at once: they share the pipe
    {work}
print("here", flush=True)
processes.Supervisor(2, work).run()
"""
WAITING = "while not select.select([gone], [], [], 0.1)[0]: pass"
"""Python handles a signal that comes just before a call sleeps only after that call: each is short."""


def started(work: str, settings: str = "") -> subprocess.Popen[str]:
    script = SCRIPT.format(work=work, settings=settings)
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_supervisor_stops_on_signal_at_any_moment(number: int) -> None:
    for pause in (0.0, 0.0, 0.002, 0.005, 0.01, 0.02, 0.05):
        process = started(WAITING)
        assert process.stdout
        assert process.stdout.readline() == "here\n"
        time.sleep(pause)
        process.send_signal(number)
        _, told = process.communicate(timeout=600)
        assert process.returncode in (0, -number, 1)  # 1: before any has begun
        assert "Process" not in told  # no traceback of a child's


IGNORING = f"""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(1, b'deaf\\n')
    {WAITING}
"""


@pytest.mark.parametrize(
    ("work", "settings", "lines"),
    [(WAITING, "", 3), (IGNORING, "import signal; processes.PATIENCE = 0.05", 5)],
    ids=["they listen", "they are killed"],
)
def test_processes_end_when_first_is_terminated(work: str, settings: str, lines: int) -> None:
    process = started(work, settings)
    try:
        assert process.stdout
        for _ in range(lines):
            process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGTERM
    finally:
        process.kill()  # with it, both end
        process.communicate()


def test_processes_end_when_first_is_killed() -> None:
    process = started(WAITING)
    assert process.stdout
    told = [process.stdout.readline() for _ in range(3)]
    assert sorted(told) == ["began 0\n", "began 1\n", "here\n"]
    process.kill()
    process.communicate(timeout=600)  # both have closed the pipe


@pytest.mark.slow
def test_supervisor_gives_up_when_process_cannot_start() -> None:
    raising = "raise processes.GridproofError('the store is away')"
    process = started(raising, "processes.PAUSE = 0.0")
    _, told = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "could not start a server process: the store is away\n" in told
    assert "the server processes exit at once; see the errors above" in told


@pytest.mark.slow
def test_supervisor_restarts_processes_that_have_served() -> None:
    process = started(f"if not number:\n        {WAITING}", "processes.SHORT = processes.PAUSE = 0.0")
    assert process.stdout
    begun = [process.stdout.readline() for _ in range(3 + 2 * MOST_SHORT)]
    assert begun.count("began 1\n") > MOST_SHORT
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    assert process.returncode == -signal.SIGTERM


TURN = """
import os, time
from gridproof.server.multiprocess.supervisor import ProcessLock
turn = ProcessLock()
ready, going = os.pipe()
if not (child := os.fork()):
    with turn:
        os.write(going, b"x")
        time.sleep(1e6)
os.read(ready, 1)
waiting = os.fork()
if not waiting:
    with turn:
        os._exit(7)
time.sleep(0.05)
print(os.waitpid(waiting, os.WNOHANG), flush=True)
os.kill(child, 9)
print(os.waitstatus_to_exitcode(os.waitpid(waiting, 0)[1]), flush=True)
"""


def test_process_lock_is_released_when_holder_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TURN], capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout.split("\n") == ["(0, 0)", "7", ""]
