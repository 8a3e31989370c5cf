"""The program round the commands: exit statuses, errors as one line, closed pipes, Ctrl-C."""

from __future__ import annotations

import enum
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

import gridproof
from gridproof.cli.output import error_data, print_json
from gridproof.core.errors import GridproofError
from gridproof.play.text import printable

COMMANDS = {
    "games": "listing",
    "levels": "listing",
    "play": "playing",
    "watch": "watching",
    "show": "showing",
    "replay": "replaying",
    "solve": "solving",
    "explore": "exploring",
    "model": "modelling",
    "generate": "generating",
    "convert": "converting",
    "warm": "warming",
    "bench": "benching",
}
"""Command -> module of this package with a function of that name; imported when it is asked for."""

SETTINGS = {"help_option_names": ["-h", "--help"]}


class ExitStatus(enum.IntEnum):
    """What the shell is told."""

    DONE = 0
    """Done, or yes."""
    NO = 1
    """No, refuted, or an action that cannot be executed."""
    WRONG = 2
    """Wrong usage or input."""
    LIMIT = 3
    """A limit was reached without an answer."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it."""
    CLOSED = 141
    """The reader of a pipe has gone, as shells count it."""


class Program(TyperGroup):
    """All commands; whatever ends them becomes an exit status here."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name.

        Raises
        ------
        GridproofError
            When there is none.
        """
        if cmd_name not in COMMANDS:
            raise GridproofError(f"no command {cmd_name!r}: there are {', '.join(COMMANDS)}")
        module = importlib.import_module(f"{__package__}.{COMMANDS[cmd_name]}")
        alone = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
        alone.command(cmd_name, cls=getattr(module, "Command", None))(getattr(module, cmd_name))
        return get_command(alone)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *_: object,
        **extra: Any,
    ) -> NoReturn:
        """Run a command and exit."""
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            status = self._answer(arguments, prog_name or "gridproof")
            sys.stdout.flush()
        except BrokenPipeError:
            _give_up_output()
            status = ExitStatus.CLOSED
        sys.exit(status)

    def _answer(self, arguments: list[str], name: str) -> int:
        try:
            with self.make_context(name, list(arguments)) as context:
                return int(self.invoke(context) or ExitStatus.DONE)
        except typer.Exit as exit_:
            return exit_.exit_code
        except KeyboardInterrupt:
            return ExitStatus.INTERRUPTED
        except typer.TyperException as error:
            return _report(error, error.format_message(), arguments)
        except GridproofError as error:
            return _report(error, str(error), arguments)


def _report(error: Exception, message: str, arguments: list[str]) -> ExitStatus:
    """Say what is wrong: a line to a person, and JSON to a program that has asked for it."""
    sys.stdout.flush()
    typer.echo(f"error: {printable(message)}", err=True)
    if "--json" in arguments:
        print_json(error_data(error, message))
    return ExitStatus.WRONG


def _give_up_output() -> None:
    """Nobody reads any more: what is still in the buffer goes nowhere, without a complaint at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    name="gridproof",
    cls=Program,
    help="Grid puzzles that you can play, solve, prove and learn on.",
    epilog="A LEVEL is a file, FILE#3 for its third level, a level that comes with a game such as "
    "sokoban/first-steps/3, or - for standard input. Exit status: 0 yes or done, 1 no, "
    "2 wrong usage or input, 3 a limit was reached without an answer; 130 after Ctrl-C (play: 0), 141 when the "
    "reader of a pipe has gone.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gridproof {gridproof.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Without a command, say which there are."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """The entry point of the program `gridproof`."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:  # foreign characters are shown as well as they can be, and never end a game
            reconfigure(errors="replace")
    app(prog_name="gridproof")
