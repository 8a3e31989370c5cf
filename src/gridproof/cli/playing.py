"""`play`: a game in the full screen or in lines of text, kept as it is played."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof.cli.options import GameName, Json, note_broken, pack_named
from gridproof.cli.output import print_json, print_note, print_paragraph, print_text
from gridproof.cli.program import ExitStatus
from gridproof.core import files
from gridproof.core.errors import GridproofError
from gridproof.core.look import Look
from gridproof.core.pack import Pack
from gridproof.core.session import Session
from gridproof.play import terminal

if TYPE_CHECKING:
    from gridproof.play.table import Table
    from gridproof.store import Store

Levels = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL|PACK",
        help="A level, a pack, or a game: its pack to begin with. In a terminal it may be left out: then there is a menu.",
    ),
]


def play(
    level: Levels = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text, as where there is no terminal.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the game played last, of these levels or of any.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Keep the game, scores and best counts.")
    ] = True,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", help="Decides all chance: a number of 64 bits; else it is drawn."
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write FILE at the end: the trace of what was played; of several levels NAME-1.json, NAME-2.json, ... for NAME.json.",
        ),
    ] = None,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Play a level, or the levels of a pack one after another.

    In a terminal the game fills the screen, and without LEVEL there is a menu; else, and with --plain, it is in lines of text.

    The game is kept after each action, for --resume; a program's (--json) only when it is resumed.
    """
    full_screen = not (plain or json) and terminal.is_possible()
    if level is None and not resume and not full_screen:
        raise GridproofError("name a level or a pack (see `gridproof levels`), or say --resume")
    if resume and seed is not None:
        raise GridproofError("a game that is resumed has its own seed: leave --seed out")
    files.check_folder(save)
    levels = _levels(level, game) if level else None
    try:
        store = _store(needed=resume) if resume or (keep and not json) else None
        if resume:
            session: Session | None = _resumed(store, level, levels)
        elif levels is None:
            session = None
        else:
            session = Session(levels, secrets.randbits(32) if seed is None else seed, store)
    except KeyboardInterrupt:  # another process has locked the store
        return _left_early(levels, json)
    from gridproof.play.table import Table

    table = Table(session, store, save, tells_seed=seed is None and not resume) if session else None
    if full_screen:
        _full_screen(table, store, levels)
    elif table is not None:
        _converse(table, json)
    return ExitStatus.DONE


def _full_screen(table: Table | None, store: Store | None, levels: Pack | None) -> None:
    from gridproof.play.messages import left_out

    played = terminal.run(table, store, left_out(levels) if levels else ())
    if table is not None:
        for message in table.keep():
            print_paragraph(message.words())
    if played is not None:
        print_paragraph(played.farewell.words())


def _converse(table: Table, json: bool) -> None:
    from gridproof.play.lines import JsonPlay
    from gridproof.play.plain import PlainPlay

    (JsonPlay if json else PlainPlay)(table, sys.stdin, sys.stdout).run()


def _left_early(levels: Pack | None, json: bool) -> ExitStatus:
    """The farewell, as after Ctrl-C in a game; of a game that was to be resumed its words are not known yet."""
    farewell = levels.game.look.farewell if levels else Look.farewell
    if json:
        print_json({"kind": "farewell", "text": farewell})
    else:
        print_text("\n")
        print_paragraph(farewell)
    return ExitStatus.DONE


def _store(needed: bool) -> Store | None:
    """The store; without one a new game is played all the same, and the player told."""
    from gridproof.store import Store

    try:
        return Store()
    except GridproofError as error:
        if needed:
            raise
        print_note(f"this game is not kept: {error}")
        return None


def _levels(reference: str, game: str | None) -> Pack:
    if reference == "-" or reference.startswith("-#"):
        raise GridproofError("name a file for the level: standard input is what the player types")
    reference, pack = pack_named(reference, game)
    note_broken(reference, pack)
    return pack


def _resumed(store: Store | None, level: str | None, levels: Pack | None) -> Session:
    name = store.latest(levels) if store else None
    if store is None or name is None:
        raise GridproofError("there is no game to resume" + (f" of {level}" if level else ""))
    return store.resume(name)
