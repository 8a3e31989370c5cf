"""Processes that are killed at any moment, or that share a database."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.store import Store

PLAYER = """
import sys
import gridproof as gp
from gridproof.store import Store
store = Store(sys.argv[1])
saved = store.saved()
session = store.resume(saved[0].id) if saved else gp.Session(gp.read("@......o", "null"), store=store)
print("ready", session.actions_done, flush=True)
while True:
    session.act("right" if session.actions_done % 2 == 0 else "left")
    print(session.actions_done, flush=True)
"""

WINNER = """
import sys
import gridproof as gp
from gridproof.store import Store
store = Store(sys.argv[1])
for detours in range(int(sys.argv[2]), 40, 2):
    session = gp.Session(gp.read(".@...o", "null"), store=store)
    for action in ["left", "right"] * detours + ["right"] * 4:
        session.act(action)
"""


def run(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.long
def test_fifty_kills_lose_no_answered_action(tmp_path: Path) -> None:
    url, chance = f"sqlite:///{tmp_path / 'store.sqlite'}", random.Random(2048)
    answered = 0
    for _ in range(50):
        player = run(PLAYER, url)
        assert player.stdout is not None
        assert player.stdout.readline().startswith("ready")
        told = [player.stdout.readline().strip() for _ in range(chance.randrange(8))]
        time.sleep(chance.uniform(0.0, 0.02))
        player.kill()
        told += player.stdout.read().split("\n")[:-1]  # a line that was cut has no end
        player.wait()
        store = Store(url)
        if told:
            answered, last = answered + len(told), int(told[-1])
            kept = store.resume(store.saved()[0].id).actions_done
            assert kept in (last, last + 1)  # the one after it may have been kept and not yet told
        store.close()
    assert answered > 100


@pytest.mark.slow
def test_two_processes_on_one_file_lose_no_change(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    players = [run(WINNER, url, str(first)) for first in (0, 1)]
    assert [player.wait(timeout=600) for player in players] == [0, 0]
    store = Store(url)
    level = gp.read(".@...o", "null")[0]
    assert len(store.traces(level)) == 40
    assert len(store.saved()) == 40
    assert store.best(level)["actions"].value == 4


@pytest.mark.slow
def test_ctrl_c_ends_game_that_waits_for_lock(tmp_path: Path) -> None:
    """It is over long before its patience with the lock."""
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    Store(url).close()
    player = run(PLAYER, url)
    assert player.stdout is not None
    assert player.stdout.readline().startswith("ready")
    first = player.stdout.readline()
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, timeout=600)
    other.execute("BEGIN IMMEDIATE")
    time.sleep(0.5)  # by now it waits
    player.send_signal(signal.SIGINT)
    assert player.wait(timeout=600) == -signal.SIGINT  # not for the lock
    told = [first, *player.stdout.read().split()]
    other.execute("ROLLBACK")
    other.close()
    kept = Store(url).resume(Store(url).saved()[0].id).actions_done
    assert kept - int(told[-1]) in (0, 1)  # the last one may have been kept and not yet told
