"""`model`: whether given structures are models of a game's rules."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import GameName, Json
from gridproof.cli.output import print_json, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files
from gridproof.core.limit import Limit
from gridproof.core.model import Checked, check_models
from gridproof.play.text import visible


def model(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of structures, or - for standard input.")
    ],
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="For each structure.")
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option("--horizon", metavar="T", min=0, help="The last time, of structures that list none."),
    ] = None,
    states: Annotated[int | None, typer.Option("--states", metavar="N", help="For each structure.")] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Check whether a structure is a model of the rules.

    One that leaves something open is completed.

    Exit status: 0 yes, with the run; 1 no, with the first violated clause; 3 neither within the limits.
    """
    text = files.text_of_input() if source == "-" else Path(source)
    answers = []
    with Progress(f"Checking {source}", "structures") as progress:
        for checked in check_models(text, game, Limit(seconds, states), horizon):
            _print_json(checked) if json else _print(checked)
            answers.append(checked.holds)
            progress(len(answers))
    if False in answers:
        return ExitStatus.NO
    return ExitStatus.LIMIT if None in answers else ExitStatus.DONE


def _print_json(checked: Checked) -> None:
    print_json(
        {
            "structure": checked.name,
            "title": checked.title,
            "holds": checked.holds,
            "violation": asdict(checked.violation) if checked.violation else None,
            "actions": [str(action) for action in checked.trace.actions] if checked.trace else None,
            "picture": checked.picture or None,
        }
    )


def _print(checked: Checked) -> None:
    name = f"{checked.name}  {checked.title}".rstrip()
    print_paragraph(visible(f"{name}: {_words(checked)}"), hanging=2)
    if checked.picture:
        print_text(f"\n{checked.picture}")


def _words(checked: Checked) -> str:
    if checked.violation:
        return f"no model; {checked.violation}"
    return "a model" if checked.holds else "no answer within the limit"
