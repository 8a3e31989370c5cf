"""What generators say of their parameters."""

from __future__ import annotations

import inspect
import sys
import types
from dataclasses import replace

import pytest

import gridproof as gp
from gridproof.core.generate import Parameters, parameters_of
from gridproof.core.loading import load

MAKERS = [name for name in gp.game_names() if gp.game(name).generator]


@pytest.mark.parametrize("name", MAKERS)
def test_every_parameter_is_told_with_its_default_and_a_meaning(name: str) -> None:
    game = gp.game(name)
    taken = dict(inspect.signature(load(game.generator).generate).parameters)
    del taken["seed"]
    told = parameters_of(game)
    assert [text for item in told for text in item.given] == [
        parameter.name if parameter.default is None else f"{parameter.name}={parameter.default}"
        for parameter in taken.values()
    ]
    assert all(item.meaning.endswith(".") for item in told)
    assert {"width", "height"} <= {text.partition("=")[0] for text in told[0].given}


def game_with(maker: object, monkeypatch: pytest.MonkeyPatch) -> gp.Game:
    module = types.ModuleType("a_generator")
    module.generate = maker  # type: ignore[attr-defined]  # a module made here
    monkeypatch.setitem(sys.modules, "a_generator", module)
    return replace(gp.game("null"), generator="a_generator")


def test_a_generator_without_documentation_has_names_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(seed: int, *, width: int = 3, wish: int | None = None) -> None: ...

    game = game_with(generate, monkeypatch)
    assert parameters_of(game) == [Parameters(("width=3", "wish"), "")]


def test_what_is_documented_but_not_taken_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_game_without_a_generator_has_no_parameters() -> None:
    with pytest.raises(gp.GridproofError, match="null makes no new levels"):
        parameters_of(gp.game("null"))
