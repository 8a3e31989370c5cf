"""`gp.generate`: a new level of a game, from a seed; the difficulty of any level, by the same measure."""

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
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.limit import Limit, Stop, check_stop, use_stop
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level
from gridproof.core.registry import resolve_game
from gridproof.core.rng import check_seed
from gridproof.core.trace import Step, Trace

CLOSE = 1.5
"""Largest factor between an effort and the difficulty that it still reaches."""

_MEASURELESS = 10**9

MISSED = "Missed"
"""Key of a level for the requests that could not be met."""

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
        The game's own, all optional: its size, a difficulty, ...

    Returns
    -------
    Level
        Its `certificate` wins it. Requests that could not be met stand in its `keys`.

    Raises
    ------
    GridproofError
        For an unknown game, one that makes no levels, a seed or parameters that it does not take.
    Stopped
        When `stop` has been set before the level was made.

    Examples
    --------
    >>> import gridproof as gp
    >>> level = gp.generate("shiftit", 1, width=2, height=2)
    >>> level.certificate.replay().won
    True
    >>> gp.generate("shiftit", 1, width=2, height=2) == level
    True
    """
    found = resolve_game(game)
    maker = _generate_function(found)
    known = _defaults(maker)
    for name in parameters:
        if name not in known:
            raise GridproofError(f"{found.name} has no parameter {name!r}; choose from {', '.join(known)}")
    with use_stop(Limit(stop=stop).stop):
        level: Level = maker(check_seed(seed), **parameters)
        check_stop()
    return level


@dataclasses.dataclass(frozen=True)
class Generator:
    """Generator of a game's levels: the value `GENERATOR` of its extension `generator`."""

    generate: Callable[..., Level]
    """`generate(seed, **parameters)`: the level of a seed. Its docstring explains the parameters, all of which have defaults."""
    measure: Callable[[Any, Limit | None], MeasuredDifficulty | None] | None = None
    """Difficulty of a level; None without a proof within the limit."""


def generator_of(game: Game) -> Generator | None:
    """Return the generator of a game; None when it has none."""
    return find_extension(game, "generator", Generator)


class Parameters(NamedTuple):
    """One parameter of a generator, or several that mean the same."""

    forms: tuple[str, ...]
    """Names with their defaults: "width=10"; the name alone, as "difficulty", where there is none."""
    meaning: str
    """Their meaning and bounds."""


def parameters_of(game: Game) -> list[Parameters]:
    """Return the parameters of a game's generator besides the seed, from its signature and its docstring.

    GridproofError if the game makes no levels.
    """
    maker = _generate_function(game)
    meanings = {name: meaning for name, _, meaning in parse_parameters(maker)}
    given = [
        (name if default is None else f"{name}={default}", meanings.get(name, ""))
        for name, default in _defaults(maker).items()
    ]
    return [
        Parameters(tuple(text for text, _ in alike), meaning)
        for meaning, alike in itertools.groupby(given, operator.itemgetter(1))
    ]


def _generate_function(game: Game) -> Callable[..., Level]:
    found = generator_of(game)
    if found is None:
        raise GridproofError(f"{game.name} has no level generator")
    return found.generate


def _defaults(maker: Callable[..., Level]) -> dict[str, object]:
    """Return the defaults of a generator's parameters besides the seed."""
    taken = inspect.signature(maker).parameters.values()
    return {item.name: item.default for item in taken if item.name != "seed"}


def parse_parameters(function: Callable[..., Any]) -> Iterator[tuple[str, str, str]]:
    """Parse the parameters in a function's docstring, numpy style: yield name, type and meaning."""
    section = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    for item in re.findall(r"^\S.*(?:\n +.*)*", section, re.MULTILINE):
        head, _, meaning = item.partition("\n")
        names, _, form = head.partition(" : ")
        for name in names.split(", "):
            yield name, form, " ".join(meaning.split())


class MeasuredDifficulty(NamedTuple):
    """Result of a search for a level's difficulty."""

    trace: Trace
    """A trace that wins the level; nothing wins for less."""
    keys: Mapping[str, object]
    """Keys for the level: the length, such as `Pushes`, and the `Difficulty`."""
    measure: str = ACTIONS.name
    """Name of the measure that the trace minimises."""


def measure_difficulty(level: Level, limit: Limit | None = None) -> MeasuredDifficulty | None:
    """Measure a level's difficulty by its game's generator; None without a proof within the limit.

    GridproofError if the game does not measure levels.
    """
    generator = generator_of(level.game)
    if generator is None or generator.measure is None:
        raise GridproofError(f"{level.game.name} does not measure difficulty")
    return generator.measure(level, limit)


def check_range(name: str, value: object, least: int, most: int) -> None:
    """Raise GridproofError if a parameter is no whole number within the bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise GridproofError(f"{name}={value!r}: it must be a whole number from {least} to {most} here")


def check_optional(name: str, value: object, least: int, most: int) -> None:
    """Check a whole number as `check_range` does, if it is given."""
    if value is not None:
        check_range(name, value, least, most)


def best(candidates: Iterable[tuple[M | None, float]], badness: Callable[[M], float]) -> M | None:
    """Return the candidate of least badness, the first of several; None when there is none.

    This is the loop of every generator. Candidates are made one after the other, until the best one is good enough.

    Parameters
    ----------
    candidates : iterable of (candidate or None, float)
        None for a try that failed; and the badness that is good enough by now.
    badness : function of a candidate
        Its distance from the request.
    """
    found, least = None, math.inf
    for candidate, enough in candidates:
        check_stop()
        if candidate is not None and (bad := badness(candidate)) < least:
            found, least = candidate, bad
        if least <= enough:
            break
    return found


def difficulty_gap(effort: int | None, wanted: int | None) -> float:
    """Return the distance of an effort (None: too great to be measured) from the wanted difficulty; 0 is near enough."""
    if wanted is None:
        return 0.0
    ratio = (effort or _MEASURELESS) / wanted
    return max(0.0, max(ratio, 1 / ratio) / CLOSE - 1)


def finish_level(
    level: L,
    seed: int,
    steps: tuple[Step, ...],
    keys: Mapping[str, object],
    missed: Iterable[str],
    difficulty: tuple[int | None, int | None] = (None, None),
) -> L:
    """Return a generated level with its title, keys, and the certificate of these steps.

    Parameters
    ----------
    level : Level
        A data class.
    steps : tuple of Step
        Steps that win the level.
    keys : mapping
        Keys of the level, such as its moves.
    missed : iterable of str
        Requests that could not be met, besides the difficulty.
    difficulty : pair
        The effort, if it is known, and the wanted difficulty, if there is one.
    """
    texts = {name: str(value) for name, value in keys.items()}
    unreached = [f"a difficulty of {difficulty[1]}"] if difficulty_gap(*difficulty) else []
    if text := "; ".join([*missed, *unreached]):
        texts[MISSED] = text
    named = dataclasses.replace(level, title=f"Seed {seed}", author="gridproof", keys=texts)
    return dataclasses.replace(named, certificate=Trace(named.start(), steps))
