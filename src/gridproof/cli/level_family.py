"""Families of levels for one formula: a pack, a file with several levels, or generated levels; and the table about them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from gridproof.cli.options import (
    level_name,
    level_names,
    note_broken,
    note_rejected_data,
    read_level,
    read_pack,
)
from gridproof.cli.output import print_paragraph, print_text
from gridproof.cli.parallel_map import Workers, map_calls
from gridproof.cli.progress import Progress
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel
from gridproof.core.generate import generate
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.text import recognition
from gridproof.core.text.phrases import format_count, some, suggestion
from gridproof.prove.verdict import Verdict

MOST_LEVELS = 10_000
_NUMBER = re.compile(r"(\d{1,20})")
_RANGE = re.compile(r"(\d{1,20})\.\.(\d{1,20})")
_VALUES = re.compile(r"(-?[0-9]{1,20})(?:\.\.(-?[0-9]{1,20}))?")


_OPEN = re.compile(r"(-?[0-9]{1,20})\.\.")


class Family(NamedTuple):
    """Levels with their names, and the errors of broken levels."""

    levels: list[tuple[str, Level]]
    broken: list[tuple[str, BrokenLevel]]


def read_family(reference: str, game: str | None) -> Family:
    """Return the levels of a file or a pack, or the first level of a game."""
    name, pack = read_pack(reference, game)
    if name != reference:  # a game
        return Family([read_level(reference, game)], [])
    if len(pack) == 1:
        note_broken(name, pack)
        return Family(list(zip(level_names(name, pack), pack, strict=True)), [])
    note_rejected_data(name, pack)
    broken = [(level_name(name, number), error) for number, error in pack.broken.items()]
    return Family(list(zip(level_names(name, pack), pack, strict=True)), broken)


def generate_family(game: str, seeds: str, settings: dict[str, Any], workers: Workers) -> Family:
    """Return the generated levels of a game for seeds such as 1..50, with each value of parameters such as 2..4.

    GridproofError if there are too many.
    """
    name = game_named(game).name
    tasks = [(name, seed, chosen) for chosen in _choices(settings) for seed in _parse_range("--seeds", seeds)]
    if len(tasks) > MOST_LEVELS:
        raise GridproofError(f"these are {len(tasks):,} levels, more than {MOST_LEVELS:,}")
    if not workers.is_here and len(tasks) > 1:
        texts: Iterable[str] = map_calls(
            f"{__name__}:generate_text", tasks, workers, f"Making levels of {name}", "levels"
        )
    else:
        texts = _generate_here(tasks)
    several = [key for key, value in settings.items() if _RANGE.fullmatch(str(value))]
    names = [
        " ".join([f"{name} seed {seed}", *(f"{key}={chosen[key]}" for key in several)])
        for _, seed, chosen in tasks
    ]
    levels = [recognition.read(text, name)[0] for text in texts]
    return Family(list(zip(names, levels, strict=True)), [])


def vary_level(level: Level, settings: Mapping[str, str]) -> Iterator[tuple[Level, dict[str, int]]]:
    """Yield a level with each value of its numbers, such as bombs=0..4, and these values.

    GridproofError for a number that levels of the game do not have; InvalidLevel for values that the rules forbid.
    """
    numbers = [one.name for one in fields(level) if type(getattr(level, one.name)) is int]
    for key in settings:
        if key not in numbers:
            hint = suggestion(key, numbers) or f"; it has {some(numbers) or 'none'}"
            raise GridproofError(f"--set {key}: a {level.game.name} level has no number {key!r}{hint}")
    listed = [parse_values(f"--set {key}", text) for key, text in settings.items()]
    for values in itertools.product(*listed):
        chosen = dict(zip(settings, values, strict=True))
        if not chosen:
            yield level, chosen
            continue
        try:
            changed = replace(level, certificate=None, **chosen)  # type: ignore[arg-type]  # numbers, as checked
        except InvalidLevel as error:
            raise GridproofError(f"{describe_values(chosen)}: {error}") from None
        yield changed, chosen


def describe_values(values: Mapping[str, int]) -> str:
    """Return values as a text: "T=3 bombs=2"."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def _choices(settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the settings with each value of each range."""
    values = (
        _parse_range(f"--set {name}", value) if _RANGE.fullmatch(str(value)) else [value]
        for name, value in settings.items()
    )
    for chosen in itertools.product(*values):
        yield dict(zip(settings, chosen, strict=True))


