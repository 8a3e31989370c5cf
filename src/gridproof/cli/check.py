"""`check`: prove or refute a formula on a level."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from gridproof.cli.answer_folder import (
    VERDICTS,
    FolderAnswer,
    FolderQuestion,
    FolderTarget,
    level_of_row,
    level_rows,
    limit_data,
    write_answers,
)
from gridproof.cli.certified_answer import CertifiedAnswer, certify_verdict
from gridproof.cli.check_values import (
    ValueOptions,
    ValueQuestion,
    check_cases,
    list_cases,
    parse_assignments,
    print_least,
)
from gridproof.cli.generate import parse_parameter
from gridproof.cli.level_family import Family, VerdictTable, generate_family, read_family
from gridproof.cli.level_results import results_of_questions
from gridproof.cli.options import (
    ActorNames,
    CertificateFile,
    Force,
    GameName,
    Jobs,
    Json,
    OutFolder,
    SaveTrace,
    SecondsPerLevel,
    StatesPerLevel,
    Where,
    check_targets,
    is_missing,
    parse_actors,
    path_of_certificate,
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
    print_text,
    report_error,
    save_trace,
)
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.progress import Progress
from gridproof.cli.property_report import PropertyTask, count_properties, report_properties
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import trace_to_data
from gridproof.prove.check import HASH_COMPACTION, logic_on_paths
from gridproof.prove.check import check as check_formula
from gridproof.prove.coverage import coverage as find_coverage
from gridproof.prove.formula import Formula, decisive_goal, is_temporal, negate
from gridproof.prove.induction import InductionVerdict
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parameter import Values, put_values, put_values_in_definition
from gridproof.prove.strategy import Strategy
from gridproof.prove.verdict import NO_TRACES, Verdict
from gridproof.prove.verdict_certificate import VerdictQuestion
from gridproof.search.actors import Actors

if TYPE_CHECKING:
    from gridproof.store.parquet import Row

Files = list[Path | None]


class CheckTask(NamedTuple):
    """The question for every level."""

    formula: str | Formula
    definitions: tuple[str, ...]
    paths: str
    actors: Actors
    limit: Limit
    fair: tuple[str, ...]
    shortest: bool = False
    invariant: str | None = None
    induction: int | None = None
    engine: str = "explicit"


class OneLevelOptions(NamedTuple):
    """Output of the answer on one level: what is shown and what is written."""

    more: int
    coverage: bool
    save: Path | None
    certificate: Path | None
    json: bool


def check(
    level: Annotated[
        str,
        typer.Argument(
            metavar="LEVEL|PACK",
            help="Like LEVEL, but all levels of a file or pack are checked; a game with --seeds.",
        ),
    ],
    formula: Annotated[
        str | None, typer.Argument(metavar="FORMULA", help="For example 'AG EF won' or 'G (won -> X won)'.")
    ] = None,
    properties: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead of a FORMULA: check all properties of a file."),
    ] = None,
    automaton: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.hoa",
            help="Instead of a FORMULA: an automaton of the violations. It holds if no path is accepted.",
        ),
    ] = None,
    define: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'NAME = FORMULA'", help="Define a name for use in FORMULA, such as 'far = !near'."
        ),
    ] = None,
    paths: Annotated[
        str, typer.Option(metavar="all|some", help="LTL only: must hold on all paths or on some.")
    ] = "all",
    actors: ActorNames = None,
    fair: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'KIND NAME'",
            help="Assume fairness, such as 'weak up' or 'strong a', for an action, an actor, or * for all; or 'G F FORMULA'.",
        ),
    ] = None,
    shortest: Annotated[
        bool,
        typer.Option("--shortest", help="Search for a loop with the fewest actions, however long it takes."),
    ] = False,
    invariant: Annotated[
        str | None,
        typer.Option(metavar="FORMULA", help="Prove AG p by this inductive invariant, on all positions."),
    ] = None,
    induction: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Prove AG p by k-induction, on all positions.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            metavar="explicit|clingo|hash-compaction",
            help="clingo: for --invariant and --induction. hash-compaction: AG p or EF p with less memory; without a "
            "trace, the answer is only probable.",
        ),
    ] = "explicit",
    more: Annotated[int, typer.Option(min=0, metavar="N", help="Show up to N more traces.")] = 0,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List the parts of the formula that have no effect.")
    ] = False,
    seconds: SecondsPerLevel = None,
    states: StatesPerLevel = None,
    seeds: Annotated[
        str | None,
        typer.Option(metavar="A..B", help="Check the levels that a game generates from these seeds."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A number of the level, such as bombs=0..4; with --seeds a parameter, as of generate. All values are checked.",
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="NAME=A..B",
            help="Check for each value of a name in FORMULA, such as T=1..50 or T=2,4,8 for 'EF tile(T)'.",
        ),
    ] = None,
    least: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Find the least value for which the formula holds: of a name of --for or --set, or from 0 on.",
        ),
    ] = None,
    jobs: Jobs = 1,
    where: Where = None,
    save: SaveTrace = None,
    certificate: CertificateFile = None,
    out: OutFolder = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Prove or refute a formula of CTL, LTL or CTL*.

    Exit status: 0 holds, 1 does not hold, 3 a limit was reached, or the proof by induction fails. With --properties, 0 means
    that all are as expected.
    """
    if [formula, properties, automaton].count(None) != 2:  # one of three
        raise GridproofError("give a FORMULA, or a file with --properties or --automaton")
    workers = parse_workers(where, jobs)
    family = (
        read_family(level, game)
        if seeds is None
        else generate_family(level, seeds, dict(map(parse_parameter, parameters or ())), workers)
    )
    files = target_files(save, len(family.levels)), target_files(certificate, len(family.levels))
    if not (properties or values or least or parameters) and not (
        out and out.exists()
    ):  # certificates may be those of a killed run
        check_targets(force, *files[0], *files[1])
    limit, who = Limit(seconds, states), parse_actors(actors)
    induction_options: dict[str, object] = {"--invariant": invariant, "--induction": induction}
    value_options: dict[str, object] = {
        "--for": values,
        "--least": least,
        "--set": parameters and seeds is None,
    }
    formula_options: dict[str, object] = {"--define": define, "--paths": paths != "all"}
    if properties:
        level_options: dict[str, object] = {
            "--save": save,
            "--more": more,
            "--jobs": jobs > 1,
            "--where": where,
            "--out": out,
            "--shortest": shortest,
        }
        engine_option: dict[str, object] = {"--engine": engine != "explicit"}
        refuse_unused(
            "with --properties",
            formula_options | level_options | induction_options | engine_option | value_options,
        )
        task_of_all = PropertyTask(who, limit, fair or [], coverage, json)
        return _check_properties(family, properties, task_of_all, (certificate, force))
    if coverage:
        refuse_unused(
            "with --coverage", {"--shortest": shortest, "--engine": engine != "explicit"} | induction_options
        )
    if automaton:
        refuse_unused("with --automaton", formula_options | induction_options | value_options)
        refuse_unused("with --automaton", {"--coverage": coverage})
        refuse_unused("with --automaton, which no certificate can have", {"--certificate": certificate})
    single_options = _check_engine(
        engine,
        (invariant, induction),
        {"--coverage": coverage, "--more": more},
        certificate,
    )
    asked_of_all = _violations(automaton) if automaton else formula or ""
    methods = shortest, invariant, induction, engine
    task = CheckTask(asked_of_all, tuple(define or ()), paths, who, limit, tuple(fair or ()), *methods)
    numbers = parse_assignments("--set", parameters or ()) if seeds is None else {}
    if values or least or numbers:
        refuse_unused("to several values", single_options | {"--out": out})
        ranges = parse_assignments("--for", values or ())
        if least and least not in numbers:
            ranges.setdefault(least, "0..")
        settings = ValueOptions(ranges, numbers, least, workers, json)
        return _check_values(family, task, settings, (save, certificate), force)
    if out:
        refuse_unused("with --out", single_options | {"--save": save})
        return _check_into(FolderTarget(out, force, json), family, task, files[1], workers)
    if len(family.levels) + len(family.broken) > 1:
        refuse_unused("to several levels", single_options)
        return _check_family(family, task, files, workers, json)
    ((name, found),) = family.levels
    return _check_one(name, found, task, OneLevelOptions(more, coverage, save, certificate, json))


