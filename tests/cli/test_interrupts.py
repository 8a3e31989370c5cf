"""Ctrl-C during long work: the command ends at once, reports its progress, and leaves nothing broken."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gridproof as gp

from .conftest import COMMAND, OPEN, Terminal


def unsolvable_board(size: int) -> str:
    """Return a board of Shift It on which x, which is up alone, stays apart."""
    tiles = ["xrgb", "xggr", "xbrb", "xrrg", "xgbb", "xbgr", "xryb", "xgyr", "xbyg"]
    rows = [" ".join(itertools.islice(itertools.cycle(tiles), row, row + size)) for row in range(size)]
    return f"shiftit {size}x{size}\n" + "\n".join(rows) + "\n"


FAR = """shiftit 6x6
g    b    b    g r    o
gppg gppp b    p r    r
ooro ryyr r    p ogoo g
o    y    p    o yryy y
y    o    r    g p    p
y    p    oobb y b    g
"""
"""A board shifted about sixty times, with too many wins to list."""
FILES = {
    "packed.shiftit": unsolvable_board(4),
    "far.shiftit": FAR,
    "by-rules.shiftit": unsolvable_board(7),
    "open.xsb": OPEN,
}
LONG = [
    pytest.param(("explore", "shiftit/boards/25"), id="explore by ranks"),
    pytest.param(("explore", "packed.shiftit"), id="explore by kernel"),
    pytest.param(("explore", "by-rules.shiftit"), id="explore by rules"),
    pytest.param(("explore", "robots/yards/10", "--actors", "all"), id="explore with nature"),
    pytest.param(("solve", "far.shiftit"), id="solve by kernel"),
    pytest.param(("solve", "by-rules.shiftit"), id="solve by rules"),
    pytest.param(("solve", "open.xsb", "--minimise", "pushes"), id="solve by the game's solver"),
]


def with_files(arguments: tuple[str, ...], folder: Path) -> list[str]:
    """Return the arguments, with the folder's files for their names."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return [str(folder / item) if item in FILES else item for item in arguments]


@pytest.mark.long
@pytest.mark.parametrize("arguments", LONG)
def test_ctrl_c_on_a_terminal_ends_the_command(
    arguments: tuple[str, ...], tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    shown = terminal(*with_files(arguments, tmp_path), columns=200)
    shown.until("positions, ")  # after a second, and what is compiled for the first time
    shown.type("\x03")
    assert shown.end() == 130
    told = re.search(r"(Exploring|Solving) \S+: interrupted after ([\d,]+) positions, [\d.]+ s", shown.output)
    assert told, shown.output
    assert int(told[2].replace(",", "")) > 100
    assert "Traceback" not in shown.output


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explore", "solve"])
@pytest.mark.parametrize("delay", [0.6, 0.9, 1.2])
def test_ctrl_c_ends_the_command_at_any_time(command: str, delay: float, tmp_path: Path) -> None:
    """During imports, too: nothing is counted then, and Python may end by the signal itself."""
    arguments = with_files((command, "far.shiftit", "--json"), tmp_path)
    done = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(delay)
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=600)
    assert done.returncode in (130, -signal.SIGINT)
    assert out == ""
    assert re.fullmatch(r"(\w+ \S+: interrupted( after [\d,]+ positions, [\d.]+ s)?\n)?", err), err


START = """
import signal, sys
class Finder:
    left = int(sys.argv.pop(1))
    def find_spec(self, *_):
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)
import gridproof.cli
sys.meta_path.insert(0, Finder())
gridproof.cli.main()
"""
"""A program whose imports are counted; one of them is interrupted."""


@pytest.mark.parametrize("number", [1, 2, 3, 10, 50, 100, 150])
def test_ctrl_c_ends_the_command_while_modules_are_loaded(number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", START, str(number), "solve", "null/first/1"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.slow
def test_ctrl_c_stays_ignored_in_a_background_job() -> None:
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = subprocess.run(
        [sys.executable, "-c", ignore + START, "10", "games"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("start", [("-m", "gridproof"), ("-c", "from gridproof.cli import main; main()")])
def test_start_of_the_program_loads_little_before_it_notices_ctrl_c(start: tuple[str, ...]) -> None:
    """What is loaded before is too little for a person to interrupt."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *start, "games"],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    loaded = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]
    before = loaded[: loaded.index("gridproof.cli")]
    assert {name.partition(".")[0] for name in before} & {"typer", "json", "importlib.metadata"} == set()
    assert [name for name in before if name.startswith("gridproof")] == ["gridproof"]


LIBRARY = """
import pathlib, signal, sys, threading
import gridproof as gp
level = gp.read(pathlib.Path(sys.argv[1]))[0]
ask = lambda: getattr(gp, sys.argv[2])(level, limit=gp.Limit(states=30_000))
timer = threading.Timer(float(sys.argv[3]), signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
timer.start()
interrupted = 0
try:
    while True:
        last = ask().states
except KeyboardInterrupt:
    interrupted += 1
print(interrupted, ask().states)
"""


@pytest.mark.long
@pytest.mark.parametrize("command", ["explore", "solve"])
@pytest.mark.parametrize("delay", [0.05, 0.3, 0.8])
def test_next_command_works_after_ctrl_c(command: str, delay: float, tmp_path: Path) -> None:
    """At any moment, above all while compiled code loads."""
    (path,) = with_files(("far.shiftit",), tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", LIBRARY, path, command, str(delay)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=dict(os.environ),
    )
    assert (done.returncode, done.stderr) == (0, "")
    interrupted, states = map(int, done.stdout.split())
    assert interrupted == 1
    assert states == 30_000  # as many as were asked for


@pytest.mark.long
def test_next_command_works_after_interrupted_compilation(tmp_path: Path) -> None:
    (path,) = with_files(("packed.shiftit",), tmp_path)
    for delay in ("1", "2.5"):
        done = subprocess.run(
            [sys.executable, "-c", LIBRARY, path, "explore", delay],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / delay)},
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("1 ")


@pytest.mark.long
def test_ctrl_c_on_a_terminal_prints_the_best_improved_solution(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    level, given = tmp_path / "open.xsb", tmp_path / "given.json"
    level.write_text(OPEN)
    found = gp.solve(gp.read(level)[0], minimise=None).trace
    assert found
    found.save(given)
    shown = terminal(
        "improve", str(level), str(given), "--minimise", "moves", "--seconds", "600", columns=200
    )
    shown.until("positions, ")
    shown.type("\x03")
    assert shown.end() == 130
    assert re.search(rf"[\d,]+ moves, {len(found.steps):,} before; ", shown.output), shown.output
    assert "Traceback" not in shown.output
