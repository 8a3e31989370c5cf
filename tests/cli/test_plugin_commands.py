"""Commands and options that games add."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

import gridproof as gp
from gridproof.cli.own import additions, options_of, with_options
from gridproof.cli.program import COMMANDS
from gridproof.core.answer import Answer
from gridproof.core.limit import Limit

from .conftest import Run


def count(
    text: str, game: str | None, limit: Limit, letter: str = "a", least_number: int = 1
) -> Iterator[Answer]:
    """Count letters.

    Parameters
    ----------
    letter : C
        Which one.
    least_number : N
        How many there
        are to be.
    """
    for line in text.split():
        found = line.count(letter)
        yield Answer(
            None if limit.states == 0 else found >= least_number, f"{line}: {found}", {"found": found}
        )


def test_options_are_the_parameters_that_a_docstring_explains() -> None:
    told = {name: item.annotation.__metadata__[0] for name, item in options_of(count).items()}
    assert [(name, option.metavar, option.help, option.min) for name, option in told.items()] == [
        ("letter", "C", "Which one.", None),
        ("least_number", "N", "How many there are to be.", 0),
    ]


def test_a_command_gets_the_options_that_are_given() -> None:
    command = with_options(lambda seed, own: (seed, own), [count])
    assert command(seed=3, letter="b", least_number=None) == (3, {"letter": "b"})


def test_what_the_games_here_add() -> None:
    assert [function.__module__ for function in additions("watch")] == ["gridproof.games.robots.race"]
    assert [function.__module__ for function in additions("model")] == ["gridproof.games.shiftit.idp.model"]
    assert gp.game("null").added("watch") is None


def test_a_command_of_a_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = dataclasses.replace(gp.game("null"), commands={"count": __name__})
    monkeypatch.setattr("gridproof.cli.program.games", lambda: (changed,))
    assert "count  " in run("--help").out.split("Commands:")[1]
    assert run("count", "--help").out.startswith(
        "Usage: gridproof count [OPTIONS] {FILE|LEVEL}\n\n  Count letters.\n\n"
    )
    answer = run("count", "-", "--letter", "l", input="null\nlevel")
    assert (answer.status, answer.out) == (0, "null: 2\nlevel: 2\n")
    assert run("count", "-", "--least-number", "3", "--json", input="aa").json == {"found": 2}
    assert run("count", "-", "--least-number", "3", input="aaa aa").status == 1
    assert run("count", "-", "--states", "0", input="aaa").status == 3
    assert run("county", "-").err.endswith(f"there are {', '.join((*COMMANDS, 'count'))}\n")
