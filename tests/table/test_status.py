"""Tests of the status of the current position in the player's mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.table.tables import kinds, one, refusal, run_jobs, table_of

import gridproof as gp
from gridproof.core.look import ON_BOARD
from gridproof.prove.estimate import Estimate, Prospect
from gridproof.prove.position_status import Badge, LossCause, Standing, StatusQuery, verdicts
from gridproof.table.messages import Hint, Proved
from gridproof.table.move_list import listed_moves
from gridproof.table.replay import ReplayMessage
from gridproof.table.status import ALWAYS, OFF, ON_REQUEST, WHEN_DEAD, StatusObserver
from gridproof.table.table import Table

EDGE = "#######\n#  @  #\n#  $  #\n#.    #\n#     #\n#######"
"""A box that is pushed down twice never leaves the lowest row, in which no depot is."""


FIFTY_PERCENT = "2048 3x2 spawn=spec target=32\n8 2 16\n16 2 0\n"
"""Up and down win with a chance of 50 %, right never does."""


class Proving:
    """Prover that answers when the test says so."""

    def __init__(self) -> None:
        self.waiting: dict[object, tuple[StatusQuery, Callable[[Badge], object]]] = {}

    def ask(self, asker: object, query: StatusQuery, report: Callable[[Badge], object]) -> None:
        self.waiting[asker] = query, report

    def cancel(self, asker: object) -> None:
        self.waiting.pop(asker, None)

    def answer(self) -> None:
        for query, report in [*self.waiting.values()]:
            for badge in verdicts(query):
                report(badge)


def served(mode: str, text: str = EDGE) -> tuple[Table, StatusObserver, Proving, list[str]]:
    """Return a table, its status and prover, and the shown lines."""
    table, proving, lines = table_of(gp.read(text)), Proving(), list[str]()
    table.status.serve(lambda: proving, lambda: lines.append(table.status.text), lambda call: call())  # type: ignore[arg-type,return-value]  # it stands in for one
    table.status.set_mode(mode)
    return table, table.status, proving, lines


def act(table: Table, status: StatusObserver, proving: Proving, texts: str) -> None:
    for text in texts.split():
        table.do(text)
        status.update()
        proving.answer()


def test_status_is_shown_after_each_action_in_mode_always() -> None:
    table, status, proving, lines = served(ALWAYS)
    proving.answer()
    fewest = gp.solve(table.level).cost
    assert status.text == f"still winnable, shortest: {fewest} actions"
    act(table, status, proving, "down down")
    assert status.text == (
        "dead since action 2, go down: the box in row 5, column 4 can reach no depot. 1 box stuck"
    )
    assert lines[-1] == status.text
    table.do("undo")
    status.update()
    assert status.text.startswith("still winnable")  # from memory: nothing has been answered


def test_status_is_shown_for_dead_positions_only_in_mode_dead() -> None:
    table, status, proving, lines = served(WHEN_DEAD)
    act(table, status, proving, "down")
    assert not any(lines)
    act(table, status, proving, "down")
    assert status.text.startswith("dead since action 2, go down")


def test_verdict_is_shown_again_for_another_actor() -> None:
    table, status, proving, _ = served(
        ALWAYS, "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . B .\n"
    )
    lines = list[str]()
    status.serve(lambda: proving, lambda: lines.append(status.verdict_for(ALWAYS)), lambda call: call())  # type: ignore[arg-type,return-value]  # it stands in for one
    proving.answer()
    lines.clear()
    for actor in ("a", "b", "b", None):
        table.actor = actor
        status.update()
    assert lines == [
        "b can win with its next request. You need 3.",
        "You can win in 1 request if the others wait",
        "b can win with its next request",
    ]


@pytest.mark.parametrize("mode", [ON_REQUEST, OFF])
def test_status_is_shown_on_request(mode: str) -> None:
    table, status, proving, _ = served(mode)
    act(table, status, proving, "left")
    assert (status.text, proving.waiting) == ("", {})
    table.do("proof")
    proving.answer()
    assert status.text.startswith("still winnable, shortest: ")
    act(table, status, proving, "right")
    assert (status.text, status.badge) == ("", None)


def test_status_search_is_cancelled_by_the_next_action() -> None:
    table, status, proving, _ = served(ALWAYS)
    (_, late), *_ = proving.waiting.values()
    status.mode = ON_REQUEST
    table.do("left")
    status.update()
    assert not proving.waiting
    late(Badge(complete=True))
    assert status.badge is None


def test_hint_is_the_first_action_of_the_solution() -> None:
    table, status, proving, _ = served(ALWAYS)
    proving.answer()
    assert status.badge is not None
    assert status.badge.way is not None
    hint = one(Hint, table.do("hint"))
    assert (hint.action, hint.left) == (status.badge.way[0].action, status.badge.left)


@pytest.mark.slow
def test_hint_is_the_best_action_of_the_estimate_that_players_see() -> None:
    table, status, proving, _ = served(ALWAYS, "2048 3x3 target=512\n2 4 2\n4 0 16\n2 16 32\n")
    early = one(Hint, run_jobs(table, table.do("hint")))
    proving.answer()
    assert status.badge is not None
    estimate = status.badge.estimate
    assert estimate is not None
    hint = one(Hint, table.do("hint"))
    assert (str(hint.action), hint.left) == (estimate.best, None)
    assert "(chance to reach 512: " in hint.words()
    assert early == hint


@pytest.mark.parametrize(
    ("points", "more"), [((4.0, 8.0), ", but this one brings more points"), ((8.0, 8.0), "")]
)
def test_hint_of_moves_of_one_chance_says_so(points: tuple[float, float], more: str) -> None:
    table, _, proving, _ = served(ALWAYS, "2048 2x2 target=16\n2 4\n8 8\n")
    ((_, report),) = proving.waiting.values()
    left, right = (Prospect(1.0, one, is_proved=True) for one in points)
    report(Badge(Standing.WINNABLE, estimate=Estimate("reach 16", (("left", left), ("right", right)))))
    hint = one(Hint, table.do("hint"))
    assert hint.words().endswith(f"(chance to reach 16: 100 %; the same with any other move{more})")


@pytest.mark.parametrize(
    ("points_lead", "words"),
    [
        (False, "right (chance to reach 32: about 90 %; left 90 % with fewer points, down 60 %)"),
        (True, "down (about 9 more points by the end; left 4, right 8)"),
    ],
)
def test_hint_names_what_decides_between_moves(points_lead: bool, words: str) -> None:
    table, _, proving, _ = served(ALWAYS, "2048 3x3 target=512\n2 4 2\n4 0 16\n2 16 32\n")
    ((_, report),) = proving.waiting.values()
    moves = ("left", Prospect(0.9, 4)), ("right", Prospect(0.89, 8)), ("down", Prospect(0.6, 9))
    report(Badge(estimate=Estimate("reach 32", moves, 300, points_lead=points_lead)))
    assert words in one(Hint, table.do("hint")).words()


def test_hint_after_a_win_is_the_move_for_points() -> None:
    table, _, proving, _ = served(ALWAYS, "2048 2x2 target=16\n16 2\n2 0\n")
    ((_, report),) = proving.waiting.values()
    moves = ("right", Prospect(0.0, 4)), ("down", Prospect(0.0, 8))
    report(Badge(Standing.WINNABLE, estimate=Estimate("reach 32", moves, points_lead=True)))
    words = one(Hint, table.do("hint")).words()
    assert "down (on average 8 more points by the end; right 4)" in words


def test_hint_after_a_win_without_a_verdict_is_the_programs_move() -> None:
    table = table_of(gp.read("2048 2x2 target=16\n8 2\n8 0\n"))
    run_jobs(table, table.do("hint"))  # a way to the win is known from here on
    table.do("down")
    table.do("continue")
    assert one(Hint, run_jobs(table, table.do("hint"))).action is not None


def test_mistake_shows_the_last_winnable_position() -> None:
    table, status, proving, _ = served(ALWAYS)
    act(table, status, proving, "left right down down left")
    replay = one(ReplayMessage, table.do("mistake")).replay
    assert replay.position == table.session.history[-4]
    replay.forward()
    assert replay.position == table.session.history[-5]
    assert "3 moves" in replay.title


def test_mistake_is_refused_when_there_is_none() -> None:
    table, status, proving, _ = served(ALWAYS)
    assert "it is not known" in refusal(table.do("mistake"))
    proving.answer()
    assert "this position can still be won" in refusal(table.do("mistake"))
    act(table, status, proving, "down down")
    status.mode = OFF
    table.do("left")
    assert "ask first" in refusal(table.do("mistake"))


def test_mistake_is_refused_when_dead_from_the_start() -> None:
    table = table_of(gp.read("######\n#@  .#\n#    #\n#   $#\n######"))
    assert "Dead from the start" in one(Proved, run_jobs(table, table.do("proof"))).words()
    assert "Dead from the start" in one(Proved, table.do("proof")).words()  # again, without a search
    assert "the start cannot be won either" in refusal(table.do("mistake"))


def test_status_is_a_job_when_there_is_no_prover() -> None:
    table = table_of(gp.read(EDGE))
    answer = table.do("proof")
    assert kinds(answer) == ["working"]
    assert one(Proved, run_jobs(table, answer)).words().startswith("Winnable in ")
    for text in ("down", "down"):
        table.do(text)
    assert "Dead since move 2. " in one(Proved, run_jobs(table, table.do("proof"))).words()
    assert one(ReplayMessage, table.do("mistake")).replay.position == table.session.history[-2]


def test_status_uses_the_certificate_of_a_level() -> None:
    (level,) = gp.levels_at("sokoban/first-steps/2")
    table: Any = table_of([level])
    proving = Proving()
    table.status.serve(lambda: proving, lambda: None, lambda call: call())
    table.status.set_mode(ALWAYS)
    assert level.certificate is not None
    assert table.status.text == f"still winnable, in {len(level.certificate.steps)} actions or fewer"


def test_status_is_searching_until_the_last_answer() -> None:
    table, status, proving, _ = served(ALWAYS)
    assert (
        status.is_searching(ALWAYS),
        status.is_searching(WHEN_DEAD),
        status.is_searching(ON_REQUEST),
    ) == (
        True,
        True,
        False,
    )
    proving.answer()
    assert not status.is_searching(ALWAYS)
    table.do("left")
    status.update()
    status.set_mode(ON_REQUEST)
    assert not status.is_searching(ON_REQUEST)
    table.do("proof")
    assert status.is_searching(ON_REQUEST)


def test_mistake_is_available_while_the_badge_names_the_fatal_action() -> None:
    table, status, proving, _ = served(ALWAYS)
    act(table, status, proving, "left right down down left")
    status.set_mode(WHEN_DEAD)  # which looks again, and has not been answered
    assert status.text.startswith("dead since action 4, go down")
    assert one(ReplayMessage, table.do("mistake")).replay.at == 3


def test_mistake_reports_search_when_not_found_yet() -> None:
    table, status, proving, _ = served(ALWAYS)
    for text in ("down", "down"):
        table.do(text)
    status.update()
    ((asked, tell),) = proving.waiting.values()
    tell(next(badge for badge in verdicts(asked) if badge.dead))
    assert status.text.startswith("dead")
    assert "the search for the mistake is still running" in refusal(table.do("mistake"))


def test_mistake_replay_can_be_resumed_from_its_place() -> None:
    table, status, proving, _ = served(ALWAYS)
    act(table, status, proving, "left right down down left")
    replay = one(ReplayMessage, table.do("mistake")).replay
    assert (replay.resumable, replay.at, replay.length) == (True, 3, 5)
    counts = dict(replay.board.counts)
    table.do("undo 2")
    assert replay.position == table.session.position
    assert counts == dict(table.board.counts)


def test_moves_of_a_game_of_chance_have_no_fixed_cost() -> None:
    table, status, _, _ = served(ALWAYS, "2048 2x2 spawn=spec target=8\n4 4\n0 0\n")
    lengths = []
    for text in ("down", "left"):
        position = table.session.position
        found = gp.solve(position, "actions")
        assert found.trace is not None
        lengths.append(len(found.trace.steps))
        status.proofs.learn_solution(found.trace, is_fewest=True)
        table.do(text)
    assert lengths[1] + 1 > lengths[0]  # so that a fixed cost would be marked
    assert [move.extra for move in listed_moves(table, ON_BOARD, 10)] == [0] * table.session.actions_done
    won = table.session.position
    assert won.won
    status.proofs.learn(won, Badge(Standing.WINNABLE, way=(), least=0))
    table.do("continue")
    table.do(str(won.actions()[0]))
    status.proofs.learn(table.session.position, Badge(Standing.WINNABLE, way=(), least=0))
    assert [move.extra for move in listed_moves(table, ON_BOARD, 10)][-1] == 0


@pytest.mark.parametrize(
    ("move", "is_estimated", "cause"),
    [
        ("right", True, LossCause.MOVE),
        ("up", True, LossCause.CHANCE),  # the best move, with a chance of 50 %
        ("up", False, LossCause.UNKNOWN),
    ],
)
def test_bad_luck_after_one_of_the_best_moves_is_not_blamed_on_the_move(
    move: str, is_estimated: bool, cause: LossCause
) -> None:
    table, status, proving, _ = served(ALWAYS, FIFTY_PERCENT)
    if is_estimated:
        proving.answer()
    act(table, status, proving, move)
    proving.answer()  # since when
    assert status.text.startswith(f"the target is out of reach since action 1, {move}")
    assert [found.loss for found in listed_moves(table, ON_BOARD, 10)] == [cause]


@pytest.mark.parametrize(("actor", "shown"), [("a", [None, 2]), ("b", [1, 1])])
def test_own_fewest_is_known_as_soon_as_the_fewest_of_all_is_the_players(
    actor: str, shown: list[int | None]
) -> None:
    text = (
        "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . A .\n. b . B\n"  # b jumps home
    )
    table, status, proving, _ = served(ALWAYS, text)
    table.actor = actor
    ((query, report),) = proving.waiting.values()
    own_left = []
    for badge in verdicts(query):
        report(badge)
        own_left.append(status.own_left)
    assert own_left == shown


@pytest.mark.parametrize(("program", "line"), [("b", "Lost"), ("a", "Won")])
def test_verdict_after_a_race_is_that_of_the_player(program: str, line: str) -> None:
    text = "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb B . .\n"
    table, status, proving, _ = served(ALWAYS, text)
    table.co_players.let(program, "random")
    act(table, status, proving, "b:walk(1,0)")
    assert status.verdict_for(ALWAYS) == line
    assert status.is_won_by_others == (line == "Lost")


def test_verdict_names_the_winner_of_a_race_of_programs_whomever_the_player_plays() -> None:
    text = "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb B . .\n"
    table, status, _, _ = served(ALWAYS, text)
    table.do("as b")
    table.session.act("b:walk(1,0)", {"a": "planner", "b": "planner"})
    status.update()
    assert status.verdict_for(ALWAYS) == "b has won"
    assert status.is_rival
