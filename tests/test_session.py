"""Session: history, undo, redo, level sets, scores, viewers, for every kind of policy."""

from __future__ import annotations

import dataclasses
import tracemalloc
from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.work import lines_run

import gridproof as gp
from gridproof.core import session as session_module
from gridproof.core.pack import Pack
from gridproof.core.progress import SavedPlay
from gridproof.core.rng import derive
from gridproof.core.session import Session
from gridproof.core.viewer import KeptAfterAll

ONE_PUSH = "#####\n#@$.#\n#####\n"
TWO_PUSHES = "######\n#@$ .#\n######\n"
SOLVED = "#####\n#@ *#\n#####\n"
BOMB = "#####\n#@$ .#\n#####\nBombs: 1\n"
NO_ROOM = "####\n#@*#\n####\n"


def null(*rows: str) -> Pack:
    return gp.read("\n".join(rows) + "\n", "null")


def sokoban(*levels: str) -> Pack:
    return gp.read("\n".join(levels), "sokoban")


def board(*rows: str, header: str = "2048 2x2 target=8") -> Pack:
    return gp.read("\n".join((header, *rows)) + "\n", "twenty48")


@pytest.fixture
def no_high_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_HIGH_SCORES", {})


class Viewer:
    """Remembers how many actions were done at each change."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def changed(self, session: Session) -> None:
        self.seen.append((session.current, session.actions_done))


class Keeper:
    """A store in memory: high scores, and every call."""

    def __init__(self, **scores: int) -> None:
        self.scores = scores
        self.calls: list[tuple[int, bool]] = []
        self.passed: Collection[int] = ()
        self.plays: dict[int, SavedPlay] = {}

    def high_score(self, key: str) -> int:
        return max(self.scores.values(), default=0)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        self.calls.append((place, won))
        self.passed = passed
        for changed in (place, session.current, *passed):
            saved = session.saved(changed)
            assert saved is not None
            self.plays[changed] = saved


def standing(session: Session) -> tuple[gp.Status, list[int]]:
    return session.status, list(session.completed)


def unchanged(session: Session, deed: Callable[[], Any]) -> None:
    """The deed is refused, and nothing changes."""
    viewer = Viewer()
    session.attach(viewer)
    before = (session.history, session.current, session.completed, session.actions_undone, session.score)
    with pytest.raises(gp.IllegalAction):
        deed()
    after = (session.history, session.current, session.completed, session.actions_undone, session.score)
    assert after == before
    assert viewer.seen == []


# -- history, undo, redo


@pytest.mark.clause("K11")
def test_history_holds_every_position_the_newest_first() -> None:
    session = Session(null("...@..o"))
    start = session.position
    assert list(session.history) == [start]
    first = session.act("left").position
    second = session.act("left").position
    assert session.history == (second, first, start)
    assert session.position == second
    assert session.actions_done == 2
    assert [outcome.position for outcome in session.outcomes] == [first, second]


@pytest.mark.clause("K12")
def test_undo_brings_positions_back_whole() -> None:
    session = Session(sokoban(BOMB.replace("@$ ", "@$  ").replace("#####\n#", "#######\n#")))
    for action in ("bomb", "right", "right"):
        session.act(action)
    history = session.history
    session.undo(0)
    assert session.history == history
    session.undo(2)
    assert session.history == history[2:]
    session.undo()
    assert session.history == history[3:]
    assert session.position.text().endswith("Bombs: 1\n")
    assert "#######" in session.position.text()


@pytest.mark.clause("K12")
@pytest.mark.parametrize("n", [-1, 3, True, 1.0, "1", None])
def test_undo_out_of_range_changes_nothing(n: Any) -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.act("left")
    unchanged(session, lambda: session.undo(n))


@pytest.mark.clause("K13")
def test_redo_does_undone_actions_again_one_by_one() -> None:
    session = Session(null("...@..o"))
    for action in ("left", "right", "right"):
        session.act(action)
    history = session.history
    session.undo(3)
    assert session.actions_undone == 3
    session.redo()
    assert session.history == history[2:]
    session.redo(2)
    assert session.history == history
    assert session.actions_undone == 0


@pytest.mark.clause("K13")
def test_another_action_ends_redo() -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.undo()
    session.act("right")
    unchanged(session, session.redo)


@pytest.mark.clause("K13")
@pytest.mark.parametrize("n", [-1, 2, False, "1"])
def test_redo_out_of_range_changes_nothing(n: Any) -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.undo()
    unchanged(session, lambda: session.redo(n))


@pytest.mark.clause("K12", "K13")
def test_where_there_is_nothing_to_undo_or_redo_that_is_said() -> None:
    session = Session(null("@..o"))
    with pytest.raises(gp.IllegalAction, match=r"^undo 5: there is nothing to undo$"):
        session.undo(5)
    with pytest.raises(gp.IllegalAction, match=r"^redo 1: there is nothing to redo$"):
        session.redo()
    session.act("right")
    with pytest.raises(gp.IllegalAction, match=r"^undo 5: from 0 to 1 can be$"):
        session.undo(5)


def test_refused_actions_change_nothing_and_keep_redo() -> None:
    session = Session(null("@..o"))
    session.act("right")
    session.undo()
    unchanged(session, lambda: session.act("left"))
    unchanged(session, lambda: session.act("jump"))
    unchanged(session, lambda: session.act(""))
    assert session.actions_undone == 1


def test_an_action_may_be_given_as_a_value() -> None:
    session = Session(null("@..o"))
    session.act(session.position.actions()[0])
    assert session.actions_done == 1


def test_restart_can_be_redone() -> None:
    session = Session(null("...@..o"))
    session.act("left")
    session.act("left")
    history = session.history
    session.restart()
    assert session.history == history[-1:]
    session.redo(2)
    assert session.history == history


def test_a_won_game_may_be_undone_where_the_policy_says_so() -> None:
    session = Session(null(".@o"))
    session.act("right")
    assert standing(session) == (gp.Status.WON, [0])
    unchanged(session, lambda: session.act("left"))
    session.undo()
    assert standing(session) == (gp.Status.PLAYING, [0])  # that it was won once stays true
    session.redo()
    assert standing(session) == (gp.Status.WON, [0])
    session.restart()
    assert session.actions_done == 0
    assert session.actions_undone == 1


# -- chance


def hops(session: Session, count: int) -> list[str]:
    return [session.act("hop").label for _ in range(count)]


@pytest.mark.clause("T18")
def test_after_an_undo_the_same_action_has_the_same_outcome() -> None:
    row = "@" + "." * 60 + "o"
    for seed in range(20):
        session = Session(null(row), seed=seed)
        first = hops(session, 8)
        session.undo(5)
        assert hops(session, 5) == first[3:]
        assert hops(Session(null(row), seed=seed), 8) == first


@pytest.mark.clause("T18")
def test_chance_depends_on_how_many_actions_were_done_alone() -> None:
    session = Session(null("...@" + "." * 60 + "o"), seed=5)
    session.act("left")
    second = session.act("hop").label
    session.undo(2)
    session.act("right")
    assert session.act("hop").label == second


@pytest.mark.clause("T18")
def test_seeds_differ() -> None:
    row = "@" + "." * 60 + "o"
    assert len({tuple(hops(Session(null(row), seed=seed), 10)) for seed in range(8)}) > 1


@pytest.mark.clause("T13")
def test_a_new_game_has_a_seed_derived_from_the_one_before() -> None:
    pack = gp.read("2048 4x4\n", "twenty48")
    session = Session(pack, seed=3)
    assert session.position == pack[0].start(3)
    session.act(session.position.actions()[0])
    session.new_game()
    assert session.position == pack[0].start(derive(3))
    assert session.actions_done == session.actions_undone == 0
    session.new_game()
    assert session.trace().seed == derive(derive(3))


def test_levels_of_a_set_have_seeds_of_their_own() -> None:
    session = Session(gp.read("2048 4x4\n\n2048 4x4\n", "twenty48"), seed=3)
    seeds = {session.trace().seed}
    session.select(1)
    assert session.trace().seed not in seeds


# -- level sets


@pytest.mark.clause("K14")
def test_levels_keep_their_order_and_the_first_is_current() -> None:
    pack = sokoban(ONE_PUSH, TWO_PUSHES, BOMB)
    session = Session(pack)
    assert session.levels == tuple(pack)
    assert session.current == 0
    assert session.position.level == pack[0]
    assert session.incomplete == (0, 1, 2)
    assert list(session.completed) == []


@pytest.mark.clause("K14")
def test_a_session_needs_levels_of_one_game() -> None:
    for levels in ([], [*null("@o"), *sokoban(ONE_PUSH)]):
        with pytest.raises(gp.GridproofError, match="levels, and all of one game"):
            Session(levels)


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.5, "1", None])
def test_a_seed_has_64_bits(seed: Any) -> None:
    with pytest.raises(gp.GridproofError, match="seed"):
        Session(null("@o"), seed=seed)


def test_one_level_is_a_set_of_one() -> None:
    level = null("@o")[0]
    assert Session(level).levels == (level,)


@pytest.mark.clause("K16")
def test_a_win_completes_the_level_and_the_first_incomplete_one_follows() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, BOMB))
    outcome = session.act("right")
    assert outcome.position.status is gp.Status.WON
    assert list(session.completed) == [0]
    assert session.incomplete == (1, 2)
    assert session.current == 1
    assert session.position == session.levels[1].start()
    assert session.actions_done == 0


@pytest.mark.clause("K16")
def test_the_first_incomplete_level_may_lie_before() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, ONE_PUSH))
    session.select(2)
    session.act("right")
    assert session.current == 0
    session.act("right")
    assert session.current == 1


@pytest.mark.clause("K16")
def test_levels_that_are_completed_already_are_passed() -> None:
    session = Session(sokoban(SOLVED, NO_ROOM, TWO_PUSHES, SOLVED, ONE_PUSH))
    assert list(session.completed) == [0, 1]
    assert session.current == 2
    session.act("right")
    session.act("right")
    assert list(session.completed) == [0, 1, 2, 3]
    assert session.current == 4


@pytest.mark.clause("K16")
def test_a_completed_level_that_is_chosen_is_passed_too() -> None:
    session = Session(sokoban(ONE_PUSH, SOLVED, TWO_PUSHES))
    session.select(1)
    assert list(session.completed) == [1]
    assert session.current == 0


@pytest.mark.clause("K16", "K17")
def test_a_thousand_completed_levels_are_won_at_once() -> None:
    level = sokoban(SOLVED)[0]
    session = Session([level] * 1200)
    assert session.incomplete == ()
    assert session.current == 1199
    assert session.status is gp.Status.WON


@pytest.mark.clause("K17")
def test_a_won_game_stays_at_the_last_level_and_refuses_actions_and_undo() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    session.select(1)
    for action in ("right", "right", "right"):  # the second level, then the first
        outcome = session.act(action)
    assert session.current == 0
    assert session.position == outcome.position
    assert session.incomplete == ()
    assert session.status is gp.Status.WON
    unchanged(session, lambda: session.act("left"))
    unchanged(session, session.undo)
    unchanged(session, lambda: session.undo(0))


@pytest.mark.clause("K18")
def test_undo_acts_on_the_current_level_only() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES, ONE_PUSH))
    session.act("right")
    unchanged(session, session.undo)
    session.act("right")
    session.undo()
    assert list(session.completed) == [0]
    assert session.incomplete == (1, 2)
    assert session.current == 1


@pytest.mark.clause("K20")
def test_equal_levels_are_told_apart_by_their_place() -> None:
    session = Session(sokoban(ONE_PUSH, ONE_PUSH, ONE_PUSH))
    session.act("right")
    assert list(session.completed) == [0]
    assert session.current == 1
    session.act("right")
    session.act("right")
    assert list(session.completed) == [0, 1, 2]


def test_a_chosen_level_is_as_it_was_left() -> None:
    session = Session(sokoban(TWO_PUSHES, TWO_PUSHES))
    session.act("right")
    left = session.history
    session.select(1)
    assert session.actions_done == 0
    session.select(0)
    assert session.history == left


def test_a_won_level_is_played_again_from_its_start() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    session.act("right")
    session.select(0)
    assert session.actions_done == 0
    assert list(session.completed) == [0]
    assert session.incomplete == (1,)
    session.act("right")
    assert session.current == 1


def test_the_last_level_of_a_won_game_can_be_begun_again() -> None:
    session = Session(sokoban(ONE_PUSH))
    session.act("right")
    session.restart()
    assert session.status is gp.Status.PLAYING
    assert session.actions_done == session.actions_undone == 0
    assert list(session.completed) == [0]


@pytest.mark.parametrize("place", [-1, 2, True, "0", None])
def test_a_place_that_is_none_cannot_be_chosen(place: Any) -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    unchanged(session, lambda: session.select(place))


def test_without_the_policy_a_win_stays() -> None:
    session = Session(null("@o", "@.o"))
    session.act("right")
    assert session.current == 0
    session.select(1)
    assert list(session.completed) == [0]
    session.select(0)
    assert session.status is gp.Status.PLAYING


# -- scores


@pytest.mark.clause("T7")
@pytest.mark.usefixtures("no_high_scores")
def test_the_score_is_the_sum_of_rewards() -> None:
    session = Session(board("2 2", "2 2", header="2048 2x2 target=64"), seed=1)
    assert session.score == 0
    assert session.act("left").reward == session.score == 8
    session.undo()
    assert session.score == 0


@pytest.mark.clause("T12")
@pytest.mark.usefixtures("no_high_scores")
def test_a_score_may_be_brought_along() -> None:
    session = Session(board("2 2", "2 2", header="2048 2x2 target=64"), seed=1, score=100)
    session.act("left")
    assert session.score == session.high_score == session.copy().score == 108
    session.undo()
    assert session.score == 100
    session.new_game()
    assert session.score == 0


@pytest.mark.clause("T3")
@pytest.mark.parametrize("score", [-1, True, 2.5, "8", None])
def test_a_score_is_0_or_more(score: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a whole number, 0 or more, not "):
        Session(board("2 2", "2 2"), score=score)
    with pytest.raises(gp.GridproofError, match="0 or more"):
        Session.resume(board("2 2", "2 2"), 0, 0, {0: SavedPlay(0, (), 0, False, brought=score)})


@pytest.mark.clause("T4")
@pytest.mark.usefixtures("no_high_scores")
def test_levels_of_one_kind_share_the_high_score() -> None:
    session = Session(board("2 2", "2 2"), seed=1)
    session.act("left")
    session.undo()
    assert session.high_score == 8
    assert Session(board("4 2", "2 4")).high_score == 8
    assert Session(board("2 0 0", "2 0 0", "0 0 0", header="2048 3x3")).high_score == 0


@pytest.mark.clause("T4")
@pytest.mark.usefixtures("no_high_scores")
def test_a_kept_high_score_counts_but_never_below_the_score() -> None:
    assert Session(board("2 2", "2 2"), store=Keeper(best=100)).high_score == 100
    session = Session(board("2 2", "2 2"), store=Keeper(best=3))
    session.act("left")
    assert session.high_score == 8


@pytest.mark.usefixtures("no_high_scores")
def test_games_without_score_have_none() -> None:
    session = Session(sokoban(ONE_PUSH))
    session.act("right")
    assert session.score == session.high_score == 0
    assert session_module._HIGH_SCORES == {}


@pytest.mark.clause("T11")
@pytest.mark.usefixtures("no_high_scores")
def test_a_won_2048_game_goes_on() -> None:
    session = Session([*board("4 4", "0 0"), *board("2 2", "0 0")], seed=2)
    session.act("left")
    assert standing(session) == (gp.Status.WON, [0])
    assert session.current == 0  # the next level does not follow
    session.act(session.position.actions()[0])
    assert session.actions_done == 2
    session.select(1)
    session.select(0)
    assert session.actions_done == 2  # what may go on is as it was left
    session.undo(2)
    assert standing(session) == (gp.Status.PLAYING, [0])


@pytest.mark.clause("T11")
def test_a_lost_2048_game_refuses_actions_but_may_be_undone() -> None:
    session = Session(board("8 2", "16 0", header="2048 2x2 target=64"), seed=0)
    while not session.position.ended:
        session.act(session.position.actions()[0])
    unchanged(session, lambda: session.act("left"))
    session.undo()
    assert not session.position.ended


# -- viewers and keepers


def test_viewers_are_told_of_every_change() -> None:
    session, viewer = Session(sokoban(TWO_PUSHES, ONE_PUSH)), Viewer()
    session.attach(viewer)
    session.attach(viewer)  # once is enough
    session.act("right")
    session.undo()
    session.redo()
    session.restart()
    session.select(1)
    session.new_game()
    session.select(0)
    session.act("right")
    session.act("right")
    assert viewer.seen == [(0, 1), (0, 0), (0, 1), (0, 0), (1, 0), (1, 0), (0, 0), (0, 1), (1, 0)]
    session.detach(viewer)
    session.detach(viewer)  # again is no error
    session.undo(0)
    assert len(viewer.seen) == 9


def test_a_viewer_may_leave_while_it_is_told() -> None:
    session, viewer = Session(null("@..o")), Viewer()

    class Leaver:
        def changed(self, session: Session) -> None:
            session.detach(self)

    session.attach(Leaver())
    session.attach(viewer)
    session.act("right")
    session.act("right")
    assert viewer.seen == [(0, 1), (0, 2)]


def test_viewers_are_told_when_a_won_level_begins_again() -> None:
    """It cannot be undone there, so it is begun anew."""
    session, viewer = Session(sokoban(ONE_PUSH)), Viewer()
    session.act("right")
    session.attach(viewer)
    session.restart()
    assert viewer.seen == [(0, 0)]


@pytest.mark.clause("T11")
def test_a_won_position_with_actions_refuses_them_where_the_policy_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(board("4 4", "0 0"))
    session.act("left")
    assert session.status is gp.Status.WON
    assert not session.position.ended
    policy = dataclasses.replace(session.game.policy, act_after_win=False)
    monkeypatch.setattr(session, "game", dataclasses.replace(session.game, policy=policy))
    unchanged(session, lambda: session.act(session.position.actions()[0]))


@pytest.mark.clause("K16")
def test_the_keeper_is_told_of_every_level_that_changes() -> None:
    keeper = Keeper()
    session = Session(sokoban(ONE_PUSH, SOLVED, SOLVED, TWO_PUSHES), store=keeper)
    session.act("right")
    assert keeper.calls == [(0, True)]  # at once, for a change is kept whole or not at all
    assert list(keeper.passed) == [0, 1, 2]
    assert keeper.plays.keys() == {0, 1, 2, 3}
    assert [keeper.plays[place].finished for place in range(4)] == [True, True, True, False]
    session.act("right")
    assert keeper.calls[1:] == [(3, False)]


@pytest.mark.clause("K16")
def test_a_win_done_again_is_a_win() -> None:
    keeper = Keeper()
    session = Session(null("@.o"), store=keeper)
    session.act("right")
    session.act("right")
    session.undo()
    session.redo()
    assert keeper.calls == [(0, False), (0, True), (0, False), (0, True)]


# -- saved and resumed, copied


def test_what_was_not_entered_is_not_saved() -> None:
    session = Session(sokoban(ONE_PUSH, TWO_PUSHES))
    assert session.saved(1) is None
    with pytest.raises(gp.GridproofError, match="has not been played"):
        session.trace(1)


def test_a_session_is_resumed_as_it_was_left() -> None:
    keeper = Keeper()
    pack = sokoban(ONE_PUSH, SOLVED, TWO_PUSHES, BOMB)
    session = Session(pack, seed=9, store=keeper)
    session.act("right")
    session.act("right")
    session.undo()
    again = Session.resume(pack, 9, session.current, keeper.plays, store=keeper)
    assert (again.current, again.history) == (session.current, session.history)
    assert again.completed == session.completed == (0, 1)
    assert again.trace(0) == session.trace(0)
    assert again.actions_undone == 1
    again.redo()
    assert keeper.calls[-1] == (2, False)


def test_chance_is_resumed_as_it_came() -> None:
    row = null("@" + "." * 60 + "o")
    session = Session(row, seed=4)
    labels = hops(session, 9)
    session.undo(3)
    saved = session.saved(0)
    assert saved is not None
    again = Session.resume(row, 4, 0, {0: saved})
    again.redo(3)
    assert [step.label for step in again.trace().steps] == labels
    again.undo(9)
    assert hops(again, 9) == labels


def test_what_cannot_be_done_again_is_not_resumed() -> None:
    pack = null("@..o")
    with pytest.raises(gp.IllegalAction):
        Session.resume(pack, 0, 0, {0: SavedPlay(0, (("left", ""),), 1, False)})
    with pytest.raises(gp.GridproofError, match="current level 1 is missing"):
        Session.resume(null("@o", "@.o"), 0, 1, {0: SavedPlay(0, (), 0, False)})


def test_a_copy_goes_its_own_way() -> None:
    session, viewer, keeper = Session(sokoban(ONE_PUSH, TWO_PUSHES, BOMB), store=Keeper()), Viewer(), Keeper()
    session.attach(viewer)
    session.act("right")
    session.act("right")
    session.undo()
    seen = [*viewer.seen]
    twin = session.copy()
    assert (twin.current, twin.completed, twin.history) == (
        session.current,
        session.completed,
        session.history,
    )
    twin.redo()
    twin.act("right")
    assert twin.completed == (0, 1)
    assert list(session.completed) == [0]
    assert session.actions_undone == 1
    assert viewer.seen == seen
    assert keeper.calls == []
    session.select(0)
    session.act("right")
    assert twin.current == 2


# -- traces


@pytest.mark.clause("K22")
def test_the_trace_says_what_was_done() -> None:
    session = Session(sokoban(TWO_PUSHES, ONE_PUSH))
    session.act("right")
    session.act("right")
    trace = session.trace(0)
    assert [str(action) for action in trace.actions] == ["right", "right"]
    assert trace.replay().status is gp.Status.WON
    assert session.trace() == session.trace(1)
    assert session.trace().steps == ()


class BrokenKeeper(Keeper):
    """A store whose disk is full."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        raise gp.GridproofError("the disk is full")


