"""Command line: one module for each command, a thin layer over the package.

A command is a function that returns an `ExitStatus`; its parameters are its arguments and options, and its
name is in `gridproof.cli.program.COMMANDS`. If its module has a class `Command`, the command is of that class.
Games add commands and options of their own (`gridproof.cli.plugin_commands`).
"""

from gridproof.cli.output import ExitStatus
from gridproof.cli.program import app, main

__all__ = ["ExitStatus", "app", "main"]
