"""`play`: a game in lines of text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import GameName, Json, PackName, Seed
from gridproof.cli.program import ExitStatus
from gridproof.core.session import Session
from gridproof.core.shelf import levels_at


def play(
    level: PackName,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text; so far the only way.")] = False,
    seed: Seed = 0,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save what was played as a trace at the end."),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Play a level, or the levels of a pack one after another."""
    from gridproof.play.lines import JsonPlay
    from gridproof.play.plain import PlainPlay

    session = Session(levels_at(level, game), seed)
    (JsonPlay if json else PlainPlay)(session, sys.stdin, sys.stdout, save).run()
    return ExitStatus.DONE
