"""The document's claims about the runs of a board (S19 to S24), and numbers of runs, by two engines."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit, start_meter
from gridproof.core.position import Level as AnyLevel
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.games.shiftit.rules import Level
from gridproof.games.shiftit.runs import LONGEST, Run, all_runs, check_horizon

if TYPE_CHECKING:
    from gridproof.prove.verdict import Verdict

EXPLICIT = "explicit"
ENGINES = {EXPLICIT: "explicit", "clingo": "answer_set"}
"""The engines, and the module of each."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a board up to a horizon; iteration gives each run, in the order of their moves, or as clingo finds them.

    Attributes
    ----------
    level : Level
    horizon : int
        T, the last time.
    count, won : int or None
        The exact numbers of runs and of winning runs; None when a limit was reached.
    states : int
        The number of reachable positions; 0 from an engine that lists none.
    seconds : float
    stopped_by : str
        The limit that was reached; "" when there was none.
    engine : str
    """

    level: Level
    horizon: int
    count: int | None
    won: int | None
    states: int
    seconds: float = field(compare=False)
    stopped_by: str = ""
    engine: str = EXPLICIT

    def __iter__(self) -> Iterator[Run]:
        if self.engine == EXPLICIT:
            return all_runs(self.level, self.horizon)
        found: Iterator[Run] = _load_engine(self.engine).all_models(self.level, self.horizon)
        return found

    def __str__(self) -> str:
        if self.count is None or self.won is None:
            return f"no answer: {describe_limit(self.stopped_by)}"
        return f"{_count_text(self.count, 'runs')}, {_count_text(self.won, '')} of them won"


def _count_text(number: int, things: str) -> str:
    """Return a count as text; a power of ten for a very large one."""
    if number.bit_length() <= 200:
        return format_count(number, things) if things else f"{number:,}"
    return f"about 10^{math.floor(math.log10(number)):,} {things}".rstrip()


def claims(
    level: AnyLevel | str, horizon: int, engine: str = EXPLICIT, limit: Limit | None = None
) -> list[Verdict]:
    """Prove or refute the six claims about all runs of a board of Shift It up to a horizon.

    Parameters
    ----------
    level : Level or str
        Of Shift It, or the name of one as of `gridproof.level`.
    horizon : int
        T, the last time, at least 0. Any is answered: nothing changes once all positions are known.
    engine : str
        "explicit", by the positions; "clingo", by the theory: an answer-set program, refused where it would be too large.
    limit : Limit
        When to stop; an open claim then has the answer None.

    Returns
    -------
    list of ClaimVerdict
        Claims 1 to 6 (S19 to S24).

    Raises
    ------
    GridproofError
        For a level of another game, an invalid horizon and an unknown engine.

    Examples
    --------
    >>> import gridproof as gp
    >>> [verdict.holds for verdict in gp.claims("shiftit/boards/1", 2)]
    [True, True, True, True, True, True]
    """
    board = _check_board(resolve_level(level), engine)
    check_horizon(horizon)
    found: list[Verdict] = _load_engine(engine).check_claims(board, horizon, start_meter(limit))
    return found


def runs(level: AnyLevel | str, horizon: int, engine: str = EXPLICIT, limit: Limit | None = None) -> Runs:
    """Count the runs of a board of Shift It up to a horizon, and those that win.

    Parameters
    ----------
    level : Level or str
        Of Shift It, or the name of one as of `gridproof.level`.
    horizon : int
        T, the last time, from 0 to 100,000.
    engine : str
        "explicit", by the positions; "clingo", by the theory: an answer-set program, refused where it would be too large.
    limit : Limit
        When to stop without numbers.

    Returns
    -------
    Runs

    Raises
    ------
    GridproofError
        For a level of another game, an invalid or too large horizon and an unknown engine.

    Examples
    --------
    >>> import gridproof as gp
    >>> runs = gp.runs("shiftit/boards/1", 2)
    >>> runs.count, runs.won
    (8, 8)
    """
    board = _check_board(resolve_level(level), engine)
    if check_horizon(horizon) > LONGEST:
        raise GridproofError(f"runs are counted up to a horizon of {LONGEST:,}, not {short_repr(horizon)}")
    meter = start_meter(limit)
    number, won, states = _load_engine(engine).count_runs(board, horizon, meter)
    stopped = meter.reason if number is None else ""
    return Runs(board, horizon, number, won, states, meter.seconds, stopped, engine)


def _load_engine(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{ENGINES[name]}")


def _check_board(level: AnyLevel, engine: str) -> Level:
    if not isinstance(level, Level):
        name = f"{level.game.name} has" if isinstance(level, AnyLevel) else f"{short_repr(level)} has"
        raise GridproofError(f"{name} no claims: they are about the runs of a level of shiftit")
    if not isinstance(engine, str) or engine not in ENGINES:
        raise GridproofError(f"no engine {short_repr(engine)}; choose from {', '.join(ENGINES)}")
    return level
