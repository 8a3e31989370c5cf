"""Arguments that are of no use to an engine are refused in words."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp

LEVEL = gp.read("@...o", "null")[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"goal": None}, "a goal is the text of a proposition, not None"),
        ({"goal": 5}, "a goal is the text of a proposition, not 5"),
        ({"actors": 5}, "actors are None, 'all', a name or names, not 5"),
        ({"actors": ()}, "actors are None, 'all', a name or names, not ()"),
        ({"actors": ("player", 5)}, "no actor 5: the level has player"),
        ({"limit": 5}, "a limit is gridproof.Limit(seconds=..., states=..., memory=..., stop=...), not 5"),
        ({"progress": 5}, "progress is a function of a number of positions, not 5"),
        ({"minimise": 5}, "null cannot minimise 5; choose from actions"),
        ({"minimise": "pushs"}, "null cannot minimise 'pushs'; choose from actions"),
    ],
)
def test_solve_refuses_useless_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        gp.solve(LEVEL, **arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("arguments", [{"actors": 5}, {"actors": ()}, {"limit": 5}, {"progress": 5}])
def test_explore_refuses_useless_arguments(arguments: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError):
        gp.explore(LEVEL, **arguments)


@pytest.mark.parametrize("what", [None, b"null", 5])
def test_engines_refuse_what_is_neither_level_nor_position(what: Any) -> None:
    for engine in (gp.solve, gp.explore):
        with pytest.raises(
            gp.GridproofError, match=rf"^a level or a position is needed, not {type(what).__name__}$"
        ):
            engine(what)


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("won & lost", "line 1, column 1: no goal: 'won & lost' (expected one proposition, not a formula)"),
        (
            "bombs < " + 100 * "9",
            "line 1, column 1: no goal: 'bombs < 99999999999999999999999999999999...' (expected a number of at most 99 digits)",
        ),
        ("at(a,b)", "at(a,b): x is from 0 to 6 and y from 0 to 4"),
    ],
)
def test_solve_refuses_invalid_goals(goal: str, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        gp.solve(gp.levels_at("sokoban/bombs/1")[0], goal=goal)
    assert str(caught.value) == message


@pytest.mark.parametrize("game", [5, None])
def test_generate_refuses_unknown_game(game: Any) -> None:
    with pytest.raises(
        gp.GridproofError, match=rf"^a game or its name is needed, not {type(game).__name__}$"
    ):
        gp.generate(game, 1)
