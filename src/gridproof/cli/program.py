"""The program round the commands: exit statuses, errors as one line, closed pipes, full disks, Ctrl-C, SIGTERM."""

from __future__ import annotations

import contextlib
import enum
import functools
import gc
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

import gridproof
from gridproof.cli.output import error_data, print_json
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.loading import ENDING
from gridproof.core.registry import games
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
    "analyse": "analysing",
    "improve": "improving",
    "check": "checking",
    "value": "valuing",
    "verify": "verifying",
    "generate": "generating",
    "convert": "converting",
    "warm": "warming",
    "serve": "serving",
    "bench": "benching",
    "evaluate": "evaluating",
}
"""Command -> module of this package with a function of that name; imported when it is asked for."""


def _added() -> dict[str, Game]:
    """The commands that games add, each with its game."""
    return {name: game for game in games() for name in game.commands if name not in COMMANDS}


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
    FAULT = 70
    """An error of the program itself; nothing is said of what was asked."""
    INTERRUPTED = 130
    """Ctrl-C, as shells count it."""
    CLOSED = 141
    """The reader of a pipe has gone, as shells count it."""


class Program(TyperGroup):
    """All commands; whatever ends them becomes an exit status here."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names: those of the table in its order, then what games add."""
        return [*COMMANDS, *_added()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name.

        Raises
        ------
        GridproofError
            When there is none.
        """
        if cmd_name in COMMANDS:
            return _command(cmd_name)
        if owner := _added().get(cmd_name):
            from gridproof.cli.own import own_command

            return _command_of(cmd_name, own_command(cmd_name, owner))
        raise GridproofError(f"no command {cmd_name!r}: there are {', '.join(self.list_commands(ctx))}")

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of the program itself."""
        return _read_lightly(super().get_params(ctx))

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
            status = ExitStatus.CLOSED
        except OSError as error:
            status = ExitStatus.WRONG
            _complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
        _give_up_what_fails()
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


@functools.cache
def _command(name: str) -> Any:
    """A command of the table."""
    module = importlib.import_module(f"{__package__}.{COMMANDS[name]}")
    return _command_of(name, getattr(module, name), getattr(module, "Command", None))


def _command_of(name: str, function: Callable[..., Any], kind: Any = None) -> Any:
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
    alone.command(name, cls=kind)(function)
    command = get_command(alone)
    given = command.get_params
    vars(command)["get_params"] = lambda context: _read_lightly(given(context))
    return command


def _read_lightly(parameters: list[Any]) -> list[Any]:
    """The parameters, which take texts and defaults as they are: what typer reads the rest with is slow to load."""
    for parameter in parameters:
        parameter.process_value = functools.partial(_read, parameter)
    return parameters


def _read(parameter: Any, context: Any, value: Any) -> Any:
    source, single = (
        context.get_parameter_source(parameter.name),
        parameter.nargs == 1 and not parameter.multiple,
    )
    text = isinstance(value, str) and parameter.type_descriptor.annotation is str
    default = (
        source is not None and source.name == "DEFAULT" and (value is not None or not parameter.required)
    )
    if not single or not (text or default):
        return type(parameter).process_value(parameter, context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _report(error: Exception, message: str, arguments: list[str]) -> ExitStatus:
    """Say what is wrong: a line to a person, and JSON to a program that has asked for it."""
    sys.stdout.flush()
    _complain(message)
    if "--json" in arguments:
        print_json(error_data(error, message))
    return ExitStatus.WRONG


def _complain(message: str) -> None:
    with contextlib.suppress(OSError):  # nobody can be told
        typer.echo(f"error: {printable(message)}", err=True)


def _give_up_what_fails() -> None:
    """Discard all further output, silently: its reader has gone, or a disk is full."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


app = typer.Typer(
    name="gridproof",
    cls=Program,
    help="Grid puzzles that you can play, solve, prove and learn on.",
    epilog="A LEVEL is a file, FILE#3 for its third level, a level that comes with a game such as "
    "sokoban/first-steps/3, or - for standard input. Exit status: 0 yes or done, 1 no, "
    "2 wrong usage or input, 3 a limit was reached without an answer; 70 an error of the program itself, 130 after Ctrl-C (play: 0), 141 when the "
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


class _Terminated(BaseException):
    """A signal that ends programs has come; Ctrl-C has an exception of its own."""


def _terminate(number: int, frame: object) -> NoReturn:
    raise _Terminated(number)


def main() -> None:
    """The entry point of the program `gridproof`."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # it was closed; the null device, read only, refuses what is written
            setattr(sys, name, open(os.devnull))  # noqa: SIM115  # it stays open
        elif reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # foreign characters never end a game
    heard = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in heard:
        signal.signal(number, _terminate)
    try:
        app(prog_name="gridproof")
    except Exception:  # noqa: BLE001  # whatever it is, it is no answer: Python's own status, 1, would be one
        with contextlib.suppress(OSError):
            traceback.print_exc()
        sys.exit(ExitStatus.FAULT)
    except _Terminated as error:  # the cursor is back, the workers have ended, files are whole
        (came,) = error.args
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)
        gc.freeze()  # what is loaded ends with the process: nobody need look for garbage in it
    signal.raise_signal(came)  # as a program ends that is terminated
