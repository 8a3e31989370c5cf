"""Commands of games, and their options of `watch` (extension `commands`) and `convert` (extension `exports`)."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json
from gridproof.cli.output import ExitStatus, answer_status, print_json, print_paragraph, print_text
from gridproof.cli.progress import Progress
from gridproof.core.extension import Answer, find_function, function_table
from gridproof.core.game import Game
from gridproof.core.generate import parse_parameters
from gridproof.core.limit import Limit
from gridproof.core.registry import games
from gridproof.core.text import files
from gridproof.core.text.display import mask_unprintable
from gridproof.core.text.level_lookup import levels_at, resolve_pack

_PROGRAM_PARAMETERS = ("text", "game", "limit", "level", "seed", "request")
"""Parameters that are no options: the program sets them."""
_KINDS: Mapping[str, tuple[Any, int | None]] = {"int": (int | None, 0), "float": (float | None, None)}
"""Types of options that are numbers, with the least value."""


def extra_functions(command: str) -> list[Callable[..., Any]]:
    """Return the functions that games add under the name of a command."""
    return [function for game in games() if (function := find_function(game, "commands", command))]


def exporters() -> list[Callable[..., str]]:
    """Return the exporters of all games."""
    return [
        function
        for game in games()
        for name in function_table(game, "exports")
        if (function := find_function(game, "exports", name))
    ]


def add_options(command: Callable[..., Any], functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """Add the options of functions to a command, which gets the used ones as the mapping `own`."""
    options = {name: option for function in functions for name, option in options_of(function).items()}

    def call(**arguments: Any) -> Any:
        own = {name: value for name in options if (value := arguments.pop(name)) is not None}
        return command(**arguments, own=own)

    shared = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [*(item for item in shared if item.name != "own"), *options.values()]
    call.__doc__ = command.__doc__
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
    return call


def options_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Make an option of each parameter of a function, with its docstring as help."""
    helps = {name: (form, meaning) for name, form, meaning in parse_parameters(function)}
    options = {}
    for name, item in inspect.signature(function).parameters.items():
        if name not in _PROGRAM_PARAMETERS:
            form, meaning = helps.get(name, (None, None))
            kind, least = _KINDS.get(str(item.annotation).partition(" ")[0], (str | None, None))
            option = typer.Option(f"--{name.replace('_', '-')}", metavar=form, help=meaning, min=least)
            options[name] = inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option]
            )
    return options


def plugin_command(name: str, owner: Game) -> Callable[..., ExitStatus]:
    """Make a command of a game's function; it prints the answers one by one."""
    function = find_function(owner, "commands", name)
    assert function is not None  # the game has it in its table

    def command(
        source: Annotated[
            str,
            typer.Argument(metavar="FILE|LEVEL", help="A file, a level, a pack, or - for standard input."),
        ],
        own: Mapping[str, Any],
        seconds: Annotated[
            float | None, typer.Option(metavar="S", help="Time limit for each answer, in seconds.")
        ] = None,
        states: Annotated[
            int | None, typer.Option(metavar="N", help="Limit on positions for each answer.")
        ] = None,
        game: GameName = None,
        json: Json = False,
    ) -> ExitStatus:
        path = Path(source) if files.is_file(source) else None
        verdicts = []
        with (
            Progress(f"Checking {source}", "answers") as progress,
            files.locate_errors(path) if path else contextlib.nullcontext(),
        ):
            text = text_of(source, game)
            for answer in function(text, game, Limit(seconds, states), **own):
                print_json(answer.data) if json else _print(answer)
                verdicts.append(answer.holds)
                progress(len(verdicts))
        return answer_status(verdicts)

    summary = (inspect.getdoc(function) or "").partition("\n\nParameters\n")[0]
    command.__doc__ = f"{owner.title}: {summary[:1].lower()}{summary[1:]}"
    return add_options(command, [function])


def text_of(source: str, game: str | None) -> str:
    """Read the text of a file, of standard input, or of the levels of a reference."""
    if files.is_file(source):
        return files.clean(files.read_text(Path(source)))
    return files.clean(files.read_stdin()) if source == "-" else levels_at(resolve_pack(source), game).text()


def _print(answer: Answer) -> None:
    print_paragraph(mask_unprintable(answer.words), hanging=2)
    if answer.picture:
        print_text(f"\n{answer.picture}")
