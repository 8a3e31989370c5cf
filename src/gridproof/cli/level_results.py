"""Results of one question for many levels, in this process, in several, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from gridproof.cli.parallel_map import Workers, run_calls
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text import recognition
from gridproof.core.trace import Trace

R = TypeVar("R")
Ask = Callable[[Level, Progress | None], R]
"""Asks the question of a level. It is picklable, and so is its result apart from the field `trace`, if it has one."""


def results_of_levels(
    found: list[tuple[str, Level]], ask: Ask[R], workers: Workers, what: str
) -> Iterator[R | GridproofError]:
    """Yield the results in the order of the levels, as soon as they are ready; `what` is done, for the progress line."""
    yield from results_of_questions([(name, level, ask) for name, level in found], workers, what)


def results_of_questions(
    found: Sequence[tuple[str, Level, Ask[R]]], workers: Workers, what: str, things: str = "levels"
) -> Iterator[R | GridproofError]:
    """Yield the results in the order of the questions, each with a name and its level, as soon as they are ready.

    A process that dies costs its question alone, whose result is the error.
    """
    yield from in_order(results_as_ready(found, workers, what, things))


def results_as_ready(
    found: Sequence[tuple[str, Level, Ask[R]]], workers: Workers, what: str, things: str = "levels"
) -> Iterator[tuple[int, R | GridproofError]]:
    """Yield the number of each question, from 0, with its result, as soon as it is ready."""
    if not workers.is_here and (len(found) > 1 or workers.where != "processes"):
        yield from _in_workers(found, workers, what, things)
        return
    for number, (name, level, ask) in enumerate(found):
        with Progress(f"{what} {name}") as progress:
            result = ask(level, progress)
        yield number, result


def in_order(results: Iterator[tuple[int, R]]) -> Iterator[R]:
    """Yield numbered results in the order of their numbers, from 0."""
    waiting, due = dict[int, R](), 0
    for number, result in results:
        waiting[number] = result
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def _in_workers(
    found: Sequence[tuple[str, Level, Ask[R]]], workers: Workers, what: str, things: str
) -> Iterator[tuple[int, R | GridproofError]]:
    texts = [(level.game.name, level.text(), ask) for _, level, ask in found]
    for number, answer in run_calls(f"{__name__}:ask_text", texts, workers, what, things):
        if isinstance(answer, GridproofError):
            yield number, answer
            continue
        result, trace = answer
        whole = result if trace is None else replace(cast("Any", result), trace=Trace.from_json(trace))
        yield number, whole


def ask_text(work: tuple[str, str, Ask[R]]) -> tuple[R, str | None]:
    """Ask in a worker: texts go in and out, because every game can write and read them."""
    game, text, ask = work
    result = ask(recognition.read(text, game)[0], None)
    trace: Trace | None = getattr(result, "trace", None)
    return (result, None) if trace is None else (replace(cast("Any", result), trace=None), trace.to_json())
