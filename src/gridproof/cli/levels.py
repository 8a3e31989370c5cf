"""`levels`: list the packs, or the levels of one."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from gridproof.analysis.json_data import board_size, level_data
from gridproof.cli.games import note_broken_games
from gridproof.cli.options import GameName, Json, level_name, level_names, note_rejected_data
from gridproof.cli.output import (
    ExitStatus,
    align_columns,
    error_data,
    print_json,
    print_paragraph,
)
from gridproof.core.difficulty import DIFFICULTIES
from gridproof.core.errors import BrokenLevel
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games as all_games
from gridproof.core.registry import is_game
from gridproof.core.text.level_lookup import TASKS, builtin_pack, game_of_task, levels_at, pack_names
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count

_NUMBER = re.compile("[0-9]{1,12}")
_MAX_COLUMNS = 4  # of numbers; more would leave no room for titles


def levels(
    pack: Annotated[
        str | None,
        typer.Argument(
            metavar="PACK",
            help="A pack such as sokoban/first-steps, a task such as sokoban-easy, a game, or a FILE.",
        ),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """List the packs, or the levels of one."""
    if pack is None:
        note_broken_games()
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
    names = {game.name for game in chosen}
    if tasks := [name for name in TASKS if game_of_task(name) in names]:
        print_paragraph(f"graded tasks, 100 levels each: {', '.join(tasks)}", hanging=2)


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
    """Return the numeric keys of levels, such as the fewest pushes and the difficulty, which may be a word where it is not measured."""
    values_by_key: dict[str, list[str]] = {}
    for level in pack:
        for key, value in level.keys.items():
            values_by_key.setdefault(key, []).append(value)
    numbers = {key: [*filter(_NUMBER.fullmatch, values)] for key, values in values_by_key.items()}
    numeric = [
        key
        for key, values in values_by_key.items()
        if numbers[key] and {*values} <= {*numbers[key], *DIFFICULTIES}
    ]
    return numeric[:_MAX_COLUMNS]


def _number(value: str | None) -> str:
    if value is None:
        return "-"
    return f"{int(value):,}" if _NUMBER.fullmatch(value) else value


def _print_table(rows: list[tuple[list[str], str]]) -> None:
    """Print short values in columns; titles come last, since they may wrap."""
    for cells, (_, title) in zip(align_columns([row for row, _ in rows]), rows, strict=True):
        print_paragraph(f"{cells}  {title}", indent=2, hanging=len(cells) + 2)
