"""Commands and options that games add."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.extensions import put_extension

import gridproof as gp
from gridproof.cli.plugin_commands import add_options, extra_functions, options_of
from gridproof.cli.program import COMMANDS
from gridproof.core.extension import Answer, find_function
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


def test_command_gets_given_options() -> None:
    command = add_options(lambda seed, own: (seed, own), [count])
    assert command(seed=3, letter="b", least_number=None) == (3, {"letter": "b"})


def test_built_in_games_add_commands_and_exports() -> None:
    assert [function.__module__ for function in extra_functions("watch")] == ["gridproof.games.robots.race"]
    assert [function.__module__ for function in extra_functions("model")] == [
        "gridproof.games.shiftit.idp.model"
    ]
    assert find_function(gp.game("null"), "commands", "watch") is None


def test_command_of_a_game_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    null = gp.game("null")
    put_extension(monkeypatch, null, "commands", {"count": __name__})
    monkeypatch.setattr("gridproof.cli.program.games", lambda: (null,))
    assert "count  " in run("--help").out.split("Commands:")[1]
    assert run("count", "--help").out.startswith(
        "Usage: gridproof count [OPTIONS] {FILE|LEVEL}\n\n  Null: count letters.\n\n"
    )
    answer = run("count", "-", "--letter", "l", input="null\nlevel")
    assert (answer.status, answer.out) == (0, "null: 2\nlevel: 2\n")
    assert run("count", "-", "--least-number", "3", "--json", input="aa").json == {"found": 2}
    assert run("count", "-", "--least-number", "3", input="aaa aa").status == 1
    assert run("count", "-", "--states", "0", input="aaa").status == 3
    assert run("county", "-").err.endswith(
        f"choose from {', '.join((*COMMANDS, 'count'))}; did you mean count?\n"
    )