@pytest.mark.parametrize(
    "deed",
    [
        lambda session: session.act("right"),
        lambda session: session.undo(),
        lambda session: session.redo(),
        lambda session: session.restart(),
        lambda session: session.new_game(),
        lambda session: session.select(1),
    ],
)
def test_what_cannot_be_kept_has_not_happened(deed: Callable[[Session], Any]) -> None:
    before = Session(sokoban(TWO_PUSHES, ONE_PUSH))
    before.act("right")
    before.act("right")  # the first level is won
    before.select(0)
    before.act("right")
    before.act("left")
    before.undo()
    plays = {place: kept for place in range(2) if (kept := before.saved(place))}
    session = Session.resume(before.levels, 0, 0, plays, store=BrokenKeeper())
    viewer = Viewer()
    session.attach(viewer)
    with pytest.raises(gp.GridproofError, match="disk is full"):
        deed(session)
    assert [session.saved(place) for place in range(2)] == [before.saved(place) for place in range(2)]
    assert (session.current, session.completed, session.history) == (0, (0,), before.history)
    assert viewer.seen == []


def test_points_that_were_not_kept_make_no_high_score(no_high_scores: None) -> None:
    session = Session(board("2 2", "0 0"), store=BrokenKeeper())
    with pytest.raises(gp.GridproofError):
        session.act("left")
    assert (session.score, session.high_score) == (0, 0)


