"""Helpers for tests of games in lines of text: levels, and the output of typed lines."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import gridproof as gp
from gridproof.console.plain import PlainPlay
from gridproof.core.session import Session
from gridproof.table.table import Table

TWO_LEVELS = "; first\n#####\n#@$.#\n#####\n\n; second\n######\n#@ $.#\n######\n"


def played(levels: Any, *typed: str, seed: int = 0, save: Path | None = None) -> tuple[str, Session]:
    """Return the output of typed lines, and the session afterwards."""
    session = Session(levels, seed)
    output = io.StringIO()
    PlainPlay(Table(session, save=save), io.StringIO("".join(f"{line}\n" for line in typed)), output).run()
    return output.getvalue(), session


def null(pack: str = "null/first/2") -> gp.Pack:
    return gp.levels_at(pack)


def board(rows: str, target: int = 2048) -> gp.Pack:
    size = len(rows.strip().splitlines()[0].split())
    return gp.read(f"2048 {size}x{len(rows.strip().splitlines())} spawn=spec target={target}\n{rows}")
