"""The document's claims about the runs of a board (S19 to S24), and how many runs there are, by two engines."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, started
from gridproof.core.position import Level as AnyLevel
from gridproof.core.wording import counted, shown
from gridproof.games.shiftit.rules import Level
from gridproof.games.shiftit.runs import Run, all_runs, check_horizon

if TYPE_CHECKING:
    from gridproof.prove.verdict import Verdict

EXPLICIT = "explicit"
ENGINES = {EXPLICIT: "explicit", "clingo": "declarative"}
"""The engines, and the module of each."""

LONGEST = 100_000
"""The largest horizon up to which runs are counted: their number has as many digits."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a board up to a horizon; iterating gives each of them, in the order of their moves, or as clingo finds them.

    Attributes
    ----------
    level : Level
    horizon : int
        T, the last time.
    count, won : int or None
        How many runs there are, and how many of them win; exact. None when a limit was reached.
    states : int
        Positions that they come to; 0 from an engine that lists none.
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
        found: Iterator[Run] = _engine(self.engine).all_models(self.level, self.horizon)
        return found

    def __str__(self) -> str:
        if self.count is None or self.won is None:
            return f"no answer, stopped by {self.stopped_by}"
        return f"{_written(self.count, 'runs')}, {_written(self.won, '')} of them won"


def _written(number: int, things: str) -> str:
    """A count; of one with very many digits, how many those are."""
    if number.bit_length() <= 200:
        return counted(number, things) if things else f"{number:,}"
    return f"about 10^{math.floor(math.log10(number)):,} {things}".rstrip()


def claims(
    level: AnyLevel, horizon: int, engine: str = EXPLICIT, limit: Limit | None = None
) -> list[Verdict]:
    """Prove or refute the six claims about all runs of a board of Shift It up to a horizon.

    Parameters
    ----------
    level : Level
        Of Shift It.
    horizon : int
        T, the last time, at least 0. Any is answered: behind the one at which all positions are known, nothing changes.
    engine : str
        "explicit", by the positions; "clingo", by the theory: an answer-set program, refused where it would be too large.
    limit : Limit
        When to stop; a claim that is open then is answered by None.

    Returns
    -------
    list of ClaimVerdict
        Claims 1 to 6 (S19 to S24).

    Raises
    ------
    GridproofError
        For a level of another game, an invalid horizon and an unknown engine.
    """
    board = _board(level, engine)
    check_horizon(horizon)
    found: list[Verdict] = _engine(engine).claims(board, horizon, started(limit))
    return found


def runs(level: AnyLevel, horizon: int, engine: str = EXPLICIT, limit: Limit | None = None) -> Runs:
    """Count the runs of a board of Shift It up to a horizon, and those that win.

    Parameters
    ----------
    level : Level
        Of Shift It.
    horizon : int
        T, the last time, from 0 to 100,000.
    engine : str
        "explicit", by the positions; "clingo", by the theory: an answer-set program, refused where it would be too large.
    limit : Limit
        When to stop without numbers.

    Raises
    ------
    GridproofError
        For a level of another game, an invalid or too large horizon and an unknown engine.
    """
    board = _board(level, engine)
    if check_horizon(horizon) > LONGEST:
        raise GridproofError(f"runs are counted up to a horizon of {LONGEST:,}, not {shown(horizon)}")
    meter = started(limit)
    number, won, states = _engine(engine).count(board, horizon, meter)
    stopped = meter.why if number is None else ""
    return Runs(board, horizon, number, won, states, meter.seconds, stopped, engine)


def _engine(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{ENGINES[name]}")


def _board(level: AnyLevel, engine: str) -> Level:
    if not isinstance(level, Level):
        name = f"{level.game.name} has" if isinstance(level, AnyLevel) else f"{shown(level)} has"
        raise GridproofError(f"{name} no claims: they are about the runs of a level of shiftit")
    if not isinstance(engine, str) or engine not in ENGINES:
        raise GridproofError(f"no engine {shown(engine)}: there are {', '.join(ENGINES)}")
    return level
