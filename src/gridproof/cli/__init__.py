"""Command line: one module for each command, a thin layer over the package.

A command is a function that returns an `ExitStatus`; its parameters are its arguments and options, and its
name is in `gridproof.cli.program.COMMANDS`. If its module has a class `Command`, the command is of that class.
Games add commands and options of their own (`gridproof.cli.plugin_commands`).

The names of this package are loaded when they are first used, so that `main` notices Ctrl-C before.
"""

from __future__ import annotations

import importlib
import os
import signal
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from gridproof.cli.output import ExitStatus
    from gridproof.cli.program import app

__all__ = ["ExitStatus", "app", "main"]

_HOMES = {"ExitStatus": "output", "app": "program"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def main() -> None:
    """Run the program `gridproof`; Ctrl-C ends it without a traceback while its modules are loaded, too."""
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, _end)
    from gridproof.cli import program

    if hears:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    program.main()


def _end(number: int, frame: object) -> NoReturn:
    """End the process at once: an exception could be lost in callbacks of imports, and no work has begun."""
    os._exit(130)  # ExitStatus.INTERRUPTED, which is not loaded yet
