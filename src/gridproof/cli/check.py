"""`check`: does a formula hold on a level."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.certifying import CertificateFile, certified
from gridproof.cli.options import ActorNames, GameName, Json, LevelName, actors_in, level_named
from gridproof.cli.output import print_json, print_note, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import Progress
from gridproof.core import files
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.trace import Trace, steps_to_data
from gridproof.core.wording import counted
from gridproof.prove.certify import check_certifiable, impossible
from gridproof.prove.check import check as check_formula
from gridproof.prove.strategy import Strategy
from gridproof.prove.telling import told
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors


def check(
    level: LevelName,
    formula: Annotated[
        str, typer.Argument(metavar="FORMULA", help="Such as 'AG EF won' or 'G (won -> X won)'.")
    ],
    paths: Annotated[
        str, typer.Option("--paths", metavar="all|some", help="Of a formula of LTL: on which it is to hold.")
    ] = "all",
    actors: ActorNames = None,
    fair: Annotated[
        list[str] | None,
        typer.Option(
            "--fair",
            metavar="'KIND NAME'",
            help="Assume in one value 'weak up', 'strong a', ...: an action, an actor's, or *.",
        ),
    ] = None,
    more: Annotated[
        int, typer.Option("--more", min=0, metavar="N", help="Show up to so many other traces.")
    ] = 0,
    seconds: Annotated[float | None, typer.Option("--seconds", metavar="S", help="Stop after them.")] = None,
    states: Annotated[
        int | None, typer.Option("--states", metavar="N", help="Stop when there are more.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the trace.")] = None,
    certificate: CertificateFile = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Prove or refute a formula of CTL or LTL.

    Exit status: 0 it holds, 1 it does not, 3 a limit was reached.
    """
    name, found = level_named(level, game)
    files.check_folder(save)
    files.check_folder(certificate)
    if certificate:
        check_certifiable(formula, paths)
    with Progress(f"Checking {name}") as progress:
        limit = Limit(seconds, states)
        verdict = check_formula(found, formula, paths, actors_in(actors), limit, fair or [], progress)
        others = _others(verdict, more)
    path = save if save and verdict.trace else None
    if path and verdict.trace:
        verdict.trace.save(path)
    proof = _certify(name, found, verdict, certificate, actors_in(actors), limit)
    if json:
        _print_json(name, found, verdict, others, path, proof)
    else:
        _print(name, found, verdict, others, path, proof)
    if verdict.holds is None:
        return ExitStatus.LIMIT
    return ExitStatus.DONE if verdict.holds else ExitStatus.NO


def _certify(
    name: str, level: Level, verdict: Verdict, path: Path | None, actors: Actors, limit: Limit
) -> Path | None:
    """Write a certificate of what the verdict says is impossible, if one is wanted; its file."""
    if path is None or verdict.holds is None:
        return None
    goal = impossible(verdict)
    if goal is None:
        print_note("no certificate: nothing is impossible by this answer")
        return None
    return certified(name, level, path, goal, actors, limit)


def _others(verdict: Verdict, number: int) -> list[Verdict]:
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
            "trace": _data(verdict.trace),
            "more": [_data(one.trace) for one in others],
        }
        | ({"saved": str(path)} if path else {})
        | ({"certificate": str(proof)} if proof else {})
        | ({"strategy_of": verdict.strategy.players} if verdict.strategy else {})
    )


def _data(trace: Trace | None) -> dict[str, Any] | None:
    if trace is None:
        return None
    return {"start": trace.start.text(), "steps": steps_to_data(trace.steps), "loop": trace.loop}


def _print(
    name: str, level: Level, verdict: Verdict, others: list[Verdict], path: Path | None, proof: Path | None
) -> None:
    title = f"{name}  {level.title}".rstrip()
    print_paragraph(f"{title}: {verdict.formula} {verdict.answer}; {verdict.work}", hanging=2)
    for remark in verdict.remarks:
        print_paragraph(remark, 2)
    if verdict.strategy:
        print_paragraph(_strategy(verdict.strategy), 2)
    for one in (verdict, *others) if verdict.trace else ():
        other = "another " if one is not verdict else ""
        steps = counted(len(one.trace.steps if one.trace else ()), "actions")
        print_text(f"\n{other}{one.shows}, {steps}:\n" + "".join(f"{line}\n" for line in told(one)))
    if path:
        print_paragraph(f"saved in {path}", 2)
    if proof:
        print_paragraph(f"certificate in {proof}", 2)


def _strategy(strategy: Strategy) -> str:
    """Who has a strategy, and that it was played against every answer."""
    if not strategy.players:
        return "whatever anybody does"
    who = " and ".join(strategy.players)
    return f"by a strategy of {who}, played against every answer: {counted(strategy.verify(), 'turns')}"
