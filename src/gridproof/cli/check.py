"""`check`: prove or refute a formula on a level."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridproof.cli.options import (
    ActorNames,
    CertificateFile,
    Force,
    GameName,
    Json,
    LevelName,
    SaveTrace,
    Seconds,
    States,
    check_targets,
    parse_actors,
    read_level,
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
    print_text,
)
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import trace_to_data
from gridproof.prove.certify import check_certifiable, impossible_goal, refuse_costs
from gridproof.prove.check import check as check_formula
from gridproof.prove.strategy import Strategy
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors


def check(
    level: LevelName,
    formula: Annotated[
        str, typer.Argument(metavar="FORMULA", help="For example 'AG EF won' or 'G (won -> X won)'.")
    ],
    paths: Annotated[
        str, typer.Option(metavar="all|some", help="LTL only: must hold on all paths or on some.")
    ] = "all",
    actors: ActorNames = None,
    fair: Annotated[
        list[str] | None,
        typer.Option(
            metavar="'KIND NAME'",
            help="Assume fairness, such as 'weak up' or 'strong a', for an action, an actor, or * for all.",
        ),
    ] = None,
    more: Annotated[int, typer.Option(min=0, metavar="N", help="Show up to N more traces.")] = 0,
    seconds: Seconds = None,
    states: States = None,
    save: SaveTrace = None,
    certificate: CertificateFile = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Prove or refute a CTL or LTL formula.

    Exit status: 0 holds, 1 does not hold, 3 a limit was reached.
    """
    name, found = read_level(level, game)
    check_targets(force, save, certificate)
    if certificate:
        check_certifiable(formula, paths)
        refuse_costs(found, formula)
    with Progress(f"Checking {name}") as progress:
        limit = Limit(seconds, states)
        verdict = check_formula(found, formula, paths, parse_actors(actors), limit, fair or [], progress)
        others = _more_verdicts(verdict, more)
    path = save if save and verdict.trace else None
    if path and verdict.trace:
        verdict.trace.save(path)
    proof = _certify(name, found, verdict, certificate, parse_actors(actors), limit)
    if json:
        _print_json(name, found, verdict, others, path, proof)
    else:
        _print(name, found, verdict, others, path, proof)
    return answer_status([verdict.holds])


def _certify(
    name: str, level: Level, verdict: Verdict, path: Path | None, actors: Actors, limit: Limit
) -> Path | None:
    """Write a certificate of the impossibility that the verdict proves, if requested; return its file."""
    if path is None or verdict.holds is None:
        return None
    goal = impossible_goal(verdict)
    if goal is None:
        print_note("no certificate: this answer does not prove anything impossible")
        return None
    return write_certificate(name, level, path, goal, actors, limit)


def _more_verdicts(verdict: Verdict, number: int) -> list[Verdict]:
    found: list[Verdict] = []
    while len(found) < number and (following := (found or [verdict])[-1].more()):
        found.append(following)
    return found


def _print_json(
    name: str, level: Level, verdict: Verdict, others: list[Verdict], path: Path | None, proof: Path | None
) -> None:
    print_json(
        {
            "level": name,
            "game": level.game.name,
            "title": level.title,
            "formula": str(verdict.formula),
            "logic": verdict.logic.value,
            "paths": verdict.paths,
            "holds": verdict.holds,
            "satisfying": verdict.satisfying,
            "vacuous": verdict.vacuous,
            "remarks": list(verdict.remarks),
            "states": verdict.states,
            "seconds": round(verdict.seconds, 6),
            "stopped_by": verdict.stopped_by or None,
            "trace": verdict.trace and trace_to_data(verdict.trace),
            "more": [one.trace and trace_to_data(one.trace) for one in others],
        }
        | files_data(path, proof)
        | ({"strategy_of": verdict.strategy.players} if verdict.strategy else {})
    )


def _print(
    name: str, level: Level, verdict: Verdict, others: list[Verdict], path: Path | None, proof: Path | None
) -> None:
    print_paragraph(f"{level_heading(name, level)}: {verdict.sentence()} {verdict.work}", hanging=2)
    for remark in verdict.remarks:
        print_paragraph(remark, 2)
    if verdict.strategy:
        print_paragraph(_describe_strategy(verdict.strategy), 2)
    for one in (verdict, *others) if verdict.trace else ():
        other = "another " if one is not verdict else ""
        steps = format_count(len(one.trace.steps if one.trace else ()), "actions")
        print_text(f"\n{other}{one.shows}, {steps}:\n" + "".join(f"{line}\n" for line in one.trace_lines()))
    print_files(path, proof)


def _describe_strategy(strategy: Strategy) -> str:
    """Describe who has a strategy, which was played against every answer."""
    if not strategy.players:
        return "whatever anybody does"
    who = " and ".join(strategy.players)
    return f"by a strategy of {who}, played against every answer: {format_count(strategy.verify(), 'turns')}"
