"""Processes that prove: they answer what is asked last, are told when nobody waits, and are replaced when they end."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.play import prover as proving
from gridproof.play.prover import Prover
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
        self._process.join()
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
