"""`watch`: a game that plays itself."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json, Seed, level_named
from gridproof.cli.output import on_terminal, print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.showing import print_position
from gridproof.core.errors import GridproofError
from gridproof.core.game import Action, Level, Outcome, Position
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.rng import check_seed
from gridproof.core.shelf import pack_names
from gridproof.play.data import outcome_data

Steps = Iterator[tuple[Action, Outcome[Any]]]


def watch(
    level: Annotated[str, typer.Argument(metavar="GAME|LEVEL", help="A game (its first level) or a level.")],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Who plays; --player ? lists.")
    ] = None,
    actions: Annotated[int, typer.Option("--actions", min=0, metavar="N", help="Stop after so many.")] = 1000,
    delay: Annotated[
        float, typer.Option("--delay", min=0, metavar="S", help="Seconds between actions, on a terminal.")
    ] = 0.2,
    boards: Annotated[
        bool, typer.Option("--boards", help="Print every board, where it is no terminal.")
    ] = False,
    seed: Seed = 0,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Watch a game that plays itself."""
    from gridproof.play.shows import show_named, shows

    name, found = level_named(_first_level(level) if is_game(level) else level, game)
    if player == "?":
        print_json(list(shows(found.game))) if json else print_paragraph(", ".join(shows(found.game)))
        return ExitStatus.DONE
    steps = itertools.islice(show_named(found.game, player)(found, check_seed(seed)), actions)
    if json:
        for action, outcome in steps:
            print_json(outcome_data(action, outcome))
        return ExitStatus.DONE
    print_paragraph(f"{name}  {found.title}".rstrip(), hanging=2)
    _on_terminal(found, seed, steps, delay) if on_terminal() else _in_lines(found, seed, steps, boards)
    return ExitStatus.DONE


def _first_level(name: str) -> str:
    packs = pack_names(game_named(name))
    if not packs:
        raise GridproofError(f"{name} comes with no levels: name a file")
    return f"{name}/{packs[0]}/1"


def _in_lines(level: Level, seed: int, steps: Steps, boards: bool) -> None:
    position, done = level.start(seed), []
    print_position(position)
    for number, (action, outcome) in enumerate(steps, 1):
        done.append(outcome)
        position = outcome.position
        print_paragraph(_words(number, level, action, outcome), hanging=6)
        if boards:
            print_position(position, tuple(done))
    if not boards:
        print_position(position, tuple(done))


def _words(number: int, level: Level, action: Action, outcome: Outcome[Any]) -> str:
    points = f", {outcome.reward} points" if outcome.reward else ""
    return f"{number:4}  {level.game.look.words(action)}{points}"


def _on_terminal(level: Level, seed: int, steps: Steps, delay: float) -> None:
    """The board in one place, changing."""
    from rich.console import Console
    from rich.live import Live

    frame = _painter(level)
    done: list[Outcome[Any]] = []
    with Live(
        frame(level.start(seed), done, ""), console=Console(highlight=False), auto_refresh=False
    ) as live:
        for number, (action, outcome) in enumerate(steps, 1):
            time.sleep(delay)
            done.append(outcome)
            live.update(frame(outcome.position, done, _words(number, level, action, outcome)), refresh=True)


def _painter(level: Level) -> Callable[[Position[Any], list[Outcome[Any]], str], Any]:
    from rich.console import Group
    from rich.text import Text

    from gridproof.play.colour import painted

    look = level.game.look

    def frame(position: Position[Any], done: list[Outcome[Any]], words: str) -> Group:
        counts = (*look.counts(position, done), ("status", str(position.status).lower()))
        told = ", ".join(f"{word} {value}" for word, value in counts)
        return Group(Text(), painted(look.board(position)), Text(told), Text(words))

    return frame
