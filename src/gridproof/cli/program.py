"""The program around the commands: exit statuses, one-line errors, closed pipes, full disks, Ctrl-C, SIGTERM."""

from __future__ import annotations

import contextlib
import functools
import gc
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
from gridproof.cli.output import ExitStatus, error_data, print_json
from gridproof.core.errors import GridproofError
from gridproof.core.extension import function_table
from gridproof.core.game import Game
from gridproof.core.lazy_import import END_SIGNALS, load
from gridproof.core.registry import games
from gridproof.core.text.display import printable
from gridproof.core.text.phrases import suggestion

COMMANDS = (
    "games",
    "levels",
    "play",
    "daily",
    "watch",
    "show",
    "replay",
    "solve",
    "explore",
    "analyse",
    "improve",
    "check",
    "value",
    "verify",
    "generate",
    "convert",
    "new",
    "warm",
    "serve",
    "bench",
    "evaluate",
    "dataset",
    "corpus",
    "train",
)
"""Commands; each is a function in the module of its name, imported at the first use."""
SPELLINGS = {"analyze": "analyse"}
"""American spelling -> command."""


def _plugin_commands() -> dict[str, Game]:
    """Return the commands that games add, each with its game."""
    return {
        name: game for game in games() for name in function_table(game, "commands") if name not in COMMANDS
    }


SETTINGS = {"help_option_names": ["-h", "--help"]}


class Program(TyperGroup):
    """All commands; every end of a command becomes an exit status here."""

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands: the built-in ones in order, then the commands that games add."""
        return [*COMMANDS, *_plugin_commands()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command with this name; GridproofError when there is none."""
        cmd_name = SPELLINGS.get(cmd_name, cmd_name)
        if cmd_name in COMMANDS:
            return _import_command(cmd_name)
        if owner := _plugin_commands().get(cmd_name):
            from gridproof.cli.plugin_commands import plugin_command

            return _make_command(cmd_name, plugin_command(cmd_name, owner))
        known = self.list_commands(ctx)
        meant = suggestion(cmd_name.lower(), known)
        raise GridproofError(f"no command {cmd_name!r}; choose from {', '.join(known)}{meant}")

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the program itself."""
        return _simplify(super().get_params(ctx))

    def main(
        self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: object, **extra: Any
    ) -> NoReturn:
        """Run a command and exit."""
        arguments = list(sys.argv[1:] if args is None else args)
        try:
            status = self._run(arguments, prog_name or "gridproof")
            sys.stdout.flush()
        except BrokenPipeError:
            status = ExitStatus.CLOSED
        except OSError as error:
            status = ExitStatus.WRONG
            _print_error(f"{error.filename or 'standard output'}: {error.strerror or error}")
        _discard_failed_output()
        sys.exit(status)

    def _run(self, arguments: list[str], name: str) -> int:
        try:
            with self.make_context(name, list(arguments)) as context:
                return int(self.invoke(context) or ExitStatus.DONE)
        except typer.Exit as exit_:
            return exit_.exit_code
        except KeyboardInterrupt:
            return ExitStatus.INTERRUPTED
        except typer.TyperException as error:
            return _report(error, error.format_message() + _hint_at_goal(error), arguments)
        except GridproofError as error:
            return _report(error, str(error), arguments)


def _hint_at_goal(error: Any) -> str:
    """Return how a goal is given, if an error may be about one that stands alone; else ""."""
    options = getattr(getattr(getattr(error, "ctx", None), "command", None), "params", ())
    is_extra = "unexpected extra argument" in error.format_message()
    return "; give a goal with --goal" if is_extra and any("--goal" in one.opts for one in options) else ""


@functools.cache
def _import_command(name: str) -> Any:
    """Import a built-in command."""
    module = load(f"{__package__}.{name}")
    return _make_command(name, getattr(module, name), getattr(module, "Command", None))


def _make_command(name: str, function: Callable[..., Any], kind: Any = None) -> Any:
    single = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
    single.command(name, cls=kind)(function)
    command = get_command(single)
    get_params = command.get_params
    vars(command)["get_params"] = lambda context: _simplify(get_params(context))
    return command


def _simplify(parameters: list[Any]) -> list[Any]:
    """Skip typer's conversion, which is slow to load, for texts and defaults; leave Python's types out of the help of arguments."""
    for parameter in parameters:
        parameter.process_value = functools.partial(_process_value, parameter)
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None
    return parameters


def _process_value(parameter: Any, context: Any, value: Any) -> Any:
    source = context.get_parameter_source(parameter.name)
    single = parameter.nargs == 1 and not parameter.multiple
    text = isinstance(value, str) and parameter.type_descriptor.annotation is str
    default = (
        source is not None and source.name == "DEFAULT" and (value is not None or not parameter.required)
    )
    if not single or not (text or default):
        return type(parameter).process_value(parameter, context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _report(error: Exception, message: str, arguments: list[str]) -> ExitStatus:
    """Report an error as a line, and as JSON with `--json`."""
    sys.stdout.flush()
    _print_error(message)
    if "--json" in arguments:
        print_json(error_data(error, message))
    return ExitStatus.WRONG


def _print_error(message: str) -> None:
    with contextlib.suppress(OSError):  # standard error is closed
        typer.echo(f"error: {printable(message)}", err=True)


def _discard_failed_output() -> None:
    """Discard all further output silently after a broken pipe or a full disk."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


app = typer.Typer(
    name="gridproof",
    cls=Program,
    help="Grid puzzles that you can play, solve, prove and learn on.",
    epilog="LEVEL is a file, FILE#3 for its third level, a built-in level such as sokoban/first-steps/3, or - for standard input. Exit status: 0 done or yes, 1 no, 2 invalid usage or input, 3 a limit was reached without an answer, 70 internal error, 130 Ctrl-C (play: 0), 141 broken pipe.",
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
    """Print the help without a command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


class _Terminated(BaseException):
    """A terminating signal arrived; Ctrl-C has its own exception."""


def _terminate(number: int, frame: object) -> NoReturn:
    raise _Terminated(number)


def main() -> None:
    """Run the program `gridproof`."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # it was closed; the null device, read only, refuses output
            setattr(sys, name, open(os.devnull))  # noqa: SIM115  # it stays open
        elif reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # foreign characters never end a game
    numbers = [number for number in END_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, _terminate)
    try:
        app(prog_name="gridproof")
    except KeyboardInterrupt:  # while typer builds the commands
        sys.exit(ExitStatus.INTERRUPTED)
    except Exception:  # noqa: BLE001  # Python's own status, 1, would mean no
        with contextlib.suppress(OSError):
            traceback.print_exc()
        sys.exit(ExitStatus.FAULT)
    except _Terminated as error:  # the cursor is back, the workers have ended, files are whole
        (received,) = error.args
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        gc.freeze()  # skip garbage collection at the end of the process
    signal.raise_signal(received)  # the parent sees that a signal ended the program
