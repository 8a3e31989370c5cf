"""The commands `claims` and `runs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import Answer
from gridproof.core.limit import Limit
from gridproof.core.text.recognition import read, recognise
from gridproof.core.trace import trace_to_data
from gridproof.games.shiftit import claims as engines
from gridproof.games.shiftit.claims import transition_system
from gridproof.games.shiftit.claims.verdict import ClaimVerdict
from gridproof.games.shiftit.idp import format as idp_format
from gridproof.games.shiftit.idp.conversion import horizon_of, level_of
from gridproof.games.shiftit.rules import Level
from gridproof.prove.verdict import Verdict


def claims(
    text: str, game: str | None, limit: Limit, horizon: int | None = None, engine: str = engines.EXPLICIT
) -> Iterator[Answer]:
    """Prove or refute the six claims about runs.

    Exit status: 0 all hold, 1 one is refuted, 3 one is undecided at a limit.

    Parameters
    ----------
    horizon : T
        Last time, for input that lists no times.
    engine : NAME
        explicit (enumerate positions) or clingo (solve the theory).
    """
    for name, level, listed in read_boards(text, game):
        last = choose_horizon(listed, horizon)
        for verdict in engines.claims(level, last, engine, limit):
            assert isinstance(verdict, ClaimVerdict)  # as those of this game are
            yield _claim_answer(name, level, verdict)


def runs(
    text: str, game: str | None, limit: Limit, horizon: int | None = None, engine: str = engines.EXPLICIT
) -> Iterator[Answer]:
    """Count the runs of a board, and the winning ones.

    Exit status: 0 counted, 3 a limit was reached.

    Parameters
    ----------
    horizon : T
        Last time, for input that lists no times.
    engine : NAME
        explicit (enumerate positions) or clingo (solve the theory).
    """
    for name, level, listed in read_boards(text, game):
        last = choose_horizon(listed, horizon)
        found = engines.runs(level, last, engine, limit)
        data = {
            "name": name,
            "title": level.title,
            "horizon": last,
            "count": None if found.count is None else _number_to_json(found.count),
            "won": None if found.won is None else _number_to_json(found.won),
            "states": found.states,
            "seconds": round(found.seconds, 6),
            "engine": found.engine,
            "stopped_by": found.stopped_by or None,
        }
        yield Answer(None if found.count is None else True, f"{name}, T = {last}: {found}", data)


def _number_to_json(number: int) -> int | str:
    """Return a number for JSON; as text in base 16 where it has more digits than Python writes in base 10."""
    return number if number.bit_length() < 10_000 else hex(number)


def properties(text: str, game: str | None, limit: Limit) -> Iterator[Answer]:
    """Prove or refute properties, without a bound on time.

    Exit status: 0 all hold, 1 one is refuted, 3 one is undecided at a limit.
    """
    for name, level, _ in read_boards(text, game):
        known = transition_system.properties_of(level)
        for label, verdict in transition_system.properties(level, limit).items():
            data = {
                "name": name,
                "title": level.title,
                "property": label,
                **known[label]._asdict(),
                "holds": verdict.holds,
                "vacuous": verdict.vacuous,
                "states": verdict.states,
                "seconds": round(verdict.seconds, 6),
                "stopped_by": verdict.stopped_by or None,
                **_trace_data(verdict),
            }
            words = f"{name}: {label}: {known[label].meaning}. {verdict.sentence('This')} {verdict.work}"
            yield Answer(verdict.holds, words, data)


def _trace_data(verdict: Verdict) -> dict[str, Any]:
    trace = verdict.trace
    if trace is None:
        return {"shows": None, "trace": None}
    return {"shows": verdict.shows, "trace": trace_to_data(trace)}


def read_boards(text: str, game: str | None) -> Iterator[tuple[str, Level, int | None]]:
    """Read the boards of a text, each with a name, and with the last time where the text lists one.

    Raises
    ------
    GridproofError
        When they are of another game.
    """
    owner, form = recognise(text, game)
    if owner.name != "shiftit":
        raise GridproofError(f"{owner.name} has no claims: they are about the runs of a level of shiftit")
    if form.name == idp_format.FORMAT.name:
        for structure in idp_format.read_structures(text):
            last_time = horizon_of(structure) if "Time" in structure.tables else None
            yield f"{structure.name}  {structure.title}".rstrip(), level_of(structure), last_time
        return
    for number, level in enumerate(read(text, owner), 1):
        assert isinstance(level, Level)  # of that game
        yield level.title or f"level {number}", level, None


def choose_horizon(last_time: int | None, option: int | None) -> int:
    """Return T: the last listed time, else the option; GridproofError when there is neither."""
    horizon = option if last_time is None else last_time
    if horizon is None:
        raise GridproofError("no times are listed; give a horizon with --horizon T")
    return horizon


def _claim_answer(name: str, level: Level, verdict: ClaimVerdict) -> Answer:
    data = {
        "name": name,
        "title": level.title,
        "claim": verdict.number,
        "statement": verdict.statement,
        "horizon": verdict.horizon,
        "holds": verdict.holds,
        "vacuous": verdict.vacuous,
        "remarks": list(verdict.remarks),
        "states": verdict.states,
        "seconds": round(verdict.seconds, 6),
        "engine": verdict.engine,
        "stopped_by": verdict.stopped_by or None,
        **_trace_data(verdict),
    }
    words = "; ".join((f"{name}: {verdict.head}", *verdict.remarks))
    return Answer(verdict.holds, words, data, verdict.trace_text and f"{verdict.trace_text}\n")