def _parse_range(option: str, text: str) -> range:
    match = _RANGE.fullmatch(text.strip()) or _NUMBER.fullmatch(text.strip())
    if match is None:
        raise GridproofError(f"{option} {text!r}: write a number, or the first and the last as in 1..50")
    first, last = int(match[1]), int(match[match.lastindex or 1])
    if not 0 <= last - first < MOST_LEVELS:
        raise GridproofError(
            f"{option} {text!r}: the first comes first, and there are at most {MOST_LEVELS:,}"
        )
    return range(first, last + 1)


def is_open_range(text: str) -> bool:
    """Return whether values have no end, as in `1..`."""
    return _OPEN.fullmatch(text.strip()) is not None


def parse_values(option: str, text: str, open_size: int = 0) -> tuple[int, ...]:
    """Parse numbers and ranges such as 1..50 or 2,4,8; return the numbers in ascending order.

    `open_size` is the number of values of a range without an end; 0 if it may have none.
    """
    found: set[int] = set()
    if (match := _OPEN.fullmatch(text.strip())) and open_size:
        return tuple(range(int(match[1]), int(match[1]) + open_size))
    if match:
        raise GridproofError(f"{option} {text!r}: only the values of --least may have no end; write 1..50")
    for part in text.split(","):
        match = _VALUES.fullmatch(part.strip())
        if match is None:
            raise GridproofError(f"{option} {text!r}: write numbers such as 2,4,8, or a range as in 1..50")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise GridproofError(f"{option} {text!r}: {part.strip()} is empty; the first comes first")
        if last - first >= MOST_LEVELS or len(found) > MOST_LEVELS:
            raise GridproofError(f"{option} {text!r}: these are more than {MOST_LEVELS:,} values")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def _generate_here(tasks: list[tuple[str, int, dict[str, Any]]]) -> Iterator[str]:
    with Progress(f"Making levels of {tasks[0][0]}", "levels", len(tasks)) as progress:
        progress(0)
        for number, task in enumerate(tasks, 1):
            yield generate_text(task)
            progress(number)


def generate_text(task: tuple[str, int, dict[str, Any]]) -> str:
    """Return the text of a generated level."""
    game, seed, settings = task
    return generate(game, seed, **settings).text()


def verdict_row(name: str, width: int, verdict: Verdict, title: str = "") -> str:
    """Return a row of a table: a name of some width, the verdict, the number of its positions, and the length of the trace."""
    count = f"{format_count(verdict.states, 'positions'):>17}"
    trace = f"{verdict.shows} of {format_count(len(verdict.trace.steps), 'actions')}" if verdict.trace else ""
    return f"{name:{width}}  {verdict.answer:13}  {count}  {trace:28}  {title}".rstrip()


class VerdictTable:
    """Table with a line for each level; the first counterexample and the counts follow it."""

    def __init__(self, names: Iterable[str]) -> None:
        self._width = max(map(len, names))
        self._verdicts: list[Verdict] = []
        self._refuted: tuple[str, Verdict] | None = None

    def print_row(self, name: str, level: Level, verdict: Verdict) -> None:
        """Print the row of one level."""
        self._verdicts.append(verdict)
        if verdict.holds is False and self._refuted is None and verdict.trace:
            self._refuted = name, verdict
        print_paragraph(verdict_row(name, self._width, verdict, level.title), hanging=self._width + 2)

    def print_end(self) -> None:
        """Print the number of verdicts of each kind, and the first counterexample."""
        if not self._verdicts:
            return
        answers = [verdict.holds for verdict in self._verdicts]
        text = f"`{self._verdicts[0].formula}` holds on {answers.count(True)} of {format_count(len(answers), 'levels')}"
        if None in answers:
            text += f"; no answer on {answers.count(None)}"
        print_paragraph(text, hanging=2)
        if self._refuted:
            name, verdict = self._refuted
            print_text(f"\nthe first counterexample, on {name}:\n")
            print_text("".join(f"{line}\n" for line in verdict.trace_lines()))
