"""`games` and `levels`: what there is."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from gridproof.cli.options import GameName, Json, names_in
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.core.game import Game
from gridproof.core.pack import Pack
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games as all_games
from gridproof.core.registry import is_game
from gridproof.core.shelf import levels_at, pack_names, shipped
from gridproof.core.wording import counted
from gridproof.play.data import board_size, game_data, level_data

_NUMBER = re.compile("[0-9]{1,12}")
_MOST_COLUMNS = 4  # of numbers; more would leave no room for titles


def games(json: Json = False) -> ExitStatus:
    """What games there are."""
    if json:
        print_json([game_data(game) for game in all_games()])
        return ExitStatus.DONE
    for game in all_games():
        _print_game(game)
    return ExitStatus.DONE


def _print_game(game: Game) -> None:
    packs = ", ".join(f"{game.name}/{name}" for name in pack_names(game)) or "none"
    formats = ", ".join(item.name for item in game.formats)
    typer.echo(game.name)
    print_paragraph(f"{game.title}: {game.meaning}.", indent=2)
    print_paragraph(f"packs: {packs}", indent=2, hanging=2)
    print_paragraph(f"formats: {formats}", indent=2, hanging=2)


def levels(
    pack: Annotated[
        str | None,
        typer.Argument(metavar="PACK", help="A pack such as sokoban/first-steps, a game, or a FILE."),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """What packs there are, or what levels are in one."""
    if pack is None or is_game(pack):
        _list_packs(all_games() if pack is None else (game_named(pack),), json)
    else:
        _list_levels(pack, levels_at(pack, game), json)
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
    count = counted(len(pack), "levels")
    return f"{pack.title}, {count}" if pack.title else count


def _list_levels(reference: str, pack: Pack, json: bool) -> None:
    sizes = [board_size(level.start()) for level in pack]
    if json:
        print_json(
            [
                level_data(name, level) | {"width": width, "height": height}
                for name, level, (width, height) in zip(names_in(reference, pack), pack, sizes, strict=True)
            ]
        )
        return
    print_paragraph(f"{reference}  {_summary(pack)}", hanging=2)
    keys = _in_numbers(pack)
    rows = [["", "size", *(key.lower() for key in keys)]]
    for number, (level, (width, height)) in enumerate(zip(pack, sizes, strict=True), 1):
        rows.append([str(number), f"{width}x{height}", *(_number(level.keys.get(key)) for key in keys)])
    _print_table(rows, ["title", *(level.title or "without a title" for level in pack)])


def _in_numbers(pack: Pack) -> list[str]:
    """The keys by which levels say something in numbers: the fewest pushes, the difficulty."""
    said: dict[str, list[str]] = {}
    for level in pack:
        for key, value in level.keys.items():
            said.setdefault(key, []).append(value)
    return [key for key, values in said.items() if all(map(_NUMBER.fullmatch, values))][:_MOST_COLUMNS]


def _number(value: str | None) -> str:
    return "-" if value is None else f"{int(value):,}"


def _print_table(rows: list[list[str]], titles: list[str]) -> None:
    """Columns of what is short; titles stand last, for they may need several lines."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, title in zip(rows, titles, strict=True):
        cells = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print_paragraph(f"{cells}  {title}", indent=2, hanging=len(cells) + 2)
