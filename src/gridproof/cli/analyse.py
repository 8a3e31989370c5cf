"""`analyse`: report on a level or a pack for designers."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof.analysis.level import SECONDS, STATES, Analysis
from gridproof.analysis.level import analyse as analyse_level
from gridproof.analysis.pack import PackAnalysis, combine_analyses
from gridproof.analysis.proofs import write_proofs
from gridproof.cli.answer_folder import (
    DONE,
    OPEN,
    FolderAnswer,
    FolderQuestion,
    FolderTarget,
    level_of_row,
    level_rows,
    limit_data,
    write_answers,
)
from gridproof.cli.level_results import results_of_levels
from gridproof.cli.options import (
    Force,
    GameName,
    Jobs,
    Json,
    OutFolder,
    PackName,
    SecondsPerLevel,
    Where,
    check_targets,
    read_levels,
    refuse_unused,
)
from gridproof.cli.output import (
    ExitStatus,
    align_columns,
    level_heading,
    print_json,
    print_paragraph,
    report_error,
)
from gridproof.cli.parallel_map import parse_workers
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text import files

if TYPE_CHECKING:
    from gridproof.store.parquet import Row


def analyse(
    level: PackName,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML report with traces, plots and pictures."),
    ] = None,
    proofs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a trace or a certificate for each claim.")
    ] = None,
    seconds: SecondsPerLevel = SECONDS,
    states: Annotated[int, typer.Option(metavar="N", help="Largest number of positions per level.")] = STATES,
    jobs: Jobs = 1,
    where: Where = None,
    out: OutFolder = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Report dead ends, forced moves, needed pieces, unused squares.

    For a pack, also compare its levels, show how difficulty grows, and list
    duplicates.
    Exit status: 0 all positions explored, 3 a limit was reached.
    """
    check_targets(force, html)
    if proofs:
        _check_folder(proofs, force)
    workers, found, limit = parse_workers(where, jobs), read_levels(level, game), Limit(seconds, states)
    if out:
        refuse_unused("with --out", {"--html": html, "--proofs": proofs})
        content = {"command": "analyse", **limit_data(limit)}
        asked = FolderQuestion(content, functools.partial(_answer, limit), "Analysing")
        return write_answers(FolderTarget(out, force, json), asked, level_rows(found), workers)
    done = list[tuple[str, Level, Analysis]]()
    results = results_of_levels(found, functools.partial(_analyse, limit), workers, "Analysing")
    for number, ((name, one), analysis) in enumerate(zip(found, results, strict=True), 1):
        if isinstance(analysis, GridproofError):
            report_error(name, analysis, json)
            continue
        done.append((name, one, analysis))
        place = number if len(found) > 1 else None
        written = [] if proofs is None else write_proofs(analysis, proofs, place, limit)
        if json:
            files_written = {"proofs": [*map(str, written)]} if written else {}
            print_json({"level": name} | analysis.to_dict() | files_written)
        else:
            _print(name, one, analysis, written)
    if not done:
        return ExitStatus.WRONG
    names, levels, analyses = zip(*done, strict=True)
    if len(found) == 1:
        page = analyses[0].report() if html else ""
    else:
        pack = combine_analyses(levels, names, analyses)
        page = pack.report() if html else ""
        print_json(pack.to_dict()) if json else _print_pack(pack)
    if html:
        files.write(html, page)
    if len(done) < len(found):
        return ExitStatus.WRONG
    return ExitStatus.DONE if all(one.complete for one in analyses) else ExitStatus.LIMIT


def _check_folder(proofs: Path, force: bool) -> None:
    """Check before any work that proofs can be written, and that none is overwritten without --force."""
    if os.path.exists(proofs) and not proofs.is_dir():
        raise GridproofError(f"{proofs} is a file; give a folder")
    if not force and proofs.is_dir() and any(proofs.iterdir()):
        raise GridproofError(f"{proofs} is not empty; use --force to overwrite its files")


def _answer(limit: Limit, row: Row) -> FolderAnswer:
    analysis = analyse_level(level_of_row(row), limit)
    return FolderAnswer(DONE if analysis.complete else OPEN, analysis.to_dict())


def _analyse(limit: Limit, level: Level, progress: Progress | None) -> Analysis:
    return analyse_level(level, limit, progress)


def _print(name: str, level: Level, analysis: Analysis, written: list[Path]) -> None:
    first, *others = str(analysis).splitlines()
    print_paragraph(f"{level_heading(name, level)}: {first}", hanging=2)
    for line in others:
        print_paragraph(line, 2, 2)
    if written:
        print_paragraph(f"proofs in {', '.join(map(str, written))}", 2, 2)


def _print_pack(pack: PackAnalysis) -> None:
    print_paragraph("")
    for line in align_columns([pack.head, *pack.rows], left=2):
        print_paragraph(line)
    for alike in pack.duplicates:
        print_paragraph(f"the same, turned or mirrored: {', '.join(alike)}")
