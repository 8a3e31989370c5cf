"""`games` and `levels`: what there is."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json, name_in, names_in, note_unbelieved
from gridproof.cli.output import error_data, print_json, print_note, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.errors import BrokenLevel
from gridproof.core.game import Game
from gridproof.core.measure import measures
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.proposition import propositions
from gridproof.core.registry import broken, is_game
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games as all_games
from gridproof.core.shelf import levels_at, pack_names, shipped
from gridproof.core.wording import counted
from gridproof.play.data import board_size, game_data, level_data
from gridproof.search.solve import minimised_by, solvers

_NUMBER = re.compile("[0-9]{1,12}")
_MOST_COLUMNS = 4  # of numbers; more would leave no room for titles


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A game, to be told its propositions and measures too."),
    ] = None,
    json: Json = False,
) -> ExitStatus:
    """What games there are, or what one has."""
    if name is not None:
        game = game_named(name)
        print_json(game_data(game)) if json else _print_all_of(game)
        return ExitStatus.DONE
    _note_broken()
    if json:
        print_json([game_data(game) for game in all_games()])
        return ExitStatus.DONE
    for game in all_games():
        _print_game(game)
    return ExitStatus.DONE


def _note_broken() -> None:
    for fault in broken().values():
        print_note(fault)


def _print_all_of(game: Game) -> None:
    _print_game(game)
    typer.echo("  propositions and numbers, for goals")
    for item in propositions(game).values():
        arguments = ", ".join(item.parameters)
        shown = f"{item.name}({arguments})" if arguments else item.name
        optional = " (it may stand without arguments)" if 0 < item.optional == len(item.parameters) else ""
        print_paragraph(f"{shown}: {item.meaning}{optional}", indent=4, hanging=2)
    if game.invariants:
        typer.echo("  what holds on every level by a clause of its rules, for check")
    for clause, formula in game.invariants.items():
        print_paragraph(f"{clause}: {formula}", indent=4, hanging=2)
    typer.echo("  measures, for --minimise")
    for measure in measures(game).values():
        print_paragraph(f"{measure.name}: {measure.meaning}", indent=4, hanging=2)
    typer.echo("  solvers, for --solver, in the order in which they are asked")
    for solver in solvers(game):
        answers = (
            f"for {', '.join(minimised_by(solver, game))}; {'optimal' if solver.optimal else 'not optimal'}"
        )
        print_paragraph(f"{solver.name}: {solver.meaning} ({answers})", indent=4, hanging=2)


def _print_game(game: Game) -> None:
    packs = ", ".join(f"{game.name}/{name}" for name in pack_names(game)) or "none"
    formats = ", ".join(item.name for item in game.formats)
    typer.echo(game.name)
    print_paragraph(f"{game.title}: {game.meaning}.", indent=2)
    print_paragraph(f"packs: {packs}", indent=2, hanging=2)
    print_paragraph(f"formats: {formats}", indent=2, hanging=2)
    if game.exports:
        print_paragraph(f"written for other programs: {', '.join(game.exports)}", indent=2, hanging=2)


def levels(
    pack: Annotated[
        str | None,
        typer.Argument(metavar="PACK", help="A pack such as sokoban/first-steps, a game, or a FILE."),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """What packs there are, or what levels are in one."""
    if pack is None:
        _note_broken()
    if pack is None or is_game(pack):
        _list_packs(all_games() if pack is None else (game_named(pack),), json)
    else:
        _list_levels(pack, levels_at(pack, game, lenient=True), json)
    return ExitStatus.DONE


def _list_packs(chosen: tuple[Game, ...], json: bool) -> None:
    found = {f"{game.name}/{name}": shipped(game, name) for game in chosen for name in pack_names(game)}
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
    count = counted(len(pack) + len(pack.broken), "levels")
    if pack.broken:
        count += f", {len(pack.broken):,} broken"
    return f"{pack.title}, {count}" if pack.title else count


def _list_levels(reference: str, pack: Pack, json: bool) -> None:
    note_unbelieved(reference, pack)
    if json:
        print_json(_listed_data(reference, pack))
        return
    print_paragraph(f"{reference}  {_summary(pack)}", hanging=2)
    keys = _in_numbers(pack)
    rows = [(["", "size", *(key.lower() for key in keys)], "title")]
    for level in _listed(pack):
        if isinstance(level, BrokenLevel):
            rows.append(([str(level.number), "broken", *("-" for _ in keys)], level.told))
        else:
            width, height = board_size(level.start())
            numbers = [_number(level.keys.get(key)) for key in keys]
            rows.append(([str(len(rows)), f"{width}x{height}", *numbers], level.title or "without a title"))
    _print_table(rows)


def _listed(pack: Pack) -> list[Level | BrokenLevel]:
    """The levels of a text in its order, broken ones as their errors."""
    levels = dict(zip(pack.numbers, pack, strict=True)) | dict(pack.broken)
    return [levels[number] for number in sorted(levels)]


def _listed_data(reference: str, pack: Pack) -> list[dict[str, Any]]:
    data = []
    names = iter(names_in(reference, pack))
    for level in _listed(pack):
        if isinstance(level, BrokenLevel):
            data.append({"level": name_in(reference, level.number)} | error_data(level, str(level)))
        else:
            width, height = board_size(level.start())
            data.append(level_data(next(names), level) | {"width": width, "height": height})
    return data


def _in_numbers(pack: Pack) -> list[str]:
    """The keys by which levels say something in numbers: the fewest pushes, the difficulty."""
    said: dict[str, list[str]] = {}
    for level in pack:
        for key, value in level.keys.items():
            said.setdefault(key, []).append(value)
    return [key for key, values in said.items() if all(map(_NUMBER.fullmatch, values))][:_MOST_COLUMNS]


def _number(value: str | None) -> str:
    return "-" if value is None else f"{int(value):,}"


def _print_table(rows: list[tuple[list[str], str]]) -> None:
    """Columns of what is short; titles stand last, for they may need several lines."""
    widths = [max(map(len, column)) for column in zip(*(row for row, _ in rows), strict=True)]
    for row, title in rows:
        cells = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print_paragraph(f"{cells}  {title}", indent=2, hanging=len(cells) + 2)
