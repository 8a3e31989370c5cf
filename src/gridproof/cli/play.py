"""`play`: play in the full screen or in lines of text, and save the game."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridproof import terminal
from gridproof.cli.options import Force, GameName, Json, check_targets, note_broken, read_pack
from gridproof.cli.output import ExitStatus, print_json, print_note, print_paragraph, print_text
from gridproof.core.errors import GridproofError
from gridproof.core.look import Look
from gridproof.core.registry import is_game, load_errors
from gridproof.core.session import Session
from gridproof.core.text import files
from gridproof.core.text.pack import Pack

if TYPE_CHECKING:
    from gridproof.store import Store
    from gridproof.table.table import Table

Levels = Annotated[
    str | None,
    typer.Argument(
        metavar="LEVEL|PACK",
        help="A level, a pack, or a game (its first pack). In a terminal, omit it to open the menu.",
    ),
]


def play(
    level: Levels = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Play in lines of text, as without a terminal.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the last game, of these levels or of any.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Save the game, scores and best counts.")
    ] = True,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Random seed (64 bits). Default: a random one.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the trace at the end. Several levels go to NAME-1.json, NAME-2.json, ... for NAME.json.",
        ),
    ] = None,
    force: Force = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Play a level, or the levels of a pack in order.

    In a terminal, the game fills the screen; without LEVEL, a menu opens.
    Elsewhere, and with --plain, you play in lines of text.

    The game is saved after each action, so that --resume can continue it.
    With --json, only a resumed game is saved.
    """
    full_screen = not (plain or json) and terminal.is_possible()
    if level is None and not resume and not full_screen:
        raise GridproofError("give a level or a pack (see `gridproof levels`), or --resume")
    if resume and seed is not None:
        raise GridproofError("--seed does not apply to a resumed game")
    check_targets(force, save)
    levels = _read_levels(level, game) if level else None
    try:
        store = open_store(needed=resume) if resume or (keep and not json) else None
        if resume:
            session: Session | None = _resume(store, level, levels)
        elif levels is None:
            session = None
        else:
            session = Session(levels, secrets.randbits(32) if seed is None else seed, store)
    except KeyboardInterrupt:  # another process has locked the store
        return _print_farewell(levels, json)
    if save and session and len(session.levels) > 1:
        check_targets(force, *(files.add_number(save, place) for place in range(1, len(session.levels) + 1)))
    from gridproof.table.table import Table

    table = Table(session, store, save, tells_seed=seed is None and not resume) if session else None
    play_table(table, store, full_screen, json, levels)
    return ExitStatus.DONE


def play_table(
    table: Table | None, store: Store | None, full_screen: bool, json: bool, levels: Pack | None = None
) -> None:
    """Play on a table in the full screen or in lines; without a table, only the full screen opens, with its menu."""
    if full_screen:
        _play_full_screen(table, store, levels)
    elif table is not None:
        _play_in_lines(table, json)


def _play_full_screen(table: Table | None, store: Store | None, levels: Pack | None) -> None:
    from gridproof.table.messages import broken_level_notes

    last = terminal.run(table, store, broken_level_notes(levels) if levels else ())
    if table is not None:
        for message in table.save_played():
            print_paragraph(message.words())
    if last is not None:
        print_paragraph(last.farewell.words())


def _play_in_lines(table: Table, json: bool) -> None:
    from gridproof.console.jsonl import JsonPlay
    from gridproof.console.plain import PlainPlay

    (JsonPlay if json else PlainPlay)(table, sys.stdin, sys.stdout).run()


def _print_farewell(levels: Pack | None, json: bool) -> ExitStatus:
    """Print the farewell after Ctrl-C before the game started."""
    farewell = levels.game.look.farewell if levels else Look.farewell
    if json:
        print_json({"kind": "farewell", "text": farewell})
    else:
        print_text("\n")
        print_paragraph(farewell)
    return ExitStatus.DONE


def open_store(needed: bool) -> Store | None:
    """Open the store; without one, note it and play a new game."""
    from gridproof.store import Store

    try:
        return Store()
    except GridproofError as error:
        if needed:
            raise
        print_note(f"this game is not saved: {error}")
        return None


def _read_levels(reference: str, game: str | None) -> Pack:
    if reference == "-" or reference.startswith("-#"):
        raise GridproofError("give a file for the level; standard input is for your typing")
    reference, pack = read_pack(reference, game)
    note_broken(reference, pack)
    return pack


def _resume(store: Store | None, level: str | None, levels: Pack | None) -> Session:
    """Return the last game that can be opened, of these levels or of any, and note why others cannot.

    GridproofError when there is no such game.
    """
    found: Session | None = None
    if store is not None and levels is not None:
        found = store.resume(name) if (name := store.latest(levels)) else None
    elif store is not None:
        found = _latest(store)
    if found is None:
        raise GridproofError("no game to resume" + (f" of {level}" if level else ""))
    return found


def _latest(store: Store) -> Session | None:
    """Return the last game of an installed package."""
    missing = set()
    for entry in store.saved():
        if is_game(entry.game) and entry.game not in load_errors():
            return store.resume(entry.id)
        if entry.game not in missing:
            missing.add(entry.game)
            print_note(f"saved games cannot be opened because the game {entry.game} is not installed")
    return None
