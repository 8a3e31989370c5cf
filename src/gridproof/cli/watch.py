"""`watch`: watch a player, a race or a trace."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import typer

from gridproof.agents.demos import Race, describe_next_values, find_demo, own_demo, player_of_demo
from gridproof.agents.extension import Player
from gridproof.agents.own_player import is_reference
from gridproof.analysis.json_data import loop_data, outcome_data
from gridproof.cli.options import GameName, Json, PlayerFile, Plies, Seed, read_level, refuse_unused
from gridproof.cli.output import ExitStatus, is_terminal, level_heading, print_json, print_paragraph
from gridproof.cli.players import (
    LIST,
    create_race,
    options_of_player,
    print_players,
    print_result,
    race_status,
)
from gridproof.cli.plugin_commands import add_options, extra_functions
from gridproof.cli.progress import run_live
from gridproof.cli.show import counts_text, print_position
from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.registry import game as game_named
from gridproof.core.rng import check_seed
from gridproof.core.text.phrases import describe_loop
from gridproof.core.trace import Trace, find_trace
from gridproof.table.messages import describe_action

Steps = Iterator[tuple[int, Action, Outcome[Any]]]
"""The number of each action (in a race, of its request), the action, and its outcome."""

TraceSteps = Iterator[tuple[Action, Outcome[Any]]]

Remark = Callable[[int, Position[Any]], str]
"""Says something after so many actions, at the position that they led to."""

MAX_ACTIONS = 1000
MAX_DELAY = 3600


def _watch(
    level: Annotated[
        str,
        typer.Argument(
            metavar="GAME|LEVEL|TRACE", help="A level, a game (its first level, or LEVEL), or a trace file."
        ),
    ],
    of_game: Annotated[str | None, typer.Argument(metavar="LEVEL", help="A level of that game.")] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Player; --player ? lists them. Your own: my.py:play, module:function, or a saved policy. In a race also a=planner,b=hints.",
        ),
    ] = None,
    actions: Annotated[
        int | None, typer.Option(min=0, metavar="N", help=f"Stop after N actions. Default: {MAX_ACTIONS}.")
    ] = None,
    delay: Annotated[
        float, typer.Option(min=0, max=MAX_DELAY, metavar="S", help="Seconds between actions, in a terminal.")
    ] = 0.2,
    boards: Annotated[bool, typer.Option("--boards", help="Print every board, outside a terminal.")] = False,
    plies: Plies = None,
    file: PlayerFile = None,
    values: Annotated[
        bool, typer.Option("--values", help="Print the player's value of each action, too.")
    ] = False,
    seed: Seed = 0,
    game: GameName = None,
    json: Json = False,
    *,
    own: Mapping[str, Any],
) -> ExitStatus:
    """Watch a player, a race or a trace."""
    if of_game is None and (trace := find_trace(level)) is not None:
        if not values:
            unused = {"--player": player, "--plies": plies, "--file": file}
            refuse_unused("to a trace without --values", unused)
        refuse_unused("to a trace", {"--player": own})
        options = options_of_player(plies=plies, file=file)
        judge = player_of_demo(trace.level.game, player, seed, options) if values else None
        first = itertools.islice(zip(trace.actions, trace.outcomes(), strict=False), actions)
        if json:
            _print_trace_json(trace, first, judge)
            return ExitStatus.DONE
        return _watch_trace(level, trace, first, delay, boards, judge)
    name, found = _find_level(level, of_game, game)
    if player == LIST:
        return print_players(found.game, json)
    race = create_race(found, check_seed(seed), player, own)
    if race is not None:
        refuse_unused("to a race", {"--values": values, "--plies": plies, "--file": file})
    options = options_of_player(plies=plies, file=file)
    judge = player_of_demo(found.game, player, seed, options) if values else None
    most = MAX_ACTIONS if actions is None and race is None else actions  # a race has its own limit
    steps = itertools.islice(_steps(found, seed, player, options, race), most)
    if json:
        _print_json(found.start(seed), steps, race, judge)
        return race_status(race)
    print_paragraph(level_heading(name, found), hanging=2)
    remark = _remark_nothing if judge is None else functools.partial(_remark_values, judge)
    _print_steps(found.start(seed), steps, delay, boards, remark)
    if race is not None:
        print_result(race)
    return race_status(race)


watch = add_options(_watch, extra_functions("watch"))


def _watch_trace(
    name: str, trace: Trace, steps: TraceSteps, delay: float, boards: bool, judge: Player | None
) -> ExitStatus:
    print_paragraph(level_heading(name, trace.level), hanging=2)
    loop = describe_loop(trace.loop, len(trace.steps))

    def remark(number: int, position: Position[Any]) -> str:
        values = "" if judge is None else _remark_values(judge, number, position)
        return "\n".join(filter(None, (values, loop.get(number, ""))))

    numbered = ((number, *step) for number, step in enumerate(steps, 1))
    _print_steps(trace.start, numbered, delay, boards, remark)
    return ExitStatus.DONE


def _print_trace_json(trace: Trace, steps: TraceSteps, judge: Player | None) -> None:
    position = trace.start
    for action, outcome in steps:
        print_json(outcome_data(action, outcome) | _values_data(judge, position) | loop_data(trace.loop))
        position = outcome.position


def _values_data(judge: Player | None, position: Position[Any]) -> dict[str, Any]:
    """Return the player's value of each action from here as JSON, if there is a player."""
    if judge is None:
        return {}
    return {"values": {str(action): value for action, value in judge.values(position).items()}}


