"""`convert`: convert levels to another format without loss."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import Force, FormatName, GameName, Json, check_targets, note_broken, output_format
from gridproof.cli.output import ExitStatus, note_lost_certificates, print_json, print_paragraph, print_text
from gridproof.cli.plugin_commands import add_options, exporters, text_of
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_function, function_table
from gridproof.core.game import Game
from gridproof.core.registry import games
from gridproof.core.text import files, recognition
from gridproof.core.text.level_lookup import (
    certificate_file,
    count_lost_certificates,
    levels_at,
    resolve_pack,
    save,
)
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count


def _convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="A file, a pack, a level, a game (its first pack), or - for standard input."
        ),
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file, or - for standard output.")] = "-",
    to: FormatName = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
    *,
    own: Mapping[str, Any],
) -> ExitStatus:
    """Convert levels to another format, with their metadata.

    Certificates are written next to the levels, or into their file. Formats for
    other programs, such as fodot, cannot be read back. explore --graph writes all
    positions of a level, as for Storm, SPIN or TLC.
    """
    if target != "-":
        check_targets(force, Path(target), certificate_file(Path(target)))
    reference = resolve_pack(source)
    named = to or Path(target).suffix[1:].lower()
    if any(named in function_table(owner, "exports") for owner in games()):
        return _export(reference, target, named, game, json, own)
    if own:
        given, formats = (
            ", ".join(names)
            for names in (own, (name for owner in games() for name in function_table(owner, "exports")))
        )
        raise GridproofError(f"{given} applies to export formats only: --to {formats}")
    pack = levels_at(reference, game)
    note_broken(reference, pack)
    form = _choose_format(pack.game, target, to)
    text = pack.text(form)
    _check_lossless(pack, text, form)
    lost = count_lost_certificates(pack, text) if target == "-" else save(pack, Path(target), form)
    _report(pack, form, text, target, json)
    note_lost_certificates(lost)
    return ExitStatus.DONE


convert = add_options(_convert, exporters())


def _choose_format(game: Game, target: str, to: str | None) -> str:
    """Return the name of the output format; GridproofError for those of graphs, too."""
    try:
        return output_format(game, target, to) or game.formats[0].name
    except GridproofError:
        from gridproof.prove.formats.export import SUFFIXES

        suffix = f".{to}" if to else Path(target).suffix.lower()
        if suffix not in SUFFIXES:
            raise
        raise GridproofError(
            f"{suffix} is no format of levels, but of all positions of one level: "
            f"gridproof explore LEVEL --graph FILE{suffix} writes them"
        ) from None


def _export(
    reference: str, target: str, name: str, game: str | None, json: bool, own: Mapping[str, Any]
) -> ExitStatus:
    """Export levels for another program."""
    path = Path(reference) if files.is_file(reference) else None
    with files.locate_errors(path) if path else contextlib.nullcontext():
        text = text_of(reference, game)
        pack = recognition.read(text, game)
        export = find_function(pack.game, "exports", name)
        if export is None:
            raise GridproofError(f"{pack.game.name} has nothing to export as {name}")
        written = export(text, pack.game.name, **own)
    if target != "-":
        files.write(Path(target), written)
    _report(pack, name, written, target, json)
    return ExitStatus.DONE


def _report(pack: Pack, form: str, text: str, target: str, json: bool) -> None:
    """Print the text, or the name of the written file."""
    if json:
        where = {"text": text} if target == "-" else {"path": os.path.abspath(target)}
        print_json({"game": pack.game.name, "levels": len(pack), "format": form, **where})
    elif target == "-":
        print_text(text)
    else:
        print_paragraph(f"{format_count(len(pack), 'levels')} written to {target}")


def _check_lossless(pack: Pack, text: str, form: str) -> None:
    """Raise GridproofError if the text reads back to other levels, or other metadata of them or of the pack."""
    again = recognition.read(text, pack.game)
    for number, level in enumerate(pack, 1):
        if number > len(again) or again[number - 1] != level:
            raise GridproofError(f"level {number} cannot be stored in the format {form}; nothing was written")
        _check_metadata(f"of level {number}", _metadata(level), _metadata(again[number - 1]), form)
    _check_metadata("of the pack", _pack_metadata(pack), _pack_metadata(again), form)


def _metadata(level: Any) -> dict[str, object]:
    """Return a level's metadata by attribute, without its certificate, which no format holds."""
    names = (item.name for item in dataclasses.fields(level) if not item.compare)
    return {name: getattr(level, name) for name in names if name != "certificate"}


def _pack_metadata(pack: Pack) -> dict[str, object]:
    return {"title": pack.title, "author": pack.author, "keys": pack.keys, "notes": pack.notes}


def _check_metadata(what: str, wanted: dict[str, object], found: dict[str, object], form: str) -> None:
    lost = ", ".join(name for name, value in wanted.items() if found[name] != value)
    if lost:
        raise GridproofError(f"{lost} {what} cannot be stored in the format {form}; nothing was written")
