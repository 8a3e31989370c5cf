"""What a player is told of what is proved: as much as was chosen, of the present position alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.play.tables import kinds, one, refusal, table_of, told

import gridproof as gp
from gridproof.play.lookout import ALWAYS, OFF, ON_REQUEST, WHEN_DEAD, Lookout
from gridproof.play.messages import Hint, Proved, Watching
from gridproof.play.table import Table
from gridproof.prove.badge import Asked, Badge, verdicts

EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"
"""A box that is pushed down twice never leaves the lowest row, in which no depot is."""


class Proving:
    """In place of processes: what is asked is answered when the test says so."""

    def __init__(self) -> None:
        self.waiting: dict[object, tuple[Asked, Callable[[Badge], object]]] = {}

    def ask(self, asker: object, asked: Asked, told: Callable[[Badge], object]) -> None:
        self.waiting[asker] = asked, told

    def cancel(self, asker: object) -> None:
        self.waiting.pop(asker, None)

    def answer(self) -> None:
        for asked, tell in [*self.waiting.values()]:
            for badge in verdicts(asked):
                tell(badge)


def served(mode: str) -> tuple[Table, Lookout, Proving, list[str]]:
    """A table with a lookout, what proves for it, and the lines that were shown."""
    table, proving, lines = table_of(gp.read(EDGE)), Proving(), list[str]()
    table.lookout.serve(lambda: proving, lambda: lines.append(table.lookout.text), lambda deed: deed())  # type: ignore[arg-type,return-value]  # it stands in for one
    table.lookout.choose(mode)
    return table, table.lookout, proving, lines


def act(table: Table, lookout: Lookout, proving: Proving, texts: str) -> None:
    for text in texts.split():
        table.do(text)
        lookout.changed()
        proving.answer()


def test_always() -> None:
    table, lookout, proving, lines = served(ALWAYS)
    proving.answer()
    fewest = gp.solve(table.level).cost
    assert lookout.text == f"still winnable, shortest: {fewest} actions"
    act(table, lookout, proving, "down down")
    assert lookout.text == ("dead since action 2, go down: the box at (3, 4) can reach no depot. 1 box stuck")
    assert lines[-1] == lookout.text
    table.do("undo")
    lookout.changed()
    assert lookout.text.startswith("still winnable")  # from memory: nothing has been answered


def test_only_what_is_dead() -> None:
    table, lookout, proving, lines = served(WHEN_DEAD)
    act(table, lookout, proving, "down")
    assert not any(lines)
    act(table, lookout, proving, "down")
    assert lookout.text.startswith("dead since action 2, go down")


@pytest.mark.parametrize("mode", [ON_REQUEST, OFF])
def test_on_request(mode: str) -> None:
    table, lookout, proving, _ = served(mode)
    act(table, lookout, proving, "left")
    assert (lookout.text, proving.waiting) == ("", {})
    table.do("proof")
    proving.answer()
    assert lookout.text.startswith("still winnable, shortest: ")
    act(table, lookout, proving, "right")
    assert (lookout.text, lookout.badge) == ("", None)


def test_the_next_action_cancels_it() -> None:
    table, lookout, proving, _ = served(ALWAYS)
    (_, late), *_ = proving.waiting.values()
    lookout.mode = ON_REQUEST
    table.do("left")
    lookout.changed()
    assert not proving.waiting
    late(Badge(complete=True))
    assert lookout.badge is None


def test_a_hint_is_the_first_action_of_the_way() -> None:
    table, lookout, proving, _ = served(ALWAYS)
    proving.answer()
    assert lookout.badge is not None
    assert lookout.badge.way is not None
    hint = one(Hint, table.do("hint"))
    assert (hint.action, hint.left) == (lookout.badge.way[0].action, lookout.badge.left)


def test_the_last_position_that_could_be_won() -> None:
    table, lookout, proving, _ = served(ALWAYS)
    act(table, lookout, proving, "left right down down left")
    replay = one(Watching, table.do("mistake")).replay
    assert replay.position == table.session.history[-4]
    replay.forward()
    assert replay.position == table.session.history[-5]
    assert "3 actions" in replay.title


def test_where_there_is_no_mistake() -> None:
    table, lookout, proving, _ = served(ALWAYS)
    assert "not proved" in refusal(table.do("mistake"))
    act(table, lookout, proving, "down down")
    lookout.mode = OFF
    table.do("left")
    assert "not proved" in refusal(table.do("mistake"))  # of this position nobody has asked


def test_dead_from_the_start_there_is_nothing_to_show() -> None:
    table = table_of(gp.read("######\n#@  .#\n#    #\n#   $#\n######"))
    assert "dead from the start" in one(Proved, told(table, table.do("proof"))).words()
    assert "no position before" in refusal(table.do("mistake"))


def test_without_a_prover_it_is_a_job() -> None:
    table = table_of(gp.read(EDGE))
    answer = table.do("proof")
    assert kinds(answer) == ["working"]
    assert one(Proved, told(table, answer)).words().startswith("still winnable, shortest: ")
    for text in ("down", "down"):
        table.do(text)
    assert "dead since action 2" in one(Proved, told(table, table.do("proof"))).words()
    assert one(Watching, table.do("mistake")).replay.position == table.session.history[-2]


def test_the_certificate_of_a_level_is_known() -> None:
    (level,) = gp.levels_at("sokoban/first-steps/2")
    table: Any = table_of([level])
    proving = Proving()
    table.lookout.serve(lambda: proving, lambda: None, lambda deed: deed())
    table.lookout.choose(ALWAYS)
    assert level.certificate is not None
    assert table.lookout.text == f"still winnable, in at most {len(level.certificate.steps)} actions"