def _remark_nothing(number: int, position: Position[Any]) -> str:
    return ""


def _remark_values(judge: Player, number: int, position: Position[Any]) -> str:
    """The value that the player gives to each action from here."""
    words = describe_next_values(judge, position)
    return f"      {words}" if words else ""


def _print_steps(
    start: Position[Any],
    steps: Steps,
    delay: float,
    boards: bool,
    remark: Remark,
) -> None:
    """Print the steps, with each remark after its step."""
    if is_terminal():
        _show_live(start, steps, delay, remark)
    else:
        _print_lines(start, steps, boards, remark)


def _find_level(level: str, of_game: str | None, game: str | None) -> tuple[str, Level]:
    if of_game is None:
        return read_level(level, game)
    named = game_named(level)
    name, found = read_level(of_game, named.name)
    if found.game is not named:
        raise GridproofError(f"{of_game} is a level of {found.game.name}, not of {named.name}")
    return name, found


def _steps(
    level: Level, seed: int, player: str | None, options: Mapping[str, Any], race: Race | None
) -> Steps:
    if race is not None:
        return ((race.requests, action, outcome) for action, outcome in race.steps())
    demo = (
        own_demo(player, options)
        if player is not None and is_reference(player)
        else find_demo(level.game, player, options)
    )
    steps = demo(level, seed)
    return ((number, action, outcome) for number, (action, outcome) in enumerate(steps, 1))


def _print_json(start: Position[Any], steps: Steps, race: Race | None, judge: Player | None) -> None:
    position = start
    for number, action, outcome in steps:
        data = outcome_data(action, outcome) | ({"requests": number} if race else {})
        print_json(data | _values_data(judge, position))
        position = outcome.position
    if race is not None:
        print_json({"race": race.report()})


def _print_lines(start: Position[Any], steps: Steps, boards: bool, remark: Remark) -> None:
    position, counting = start, start.level.game.look.tally
    tally = counting.start
    print_position(position, tally)
    _print_remark(remark(0, position))
    for number, action, outcome in steps:
        print_paragraph(_describe_step(number, position, action, outcome), hanging=6)
        position, tally = outcome.position, counting.add(tally, outcome)
        _print_remark(remark(number, position))
        if boards:
            print_position(position, tally)
    if not boards:
        print_position(position, tally)


def _print_remark(words: str) -> None:
    if words:
        print_paragraph(words, hanging=6)


def _describe_step(number: int, position: Position[Any], action: Action, outcome: Outcome[Any]) -> str:
    return f"{number:4}  {describe_action(position, action, outcome)}"


def _show_live(start: Position[Any], steps: Steps, delay: float, remark: Remark) -> None:
    """Show the board in place, as it changes."""
    from rich.console import Console
    from rich.live import Live

    position, counting = start, start.level.game.look.tally
    tally = counting.start
    first = _frame(start, tally, remark(0, start))
    with run_live(Live(first, console=Console(highlight=False), auto_refresh=False)) as live:
        for number, action, outcome in steps:
            time.sleep(delay)
            tally = counting.add(tally, outcome)
            words = _describe_step(number, position, action, outcome)
            position = outcome.position
            live.update(
                _frame(position, tally, f"{words}\n{remark(number, position)}".rstrip()), refresh=True
            )


def _frame(position: Position[Any], tally: Any, words: str) -> Any:
    from rich.console import Group
    from rich.text import Text

    from gridproof.pictures.terminal_colours import paint

    board = paint(position.level.game.look.board(position))
    return Group(Text(), board, Text(counts_text(position, tally)), Text(words))
