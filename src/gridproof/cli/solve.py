"""`solve`: solve a level, or all levels of a pack in several processes."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gridproof.cli.certified_answer import CertifiedAnswer
from gridproof.cli.level_results import in_order, results_as_ready
from gridproof.cli.options import (
    ActorNames,
    CertificateFile,
    Force,
    GameName,
    Goal,
    Jobs,
    Json,
    PackName,
    SecondsPerLevel,
    StatesPerLevel,
    Where,
    check_targets,
    is_missing,
    level_name,
    level_names,
    note_rejected_data,
    parse_actors,
    path_of_certificate,
    read_pack,
    refuse_unused,
    target_files,
)
from gridproof.cli.output import (
    ExitStatus,
    answer_status,
    files_data,
    level_heading,
    print_files,
    print_note,
    print_paragraph,
    print_result,
    report_error,
    save_trace,
)
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.progress import Progress
from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.measure import costs_of, find_measure, measures
from gridproof.core.position import Level
from gridproof.core.text import recognition
from gridproof.core.text.phrases import format_count
from gridproof.jobs import SystemFailure
from gridproof.prove.certify import certify, refuse_costs
from gridproof.prove.solution_certificate import GoalCertificateQuestion, certify_solution
from gridproof.prove.verdict_line import needs_luck
from gridproof.prove.writers.output import Certified
from gridproof.search.actors import Actors, resolve_actors
from gridproof.search.cost_product import to_cost_product
from gridproof.search.question import build_goal_question
from gridproof.search.solution import Solution
from gridproof.search.solve import find_solver, solution_of

if TYPE_CHECKING:
    from gridproof.cli.result_table import ResultTable
    from gridproof.store.parquet import Row


_MANY = 8
"""Levels for which loading the solvers takes a small part of the time."""


class Target(NamedTuple):
    """A level, and the files for its trace and its certificate."""

    name: str
    level: Level
    save: Path | None
    proof: Path | None


class Answer(NamedTuple):
    """Part of the exit status: whether a solution was found, an error occurred, or a certificate is missing."""

    found: bool | None
    is_error: bool = False
    is_missing: bool = False


class Task(NamedTuple):
    """The question for every level."""

    minimise: str | None
    goal: str
    actors: Actors
    limit: Limit
    solver: str | None
    is_one_of_many: bool = False


def solve(
    level: PackName,
    minimise: Annotated[
        str,
        typer.Option(
            "--minimise",
            "--minimize",
            metavar="WHAT",
            help="actions, another measure of the game, or any. pushes,moves: fewest pushes, then fewest moves.",
        ),
    ] = "actions",
    goal: Goal = "won",
    actors: ActorNames = None,
    seconds: SecondsPerLevel = None,
    states: StatesPerLevel = None,
    jobs: Jobs = 1,
    where: Where = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the trace. Those of a pack go to NAME-1.json, NAME-2.json, ... for NAME.json.",
        ),
    ] = None,
    certificate: CertificateFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="Write a table of results: .jsonl, .csv, .parquet, or a folder of Parquet files. If it has results of the same question, only the other levels are solved.",
        ),
    ] = None,
    solver: Annotated[
        str | None, typer.Option(metavar="NAME", help="Use only this solver, as listed by `games GAME`.")
    ] = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Find the cheapest solution, or prove that none exists.

    Exit status: 0 solved, 1 impossible, 3 a limit was reached.
    """
    reference, pack = read_pack(level, game)
    note_rejected_data(reference, pack)
    names = level_names(reference, pack)
    workers, limit = parse_workers(where, jobs), Limit(seconds, states)
    wanted, who = None if minimise == "any" else minimise, parse_actors(actors)
    task = Task(wanted, goal, who, limit, solver, is_one_of_many=len(names) >= _MANY)
    files = target_files(save, len(names)), target_files(certificate, len(names))
    targets = [Target(*values) for values in zip(names, pack, *files, strict=True)]
    _check_task([(one.name, one.level) for one in targets], task)
    if not (out and out.exists()):
        check_targets(force, *files[0], *files[1])
    if certificate:
        refuse_costs(targets[0].level, goal)
    if out and (out.is_dir() or not out.suffix):
        refuse_unused("with a folder of results", {"--save": save})
        answers = _solve_into_folder(out, force, targets, task, workers, json)
    elif out:
        answers = _solve_into(out, force, targets, task, workers, json)
    else:
        answers = _solve_and_print(targets, task, workers, json)
    for broken, error in pack.broken.items():
        report_error(level_name(reference, broken), error, json)
    if pack.broken or any(answer.is_error for answer in answers):
        return ExitStatus.WRONG
    is_limit = any(answer.is_missing for answer in answers)
    return ExitStatus.LIMIT if is_limit else answer_status(answer.found for answer in answers)


