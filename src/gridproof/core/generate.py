"""`gp.generate`: a new level of a game, from a seed; and how hard any level is, by the same measure."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit, Stop, check_stop, stopping
from gridproof.core.loading import load
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level
from gridproof.core.registry import game_meant
from gridproof.core.rng import check_seed
from gridproof.core.trace import Step, Trace

CLOSE = 1.5
"""A difficulty is reached when the effort differs from it by no more than this factor."""

_MEASURELESS = 10**9

MISSED = "Missed"
"""The key that says what was wished for and could not be reached."""

L = TypeVar("L", bound=Level)
M = TypeVar("M")


def generate(game: str | Game, seed: int, *, stop: Stop | None = None, **parameters: Any) -> Level:
    """Make a new level: the same one for the same arguments, always.

    Parameters
    ----------
    game : str or Game
        A game, or its name.
    seed : int
        64 bits.
    stop : object with `is_set()`, optional
        Ends the work soon after it is set, such as a `threading.Event` that another thread sets.
    **parameters
        The game's own, all of which may be left out: its size, a wished difficulty, ...

    Returns
    -------
    Level
        Its `certificate` wins it. What was wished for but could not be reached stands in its `keys`.

    Raises
    ------
    GridproofError
        For an unknown game, one that makes no levels, a seed or parameters that it does not take.
    Stopped
        When `stop` has been set before the level was made.
    """
    found = game_meant(game)
    maker = _maker(found)
    known = _defaults(maker)
    for name in parameters:
        if name not in known:
            raise GridproofError(f"{found.name} knows no parameter {name!r}: it has {', '.join(known)}")
    with stopping(Limit(stop=stop).stop):
        level: Level = maker(check_seed(seed), **parameters)
        check_stop()
    return level


class Parameters(NamedTuple):
    """What a generator takes: one parameter, or several that mean the same."""

    given: tuple[str, ...]
    """Names as they are given, with their defaults: "width=10"; the name alone, as "difficulty", where there is none."""
    meaning: str
    """What they mean, and their bounds."""


def parameters_of(game: Game) -> list[Parameters]:
    """What a game's generator takes besides the seed, as its signature and its documentation say.

    Raises
    ------
    GridproofError
        When the game makes no levels.
    """
    maker = _maker(game)
    meanings = {name: meaning for name, _, meaning in documented(maker)}
    given = [
        (name if default is None else f"{name}={default}", meanings.get(name, ""))
        for name, default in _defaults(maker).items()
    ]
    return [
        Parameters(tuple(text for text, _ in alike), meaning)
        for meaning, alike in itertools.groupby(given, operator.itemgetter(1))
    ]


def _maker(game: Game) -> Callable[..., Level]:
    if not game.generate:
        raise GridproofError(f"{game.name} makes no new levels")
    maker: Callable[..., Level] = load(game.generate).generate
    return maker


def _defaults(maker: Callable[..., Level]) -> dict[str, object]:
    """The parameters of a generator besides the seed."""
    taken = inspect.signature(maker).parameters.values()
    return {item.name: item.default for item in taken if item.name != "seed"}


def documented(function: Callable[..., Any]) -> Iterator[tuple[str, str, str]]:
    """The parameters in a function's docstring, numpy style: the name, the type and what it means."""
    section = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    for item in re.findall(r"^\S.*(?:\n +.*)*", section, re.MULTILINE):
        head, _, meaning = item.partition("\n")
        names, _, form = head.partition(" : ")
        for name in names.split(", "):
            yield name, form, " ".join(meaning.split())


class Measured(NamedTuple):
    """What a search has proved of a level."""

    trace: Trace
    """Wins it; nothing wins for less."""
    keys: Mapping[str, object]
    """What is said of it: the length, such as `Pushes`, and the `Difficulty`."""
    measure: str = ACTIONS.name
    """What the trace has fewest of."""


def measured(level: Level, limit: Limit | None = None) -> Measured | None:
    """How hard a level is, as its game's generator measures it; None without a proof within the limit.

    Raises
    ------
    GridproofError
        When the game has no generator, or one that does not measure levels.
    """
    game = level.game
    measure = getattr(load(game.generate), "measure", None) if game.generate else None
    if measure is None:
        raise GridproofError(f"{game.name} does not measure how hard levels are")
    found: Measured | None = measure(level, limit)
    return found


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse a parameter that is no whole number within bounds.

    Raises
    ------
    GridproofError
        Naming the parameter, its value and the bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise GridproofError(f"{name}={value!r}: it must be a whole number from {least} to {most} here")


def check_wished(name: str, value: object, least: int, most: int) -> None:
    """As `check_whole`, of a parameter that may be left out."""
    if value is not None:
        check_whole(name, value, least, most)


def best(candidates: Iterable[tuple[M | None, float]], badness: Callable[[M], float]) -> M | None:
    """The candidate of least badness, the first of several; None when there is none.

    This is the loop of every generator. Candidates are made one after the other, until the best one is good enough.

    Parameters
    ----------
    candidates : iterable of (candidate or None, float)
        None for a try that failed; and what badness is good enough by now.
    badness : function of a candidate
        How far it is from what is wished for.
    """
    found, least = None, math.inf
    for candidate, enough in candidates:
        check_stop()
        if candidate is not None and (bad := badness(candidate)) < least:
            found, least = candidate, bad
        if least <= enough:
            break
    return found


def difficulty_missed(effort: int | None, wished: int | None) -> float:
    """How far an effort (None: too great to be measured) is from a wished difficulty: 0 is near enough."""
    if wished is None:
        return 0.0
    ratio = (effort or _MEASURELESS) / wished
    return max(0.0, max(ratio, 1 / ratio) / CLOSE - 1)


def finished(
    level: L,
    seed: int,
    steps: tuple[Step, ...],
    keys: Mapping[str, object],
    missed: Iterable[str],
    difficulty: tuple[int | None, int | None] = (None, None),
) -> L:
    """A generated level with its title, what is to be said of it, and the certificate of these steps.

    Parameters
    ----------
    level : Level
        A data class.
    steps : tuple of Step
        They win it.
    keys : mapping
        What is said of it, such as its moves.
    missed : iterable of str
        What could not be reached, besides the difficulty.
    difficulty : pair
        The effort, if it is known, and the difficulty that was wished for, if one was.
    """
    told = {name: str(value) for name, value in keys.items()}
    unreached = [f"a difficulty of {difficulty[1]}"] if difficulty_missed(*difficulty) else []
    if text := "; ".join([*missed, *unreached]):
        told[MISSED] = text
    named = dataclasses.replace(level, title=f"Seed {seed}", author="gridproof", keys=told)
    return dataclasses.replace(named, certificate=Trace(named.start(), steps))
