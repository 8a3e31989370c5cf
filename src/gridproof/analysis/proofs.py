"""Proofs of an analysis as files: traces, and certificates that `gridproof verify` checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gridproof.analysis.level import Analysis
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.core.text import files
from gridproof.core.trace import Trace
from gridproof.prove.certify import certify
from gridproof.search.actors import Actors


def write_proofs(
    analysis: Analysis, folder: Path, number: int | None = None, limit: Limit | None = None
) -> list[Path]:
    """Write a file for each claim that a file can prove, and return the files; the folder is made where it is missing.

    The names of files begin with the level's number among several. The limit is for each certificate; certificates that
    need more are left out.
    """
    with files.report_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    prefix = "" if number is None else f"{number}-"
    return list(_write_all(analysis, lambda name: folder / f"{prefix}{name}", limit))


def _write_all(analysis: Analysis, path_of: Callable[[str], Path], limit: Limit | None) -> Iterator[Path]:
    for measure, solution in analysis.costs.items():
        yield from _trace(solution.trace, path_of(f"fewest-{measure}.json"))
    if analysis.winnable is False:
        yield from _certificate(analysis.level, path_of("impossible.gz"), None, limit)
    elif analysis.whole and analysis.whole.first_dead:
        trace = analysis.whole.first_dead
        yield from _trace(trace, path_of("dead.json"))
        yield from _certificate(trace.replay(), path_of("dead.gz"), None, limit)
    for place, piece in enumerate(analysis.pieces, 1):
        yield from _trace(piece.trace, path_of(f"without-{place}.json"))
        for way, level in enumerate(piece.levels if piece.found is False else (), 1):
            mark = f"-{way}" if len(piece.levels) > 1 else ""
            yield from _certificate(level, path_of(f"without-{place}{mark}.gz"), piece.actors, limit)


def _trace(trace: Trace | None, path: Path) -> Iterator[Path]:
    if trace is not None:
        trace.save(path)
        yield path


def _certificate(
    what: Level | Position[Any], path: Path, actors: Actors, limit: Limit | None
) -> Iterator[Path]:
    if certify(what, path, actors=actors, limit=limit).holds:
        yield path
