"""`replay`: actions or a trace, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from gridproof.cli.options import GameName, Json, LevelOrTrace, Seed, level_named
from gridproof.cli.output import print_json, print_paragraph
from gridproof.cli.program import ExitStatus
from gridproof.cli.showing import print_position
from gridproof.core import files
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.rng import Rng, check_seed
from gridproof.core.trace import Trace, naming, text_of, unverified
from gridproof.core.wording import counted, loop_told
from gridproof.play.data import loop_data, outcome_data, refusal_data


class Script(NamedTuple):
    """What is to be replayed."""

    start: Position[Any]
    steps: list[tuple[str, str | None]]
    """The text of an action, and which outcome is to come; None: the one that the seed draws."""
    seed: int = 0
    loop: int | None = None
    """After how many of the steps a loop begins, to which the last returns."""


class Replayed(NamedTuple):
    """One action of a script."""

    text: str
    before: Position[Any]
    action: Action | None = None
    outcome: Outcome[Any] | None = None
    reason: str = ""
    """Why it cannot be executed."""


def replay(
    level: LevelOrTrace,
    actions: Annotated[
        str | None,
        typer.Argument(
            metavar="[ACTIONS|TRACE]",
            help="Actions divided by spaces, commas or semicolons, or the file of a trace of that level.",
        ),
    ] = None,
    seed: Seed = 0,
    boards: Annotated[bool, typer.Option("--boards", help="Print the board after each action.")] = False,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Apply actions one by one, or those of a trace.

    Exit status 1 when one of them cannot be executed: it changes nothing, and those after it are tried
    all the same.
    """
    if actions is None:
        script = _trace_alone(level)
    else:
        script = _script(level_named(level, game)[1], actions, check_seed(seed))
    counting = script.start.level.game.look.tally
    position, tally, refused = script.start, counting.start, 0
    remarks = {} if json else loop_told(script.loop, len(script.steps))
    for number, item in enumerate(_run(script), 1):
        if item.outcome is None:
            refused += 1
        else:
            position, tally = item.outcome.position, counting.add(tally, item.outcome)
        if json:
            _print_json(item, script.loop)
            continue
        if number - 1 in remarks:
            print_paragraph(remarks[number - 1])
        print_paragraph(f"{number}  {_words(item)}", hanging=len(str(number)) + 2)
        if boards and item.outcome:
            print_position(position, tally)
    if not json:
        if script.loop is not None:
            print_paragraph(remarks[len(script.steps)])
        print_position(position, tally)
    return ExitStatus.NO if refused else ExitStatus.DONE


def _trace_alone(reference: str) -> Script:
    if not files.is_file(reference):
        raise GridproofError(f"{reference}: name the actions too, or the file of a trace alone")
    return _checked(Path(reference), *_text_and_start(Path(reference)))


def _script(level: Level, actions: str, seed: int) -> Script:
    if not files.is_file(actions):
        if actions.lower().endswith(".json"):
            raise GridproofError(f"{actions}: no such file")
        texts = level.game.split_actions(actions)
        return Script(level.start(seed), [(text, None) for text in texts], seed)
    path = Path(actions)
    text, start, data = _text_and_start(path)
    if start.level != level:
        raise GridproofError(f"{path}: the trace is of another level")
    if all(start != one.position for one in level.starts()):
        raise GridproofError(f"{path}: the trace does not begin where the level starts")
    return _checked(path, text, start, data)


def _text_and_start(path: Path) -> tuple[str, Position[Any], Mapping[str, Any]]:
    text = text_of(path)  # read once: it may be a pipe
    with naming(path):
        return text, *unverified(text)


def _checked(path: Path, text: str, start: Position[Any], data: Mapping[str, Any]) -> Script:
    script = Script(start, [(step["action"], step.get("label", "")) for step in data["steps"]])
    if not all(item.outcome for item in _run(script)):
        return script
    with naming(path):
        trace = Trace.from_json(text)  # checks what it says besides its steps
    return script._replace(loop=trace.loop)


def _run(script: Script) -> Iterator[Replayed]:
    position, done = script.start, 0
    for text, label in script.steps:
        try:
            action = position.action(text)
            if label is None:
                outcome = position.step(action, Rng(script.seed, done + 1))  # as a session draws
            else:
                outcome = position.outcome(action, label)
        except IllegalAction as error:
            yield Replayed(text, position, reason=error.reason)
            continue
        yield Replayed(text, position, action, outcome)
        position, done = outcome.position, done + 1


def _print_json(item: Replayed, loop: int | None) -> None:
    if item.action is None or item.outcome is None:
        print_json(refusal_data(item.text, item.reason, item.before))
    else:
        print_json(outcome_data(item.action, item.outcome) | loop_data(loop))


def _words(item: Replayed) -> str:
    if item.action is None or item.outcome is None:
        return f"{item.text}: {item.reason}"
    words = str(item.action)
    if item.outcome.label:
        words += f": {item.outcome.label}"
    if item.outcome.reward:
        words += f", {counted(item.outcome.reward, 'points', '+')}"
    return words