def _check_one(name: str, found: Level, task: CheckTask, options: OneLevelOptions) -> ExitStatus:
    """Check a formula on one level, and print all that is known of the answer."""
    asked, by_induction = _formula(task, found), task.invariant or task.induction
    what = f"Proving {asked} on {name}" if by_induction else _describe_search(name, found, asked, task.paths)
    with Progress(what) as progress:
        question = found, asked, task.paths, task.actors, task.limit, task.fair, progress
        covered = find_coverage(*question) if options.coverage else None
        verdict = covered.verdict if covered else check_formula(*question, *_methods(task, found))
        others = _more_verdicts(verdict, options.more)
    path = save_trace(verdict.trace, options.save)
    question_of_verdict = VerdictQuestion(found, verdict, task.actors, task.fair)
    with Progress(f"Certifying {name}") as progress:
        certified, note = certify_verdict(question_of_verdict, options.certificate, task.limit, progress)
    if note:
        print_note(f"{name}: {note}")
    proof = path_of_certificate(options.certificate, certified)
    if options.json:
        more_traces = {"more": [one.trace and trace_to_data(one.trace) for one in others]}
        unused = {"unused": covered.unused and [*map(str, covered.unused)]} if covered else {}
        print_result(name, found, verdict.to_dict(), more_traces, files_data(path, proof), unused)
    else:
        _print(name, found, verdict, others)
        print_files(path, proof)
        if covered:
            print_paragraph(str(covered), 2, 2)
    return ExitStatus.LIMIT if is_missing(certified) else answer_status([verdict.holds])


