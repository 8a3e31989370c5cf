"""`verify`: verify a certificate with nothing but the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import GameName, Json, Seconds, read_level
from gridproof.cli.output import ExitStatus, answer_status, print_json, print_paragraph
from gridproof.core.limit import Limit
from gridproof.core.text.phrases import format_count
from gridproof.prove.certificate import AnyStatement, Verified
from gridproof.prove.verify import verify as verify_file


def verify(
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="A file that solve, check or value wrote with --certificate."
        ),
    ],
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL", help="Require that the certificate covers this level, from all its starts."
        ),
    ] = None,
    seconds: Seconds = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Verify a certificate with nothing but the rules of the game.

    Exit status: 0 holds, 1 does not hold, 3 a limit was reached.
    """
    expected = read_level(level, game)[1] if level else None
    found = verify_file(certificate, expected, Limit(seconds))
    if json:
        print_json({"certificate": str(certificate)} | found.to_dict())
    else:
        _print(certificate, found)
        if expected is not None and found.holds:
            print_paragraph(f"it covers {level}, from all its starts", 4)
    return answer_status([found.holds])


def _print(path: Path, found: Verified) -> None:
    if not found.holds or found.statement is None:
        first, *board = found.reason.split("\n")
        answer = "no answer" if found.holds is None else "refused"
        print_paragraph(f"{path}: {answer}: {first}", hanging=2)
        for line in board:
            print_paragraph(line, 4)
        return
    statement, count = found.statement, format_count(found.positions, "positions")
    print_paragraph(f"{path}: holds: {_describe(statement)}; {count}, {statement.kind}", hanging=2)
    for start in statement.starts[:1]:
        for line in str(start).split("\n"):
            print_paragraph(line, 4)


def _describe(statement: AnyStatement) -> str:
    name = f"{statement.level.game.name} {statement.level.title}".rstrip()
    others = len(statement.starts) - 1
    starts = f" and from {format_count(others, 'other starts')}" if others else ""
    return f"{statement.claim} in {name} from this position{starts}"
