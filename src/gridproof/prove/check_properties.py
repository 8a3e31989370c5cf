"""`gp.check_properties`: checks the properties of a file on a level, as a test suite."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, check_limit
from gridproof.core.position import Level, Position
from gridproof.core.representation import Representable
from gridproof.core.text import files
from gridproof.core.text.level_lookup import resolve_level
from gridproof.prove.check import check, check_fairness, logic_on_paths
from gridproof.prove.cost import find_product
from gridproof.prove.coverage import MOST_PARTS, Coverage, coverage
from gridproof.prove.expansion import Expander
from gridproof.prove.fairness import Fair
from gridproof.prove.formula import Formula, subformulas
from gridproof.prove.logic import Logic, logic_of, property_of
from gridproof.prove.name_check import check_definition_names, check_names
from gridproof.prove.property_file import Property, parse_properties
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Actors, starts_of
from gridproof.search.explore import explore
from gridproof.search.space import WHOLE, Progress, StateSpace, monotonic_progress

ANSWERS = {True: "ok", False: "not as expected", None: "no answer"}
"""Words for whether a verdict is as expected."""

_GROWTH = 16
"""Growth of a prefix after one that does not decide a property."""


@dataclass(frozen=True, slots=True)
class PropertyResult(Representable):
    """A property of a file, and the verdict on it."""

    subject: Property
    verdict: Verdict
    coverage: Coverage | None = None
    """The parts of the formula without effect, if they were asked for; None for a proof by an invariant, and with P or R."""

    @property
    def as_expected(self) -> bool | None:
        """True if the verdict is the expected one; None without an answer."""
        holds = self.verdict.holds
        return None if holds is None else holds is self.subject.expected

    def __str__(self) -> str:
        """Return the result in a line: "ok: solvable: `EF won` holds at the start."."""
        return f"{ANSWERS[self.as_expected]}: {self.subject.name}: {self.verdict.sentence(f'`{self.subject.formula}`')}"

    def _summary(self) -> str:
        return f"<PropertyResult: {self}>"


def check_properties(
    level_or_position: Level | Position[Any] | StateSpace | str,
    properties: str | Path,
    actors: Actors = None,
    limit: Limit | None = None,
    fair: Fair = (),
    progress: Progress | None = None,
    covers: bool = False,
) -> Iterator[PropertyResult]:
    """Check all properties of a file on a level.

    All share the positions that are found. A larger prefix of the space is explored if the last one does not decide
    a property.

    Parameters
    ----------
    level_or_position : Level, Position, StateSpace or str
        As of `gridproof.check`.
    properties : str or Path
        A str is the text, a Path the file; the page on formulas says how it is written.
    actors : None, "all" or tuple of str
        Whose actions are done: all players' by default, "all" with nature's.
    limit : Limit
        When to stop without an answer: of each exploration, and of each property after it.
    fair : str or sequence of str
        Assumptions of fairness for all properties, beside their own.
    covers : bool
        True: find the parts of each formula that have no effect, too, as `gridproof.coverage` does.

    Returns
    -------
    Iterator of PropertyResult
        In the order of the file, as soon as each is known.

    Raises
    ------
    ParseError
        Before any work, when the file has another form or a name means nothing on the level: with the place.
    GridproofError
        As of `gridproof.check`.

    Examples
    --------
    >>> import gridproof as gp
    >>> for result in gp.check_properties("null/first/2", "solvable: EF won"):
    ...     print(result)
    ok: solvable: `EF won` holds at the start.
    """
    if isinstance(properties, Path):
        with files.locate_errors(properties):
            listed = _read(level_or_position, files.read_text(properties), fair)
    else:
        listed = _read(level_or_position, properties, fair)
    return _check(listed, _PropertyChecker(level_or_position, actors, limit, progress), covers)


class _Question(NamedTuple):
    """A property, and what is checked on the level."""

    subject: Property
    formula: Formula
    fair: tuple[str, ...]
    """All assumptions of fairness."""
    invariant: Formula | None


def _read(subject: Level | Position[Any] | StateSpace | str, text: str, fair: Fair) -> list[_Question]:
    """Return the properties of a text, as they are checked on the level."""
    start = subject[0] if isinstance(subject, StateSpace) else starts_of(resolve_level(subject))[0]
    file = parse_properties(text)
    expander, found = Expander(start.level, file.definitions), []
    check_definition_names(file.definitions, start.level.game)
    shared = (fair,) if isinstance(fair, str) else tuple(fair)
    for one in file.properties:
        formula = expander.expand(one.formula)
        check_names(formula, start)
        invariant = None if one.invariant is None else expander.expand(one.invariant)
        if invariant is not None:
            check_names(invariant, start)
        with _locate_errors(one):
            _check_settings(one, formula, start, invariant)
        found.append(_Question(one, formula, (*shared, *one.fair), invariant))
    return found


def _check_settings(one: Property, formula: Formula, start: Position[Any], invariant: Formula | None) -> None:
    """Raise GridproofError for a formula that mixes logics, or settings that do not go with it."""
    logic = logic_on_paths(formula, one.paths)
    try:
        check_fairness(one.fair, start)
    except GridproofError as error:  # the places in it are those of another text
        raise GridproofError(str(error)) from None
    if one.fair and (invariant is not None or logic is Logic.PCTL):
        raise GridproofError("fairness applies neither to a proof by an invariant nor to P and R")
    if invariant is not None:
        load("gridproof.prove.induction").check_invariant(property_of(formula, one.paths), start)
        load("gridproof.prove.induction").check_invariant(invariant, start)


@contextlib.contextmanager
def _locate_errors(one: Property) -> Iterator[None]:
    """Turn an error in the block into one at the line of a property."""
    try:
        yield
    except GridproofError as error:
        if isinstance(error, ParseError) and error.line:
            raise
        raise ParseError(f"{one.name}: {error}", line=one.line, column=1) from None


def _check(listed: list[_Question], checker: _PropertyChecker, covers: bool) -> Iterator[PropertyResult]:
    for one in listed:
        verdict = checker.judge(one)
        yield PropertyResult(one.subject, verdict, checker.cover(one, verdict) if covers else None)


class _PropertyChecker:
    """Checker of properties on a level, whose positions they share."""

    def __init__(
        self,
        subject: Level | Position[Any] | StateSpace | str,
        actors: Actors,
        limit: Limit | None,
        progress: Progress | None,
    ) -> None:
        self._subject, self._actors, self._limit = subject, actors, limit
        is_given = isinstance(subject, StateSpace)
        self._spaces: Iterable[StateSpace] = (
            [subject] if isinstance(subject, StateSpace) else _Prefixes(subject, actors, limit, progress)
        )
        self._own_actors = actors if is_given else None
        """For spaces: those of a given one are refused."""

    def judge(self, one: _Question) -> Verdict:
        """Return the verdict on the first space that decides a formula, or on the last one."""
        if one.invariant is not None:
            return check(
                self._subject,
                one.formula,
                one.subject.paths,
                self._actors,
                self._limit,
                invariant=one.invariant,
            )
        if logic_of(one.formula) is Logic.PCTL:
            return self._ask(self._whole, one)
        for space in self._spaces:
            verdict = self._ask(space, one)
            if verdict.holds is not None or find_product(
                one.formula, space.level
            ):  # which has a space of its own
                break
        return verdict

    @property
    def _whole(self) -> StateSpace:
        """The largest space that can be explored."""
        *_, whole = self._spaces
        return whole

    def _ask(self, space: StateSpace, one: _Question) -> Verdict:
        return check(space, one.formula, one.subject.paths, self._own_actors, self._limit, one.fair)

    def cover(self, one: _Question, verdict: Verdict) -> Coverage | None:
        """Return the parts without effect on a verdict; None if coverage does not apply."""
        is_large = sum(1 for _ in subformulas(one.formula)) > MOST_PARTS
        if one.invariant is not None or verdict.logic is Logic.PCTL or is_large:
            return None
        if verdict.holds is None:
            return Coverage(verdict, None)
        return coverage(self._whole, one.formula, one.subject.paths, self._own_actors, self._limit, one.fair)


class _Prefixes:
    """Growing prefixes of the space of a level, each explored once; the last one is the whole, or ends at the limit."""

    def __init__(
        self,
        subject: Level | Position[Any] | str,
        actors: Actors,
        limit: Limit | None,
        progress: Progress | None,
    ) -> None:
        self._subject, self._actors, self._limit = subject, actors, check_limit(limit)
        self._progress = monotonic_progress(progress)
        self._found: list[StateSpace] = []

    def __iter__(self) -> Iterator[StateSpace]:
        size = WHOLE
        for place in itertools.count():
            if place == len(self._found):
                self._found.append(self._explore(size))
            yield self._found[place]
            if self._found[place].complete or self._found[place].stopped_by:
                return
            size *= _GROWTH

    def _explore(self, size: int) -> StateSpace:
        if self._limit.states is not None and self._limit.states <= size:
            return explore(self._subject, self._actors, self._limit, self._progress)
        space = explore(self._subject, self._actors, replace(self._limit, states=size), self._progress)
        if space.stopped_by == "states":
            space.stopped_by = ""  # a larger prefix is possible
        return space
