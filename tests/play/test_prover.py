"""Processes that prove: they answer what is asked last, are told when nobody waits, and are replaced when they end."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.play import prover as proving
from gridproof.play import proving as answers
from gridproof.play.prover import Prover
from gridproof.play.proving import Inbox
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
    while not (badge := told.get(timeout=60)).complete:
        pass
    return badge


@pytest.mark.slow
def test_a_process_answers(prover: Prover) -> None:
    start = gp.read(ROOM)[0].start()
    assert last(asked(prover, Asked(start))).left == 2
    endless = Asked(gp.levels_at("twenty48/standard/8")[0].start(1))
    prover.ask("somebody", endless, lambda _: None)
    assert last(asked(prover, Asked(start))).left == 2  # the later question of the same asker counts


@pytest.mark.slow
def test_a_process_that_ends_is_replaced(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    start = gp.read(ROOM)[0].start()
    assert last(asked(prover, Asked(start))).left == 2
    killed: list[object] = []
    answer = proving._Worker.answer

    def dying(self: proving._Worker, question: proving._Question) -> None:
        self._process.kill()
        self._process.wait()
        killed.append(self)
        answer(self, question)

    monkeypatch.setattr(proving._Worker, "answer", dying)
    assert last(asked(prover, Asked(start))) == Badge(complete=True)
    monkeypatch.setattr(proving._Worker, "answer", answer)
    assert last(asked(prover, Asked(start))).left == 2
    assert len(killed) == 1


@pytest.mark.slow
def test_whoever_does_not_end_is_killed(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    start = gp.read(ROOM)[0].start()
    monkeypatch.setattr(proving, "GRACE", 0.0)
    told = asked(prover, Asked(gp.levels_at("twenty48/standard/8")[0].start(1)))
    prover.cancel("somebody")
    assert last(asked(prover, Asked(start), "another")).left == 2
    assert told.empty()


def test_nothing_is_asked_of_one_that_is_closed() -> None:
    made = Prover(processes=0)
    made.ask("somebody", Asked(gp.read(ROOM)[0].start()), lambda _: None)
    made.cancel("somebody")
    made.close()
    made.ask("somebody", Asked(gp.read(ROOM)[0].start()), lambda _: None)
    assert not made._waiting


def test_a_question_that_nobody_waits_for_is_not_answered() -> None:
    start, inbox, told = gp.read(ROOM)[0].start(), Inbox(), list[object]()
    for number in (1, 2):
        inbox._questions.put((number, Asked(start)))
    inbox._unwanted.add(1)
    assert inbox.waiting
    for _ in range(2):
        answers.prove(inbox, gp.Limit(), told.append)
    assert told[0] is None  # nothing came of the first
    assert [getattr(badge, "left", None) for badge in told[1:]] == [2, 2, None]
    assert not inbox.waiting


def test_where_memory_ends_nothing_more_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> object:
        raise MemoryError

    monkeypatch.setattr("gridproof.prove.badge.verdicts", full)
    inbox, told = Inbox(), list[object]()
    inbox._questions.put((1, Asked(gp.read(ROOM)[0].start())))
    answers.prove(inbox, gp.Limit(), told.append)
    assert told == [Badge(complete=True), None]
