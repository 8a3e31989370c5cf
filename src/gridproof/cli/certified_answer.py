"""Answers about levels with their certificates, which workers write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Self, TypeVar

from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.trace import Trace
from gridproof.prove.certify import certify_answer
from gridproof.prove.verdict import Verdict
from gridproof.prove.verdict_certificate import VerdictQuestion
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


def certify_verdict(
    question: VerdictQuestion, path: Path | None, limit: Limit, progress: Progress | None = None
) -> tuple[Certified | None, str]:
    """Write a certificate of a verdict; None, and perhaps why, if there is no answer, or no kind of certificates for it."""
    if path is None or question.verdict.holds is None:
        return None, ""
    try:
        found = certify_answer(question, path, limit, progress)
    except GridproofError as error:
        return None, str(error)
    return found, found.missing
