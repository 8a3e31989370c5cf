"""Dead positions of Robots: exchanges may help, unless no win is among all that can follow with exchanges."""

from __future__ import annotations

import pytest
from tests.games.robots.boards import board
from tests.table.tables import refusal, run_jobs, table_of

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.games.robots import Position
from gridproof.prove.position_status import Badge, Standing, prove, words
from gridproof.prove.proof_cache import ProofCache
from gridproof.prove.verdict_line import explain_death, verdict_line
from gridproof.search.explore import explore

CROSSED = board("a=A0 b=B0", "a B A b #")
"""Nobody can pass the other robot, until an exchange moves one of them."""

BOARDS = [
    CROSSED,
    board("a=A90 b=B0", "B A b #", "a # ? #"),
    board("a=B0 b=A0", "a? B A b"),
    board("a=B180 b=A180 c=B90", "B < C A", "c? ? a b?"),
    board("a=B270 b=B180 c=A0", "# b> C a?", "# c? A B"),
    board("a=B270 b=A0 c=B270", "B a? A b", "C ? . c"),
]


def is_won_with_exchanges(position: Position) -> bool:
    """Return whether a win is among all positions that can follow, with exchanges."""
    return any(one.won for one in explore(position, actors="all"))


@pytest.mark.parametrize("start", BOARDS, ids=lambda start: start.text().split("board:\n")[1])
def test_dead_position_says_exactly_where_exchanges_may_help(start: Position) -> None:
    badge = prove(start)
    assert badge.dead
    assert not any(one.won for one in explore(start))
    assert badge.nature_may_help is is_won_with_exchanges(start)
    line = verdict_line(badge, start.level)
    assert line == ("Cannot be won unless exchanges help" if badge.nature_may_help else "Dead")


def test_dead_boards_have_both_answers_even_where_exchanges_are_possible() -> None:
    answers = {is_won_with_exchanges(start) for start in BOARDS if start.actions(NATURE)}
    assert answers == {False, True}


def test_dead_position_without_time_for_exchanges_may_be_won_with_them() -> None:
    badge = prove(BOARDS[3], gp.Limit(states=200))  # 64 are reached without exchanges, 416 with them
    assert badge.dead
    assert badge.nature_may_help


def test_dead_position_names_exchanges_in_all_words() -> None:
    badge, level = prove(CROSSED), CROSSED.level
    assert verdict_line(badge, level, short=True) == "No win without exchanges"
    assert words(badge, level.game).startswith("cannot be won without exchanges")
    assert explain_death(badge, level.game).startswith(
        "Without exchanges, a search of all that can follow has found no win."
    )


def test_dead_position_after_another_keeps_that_exchanges_may_help() -> None:
    proofs, badge = ProofCache(), prove(CROSSED)
    (_, later, *_) = explore(CROSSED)
    proofs.learn(CROSSED, badge)
    proofs.follow(CROSSED, later)
    assert proofs.recall(later) == Badge(Standing.DEAD, nature_may_help=True)


def test_hint_in_a_dead_position_names_exchanges() -> None:
    table = table_of(CROSSED.level)
    assert refusal(run_jobs(table, table.do("hint"))) == "It cannot be won from here without exchanges"
