"""Runs pytest in children of one process, which has loaded what takes long once: libraries, nothing of the project.

Reads lines of JSON, the arguments of a run; answers each with a line: how pytest ended, as `os.waitstatus_to_exitcode`
has it, and what it printed. Run in the folder of a copy of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import tempfile

LIBRARIES = (
    "pytest", "pytest_asyncio.plugin", "pytest_cov.plugin", "syrupy", "hypothesis.strategies", "numpy",
    "numba", "sqlalchemy.orm", "rich.console", "rich.table", "textual.app", "lark",
)  # fmt: skip
"""What most tests load, or pytest does."""

PROCESSOR = 600
"""Seconds of the processor's time that a run may take: the fast tests take a fifth of them."""
CLOCK = 3600
"""Seconds by the clock, for what waits for ever."""
MEMORY = 8 << 30
"""Bytes of memory that a process may ask for."""


def run(arguments: list[str]) -> tuple[int, str]:
    """How a run of pytest ends, and what it prints."""
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if not child:
            _test(arguments, out.fileno())
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # whatever it has started
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read().decode(errors="replace")


def _test(arguments: list[str], out: int) -> None:
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, instead in enumerate((nothing, out, out)):
        os.dup2(instead, descriptor)
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.alarm(CLOCK)
    code = 3  # pytest's own for an error of its own
    try:
        code = int(importlib.import_module("pytest").main(arguments))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