def _check_engine(
    engine: str,
    induction: tuple[str | None, int | None],
    options: dict[str, object],
    certificate: Path | None,
) -> dict[str, object]:
    """Refuse an engine and options that do not go together; return those for one level, with the engine if it is one."""
    if any(induction):
        refuse_unused("to a proof by induction", {"--more": options["--more"]})
        if induction[0] and engine != "explicit":
            clingo = f"with --engine {engine}, which counts no positions; use the engine explicit"
            refuse_unused(clingo, {"--certificate": certificate})
    elif engine == HASH_COMPACTION:
        refuse_unused("to a probable answer", {"--certificate": certificate} | options)
    else:
        refuse_unused("without --invariant or --induction", {"--engine": engine != "explicit"})
    return options | {f"--engine {HASH_COMPACTION}": engine == HASH_COMPACTION}


def _violations(path: Path) -> Formula:
    from gridproof.prove.formats.hoa_reader import read_violations

    return read_violations(path)


def _formula(task: CheckTask, level: Level) -> Formula:
    """Return the formula with definitions replaced."""
    return _expand(task.formula, task, level)


def _methods(task: CheckTask, level: Level) -> tuple[bool, Formula | None, int | None, str]:
    """Return the arguments of `gridproof.check` that say how to prove."""
    stated = None if task.invariant is None else _expand(task.invariant, task, level)
    return task.shortest, stated, task.induction, task.engine


def _expand(text: str | Formula, task: CheckTask, level: Level) -> Formula:
    """Return the formula of a text with definitions replaced."""
    from gridproof.prove.definition import parse_definition
    from gridproof.prove.expansion import Expander
    from gridproof.prove.name_check import check_definition_names
    from gridproof.prove.parsing import parse

    if isinstance(text, Formula):
        return text
    if not task.definitions:
        return parse(text)
    definitions = [*map(parse_definition, task.definitions)]
    expander = Expander(level, definitions)
    check_definition_names(definitions, level.game)
    return expander.expand(parse(text))


def _check_values(
    family: Family,
    task: CheckTask,
    options: ValueOptions,
    files: tuple[Path | None, Path | None],
    force: bool,
) -> ExitStatus:
    """Check a formula for all values, or find the least one for which it holds; `files` are those of trace and certificate."""
    text, (save, certificate) = str(task.formula), files
    cases = list_cases(family, options, (text, *task.definitions, task.invariant or ""))
    question = ValueQuestion(
        text,
        functools.partial(_formula_for, task),
        functools.partial(_check_for, task),
        functools.partial(_certified_for, task),
        task.limit,
    )
    if options.least:
        refuse_unused("with --least", {"--save": save, "--jobs": not options.workers.is_here})
        refuse_unused("with --least; use --for with the value that was found", {"--certificate": certificate})
        status = print_least(cases, question, options)
    else:
        saves, proofs = (target_files(one, len(cases)) for one in (save, certificate))
        check_targets(force, *saves, *proofs)
        status = check_cases(cases, question, options, saves, proofs)
    return _status(family, status, options.json)


