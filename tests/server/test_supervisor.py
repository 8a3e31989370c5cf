"""Processes that serve together: they end when they are told to, at any moment, and are begun again when they end."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from gridproof.play.web.processes import MOST_SHORT, can_share

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_share(), reason="this system cannot hand over connections"),
]

SCRIPT = """
import os, select, sys, time
from gridproof.play.web import processes
processes.PATIENCE = 1e6  # nothing is killed
{settings}
def work(number, gone):
    os.write(1, b"began %d\\n" % number)  # at once: they share the pipe
    {work}
print("here", flush=True)
processes.Processes(2, work).run()
"""


def started(work: str, settings: str = "") -> subprocess.Popen[str]:
    script = SCRIPT.format(work=work, settings=settings)
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_they_end_whenever_they_are_told_to(number: int) -> None:
    for pause in (0.0, 0.0, 0.002, 0.005, 0.01, 0.02, 0.05):
        process = started("time.sleep(1e6)")
        assert process.stdout
        assert process.stdout.readline() == "here\n"
        time.sleep(pause)
        process.send_signal(number)
        _, told = process.communicate(timeout=600)
        assert process.returncode in (0, -number, 1)  # 1: before any has begun
        assert "Process" not in told  # no traceback of a child's


def test_they_end_with_the_first_one_also_when_that_is_killed() -> None:
    process = started("select.select([gone], [], [])")
    assert process.stdout
    told = [process.stdout.readline() for _ in range(3)]
    assert sorted(told) == ["began 0\n", "began 1\n", "here\n"]
    process.kill()
    process.communicate(timeout=600)  # both have closed the pipe


def test_one_that_cannot_begin_is_told_of_and_in_the_end_given_up() -> None:
    raising = "raise processes.GridproofError('the store is away')"
    process = started(raising, "processes.PAUSE = 0.0")
    _, told = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "a process of the server cannot begin: the store is away\n" in told
    assert "the server's processes end as soon as they begin" in told


def test_once_they_have_served_they_are_begun_again_as_often_as_needed() -> None:
    process = started("time.sleep(0.0 if number else 1e6)", "processes.SHORT = processes.PAUSE = 0.0")
    assert process.stdout
    begun = [process.stdout.readline() for _ in range(3 + 2 * MOST_SHORT)]
    assert begun.count("began 1\n") > MOST_SHORT
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    assert process.returncode == -signal.SIGTERM


TURN = """
import os, time
from gridproof.play.web.processes import Turn
turn = Turn()
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


def test_a_turn_is_waited_for_and_given_back_by_who_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TURN], capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout.split("\n") == ["(0, 0)", "7", ""]
