"""`watch`: a game that plays itself."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Any

import typer

from gridproof.cli.options import GameName, Json, Seed, level_named
from gridproof.cli.output import on_terminal, print_json, print_paragraph
from gridproof.cli.own import additions, with_options
from gridproof.cli.program import ExitStatus
from gridproof.cli.progress import steady
from gridproof.cli.racing import end_status, print_end, race_with
from gridproof.cli.showing import print_position
from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed
from gridproof.core.trace import Trace, trace_in
from gridproof.core.wording import loop_told
from gridproof.play.data import loop_data, outcome_data
from gridproof.play.messages import told
from gridproof.play.shows import Race, show_named, shows

Steps = Iterator[tuple[int, Action, Outcome[Any]]]
"""Each action with its outcome, and a number: of the action, or of the request in a race."""

MOST_ACTIONS = 1000
LONGEST_DELAY = 3600


def _watch(
    level: Annotated[
        str,
        typer.Argument(
            metavar="GAME|LEVEL|TRACE",
            help="A level, a game: its first level, or LEVEL; or the file of a trace.",
        ),
    ],
    of_game: Annotated[str | None, typer.Argument(metavar="[LEVEL]", help="A level of that game.")] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Who plays; --player ? lists.")
    ] = None,
    actions: Annotated[
        int | None,
        typer.Option("--actions", min=0, metavar="N", help=f"Stop after so many; {MOST_ACTIONS} by default."),
    ] = None,
    delay: Annotated[
        float,
        typer.Option(
            "--delay", min=0, max=LONGEST_DELAY, metavar="S", help="Seconds between actions, on a terminal."
        ),
    ] = 0.2,
    boards: Annotated[
        bool, typer.Option("--boards", help="Print every board, where it is no terminal.")
    ] = False,
    seed: Seed = 0,
    game: GameName = None,
    json: Json = False,
    *,
    own: Mapping[str, Any],
) -> ExitStatus:
    """Watch a game that plays itself, or a trace."""
    if of_game is None and (trace := trace_in(level)) is not None:
        if own or player is not None:
            raise GridproofError(f"{level}: a trace says itself what is done: leave the players out")
        return _watch_trace(level, trace, actions, delay, boards, json)
    name, found = _wanted(level, of_game, game)
    if player == "?":
        print_json(list(shows(found.game))) if json else print_paragraph(", ".join(shows(found.game)))
        return ExitStatus.DONE
    race = race_with(found, check_seed(seed), player, own)
    steps = itertools.islice(_steps(found, seed, player, race), _most(actions, race))
    if json:
        _in_json(steps, race)
        return end_status(race)
    print_paragraph(f"{name}  {found.title}".rstrip(), hanging=2)
    _print_steps(found.start(seed), steps, delay, boards)
    if race is not None:
        print_end(race)
    return end_status(race)


watch = with_options(_watch, additions("watch"))


def _watch_trace(
    name: str, trace: Trace, actions: int | None, delay: float, boards: bool, json: bool
) -> ExitStatus:
    done = zip(itertools.count(1), trace.actions, trace.outcomes(), strict=False)
    steps = itertools.islice(done, actions)
    if json:
        _in_json(steps, None, trace.loop)
    else:
        print_paragraph(f"{name}  {trace.level.title}".rstrip(), hanging=2)
        _print_steps(trace.start, steps, delay, boards, loop_told(trace.loop, len(trace.steps)))
    return ExitStatus.DONE


def _print_steps(
    start: Position[Any],
    steps: Steps,
    delay: float,
    boards: bool,
    remarks: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Show them, each remark after so many of them."""
    if on_terminal():
        _on_terminal(start, steps, delay, remarks)
    else:
        _in_lines(start, steps, boards, remarks)


def _wanted(level: str, of_game: str | None, game: str | None) -> tuple[str, Level]:
    if of_game is None:
        return level_named(level, game)
    wanted = game_named(level)
    name, found = level_named(of_game, wanted.name)
    if found.game is not wanted:
        raise GridproofError(f"{of_game} is a level of {found.game.name}, not of {wanted.name}")
    return name, found


def _steps(level: Level, seed: int, player: str | None, race: Race | None) -> Steps:
    if race is not None:
        return ((race.requests, action, outcome) for action, outcome in race.steps())
    shown = show_named(level.game, player)(level, seed)
    return ((number, action, outcome) for number, (action, outcome) in enumerate(shown, 1))


def _most(actions: int | None, race: Race | None) -> int | None:
    """How many actions are shown; a race is ended by its own limit."""
    return MOST_ACTIONS if actions is None and race is None else actions


def _in_json(steps: Steps, race: Race | None, loop: int | None = None) -> None:
    for number, action, outcome in steps:
        print_json(outcome_data(action, outcome) | ({"requests": number} if race else loop_data(loop)))
    if race is not None:
        print_json({"race": race.report()})


def _in_lines(start: Position[Any], steps: Steps, boards: bool, remarks: Mapping[int, str]) -> None:
    position, level, counting = start, start.level, start.level.game.look.tally
    tally = counting.start
    print_position(position, tally)
    _remark(remarks, 0)
    for number, action, outcome in steps:
        position, tally = outcome.position, counting.add(tally, outcome)
        print_paragraph(_words(number, level, action, outcome), hanging=6)
        _remark(remarks, number)
        if boards:
            print_position(position, tally)
    if not boards:
        print_position(position, tally)


def _remark(remarks: Mapping[int, str], number: int) -> None:
    if number in remarks:
        print_paragraph(remarks[number])


def _words(number: int, level: Level, action: Action, outcome: Outcome[Any]) -> str:
    return f"{number:4}  {told(action, outcome, level.game.look)}"


def _on_terminal(start: Position[Any], steps: Steps, delay: float, remarks: Mapping[int, str]) -> None:
    """The board in one place, changing."""
    from rich.console import Console
    from rich.live import Live

    level = start.level
    frame, counting = _painter(level), level.game.look.tally
    tally = counting.start
    first = frame(start, tally, remarks.get(0, ""))
    with steady(Live(first, console=Console(highlight=False), auto_refresh=False)) as live:
        for number, action, outcome in steps:
            time.sleep(delay)
            tally = counting.add(tally, outcome)
            words = "\n".join((_words(number, level, action, outcome), remarks.get(number, ""))).rstrip()
            live.update(frame(outcome.position, tally, words), refresh=True)


def _painter(level: Level) -> Callable[[Position[Any], Any, str], Any]:
    from rich.console import Group
    from rich.text import Text

    from gridproof.play.colour import painted

    look = level.game.look

    def frame(position: Position[Any], tally: Any, words: str) -> Group:
        counts = (*look.counts(position, tally), ("status", str(position.status).lower()))
        told = ", ".join(f"{word} {value}" for word, value in counts)
        return Group(Text(), painted(look.board(position)), Text(told), Text(words))

    return frame