def _solve_and_print(targets: Sequence[Target], task: Task, workers: Workers, json: bool) -> list[Answer]:
    """Solve the levels, and print their answers in order."""
    answers = list[Answer]()
    for target, certified in zip(targets, in_order(_results(targets, task, workers)), strict=True):
        if isinstance(certified, GridproofError):
            if len(targets) == 1:
                raise certified
            report_error(target.name, certified, json)
            answers.append(Answer(None, is_error=True))
            continue
        answer, saved, proof = _finish(target, certified)
        answers.append(answer)
        solution = certified.answer
        if json:
            question = {"goal": task.goal, "minimise": task.minimise or "any", "actors": task.actors}
            written = files_data(saved, proof)
            print_result(target.name, target.level, question, solution.to_dict(), written)
        else:
            _print(target, task, solution)
            print_files(saved, proof)
    return answers


def _solve_into(
    path: Path, force: bool, targets: Sequence[Target], task: Task, workers: Workers, json: bool
) -> list[Answer]:
    """Solve the levels whose results are not in a file yet, add theirs, and print a summary."""
    from gridproof.cli.result_table import COLUMNS, ResultTable, answer_row
    from gridproof.store.result_file import open_result_file

    check_targets(True, path)
    names = [(one.name, one.level) for one in targets]
    answers = list[Answer]()
    file = open_result_file(path, COLUMNS, force)
    with ResultTable(file, _question(task), names) as table:
        left = [targets[place] for place in table.open_places()]
        check_targets(force, *(one.save for one in left))  # certificates may be those of a killed run
        for number, certified in _results(left, task, workers):
            target = left[number]
            answer = certified if isinstance(certified, GridproofError) else certified.answer
            row = table.open_row(target.name, target.level) | answer_row(answer)
            if not isinstance(answer, SystemFailure):
                file.add(row)
            table.note(row)
            if isinstance(certified, GridproofError):
                report_error(target.name, certified, json)
            else:
                answers.append(_finish(target, certified)[0])
        table.print_summary(json)
        return [*answers, *(Answer(found, is_error) for found, is_error in table.answers())]


def _solve_into_folder(
    path: Path, force: bool, targets: Sequence[Target], task: Task, workers: Workers, json: bool
) -> list[Answer]:
    """Solve the levels whose results are not in a folder yet; workers write theirs, and a summary is printed."""
    from gridproof.cli.result_folder import complete_rows
    from gridproof.cli.result_table import CERTIFICATE, FAILED, FOLDER_COLUMNS, ResultTable, failed_row
    from gridproof.store.dataset import DatasetWriter

    names = [(one.name, one.level) for one in targets]
    has_proofs = targets[0].proof is not None
    columns = FOLDER_COLUMNS | (CERTIFICATE if has_proofs else {})
    writer = DatasetWriter(path, columns, _question(task), force)
    with ResultTable(writer, _question(task), names) as table:
        rows = [_open_row(table, targets[place]) for place in table.open_places()]
        complete = functools.partial(_complete_row, task, Path.cwd())
        for row in complete_rows(writer, rows, complete, failed_row, workers, _what(targets)):
            table.note(row)
            if row["verdict"] == FAILED:
                report_error(str(row["level"]), GridproofError(str(row["reason"])), json)
        table.print_summary(json)
        certified = table.certified()
        return [
            Answer(found, is_error, has_proofs and not is_certified)
            for (found, is_error), is_certified in zip(table.answers(), certified, strict=True)
        ]


def _open_row(table: ResultTable, target: Target) -> Row:
    """Return the row of a level in a folder, without its answer."""
    row = table.open_row(target.name, target.level) | {"text": target.level.text()}
    return row | ({"certificate": str(target.proof)} if target.proof else {})


def _complete_row(task: Task, folder: Path, row: Row) -> Row:
    """Solve the level of a row, in a worker; its certificate has a name as seen from a folder."""
    from gridproof.cli.result_table import answer_row

    level = recognition.read(str(row["text"]), str(row["game"]))[0]
    path = folder / str(row["certificate"]) if row.get("certificate") else None
    certified = _solve_and_certify(task, path, level, None)
    if isinstance(certified, SystemFailure):
        raise certified
    if isinstance(certified, GridproofError):
        return answer_row(certified)
    is_written = bool(path_of_certificate(path, certified.certified))
    return answer_row(certified.answer) | ({} if is_written or path is None else {"certificate": None})


def _results(
    targets: Sequence[Target], task: Task, workers: Workers
) -> Iterator[tuple[int, CertifiedAnswer[Solution] | GridproofError]]:
    """Yield the number of each level, from 0, with its answer, as soon as it is ready; workers write the certificates."""
    found = [
        (
            one.name,
            one.level,
            functools.partial(_solve_and_certify, task, one.proof and one.proof.absolute()),
        )
        for one in targets
    ]
    return results_as_ready(found, workers, _what(targets))


def _what(targets: Sequence[Target]) -> str:
    return "Certifying" if targets and targets[0].proof else "Solving"


