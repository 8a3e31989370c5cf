"""Traces: a start, actions and outcome labels that anybody can replay.

Every solution, counterexample, recording and certificate is one. The JSON form is described by
`trace.schema.json` beside this file.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.resources
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from gridproof.core.errors import GridproofError, IllegalAction, ParseError
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.representation import Representable, actions_line, trace_html
from gridproof.core.rng import Rng, check_seed
from gridproof.core.text import files, recognition
from gridproof.core.text.phrases import format_count, join_actions

FORMAT = "gridproof-trace"
VERSION = 1
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file of a trace: about two million steps."""


class Step(NamedTuple):
    """An action and the label of its outcome."""

    action: Action
    label: str = ""


@dataclass(frozen=True, slots=True)
class Trace(Representable):
    """A path through a level's positions.

    Parameters
    ----------
    start : Position
        Where it begins; the level is the start's.
    steps : tuple of Step
        What was done, and which outcome came.
    loop : int, optional
        In a lasso, the number of steps after which its loop begins; the last step returns there.
    seed : int, optional
        The session's seed, where the chance was drawn from one: `replay` sees that it draws the start and the labels.

    Raises
    ------
    GridproofError
        When the start is no position, a step no `Step`, the loop no whole number or the seed none.
    """

    start: Position[Any]
    steps: tuple[Step, ...] = ()
    loop: int | None = None
    seed: int | None = None
    _end: Position[Any] | None = field(default=None, init=False, repr=False, compare=False)
    """The last position, once all has been verified: none of it can change."""

    def __post_init__(self) -> None:
        if not isinstance(self.start, Position):
            raise GridproofError(f"a trace starts with a position, not with {type(self.start).__name__}")
        if not isinstance(self.steps, tuple) or not all(isinstance(step, Step) for step in self.steps):
            raise GridproofError("the steps of a trace are a tuple of Step")
        if self.loop is not None and (isinstance(self.loop, bool) or not isinstance(self.loop, int)):
            raise GridproofError(f"the loop begins at {self.loop!r}, which is no whole number")
        if self.seed is not None:
            check_seed(self.seed)

    @property
    def level(self) -> Level:
        """The level it belongs to."""
        return self.start.level

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions alone."""
        return tuple(step.action for step in self.steps)

    def __str__(self) -> str:
        """Return the start and the actions; no step is verified."""
        actions = f"{format_count(len(self.steps), 'actions')}: {join_actions(self)}".removesuffix(": ")
        return f"{self.start}\n\n{actions}"

    def _summary(self) -> str:
        return f"<Trace of {self.level.game.name}, {actions_line(self, 20)}>"

    def _html_parts(self) -> Iterator[str]:
        yield trace_html(self)

    @property
    def is_random(self) -> bool:
        """True if some action has a random outcome, which the label of its step tells."""
        return any(step.label for step in self.steps)

    @property
    def last_random_step(self) -> int:
        """The number of the last step, from 1, that could have led to another position; 0 if none could."""
        if not self.is_random:
            return 0
        positions = [*self.positions()]
        path = zip(positions, self.steps, positions[1:], strict=False)
        return max((number for number, step in enumerate(path, 1) if _is_chance(*step)), default=0)

    @property
    def needs_luck(self) -> bool:
        """True if chance could have led to another position; an outcome that only tells something else does not count."""
        return self.last_random_step > 0

    def outcomes(self) -> Iterator[Outcome[Any]]:
        """Yield the outcome of each step, verified as it is reached.

        Raises
        ------
        IllegalAction
            At a step that is not executable, or has no outcome with its label.
        """
        position = self.start
        for number, step in enumerate(self.steps, 1):
            try:  # a context manager would take a tenth of the time
                if position.action(str(step.action)) != step.action:
                    raise IllegalAction(
                        step.action, f"{step.action!r} is no action of {self.level.game.name}"
                    )
                outcome = position.outcome(step.action, step.label)
            except IllegalAction as error:
                raise _locate_error(error, number) from None
            yield outcome
            position = outcome.position

    def positions(self) -> Iterator[Position[Any]]:
        """Yield the start and the position after each step, verified as `outcomes` does."""
        yield self.start
        for outcome in self.outcomes():
            yield outcome.position

    def replay(self) -> Position[Any]:
        """Verify every step and the loop, once; return the last position.

        Raises
        ------
        IllegalAction
            At a step that is not executable or has another label.
        GridproofError
            When the start is no position of the level, the loop does not close, or the seed draws another
            start or other labels.
        """
        if self._end is None:
            self._verify([*self.positions()])
        return self._end  # type: ignore[return-value]  # as it was verified

    def _verify(self, positions: Sequence[Position[Any]]) -> None:
        """Verify start, seed and loop of a trace through these positions; remember the end."""
        if self.level.position(self.start.text()) != self.start:
            raise GridproofError("the trace's start is no position of its level")
        if self.seed is not None:
            self._check_chance(self.seed, positions)
        if self.loop is not None:
            if not 0 <= self.loop < len(self.steps):
                raise GridproofError(
                    f"the loop begins at {self.loop}, but the trace has {format_count(len(self.steps), 'steps')}"
                )
            if positions[-1] != positions[self.loop]:
                raise GridproofError(
                    f"the loop does not return to the position after {format_count(self.loop, 'steps')}"
                )
        object.__setattr__(self, "_end", positions[-1])

    def _check_chance(self, seed: int, positions: Sequence[Position[Any]]) -> None:
        """Check that a session draws the same: the start from the seed, the n-th label from it and n."""
        if self.level.start(seed) != self.start:
            raise GridproofError(f"the seed {seed} draws another start")
        for number, (position, step) in enumerate(zip(positions, self.steps, strict=False), 1):
            drawn = position.step(step.action, Rng(seed, number)).label
            if drawn != step.label:
                raise GridproofError(f"step {number}: the seed {seed} draws {drawn!r}, not {step.label!r}")

    def _repr_svg_(self) -> str | None:
        """Return a film strip for notebooks; None if the game's look has no pictures."""
        pictures = self.level.game.look.pictures
        return pictures.film(self) if pictures else None

    def to_json(self, lines: bool = True) -> str:
        """Return the trace as a JSON document, by the schema; on many lines for people, or on one."""
        document: dict[str, object] = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.level.game.name,
            "level": self.level.text(),
            "start": self.start.text(),
            "steps": [_step_to_data(step) for step in self.steps],
        }
        if self.loop is not None:
            document["loop"] = self.loop
        if self.seed is not None:
            document["seed"] = self.seed
        return json.dumps(document, ensure_ascii=False, indent=1 if lines else None) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """Read a trace from a JSON document of any size, and verify every step.

        Raises
        ------
        ParseError
            When it is no JSON, or not by the schema.
        GridproofError
            When the level, the start or a step is wrong.
        """
        start, data = parse_trace(text)
        done = [*replay_steps(start, data["steps"])]
        trace = cls(start, tuple(step for step, _ in done), data.get("loop"), data.get("seed"))
        trace._verify([start, *(position for _, position in done)])
        return trace

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all.

        Raises
        ------
        GridproofError
            When the file cannot be written, or would be larger than `load` reads.
        """
        path, text = files.to_path(path), self.to_json()
        with locate_trace_errors(path):
            files.check_size(len(text.encode(errors="surrogatepass")), LARGEST, "trace")
        files.write(path, text)

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read it from a file and verify every step; errors as of `from_json`, and name the file."""
        path = files.to_path(path)
        text = read_trace_text(path)
        with locate_trace_errors(path):
            return cls.from_json(text)


