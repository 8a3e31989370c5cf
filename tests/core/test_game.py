"""Positions of every game, and the draw of an outcome."""

from __future__ import annotations

import dataclasses
import itertools
import sys
import types
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Format, Game, one_player
from gridproof.core.look import board_text
from gridproof.core.position import NATURE, Outcome, Status, draw
from gridproof.core.registry import game
from gridproof.core.rng import Rng
from gridproof.core.text.level_lookup import pack_names
from gridproof.core.trace import Step
from gridproof.games.null import Level, Move, Position
from gridproof.kernels.game import GameKernel

LEVEL = Level(4, 1, 3)
START = LEVEL.start()


class Windy(Position):
    """A walker whom nature can blow back."""

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        if actor == NATURE:
            return (Move.LEFT,) if self.walker else ()
        return tuple(move for move in super().actions(actor) if move is not Move.LEFT)


def test_refusal_suggests_an_action_that_is_much_alike() -> None:
    start = gp.level("sokoban/first-steps/1").start()
    with pytest.raises(IllegalAction, match=r"choose from up, .*; did you mean right\?$"):
        start.outcomes("rigth")


def test_game_refuses_first_format_without_level_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    own = LEVEL.game.formats[0]
    bare = Format(own.name, own.extensions, own.meaning, own.recognises, own.read, own.write)
    monkeypatch.setattr("gridproof.games.null.GAME", dataclasses.replace(LEVEL.game, formats=(bare,)))
    level = Level(4, 1, 3)  # one that has not asked for its game yet
    for text in (level.text, level.start().text, lambda: level.position(".@.o")):
        with pytest.raises(GridproofError, match="no texts of single levels and positions"):
            text()


def outcomes_of(*parts: tuple[int, int]) -> list[Outcome[Any]]:
    return [Outcome(START, Fraction(*part), label=str(number)) for number, part in enumerate(parts)]


def test_draw_follows_the_exact_probabilities() -> None:
    outcomes = outcomes_of((1, 2), (1, 3), (1, 6))
    counts = Counter(draw(outcomes, Rng(5, n)).label for n in range(6000))
    assert counts["0"] == pytest.approx(3000, abs=190)  # five standard deviations
    assert counts["1"] == pytest.approx(2000, abs=190)
    assert counts["2"] == pytest.approx(1000, abs=150)


def test_single_outcome_draws_no_number() -> None:
    rng = Rng(1)
    draw(outcomes_of((1, 1)), rng)
    assert rng.word() == Rng(1).word()


@pytest.mark.parametrize("parts", [(), ((1, 3), (1, 3)), ((0, 1), (0, 1))])
def test_draw_refuses_probabilities_that_do_not_sum_to_1(parts: tuple[tuple[int, int], ...]) -> None:
    outcomes, seed = outcomes_of(*parts), _seed_of_a_great_number()
    with pytest.raises(GridproofError, match="do not sum to 1"):
        draw(outcomes, Rng(seed))


def _seed_of_a_great_number() -> int:
    """One with which every small bound draws its greatest number."""
    return next(seed for seed in itertools.count() if Rng(seed).below(3) == 2)


def test_start_is_drawn_by_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (0, 1, 2)
    monkeypatch.setattr(
        Level, "starts", lambda level: (Outcome(Position(level, x), Fraction(1, 3)) for x in cells)
    )
    assert {LEVEL.start(seed) for seed in range(30)} == {Position(LEVEL, x) for x in cells}
    assert LEVEL.start(17) == Position(LEVEL, cells[Rng(17, 0).below(3)])


def test_position_status_and_ended() -> None:
    stuck = type("Stuck", (Position,), {"actions": lambda self, actor=None: ()})
    found = [(p.status, p.ended) for p in (START, Position(LEVEL, 3), stuck(LEVEL, 0))]
    assert found == [(Status.PLAYING, False), (Status.WON, True), (Status.LOST, True)]
    assert str(Status.LOST) == "LOST"


def test_action_is_found_by_its_text() -> None:
    assert START.action("hop") is Move.HOP
    for text, hint in (("fly", ""), ("", ""), ("HOP", r"; did you mean hop\?"), ("hop ", "")):
        with pytest.raises(
            IllegalAction, match=f"^{text}: no such action; choose from left, right, hop{hint}$"
        ):
            START.action(text)
    with pytest.raises(IllegalAction, match=r"^left: it cannot be executed here$"):
        START.outcome(Move.LEFT, "").position.action("left")


