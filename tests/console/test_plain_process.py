"""Plain play as people and programs meet it: a process, a pipe, a terminal."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gridproof as gp

COMMAND = (sys.executable, "-m", "gridproof", "play", "--no-keep")


def run_with_input(*arguments: str, input: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=input, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.slow
def test_plain_play_reads_pipe() -> None:
    done = run_with_input("null/first/1", "--plain", input="right\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("You have won!\nGood-bye!\n")


@pytest.mark.slow
def test_end_of_pipe_ends_game(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    done = run_with_input("null/first/3", "--plain", "--save", str(path), input="left\nleft")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Good-bye!\n")
    assert len(gp.Trace.load(path).steps) == 2


@pytest.mark.slow
def test_invalid_bytes_are_refused_as_input() -> None:
    done = subprocess.run(
        [*COMMAND, "null/first/1"],
        input=b"\xff\xfe\x00\nright\n",
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You have won!" in done.stdout


@pytest.mark.slow
def test_level_is_refused_from_terminal_input() -> None:
    done = run_with_input("-", "--game", "null", input=".@o\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: give a file for the level; standard input is for your typing\n"


@pytest.mark.slow
def test_json_lines_read_pipe() -> None:
    done = run_with_input("null/first/1", "--json", input="right\n")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in lines][-2:] == ["won", "farewell"]


@pytest.mark.slow
def test_failure_to_save_trace_is_reported_after_farewell() -> None:
    done = run_with_input("null/first/1", "--save", "/dev/full", input="right\n")
    assert done.returncode == 2
    assert done.stdout.endswith("Good-bye!\n")
    assert done.stderr == "error: /dev/full: No space left on device\n"


def test_ctrl_c_at_prompt_ends_with_farewell_and_status_0() -> None:
    done = subprocess.Popen(
        [*COMMAND, "null/first/1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert done.stdout
    shown = b""
    while not shown.endswith(b"hop? "):
        shown += done.stdout.read(1)
    time.sleep(0.1)
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=600)
    assert (done.returncode, out, err) == (0, b"\nGood-bye!\n", b"")


@pytest.mark.slow
def test_terminal_echoes_input_once() -> None:
    pid, handle = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [*COMMAND, "--plain", "null/first/1"], {**os.environ, "COLUMNS": "80"})
    shown = ""
    while not shown.endswith("hop? "):
        assert select.select([handle], [], [], 600)[0]
        shown += os.read(handle, 1024).decode()
    os.write(handle, b"right\n")
    rest = ""
    try:
        while data := os.read(handle, 1024):
            rest += data.decode()
    except OSError:
        pass  # the other side is closed
    os.close(handle)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert rest.replace("\r", "") == "right\n\n..@\n\nactions 1\nYou have won!\nGood-bye!\n"