def read_trace_text(path: Path) -> str:
    """Read a file of at most LARGEST bytes that may hold a trace; errors as of `files.read_text`."""
    with files.locate_errors(path):
        return files.read_text(path, LARGEST)


@contextlib.contextmanager
def locate_trace_errors(path: Path) -> Iterator[None]:
    """Add the path of a trace's file to all errors inside, also those without a place in its text."""
    try:
        with files.locate_errors(path):
            yield
    except GridproofError as error:
        if type(error) is not GridproofError:
            raise
        raise GridproofError(f"{path}: {error}") from None


def parse_trace(text: str) -> tuple[Position[Any], Mapping[str, Any]]:
    """Parse a trace's JSON document: return its start and its data by the schema; no step is tried.

    ParseError when it is not by the schema, GridproofError when the level or the start is wrong.
    """
    data = _parse_document(text)
    return _read_level(data["level"], data["game"]).position(data["start"]), data


def _is_chance(before: Position[Any], step: Step, after: Position[Any]) -> bool:
    """Return whether the action of a step could have led to another position."""
    return bool(step.label) and any(outcome.position != after for outcome in before.outcomes(step.action))


def _step_to_data(step: Step) -> dict[str, str]:
    data = {"action": str(step.action)}
    return data | {"label": step.label} if step.label else data


