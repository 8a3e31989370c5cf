"""The command line: one module for each group of commands, all thin over the package.

A command is a function that returns an `ExitStatus`; its parameters are its arguments and options, and its
name stands in `gridproof.cli.program.COMMANDS`. A class `Command` in its module is what it is made of.
Games add commands and options of their own (`gridproof.cli.own`).
"""

from gridproof.cli.program import ExitStatus, app, main

__all__ = ["ExitStatus", "app", "main"]
