"""A PostgreSQL server of our own, where its programs are installed (`make postgresql`)."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
INITDB = shutil.which("initdb") or (str(PROGRAMS[-1] / "initdb") if PROGRAMS else None)

Control = Callable[[str], None]
"""Starts, restarts or stops the server."""


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """Where another user may write, who runs the server where we are root; other runs of pytest close its folders."""
    with tempfile.TemporaryDirectory(prefix="gridproof-postgresql-") as name:
        Path(name).chmod(0o777)
        yield Path(name)


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Control]:
    """A server on a socket in a folder, as long as the block runs."""
    programs = Path(str(INITDB)).parent
    data = folder / "data"
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    run(*user, programs / "initdb", "-D", data, "-A", "trust", "-U", "gridproof")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder}"

    def control(what: str) -> None:
        how: list[str | Path] = ["-m", "immediate"] if what != "start" else []
        log: list[str | Path] = ["-o", options, "-l", folder / "log"] if what != "stop" else []
        run(*user, programs / "pg_ctl", "-D", data, "-w", *how, *log, what)

    control("start")
    try:
        yield control
    finally:
        control("stop")


def url_in(folder: Path) -> str:
    """The address of the database of the server in a folder."""
    return f"postgresql+psycopg://gridproof@/postgres?host={folder}"


def run(*command: str | Path) -> None:
    """Run a command, which must succeed."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")