def steps_to_data(steps: Iterable[Step]) -> list[dict[str, str]]:
    """Return steps as JSON data."""
    return [_step_to_data(step) for step in steps]


def trace_to_data(trace: Trace) -> dict[str, Any]:
    """Return a trace as JSON data, for readers that know its level."""
    return {"start": trace.start.text(), "steps": steps_to_data(trace.steps), "loop": trace.loop}


def replay_steps(
    start: Position[Any], data: Iterable[Mapping[str, str]]
) -> Iterator[tuple[Step, Position[Any]]]:
    """Play the steps of JSON data from a start on; yield each with the position it leads to.

    IllegalAction at a step that is not executable or has another label.
    """
    position = start
    for number, item in enumerate(data, 1):
        try:
            step = Step(position.action(item["action"]), item.get("label", ""))
            position = position.outcome(step.action, step.label).position
        except IllegalAction as error:
            raise _locate_error(error, number) from None
        yield step, position


def _locate_error(error: IllegalAction, number: int) -> IllegalAction:
    """Return the error with the number of its step, from 1."""
    return IllegalAction(error.action, f"step {number}: {error.reason}")


def _read_level(text: str, name: str) -> Level:
    levels = recognition.read_back(text, name)
    if len(levels) != 1:
        raise GridproofError(f"a trace has one level, this one has {len(levels)}")
    return levels[0]


@functools.cache
def schema() -> Mapping[str, Any]:
    """Return the JSON schema of traces."""
    file = importlib.resources.files(__package__) / "trace.schema.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


def _parse_document(text: str) -> Mapping[str, Any]:
    text = files.clean_large_text(text)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" starting at")  # Python's own words, before a place
        raise ParseError(f"not JSON: {reason}", line=error.lineno, column=error.colno) from None
    except ValueError:
        raise ParseError("not a trace: the JSON has a number of thousands of digits") from None
    except RecursionError:
        raise ParseError("not a trace: the JSON is nested too deeply") from None
    steps = data.get("steps") if isinstance(data, dict) else None
    if not isinstance(steps, list):
        _check(data, schema())
    else:
        _check({**data, "steps": []}, schema())
        _check_steps(steps)
    # 3.0 is a whole number of JSON
    return {key: int(value) if isinstance(value, float) else value for key, value in data.items()}


def _check_steps(steps: list[object]) -> None:
    """Check steps, of which there may be a million; the schema, which is slow, checks only a broken one.

    Of several it is the last of those that are no step at all, else the last one: the same error that checking
    the whole document would report.
    """
    broken = [number for number, step in enumerate(steps) if not is_step(step)]
    if broken:
        formless = [number for number in broken if not _has_form(steps[number])]
        number = (formless or broken)[-1]
        _check(steps[number], schema()["properties"]["steps"]["items"], f"$.steps[{number}]")


def is_step(step: object) -> TypeGuard[Mapping[str, str]]:
    """Return whether JSON data has the form of a step."""
    return _has_form(step) and all(isinstance(value, str) for value in step.values())


def _has_form(step: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(step, dict) and "action" in step and (len(step) == 1 or step.keys() == _STEP)


_STEP = {"action", "label"}


def _check(data: object, schema: Mapping[str, Any], path: str = "$") -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    fault = best_match(Draft202012Validator(schema).iter_errors(data))
    if fault is not None:
        raise ParseError(f"not a trace: {path}{fault.json_path.removeprefix('$')}: {fault.message}")


def find_trace(reference: str) -> Trace | None:
    """Load the trace of a file and verify every step; None if the file holds something else."""
    if not os.path.isfile(reference):  # a pipe can be read once only
        return None
    text = read_trace_text(Path(reference))
    if not text.lstrip().startswith("{") or FORMAT not in text:
        return None
    with locate_trace_errors(Path(reference)):
        return Trace.from_json(text)