@pytest.mark.clause("T4")
def test_points_brought_along_stay_in_the_high_score(no_high_scores: None) -> None:
    session = Session(board("2 2", "0 0"), score=100)
    session.new_game()
    assert (session.score, session.high_score) == (0, 100)


def test_progress_that_cannot_be_is_no_session() -> None:
    pack = null(".@o")
    for place, done in ((5, 0), (-1, 0), (0, -1), (0, 1)):
        with pytest.raises(gp.GridproofError):
            Session.resume(pack, 0, 0, {0: SavedPlay(0, (), 0, False), place: SavedPlay(0, (), done, False)})


@pytest.mark.parametrize("levels", ["x", None, 5, b"abc", ["x"], [None]])
def test_only_levels_are_played(levels: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a level or several are needed, not "):
        Session(levels)


def test_an_action_of_another_game_is_refused_though_its_text_fits() -> None:
    session = Session(sokoban(TWO_PUSHES))
    other = gp.games.null.Move.RIGHT
    assert str(other) in map(str, session.position.actions())
    with pytest.raises(gp.IllegalAction, match=r"^right: Move.RIGHT is no action of sokoban$"):
        session.act(other)
    assert session.actions_done == 0
    session.act(session.position.action("right"))
    assert session.actions_done == 1


# -- long sessions


class LastStepKeeper(Keeper):
    """A store in memory that asks for what a change has changed, no more."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        saved = session.saved(place, last_step=True)
        assert saved is not None
        assert len(saved.steps) <= 1
        self.plays[place] = saved


def after(actions: int) -> Session:
    """A kept session with so many actions done."""
    steps = (("right", ""), ("left", "")) * (actions // 2)
    return Session.resume(
        null("@..o"), 0, 0, {0: SavedPlay(0, steps, actions, False)}, store=LastStepKeeper()
    )


@pytest.mark.parametrize(
    "deed",
    [
        lambda session: session.act("right"),
        lambda session: session.undo(),
        lambda session: (session.undo(), session.redo()),
    ],
)
def test_a_change_is_no_more_work_after_many_others(deed: Callable[[Session], Any]) -> None:
    few, many = after(20), after(2_000)
    assert lines_run(lambda: deed(few)) == lines_run(lambda: deed(many))
    tracemalloc.start()
    try:
        deed(many)
        assert tracemalloc.get_traced_memory()[1] < 8_000  # a copy of the history takes 16,000 bytes
    finally:
        tracemalloc.stop()


def test_what_was_undone_is_no_work_for_the_next_action() -> None:
    few, many = after(20), after(2_000)
    for session in (few, many):
        session.restart()
    assert lines_run(lambda: few.act("right")) == lines_run(lambda: many.act("right"))
    assert (many.actions_done, many.actions_undone) == (1, 0)
    assert [str(action) for action in many.trace().actions] == ["right"]
    many.undo()
    unchanged(many, lambda: many.redo(2))
    assert many.copy().actions_undone == many.actions_undone == 1


def test_only_whole_progress_is_resumed() -> None:
    part = after(4).saved(0, last_step=True)
    assert part == SavedPlay(0, (("left", ""),), 4, False, skipped=3)
    with pytest.raises(gp.GridproofError, match="the first 3 steps are missing"):
        Session.resume(null("@..o"), 0, 0, {0: part})


# -- changes that may have been kept


class ForgetfulKeeper(Keeper):
    """Keeps a change, and then fails to say so."""

    failing = False
    kept: Session | None = None

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        if self.kept is not None:
            kept, self.kept = self.kept, None
            raise KeptAfterAll(kept)
        if self.failing:
            self.kept = session.copy()
            raise gp.GridproofError("the server has gone")


def test_a_session_follows_what_was_kept_after_all() -> None:
    keeper, viewer = ForgetfulKeeper(), Viewer()
    session = Session(sokoban(TWO_PUSHES, ONE_PUSH), store=keeper)
    session.act("right")
    session.attach(viewer)
    keeper.failing = True
    with pytest.raises(gp.GridproofError, match="the server has gone"):
        session.act("right")
    assert (session.current, session.actions_done, session.completed) == (0, 1, ())
    assert viewer.seen == []
    keeper.failing = False
    with pytest.raises(gp.GridproofError, match="has been kept after all, so nothing more is done"):
        session.undo()
    assert (session.current, session.actions_done, session.completed) == (1, 0, (0,))
    assert viewer.seen == [(1, 0)]
    session.act("right")
    assert session.completed == (0, 1)