def test_impossible_action_is_refused_when_actions_are_not_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    press = gp.levels_at("lights_out/first/1")[0].start()
    monkeypatch.setattr(type(press.level), "all_actions", gp.Level.all_actions)
    with pytest.raises(IllegalAction, match=r"^zap: it cannot be executed here$"):
        press.action("zap")


@pytest.mark.parametrize(
    ("level", "text", "there_are"),
    [
        ("sokoban/first-steps/1", "UP", "up, down, left, right, bomb"),
        ("twenty48/{}/1", "UP", "left, right, up, down"),
        ("shiftit/{}/1", "RM(9,left)", "RM(0,left), RM(0,right), "),
        ("robots/{}/1", "zap", "a:walk("),
    ],
)
def test_level_lists_all_actions_in_every_game(level: str, text: str, there_are: str) -> None:
    name = level.partition("/")[0]
    found = gp.levels_at(level.format(pack_names(game(name))[0]))[0]
    with pytest.raises(IllegalAction) as caught:
        found.start().action(text)
    assert caught.value.reason.startswith(f"no such action; choose from {there_are}")
    assert caught.value.reason.count("), ") <= 10


def test_nature_is_an_actor_when_game_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    windy = Windy(LEVEL, 1)
    with pytest.raises(IllegalAction):
        windy.action("left")
    monkeypatch.setitem(game("null").__dict__, "actors", lambda level: ("player", NATURE))
    assert windy.action("left") is Move.LEFT
    assert windy.action("hop") is Move.HOP


def test_outcome_is_found_by_its_label() -> None:
    assert START.outcome(Move.HOP, "by 2").position == Position(LEVEL, 3)
    with pytest.raises(IllegalAction, match="hop: it has no outcome 'by 3' here"):
        START.outcome(Move.HOP, "by 3")
    with pytest.raises(IllegalAction):
        Position(LEVEL, 2).outcome(Move.HOP, "by 1")


def test_step_draws_an_outcome() -> None:
    drawn = {START.step(Move.HOP, Rng(seed)).label for seed in range(20)}
    assert drawn == {"by 1", "by 2"}


def test_game_has_at_most_15_fields() -> None:
    """All else is found as an extension, by its name in the game's package."""
    assert len(dataclasses.fields(Game)) <= 15


def test_kernel_has_at_most_11_fields() -> None:
    assert len(dataclasses.fields(GameKernel)) <= 11


def test_defaults_of_a_game() -> None:
    null = game("null")
    assert one_player(LEVEL) == ("player",)
    assert null.policy.score_key(LEVEL) == LEVEL.text()


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_position_prints_its_board(name: str) -> None:
    position = gp.levels_at(f"{name}/{pack_names(game(name))[0]}/1")[0].start()
    assert f"{position}\n" == board_text(game(name).look.board(position))
    assert repr(position) == f"gridproof.level('{name}/{pack_names(game(name))[0]}/1').start()"


def test_trace_prints_its_start_and_actions() -> None:
    trace = gp.Trace(START, (Step(Move.RIGHT), Step(Move.RIGHT)))
    assert str(trace) == ".@.o\n\n2 actions: right right"
    assert str(gp.Trace(START)) == ".@.o\n\n0 actions"


@pytest.mark.parametrize(
    ("has_game", "of_class"),
    [
        ("snail", "snail"),
        ("snail", "snail.rules"),
        ("snail", "snail.meaning.levels.rules"),
        ("a.snail", "a.snail"),
    ],
)
def test_game_of_a_level_is_that_of_the_nearest_package(
    monkeypatch: pytest.MonkeyPatch, has_game: str, of_class: str
) -> None:
    module = types.ModuleType(of_class)
    module.__dict__["GAME"] = "a name that means something else there"
    monkeypatch.setitem(sys.modules, of_class, module)
    package = types.ModuleType(has_game)
    snail = package.__dict__["GAME"] = dataclasses.replace(game("null"), name="snail")
    monkeypatch.setitem(sys.modules, has_game, package)
    assert a_level(of_class).game is snail


def test_level_of_unknown_game_is_refused() -> None:
    for module in ("snail", "snail.rules"):
        with pytest.raises(GridproofError, match=rf"the game of {module}.Slow is not known: .* a value GAME"):
            _ = a_level(module).game


def a_level(module: str) -> Level:
    """A level whose class is said to be in a module."""
    kind: type[Level] = type("Slow", (Level,), {"__module__": module})
    return kind(3, 0, 2)
