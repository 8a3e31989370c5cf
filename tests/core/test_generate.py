"""Documentation of generators' parameters."""

from __future__ import annotations

import inspect
import sys
import types
from dataclasses import replace

import pytest

import gridproof as gp
from gridproof.core.generate import (
    Generator,
    Parameters,
    best,
    difficulty_gap,
    finish_level,
    generator_of,
    parameters_of,
)

MAKERS = [name for name in gp.game_names() if generator_of(gp.game(name))]


@pytest.mark.parametrize("name", MAKERS)
def test_parameters_have_defaults_and_meanings(name: str) -> None:
    game = gp.game(name)
    generator = generator_of(game)
    assert generator is not None
    taken = dict(inspect.signature(generator.generate).parameters)
    del taken["seed"]
    told = parameters_of(game)
    assert [text for item in told for text in item.forms] == [
        parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
        for parameter in taken.values()
    ]
    assert all(item.meaning.endswith(".") for item in told)
    assert {"width", "height"} <= {text.partition("=")[0] for text in told[0].forms}


def game_with(maker: object, monkeypatch: pytest.MonkeyPatch) -> gp.Game:
    module = types.ModuleType("a_generator")
    module.GENERATOR = Generator(maker)  # type: ignore[attr-defined, arg-type]  # a module made here
    monkeypatch.setitem(sys.modules, "a_generator", module)
    return replace(gp.game("null"), generate="a_generator")


def test_undocumented_parameters_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(seed: int, *, width: int = 3, wish: int | None = None) -> None: ...

    game = game_with(generate, monkeypatch)
    assert parameters_of(game) == [Parameters(("width=3", "wish"), "")]


def test_parameters_leave_out_documented_names_not_in_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(seed: int, *, width: int = 3, depth: int = 1) -> None:
        """Make one.

        Parameters
        ----------
        seed : int
            64 bits.
        depth, height : int
            Of the board:
            1 to 4.
        width : int
            As `depth`.

        Returns
        -------
        width : int
            Something else.
        """

    told = parameters_of(game_with(generate, monkeypatch))
    assert told == [
        Parameters(("width=3",), "As `depth`."),
        Parameters(("depth=1",), "Of the board: 1 to 4."),
    ]


def test_game_without_generator_has_no_parameters() -> None:
    with pytest.raises(gp.GridproofError, match="null has no level generator"):
        parameters_of(gp.game("null"))


def test_best_candidate_is_the_first_of_least_badness() -> None:
    tries = [(None, 0.0), ("far", 0.0), ("near", 0.0), ("like", 0.0), (None, 0.0)]
    assert best(tries, {"far": 3.0, "near": 1.0, "like": 1.0}.__getitem__) == "near"
    assert best([(None, 9.0)], len) is None


def test_best_stops_when_a_candidate_is_good_enough() -> None:
    tries = iter([("a", 0.0), (None, 1.0), ("b", 0.0)])
    assert best(tries, len) == "a"
    assert next(tries) == ("b", 0.0)


@pytest.mark.parametrize(
    ("effort", "wished", "missed"),
    [
        (100, None, False),
        (None, None, False),
        (67, 100, False),
        (66, 100, True),
        (150, 100, False),
        (151, 100, True),
        (None, 10**6, True),
    ],
)
def test_difficulty_gap_is_0_within_half_as_much_again(effort: int, wished: int, missed: bool) -> None:
    assert (difficulty_gap(effort, wished) > 0) is missed


def test_missed_parameters_are_recorded_in_keys() -> None:
    level = gp.read("@o", "null")[0]
    keys = finish_level(
        level, 7, (gp.Step(level.start().action("right")),), {"Moves": 1}, ["a", "b"], (1, 9)
    ).keys
    assert keys == {"Moves": "1", "Missed": "a; b; a difficulty of 9"}
