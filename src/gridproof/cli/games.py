"""`games`: list the games, or describe one."""

from __future__ import annotations

from typing import Annotated

import typer

from gridproof.analysis.json_data import game_data
from gridproof.cli.options import Json
from gridproof.cli.output import (
    ExitStatus,
    print_json,
    print_note,
    print_paragraph,
)
from gridproof.core.extension import function_table
from gridproof.core.game import Game
from gridproof.core.measure import measures
from gridproof.core.proposition import propositions
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games as all_games
from gridproof.core.registry import load_errors
from gridproof.core.text.level_lookup import pack_names
from gridproof.prove.game_formulas import domains_of, formulas_of
from gridproof.search.improver import improver_of
from gridproof.search.solve import solver_measures, solvers


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Describe this game, with its propositions and measures."),
    ] = None,
    json: Json = False,
) -> ExitStatus:
    """List the games, or describe one."""
    if name is not None:
        game = game_named(name)
        print_json(game_data(game)) if json else _print_details(game)
        return ExitStatus.DONE
    note_broken_games()
    if json:
        print_json([game_data(game) for game in all_games()])
        return ExitStatus.DONE
    for game in all_games():
        _print_game(game)
    return ExitStatus.DONE


def note_broken_games() -> None:
    """Note the games that could not be loaded."""
    for fault in load_errors().values():
        print_note(fault)


def _print_details(game: Game) -> None:
    _print_game(game)
    typer.echo("  propositions and numbers, for goals")
    for item in propositions(game).values():
        arguments = ", ".join(item.parameters)
        name = f"{item.name}({arguments})" if arguments else item.name
        optional = " (arguments are optional)" if 0 < item.optional == len(item.parameters) else ""
        print_paragraph(f"{name}: {item.meaning}{optional}", indent=4, hanging=2)
    typer.echo("  domains, for forall and exists in formulas")
    for name, domain in domains_of(game).items():
        print_paragraph(f"{name}({', '.join(domain.parameters)}): {domain.meaning}", indent=4, hanging=2)
    invariants = formulas_of(game).invariants
    if invariants:
        typer.echo("  invariants that the rules promise on every level, for check")
    for clause, formula in invariants.items():
        print_paragraph(f"{clause}: {formula}", indent=4, hanging=2)
    typer.echo("  measures, for --minimise")
    for measure in measures(game).values():
        print_paragraph(f"{measure.name}: {measure.meaning}", indent=4, hanging=2)
    typer.echo("  solvers, for --solver, in the order of use")
    for solver in solvers(game):
        answers = f"for {', '.join(solver_measures(solver, game))}; {'optimal' if solver.optimal else 'not optimal'}"
        print_paragraph(f"{solver.name}: {solver.meaning} ({answers})", indent=4, hanging=2)
    if improver := improver_of(game):
        typer.echo("  improver, for improve")
        print_paragraph(f"{improver.name}: {improver.meaning}", indent=4, hanging=2)


def _print_game(game: Game) -> None:
    packs = ", ".join(f"{game.name}/{name}" for name in pack_names(game)) or "none"
    formats = ", ".join(item.name for item in game.formats)
    typer.echo(game.name)
    print_paragraph(f"{game.title}: {game.meaning}.", indent=2)
    print_paragraph(f"packs: {packs}", indent=2, hanging=2)
    print_paragraph(f"formats: {formats}", indent=2, hanging=2)
    if exports := function_table(game, "exports"):
        print_paragraph(f"export formats: {', '.join(exports)}", indent=2, hanging=2)
