"""Badges proved by processes: they answer what is asked last, and say that nothing more is known where they end."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.play.prover import Prover, Proving
from gridproof.play.workers import BROKEN, Task, Workers
from gridproof.prove.badge import Asked, Badge

ROOM = "######\n#@ $.#\n#    #\n######"


@pytest.fixture
def prover() -> Iterator[Prover]:
    made = Prover()
    yield made
    made.close()


def asked(prover: Prover, question: Asked, asker: str = "somebody") -> queue.Queue[Badge]:
    told: queue.Queue[Badge] = queue.Queue()
    prover.ask(asker, question, told.put)
    return told


def last(told: queue.Queue[Badge]) -> Badge:
    """The last word."""
    while not (badge := told.get(timeout=600)).complete:
        pass
    return badge


@pytest.mark.slow
def test_a_process_answers(prover: Prover) -> None:
    start = gp.read(ROOM)[0].start()
    assert last(asked(prover, Asked(start))).left == 2
    endless = Asked(gp.levels_at("twenty48/standard/8")[0].start(1))
    prover.ask("somebody", endless, lambda _: None)
    assert last(asked(prover, Asked(start))).left == 2  # the later question of the same asker counts


def test_where_a_process_ends_nothing_more_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(self: Workers, task: Task) -> None:
        task.end(BROKEN)

    monkeypatch.setattr(Workers, "begin", break_down)
    prover = Prover(processes=0)
    told = asked(prover, Asked(gp.read(ROOM)[0].start()))
    assert told.get_nowait() == Badge(complete=True)
    assert not prover._tasks


def test_the_latest_question_of_each_counts() -> None:
    prover = Prover(processes=0)
    question = Asked(gp.read(ROOM)[0].start())
    told = [asked(prover, question, who) for who in ("somebody", "another", "somebody")]
    assert len(prover._workers._waiting) == 2
    prover.cancel("another")
    assert len(prover._workers._waiting) == 1
    prover.close()
    prover.ask("somebody", question, told[0].put)
    assert all(one.empty() for one in told)
    assert not prover._tasks


def test_badges_are_told_as_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Badge] = []
    proving = Proving(Asked(gp.read(ROOM)[0].start()))
    proving(gp.Limit(), told.append)
    assert [badge.left for badge in told] == [2, 2]

    def full(*_: object) -> object:
        raise MemoryError

    monkeypatch.setattr("gridproof.play.prover.verdicts", full)
    proving(gp.Limit(), told.append)
    assert told[-1] == Badge(complete=True)
