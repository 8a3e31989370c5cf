"""`replay`: replay actions or a trace step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from gridproof.analysis.json_data import Data, loop_data, outcome_data, refusal_data
from gridproof.cli.options import GameName, Json, LevelOrTrace, Seed, read_level
from gridproof.cli.output import ExitStatus, print_json, print_paragraph
from gridproof.cli.show import print_position
from gridproof.core.errors import GridproofError, IllegalAction, ParseError
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.rng import Rng, check_seed
from gridproof.core.text import files, recognition
from gridproof.core.text.phrases import describe_loop, format_count
from gridproof.core.trace import Trace, locate_trace_errors, parse_trace, read_trace_text


class Script(NamedTuple):
    """The steps to replay."""

    start: Position[Any]
    steps: list[tuple[str, str | None]]
    """Texts of actions with labels of outcomes; None: the seed draws the outcome."""
    seed: int = 0
    loop: int | None = None
    """Number of steps before the loop to which the last step returns."""


class ReplayStep(NamedTuple):
    """A replayed action."""

    text: str
    before: Position[Any]
    action: Action | None = None
    outcome: Outcome[Any] | None = None
    reason: str = ""
    """Why the action is not executable."""

    def to_dict(self) -> Data:
        """Return the step as JSON data."""
        if self.action is None or self.outcome is None:
            return refusal_data(self.text, self.reason, self.before)
        return outcome_data(self.action, self.outcome)


def replay(
    level: LevelOrTrace,
    actions: Annotated[
        str | None,
        typer.Argument(
            metavar="ACTIONS|TRACE",
            help="Actions separated by spaces, commas or semicolons, or a trace file of that level.",
        ),
    ] = None,
    seed: Seed = 0,
    boards: Annotated[bool, typer.Option("--boards", help="Print the board after each action.")] = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Replay actions, or a trace, step by step.

    Exit status 1 if an action cannot be executed. It changes nothing, and the
    actions after it are still tried.
    """
    if actions is None:
        script = _script_of_file(level)
    else:
        script = _script(read_level(level, game)[1], actions, check_seed(seed))
    counting = script.start.level.game.look.tally
    position, tally, refused = script.start, counting.start, 0
    remarks = {} if json else describe_loop(script.loop, len(script.steps))
    for number, item in enumerate(_run(script), 1):
        if item.outcome is None:
            refused += 1
        else:
            position, tally = item.outcome.position, counting.add(tally, item.outcome)
        if json:
            print_json(item.to_dict() | loop_data(script.loop if item.outcome else None))
            continue
        if number - 1 in remarks:
            print_paragraph(remarks[number - 1])
        print_paragraph(f"{number}  {_describe(item)}", hanging=len(str(number)) + 2)
        if boards and item.outcome:
            print_position(position, tally)
    if not json:
        if script.loop is not None:
            print_paragraph(remarks[len(script.steps)])
        print_position(position, tally)
    return ExitStatus.NO if refused else ExitStatus.DONE


def _script_of_file(reference: str) -> Script:
    if not files.is_file(reference):
        if _is_trace_name(reference):
            raise GridproofError(f"{reference}: no such file")
        raise GridproofError(f"{reference}: give the actions too, or a trace file alone")
    return _check_script(Path(reference), *_text_and_start(Path(reference)))


def _is_trace_name(name: str) -> bool:
    return name.lower().endswith(".json")


def _script(level: Level, actions: str, seed: int) -> Script:
    if not files.is_file(actions):
        if _is_trace_name(actions):
            raise GridproofError(f"{actions}: no such file")
        texts = level.game.own_format.split_actions(actions)
        return Script(level.start(seed), [(text, None) for text in texts], seed)
    path = Path(actions)
    text, start, data = _text_and_start(path)
    if start.level != level:
        raise GridproofError(f"{path}: the trace is of another level")
    if all(start != one.position for one in level.starts()):
        raise GridproofError(f"{path}: the trace does not begin where the level starts")
    return _check_script(path, text, start, data)


def _text_and_start(path: Path) -> tuple[str, Position[Any], Mapping[str, Any]]:
    text = read_trace_text(path)  # read once, it may be a pipe
    with locate_trace_errors(path):
        try:
            return text, *parse_trace(text)
        except ParseError:
            _refuse_levels(text)
            raise


def _refuse_levels(text: str) -> None:
    try:
        recognition.read(text, lenient=True)
    except GridproofError:
        return
    raise GridproofError("this is a level, not a trace. To replay actions, give them after the level.")


def _check_script(path: Path, text: str, start: Position[Any], data: Mapping[str, Any]) -> Script:
    script = Script(start, [(step["action"], step.get("label", "")) for step in data["steps"]])
    if not all(item.outcome for item in _run(script)):
        return script
    with locate_trace_errors(path):
        trace = Trace.from_json(text)  # checks the rest of the file
    return script._replace(loop=trace.loop)


def _run(script: Script) -> Iterator[ReplayStep]:
    position, done = script.start, 0
    for text, label in script.steps:
        try:
            action = position.action(text)
            if label is None:
                outcome = position.step(action, Rng(script.seed, done + 1))  # as a session draws
            else:
                outcome = position.outcome(action, label)
        except IllegalAction as error:
            yield ReplayStep(text, position, reason=error.reason)
            continue
        yield ReplayStep(text, position, action, outcome)
        position, done = outcome.position, done + 1


def _describe(item: ReplayStep) -> str:
    if item.action is None or item.outcome is None:
        return f"{item.text}: {item.reason}"
    words = str(item.action)
    if item.outcome.label:
        words += f": {item.outcome.label}"
    if item.outcome.reward:
        words += f", {format_count(item.outcome.reward, 'points', '+')}"
    return words
