"""`convert`: levels from one format to another, without loss."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gridproof.cli.options import FormatName, GameName, Json, format_meant, note_broken
from gridproof.cli.output import note_lost, print_json, print_paragraph, print_text
from gridproof.cli.own import exporters, text_of, with_options
from gridproof.cli.program import ExitStatus
from gridproof.core import files, reading
from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.registry import games
from gridproof.core.shelf import certificates_unkept, levels_at, pack_meant, save
from gridproof.core.wording import counted


def _convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN", help="A file, a pack, a level, a game: its first pack, or - for standard input."
        ),
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file, or - for standard output.")] = "-",
    to: FormatName = None,
    game: GameName = None,
    json: Json = False,
    *,
    own: Mapping[str, Any],
) -> ExitStatus:
    """Write levels in another format, with all that is said of them.

    Certificates are kept beside them, or in them. What is meant for other programs (fodot) is not read again.
    """
    reference = pack_meant(source)
    named = to or Path(target).suffix[1:].lower()
    if any(named in owner.exports for owner in games()):
        return _export(reference, target, named, game, json, own)
    if own:
        given, known = (
            ", ".join(names) for names in (own, (name for owner in games() for name in owner.exports))
        )
        raise GridproofError(f"{given} is asked of what is written for other programs: --to {known}")
    pack = levels_at(reference, game)
    note_broken(reference, pack)
    form = format_meant(pack.game, target, to) or pack.game.formats[0].name
    text = pack.text(form)
    _check_kept(pack, text, form)
    lost = certificates_unkept(pack, text) if target == "-" else save(pack, Path(target), form)
    _tell(pack, form, text, target, json)
    note_lost(lost)
    return ExitStatus.DONE


convert = with_options(_convert, exporters())


def _export(
    reference: str, target: str, name: str, game: str | None, json: bool, own: Mapping[str, Any]
) -> ExitStatus:
    """Write what another program reads."""
    path = Path(reference) if files.is_file(reference) else None
    with files.naming(path) if path else contextlib.nullcontext():
        text = text_of(reference, game)
        pack = reading.read(text, game)
        export = pack.game.exporter(name)
        if export is None:
            raise GridproofError(f"{pack.game.name} has nothing that is written as {name}")
        written = export(text, pack.game.name, **own)
    if target != "-":
        files.write(Path(target), written)
    _tell(pack, name, written, target, json)
    return ExitStatus.DONE


def _tell(pack: Pack, form: str, text: str, target: str, json: bool) -> None:
    """Print the text, or where it was written."""
    if json:
        where = {"text": text} if target == "-" else {"path": os.path.abspath(target)}
        print_json({"game": pack.game.name, "levels": len(pack), "format": form, **where})
    elif target == "-":
        print_text(text)
    else:
        print_paragraph(f"{counted(len(pack), 'levels')} written to {target}")


def _check_kept(pack: Pack, text: str, form: str) -> None:
    """Read the text again.

    Raises
    ------
    GridproofError
        When a level, or what is said of it or of the pack, would not come back as it was.
    """
    again = reading.read(text, pack.game)
    for number, level in enumerate(pack, 1):
        if number > len(again) or again[number - 1] != level:
            raise GridproofError(f"level {number} cannot be kept in the format {form}: nothing is written")
        _check_told(f"of level {number}", _told(level), _told(again[number - 1]), form)
    _check_told("of the pack", _told_of_pack(pack), _told_of_pack(again), form)


def _told(level: Any) -> dict[str, object]:
    """What is said of a level, by attribute; its certificate stands in no format of levels."""
    said = (item.name for item in dataclasses.fields(level) if not item.compare)
    return {name: getattr(level, name) for name in said if name != "certificate"}


def _told_of_pack(pack: Pack) -> dict[str, object]:
    return {"title": pack.title, "author": pack.author, "keys": pack.keys, "notes": pack.notes}


def _check_told(what: str, wanted: dict[str, object], found: dict[str, object], form: str) -> None:
    lost = ", ".join(name for name, value in wanted.items() if found[name] != value)
    if lost:
        raise GridproofError(f"{lost} {what} cannot be kept in the format {form}: nothing is written")
