"""`gp.certify`: writes a certificate, which `gridproof.prove.verify` checks by the rules alone."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from gridproof.core import files, proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter, Stopped, check_stop, started, stopping
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.prove.formula import Atom, Comparison, Formula, Unary, negated
from gridproof.prove.parsing import parse
from gridproof.prove.verdict import Verdict
from gridproof.prove.verify import CLOSED
from gridproof.search.actors import Actors, acting, starts_of
from gridproof.search.explore import explore
from gridproof.search.space import Progress, StateSpace, rising


@dataclass(frozen=True, slots=True)
class Certified:
    """Whether a certificate has been written."""

    holds: bool | None
    """True: it has been; False: the goal can be reached; None: a limit was reached first."""
    positions: int
    """How many have been found; all are listed, where it has been written."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"."""


class ClosedSet(Protocol):
    """Positions that a certificate lists."""

    holds: bool | None
    """Whether they are closed and without the goal; None when a limit was reached."""

    def __len__(self) -> int: ...

    def texts(self) -> Iterable[str]:
        """The canonical text of each."""

    def lemmas(self) -> list[Any]:
        """What else it relies on, as the certificate has it."""


def certify(
    level_or_position: Level | Position[Any],
    path: str | Path,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Certified:
    """Prove that a goal can never be reached, and write the proof: a list of all positions that can be reached.

    Parameters
    ----------
    level_or_position : Level or Position
        A level is looked at from all its starts.
    path : str or Path
        The file; packed by gzip when its name ends in .gz. None is written, unless the goal is impossible.
    goal : str
        A proposition of the game.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to give up; never an error. Its time is that of the search; its `stop` ends the writing, too.

    Raises
    ------
    GridproofError
        For a goal or an actor that the game does not know, or a file that cannot be written.
    """
    meter, path = started(limit), Path(path)
    files.check_folder(path)
    starts = starts_of(level_or_position)
    level = starts[0].level
    who = acting(level, actors)
    reached = proposition.goal(level.game, goal)
    reached.value(starts[0])  # tells which arguments mean nothing on this level
    kind, found = _closed_set(starts, reached, meter, rising(progress)) if who == (None,) else (CLOSED, None)
    if found is None:
        found = _Explored(explore(level_or_position, actors, limit, progress), goal)
        meter.stopped_by = found.stopped_by
    if found.holds:
        header = {
            "gridproof": "certificate",
            "version": 1,
            "game": level.game.name,
            "level": level.text(),
            "starts": [start.text() for start in starts],
            "goal": goal,
            "actors": None if who == (None,) else "all" if actors == "all" else list(who),
            "positions": len(found),
            "kind": kind,
            "lemmas": found.lemmas(),
        }
        try:
            with stopping(meter.limit.stop), files.writing(path, packed=path.suffix == ".gz") as file:
                file.write(f"{json.dumps(header)}\n")
                file.writelines(f"{json.dumps(text)}\n" for text in _until_stopped(found.texts()))
        except Stopped:
            return Certified(None, len(found), meter.seconds, "stop")
    return Certified(found.holds, len(found), meter.seconds, meter.stopped_by)


def _until_stopped(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        check_stop()
        yield text


def _closed_set(
    starts: list[Position[Any]], goal: Goal, meter: Meter, progress: Progress | None
) -> tuple[str, ClosedSet | None]:
    """What the game's own way of writing certificates finds, where it has one for this."""
    for kind, package in starts[0].level.game.certificates.items():
        found: ClosedSet | None = importlib.import_module(f"{package}.write").closed_set(
            starts, goal, meter, progress
        )
        if found is not None:
            return kind, found
    return CLOSED, None


class _Explored:
    """All positions that can be reached."""

    def __init__(self, space: StateSpace, goal: str) -> None:
        self._space, self.stopped_by = space, space.stopped_by
        self.holds = False if space.values(goal).any() else True if space.complete else None

    def __len__(self) -> int:
        return self._space.states

    def texts(self) -> Iterable[str]:
        return (position.text() for position in self._space)

    def lemmas(self) -> list[Any]:
        return []


def impossible(verdict: Verdict) -> str | None:
    """The goal that a verdict says is never reached: of `AG !p` that holds, `EF p` that does not, and the like; else None."""
    found = _never(verdict.formula, verdict.paths)
    return found[0] if found and verdict.holds is found[1] else None


def check_certifiable(formula: str, paths: str) -> None:
    """Make sure that a certificate is what one answer to a formula is shown by.

    Raises
    ------
    ParseError, GridproofError
        When it is no formula, or not about one proposition or comparison that is never reached.
    """
    if _never(parse(formula), paths) is None:
        raise GridproofError(
            f"no certificate can be written of {formula}: there are some of AG p, G p, EF p and, with --paths some, "
            "F p, where p is one proposition or comparison, or its opposite"
        )


def _never(formula: Formula, paths: str) -> tuple[str, bool] | None:
    """What a formula says is never reached, and by which answer."""
    match formula:
        case Unary("A", Unary("G", never)):
            goal, answer = negated(never), True
        case Unary("G", never) if paths == "all":
            goal, answer = negated(never), True
        case Unary("E", Unary("F", goal)):
            answer = False
        case Unary("F", goal) if paths == "some":
            answer = False
        case _:
            return None
    bare = goal.operand if isinstance(goal, Unary) and goal.operator == "!" else goal
    return (str(goal), answer) if isinstance(bare, Atom | Comparison) else None
