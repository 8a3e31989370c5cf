"""Checker of the kind "invariant": `AG p` by an inductive invariant, over all positions of the level.

There are no lines. The positions are listed again by the rules, and those where the invariant holds are kept. All starts are
among them, all that follows from them is among them or added, and p holds in all of them. So it holds in all that can be
reached, whatever the list leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridproof.core.limit import check_stop
from gridproof.core.position import Position
from gridproof.prove.certificate import describe_actors
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.statements import ExactStatement, Header, Setting, check_names
from gridproof.prove.enumeration import enumeration_of
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import Formula
from gridproof.prove.logic import property_of, require_state_formula

INVARIANT = "invariant"
"""The kind of these certificates."""
INVARIANT_KEYS = {"formula": "str", "invariant": "str", "listed": "int", "inside": "int"}


@dataclass(frozen=True)
class InvariantStatement(ExactStatement):
    """Statement that an inductive invariant implies a property that always holds."""

    formula: Formula
    invariant: Formula
    listed: int
    """The number of positions of the level, with those that were added."""
    inside: int
    """The number of them where the invariant holds."""

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        how = f"as `{self.invariant}` is an inductive invariant"
        return f"`{self.formula}` holds, {how}{describe_actors(self.who)}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        texts = {"formula": str(self.formula), "invariant": str(self.invariant)}
        return {**texts, "listed": self.listed, "inside": self.inside}

    def covers(self, starts: frozenset[Position[Any]]) -> bool:
        """Return whether all these starts are among those of the statement."""
        return starts.issubset(self.starts)


def read_invariant(header: Header, setting: Setting) -> InvariantStatement:
    """Read a statement; GridproofError if it means nothing on the level."""
    from gridproof.prove.parsing import parse  # which brings lark: goals need none

    formula, invariant = parse(header["formula"]), parse(header["invariant"])
    require_state_formula(invariant)
    for one in (property_of(formula), invariant):
        check_names(one, setting)
    enumeration_of(setting.level.game)
    return InvariantStatement(*setting, formula, invariant, header["listed"], header["inside"])


def check(said: InvariantStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    listed.read_texts(positions)
    if positions:
        raise Defect(2, "the positions are not listed, but found by the rules")
    with locate_defect(1):
        checker = _Checker(said)
        checker.list_positions()
        checker.check_starts()
        checker.check_positions()
    if checker.counts != (said.listed, said.inside):
        raise Defect(1, "there are {:,} positions, with the invariant {:,}".format(*checker.counts))


class _Checker:
    """The positions where the invariant holds."""

    def __init__(self, said: InvariantStatement) -> None:
        self._said, level = said, said.level
        self._has_invariant = test_of(said.invariant, level, said.who)
        self._is_wanted = test_of(property_of(said.formula), level, said.who)
        self._inside: dict[Position[Any], None] = {}
        self._count = 0

    @property
    def counts(self) -> tuple[int, int]:
        """The number of positions, and of those with the invariant."""
        return self._count, len(self._inside)

    def _list(self, position: Position[Any]) -> None:
        """Count a position, and list it if it has the invariant."""
        check_stop()
        self._count += 1
        if self._count > self._said.listed:
            raise Defect(1, f"there are more than {self._said.listed:,} positions")
        if self._has_invariant(position):
            self._inside[position] = None

    def list_positions(self) -> None:
        """List all positions of the level that have the invariant."""
        said = self._said
        for position in enumeration_of(said.level.game).positions(said.starts, said.who):
            self._list(position)

    def check_starts(self) -> None:
        """Check that all starts are listed: the base."""
        for start in self._said.starts:
            if start in self._inside:
                continue
            if not self._has_invariant(start):
                raise Defect(1, f"{self._said.invariant} does not hold at a start:\n{start.text()}")
            self._list(start)

    def check_positions(self) -> None:
        """Check that what follows from a listed position is listed, and that all have the property: step and implication."""
        waiting = list(self._inside)
        for position in waiting:
            if not self._is_wanted(position):
                raise Defect(1, f"{self._said.invariant} does not imply the property:\n{position.text()}")
            for actor in self._said.who:
                for after in map(position.at, position.successors(actor)):
                    if after in self._inside:
                        continue
                    if not self._has_invariant(after):
                        raise Defect(1, f"an action ends {self._said.invariant}:\n{position.text()}")
                    self._list(after)
                    waiting.append(after)
