"""`games` and `levels`: what there is."""

from __future__ import annotations

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
    names = names_in(reference, pack)
    sizes = [board_size(level.start()) for level in pack]
    if json:
        print_json(
            [
                level_data(name, level) | {"width": width, "height": height}
                for name, level, (width, height) in zip(names, pack, sizes, strict=True)
            ]
        )
        return
    print_paragraph(f"{reference}  {_summary(pack)}", hanging=2)
    places = len(str(len(pack)))
    for number, (level, (width, height)) in enumerate(zip(pack, sizes, strict=True), 1):
        title = level.title or "without a title"
        print_paragraph(f"{number:{places}}  {title}, {width}x{height}", indent=2, hanging=places + 2)
