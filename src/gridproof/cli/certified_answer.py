"""Answers about levels with their certificates, which workers write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from gridproof.core.trace import Trace
from gridproof.prove.verdict import Verdict
from gridproof.prove.writers.output import Certified
from gridproof.search.solution import Solution

R = TypeVar("R", Solution, Verdict)


@dataclass(frozen=True, slots=True)
class CertifiedAnswer(Generic[R]):
    """An answer about a level, and what became of its certificate; `gridproof.cli.level_results` sends it."""

    bare: R
    """The answer without its trace."""
    trace: Trace | None
    certified: Certified | None = None
    """None if none was wanted, or there is none."""
    note: str = ""
    """The reason why there is no certificate; "" if there is one, or none was wanted."""

    @classmethod
    def of(cls, answer: R, certified: Certified | None, note: str) -> Self:
        """Return a certified answer."""
        return cls(replace(answer, trace=None), answer.trace, certified, note)

    @property
    def answer(self) -> R:
        """The answer with its trace."""
        return replace(self.bare, trace=self.trace)
