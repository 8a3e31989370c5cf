"""What answers questions: engines, and the list along which a question is handed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.core.wording import shown
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
    """The name by which it is chosen, and which its answers give."""
    meaning: str
    """One line about it."""
    needs_fewer = False
    """Whether it may need fewer positions than the rules: then it is asked even if they reached that limit."""

    def refusal(self, question: Q) -> str:
        """Why it does not take the question, as a clause of a sentence; "" when it does."""
        return ""

    @abstractmethod
    def answer(self, question: Q) -> A | None:
        """The answer, which may be that a limit was reached; None when it ends without one.

        Raises
        ------
        Refused
            When this level, or this goal, is too much for it.
        """


class Resumable(Engine[Q, A]):
    """An engine that can stop after a given amount of work and go on later."""

    @abstractmethod
    def answer(self, question: Q, most: int | None = None) -> A | None:
        """As for every engine; None when `most` has been done without an answer."""


class AtFirst(Engine[Q, A]):
    """The first effort of an engine that goes on later."""

    def __init__(self, engine: Resumable[Q, A], most: int) -> None:
        self._engine, self._most = engine, most
        self.name, self.meaning = engine.name, engine.meaning

    def answer(self, question: Q) -> A | None:
        return self._engine.answer(question, self._most)


class Answered(NamedTuple, Generic[A]):
    """An answer, and how it came about."""

    answer: A
    engine: Engine[Any, A]
    """The one that gave it."""
    refused: str = ""
    """Why the last engine that was asked before could not answer."""


def ask(question: Q, engines: Iterable[Engine[Q, A]]) -> Answered[A]:
    """The answer of the first engine that takes the question; the last engine takes any.

    Where the rules came to the limit of positions, those that may need fewer are asked as well. Where the work is
    ended while a kernel is compiled, the last engine says so.
    """
    found: Answered[A] | None = None
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
            found = found if answer is None else Answered(answer, engine)
    assert found, "the last engine takes any question"
    return found._replace(refused=refused)


def _may_do_better(engine: Engine[Q, A], found: Answered[A]) -> bool:
    return engine.needs_fewer and not found.engine.needs_fewer and found.answer.stopped_by == "states"


def ask_one(question: Q, engine: Engine[Q, A]) -> Answered[A]:
    """The answer of the engine that was chosen.

    Raises
    ------
    Declined
        When it does not take the question.
    """
    refusal, answer = engine.refusal(question), None
    try:
        answer = None if refusal else engine.answer(question)
    except Refused as reason:
        refusal = str(reason)
    if answer is None:
        raise Declined(f"the solver {engine.name} does not take this: {refusal}")
    return Answered(answer, engine)


E = TypeVar("E", bound=Engine[Any, Any])


def engine_named(name: str, engines: Iterable[E], of: str) -> E:
    """The engine of this name.

    Raises
    ------
    GridproofError
        When there is none.
    """
    known = {engine.name: engine for engine in engines}
    if not isinstance(name, str) or name not in known:
        raise GridproofError(f"{of} has no solver {shown(name)}: there are {', '.join(known)}")
    return known[name]
