"""Statements of certificates about formulas, values and fewest actions, read from the first line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import propositions, value_of
from gridproof.core.representation import Representable
from gridproof.prove.certificate import describe_actors, statement_text
from gridproof.prove.checkers.memory_formula import remember
from gridproof.prove.fairness import fair_formulas
from gridproof.prove.formula import (
    Atom,
    Binary,
    Bounded,
    Coalition,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Next,
    Truth,
    Unary,
    subformulas,
)
from gridproof.prove.logic import Logic, logic_of

Header = Mapping[str, Any]


class Setting(NamedTuple):
    """The level of a certificate, its starts, the actors and the kind."""

    level: Level
    starts: tuple[Position[Any], ...]
    who: tuple[str | None, ...]
    kind: str


@dataclass(frozen=True)
class ExactStatement(Representable):
    """Statement about exactly the starts of a level."""

    level: Level
    starts: tuple[Position[Any], ...]
    who: tuple[str | None, ...]
    kind: str

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        raise NotImplementedError

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        raise NotImplementedError

    def covers(self, starts: frozenset[Position[Any]]) -> bool:
        """Return whether these are its starts: others may change the answer."""
        return starts == frozenset(self.starts)

    def __str__(self) -> str:
        """Return what is claimed, in a sentence, and the first start."""
        return statement_text(self)

    def _summary(self) -> str:
        return f"<{type(self).__name__}: {self}".partition("\n")[0] + ">"


@dataclass(frozen=True)
class FormulaStatement(ExactStatement):
    """Statement that a formula holds, or does not hold."""

    formula: Formula
    paths: str
    """Paths on which a formula of LTL must hold: "all" or "some"."""
    fair: tuple[str, ...]
    """The assumptions of fairness."""
    holds: bool
    loop: int | None = None
    """Number of steps after which the loop of a trace begins; None where the rest does not matter."""

    @property
    def logic(self) -> Logic:
        """The logic of the formula."""
        return logic_of(self.formula)

    @property
    def in_memory(self) -> FormulaStatement:
        """The same statement about positions with the memory that the formula needs."""
        found = remember(self.formula, self.starts, self.who)
        if found is None:
            return self
        level, formula = found
        starts = tuple(map(level.wrap, self.starts))
        return replace(self, level=level, starts=starts, formula=formula)

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        paths = ""
        if self.logic is Logic.LTL:
            paths = " on all paths" if self.paths == "all" else f" on {'some' if self.holds else 'no'} path"
        answer = "holds" if self.holds or paths == " on no path" else "does not hold"
        fair = f" under fairness ({', '.join(self.fair)})" if self.fair else ""
        return f"`{self.formula}` {answer}{paths}{fair}{describe_actors(self.who)}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        return {
            "formula": str(self.formula),
            "paths": self.paths,
            "fair": list(self.fair),
            "holds": self.holds,
        }


def turns_of(said: FormulaStatement) -> tuple[str, ...]:
    """Return the players in the order of their turns; ("",) without coalitions."""
    return players_of(said) if said.logic is Logic.ATL else ("",)


def players_of(said: ExactStatement) -> tuple[str, ...]:
    """Return those who take turns, in their order."""
    names = said.level.game.actors(said.level) if said.who == (None,) else said.who
    return tuple(name for name in names if name and name != NATURE)


FORMULA_KEYS = {"formula": "str", "paths": "str", "fair": "list", "holds": "bool"}
"""Keys of the first line, with the types of their values."""
TRACE_KEYS = FORMULA_KEYS | {"loop": "NoneType int"}


def read_formula(header: Header, setting: Setting) -> FormulaStatement:
    """Read a statement about a formula; GridproofError if it means nothing on the level."""
    from gridproof.prove.parsing import parse  # which brings lark: goals need none

    formula, paths, fair = parse(header["formula"]), header["paths"], header["fair"]
    logic = logic_of(formula)
    if paths not in (("all", "some") if logic in (Logic.LTL, Logic.STATE) else ("all",)):
        raise GridproofError(f"paths of {formula}: {paths}")
    if not all(isinstance(text, str) for text in fair):
        raise GridproofError("fair is a list of assumptions")
    check_forms(formula)
    said = FormulaStatement(*setting, formula, paths, tuple(fair), header["holds"], header.get("loop"))
    inside = said.in_memory
    check_names(inside.formula, Setting(inside.level, inside.starts, inside.who, inside.kind))
    for one in fair_formulas(fair, setting.level):
        check_names(one, setting)
    return said


_FORMS = (Truth, Atom, Comparison, Executable, Next, Deadlock, Unary, Binary, Bounded, Coalition)
"""Kinds of formulas that checkers know."""


def check_forms(formula: Formula) -> None:
    """Raise GridproofError for a formula with parts that checkers do not know."""
    for one in subformulas(formula):
        if type(one) not in _FORMS:
            raise GridproofError(f"no certificate can have {one} in a formula")


def check_names(formula: Formula, setting: Setting) -> None:
    """Evaluate each proposition once: GridproofError for one that means nothing on the level, or such an action."""
    check_forms(formula)
    game, actions = setting.level.game, {str(action) for action in setting.level.all_actions()}
    for one in subformulas(formula):
        if isinstance(one, Executable | Next) and actions and one.action not in actions:
            raise GridproofError(f"no action {one.action!r}")
        sides = (one.left, one.right) if isinstance(one, Comparison) else (one,)
        for side in sides:
            if isinstance(side, Atom):
                value_of(game, side.name, side.arguments)(setting.starts[0])
                if propositions(game)[side.name].number is not isinstance(one, Comparison):
                    raise GridproofError(f"{side}: a number is compared, and a proposition is not")
