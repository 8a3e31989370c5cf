"""The option --certificate of commands that may prove that something is impossible."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.output import print_note
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.search.actors import Actors

CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        help="If one proposition or comparison can never be reached, write a proof that verify can check; packed, "
        "if FILE ends in .gz.",
    ),
]


def certified(
    name: str, level: Level, path: Path, goal: str, actors: Actors = None, limit: Limit | None = None
) -> Path | None:
    """Write a certificate that the goal is never reached; its file, None where there is none, and a note why."""
    from gridproof.prove.certify import certify

    with Progress(f"Certifying {name}") as progress:
        found = certify(level, path, goal, actors, limit, progress)
    if found.holds:
        return path
    why = f"stopped by {found.stopped_by}" if found.holds is None else f"{goal} can be reached"
    print_note(f"{name}: no certificate: {why}")
    return None
