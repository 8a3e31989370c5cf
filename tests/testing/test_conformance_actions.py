"""The conformance kit on games with inconsistent actions, and on sound games."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import pytest
from tests.testing.mutations import (
    FORMAT,
    LEVELS,
    NULL,
    SHORT,
    Change,
    accept_all,
    actions,
    change_outcomes,
    check,
    fault,
    outcomes,
)

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.game import Policy
from gridproof.core.position import NATURE, Outcome
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move, Position
from gridproof.testing import NonConformance, check_game


@pytest.fixture(autouse=True)
def _own_levels(request: pytest.FixtureRequest) -> None:
    if "sound" not in request.node.name:
        request.getfixturevalue("no_packs")


def test_actions_that_are_not_executable_must_be_refused(change: Change) -> None:
    change("Position.outcomes", accept_all)
    assert "action hop, which is not executable: outcomes does not raise IllegalAction" in fault()


def test_text_of_impossible_action_must_be_refused(change: Change) -> None:
    change("Position.action", lambda self, text: Move(text) if text in "left right hop" else illegal(text))
    assert "which is not executable: action(text) does not raise IllegalAction" in fault()


def illegal(text: str) -> Move:
    raise gp.IllegalAction(text)


def test_unknown_action_must_be_refused(change: Change) -> None:
    change("Position.action", lambda self, text: Move(text) if text in "left right hop" else Move.LEFT)
    assert "action('no such action') does not raise IllegalAction" in fault()


def test_texts_of_actions_are_distinct_lines(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, message in (("go", "two actions have the same text"), ("", "the text of the action, ''")):
        monkeypatch.setattr(
            Move, "__str__", lambda self, text=text: text or self.value * (self is not Move.LEFT)
        )
        assert message in fault()


class Twin(str):
    """An object equal to every action, with another hash."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return -2


def test_equal_actions_must_have_equal_hashes(change: Change) -> None:
    change("Position.action", lambda self, text: Twin(text))
    assert "the equal action 'left' has another hash" in fault()


def test_step_draws_the_same_with_the_same_generator(change: Change) -> None:
    calls = itertools.count()
    change("Position.step", lambda self, action, rng: (o := outcomes(self, action))[next(calls) % len(o)])
    assert "action hop: step with the same generator draws another outcome" in fault()


def test_won_game_is_not_undone_against_policy(change: Change) -> None:
    change("policy", Policy(undo_after_win=False))
    check()


def test_game_may_continue_after_win(change: Change) -> None:
    change("policy", Policy(act_after_win=True))
    check()


# -- many outcomes, nature, formats and levels that are none of the game's own


def test_successors_must_agree_with_outcomes(change: Change) -> None:
    change("Position.successors", lambda self, actor=None: [self])
    assert "successors(None) gives other positions than the outcomes of its actions" in fault()


def test_position_must_have_one_successor_form(change: Change) -> None:
    change(
        "Position.successors",
        lambda self, actor=None: [
            (form, outcome.position)
            for form in range(2)
            for action in self.actions(actor)
            for outcome in outcomes(self, action)
        ],
    )
    change("Position.at", lambda self, successor: successor[1])
    assert "successors(None) gives one position in two forms" in fault()


def halve(outcome: Outcome[Any]) -> Outcome[Any]:
    return outcome._replace(probability=outcome.probability / 2) if outcome.label else outcome