def _task_for(task: CheckTask, values: Values) -> CheckTask:
    """Return the question with numbers in place of parameters."""
    definitions = tuple(put_values_in_definition(one, values) for one in task.definitions)
    return task._replace(
        formula=put_values(str(task.formula), values),
        definitions=definitions,
        invariant=None if task.invariant is None else put_values(task.invariant, values),
    )


def _formula_for(task: CheckTask, values: Values, level: Level) -> Formula:
    return _formula(_task_for(task, values), level)


def _check_for(task: CheckTask, values: Values, level: Level) -> None:
    _check_on_some_level(Family([("", level)], []), _task_for(task, values))


def _certified_for(
    task: CheckTask, values: Values, limit: Limit, path: Path | None, level: Level, progress: Progress | None
) -> CertifiedAnswer[Verdict] | GridproofError:
    return _certified_verdict(_task_for(task, values)._replace(limit=limit), path, level, progress)


def _check_properties(
    family: Family, file: Path, task: PropertyTask, certificate: tuple[Path | None, bool]
) -> ExitStatus:
    """Check the properties of a file on several levels; the certificate of each has a number, and may be overwritten or not."""
    (path, force), count = certificate, count_properties(file)
    proofs = target_files(path, len(family.levels) * count)
    check_targets(force, *proofs)
    answers, is_limit = list[bool | None](), False
    for place, (name, level) in enumerate(family.levels):
        found = report_properties(name, level, file, task, proofs[place * count : (place + 1) * count])
        answers += found.as_expected
        is_limit = is_limit or found.is_limit
    return _status(family, ExitStatus.LIMIT if is_limit else answer_status(answers), task.json)


def _check_family(
    family: Family, task: CheckTask, files: tuple[Files, Files], workers: Workers, json: bool
) -> ExitStatus:
    """Check a formula on several levels, and print a line for each; one that refuses the formula is an error.

    `files` are those of traces and of certificates, which workers write.
    """
    _check_on_some_level(family, task)
    table = VerdictTable(name for name, _ in family.levels)
    answers, refused, is_limit = list[bool | None](), False, False
    questions = [
        (name, level, functools.partial(_certified_verdict, task, proof and proof.absolute()))
        for (name, level), proof in zip(family.levels, files[1], strict=True)
    ]
    verdicts = results_of_questions(questions, workers, "Checking")
    for (name, level), found, save, proof in zip(family.levels, verdicts, *files, strict=True):
        if isinstance(found, GridproofError):
            report_error(name, found, json)
            refused = True
            continue
        verdict, path = found.answer, save_trace(found.trace, save)
        if found.note:
            print_note(f"{name}: {found.note}")
        if json:
            written = files_data(path, path_of_certificate(proof, found.certified))
            print_result(name, level, verdict.to_dict(), {"more": []}, written)
        else:
            table.print_row(name, level, verdict)
        answers.append(verdict.holds)
        is_limit = is_limit or is_missing(found.certified)
    if not json:
        table.print_end()
    status = ExitStatus.LIMIT if is_limit else answer_status(answers)
    return _status(family, ExitStatus.WRONG if refused else status, json)


def _check_into(
    target: FolderTarget, family: Family, task: CheckTask, proofs: Files, workers: Workers
) -> ExitStatus:
    """Check a formula on the levels whose results are not in a folder yet; workers write theirs, and certificates."""
    _check_on_some_level(family, task)
    content = task._asdict() | {"command": "check", "formula": str(task.formula)} | limit_data(task.limit)
    del content["limit"]
    rows = level_rows(family.levels)
    if any(proofs):
        rows = [row | {"certificate": str(proof)} for row, proof in zip(rows, proofs, strict=True)]
    asked = FolderQuestion(content, functools.partial(_answer, task, Path.cwd()), "Checking")
    return _status(family, write_answers(target, asked, rows, workers), target.json)


