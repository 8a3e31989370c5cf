"""`verify`: verify a certificate with nothing but the rules."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gridproof.cli.answer_folder import VERDICTS, FolderAnswer, FolderQuestion, FolderTarget, write_answers
from gridproof.cli.level_results import in_order
from gridproof.cli.options import (
    Force,
    GameName,
    Jobs,
    Json,
    OutFolder,
    Seconds,
    Where,
    read_level,
    refuse_unused,
)
from gridproof.cli.output import ExitStatus, answer_status, print_json, print_paragraph, report_error
from gridproof.cli.parallel_map import parse_workers, run_calls
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text.level_lookup import digest_of
from gridproof.core.text.phrases import format_count
from gridproof.prove.certificate import AnyStatement
from gridproof.prove.verify import verify as verify_file

if TYPE_CHECKING:
    from gridproof.store.parquet import Row


class CertificateAnswer(NamedTuple):
    """Answer about one certificate, from any process."""

    holds: bool | None
    data: dict[str, Any]
    first: str
    board: list[str]


def verify(
    certificates: Annotated[
        list[Path],
        typer.Argument(
            metavar="CERTIFICATE",
            help="Files that solve, check or value wrote with --certificate.",
        ),
    ],
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL", help="Require that each certificate covers this level, from all its starts."
        ),
    ] = None,
    seconds: Seconds = None,
    jobs: Jobs = 1,
    where: Where = None,
    out: OutFolder = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Verify certificates with nothing but the rules of the game.

    Exit status: 0 all hold, 1 one does not hold, 3 a limit was reached.
    """
    workers, expected = parse_workers(where, jobs), read_level(level, game)[1] if level else None
    if out:
        from gridproof.store.level_digest import digest

        content = {"command": "verify", "level": expected and digest(expected), "seconds_limit": seconds}
        ask = functools.partial(_answer, Path.cwd(), expected, Limit(seconds))
        rows: list[Row] = [{"certificate": str(path), "digest": digest_of(path)} for path in certificates]
        asked = FolderQuestion(content, ask, "Verifying")
        return write_answers(FolderTarget(out, force, json), asked, rows, workers)
    refuse_unused("without --out", {"--force": force})
    files = certificates if workers.is_here else [path.absolute() for path in certificates]
    questions = [(path, expected, Limit(seconds)) for path in files]
    answers = run_calls(f"{__name__}:answer_question", questions, workers, "Verifying", "certificates")
    held = list[bool | None]()
    for path, answer in zip(certificates, in_order(answers), strict=True):
        if isinstance(answer, GridproofError):
            if len(certificates) == 1:
                raise answer
            report_error(str(path), answer, json)
            continue
        held.append(answer.holds)
        if json:
            print_json({"certificate": str(path)} | answer.data)
            continue
        print_paragraph(f"{path}: {answer.first}", hanging=2)
        for line in answer.board:
            print_paragraph(line, 4)
        if expected is not None and answer.holds:
            print_paragraph(f"it covers {level}, from all its starts", 4)
    return answer_status(held) if len(held) == len(certificates) else ExitStatus.WRONG


def _answer(folder: Path, expected: Level | None, limit: Limit, row: Row) -> FolderAnswer:
    """Verify the certificate of a row, whose name is one as seen from a folder."""
    found = verify_file(folder / str(row["certificate"]), expected, limit)
    return FolderAnswer(VERDICTS[found.holds], found.to_dict())


def answer_question(question: tuple[Path, Level | None, Limit]) -> CertificateAnswer | GridproofError:
    """Verify a certificate."""
    try:
        found = verify_file(*question)
    except GridproofError as error:
        return error
    if not found.holds or found.statement is None:
        reason, *board = found.reason.split("\n")
        first = f"{'no answer' if found.holds is None else 'refused'}: {reason}"
    else:
        count = format_count(found.positions, "positions")
        first = f"holds: {_describe(found.statement)}; {count}, {found.statement.kind}"
        board = [line for start in found.statement.starts[:1] for line in str(start).split("\n")]
    return CertificateAnswer(found.holds, found.to_dict(), first, board)


def _describe(statement: AnyStatement) -> str:
    name = f"{statement.level.game.name} {statement.level.title}".rstrip()
    others = len(statement.starts) - 1
    starts = f" and from {format_count(others, 'other starts')}" if others else ""
    return f"{statement.claim} in {name} from this position{starts}"
