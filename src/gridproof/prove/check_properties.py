"""`gp.check_properties`: checks the properties of a file on a level, as a test suite."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.limit import Limit, check_limit
from gridproof.core.position import Level, Position
from gridproof.core.representation import Representable
from gridproof.core.text import files
from gridproof.core.text.level_lookup import resolve_level
from gridproof.prove.check import check
from gridproof.prove.cost import find_product
from gridproof.prove.expansion import Expander
from gridproof.prove.fairness import Fair
from gridproof.prove.formula import Formula
from gridproof.prove.logic import Logic, logic_of
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
        Assumptions of fairness for all properties.

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
            listed = _read(level_or_position, files.read_text(properties))
    else:
        listed = _read(level_or_position, properties)
    return _check(level_or_position, listed, actors, limit, fair, progress)


def _read(subject: Level | Position[Any] | StateSpace | str, text: str) -> list[tuple[Property, Formula]]:
    """Return the properties of a text, each with its formula on the level."""
    start = subject[0] if isinstance(subject, StateSpace) else starts_of(resolve_level(subject))[0]
    file = parse_properties(text)
    expander, found = Expander(start.level, file.definitions), []
    check_definition_names(file.definitions, start.level.game)
    for one in file.properties:
        formula = expander.expand(one.formula)
        check_names(formula, start)
        _check_logic(one, formula)
        found.append((one, formula))
    return found


def _check_logic(one: Property, formula: Formula) -> None:
    """Raise ParseError at a property whose formula mixes logics."""
    try:
        logic_of(formula)
    except GridproofError as error:
        if isinstance(error, ParseError) and error.line:
            raise
        raise ParseError(f"{one.name}: {error}", line=one.line, column=1) from None


def _check(
    subject: Level | Position[Any] | StateSpace | str,
    listed: list[tuple[Property, Formula]],
    actors: Actors,
    limit: Limit | None,
    fair: Fair,
    progress: Progress | None,
) -> Iterator[PropertyResult]:
    is_given = isinstance(subject, StateSpace)
    spaces = [subject] if isinstance(subject, StateSpace) else _Prefixes(subject, actors, limit, progress)
    for one, formula in listed:
        yield PropertyResult(one, _judge(formula, spaces, limit, fair, actors if is_given else None))


def _judge(
    formula: Formula, spaces: Iterable[StateSpace], limit: Limit | None, fair: Fair, actors: Actors
) -> Verdict:
    """Return the verdict on the first space that decides a formula, or on the last one."""
    if logic_of(formula) is Logic.PCTL:
        *_, whole = spaces
        return check(whole, formula, actors=actors, limit=limit, fair=fair)
    for space in spaces:
        verdict = check(space, formula, actors=actors, limit=limit, fair=fair)
        if verdict.holds is not None or find_product(formula, space.level):  # which has a space of its own
            break
    return verdict


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
