"""`verify`: a certificate, checked by the rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import Json
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.wording import counted
from gridproof.prove.verify import Statement, Verified
from gridproof.prove.verify import verify as verify_file


def verify(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A file that solve or check --certificate has written."),
    ],
    json: Json = False,
) -> ExitStatus:
    """Check a certificate by the rules of the game alone.

    Exit status: 0 it holds, 1 it does not.
    """
    found = verify_file(certificate)
    _print_json(certificate, found) if json else _print(certificate, found)
    return ExitStatus.DONE if found.holds else ExitStatus.NO


def _print_json(path: Path, found: Verified) -> None:
    said = found.statement
    print_json(
        {
            "certificate": str(path),
            "holds": found.holds,
            "reason": found.reason or None,
            "positions": found.positions,
            "game": said and said.level.game.name,
            "title": said and said.level.title,
            "level": said and said.level.text(),
            "starts": said and [start.text() for start in said.starts],
            "goal": said and said.goal_text,
            "actors": said and _actors(said),
            "kind": said and said.kind,
        }
    )


def _print(path: Path, found: Verified) -> None:
    if not found.holds or found.statement is None:
        first, *board = found.reason.split("\n")
        print_paragraph(f"{path}: refused: {first}", hanging=2)
        for line in board:
            print_paragraph(line, 4)
        return
    said, count = found.statement, counted(found.positions, "positions")
    print_paragraph(f"{path}: holds: {_words(said)}; {count}, {said.kind}", hanging=2)
    for start in said.starts[:1]:
        for line in str(start).split("\n"):
            print_paragraph(line, 4)


def _words(said: Statement) -> str:
    name = f"{said.level.game.name} {said.level.title}".rstrip()
    others = len(said.starts) - 1
    starts = f" and from {counted(others, 'other starts')}" if others else ""
    names = _actors(said)
    alone = "" if names is None else f" by {', '.join(names)}" + (" alone" if len(names) == 1 else "")
    return f"{said.goal_text} can never be reached{alone} in {name} from this position{starts}"


def _actors(said: Statement) -> list[str] | None:
    """Whose actions are done; None for all players'."""
    return None if said.who == (None,) else [str(name) for name in said.who]
