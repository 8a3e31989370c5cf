"""`gp.certify`: writes a certificate, which `gridproof.prove.verify` checks by the rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter, Stopped, check_stop, describe_limit, start_meter, use_stop
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.core.representation import Representable
from gridproof.core.text import files
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import format_count
from gridproof.prove.certificate import CLOSED, ClosedSet, kinds_of
from gridproof.prove.formula import Atom, Comparison, Formula, Unary, decisive_goal
from gridproof.prove.parsing import parse
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, resolve_actors, starts_of
from gridproof.search.cost_product import has_costs
from gridproof.search.explore import explore
from gridproof.search.space import Progress, StateSpace, monotonic_progress


@dataclass(frozen=True, slots=True)
class Certified(Representable):
    """Result of an attempt to write a certificate."""

    holds: bool | None
    """True if it was written; False if the goal can be reached; None if a limit was reached first."""
    positions: int
    """The number of positions found; all are listed when a certificate was written."""
    seconds: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory" or "stop"."""

    def __str__(self) -> str:
        """Return the result, and its meaning for the goal."""
        if self.holds is None:
            return f"no certificate: {describe_limit(self.stopped_by)} after {format_count(self.positions, 'positions')}"
        if not self.holds:
            return "no certificate: the goal can be reached"
        return f"the goal can never be reached: the certificate lists {format_count(self.positions, 'positions')}"

    def _summary(self) -> str:
        return f"<Certified: {self}>"


def certify(
    level_or_position: Level | Position[Any] | str,
    path: str | Path,
    goal: str = "won",
    actors: Actors = None,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> Certified:
    """Prove that a goal can never be reached, and write the proof: a list of all positions that can be reached.

    Parameters
    ----------
    level_or_position : Level, Position or str
        A level, or the name of one as of `gridproof.level`, is explored from all its starts.
    path : str or Path
        The file; packed by gzip when its name ends in .gz. None is written, unless the goal is impossible.
    goal : str
        A proposition of the game.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to give up; never an error. Its time is that of the search; its `stop` ends the writing, too.

    Returns
    -------
    Certified

    Raises
    ------
    GridproofError
        For a goal or an actor that the game does not know, or a file that cannot be written.

    Examples
    --------
    >>> import gridproof as gp, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "proof.json")
    >>> gp.certify("sokoban/first-steps/1", path, goal="placed = 2").holds
    True
    >>> gp.verify(path, "sokoban/first-steps/1").holds
    True
    >>> folder.cleanup()
    """
    meter, path = start_meter(limit), files.to_path(path)
    files.check_folder(path)
    level_or_position = resolve_level(level_or_position)
    starts = starts_of(level_or_position)
    level = starts[0].level
    refuse_costs(level, goal)
    who = resolve_actors(level, actors)
    reached = proposition.parse_goal(level.game, goal)
    reached.value(starts[0])  # tells which arguments mean nothing on this level
    kind, found = (
        _find_closed_set(starts, reached, meter, monotonic_progress(progress))
        if who == (None,)
        else (CLOSED, None)
    )
    if found is None:
        found = _ReachableSet(explore(level_or_position, actors, limit, progress), goal)
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
            with use_stop(meter.limit.stop), files.open_atomic(path, packed=path.suffix == ".gz") as file:
                file.write(f"{json.dumps(header)}\n")
                file.writelines(f"{json.dumps(text)}\n" for text in _interruptible(found.texts()))
        except Stopped:
            return Certified(None, len(found), meter.seconds, "stop")
    return Certified(found.holds, len(found), meter.seconds, meter.stopped_by)


def _interruptible(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        check_stop()
        yield text


def _find_closed_set(
    starts: list[Position[Any]], goal: Goal, meter: Meter, progress: Progress | None
) -> tuple[str, ClosedSet | None]:
    """Return the closed set of the game's own kind of certificates, if it has one for this goal."""
    for name, kind in kinds_of(starts[0].level.game).items():
        found = kind.closed_set(starts, goal, meter, progress)
        if found is not None:
            return name, found
    return CLOSED, None


class _ReachableSet:
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


def impossible_goal(verdict: Verdict) -> str | None:
    """Return the goal that a verdict proves unreachable, as `AG !p` does if it holds, or `EF p` if not; else None."""
    found = _certifiable_goal(verdict.formula, verdict.paths)
    return found[0] if found and verdict.holds is not None and verdict.holds is not found[1] else None


def refuse_costs(level: Level, text: str) -> None:
    """Raise GridproofError if a goal or formula compares costs: a certificate lists positions alone."""
    if has_costs(level.game, text):
        raise GridproofError(f"no certificate can be written for {text}: certificates do not record costs")


def check_certifiable(formula: str, paths: str) -> None:
    """Check that a certificate can prove one of the answers to a formula.

    GridproofError unless it is about one proposition or comparison that is never reached; ParseError if it is no formula.
    """
    if _certifiable_goal(parse(formula), paths) is None:
        raise GridproofError(
            f"no certificate can be written for {formula}: only for AG p, G p, EF p and, with --paths some, F p, where p is a proposition or comparison, or its negation"
        )


def _certifiable_goal(formula: Formula, paths: str) -> tuple[str, bool] | None:
    """Return the goal that decides a formula when it is reached, and that answer, if a certificate can have the goal."""
    if (found := decisive_goal(formula, paths)) is None:
        return None
    goal, answer = found
    bare = goal.operand if isinstance(goal, Unary) and goal.operator == "!" else goal
    return (str(goal), answer) if isinstance(bare, Atom | Comparison) else None
