"""The commands `claims` and `runs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.answer import Answer
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.reading import read, recognised
from gridproof.core.trace import steps_to_data
from gridproof.games.shiftit import claims as engines
from gridproof.games.shiftit.claims import system
from gridproof.games.shiftit.claims.verdict import ClaimVerdict
from gridproof.games.shiftit.idp import structure
from gridproof.games.shiftit.rules import Level
from gridproof.prove.verdict import Verdict


def claims(
    text: str, game: str | None, limit: Limit, horizon: int | None = None, engine: str = engines.EXPLICIT
) -> Iterator[Answer]:
    """Prove or refute the six claims about the runs of a board.

    Exit status: 0 all hold, 1 one does not, 3 one is open at a limit.

    Parameters
    ----------
    horizon : T
        The last time, for what lists no times itself.
    engine : NAME
        explicit, by the positions, or clingo, by the theory.
    """
    for name, level, listed in boards(text, game):
        last = last_time(listed, horizon)
        for verdict in engines.claims(level, last, engine, limit):
            assert isinstance(verdict, ClaimVerdict)  # as those of this game are
            yield _answer(name, level, verdict)


def runs(
    text: str, game: str | None, limit: Limit, horizon: int | None = None, engine: str = engines.EXPLICIT
) -> Iterator[Answer]:
    """Count the runs of a board, and those that win.

    Exit status: 0 counted, 3 a limit was reached.

    Parameters
    ----------
    horizon : T
        The last time, for what lists no times itself.
    engine : NAME
        explicit, by the positions, or clingo, by the theory.
    """
    for name, level, listed in boards(text, game):
        last = last_time(listed, horizon)
        found = engines.runs(level, last, engine, limit)
        data = {
            "name": name,
            "title": level.title,
            "horizon": last,
            "count": None if found.count is None else _digits(found.count),
            "won": None if found.won is None else _digits(found.won),
            "states": found.states,
            "seconds": round(found.seconds, 6),
            "engine": found.engine,
            "stopped_by": found.stopped_by or None,
        }
        yield Answer(None if found.count is None else True, f"{name}, T = {last}: {found}", data)


def _digits(number: int) -> int | str:
    """A number as JSON has it: in base 16, as Python reads it, where it is longer than Python writes in base 10."""
    return number if number.bit_length() < 10_000 else hex(number)


def properties(text: str, game: str | None, limit: Limit) -> Iterator[Answer]:
    """Prove or refute what is asked of a board's transition system.

    There is no last time. Exit status: 0 all hold, 1 one does not, 3 one is open at a limit.
    """
    for name, level, _ in boards(text, game):
        asked = system.properties_of(level)
        for label, verdict in system.properties(level, limit).items():
            one = asked[label]
            data = {
                "name": name,
                "title": level.title,
                "property": label,
                **one._asdict(),
                "holds": verdict.holds,
                "vacuous": verdict.vacuous,
                "states": verdict.states,
                "seconds": round(verdict.seconds, 6),
                "stopped_by": verdict.stopped_by or None,
                **_trace_data(verdict),
            }
            words = f"{name}: {label}: {one.meaning}: {verdict.answer}; {verdict.work}"
            yield Answer(verdict.holds, words, data)


def _trace_data(verdict: Verdict) -> dict[str, Any]:
    trace = verdict.trace
    if trace is None:
        return {"shows": None, "trace": None}
    steps = {"start": trace.start.text(), "steps": steps_to_data(trace.steps), "loop": trace.loop}
    return {"shows": verdict.shows, "trace": steps}


def boards(text: str, game: str | None) -> Iterator[tuple[str, Level, int | None]]:
    """The boards of a text, each with a name, and the last time where it lists one.

    Raises
    ------
    GridproofError
        When they are of another game.
    """
    owner, form = recognised(text, game)
    if owner.name != "shiftit":
        raise GridproofError(f"{owner.name} has no claims: they are about the runs of a level of shiftit")
    if form.name == structure.FORMAT.name:
        for one in structure.read_structures(text):
            listed = one.horizon if "Time" in one.tables else None
            yield f"{one.name}  {one.title}".rstrip(), one.level, listed
        return
    for number, level in enumerate(read(text, owner), 1):
        assert isinstance(level, Level)  # of that game
        yield level.title or f"level {number}", level, None


def last_time(listed: int | None, given: int | None) -> int:
    """T: the last listed time, else the given one; GridproofError when there is neither."""
    if listed is None and given is None:
        raise GridproofError("up to which time? --horizon T says it where no times are listed")
    return given if listed is None and given is not None else listed or 0


def _answer(name: str, level: Level, verdict: ClaimVerdict) -> Answer:
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
    return Answer(verdict.holds, words, data, verdict.shown and f"{verdict.shown}\n")