def _finish(target: Target, certified: CertifiedAnswer[Solution]) -> tuple[Answer, Path | None, Path | None]:
    """Save the trace, if wanted, and note why there is no certificate; return the answer and the written files."""
    if certified.note:
        print_note(f"{target.name}: {certified.note}")
    saved = save_trace(certified.trace, target.save)
    proof = path_of_certificate(target.proof, certified.certified)
    return Answer(certified.bare.found, is_missing=is_missing(certified.certified)), saved, proof


def _check_task(found: list[tuple[str, Level]], task: Task) -> None:
    """Check the whole task before any work."""
    game = found[0][1].game
    find_measure(game, task.minimise or "actions")
    if to_cost_product(found[0][1], task.goal)[1] == task.goal:  # a goal with costs is checked already
        proposition.parse_goal(game, task.goal)
    if task.solver is not None:
        find_solver(game, task.solver)
    for name, level in found:
        try:
            resolve_actors(level, task.actors)
        except GridproofError as error:
            raise GridproofError(f"{name}: {error}") from None


def _question(task: Task) -> Row:
    from gridproof.cli.result_table import question_row

    return question_row(task.goal, task.minimise, task.actors, task.solver, task.limit)


def _solve(task: Task, level: Level, progress: Progress | None) -> Solution | GridproofError:
    try:
        question = build_goal_question(level, task.minimise, task.goal, task.actors, task.limit, progress)
        return solution_of(question, task.solver, task.is_one_of_many)
    except GridproofError as error:
        return error
    except MemoryError:
        return SystemFailure("not enough memory")


def _solve_and_certify(
    task: Task, path: Path | None, level: Level, progress: Progress | None
) -> CertifiedAnswer[Solution] | GridproofError:
    solution = _solve(task, level, progress)
    if isinstance(solution, GridproofError):
        return solution
    certified, note = (None, "") if path is None else _certify(task, level, solution, path, progress)
    return CertifiedAnswer.of(solution, certified, note)


def _certify(
    task: Task, level: Level, solution: Solution, path: Path, progress: Progress | None
) -> tuple[Certified | None, str]:
    """Write a certificate that there is no solution, or no cheaper one; None if nothing could be proved, and why not."""
    if solution.found is not False and not (solution.optimal and task.minimise):
        why = "another solution may be cheaper" if solution.found else "no answer within the limit"
        stopped = solution.stopped_by
        certified = Certified(None, solution.states, 0.0, stopped) if stopped else None
        return certified, f"no certificate: {why}"
    try:
        if solution.found is False:
            certified = certify(level, path, task.goal, task.actors, task.limit, progress)
        else:
            question = GoalCertificateQuestion(level, task.goal, task.actors)
            certified = certify_solution(question, task.minimise or "", solution, path, task.limit)
    except GridproofError as error:
        return None, str(error)
    return certified, certified.missing


def _print(target: Target, task: Task, solution: Solution) -> None:
    level = target.level
    print_paragraph(f"{level_heading(target.name, level)}: {_describe(task, solution)}", hanging=2)
    if solution.refused:
        print_paragraph(f"slower because {solution.refused}", 2)
    if solution.found is None:
        print_paragraph(_advice(level, task, solution), 2)
    if solution.reason:
        print_paragraph(solution.reason, 2)
    if solution.trace:
        print_paragraph(
            level.game.own_format.join_actions(solution.trace) or "already solved, no actions needed", 2
        )


def _describe(task: Task, solution: Solution) -> str:
    work = f"{format_count(solution.states, 'positions')}, {solution.seconds:.1f} s by {solution.engine}"
    if solution.found is None:
        return f"No answer: {describe_limit(solution.stopped_by)} after {work}"
    if not solution.found:
        return f"impossible; {work}"
    cost = _cost_text(task, solution)
    luck = ", with luck" if needs_luck(solution.trace) else ""
    return f"{cost}{', the fewest' if solution.optimal else ''}{luck}; {work}"


def _cost_text(task: Task, solution: Solution) -> str:
    """Return the cost of the solution by each minimised measure."""
    if solution.trace is None or not task.minimise:
        return format_count(solution.cost or 0, "actions")
    by_name = measures(solution.trace.level.game)
    costs = costs_of(solution.trace, [by_name[name] for name in task.minimise.split(",")])
    return ", ".join(format_count(cost, name) for name, cost in costs.items())


def _advice(level: Level, task: Task, solution: Solution) -> str:
    """Suggest what to try if there is no answer."""
    option = f"--{solution.stopped_by}" if solution.stopped_by in ("seconds", "states") else ""
    more = f"a larger {option}" if option else "more memory"
    if task.minimise is None:
        return f"{more} may find one"
    first, *second = task.minimise.split(",")
    by_name = [*measures(level.game)]  # the harder ones first
    names = (*([first] if second else []), *by_name[: by_name.index(first) : -1], "any")
    easier = ", ".join(f"--minimise {name}" for name in names)
    return f"try {easier}, or {more}"
