"""Engines, and the list along which a question is handed until one answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gridproof.core.limit import Stopped
from gridproof.search.question import Question
from gridproof.search.refusal import Declined, Refused


class Answer(Protocol):
    """A solution, or a state space."""

    @property
    def stopped_by(self) -> str:
        """The limit that was reached; "" when there was none."""


Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Answer)


class Engine(ABC, Generic[Q, A]):
    """One way to answer a kind of question."""

    name: str
    """Its name in `--solver` and in answers."""
    meaning: str
    """One line about it."""
    needs_fewer = False
    """True if it may need fewer positions than the rules: it is asked even if they reached that limit."""

    def check(self, question: Q) -> None:
        """Check that it takes the question; else Refused, with a clause of a sentence."""

    def refusal(self, question: Q) -> str:
        """Return why it does not take the question; "" when it does."""
        try:
            self.check(question)
        except Refused as reason:
            return str(reason)
        return ""

    @abstractmethod
    def answer(self, question: Q) -> A | None:
        """Answer a question, perhaps that a limit was reached; None when the engine ends without an answer.

        Refused when it cannot handle this level or goal.
        """


class Resumable(Engine[Q, A]):
    """An engine that can stop after a given amount of work and go on later."""

    @abstractmethod
    def answer(self, question: Q, most: int | None = None) -> A | None:
        """Answer as every engine does; None when `most` was done without an answer."""


class FirstAttempt(Engine[Q, A]):
    """The first, short attempt of an engine that goes on later."""

    def __init__(self, engine: Resumable[Q, A], most: int) -> None:
        self._engine, self._most = engine, most
        self.name, self.meaning = engine.name, engine.meaning

    def answer(self, question: Q) -> A | None:
        return self._engine.answer(question, self._most)


class EngineAnswer(NamedTuple, Generic[A]):
    """An answer and its origin."""

    answer: A
    engine: Engine[Any, A]
    """The engine that gave it."""
    refused: str = ""
    """The reason why the last engine before it could not answer."""


def ask(question: Q, engines: Iterable[Engine[Q, A]]) -> EngineAnswer[A]:
    """Return the answer of the first engine that takes the question; the last engine takes any.

    If the rules reached the limit of positions, engines that may need fewer are asked as well. If the work is
    stopped while a kernel is compiled, the last engine says so.
    """
    found: EngineAnswer[A] | None = None
    refused = ""
    for engine in engines:
        try:
            if (found and not _may_do_better(engine, found)) or engine.refusal(question):
                continue
            question.meter.stopped_by = ""
            answer = engine.answer(question)
        except Refused as reason:
            refused = str(reason)
        except Stopped:
            continue
        else:
            found = found if answer is None else EngineAnswer(answer, engine)
    assert found, "the last engine takes any question"
    return found._replace(refused=refused)


def _may_do_better(engine: Engine[Q, A], found: EngineAnswer[A]) -> bool:
    return engine.needs_fewer and not found.engine.needs_fewer and found.answer.stopped_by == "states"


def ask_one(question: Q, engine: Engine[Q, A]) -> EngineAnswer[A]:
    """Return the answer of one engine; Declined when it does not take the question."""
    refusal, answer = engine.refusal(question), None
    try:
        answer = None if refusal else engine.answer(question)
    except Refused as reason:
        refusal = str(reason)
    if answer is None:
        raise Declined(f"the solver {engine.name} cannot solve this: {refusal}")
    return EngineAnswer(answer, engine)
