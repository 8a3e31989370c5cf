"""`solve`: solve a level, or all levels of a pack in several processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import typer

from gridproof.cli.options import (
    ActorNames,
    CertificateFile,
    Force,
    GameName,
    Goal,
    Json,
    PackName,
    SecondsPerLevel,
    StatesPerLevel,
    check_targets,
    level_name,
    level_names,
    note_rejected_data,
    parse_actors,
    read_pack,
    write_certificate,
)
from gridproof.cli.output import (
    ExitStatus,
    answer_status,
    files_data,
    level_heading,
    print_files,
    print_json,
    print_note,
    print_paragraph,
    report_error,
)
from gridproof.cli.progress import Progress
from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.measure import costs_of, find_measure, measures
from gridproof.core.memory import available_memory
from gridproof.core.position import Level
from gridproof.core.text import files, recognition
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.certify import refuse_costs
from gridproof.search.actors import Actors, resolve_actors
from gridproof.search.cost_product import to_cost_product
from gridproof.search.refusal import Declined
from gridproof.search.solution import Solution
from gridproof.search.solve import find_solver
from gridproof.search.solve import solve as solve_level


class Task(NamedTuple):
    """The question for every level."""

    minimise: str | None
    goal: str
    actors: Actors
    limit: Limit
    solver: str | None


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
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Number of processes for a pack.")] = 1,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the trace. Those of a pack go to NAME-1.json, NAME-2.json, ... for NAME.json.",
        ),
    ] = None,
    certificate: CertificateFile = None,
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
    found = list(zip(level_names(reference, pack), pack, strict=True))
    processes = min(jobs, len(found))
    limit = Limit(seconds, states, None if processes == 1 else available_memory() // 2 // processes)
    task = Task(None if minimise == "any" else minimise, goal, parse_actors(actors), limit, solver)
    _check_task(found, task)
    saves, proofs = _target_files(save, len(found)), _target_files(certificate, len(found))
    check_targets(force, *saves, *proofs)
    if certificate:
        refuse_costs(found[0][1], goal)
    answers, declined = list[bool | None](), False
    for (name, one), solution, target, proof in zip(
        found, _solutions(found, task, jobs), saves, proofs, strict=True
    ):
        if isinstance(solution, Declined):
            if len(found) == 1:
                raise solution
            report_error(name, solution, json)
            declined = True
            continue
        paths = _save(solution, target), _certify(name, one, task, solution, proof)
        _print_json(name, one, task, solution, *paths) if json else _print(name, one, task, solution, *paths)
        answers.append(solution.found)
    for broken, error in pack.broken.items():
        report_error(level_name(reference, broken), error, json)
    return ExitStatus.WRONG if pack.broken or declined else answer_status(answers)


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


def _solutions(found: list[tuple[str, Level]], task: Task, jobs: int) -> Iterator[Solution | Declined]:
    """Yield the solutions in the order of the levels, as soon as they are ready; or the solver's refusal."""
    if jobs > 1 and len(found) > 1:
        yield from _in_processes([level for _, level in found], task, jobs)
        return
    for name, level in found:
        with Progress(f"Solving {name}") as progress:
            solution = _solve(level, task, progress)
        yield solution


def _solve(level: Level, task: Task, progress: Progress | None = None) -> Solution | Declined:
    try:
        return solve_level(level, task.minimise, task.goal, task.actors, task.limit, progress, task.solver)
    except Declined as error:
        return error


def _in_processes(levels: list[Level], task: Task, jobs: int) -> Iterator[Solution | Declined]:
    from gridproof.cli.process_pool import map_in_processes

    texts = [(level.game.name, level.text(), task) for level in levels]
    for solution, trace in map_in_processes(_solve_text, texts, jobs, "Solving", "levels"):
        yield solution if trace is None else replace(cast("Any", solution), trace=Trace.from_json(trace))


def _solve_text(work: tuple[str, str, Task]) -> tuple[Solution | Declined, str | None]:
    """Solve in a worker: texts go in and out, because every game can write and read them."""
    game, text, task = work
    solution = _solve(recognition.read(text, game)[0], task)
    if isinstance(solution, Declined) or solution.trace is None:
        return solution, None
    return replace(solution, trace=None), solution.trace.to_json()


def _target_files(path: Path | None, levels: int) -> list[Path | None]:
    """Return the file for each level; numbered if there are several."""
    if path is None or levels == 1:
        return [path] * levels
    return [files.add_number(path, number) for number in range(1, levels + 1)]


def _save(solution: Solution, path: Path | None) -> Path | None:
    if path is None or solution.trace is None:
        return None
    solution.trace.save(path)
    return path


def _certify(name: str, level: Level, task: Task, solution: Solution, path: Path | None) -> Path | None:
    """Write a certificate of impossibility, if wanted; return its file."""
    if path is None:
        return None
    if solution.found is not False:
        why = f"{task.goal} can be reached" if solution.found else "no answer within the limit"
        print_note(f"{name}: no certificate: {why}")
        return None
    return write_certificate(name, level, path, task.goal, task.actors, task.limit)


def _print_json(
    name: str, level: Level, task: Task, solution: Solution, path: Path | None, proof: Path | None
) -> None:
    data: dict[str, Any] = {
        "level": name,
        "game": level.game.name,
        "title": level.title,
        "goal": task.goal,
        "minimise": task.minimise or "any",
        "actors": task.actors,
        "found": solution.found,
        "cost": solution.cost,
        "optimal": solution.optimal,
        "states": solution.states,
        "seconds": round(solution.seconds, 6),
        "engine": solution.engine,
        "refused": solution.refused or None,
        "stopped_by": solution.stopped_by or None,
        "reason": solution.reason or None,
        "actions": None,
    }
    if solution.trace:
        labels = [step.label for step in solution.trace.steps]
        data["actions"] = [str(action) for action in solution.trace.actions]
        data["text"] = level.game.own_format.join_actions(solution.trace)
        data |= {"labels": labels} if any(labels) else {}
    print_json(data | files_data(path, proof))


def _print(
    name: str, level: Level, task: Task, solution: Solution, path: Path | None, proof: Path | None
) -> None:
    print_paragraph(f"{level_heading(name, level)}: {_describe(task, solution)}", hanging=2)
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
    print_files(path, proof)


def _describe(task: Task, solution: Solution) -> str:
    work = f"{format_count(solution.states, 'positions')}, {solution.seconds:.1f} s by {solution.engine}"
    if solution.found is None:
        return f"No answer: {describe_limit(solution.stopped_by)} after {work}"
    if not solution.found:
        return f"impossible; {work}"
    cost = _cost_text(task, solution)
    luck = ", with luck" if solution.trace and any(step.label for step in solution.trace.steps) else ""
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
