"""`solve`: one level, or all levels of a pack in several processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import typer

from gridproof.cli.certifying import CertificateFile, certified
from gridproof.cli.options import (
    ActorNames,
    GameName,
    Json,
    PackName,
    actors_in,
    name_in,
    names_in,
    note_unbelieved,
    pack_named,
)
from gridproof.cli.output import print_json, print_note, print_paragraph, report_error
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files, proposition, reading
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.measure import measure_named, measures
from gridproof.core.memory import memory_there
from gridproof.core.position import Level
from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.search.actors import Actors, acting
from gridproof.search.refusal import Declined
from gridproof.search.solution import Solution
from gridproof.search.solve import solve as solve_level
from gridproof.search.solve import solver_named


class Task(NamedTuple):
    """What is asked of every level."""

    minimise: str | None
    goal: str
    actors: Actors
    limit: Limit
    solver: str | None


def solve(
    level: PackName,
    minimise: Annotated[
        str, typer.Option("--minimise", metavar="WHAT", help="actions, what else the game counts, or any.")
    ] = "actions",
    goal: Annotated[
        str, typer.Option("--goal", metavar="PROPOSITION", help="Such as won or tile(512).")
    ] = "won",
    actors: ActorNames = None,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", help="For each level.")] = None,
    states: Annotated[int | None, typer.Option("--states", metavar="N", help="For each level.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, metavar="N", help="Processes for a pack.")] = 1,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the trace; those of a pack as FILE-1, FILE-2, ..."),
    ] = None,
    certificate: CertificateFile = None,
    solver: Annotated[
        str | None,
        typer.Option(
            "--solver", metavar="NAME", help="The one engine to ask, of those that `games GAME` lists."
        ),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Find the cheapest solution, or prove that there is none.

    Exit status: 0 solved, 1 impossible, 3 neither within the limits.
    """
    reference, pack = pack_named(level, game)
    note_unbelieved(reference, pack)
    found = list(zip(names_in(reference, pack), pack, strict=True))
    limit = _limit(seconds, states, min(jobs, len(found)))
    task = Task(None if minimise == "any" else minimise, goal, actors_in(actors), limit, solver)
    _check(found, task)
    files.check_folder(save)
    files.check_folder(certificate)
    answers, declined = list[bool | None](), False
    for number, ((name, one), solution) in enumerate(
        zip(found, _solutions(found, task, jobs), strict=True), 1
    ):
        if isinstance(solution, Declined):
            if len(found) == 1:
                raise solution
            report_error(name, solution, json)
            declined = True
            continue
        place = number if len(found) > 1 else None
        saved = _save(solution, save, place)
        proof = _certify(name, one, task, solution, certificate, place)
        paths = saved, proof
        _print_json(name, one, task, solution, *paths) if json else _print(name, one, task, solution, *paths)
        answers.append(solution.found)
    for broken, error in pack.broken.items():
        report_error(name_in(reference, broken), error, json)
    if pack.broken or declined:
        return ExitStatus.WRONG
    if False in answers:
        return ExitStatus.NO
    return ExitStatus.LIMIT if None in answers else ExitStatus.DONE


def _limit(seconds: float | None, states: int | None, jobs: int) -> Limit:
    return Limit(seconds, states, None if jobs == 1 else memory_there() // 2 // jobs)


def _check(found: list[tuple[str, Level]], task: Task) -> None:
    """Errors of the whole task come before any work."""
    game = found[0][1].game
    measure_named(game, task.minimise or "actions")
    proposition.goal(game, task.goal)
    if task.solver is not None:
        solver_named(game, task.solver)
    for name, level in found:
        try:
            acting(level, task.actors)
        except GridproofError as error:
            raise GridproofError(f"{name}: {error}") from None


def _solutions(found: list[tuple[str, Level]], task: Task, jobs: int) -> Iterator[Solution | Declined]:
    """The solutions in the order of the levels, each as soon as it is there; or that the solver declines."""
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
    from gridproof.cli.workers import answers_of

    texts = [(level.game.name, level.text(), task) for level in levels]
    for solution, trace in answers_of(_solve_text, texts, jobs, "Solving", "levels"):
        yield solution if trace is None else replace(cast("Any", solution), trace=Trace.from_json(trace))


def _solve_text(work: tuple[str, str, Task]) -> tuple[Solution | Declined, str | None]:
    """In a worker: texts go there and come back, for they are what every game can write and read."""
    game, text, task = work
    solution = _solve(reading.read(text, game)[0], task)
    if isinstance(solution, Declined) or solution.trace is None:
        return solution, None
    return replace(solution, trace=None), solution.trace.to_json()


def _save(solution: Solution, path: Path | None, number: int | None) -> Path | None:
    if path is None or solution.trace is None:
        return None
    if number is not None:
        path = files.numbered(path, number)
    solution.trace.save(path)
    return path


def _certify(
    name: str, level: Level, task: Task, solution: Solution, path: Path | None, number: int | None
) -> Path | None:
    """Write a certificate of what is impossible, if one is wanted; its file."""
    if path is None:
        return None
    if solution.found is not False:
        why = f"{task.goal} can be reached" if solution.found else "no answer within the limit"
        print_note(f"{name}: no certificate: {why}")
        return None
    path = path if number is None else files.numbered(path, number)
    return certified(name, level, path, task.goal, task.actors, task.limit)


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
        data["text"] = level.game.join_actions(solution.trace)
        data |= {"labels": labels} if any(labels) else {}
        data |= {"saved": str(path)} if path else {}
    data |= {"certificate": str(proof)} if proof else {}
    print_json(data)


def _print(
    name: str, level: Level, task: Task, solution: Solution, path: Path | None, proof: Path | None
) -> None:
    title = f"{name}  {level.title}".rstrip()
    print_paragraph(f"{title}: {_words(task, solution)}", hanging=2)
    if solution.refused:
        print_paragraph(f"not faster: {solution.refused}", 2)
    if solution.found is None:
        print_paragraph(_advice(level, task, solution), 2)
    if solution.reason:
        print_paragraph(solution.reason, 2)
    if solution.trace:
        print_paragraph(level.game.join_actions(solution.trace) or "nothing is to be done", 2)
    if path:
        print_paragraph(f"saved in {path}", 2)
    if proof:
        print_paragraph(f"certificate in {proof}", 2)


def _words(task: Task, solution: Solution) -> str:
    work = f"{counted(solution.states, 'positions')}, {solution.seconds:.1f} s by {solution.engine}"
    if solution.found is None:
        return f"no answer within the limit; {work}"
    if not solution.found:
        return f"impossible; {work}"
    cost = counted(solution.cost or 0, task.minimise or "actions")
    luck = ", with luck" if solution.trace and any(step.label for step in solution.trace.steps) else ""
    return f"{cost}{', the fewest' if solution.optimal else ''}{luck}; {work}"


def _advice(level: Level, task: Task, solution: Solution) -> str:
    """What would help where there is no answer."""
    option = f"--{solution.stopped_by}" if solution.stopped_by in ("seconds", "states") else ""
    more = f"a larger {option}" if option else "more memory"
    if task.minimise is None:
        return f"{more} may find one"
    known = [*measures(level.game)]  # the harder ones first
    easier = ", ".join(f"--minimise {name}" for name in (*known[: known.index(task.minimise) : -1], "any"))
    return f"easier may be {easier}; or {more}"
