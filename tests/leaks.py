"""Leaks of a test: threads, child processes, open files and sockets, and temporary files."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time
from multiprocessing import resource_tracker
from pathlib import Path

PATIENCE = 20.0
"""Seconds in which what a test has told to end may end on a busy machine."""

GARBAGE = 0.2
"""Seconds before garbage is looked for, which takes as long."""

ROOT = Path(__file__).parents[1]
PROCESS = "/proc/self"
SYSTEM = ("/dev/", "/proc/", "/sys/")
SHARED_MEMORY = ".org.chromium.Chromium."
"""How names of Chromium's shared memory begin; a page that has gone may leave some until the browser ends."""


def list_resources() -> set[str]:
    """List the threads, and on Linux also the child processes and open files, of this process, and its temporary files."""
    threads = {f"thread {thread.name} {thread.ident}" for thread in threading.enumerate()}
    files = {
        f"file {name}" for name in os.listdir(tempfile.gettempdir()) if not name.startswith(SHARED_MEMORY)
    }
    return threads | files | _child_processes() | _open_files()


def wait_until_released(before: set[str]) -> set[str]:
    """Return the resources that are there now and were not there before, as soon as there are none, or in the end."""
    for seconds in (GARBAGE, PATIENCE):
        deadline = time.monotonic() + seconds
        while (left := list_resources() - before) and time.monotonic() < deadline:
            time.sleep(0.01)
        if not left:
            break
        gc.collect()  # what nobody can reach is not left behind
    return left


def list_checkout() -> set[str]:
    """List what lies in the checkout, but for what tools keep there and what `make` makes."""
    return {name for name in os.listdir(ROOT) if name[0] != "."} - {"build", "dist", "site"}


def _child_processes() -> set[str]:
    tasks = f"{PROCESS}/task"
    numbers = {number for task in _list(tasks) for number in _read(f"{tasks}/{task}/children").split()}
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)  # Python has one for each process
    return {f"process {number}" for number in numbers if number != str(tracker)}


def _open_files() -> set[str]:
    """List the open files and sockets, but for devices and the files of the system itself."""
    links = {_target(f"{PROCESS}/fd/{number}") for number in _list(f"{PROCESS}/fd")}
    return {link for link in links if link.startswith(("socket:", "/")) and not link.startswith(SYSTEM)}


def _list(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []  # the system has none


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""  # its thread has ended


def _target(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""  # it has been closed