def test_outcomes_are_sampled_when_very_many(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.testing.conformance.MANY", 1)
    monkeypatch.setattr("gridproof.testing.conformance.FEW", 1)
    change("Position.outcomes", change_outcomes(halve))
    change("Position.step", lambda self, action, rng: outcomes(self, action)[0])
    assert "step draws an outcome that is none of its outcomes" in fault()


@pytest.mark.slow
def test_walks_include_actions_of_nature(change: Change) -> None:
    def windy(self: Position, actor: str | None = None) -> tuple[Move, ...]:
        if actor == NATURE:
            return (Move.LEFT,) if self.walker and not self.won else ()
        return tuple(move for move in actions(self, actor) if move is not Move.LEFT)

    change("Position.actions", windy)
    change("predecessors", None)  # that go by its own actions
    change("actors", lambda level: ("player", NATURE))
    assert "look.actors_help is 'one player', but the actors are player, nature" in fault()
    change("look.actors_help", "one player, and the wind")
    assert "does not define the owner of action" in fault()
    change("Level.owner", lambda self, action: "player")
    assert "left is an action of nature, but its owner is player" in fault()
    change("Level.owner", lambda self, action: NATURE if action is Move.LEFT else "player")
    with pytest.raises(
        NonConformance,
        match=r"null: more levels: level 1: position '\.@\.\.o\\n': action left: raises IllegalAction: left: it cannot be executed here",
    ):
        check()  # its outcomes refuse left, which is no player's action
    change("Position.outcomes", lambda self, action: windy_outcomes(self, action, windy))
    check()


def windy_outcomes(self: Position, action: Move, windy: Any) -> Any:
    if action not in (*windy(self), *windy(self, NATURE)):
        raise gp.IllegalAction(action)
    return accept_all(self, action)


@pytest.mark.parametrize(
    ("actors", "message"),
    [
        (("nobody",), "left is an action of no actor"),
        (("player",) * 2, "the actors have 6 actions, all together 3"),
    ],
)
def test_actors_must_share_the_actions(change: Change, actors: tuple[str, ...], message: str) -> None:
    change("look.actors_help", "others")
    change("actors", lambda level: actors)
    assert message in fault()


def test_own_format_must_write_every_level(change: Change) -> None:
    def refuse(pack: Pack) -> str:
        raise GridproofError("too wide")

    other = dataclasses.replace(FORMAT, name="other", write=refuse)
    unwritten = dataclasses.replace(FORMAT, name="read", write=None)
    change("formats", (FORMAT, other, unwritten))
    check()
    change("formats", (dataclasses.replace(FORMAT, write=refuse),))
    assert "format 'null': the game's own format cannot write the levels" in fault()


def test_unregistered_game_is_refused() -> None:
    with pytest.raises(
        NonConformance,
        match=r"other: gridproof\.game\('other'\) is not this game: it is not registered, or the name is taken",
    ):
        check_game(dataclasses.replace(NULL, name="other"), levels=LEVELS)
    with pytest.raises(NonConformance, match=r"null: .* the name is taken"):
        check_game(dataclasses.replace(NULL, title="Another"), levels=LEVELS)
    with pytest.raises(
        NonConformance, match="No name: the name 'No name' is not lower-case letters, digits and _"
    ):
        check_game(dataclasses.replace(NULL, name="No name"), levels=LEVELS)


def test_game_without_levels_passes() -> None:
    assert fault(()) == "null: there is no level to check: it has no pack"


def with_certificate(level: Level, trace: Trace) -> tuple[Level, ...]:
    return (dataclasses.replace(level, certificate=trace), *LEVELS)


def test_certificates_must_win() -> None:
    start = SHORT.start()
    check(with_certificate(SHORT, Trace(start, (Step(Move.RIGHT),))))
    for trace, message in (
        (Trace(start), "level 1: certificate: it does not win"),
        (Trace(start, (Step(Move.HOP),)), "level 1: certificate: raises IllegalAction: hop: step 1"),
        (Trace(Position(SHORT, 2)), "certificate: it begins at no start of the level"),
        (Trace(LEVELS[0].start()), "certificate: it is of another level"),
    ):
        assert message in fault(with_certificate(SHORT, trace))


def test_packs_are_checked_with_the_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Pack(with_certificate(SHORT, Trace(SHORT.start())))
    monkeypatch.setattr("gridproof.testing.conformance.pack_names", lambda game: ("walks",))
    monkeypatch.setattr("gridproof.testing.conformance.builtin_pack", lambda game, name: broken)
    assert fault() == "null: pack walks: level 1: certificate: it does not win"


def test_fault_is_a_gridproof_error_with_its_place() -> None:
    error = NonConformance("it limps", "null", "level 1")
    assert isinstance(error, GridproofError)
    assert (str(error), error.fault, error.places) == (
        "null: level 1: it limps",
        "it limps",
        ("null", "level 1"),
    )


@pytest.mark.long
@pytest.mark.parametrize("name", ["null", *gp.game_names()])
def test_sound_games_pass(name: str) -> None:
    check_game(gp.game(name), depth=1)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", ["null", *gp.game_names()])
def test_sound_games_pass_on_longer_walks(name: str) -> None:
    check_game(gp.game(name), seed=1, depth=20)


def test_walks_depend_on_seed() -> None:
    check_game(NULL, levels=LEVELS, seed=2**64 - 1, walks=1, depth=3)
    with pytest.raises(
        NonConformance,
        match=r"null: more levels: raises GridproofError: seed -1: it must be a whole number from 0 to 2\*\*64 - 1",
    ):
        check_game(NULL, levels=LEVELS, seed=-1)
