"""`daily`: the puzzles of the day, the same for all."""

from __future__ import annotations

from typing import Annotated

import typer

from gridproof import terminal
from gridproof.cli.options import Json
from gridproof.cli.output import ExitStatus, align_columns, print_json, print_paragraph, print_text
from gridproof.cli.play import open_store, play_table
from gridproof.cli.progress import Progress
from gridproof.core.puzzle import Puzzle, PuzzleId, daily_id, hash_seed, make_puzzle, puzzle_games, today
from gridproof.core.registry import game as game_named
from gridproof.core.session import Session
from gridproof.core.text.pack import Pack


def daily(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Game to play. Default: list the puzzles of the day.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Play in lines of text, as without a terminal.")
    ] = False,
    json: Json = False,
) -> ExitStatus:
    """Play a game's puzzle of the day, or list all of them.

    The puzzles are the same for all players and change at midnight UTC. They are
    easy on Monday and hard at the weekend.
    """
    if game is None:
        _list(json)
        return ExitStatus.DONE
    puzzle_id = daily_id(game, today())
    store = None if json else open_store(needed=False)
    puzzle = (store.puzzles.get(puzzle_id) if store else None) or _make(puzzle_id)
    if store is not None:
        store.puzzles.add(puzzle)
    if not json:
        print_paragraph(f"{game_named(game).title}, {today():%d %B %Y}: {_words(puzzle)}")
    from gridproof.table.table import Table

    session = Session(Pack([puzzle.level]), hash_seed(str(puzzle_id), 32), store)
    play_table(Table(session, store), store, not (plain or json) and terminal.is_possible(), json)
    return ExitStatus.DONE


def _list(json: bool) -> None:
    ids = [daily_id(game.name, today()) for game in puzzle_games()]
    if json:
        for puzzle_id in ids:
            print_json({"date": today().isoformat(), "id": str(puzzle_id), **_fields(puzzle_id)})
    else:
        for line in align_columns([(one.game, one.words(), str(one)) for one in ids], left=3):
            print_text(f"{line}\n")


def _fields(puzzle_id: PuzzleId) -> dict[str, str]:
    return {name: getattr(puzzle_id, name) for name in ("game", "kind", "difficulty")}


def _make(puzzle_id: PuzzleId) -> Puzzle:
    with Progress("Making the puzzle of the day", "boards") as progress:
        return make_puzzle(puzzle_id, progress=progress)


def _words(puzzle: Puzzle) -> str:
    """Describe a puzzle, with the optimum where one is known."""
    fewest = f"; the fewest is {puzzle.optimum_words}" if puzzle.optimum_words else ""
    return f"{puzzle.words()} ({puzzle.id}){fewest}"
