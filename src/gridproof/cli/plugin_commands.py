"""What games add to the program: commands of their own, and options of `watch` (`Game.commands`) and `convert` (`Game.exports`)."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json
from gridproof.cli.output import print_json, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files
from gridproof.core.answer import Answer
from gridproof.core.game import Game
from gridproof.core.generate import documented
from gridproof.core.limit import Limit
from gridproof.core.registry import games
from gridproof.core.shelf import levels_at, pack_meant
from gridproof.play.text import visible

_GIVEN = ("text", "game", "limit", "level", "seed")
"""Parameters that are no options: the program fills them in."""


def additions(command: str) -> list[Callable[..., Any]]:
    """The functions that all games add under the name of a command."""
    return [function for game in games() if (function := game.added(command))]


def exporters() -> list[Callable[..., str]]:
    """The functions that write texts for other programs, of all games."""
    return [function for game in games() for name in game.exports if (function := game.exporter(name))]


def with_options(command: Callable[..., Any], functions: list[Callable[..., Any]]) -> Callable[..., Any]:
    """A command that also takes the options of these functions: those that are given are its mapping `own`."""
    options = {name: option for function in functions for name, option in options_of(function).items()}

    def extended(**given: Any) -> Any:
        told = {name: value for name in options if (value := given.pop(name)) is not None}
        return command(**given, own=told)

    taken = inspect.signature(command, eval_str=True).parameters.values()
    every = [*(item for item in taken if item.name != "own"), *options.values()]
    extended.__doc__ = command.__doc__
    extended.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]  # typer reads it
    return extended


def options_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """An option for each parameter of a function, explained by its docstring, in which the type is the metavariable."""
    explained = {name: (form, meaning) for name, form, meaning in documented(function)}
    options = {}
    for name, item in inspect.signature(function).parameters.items():
        if name not in _GIVEN:
            form, meaning = explained.get(name, (None, None))
            whole = str(item.annotation).startswith("int")
            option = typer.Option(
                f"--{name.replace('_', '-')}", metavar=form, help=meaning, min=0 if whole else None
            )
            kind = int | None if whole else str | None
            options[name] = inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option]
            )
    return options


def own_command(name: str, owner: Game) -> Callable[..., ExitStatus]:
    """The command that a game's function is: its answers about a text, one after the other."""
    function = owner.added(name)
    assert function is not None  # the game has it in its table

    def command(
        source: Annotated[
            str,
            typer.Argument(metavar="FILE|LEVEL", help="A file, - for standard input, or a level or pack."),
        ],
        own: Mapping[str, Any],
        seconds: Annotated[
            float | None, typer.Option("--seconds", metavar="S", help="For each answer.")
        ] = None,
        states: Annotated[int | None, typer.Option("--states", metavar="N", help="For each answer.")] = None,
        game: GameName = None,
        json: Json = False,
    ) -> ExitStatus:
        path = Path(source) if files.is_file(source) else None
        found = []
        with (
            Progress(f"Checking {source}", "answers") as progress,
            files.naming(path) if path else contextlib.nullcontext(),
        ):
            text = text_of(source, game)
            for answer in function(text, game, Limit(seconds, states), **own):
                print_json(answer.data) if json else _print(answer)
                found.append(answer.holds)
                progress(len(found))
        if False in found:
            return ExitStatus.NO
        return ExitStatus.LIMIT if None in found else ExitStatus.DONE

    command.__doc__ = (inspect.getdoc(function) or "").partition("\n\nParameters\n")[0]
    return with_options(command, [function])


def text_of(source: str, game: str | None) -> str:
    """The text of a file, of standard input, or of the levels that a reference means."""
    if files.is_file(source):
        return files.clean(files.text_of(Path(source)))
    return files.clean(files.text_of_input()) if source == "-" else levels_at(pack_meant(source), game).text()


def _print(answer: Answer) -> None:
    print_paragraph(visible(answer.words), hanging=2)
    if answer.picture:
        print_text(f"\n{answer.picture}")
