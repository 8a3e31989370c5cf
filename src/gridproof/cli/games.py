"""`games` and `levels`: list games, packs and levels."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from gridproof.analysis.json_data import board_size, game_data, level_data
from gridproof.cli.options import GameName, Json, level_name, level_names, note_rejected_data
from gridproof.cli.output import (
    ExitStatus,
    align_columns,
    error_data,
    print_json,
    print_note,
    print_paragraph,
)
from gridproof.core.errors import BrokenLevel
from gridproof.core.extension import function_table
from gridproof.core.game import Game
from gridproof.core.measure import measures
from gridproof.core.position import Level
from gridproof.core.proposition import propositions
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games as all_games
from gridproof.core.registry import is_game, load_errors
from gridproof.core.text.level_lookup import builtin_pack, levels_at, pack_names
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.prove.game_formulas import domains_of, formulas_of
from gridproof.search.improver import improver_of
from gridproof.search.solve import solver_measures, solvers

_NUMBER = re.compile("[0-9]{1,12}")
_MAX_COLUMNS = 4  # of numbers; more would leave no room for titles


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
    _note_broken()
    if json:
        print_json([game_data(game) for game in all_games()])
        return ExitStatus.DONE
    for game in all_games():
        _print_game(game)
    return ExitStatus.DONE


def _note_broken() -> None:
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


def levels(
    pack: Annotated[
        str | None,
        typer.Argument(metavar="PACK", help="A pack such as sokoban/first-steps, a game, or a FILE."),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """List the packs, or the levels of one."""
    if pack is None:
        _note_broken()
    if pack is None or is_game(pack):
        _list_packs(all_games() if pack is None else (game_named(pack),), json)
    else:
        _list_levels(pack, levels_at(pack, game, lenient=True), json)
    return ExitStatus.DONE


def _list_packs(chosen: tuple[Game, ...], json: bool) -> None:
    found = {f"{game.name}/{name}": builtin_pack(game, name) for game in chosen for name in pack_names(game)}
    if json:
        print_json(
            [
                {"pack": name, "title": pack.title, "author": pack.author, "levels": len(pack)}
                for name, pack in found.items()
            ]
        )
        return
    for name, pack in found.items():
        print_paragraph(f"{name}  {_summary(pack)}", hanging=2)


def _summary(pack: Pack) -> str:
    count = format_count(len(pack) + len(pack.broken), "levels")
    if pack.broken:
        count += f", {len(pack.broken):,} broken"
    return f"{pack.title}, {count}" if pack.title else count


def _list_levels(reference: str, pack: Pack, json: bool) -> None:
    note_rejected_data(reference, pack)
    if json:
        print_json(_entries_data(reference, pack))
        return
    print_paragraph(f"{reference}  {_summary(pack)}", hanging=2)
    keys = _numeric_keys(pack)
    rows = [(["", "size", *(key.lower() for key in keys)], "title")]
    for level in _list_entries(pack):
        if isinstance(level, BrokenLevel):
            rows.append(([str(level.number), "broken", *("-" for _ in keys)], level.description))
        else:
            width, height = board_size(level.start())
            numbers = [_number(level.keys.get(key)) for key in keys]
            rows.append(([str(len(rows)), f"{width}x{height}", *numbers], level.title or "without a title"))
    _print_table(rows)


def _list_entries(pack: Pack) -> list[Level | BrokenLevel]:
    """List the levels of a text in order, broken ones as their errors."""
    levels = dict(zip(pack.numbers, pack, strict=True)) | dict(pack.broken)
    return [levels[number] for number in sorted(levels)]


def _entries_data(reference: str, pack: Pack) -> list[dict[str, Any]]:
    data = []
    names = iter(level_names(reference, pack))
    for level in _list_entries(pack):
        if isinstance(level, BrokenLevel):
            data.append({"level": level_name(reference, level.number)} | error_data(level, str(level)))
        else:
            width, height = board_size(level.start())
            data.append(level_data(next(names), level) | {"width": width, "height": height})
    return data


def _numeric_keys(pack: Pack) -> list[str]:
    """Return the numeric keys of levels, such as the fewest pushes and the difficulty."""
    values_by_key: dict[str, list[str]] = {}
    for level in pack:
        for key, value in level.keys.items():
            values_by_key.setdefault(key, []).append(value)
    numeric = [key for key, values in values_by_key.items() if all(map(_NUMBER.fullmatch, values))]
    return numeric[:_MAX_COLUMNS]


def _number(value: str | None) -> str:
    return "-" if value is None else f"{int(value):,}"


def _print_table(rows: list[tuple[list[str], str]]) -> None:
    """Print short values in columns; titles come last, since they may wrap."""
    for cells, (_, title) in zip(align_columns([row for row, _ in rows]), rows, strict=True):
        print_paragraph(f"{cells}  {title}", indent=2, hanging=len(cells) + 2)