def _answer(task: CheckTask, folder: Path, row: Row) -> FolderAnswer:
    """Check the level of a row; its certificate has a name as seen from a folder."""
    path = folder / str(row["certificate"]) if row.get("certificate") else None
    found = _certified_verdict(task, path, level_of_row(row), None)
    if isinstance(found, GridproofError):
        raise found
    is_written = path_of_certificate(path, found.certified)
    changes = {} if path is None or is_written else {"certificate": None}
    return FolderAnswer(VERDICTS[found.bare.holds], found.answer.to_dict(), changes)


def _status(family: Family, status: ExitStatus, json: bool) -> ExitStatus:
    """Report the broken levels; return the exit status, which is WRONG if there are any."""
    for name, error in family.broken:
        report_error(name, error, json)
    return ExitStatus.WRONG if family.broken else status


def _check_on_some_level(family: Family, task: CheckTask) -> None:
    """Raise the first error of a formula, before any work, if its names mean nothing on all levels."""
    from gridproof.prove.expansion import expand_things
    from gridproof.prove.name_check import check_names

    errors = []
    for _, level in family.levels:
        formula = expand_things(_formula(task, level), level)
        logic_on_paths(formula, task.paths)
        try:
            check_names(formula, next(iter(level.starts())).position)
            return
        except GridproofError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _certified_verdict(
    task: CheckTask, path: Path | None, level: Level, progress: Progress | None
) -> CertifiedAnswer[Verdict] | GridproofError:
    """Check a formula, and write a certificate of the answer if there is a file for it."""
    try:
        verdict = _check_level(task, level, progress)
    except GridproofError as error:
        return error
    question = VerdictQuestion(level, verdict, task.actors, task.fair)
    return CertifiedAnswer.of(_sendable(verdict), *certify_verdict(question, path, task.limit, progress))


def _check_level(task: CheckTask, level: Level, progress: Progress | None) -> Verdict:
    asked = _formula(task, level)
    question = task.paths, task.actors, task.limit, task.fair, progress
    return check_formula(level, asked, *question, *_methods(task, level))


def _sendable(verdict: Verdict) -> Verdict:
    """Return a verdict without what other processes cannot send."""
    return replace(verdict, traces=NO_TRACES, strategy=None)


def _describe_search(name: str, level: Level, formula: Formula, paths: str) -> str:
    """Describe what is searched for: "Searching LEVEL for a position with !won"."""
    from gridproof.prove.expansion import expand_things

    asked = expand_things(formula, level)
    if (found := decisive_goal(asked, paths)) and not is_temporal(found[0]):
        return f"Searching {name} for a position with {found[0]}"
    if logic_of(asked) is Logic.LTL:
        return f"Searching {name} for a path with {asked if paths == 'some' else negate(asked)}"
    return f"Checking {asked} on {name}"


def _more_verdicts(verdict: Verdict, number: int) -> list[Verdict]:
    found: list[Verdict] = []
    while len(found) < number and (following := (found or [verdict])[-1].more()):
        found.append(following)
    return found


def _print(name: str, level: Level, verdict: Verdict, others: list[Verdict]) -> None:
    print_paragraph(f"{level_heading(name, level)}: {verdict.sentence()} {verdict.work}", hanging=2)
    for remark in verdict.remarks:
        print_paragraph(remark, 2)
    if isinstance(verdict.strategy, Strategy):
        print_paragraph(_describe_strategy(verdict.strategy), 2)
    if isinstance(verdict, InductionVerdict):
        _print_counterexamples(verdict)
        return
    for one in (verdict, *others) if verdict.trace else ():
        other = "another " if one is not verdict else ""
        steps = format_count(len(one.trace.steps if one.trace else ()), "actions")
        print_text(f"\n{other}{one.shows}, {steps}:\n" + "".join(f"{line}\n" for line in one.trace_lines()))


def _describe_strategy(strategy: Strategy) -> str:
    """Describe who has a strategy, which was played against every answer."""
    if not strategy.players:
        return "whatever anybody does"
    who = " and ".join(strategy.players)
    return f"by a strategy of {who}, played against every answer: {format_count(strategy.verify(), 'turns')}"


def _print_counterexamples(verdict: InductionVerdict) -> None:
    """Print the counterexample to the formula, or one to each obligation that fails."""
    for name, trace in verdict.counterexamples:
        actions = format_count(len(trace.steps), "actions")
        lines = "".join(f"{line}\n" for line in verdict.lines_of(trace))
        print_text(f"\n{name}, {actions}:\n{lines}")
