"""The full screen ends by signals and with its terminal, even when it is blocked."""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator

import psutil
import pytest
from tests.sizes import size

from gridproof.terminal.signals import Signals

PATIENCE = 600.0
"""Seconds until a busy machine shows something."""
LONGEST = 60.0  # on a busy machine; a program that hangs stays for ever
"""Largest number of seconds until the end on a busy machine; on an idle one it takes less than two."""


BEGIN = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it would be ignored
if os.getsid(0) != os.getpid():
    os.login_tty(os.dup(0))  # the terminal's own session, which is told when it is closed
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class Screen:
    """The program in the full screen of its own terminal, which may refuse output."""

    def __init__(self, *arguments: str, leader: bool = True) -> None:
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (30, 90))
        self.process = subprocess.Popen(
            [sys.executable, "-ISc", BEGIN, "-m", "gridproof", "play", *arguments, "--no-keep"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=not leader,
        )
        os.close(theirs)
        self.shown = b""

    def until(self, text: bytes) -> None:
        """Read until a text is shown."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            self.read(1.0)

    def read(self, seconds: float) -> None:
        """Read what is written meanwhile."""
        if select.select([self.ours], [], [], seconds)[0]:
            self.shown += os.read(self.ours, 65536)

    def read_for(self, seconds: float) -> None:
        """Read for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.process.poll() is None:
            with contextlib.suppress(OSError):
                self.read(left)

    def clog(self) -> None:
        """Draw more than the terminal accepts, without reading, until the program blocks."""
        used, still = -1.0, 0
        while still < 3:
            os.write(self.ours, b"?\x1b[27;1u" * 3)
            time.sleep(0.1)
            spent = sum(psutil.Process(self.process.pid).cpu_times()[:2])
            still, used = (still + 1 if spent == used else 0), spent

    def hang_up(self) -> None:
        """Close the terminal."""
        ours, self.ours = self.ours, -1
        os.close(ours)

    def wait(self) -> int:
        """Wait for the end, and return the status."""
        return self.process.wait(timeout=LONGEST)

    def close(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait()
        if self.ours >= 0:
            self.hang_up()


@pytest.fixture
def screen() -> Iterator[Callable[..., Screen]]:
    """Start the full screen in a terminal of its own."""
    opened: list[Screen] = []

    def open_one(*arguments: str, leader: bool = True) -> Screen:
        opened.append(Screen(*arguments, leader=leader))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def _end(screen: Screen, end: str) -> None:
    """End a program in one of several ways, and wait."""
    if end.startswith("SIG"):
        screen.process.send_signal(getattr(signal, end))
    else:
        screen.hang_up()
    number = getattr(signal, end) if end.startswith("SIG") else signal.SIGHUP
    assert screen.wait() in ((-number, 130) if end == "SIGINT" else (-number,))


ENDS = ("SIGTERM", "SIGHUP", "SIGINT", "closed", "closed without a signal")


@pytest.mark.long
@pytest.mark.parametrize(
    ("end", "clogged"), [*((end, False) for end in ENDS[1:]), ("SIGTERM", True), ("closed", True)]
)
def test_full_screen_ends_with_its_terminal(screen: Callable[..., Screen], end: str, clogged: bool) -> None:
    shown = screen("null/first/1", leader=end != ENDS[-1])
    shown.until(b"moves")
    if clogged:
        shown.clog()
    _end(shown, end)


@pytest.mark.long
@pytest.mark.parametrize("end", ENDS)
def test_full_screen_ends_with_its_terminal_many_times(screen: Callable[..., Screen], end: str) -> None:
    rng = random.Random(end)
    for number in range(size("endings", 6)):
        shown = screen("sokoban/first-steps/1", leader=end != ENDS[-1])
        shown.until(b"\x1b[?1049h")
        shown.read_for(rng.uniform(0, 1.5))
        if number % 2:
            shown.clog()
        _end(shown, end)
        shown.close()


STUCK = """
import os, pty, queue, signal, sys, threading
from gridproof.terminal import signals
ours, theirs = pty.openpty()
sys.__stdin__ = os.fdopen(theirs)
signals.GRACE_PERIOD = 0.05
signals.POLL_INTERVAL = 0.02
with signals.Signals(lambda: None):
    print("ready", flush=True)
    if sys.argv[1] == "closed":
        os.close(ours)
    elif sys.argv[1] == "another thread":  # its signal does not wake the main thread
        kill = lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        threading.Timer(0.5, kill).start()
    queue.Queue(1).get()
"""


@pytest.mark.parametrize("end", ["SIGTERM", "closed", "another thread"])
def test_signals_end_blocked_application(end: str) -> None:
    with subprocess.Popen([sys.executable, "-c", STUCK, end], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if end == "SIGTERM":
            process.terminate()
        assert process.wait(timeout=PATIENCE) == (-signal.SIGHUP if end == "closed" else -signal.SIGTERM)


def test_signal_handlers_are_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as stream:
        monkeypatch.setattr(sys, "__stdin__", stream)
        numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGALRM)
        before = [signal.getsignal(number) for number in numbers]
        ended: list[bool] = []
        with Signals(lambda: ended.append(True)) as signals:
            assert [signal.getsignal(number) for number in numbers] != before
        assert [signal.getsignal(number) for number in numbers] == before
        assert (signals.received, ended) == (None, [])
    os.close(ours)


TIMER = """
import atexit, os, signal, sys
atexit.register(lambda: print(signal.getitimer(signal.ITIMER_REAL)[0]))  # runs last
from gridproof.terminal.signals import Signals
with Signals(lambda: None):
    os.kill(os.getpid(), signal.SIGINT)
print(signal.getitimer(signal.ITIMER_REAL)[0] > 0)
sys.exit(130)
"""


def test_timer_ends_before_python_gives_up_its_handlers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TIMER], check=False, capture_output=True, text=True, timeout=600
    )
    assert (done.returncode, done.stdout) == (130, "True\n0.0\n")
