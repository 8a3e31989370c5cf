"""Helpers for tests of tables: a table on some levels, kinds of messages, and a player who follows hints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridproof.core.session import Session
from gridproof.table.jobs import JobMessage
from gridproof.table.messages import Hint, Message, Refused
from gridproof.table.table import Table


def table_of(levels: Any, seed: int = 0, **options: Any) -> Table:
    return Table(Session(levels, seed), **options)


def kinds(messages: Iterable[Message]) -> list[str]:
    return [message.kind for message in messages]


def run_jobs(table: Table, answer: Iterable[Message]) -> list[Message]:
    """Run the jobs of an answer at once, and return all messages."""
    messages = list(answer)
    for message in messages[:]:
        if isinstance(message, JobMessage):
            message.job.run()
            messages += table.finish(message.job)
    return messages


def one(kind: type[Any], messages: Iterable[Message]) -> Any:
    """The one message of a type."""
    (found,) = [message for message in messages if isinstance(message, kind)]
    return found


def refusal(messages: Iterable[Message]) -> str:
    reason: str = one(Refused, messages).reason
    return reason


def follow_hints(table: Table, most: int = 200) -> list[Message]:
    """Do what hints say until the level is won: what is told of the last action."""
    for _ in range(most):
        hint = one(Hint, run_jobs(table, table.do("hint")))
        answer = list(table.do(str(hint.action)))
        if "won" in kinds(answer):
            return answer
    raise AssertionError("not won")
